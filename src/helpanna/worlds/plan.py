"""The floor plan of a world as a picture: rooms, locations, edges and objects, one panel a floor.

Pictures need matplotlib (the extra `view`), which is imported when one is drawn.
"""

import math
import textwrap
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.files import atomic_file
from helpanna.worlds.plan_labels import (
    Box,
    Floats,
    LabelSpace,
    boxes_around,
    boxes_beside,
    printable,
    text_size,
)
from helpanna.worlds.plan_rooms import NO_ROOM_COLOUR, Area, points_along, room_areas, room_colours
from helpanna.worlds.world import World

PlanPath = tuple[str, Sequence[int]]
"""A label, and the locations (indices of the world) of a walk."""
PlanMark = tuple[Literal["goal", "request", "end"], str, Sequence[int]]
"""What kind of mark, a label, and the locations that it stands at."""

_PNG_DPI = 200
_POINTS = 72  # in an inch

# The page, in inches (more on a large page).
_MARGIN, _TITLE, _HEADER, _GAP, _ROW, _NARROWEST = 0.4, 0.68, 0.3, 0.3, 0.22, 5.2
_BORDER = 1.6  # metres of ground around the outermost marks
# Paul Tol's "bright" scheme, which colour-blind people can tell apart.
_PATH_COLOURS = ("#4477AA", "#EE6677", "#228833", "#AA3377", "#CCBB44", "#66CCEE")
_INK, _MUTED, _OBJECT_INK = "#222222", "#777777", "#7A2E16"
_NAME_SIZE, _KIND_SIZE, _OBJECT_SIZE = 13.0, 7.0, 5.0  # points

# What the legend shows, in the style it has on the plan.
_MARK = {"linestyle": "none", "markeredgewidth": 0}
_LOCATION = {**_MARK, "marker": "o", "markersize": 3.2, "color": "#3A3A3A"}
_OBJECT = {**_MARK, "marker": "D", "markersize": 2.6, "color": "#C8502B"}
_EDGE = {"color": "#A6A6A6", "linewidth": 0.6}
_STAIRS = {"color": "#5A5A5A", "linewidth": 0.8, "dashes": (3, 2)}
_UP = {**_MARK, "marker": "^", "markersize": 5, "color": "#5A5A5A"}
_DOWN = {**_UP, "marker": "v"}
_START = {"marker": "o", "markersize": 7, "markerfacecolor": "none", "markeredgewidth": 1.6, "markevery": [0]}
_OUTLINED = {"linestyle": "none", "markeredgecolor": "white", "markeredgewidth": 0.8}
_MARKS = {
    "goal": {**_OUTLINED, "marker": "*", "markersize": 15, "color": "#DDAA33"},
    "request": {**_OUTLINED, "marker": "P", "markersize": 9, "color": "#AA3377"},
    "end": {**_OUTLINED, "marker": "X", "markersize": 9, "color": "#BB2222"},
}

Entry = tuple[str, dict[str, Any]]


def draw_plans(
    worlds: Sequence[World], out: Path, on_progress: Callable[[int, int], None] | None = None
) -> list[Path]:
    """Draws one picture a world and returns the files written.

    Args:
        worlds: the worlds.
        out: the picture's file if there is one world. Of more, each has its own beside it, called
            `<stem of out>-<world>.<suffix of out>`.
        on_progress: called with the number of worlds done and of all.

    Raises:
        InputError: see `draw_plan`.
    """
    files = [out]
    if len(worlds) != 1:
        # Quoting keeps a name with a slash one file's name, and different names different.
        files = [out.with_name(f"{out.stem}-{quote(world.name, safe=' ')}{out.suffix}") for world in worlds]
    for done, (world, file) in enumerate(zip(worlds, files, strict=True), start=1):
        draw_plan(world, file)
        if on_progress:
            on_progress(done, len(files))
    return files


