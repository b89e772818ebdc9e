"""One storey of a floor plan: rooms or walls, ways, objects, walks, and their labels."""

import textwrap
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.worlds.outlines import Outline
from helpanna.worlds.plan_labels import (
    Box,
    Floats,
    LabelSpace,
    boxes_around,
    boxes_beside,
    printable,
    text_size,
)
from helpanna.worlds.plan_rooms import NO_ROOM_COLOUR, Area, points_along, room_areas
from helpanna.worlds.plan_style import (
    DOWN,
    EDGE,
    INK,
    KIND_SIZE,
    LOCATION,
    MARKS,
    OBJECT,
    OBJECT_INK,
    OBJECT_SIZE,
    POINTS,
    STAIRS,
    START,
    UP,
    PlanMark,
    PlanPath,
    path_colour,
)
from helpanna.worlds.plan_walls import draw_walls, outlined_areas, wall_points
from helpanna.worlds.world import World


class FloorPanel:
    """The panel of one storey in the making.

    Args:
        axes: matplotlib's; its limits are metres on the ground.
        world: the building.
        floor: the storey.
        colours: of the rooms.
        ground: the panel's lower left corner [2] and its extent [2] in metres.
        scale: inches a metre.
        outline: where the walls are, if that is known.
    """

    def __init__(
        self,
        axes: Any,
        world: World,
        floor: int,
        colours: Sequence[str],
        ground: tuple[Floats, Floats],
        scale: float,
        outline: Outline | None,
    ) -> None:
        self.axes, self.world, self.floor, self.colours = axes, world, floor, colours
        (self.corner, self.extent), self.scale, self.outline = ground, scale, outline

    def draw(self, paths: Sequence[PlanPath], marks: Sequence[PlanMark]) -> None:
        """Draws all of it."""
        world, axes = self.world, self.axes
        here = np.flatnonzero(world.floors == self.floor)
        objects = np.flatnonzero(world.floors[world.delegates] == self.floor)
        if self.outline is None:
            areas = room_areas(world, self.floor, self.corner, self.corner + self.extent)
            self._draw_rooms(areas)
        else:
            areas = outlined_areas(self.outline, self.floor)
            draw_walls(axes, self.outline, self.floor, self.colours)
        walls = np.zeros((0, 2)) if self.outline is None else wall_points(self.outline, self.floor)
        lines = self._draw_edges()
        places = [world.positions[here, :2], world.object_positions[objects, :2]]
        axes.plot(*places[0].T, **LOCATION, zorder=4)
        axes.plot(*places[1].T, **OBJECT, zorder=4)
        places += [lines[:, 0], lines[:, -1], *self._draw_paths(paths, marks)]
        space = LabelSpace(
            size=self.extent * self.scale * POINTS,
            marks=self._to_points(np.concatenate(places)),
            lines=self._to_points(np.concatenate([lines.reshape(-1, 2), walls])),
        )
        self._label_rooms(areas, space)
        self._label_objects(objects, space)

    def _to_points(self, ground: Floats) -> Floats:
        """Points (1/72 inch) from the panel's lower left corner."""
        return (ground - self.corner) * self.scale * POINTS

    def _draw_rooms(self, areas: dict[int, Area]) -> None:
        for room, area in areas.items():
            colour = self.colours[room] if room >= 0 else NO_ROOM_COLOUR
            shape = self.axes.contourf(area.x, area.y, area.cover, levels=[0.5, 2], colors=[colour], zorder=1)
            shape.set(edgecolor="white", linewidth=1.6)

    def _draw_edges(self) -> Floats:
        """Draws the edges that touch this floor; returns points [., s, 2] along each."""
        world, axes, floor = self.world, self.axes, self.floor
        on = world.floors[world.edges] == floor
        touching = on.any(axis=1)
        ends, level = world.positions[world.edges[touching], :2], on[touching].all(axis=1)
        axes.plot(*_joined(ends[level]), **EDGE, zorder=2)
        axes.plot(*_joined(ends[~level]), **STAIRS, zorder=3)
        beyond = np.unique(world.edges[touching][~on[touching]])
        for style, there in ((UP, world.floors[beyond] > floor), (DOWN, world.floors[beyond] < floor)):
            axes.plot(*world.positions[beyond[there], :2].T, **style, zorder=4)
        return points_along(ends[:, 0], ends[:, 1])

    def _draw_paths(self, paths: Sequence[PlanPath], marks: Sequence[PlanMark]) -> list[Floats]:
        """Draws the walks' steps that touch this floor, and the marks; returns points along them."""
        world, axes, floor = self.world, self.axes, self.floor
        covered = []
        for i, (_, walk) in enumerate(paths):
            pen = {"color": path_colour(i), "linewidth": 1.6}
            for start in walk[:1]:
                if world.floors[start] == floor:
                    axes.plot(*world.positions[start, :2], **START, **pen, zorder=9)  # a ring: hides no mark
            for step in pairwise(walk):
                a, b = world.positions[list(step), :2]
                length = float(np.linalg.norm(b - a))
                on = world.floors[list(step)] == floor
                if length == 0 or not on.any():
                    continue
                covered.append(points_along(a[None], b[None])[0])
                # A walk keeps to the right in a lane of its own: it hides no other, nor its own way back.
                right = np.array([b[1] - a[1], a[0] - b[0]]) / length
                lane = right * (1.2 + 2.2 * i) / (self.scale * POINTS)
                arrow = {"arrowstyle": "-|>", "mutation_scale": 9, "shrinkA": 2, "shrinkB": 2, **pen}
                arrow["linestyle"] = "-" if on.all() else (0, (3, 2))
                axes.annotate("", b + lane, a + lane, arrowprops=arrow, zorder=5)
        for kind, _, places in marks:
            here = [v for v in places if world.floors[v] == floor]
            axes.plot(*world.positions[here, :2].T, **MARKS[kind], zorder=6 + list(MARKS).index(kind))
            covered.append(world.positions[here, :2])
        return covered

    def _label_rooms(self, areas: dict[int, Area], space: LabelSpace) -> None:
        """Writes what each room is for, as near to its middle as its locations and objects allow."""
        for room, area in areas.items():
            if room < 0 or not self.world.rooms[room].kind:
                continue
            text = textwrap.fill(printable(self.world.rooms[room].kind), 14)
            ground = area.places
            near = np.linalg.norm(ground - ground.mean(axis=0), axis=1).argsort(kind="stable")
            centres = self._to_points(ground[near[:: max(1, len(near) // 400)]])
            boxes = boxes_around(centres, text_size(text, KIND_SIZE, "bold"))
            if self.outline is not None:  # between the room's own walls, if it fits there
                low, high = self._to_points(ground.min(axis=0)), self._to_points(ground.max(axis=0))
                boxes = [b for b in boxes if np.all(low <= b[:2]) and np.all(high >= b[2:])] or boxes
            box = space.place(boxes) or boxes[0]
            self._write(text, box, fontsize=KIND_SIZE, weight="bold", color=INK)

    def _label_objects(self, objects: NDArray[np.int64], space: LabelSpace) -> None:
        """Names one object of each type a room, the building's rarest types first, where there is space."""
        world = self.world
        how_many = Counter(world.object_types)
        one: dict[tuple[int, str], int] = {}
        for o in objects.tolist():
            one.setdefault((int(world.room_of[world.delegates[o]]), world.object_types[o]), o)
        for o in sorted(one.values(), key=lambda o: (how_many[world.object_types[o]], o)):
            text = printable(world.object_types[o])
            mark = self._to_points(world.object_positions[o, :2])
            box = space.place(boxes_beside(mark, text_size(text, OBJECT_SIZE)))
            if box:
                self._write(text, box, fontsize=OBJECT_SIZE, color=OBJECT_INK)

    def _write(self, text: str, box: Box, **style: Any) -> None:
        middle = np.array([box[0] + box[2], box[1] + box[3]]) / 2 / (self.scale * POINTS) + self.corner
        self.axes.text(*middle, text, ha="center", va="center", zorder=6, **style)


def _joined(ends: Floats) -> Floats:
    """Segments [., 2, 2] as the x and y of one broken line, which draws them all at once."""
    gaps = np.full((len(ends), 1, 2), np.nan)
    return np.concatenate([ends, gaps], axis=1).reshape(-1, 2).T
