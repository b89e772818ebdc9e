"""Walls, doors, windows and stairs on a floor plan, drawn exactly where they are."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from helpanna.worlds.outlines import OpeningOutline, Outline, Rectangle, StairOutline
from helpanna.worlds.plan_rooms import Area, Floats

_WALL, _GLASS, _LEAF, _TREAD = "#4A4A4A", "#BFE3F2", "#8A5A2B", "#9A9A9A"
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
    rooms = [room for room in outline.rooms if room.floor == floor]
    for room in rooms:  # walls are what remains of these when the rooms lie on them
        _fill(axes, _grown(room.rectangle, outline.wall), _WALL, 1.0)
    for room in rooms:
        _fill(axes, room.rectangle, colours[room.room], 1.1)
    for opening in outline.openings:
        if opening.floor == floor:
            _draw_opening(axes, opening)
    for stair in outline.stairs:
        if floor in (stair.floor, stair.floor + 1):
            _draw_stair(axes, stair, above=floor == stair.floor + 1)


def _draw_opening(axes: Any, opening: OpeningOutline) -> None:
    x0, y0, x1, y1 = opening.rectangle
    if opening.kind == "window":
        _fill(axes, opening.rectangle, _GLASS, 1.2)
        # A line along the glass.
        pane = ((x0, x1), ((y0 + y1) / 2,) * 2) if x1 - x0 > y1 - y0 else (((x0 + x1) / 2,) * 2, (y0, y1))
        axes.plot(*pane, color=_WALL, linewidth=0.5, zorder=1.3)
        return
    _fill(axes, opening.rectangle, "white", 1.2)
    if opening.leaf is not None:
        _draw_leaf(axes, opening.rectangle, opening.leaf)
    elif opening.kind == "door":  # shut, as the front door is, or taken out: a thin line
        line = ((x0, x1), ((y0 + y1) / 2,) * 2) if x1 - x0 > y1 - y0 else (((x0 + x1) / 2,) * 2, (y0, y1))
        axes.plot(*line, color=_LEAF, linewidth=1.4, zorder=1.4)


def _draw_leaf(axes: Any, hole: Rectangle, leaf: Rectangle) -> None:
    """The open leaf, and the quarter circle in which it turns."""
    from matplotlib.patches import Arc

    low, high = np.array(leaf[:2]), np.array(leaf[2:])
    middle, inside = (low + high) / 2, np.array([hole[0] + hole[2], hole[1] + hole[3]]) / 2
    along = int(np.argmax(high - low))
    ends = np.stack([middle, middle])
    ends[:, along] = low[along], high[along]
    hinge, tip = ends if abs(low[along] - inside[along]) < abs(high[along] - inside[along]) else ends[::-1]
    axes.plot(*ends.T, color=_LEAF, linewidth=1.4, zorder=1.4)
    radius = float(np.linalg.norm(tip - hinge))
    shut = np.zeros(2)
    shut[1 - along] = np.sign(inside[1 - along] - hinge[1 - along])
    angles = sorted(float(np.degrees(np.arctan2(*way[::-1]))) for way in (tip - hinge, shut))
    first, last = angles if angles[1] - angles[0] <= 180 else (angles[1], angles[0] + 360)
    arc = Arc(hinge, 2 * radius, 2 * radius, theta1=first, theta2=last, color=_LEAF, linewidth=0.4)
    arc.set_zorder(1.4)
    axes.add_patch(arc)


def _draw_stair(axes: Any, stair: StairOutline, above: bool) -> None:
    """A flight by its treads, pale where one looks down on it, with an arrow that points up."""
    x0, y0, x1, y1 = stair.rectangle
    upright = stair.towards in ("south", "north")
    pen = {"color": _TREAD, "linewidth": 0.4, "alpha": 0.5 if above else 1.0, "zorder": 1.5}
    for share in np.linspace(0, 1, stair.steps):
        if upright:
            axes.plot((x0, x1), (y0 + share * (y1 - y0),) * 2, **pen)
        else:
            axes.plot((x0 + share * (x1 - x0),) * 2, (y0, y1), **pen)
    axes.plot((x0, x1, x1, x0, x0), (y0, y0, y1, y1, y0), **{**pen, "linewidth": 0.7})
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    start, end = {
        "north": ((x, y0), (x, y1)),
        "south": ((x, y1), (x, y0)),
        "east": ((x0, y), (x1, y)),
        "west": ((x1, y), (x0, y)),
    }[stair.towards]
    arrow = {"arrowstyle": "-|>", "mutation_scale": 7, "color": _TREAD, "linewidth": 0.7}
    axes.annotate("", end, start, arrowprops=arrow, zorder=1.6)


def _grown(rectangle: Rectangle, by: float) -> Rectangle:
    x0, y0, x1, y1 = rectangle
    return x0 - by, y0 - by, x1 + by, y1 + by


def _fill(axes: Any, rectangle: Rectangle, colour: str, zorder: float) -> None:
    x0, y0, x1, y1 = rectangle
    axes.fill((x0, x1, x1, x0), (y0, y0, y1, y1), color=colour, linewidth=0, zorder=zorder)