def draw_plan(
    world: World, path: Path, paths: Sequence[PlanPath] = (), marks: Sequence[PlanMark] = ()
) -> None:
    """Draws the floor plan of a world into an SVG or PNG file; the same input gives the same bytes.

    Args:
        world: the building.
        path: the file; its suffix, .svg or .png, says which kind.
        paths: walks to draw over the plan as coloured arrows, each with a label for the legend.
        marks: what to mark at which locations, each with a label for the legend.

    Raises:
        InputError: the suffix is neither, matplotlib is missing, a walk leaves the world, or the file cannot
            be written.
    """
    suffix = path.suffix.lower()
    if suffix not in (".svg", ".png"):
        raise InputError(f"--out {path} must end in .svg or .png, the kinds of picture a plan can be.")
    for label, walk in (*paths, *((label, places) for _, label, places in marks)):
        if not all(0 <= location < world.location_count for location in walk):
            raise InputError(f"path {label!r} names a location that world {world.name} has not; correct it.")
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        need = 'a floor plan needs matplotlib; install it with pip install "helpanna[view]".'
        raise InputError(need) from None

    # A user's own settings do not count; the salt makes the ids in an SVG the same each time.
    style: dict[Any, Any] = {
        "svg.hashsalt": "helpanna",
        "font.family": "DejaVu Sans",
        "text.parse_math": False,
    }
    metadata: dict[str, str | None] = {"Title": f"Floor plan of {printable(world.name)}"}
    if suffix == ".svg":
        metadata["Date"] = None
    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # a letter the font lacks shows as a box
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(style)
        figure = Figure()
        _Plan(world, paths, marks, figure).draw()
        try:
            with atomic_file(path) as temporary:
                figure.savefig(temporary, format=suffix[1:], dpi=_PNG_DPI, metadata=metadata)
        except OSError as error:
            raise InputError(f"{path} cannot be written ({error.strerror}); choose another --out.") from None


