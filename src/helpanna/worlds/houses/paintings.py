"""Pictures on walls, screens and the backs of books, each drawn by its seed."""

import numpy as np

from helpanna.worlds.houses.compiled import compiled
from helpanna.worlds.houses.noise import Three, chance, clouds, hue, kept, line, mix, noise, scaled


@compiled
def painting(u: float, v: float, foot: float, colour: Three, accent: Three, seed: int) -> Three:
    """A painting at (u, v) in 0 to 1, v up: a landscape, fields of colour, circles or a still life."""
    style = int(chance(1, 0, seed) * 5)
    if style <= 1:
        return _landscape(u, v, foot, seed)
    if style == 2:
        return _fields(u, v, foot, colour, accent, seed)
    if style == 3:
        return _circles(u, v, foot, colour, accent, seed)
    return _still_life(u, v, foot, colour, accent, seed)


@compiled
def _landscape(u: float, v: float, foot: float, seed: int) -> Three:
    warm = chance(2, 0, seed)
    picture = mix(hue(0.09 * warm, 0.5 * warm, 0.85), hue(0.58, 0.5, 0.65), min(1.0, max(0.0, v * 1.4 - 0.3)))
    sun_u, sun_v = 0.2 + 0.6 * chance(3, 0, seed), 0.6 + 0.25 * chance(4, 0, seed)
    if (u - sun_u) ** 2 + (v - sun_v) ** 2 < 0.004:
        picture = 0.95, 0.85, 0.55
    picture = scaled(picture, 1 + 0.25 * clouds(u * 2, v * 5, 1.0, 3, foot, seed))
    sea = chance(5, 0, seed) < 0.4
    for k in range(4):
        crest = 0.62 - 0.14 * k + 0.3 * clouds(u * (1.5 + k), k * 7.7, 0.7, 3, foot, seed + 31 * k)
        if v < crest:
            near = (k + 1) / 4
            land = hue(
                0.56 if sea and k > 1 else 0.26 + 0.1 * chance(6, k, seed),
                0.25 + 0.4 * near,
                0.5 - 0.3 * near,
            )
            picture = scaled(land, 1 + 0.5 * clouds(u * 9, v * 25, 1.0, 2, foot * 9, seed + k))
    return picture


@compiled
def _fields(u: float, v: float, foot: float, colour: Three, accent: Three, seed: int) -> Three:
    x0, x1, y0, y1 = 0.0, 1.0, 0.0, 1.0
    cell = 1
    edge = 1.0
    for k in range(4):
        at = 0.3 + 0.4 * chance(cell, k, seed)
        if (x1 - x0) * 1.2 > (y1 - y0):
            place = x0 + at * (x1 - x0)
            edge = min(edge, abs(u - place))
            if u < place:
                x1, cell = place, cell * 2
            else:
                x0, cell = place, cell * 2 + 1
        else:
            place = y0 + at * (y1 - y0)
            edge = min(edge, abs(v - place))
            if v < place:
                y1, cell = place, cell * 2
            else:
                y0, cell = place, cell * 2 + 1
    if edge < 0.012 and chance(7, 7, seed) < 0.6:
        return 0.05, 0.05, 0.05
    pick = chance(cell, 11, seed)
    if pick < 0.3:
        return 0.85, 0.82, 0.75
    if pick < 0.5:
        return colour
    if pick < 0.7:
        return accent
    return hue(chance(cell, 12, seed), 0.65, 0.3 + 0.5 * chance(cell, 13, seed))


@compiled
def _circles(u: float, v: float, foot: float, colour: Three, accent: Three, seed: int) -> Three:
    picture = scaled(mix((0.85, 0.82, 0.76), colour, 0.25), 1 + 0.15 * clouds(u, v, 0.2, 3, foot, seed))
    for k in range(6):
        x, y = chance(k, 21, seed), chance(k, 22, seed)
        radius = 0.06 + 0.22 * chance(k, 23, seed)
        distance = np.sqrt((u - x) ** 2 + (v - y) ** 2)
        if distance < radius and (k % 2 == 0 or distance > 0.7 * radius):
            tint = accent if k % 3 == 0 else hue(chance(k, 24, seed), 0.6, 0.55)
            picture = mix(picture, tint, 0.8)
    return picture


