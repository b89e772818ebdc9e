"""Parts that many pieces of furniture have: legs, doors, drawers, shelves."""

from collections.abc import Sequence

from helpanna.worlds.houses.furniture.shapes import Part, Point, bar, box, tube
from helpanna.worlds.houses.furniture.workshop import Top, Wish, top
from helpanna.worlds.houses.layout import Material

BOARD = 0.02
"""Metres a board is thick."""
FRONT = 0.018
"""Metres a door stands out from its carcass."""


def legs(
    material: Material, width: float, depth: float, height: float, thick: float = 0.05,
    splay: float = 0.0, taper: float = 1.0, round_: bool = False,
) -> list[Part]:  # fmt: skip
    """Four legs whose feet stand in the corners of a rectangle; their tops are `splay` further in."""
    x, y = (width - thick) / 2, (depth - thick) / 2
    parts = []
    for sx in (-1, 1):
        for sy in (-1, 1):
            foot = (sx * x, sy * y, 0.0)
            head = (sx * (x - splay), sy * (y - splay), height)
            if round_:
                parts.append(tube(material, [foot, head], [thick * taper / 2, thick / 2], sides=6))
            else:
                parts.append(bar(material, foot, head, thick * taper, thick))
    return parts


def fronts(
    wish: Wish, material: Material, handle: Material, size: tuple[float, float], at: Point,
    columns: int = 1, rows: Sequence[float] = (1.0,), upright: bool = False,
) -> list[Part]:  # fmt: skip
    """Doors or drawers on a face that looks to -y.

    Args:
        wish: its variant decides on the handles.
        material: of the doors.
        handle: of the handles.
        size: width and height of the face.
        at: the middle of its lower edge; doors stand out from there towards -y.
        columns: how many doors side by side.
        rows: the shares of the height, from below.
        upright: whether handles are upright, as on doors, rather than level, as on drawers.
    """
    width, height = size
    gap = 0.004
    parts: list[Part] = []
    z = at[2]
    for share in rows:
        tall = height * share / sum(rows)
        for i in range(columns):
            wide = width / columns
            x = at[0] + (i + 0.5) * wide - width / 2
            parts.append(box(material, (wide - gap, FRONT, tall - gap), (x, at[1] - FRONT / 2, z + gap / 2)))
            # Doors in pairs have their handles side by side.
            side = (1 if i % 2 == 0 else -1) if columns > 1 else 1
            parts += _handle(wish.variant, handle, x, at[1] - FRONT, z, wide, tall, side if upright else 0)
        z += tall
    return parts


def _handle(
    variant: int, material: Material, x: float, y: float, z: float, wide: float, tall: float, side: int
) -> list[Part]:
    """A handle on a front at (x, y, z); `side` says at which edge an upright one is, 0 that it is level."""
    if variant == 1:  # a knob
        x, z = x + side * (wide / 2 - 0.04), z + tall / 2
        return [tube(material, [(x, y, z), (x, y - 0.025, z)], [0.008, 0.016])]
    if side:
        length = min(0.3, 0.4 * tall)
        at = (x + side * (wide / 2 - 0.035), y - 0.011, z + (tall - length) / 2)
        return [box(material, (0.012, 0.022, length), at)]
    if variant == 3:  # a grip along the upper edge
        return [box(material, (wide * 0.9, 0.02, 0.012), (x, y - 0.01, z + tall - 0.02))]
    return [box(material, (min(0.16, 0.5 * wide), 0.022, 0.012), (x, y - 0.011, z + tall * 0.6))]


def shelving(
    material: Material, width: float, depth: float, height: float, levels: int, foot: float = 0.06,
    back: Material | None = None,
) -> tuple[list[Part], list[Top]]:  # fmt: skip
    """Open shelves between two sides, and the surfaces of all of them, the lowest first."""
    board = 0.025
    parts = [
        box(material, (board, depth, height), ((width - board) / 2 * side, 0.0, 0.0)) for side in (-1, 1)
    ]
    inner = width - 2 * board
    parts.append(box(back or material, (inner, 0.012, height - foot), (0.0, depth / 2 - 0.006, foot)))
    step = (height - foot - board) / levels
    tops: list[Top] = []
    for i in range(levels + 1):
        z = foot + i * step
        parts.append(box(material, (inner, depth - 0.016, board), (0.0, -0.008, z)))
        tops.append(top(inner - 0.02, depth - 0.05, z + board, y=-0.01))
    tops[-1] = top(width - 0.04, depth - 0.04, height)
    return parts, tops
