"""Patterns of materials, computed at any point of a surface; there are no image files.

All functions are compiled and work on plain numbers. `foot` is the width in metres of what one picture sample
covers: patterns finer than that fade to their mean, so pictures do not flicker or alias.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from helpanna.worlds.houses.compiled import compiled
from helpanna.worlds.houses.layout import Material
from helpanna.worlds.houses.noise import Three, chance, clouds, kept, line, mix, noise, scaled
from helpanna.worlds.houses.paintings import painting, screen, spines

KINDS: tuple[str, ...] = get_args(Material.__annotations__["kind"])
"""The kinds of materials; compiled code knows them by their number."""
(
    PAINT, WOOD, PLANKS, TILE, CARPET, FABRIC, LEATHER, STONE, METAL, CERAMIC,
    GLASS, PAPER, LEAVES, PICTURE, BOOKS, SCREEN, LIGHT,
) = range(17)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Palette:
    """M materials as arrays.

    Attributes:
        kind, seed: [M] integers.
        colour, accent: [M, 3].
        scale, gloss, emission: [M].
        mean: [M, 3] the mean colour of the pattern.
    """

    kind: NDArray[np.int64]
    seed: NDArray[np.int64]
    colour: NDArray[np.float64]
    accent: NDArray[np.float64]
    scale: NDArray[np.float64]
    gloss: NDArray[np.float64]
    emission: NDArray[np.float64]
    mean: NDArray[np.float64]


def palette(materials: Sequence[Material]) -> Palette:
    """The materials as compiled code wants them."""
    kind = np.array([KINDS.index(m.kind) for m in materials], dtype=np.int64)
    seed = np.array([m.seed for m in materials], dtype=np.int64)
    colour = np.array([m.colour for m in materials], dtype=np.float64)
    accent = np.array([m.accent for m in materials], dtype=np.float64)
    scale = np.array([m.scale for m in materials], dtype=np.float64)
    gloss = np.array([m.gloss for m in materials], dtype=np.float64)
    emission = np.array([m.emission for m in materials], dtype=np.float64)
    mean = _means(kind, colour, accent, scale, emission, seed)
    return Palette(kind, seed, colour, accent, scale, gloss, emission, mean)


@compiled
def _means(
    kind: NDArray[np.int64],
    colour: NDArray[np.float64],
    accent: NDArray[np.float64],
    scale: NDArray[np.float64],
    emission: NDArray[np.float64],
    seed: NDArray[np.int64],
) -> NDArray[np.float64]:
    mean = np.zeros((len(kind), 3))
    for m in range(len(kind)):
        one = colour[m, 0], colour[m, 1], colour[m, 2]
        two = accent[m, 0], accent[m, 1], accent[m, 2]
        for i in range(10):
            for j in range(10):
                u, v = i * 0.097, j * 0.103
                part = pattern(kind[m], u, v, 0.02, one, two, scale[m], emission[m], seed[m])
                for c in range(3):
                    mean[m, c] += part[c] / 100
    return mean


@compiled
def pattern(
    kind: int,
    u: float,
    v: float,
    foot: float,
    colour: Three,
    accent: Three,
    scale: float,
    shining: float,
    seed: int,
) -> Three:
    """The colour of a material at (u, v)."""
    if kind == PAINT:
        return scaled(
            colour, 1 + 0.03 * clouds(u, v, 0.8, 2, foot, seed) + 0.05 * clouds(u, v, 0.015, 1, foot, seed)
        )
    if kind == WOOD:
        return _wood(u, v, foot, colour, accent, seed)
    if kind == PLANKS:
        return _planks(u, v, foot, colour, accent, scale, seed)
    if kind == TILE:
        return _tiles(u, v, foot, colour, accent, scale, seed)
    if kind == CARPET:
        tuft = clouds(u, v, 0.012, 2, foot, seed) + 0.35 * clouds(u, v, 0.5, 3, foot, seed + 9)
        return scaled(mix(colour, accent, min(0.7, max(0.0, 0.2 + 0.7 * tuft))), 1 + 0.6 * tuft)
    if kind == FABRIC:
        return _fabric(u, v, foot, colour, accent, scale, seed)
    if kind == LEATHER:
        grain = clouds(u, v, 0.02, 3, foot, seed)
        return scaled(
            mix(colour, accent, 0.3 + 0.4 * clouds(u, v, 0.25, 3, foot, seed + 5)), 1 + 0.25 * grain
        )
    if kind == STONE:
        return _stone(u, v, foot, colour, accent, scale, seed)
    if kind == METAL:
        return scaled(colour, 1 + 0.1 * clouds(u * 0.05, v, 0.004, 2, foot, seed))
    if kind == PAPER:
        return scaled(colour, 1 + 0.06 * clouds(u, v, 0.05, 2, foot, seed))
    if kind == LEAVES:
        spots = clouds(u, v, 0.05, 3, foot, seed)
        return scaled(mix(colour, accent, min(1.0, max(0.0, 0.35 + spots))), 1 + 0.5 * spots)
    if kind == PICTURE:
        return painting(u, v, foot, colour, accent, seed)
    if kind == BOOKS:
        return spines(u, v, foot, colour, accent, max(scale, 0.02), seed)
    if kind == SCREEN:
        return screen(u, v, foot, colour, accent, shining, seed)
    if kind == CERAMIC:
        return scaled(colour, 1 + 0.02 * clouds(u, v, 0.2, 2, foot, seed))
    return colour


@compiled
def _wood(u: float, v: float, foot: float, colour: Three, accent: Three, seed: int) -> Three:
    """Grain along u: long streaks bent by slow noise, with dark pores."""
    bend = v + 0.03 * clouds(u, v, 0.5, 2, foot, seed + 3)
    keep = kept(foot, 0.03)
    rings = noise(bend / 0.018, u * 0.7, seed) * keep + 0.5 * (1 - keep)
    streak = clouds(u * 0.04, bend, 0.012, 3, foot, seed + 1)
    slow = clouds(u * 0.3, v, 0.4, 2, foot, seed + 2)
    amount = 0.15 + 0.45 * rings * rings + 0.5 * streak + 0.3 * slow
    return mix(colour, accent, min(1.0, max(0.0, amount)))


@compiled
def _planks(u: float, v: float, foot: float, colour: Three, accent: Three, width: float, seed: int) -> Three:
    """Boards along u, each with grain and tone of its own, and dark joints."""
    row = int(np.floor(v / width))
    length = 8.0 * width + 0.3
    shift = u + length * chance(row, 61, seed)
    board = int(np.floor(shift / length))
    keep = kept(foot, width * 1.5)
    tone = 1 + keep * 0.34 * (chance(row, board, seed) - 0.5)
    own = seed + 17 * row + 131 * board
    grain = _wood(u, v, foot, colour, accent, own)
    joint = max(line(v, width, 0.004, foot), line(shift, length, 0.004, foot))
    return scaled(grain, tone * (1 - 0.65 * joint))


@compiled
def _tiles(u: float, v: float, foot: float, colour: Three, accent: Three, side: float, seed: int) -> Three:
    """Square tiles with grout of the accent's colour; small ones are laid like bricks."""
    row = int(np.floor(v / side))
    across = u + (0.5 * side * (row % 2) if seed % 3 == 0 and side < 0.25 else 0.0)
    column = int(np.floor(across / side))
    keep = kept(foot, side)
    tone = 1 + keep * 0.10 * (chance(row, column, seed) - 0.5)
    veins = 0.10 * clouds(u + 3.1 * row, v + 1.7 * column, side * 0.7, 3, foot, seed)
    grout = max(0.003, 0.014 * side)
    joint = max(line(v, side, grout, foot), line(across, side, grout, foot))
    return mix(scaled(colour, tone + veins), accent, joint)