class _Plan:
    """One picture in the making. Lengths on the page are in units of `type` inches, on the ground metres."""

    def __init__(
        self, world: World, paths: Sequence[PlanPath], marks: Sequence[PlanMark], figure: Any
    ) -> None:
        self.world, self.paths, self.figure = world, paths, figure
        self.marks = [mark for mark in marks if len(mark[2])]
        self.name = printable(world.name)
        self.floors = np.unique(world.floors).tolist()
        self.colours = room_colours(world)
        ground = np.concatenate([world.positions, world.object_positions])[:, :2]
        self.corner = ground.min(axis=0) - _BORDER
        self.extent = ground.max(axis=0) + _BORDER - self.corner

        # All panels show the same ground, so that floors can be compared; the number of columns is the one
        # that brings the page closest to the shape of a screen.
        x, y = self.extent
        count = len(self.floors)
        rows = {columns: math.ceil(count / columns) for columns in range(1, count + 1)}
        self.columns = min(rows, key=lambda columns: abs(math.log(columns * x / (rows[columns] * y) / 1.4)))
        self.rows = rows[self.columns]
        # Small buildings are drawn larger; large ones on a larger page with larger type.
        longest = max(self.columns * x, self.rows * y)
        self.scale = min(float(np.clip(9 / longest, 0.34, 0.6)), 40 / longest)  # inches a metre
        self.type = float(np.clip(self.columns * x * self.scale / 11, 1, 2))
        self.panel = self.extent * self.scale / self.type
        self.panels = self.columns * (self.panel[0] + _GAP) - _GAP
        self.width = max(self.panels, _text_width(self.name, _NAME_SIZE, "bold"), _NARROWEST) + 2 * _MARGIN
        self.legend = list(self._flow(self._legend_entries()))
        self.foot = (self.legend[-1][2] + 2.5) * _ROW + _MARGIN
        self.height = self.rows * (self.panel[1] + _HEADER) + self.foot + _TITLE + _MARGIN

        figure.set_size_inches(self.width * self.type, self.height * self.type)
        self.page = figure.add_axes((0, 0, 1, 1), xlim=(0, self.width), ylim=(0, self.height))
        self.page.set_axis_off()

    def draw(self) -> None:
        self._draw_title()
        for place, floor in enumerate(self.floors):
            self._draw_floor(floor, *divmod(place, self.columns))
        self._draw_foot()

    def _print(self, x: float, y: float, text: str, size: float, colour: str = _INK, **style: Any) -> None:
        style = {"va": "center_baseline", **style}
        self.page.text(x, y, text, fontsize=size * self.type, color=colour, **style)

    def _draw_title(self) -> None:
        world, top = self.world, self.height - _MARGIN
        counts = {
            "location": world.location_count,
            "room": len(world.rooms),
            "object": len(world.object_names),
            "floor": len(self.floors),
        }
        line = "  ·  ".join(f"{count} {noun}{'s' * (count != 1)}" for noun, count in counts.items())
        self._print(_MARGIN, top, self.name, _NAME_SIZE, weight="bold", va="top")
        self._print(_MARGIN, top - 0.3, line, 8, _MUTED, va="top")

    def _legend_entries(self) -> Iterator[Entry]:
        yield "location", _LOCATION
        if len(self.world.edges):
            yield "way between locations", _EDGE
        if len(self.floors) > 1:
            yield "way to another floor", _STAIRS
            yield "leads up", _UP
            yield "leads down", _DOWN
        if self.world.object_names:
            yield "object", _OBJECT
        if np.any(self.world.room_of >= 0):
            yield "room", {**_MARK, "marker": "s", "markersize": 8, "color": self.colours[0]}
        for i, (label, _) in enumerate(self.paths):
            yield (
                textwrap.shorten(printable(label), 60),
                {**_START, "color": _path_colour(i), "linewidth": 1.6},
            )
        for kind, label, _ in self.marks:
            yield textwrap.shorten(printable(label), 60), _MARKS[kind]

    def _flow(self, entries: Iterator[Entry]) -> Iterator[tuple[str, dict[str, Any], int, float]]:
        """Sets the legend's entries in rows as wide as the page: each with its row and left edge."""
        row, x = 0, _MARGIN
        for label, style in entries:
            wide = 0.36 + _text_width(label, 7)
            if x > _MARGIN and x + wide > self.width - _MARGIN:
                row, x = row + 1, _MARGIN
            yield label, style, row, x
            x += wide + 0.2

    def _draw_foot(self) -> None:
        page, y = self.page, self.foot - _ROW
        metre = self.scale / self.type
        metres = max(m for m in (1, 2, 5, 10, 20) if m == 1 or m * metre <= 1.8)
        end = _MARGIN + metres * metre
        ends, tick = np.array([_MARGIN, end]), np.array([y + 0.04, y - 0.04])
        pen = {"color": _INK, "linewidth": self.type}
        page.plot(np.repeat(ends, 3), [*tick, y, y, *tick], **pen)
        self._print(end + 0.08, y, f"{metres} m", 7)
        north = end + 0.75
        arrow = {"arrowstyle": "-|>", "mutation_scale": 8 * self.type, "shrinkA": 0, "shrinkB": 0, **pen}
        page.annotate("", (north, y + 0.13), (north, y - 0.13), arrowprops=arrow)
        self._print(north + 0.1, y, "north (heading 0°)", 7)

        larger = ("markersize", "linewidth")
        for label, style, row, left in self.legend:
            y = self.foot - (row + 2.4) * _ROW
            across = [left + 0.13] if style.get("linestyle") == "none" else [left, left + 0.26]
            scaled = {key: value * self.type if key in larger else value for key, value in style.items()}
            page.plot(across, [y] * len(across), **scaled)
            self._print(left + 0.36, y, label, 7)

    def _draw_floor(self, floor: int, row: int, column: int) -> None:
        world = self.world
        left = (self.width - self.panels) / 2 + column * (self.panel[0] + _GAP)
        bottom = self.foot + (self.rows - 1 - row) * (self.panel[1] + _HEADER)
        page = np.array([self.width, self.height])
        axes = self.figure.add_axes((*(np.array([left, bottom]) / page), *(self.panel / page)))
        axes.set(xlim=self._span(0), ylim=self._span(1), gid=f"floor-{floor}")
        axes.set_axis_off()
        name = f"floor {floor}" if floor else "ground floor"
        self._print(left, bottom + self.panel[1] + 0.1, name, 9, _MUTED, weight="bold")

        here = np.flatnonzero(world.floors == floor)
        objects = np.flatnonzero(world.floors[world.delegates] == floor)
        areas = room_areas(world, floor, self.corner, self.corner + self.extent)
        self._draw_rooms(axes, areas)
        lines = self._draw_edges(axes, floor)
        marks = [world.positions[here, :2], world.object_positions[objects, :2]]
        axes.plot(*marks[0].T, **_LOCATION, zorder=4)
        axes.plot(*marks[1].T, **_OBJECT, zorder=4)
        marks += [lines[:, 0], lines[:, -1], *self._draw_paths(axes, floor)]
        space = LabelSpace(
            size=self.extent * self.scale * _POINTS,
            marks=self._to_points(np.concatenate(marks)),
            lines=self._to_points(lines.reshape(-1, 2)),
        )
        self._label_rooms(axes, areas, space)
        self._label_objects(axes, objects, space)

    def _span(self, axis: int) -> tuple[float, float]:
        return self.corner[axis], self.corner[axis] + self.extent[axis]

    def _to_points(self, ground: Floats) -> Floats:
        """Points (1/72 inch) from the panel's lower left corner."""
        return (ground - self.corner) * self.scale * _POINTS

    def _draw_rooms(self, axes: Any, areas: dict[int, Area]) -> None:
        for room, area in areas.items():
            colour = self.colours[room] if room >= 0 else NO_ROOM_COLOUR
            shape = axes.contourf(area.x, area.y, area.cover, levels=[0.5, 2], colors=[colour], zorder=1)
            shape.set(edgecolor="white", linewidth=1.6)

    def _draw_edges(self, axes: Any, floor: int) -> Floats:
        """Draws the edges that touch this floor; returns points [., s, 2] along each."""
        world = self.world
        on = world.floors[world.edges] == floor
        touching = on.any(axis=1)
        ends, level = world.positions[world.edges[touching], :2], on[touching].all(axis=1)
        axes.plot(*_joined(ends[level]), **_EDGE, zorder=2)
        axes.plot(*_joined(ends[~level]), **_STAIRS, zorder=3)
        beyond = np.unique(world.edges[touching][~on[touching]])
        for style, there in ((_UP, world.floors[beyond] > floor), (_DOWN, world.floors[beyond] < floor)):
            axes.plot(*world.positions[beyond[there], :2].T, **style, zorder=4)
        return points_along(ends[:, 0], ends[:, 1])

    def _draw_paths(self, axes: Any, floor: int) -> list[Floats]:
        """Draws the walks' steps that touch this floor, and the marks; returns points along them."""
        world, covered = self.world, []
        for i, (_, walk) in enumerate(self.paths):
            pen = {"color": _path_colour(i), "linewidth": 1.6}
            for start in walk[:1]:
                if world.floors[start] == floor:
                    axes.plot(*world.positions[start, :2], **_START, **pen, zorder=9)  # a ring: hides no mark
            for step in pairwise(walk):
                a, b = world.positions[list(step), :2]
                length = float(np.linalg.norm(b - a))
                on = world.floors[list(step)] == floor
                if length == 0 or not on.any():
                    continue
                covered.append(points_along(a[None], b[None])[0])
                # A walk keeps to the right in a lane of its own: it hides no other, nor its own way back.
                right = np.array([b[1] - a[1], a[0] - b[0]]) / length
                lane = right * (1.2 + 2.2 * i) / (self.scale * _POINTS)
                arrow = {"arrowstyle": "-|>", "mutation_scale": 9, "shrinkA": 2, "shrinkB": 2, **pen}
                arrow["linestyle"] = "-" if on.all() else (0, (3, 2))
                axes.annotate("", b + lane, a + lane, arrowprops=arrow, zorder=5)
        for kind, _, places in self.marks:
            here = [v for v in places if world.floors[v] == floor]
            axes.plot(*world.positions[here, :2].T, **_MARKS[kind], zorder=6 + list(_MARKS).index(kind))
            covered.append(world.positions[here, :2])
        return covered

    def _label_rooms(self, axes: Any, areas: dict[int, Area], space: LabelSpace) -> None:
        """Writes what each room is for, as near to its middle as its locations and objects allow."""
        for room, area in areas.items():
            if room < 0 or not self.world.rooms[room].kind:
                continue
            text = textwrap.fill(printable(self.world.rooms[room].kind), 14)
            ground = area.places
            near = np.linalg.norm(ground - ground.mean(axis=0), axis=1).argsort(kind="stable")
            centres = self._to_points(ground[near[:: max(1, len(near) // 400)]])
            boxes = boxes_around(centres, text_size(text, _KIND_SIZE, "bold"))
            box = space.place(boxes) or boxes[0]
            self._write(axes, text, box, fontsize=_KIND_SIZE, weight="bold", color=_INK)

    def _label_objects(self, axes: Any, objects: NDArray[np.int64], space: LabelSpace) -> None:
        """Names one object of each type a room, the building's rarest types first, where there is space."""
        world = self.world
        how_many = Counter(world.object_types)
        one: dict[tuple[int, str], int] = {}
        for o in objects.tolist():
            one.setdefault((int(world.room_of[world.delegates[o]]), world.object_types[o]), o)
        for o in sorted(one.values(), key=lambda o: (how_many[world.object_types[o]], o)):
            text = printable(world.object_types[o])
            mark = self._to_points(world.object_positions[o, :2])
            box = space.place(boxes_beside(mark, text_size(text, _OBJECT_SIZE)))
            if box:
                self._write(axes, text, box, fontsize=_OBJECT_SIZE, color=_OBJECT_INK)

    def _write(self, axes: Any, text: str, box: Box, **style: Any) -> None:
        middle = np.array([box[0] + box[2], box[1] + box[3]]) / 2 / (self.scale * _POINTS) + self.corner
        axes.text(*middle, text, ha="center", va="center", zorder=6, **style)


def _joined(ends: Floats) -> Floats:
    """Segments [., 2, 2] as the x and y of one broken line, which draws them all at once."""
    gaps = np.full((len(ends), 1, 2), np.nan)
    return np.concatenate([ends, gaps], axis=1).reshape(-1, 2).T


def _path_colour(i: int) -> str:
    return _PATH_COLOURS[i % len(_PATH_COLOURS)]


def _text_width(text: str, size: float, weight: str = "normal") -> float:
    return text_size(text, size, weight)[0] / _POINTS
