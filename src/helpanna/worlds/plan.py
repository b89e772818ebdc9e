"""The floor plan of a world as a picture: rooms or walls, locations, ways and objects, one panel a floor.

Pictures need matplotlib (the extra `view`), which is imported when one is drawn.
"""

import math
import textwrap
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from helpanna.errors import InputError
from helpanna.files import atomic_file
from helpanna.worlds.outlines import Outline
from helpanna.worlds.plan_floor import FloorPanel
from helpanna.worlds.plan_labels import printable, text_size
from helpanna.worlds.plan_rooms import room_colours
from helpanna.worlds.plan_style import (
    DOWN,
    EDGE,
    INK,
    LOCATION,
    MARK,
    MARKS,
    MUTED,
    NAME_SIZE,
    OBJECT,
    POINTS,
    STAIRS,
    START,
    UP,
    PlanMark,
    PlanPath,
    path_colour,
)
from helpanna.worlds.plan_walls import DOOR_LEGEND, WALL_LEGEND, WINDOW_LEGEND
from helpanna.worlds.world import World

_PNG_DPI = 200

# The page, in inches (more on a large page).
_MARGIN, _TITLE, _HEADER, _GAP, _ROW, _NARROWEST = 0.4, 0.68, 0.3, 0.3, 0.22, 5.2
_BORDER = 1.6  # metres of ground around the outermost marks
_WALL_BORDER = 0.6  # metres of ground around the outermost rooms

Entry = tuple[str, dict[str, Any]]


def draw_plans(
    worlds: Sequence[World],
    out: Path,
    on_progress: Callable[[int, int], None] | None = None,
    outlines: Mapping[str, Outline] | None = None,
) -> list[Path]:
    """Draws one picture a world and returns the files written.

    Args:
        worlds: the worlds.
        out: the picture's file if there is one world. Of more, each has its own beside it, called
            `<stem of out>-<world>.<suffix of out>`.
        on_progress: called with the number of worlds done and of all.
        outlines: by the world's name, where its walls are, of those where it is known.

    Raises:
        InputError: see `draw_plan`.
    """
    files = [out]
    if len(worlds) != 1:
        # Quoting keeps a name with a slash one file's name, and different names different.
        files = [out.with_name(f"{out.stem}-{quote(world.name, safe=' ')}{out.suffix}") for world in worlds]
    for done, (world, file) in enumerate(zip(worlds, files, strict=True), start=1):
        draw_plan(world, file, outline=(outlines or {}).get(world.name))
        if on_progress:
            on_progress(done, len(files))
    return files


def draw_plan(
    world: World,
    path: Path,
    paths: Sequence[PlanPath] = (),
    marks: Sequence[PlanMark] = (),
    outline: Outline | None = None,
) -> None:
    """Draws the floor plan of a world into an SVG or PNG file; the same input gives the same bytes.

    Args:
        world: the building.
        path: the file; its suffix, .svg or .png, says which kind.
        paths: walks to draw over the plan as coloured arrows, each with a label for the legend.
        marks: what to mark at which locations, each with a label for the legend.
        outline: where the walls are; without it a room is drawn as the ground around its locations.

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
        _Plan(world, paths, marks, outline, figure).draw()
        try:
            with atomic_file(path) as temporary:
                figure.savefig(temporary, format=suffix[1:], dpi=_PNG_DPI, metadata=metadata)
        except OSError as error:
            raise InputError(f"{path} cannot be written ({error.strerror}); choose another --out.") from None


class _Plan:
    """One picture in the making. Lengths on the page are in units of `type` inches, on the ground metres."""

    def __init__(
        self,
        world: World,
        paths: Sequence[PlanPath],
        marks: Sequence[PlanMark],
        outline: Outline | None,
        figure: Any,
    ) -> None:
        self.world, self.paths, self.outline, self.figure = world, paths, outline, figure
        self.marks = [mark for mark in marks if len(mark[2])]
        self.name = printable(world.name)
        self.floors = np.unique(world.floors).tolist()
        self.colours = room_colours(world)
        ground = np.concatenate([world.positions, world.object_positions])[:, :2]
        border = _BORDER
        if outline is not None:
            ground = np.array([room.rectangle for room in outline.rooms]).reshape(-1, 2)
            border = _WALL_BORDER
        self.corner = ground.min(axis=0) - border
        self.extent = ground.max(axis=0) + border - self.corner

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
        self.width = max(self.panels, _text_width(self.name, NAME_SIZE, "bold"), _NARROWEST) + 2 * _MARGIN
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

    def _print(self, x: float, y: float, text: str, size: float, colour: str = INK, **style: Any) -> None:
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
        self._print(_MARGIN, top, self.name, NAME_SIZE, weight="bold", va="top")
        self._print(_MARGIN, top - 0.3, line, 8, MUTED, va="top")

    def _legend_entries(self) -> Iterator[Entry]:
        yield "location", LOCATION
        if len(self.world.edges):
            yield "way between locations", EDGE
        if len(self.floors) > 1:
            yield "way to another floor", STAIRS
            yield "leads up", UP
            yield "leads down", DOWN
        if self.world.object_names:
            yield "object", OBJECT
        if self.outline is not None:
            yield from (("wall", WALL_LEGEND), ("door", DOOR_LEGEND), ("window", WINDOW_LEGEND))
        elif np.any(self.world.room_of >= 0):
            yield "room", {**MARK, "marker": "s", "markersize": 8, "color": self.colours[0]}
        for i, (label, _) in enumerate(self.paths):
            yield (
                textwrap.shorten(printable(label), 60),
                {**START, "color": path_colour(i), "linewidth": 1.6},
            )
        for kind, label, _ in self.marks:
            yield textwrap.shorten(printable(label), 60), MARKS[kind]

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
        pen = {"color": INK, "linewidth": self.type}
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
        left = (self.width - self.panels) / 2 + column * (self.panel[0] + _GAP)
        bottom = self.foot + (self.rows - 1 - row) * (self.panel[1] + _HEADER)
        page = np.array([self.width, self.height])
        axes = self.figure.add_axes((*(np.array([left, bottom]) / page), *(self.panel / page)))
        end = self.corner + self.extent
        axes.set(xlim=(self.corner[0], end[0]), ylim=(self.corner[1], end[1]), gid=f"floor-{floor}")
        axes.set_axis_off()
        name = f"floor {floor}" if floor else "ground floor"
        self._print(left, bottom + self.panel[1] + 0.1, name, 9, MUTED, weight="bold")
        if rise := self._rise(floor):
            across = left + _text_width(name, 9, "bold") + 0.05
            self._print(across, bottom + self.panel[1] + 0.1, f"{rise:+.1f} m", 7, MUTED)
        panel = FloorPanel(
            axes, self.world, floor, self.colours, (self.corner, self.extent), self.scale, self.outline
        )
        panel.draw(self.paths, self.marks)

    def _rise(self, floor: int) -> float:
        """How many metres a storey lies above the lowest."""
        height = self.world.positions[:, 2] - self.world.eye_heights
        lowest, here = (np.median(height[self.world.floors == f]) for f in (self.floors[0], floor))
        return round(float(here - lowest), 1)


def _text_width(text: str, size: float, weight: str = "normal") -> float:
    return text_size(text, size, weight)[0] / POINTS
