"""Noise and lines from which patterns are made: functions of place and seed, filtered to a footprint.

Numbers are hashed in 64-bit integers kept below 2^32 by masks: 32-bit arithmetic in compiled code widens
silently, so wrapping must be spelled out.
"""

import numpy as np

from helpanna.worlds.houses.compiled import compiled

Three = tuple[float, float, float]

_MASK = 0xFFFFFFFF


@compiled
def chance(x: int, y: int, seed: int) -> float:
    """A number in [0, 1) that belongs to the cell (x, y)."""
    h = (x * 0x1E3779B1 + y * 0x05EBCA77 + (seed & 0xFFFFFFF) * 0x02B2AE3D) & _MASK
    h ^= h >> 15
    h = (h * 0x2C1B3C6D) & _MASK
    h ^= h >> 12
    h = (h * 0x297A2D39) & _MASK
    h ^= h >> 15
    return h * 2.0**-32


@compiled
def noise(x: float, y: float, seed: int) -> float:
    """Smooth noise in [0, 1] with features of size 1."""
    i, j = int(np.floor(x)), int(np.floor(y))
    u, v = x - i, y - j
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    low = chance(i, j, seed) * (1 - u) + chance(i + 1, j, seed) * u
    high = chance(i, j + 1, seed) * (1 - u) + chance(i + 1, j + 1, seed) * u
    return low * (1 - v) + high * v


@compiled
def kept(foot: float, size: float) -> float:
    """How much of a pattern with features of this size survives in a sample this wide: 1 to 0."""
    return min(1.0, max(0.0, 1.6 - 1.6 * foot / size))


@compiled
def clouds(x: float, y: float, size: float, octaves: int, foot: float, seed: int) -> float:
    """Noise at several sizes, each half of the one before, around 0: within about -0.5 to 0.5."""
    total, strength = 0.0, 0.5
    for k in range(octaves):
        keep = kept(foot, size)
        if keep <= 0:
            break
        total += strength * keep * (2 * noise(x / size, y / size, seed + k) - 1)
        size *= 0.5
        strength *= 0.5
    return total


@compiled
def line(x: float, period: float, width: float, foot: float) -> float:
    """How much of a sample is covered by lines of this width at the multiples of the period: 0 to 1."""
    if foot >= period:
        return width / period
    distance = abs(x - period * np.floor(x / period + 0.5))
    foot = max(foot, 1e-5)
    return min(min(1.0, width / foot), max(0.0, ((width + foot) / 2 - distance) / foot))


@compiled
def mix(a: Three, b: Three, t: float) -> Three:
    """From colour a (t = 0) to colour b (t = 1)."""
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t


@compiled
def scaled(a: Three, by: float) -> Three:
    """A lighter or darker colour."""
    return a[0] * by, a[1] * by, a[2] * by


@compiled
def hue(h: float, saturation: float, value: float) -> Three:
    """A colour by its hue (0 to 1, round), saturation and value."""
    red = min(1.0, max(0.0, abs((h % 1.0) * 6 - 3) - 1))
    green = min(1.0, max(0.0, 2 - abs((h % 1.0) * 6 - 2)))
    blue = min(1.0, max(0.0, 2 - abs((h % 1.0) * 6 - 4)))
    return (
        value * (1 - saturation + saturation * red),
        value * (1 - saturation + saturation * green),
        value * (1 - saturation + saturation * blue),
    )
