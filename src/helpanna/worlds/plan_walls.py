"""Walls, doors, windows and stairs on a floor plan, drawn exactly where they are."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from helpanna.worlds.outlines import Outline
from helpanna.worlds.plan_rooms import Area, Floats
from helpanna.worlds.wall_shapes import AREAS, wall_shapes

_WALL, _GLASS, _LEAF, _TREAD = "#4A4A4A", "#BFE3F2", "#8A5A2B", "#9A9A9A"
_FILLS = {"wall": _WALL, "gap": "white", "glass": _GLASS}
_LINES = {
    "pane": (_WALL, 0.5),
    "door": (_LEAF, 1.4),
    "swing": (_LEAF, 0.4),
    "tread": (_TREAD, 0.4),
    "flight": (_TREAD, 0.7),
}
"""Colours, and widths in points."""
_CELL = 0.1

WALL_LEGEND = {"color": _WALL, "linewidth": 4.0, "solid_capstyle": "butt"}
DOOR_LEGEND = {"color": _LEAF, "linewidth": 1.4, "solid_capstyle": "butt"}
WINDOW_LEGEND = {"color": _GLASS, "linewidth": 4.0, "solid_capstyle": "butt"}


def outlined_areas(outline: Outline, floor: int) -> dict[int, Area]:
    """The rooms of a storey as areas, for labels."""
    areas = {}
    for room in outline.rooms:
        if room.floor == floor:
            x0, y0, x1, y1 = room.rectangle
            x, y = np.arange(x0, x1, _CELL), np.arange(y0, y1, _CELL)
            areas[room.room] = Area(x, y, np.ones((len(y), len(x))))
    return areas


def wall_points(outline: Outline, floor: int) -> Floats:
    """[., 2] points along the walls of a storey, which labels rather do not cover."""
    corners = np.array([room.rectangle for room in outline.rooms if room.floor == floor]).reshape(-1, 4)
    around = corners[:, [0, 1, 2, 1, 2, 3, 0, 3, 0, 1]].reshape(-1, 5, 2)
    return np.linspace(around[:, :-1], around[:, 1:], 40, axis=2).reshape(-1, 2)


def draw_walls(axes: Any, outline: Outline, floor: int, colours: Sequence[str]) -> None:
    """Draws one storey: rooms in their colours, walls around them, and what is open in these."""
    for shape in wall_shapes(outline, floor):
        x, y = zip(*shape.points, strict=True)
        if shape.kind in AREAS:
            colour = colours[shape.room] if shape.kind == "room" else _FILLS[shape.kind]
            axes.fill(x, y, color=colour, linewidth=0, zorder=1.0 + AREAS.index(shape.kind) / 10)
        elif shape.kind == "up":
            arrow = {"arrowstyle": "-|>", "mutation_scale": 7, "color": _TREAD, "linewidth": 0.7}
            axes.annotate("", shape.points[1], shape.points[0], arrowprops=arrow, zorder=1.6)
        else:
            colour, width = _LINES[shape.kind]
            pale = 0.5 if shape.below else 1.0
            axes.plot(x, y, color=colour, linewidth=width, alpha=pale, zorder=1.5)
