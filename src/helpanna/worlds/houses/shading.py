"""The colour and light of every point that rays hit, in compiled code."""

import numpy as np
from numpy.typing import NDArray

from helpanna.worlds.houses.compiled import compiled
from helpanna.worlds.houses.rays import Floats, Ints
from helpanna.worlds.houses.textures import GLASS, METAL, PICTURE, SCREEN, pattern

Doubles = NDArray[np.float64]
Longs = NDArray[np.int64]

_GLOW = 1.6
"""Radiance of a lit lampshade, beside rooms whose light is about 1."""


_TRACE = 0.04


@compiled
def shaded(
    starts: Floats, ways: Floats, triangle: Ints, distance: Floats, u: Floats, v: Floats, travelled: Floats,
    foot: float,
    vertices: Floats, corner_normals: Floats, triangles: Ints, uv: Floats, material: Ints, baked: Floats,
    kind: Longs, colours: Doubles, accents: Doubles, scale: Doubles, gloss: Doubles, emission: Doubles,
    seed: Longs,
) -> tuple[Floats, Floats, Floats, Floats, Floats, NDArray[np.int8]]:  # fmt: skip
    """For n rays and what they hit (triangle -1: nothing).

    Returns:
        points: [n, 3] where they hit.
        normals: [n, 3] of the surface there, towards the viewer.
        colour: [n, 3] of the pattern.
        light: [n, 3] which, times the colour, is what the surface sends.
        mirror: [n] the share of light it reflects like a mirror.
        kinds: [n] the kind of material, -1 for none.
    """
    count = len(ways)
    points = np.zeros((count, 3), np.float32)
    normals = np.zeros((count, 3), np.float32)
    colour = np.zeros((count, 3), np.float32)
    light = np.zeros((count, 3), np.float32)
    mirror = np.zeros(count, np.float32)
    kinds = np.full(count, -1, np.int8)
    for i in range(count):
        f = triangle[i]
        if f < 0:
            continue
        a, b, c = triangles[f, 0], triangles[f, 1], triangles[f, 2]
        wb, wc = u[i], v[i]
        wa = np.float32(1.0) - wb - wc
        for k in range(3):
            points[i, k] = starts[i, k] + distance[i] * ways[i, k]
            normals[i, k] = wa * corner_normals[a, k] + wb * corner_normals[b, k] + wc * corner_normals[c, k]
            light[i, k] = wa * baked[a, k] + wb * baked[b, k] + wc * baked[c, k]
        length = np.sqrt(normals[i, 0] ** 2 + normals[i, 1] ** 2 + normals[i, 2] ** 2)
        cosine = normals[i, 0] * ways[i, 0] + normals[i, 1] * ways[i, 1] + normals[i, 2] * ways[i, 2]
        turn = (np.float32(-1.0) if cosine > 0 else np.float32(1.0)) / length
        for k in range(3):
            normals[i, k] *= turn
        cosine = min(np.float32(1.0), abs(cosine) / length)

        m = material[f]
        kinds[i] = kind[m]
        wide = foot * (travelled[i] + distance[i]) / np.sqrt(max(cosine, np.float32(0.1)))
        if kind[m] == PICTURE or kind[m] == SCREEN:
            wide *= _uv_per_metre(vertices[a], vertices[b], uv[f])
        x = wa * uv[f, 0, 0] + wb * uv[f, 1, 0] + wc * uv[f, 2, 0]
        y = wa * uv[f, 0, 1] + wb * uv[f, 1, 1] + wc * uv[f, 2, 1]
        one = colours[m, 0], colours[m, 1], colours[m, 2]
        two = accents[m, 0], accents[m, 1], accents[m, 2]
        found = pattern(kind[m], x, y, wide, one, two, scale[m], emission[m], seed[m])
        colour[i, 0], colour[i, 1], colour[i, 2] = found
        for k in range(3):
            light[i, k] = light[i, k] / np.pi + emission[m] * _GLOW
        if kind[m] == METAL:
            mirror[i] = gloss[m]
        elif kind[m] == GLASS or gloss[m] > 0:
            # Schlick: even dull floors shine where one looks along them. Less than a trace is left out.
            shine = 1.0 if kind[m] == GLASS else gloss[m] ** 1.5
            mirror[i] = max(0.0, shine * (0.04 + 0.96 * (1 - cosine) ** 5) - _TRACE)
    return points, normals, colour, light, mirror, kinds


@compiled
def _uv_per_metre(a: Floats, b: Floats, uv: Floats) -> float:
    length = np.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2 + (b[2] - a[2]) ** 2)
    return np.sqrt((uv[1, 0] - uv[0, 0]) ** 2 + (uv[1, 1] - uv[0, 1]) ** 2) / length
