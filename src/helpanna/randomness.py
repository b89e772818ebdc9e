"""Randomness that is addressed, not drawn in order.

Every draw is a function of (seed, purpose, address), where an address is a tuple of integers such as
(episode, step). So a result never depends on the batch around it, on the order or on the number of workers.
"""

import hashlib

import numpy as np
from numpy.typing import ArrayLike, NDArray

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


def _key(seed: int, purpose: str) -> bytes:
    return hashlib.sha256(f"{int(seed)}\0{purpose}".encode()).digest()


def generator(seed: int, purpose: str, *address: int) -> np.random.Generator:
    """A NumPy generator of its own for one address."""
    text = _key(seed, purpose) + b"".join(int(part).to_bytes(8, "little", signed=True) for part in address)
    entropy = int.from_bytes(hashlib.sha256(text).digest(), "little")
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy)))


def _mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of SplitMix64: every input bit reaches every output bit."""
    x = (x ^ (x >> np.uint64(30))) * _MIX_1
    x = (x ^ (x >> np.uint64(27))) * _MIX_2
    return x ^ (x >> np.uint64(31))


def uniforms(seed: int, purpose: str, *address: ArrayLike) -> NDArray[np.float64]:
    """Uniform numbers in [0, 1), one for each address of the broadcast integer arrays.

    The batched counterpart of `generator`: no Python loop over addresses.
    """
    parts = np.broadcast_arrays(*[np.atleast_1d(np.asarray(part, dtype=np.int64)) for part in address])
    start = int.from_bytes(_key(seed, purpose)[:8], "little")
    state = np.full(parts[0].shape, start, dtype=np.uint64)
    for part in parts:
        state = _mix(state + _GOLDEN) ^ _mix(part.astype(np.uint64) + _GOLDEN)
    return (_mix(state + _GOLDEN) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def choices(seed: int, purpose: str, count: ArrayLike, *address: ArrayLike) -> NDArray[np.int64]:
    """For each address a number in range(count), uniformly; `count` broadcasts with the addresses."""
    drawn = uniforms(seed, purpose, *address)
    return np.floor(drawn * np.asarray(count)).astype(np.int64)
