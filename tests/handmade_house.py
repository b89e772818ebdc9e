"""A small house made by hand: two rooms, a door between them, a window, a few boxes."""

import numpy as np

from helpanna.worlds.houses.layout import (
    House,
    HouseRoom,
    Material,
    Mesh,
    Opening,
    Placed,
    Rect,
    Thing,
)
from helpanna.worlds.houses.scene import Sky, joined_scene

WHITE = Material("paint", (0.7, 0.7, 0.7), (0.7, 0.7, 0.7))
RED = Material("ceramic", (0.7, 0.05, 0.05), (0.7, 0.05, 0.05))
PLANKS = Material("planks", (0.4, 0.25, 0.12), (0.2, 0.1, 0.05), scale=0.14, seed=3)
LIGHT = Material("light", (1.0, 0.9, 0.7), (1.0, 0.9, 0.7), emission=1.0)
NIGHT = Sky(True, (0.0, 0.0, 1.0), (0.0,) * 3, (0.0,) * 3, (0.0,) * 3, (0.0,) * 3, 0)
DAY = Sky(False, (0.0, -0.8, 0.6), (20.0,) * 3, (4.0, 5.0, 7.0), (6.0,) * 3, (1.5,) * 3, 0)


def box(low, high, inside=False):
    """A box as a mesh of 12 triangles that is seen from outside, or from inside."""
    low, high = np.array(low, dtype=float), np.array(high, dtype=float)
    vertices, triangles, uv = [], [], []
    for axis in range(3):
        a, b = (axis + 1) % 3, (axis + 2) % 3
        for end in (0, 1):
            corners = np.tile(low if end == 0 else high, (4, 1))
            corners[:, a] = [low[a], high[a], high[a], low[a]]
            corners[:, b] = [low[b], low[b], high[b], high[b]]
            if (end == 0) != inside:
                corners = corners[::-1]
            first = len(vertices)
            vertices += list(corners)
            for one in ((0, 1, 2), (0, 2, 3)):
                triangles.append([first + i for i in one])
                uv.append(corners[list(one)][:, [a, b]])
    slots = np.zeros(len(triangles), dtype=np.int32)
    return Mesh(
        np.array(vertices, dtype=np.float32),
        np.array(triangles, dtype=np.int32),
        np.array(uv, dtype=np.float32),
        slots,
    )


def room_scene(
    *things, size=(4.0, 3.0, 2.5), lamp=(2.0, 1.5, 1.25), power=1.0, sky=NIGHT, windows=(), walls=WHITE
):
    """A closed room from the origin with things (mesh, material) in it and one lamp."""
    parts = [(box((0, 0, 0), size, inside=True), (walls,))]
    parts += [(mesh, (material,)) for mesh, material in things]
    return joined_scene(
        parts, np.array([lamp]), np.full((1, 3), power), np.array(windows).reshape(-1, 3, 3), sky
    )


def house(things=True):
    """Two rooms side by side, 3 x 3 m each, with a window to the south in the first."""
    rooms = (
        HouseRoom("living room", "living room", 0, Rect(0, 0, 3, 3), 0.0, 2.5),
        HouseRoom("bedroom", "bedroom", 0, Rect(3.14, 0, 6.14, 3), 0.0, 2.5),
    )
    openings = (
        Opening("door", 0, 1, "east", 1.5, 0.9, 0.0, 2.0),
        Opening("window", 0, None, "south", 1.5, 1.2, 0.9, 2.1),
    )
    crate = Thing("crate", box((-0.3, -0.2, 0), (0.3, 0.2, 0.4)), (RED,), (0.6, 0.4, 0.4))
    lamp = Thing(
        "lamp", box((-0.1, -0.1, 0), (0.1, 0.1, 0.2)), (LIGHT,), (0.2, 0.2, 0.2), lamp=(0.0, 0.0, 0.1)
    )
    placed = (
        Placed(crate, 0, (0.5, 2.5, 0.0), 0),
        Placed(crate, 1, (5.5, 0.5, 0.0), 1),
        Placed(lamp, 0, (1.5, 1.5, 2.2), 0),
        Placed(lamp, 1, (4.6, 1.5, 2.2), 0),
    )
    return House(
        name="handmade",
        style="plain",
        rooms=rooms,
        openings=openings,
        stairs=(),
        floors=(PLANKS, PLANKS),
        walls=(WHITE, WHITE),
        ceilings=(WHITE, WHITE),
        trim=WHITE,
        things=placed if things else (),
    )