@compiled
def _still_life(u: float, v: float, foot: float, colour: Three, accent: Three, seed: int) -> Three:
    wall = mix((0.25, 0.22, 0.18), colour, 0.4)
    picture = scaled(wall, 1.1 - 0.5 * abs(u - 0.4) + 0.4 * clouds(u, v, 0.3, 3, foot, seed))
    if v < 0.35:
        picture = scaled((0.42, 0.27, 0.15), 0.8 + 0.5 * v + 0.3 * clouds(u * 0.3, v * 3, 0.1, 2, foot, seed))
    for k in range(5):
        x, radius = 0.15 + 0.17 * k + 0.06 * chance(k, 31, seed), 0.07 + 0.07 * chance(k, 32, seed)
        y, tall = 0.26 + radius, 2.5 if chance(k, 33, seed) < 0.3 else 1.0
        x, y = (u - x) / radius, (v - y - radius * (tall - 1)) / (radius * tall)
        if x * x + y * y < 1:
            light = 0.35 + 0.65 * max(0.0, 1 - ((x + 0.4) ** 2 + (y - 0.4) ** 2) * 0.7)
            fruit = accent if k == 2 else hue(0.02 + 0.14 * chance(k, 34, seed), 0.8, 0.75)
            picture = scaled(fruit, light)
    return picture


@compiled
def screen(u: float, v: float, foot: float, colour: Three, accent: Three, shining: float, seed: int) -> Three:
    """A screen at (u, v) in 0 to 1: dark glass, or a programme where it shines."""
    if shining <= 0:
        return scaled(colour, 0.9 + 0.2 * v)
    if chance(41, 0, seed) < 0.5:
        return _landscape(u, v, foot, seed)
    picture = mix(colour, (0.9, 0.92, 0.95), 0.8)
    if v > 0.9:
        return accent
    if u > 0.08 and u < 0.3 + 0.6 * chance(int(v * 16), 42, seed) and line(v, 0.0625, 0.02, foot) > 0.5:
        return 0.15, 0.17, 0.2
    return picture


@compiled
def spines(u: float, v: float, foot: float, colour: Three, accent: Three, scale: float, seed: int) -> Three:
    """The backs of books that stand side by side along u, `scale` metres thick on average."""
    place = u / scale
    cell = int(np.floor(place))
    # Every boundary is shifted, so thick and thin books alternate.
    if place - cell < 0.55 * chance(cell, 51, seed):
        cell -= 1
    left = cell + 0.55 * chance(cell, 51, seed)
    right = cell + 1 + 0.55 * chance(cell + 1, 51, seed)
    pick = chance(cell, 52, seed)
    value = 0.12 + 0.55 * chance(cell, 53, seed) ** 1.5
    if pick < 0.25:
        back = scaled(colour, 0.5 + value)
    elif pick < 0.45:
        back = scaled(accent, 0.5 + value)
    elif pick < 0.6:
        back = 0.75, 0.70, 0.60
    else:
        back = hue(chance(cell, 54, seed), 0.55, value)
    bands = kept(foot, 0.03)
    height = 0.02 + 0.05 * chance(cell, 55, seed)
    if bands > 0 and (
        line(v - height, 0.17, 0.012, foot) > 0.5 or line(v - height - 0.02, 0.17, 0.006, foot) > 0.5
    ):
        back = mix(back, (0.75, 0.6, 0.3), 0.6 * bands)
    gap = min(place - left, right - place) * scale
    shade = max(0.0, 1 - gap / max(0.003, foot / 2)) * min(1.0, 0.006 / max(foot, 0.006))
    keep = kept(foot, scale * 1.5)
    mean = mix(scaled(mix(colour, accent, 0.5), 0.6), (0.35, 0.3, 0.26), 0.5)
    return mix(mean, scaled(mix(back, scaled(back, 0.85), noise(u * 40, v * 8, seed)), 1 - 0.7 * shade), keep)
