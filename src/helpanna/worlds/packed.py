"""Small arrays inside JSON files: float16, little endian, base64."""

import base64

import numpy as np
from numpy.typing import NDArray

Halves = NDArray[np.float16]


def pack(array: Halves) -> str:
    """An array as text; its shape is not part of it."""
    return base64.b64encode(np.ascontiguousarray(array).astype("<f2").tobytes()).decode()


def unpack(text: str) -> Halves:
    """The flat array that `pack` wrote; what it did not write is a `ValueError`."""
    return np.frombuffer(base64.b64decode(text, validate=True), dtype="<f2").astype(np.float16)
