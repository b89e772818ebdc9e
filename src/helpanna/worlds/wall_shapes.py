"""The walls, doors, windows and stairs of a storey as shapes in metres, for whoever draws a plan."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from helpanna.worlds.outlines import OpeningOutline, Outline, Rectangle, StairOutline

Point = tuple[float, float]
ShapeKind = Literal["wall", "room", "gap", "glass", "pane", "door", "swing", "tread", "flight", "up"]

AREAS = ("wall", "room", "gap", "glass")
"""The kinds that are filled; the others are lines."""
_SWING_POINTS = 13


@dataclass(frozen=True)
class Shape:
    """One thing to draw, over those before it.

    Attributes:
        kind: wall (what remains of it when the rooms lie on it), room, gap (an opening in a wall), glass and
            its pane, door (the leaf), swing (the curve in which a leaf turns), tread (of stairs), flight
            (their outline), up (an arrow, the way up).
        points: of the area or line; a flight's outline is closed.
        room: the number of a room.
        below: whether stairs are seen from above: they lead down from here.
    """

    kind: ShapeKind
    points: tuple[Point, ...]
    room: int = -1
    below: bool = False


def wall_shapes(outline: Outline, floor: int) -> list[Shape]:
    """What to draw of one storey, the lowest first."""
    rooms = [room for room in outline.rooms if room.floor == floor]
    shapes = [Shape("wall", _corners(_grown(room.rectangle, outline.wall))) for room in rooms]
    shapes += [Shape("room", _corners(room.rectangle), room=room.room) for room in rooms]
    for opening in outline.openings:
        if opening.floor == floor:
            shapes += _opening(opening)
    for stair in outline.stairs:
        if floor in (stair.floor, stair.floor + 1):
            shapes += _stair(stair, below=floor == stair.floor + 1)
    return shapes


def _opening(opening: OpeningOutline) -> Iterator[Shape]:
    yield Shape("glass" if opening.kind == "window" else "gap", _corners(opening.rectangle))
    if opening.kind == "window":
        yield Shape("pane", _along(opening.rectangle))
    elif opening.leaf is not None:
        yield from _leaf(opening.rectangle, opening.leaf)
    elif opening.kind == "door":  # shut, as the front door is, or taken out
        yield Shape("door", _along(opening.rectangle))


def _leaf(hole: Rectangle, leaf: Rectangle) -> Iterator[Shape]:
    """The open leaf, and the quarter circle in which it turns."""
    low, high = np.array(leaf[:2]), np.array(leaf[2:])
    middle, inside = (low + high) / 2, np.array([hole[0] + hole[2], hole[1] + hole[3]]) / 2
    along = int(np.argmax(high - low))
    ends = np.stack([middle, middle])
    ends[:, along] = low[along], high[along]
    hinge, tip = ends if abs(low[along] - inside[along]) < abs(high[along] - inside[along]) else ends[::-1]
    yield Shape("door", _points(ends))
    shut = np.zeros(2)
    shut[1 - along] = np.sign(inside[1 - along] - hinge[1 - along])
    first, last = (float(np.arctan2(*way[::-1])) for way in (tip - hinge, shut))
    turn = (last - first + np.pi) % (2 * np.pi) - np.pi
    angles = first + np.linspace(0, turn, _SWING_POINTS)
    radius = float(np.linalg.norm(tip - hinge))
    yield Shape("swing", _points(hinge + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)))


def _stair(stair: StairOutline, below: bool) -> Iterator[Shape]:
    """A flight by its treads, with an arrow that points up."""
    x0, y0, x1, y1 = stair.rectangle
    upright = stair.towards in ("south", "north")
    for share in np.linspace(0, 1, stair.steps).tolist():
        x, y = x0 + share * (x1 - x0), y0 + share * (y1 - y0)
        yield Shape("tread", ((x0, y), (x1, y)) if upright else ((x, y0), (x, y1)), below=below)
    yield Shape("flight", (*_corners(stair.rectangle), (x0, y0)), below=below)
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    ends = ((x, y0), (x, y1)) if upright else ((x0, y), (x1, y))
    yield Shape("up", ends if stair.towards in ("north", "east") else ends[::-1], below=below)


def _along(rectangle: Rectangle) -> tuple[Point, ...]:
    """The middle line of a rectangle, the long way."""
    x0, y0, x1, y1 = rectangle
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    return ((x0, y), (x1, y)) if x1 - x0 > y1 - y0 else ((x, y0), (x, y1))


def _corners(rectangle: Rectangle) -> tuple[Point, ...]:
    x0, y0, x1, y1 = rectangle
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def _points(array: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in array)


def _grown(rectangle: Rectangle, by: float) -> Rectangle:
    x0, y0, x1, y1 = rectangle
    return x0 - by, y0 - by, x1 + by, y1 + by
