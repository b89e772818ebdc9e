"""From light to picture: exposure, tone mapping, and finding where pictures need more samples."""

import numpy as np
from numpy.typing import NDArray

from helpanna.worlds.houses.compiled import compiled
from helpanna.worlds.houses.rays import Floats

_KEY = 0.205
"""What the mean brightness of a picture is exposed to."""
_ADAPTED = 0.85
"""How far the eye adapts to dark and bright rooms: 1 would make all equally bright."""
_USUAL = 0.25
_CONTRAST = 0.04
_STEPS, _WHITE = 4096, 16.0


def exposure_of(radiance: Floats) -> float:
    """The exposure of a panorama [height, width, 3], by the geometric mean of what it shows."""
    height = len(radiance)
    # The middle three fifths: the poles of an equirectangular picture are stretched.
    middle = radiance[height // 5 : -height // 5] @ np.array([0.2126, 0.7152, 0.0722], np.float32)
    mean = float(np.exp(np.log(np.clip(middle, 0.01, 2.0), dtype=np.float64).mean()))
    return _KEY / (mean**_ADAPTED * _USUAL ** (1 - _ADAPTED))


def developed(radiance: Floats, exposure: float) -> Floats:
    """Tone mapped and gamma coded colours, 0 to 1."""
    return _looked_up(radiance, np.float32(exposure), _CURVE)


def _curve() -> Floats:
    """The film's response at (i / n)^2 times its white: contrast in the middle, a soft shoulder, sRGB."""
    x = (np.arange(_STEPS + 1) / _STEPS) ** 2 * _WHITE
    y = np.clip(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0, 1)
    return np.where(y <= 0.0031308, 12.92 * y, 1.055 * y ** (1 / 2.4) - 0.055).astype(np.float32)


_CURVE = _curve()


@compiled
def _looked_up(radiance: Floats, exposure: np.float32, curve: Floats) -> Floats:
    picture = np.empty_like(radiance)
    top = len(curve) - 1
    for i in range(len(radiance)):
        for k in range(3):
            at = np.sqrt(radiance[i, k] * exposure / np.float32(_WHITE)) * np.float32(top)
            low = min(int(at), top - 1)
            rest = min(np.float32(1.0), at - np.float32(low))
            picture[i, k] = curve[low] + (curve[low + 1] - curve[low]) * rest
    return picture


@compiled
def contrasts(picture: Floats) -> NDArray[np.bool_]:
    """[height, width] whether a pixel differs from one of its four neighbours."""
    height, width = picture.shape[:2]
    sharp = np.zeros((height, width), np.bool_)
    for y in range(height):
        for x in range(width):
            right = (x + 1) % width
            below = min(y + 1, height - 1)
            for k in range(3):
                if abs(picture[y, x, k] - picture[y, right, k]) > _CONTRAST:
                    sharp[y, x] = sharp[y, right] = True
                if abs(picture[y, x, k] - picture[below, x, k]) > _CONTRAST:
                    sharp[y, x] = sharp[below, x] = True
    return sharp


@compiled
def coded(picture: Floats) -> NDArray[np.uint8]:
    """Colours [height, width, 3] from 0 to 1 as bytes."""
    code = np.empty(picture.shape, np.uint8)
    for y in range(picture.shape[0]):
        for x in range(picture.shape[1]):
            for k in range(3):
                code[y, x, k] = np.uint8(min(max(picture[y, x, k], 0.0), 1.0) * 255 + 0.5)
    return code