@compiled
def _fabric(u: float, v: float, foot: float, colour: Three, accent: Three, scale: float, seed: int) -> Three:
    """A weave; by its seed plain, striped or checked."""
    weave = 0.12 * kept(foot, 0.0015) * np.sin(u * 2000) * np.sin(v * 2000)
    soft = 0.14 * clouds(u, v, 0.15, 3, foot, seed) + weave
    design = seed % 7
    size = min(0.2, max(0.04, scale * 0.4))
    amount = 0.12 + 0.3 * clouds(u, v, 0.01, 2, foot, seed)
    if design == 1:
        amount = line(u, size, size * 0.4, foot)
    elif design == 2:
        amount = 0.45 * (line(u, size, size * 0.45, foot) + line(v, size, size * 0.45, foot))
    return scaled(mix(colour, accent, min(1.0, max(0.0, amount))), 1 + soft)


@compiled
def _stone(u: float, v: float, foot: float, colour: Three, accent: Three, scale: float, seed: int) -> Three:
    """Marble: veins where warped noise crosses zero, over a cloudy ground."""
    size = min(0.8, max(0.15, scale))
    bend = clouds(u, v, size, 4, foot, seed)
    vein = clouds(u + 0.35 * size * bend, v - 0.35 * size * bend, size * 0.8, 4, foot, seed + 7)
    sharp = max(0.0, 1 - abs(vein) * 14) * kept(foot, size * 0.5)
    return mix(scaled(colour, 1 + 0.12 * bend), accent, min(1.0, 0.10 + 0.75 * sharp * sharp + 0.15 * bend))


def swatch(colours: Palette, material: int, size: float, pixels: int) -> NDArray[np.uint8]:
    """A picture [pixels, pixels, 3] of a material's pattern, `size` metres wide, v upwards."""
    m = material
    one, two = tuple(colours.colour[m].tolist()), tuple(colours.accent[m].tolist())
    kind, seed = int(colours.kind[m]), int(colours.seed[m])
    linear = _swatch(kind, one, two, float(colours.scale[m]), float(colours.emission[m]), seed, size, pixels)
    code = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear.clip(0, 1) ** (1 / 2.4) - 0.055)
    return (code.clip(0, 1) * 255 + 0.5).astype(np.uint8)


@compiled
def _swatch(
    kind: int, colour: Three, accent: Three, scale: float, shining: float, seed: int, size: float, pixels: int
) -> NDArray[np.float64]:
    picture = np.empty((pixels, pixels, 3))
    foot = size / pixels
    for y in range(pixels):
        for x in range(pixels):
            u, v = (x + 0.5) * foot, (pixels - y - 0.5) * foot
            picture[y, x] = pattern(kind, u, v, foot, colour, accent, scale, shining, seed)
    return picture
