"""The building as triangles: room shells, tunnels between them, windows, doors, trim and stairs.

Each room is a closed shell of surfaces that face it, with holes where openings are; each opening is a tunnel
from shell to shell. From inside, no ray gets out except through a window.
"""

from dataclasses import replace
from typing import Literal

from helpanna.worlds.houses.doors import door_leaves
from helpanna.worlds.houses.layout import WALL, House, Material, Mesh, Opening, Rect, Side
from helpanna.worlds.houses.openings import SIDES, along, inwards, sides_of, wall_at, without
from helpanna.worlds.houses.sheets import Sheets, Span
from helpanna.worlds.houses.staircase import add_stair

OUTER = 0.26
"""Metres of an outer wall's thickness."""
_DOOR_DEPTH = 0.1  # of the front door behind the inner wall
_SKIRTING = (0.08, 0.012)  # height, thickness
_CASING = (0.07, 0.014)  # of the boards around openings: width, thickness
_FRAME = (0.05, 0.16, 0.21)  # of windows: width, and where it begins and ends behind the inner wall

_PANELLED = frozenset({"classic", "farmhouse", "mediterranean", "coastal"})
"""Styles with panelled doors and windows of many panes."""


def shell_mesh(house: House) -> tuple[Mesh, tuple[Material, ...]]:
    """The triangles of the building without its things, and the material of each slot.

    Normals point to where people are; texture coordinates are metres.
    """
    builder = _Shell(house)
    for i in range(len(house.rooms)):
        builder.room(i)
    for opening, leaf in zip(house.openings, door_leaves(house), strict=True):
        builder.opening(opening, leaf)
    for stair in house.stairs:
        add_stair(builder.sheets, house, stair, builder.floors, builder.walls, builder.trim)
    return builder.sheets.mesh(), builder.materials


class _Shell:
    def __init__(self, house: House):
        self.house, self.sheets = house, Sheets()
        metal = Material("metal", (0.55, 0.53, 0.5), (0.4, 0.4, 0.4), 0.2, 0.7)
        leaf = replace(house.trim, seed=house.trim.seed + 1)
        wood = Material("wood", (0.2, 0.1, 0.045), (0.12, 0.06, 0.03), 0.5, 0.3, seed=house.trim.seed)
        count = len(house.rooms)
        self.materials = (*house.floors, *house.walls, *house.ceilings, house.trim, leaf, wood, metal)
        self.floors, self.walls, self.ceilings = 0, count, 2 * count
        self.trim, self.leaf, self.wood, self.metal = range(3 * count, 3 * count + 4)
        self.panelled = house.style in _PANELLED

    def room(self, i: int) -> None:
        """Floor, ceiling, four walls and skirting of one room."""
        room, sheets = self.house.rooms[i], self.sheets
        r, top = room.rect, round(room.z + room.height, 3)
        stairs = self.house.stairs
        wells = [((s.rect.x0, s.rect.x1), (s.rect.y0, s.rect.y1)) for s in stairs if s.upper == i]
        sheets.sheet(2, room.z, (r.x0, r.x1), (r.y0, r.y1), 1, self.floors + i, wells)
        wells = [((s.rect.x0, s.rect.x1), (s.rect.y0, s.rect.y1)) for s in stairs if s.lower == i]
        sheets.sheet(2, top, (r.x0, r.x1), (r.y0, r.y1), -1, self.ceilings + i, wells)
        for side in SIDES:
            openings = [o for o in self.house.openings if (i, side) in sides_of(o)]
            holes = [(_span(o), (room.z + o.low, room.z + o.high)) for o in openings]
            axis = 0 if side in ("west", "east") else 1
            at, stretch = wall_at(r, side), along(r, side)
            sheets.sheet(axis, at, stretch, (room.z, top), inwards(side), self.walls + i, holes)
            gaps = [(a - _CASING[0], b + _CASING[0]) for o in openings if o.low == 0 for a, b in [_span(o)]]
            flights = [s.rect for s in stairs if i in (s.lower, s.upper)]
            gaps += [along(flight, side) for flight in flights if _touches(flight, r, side)]
            tall, thick = _SKIRTING
            if axis == 1:  # the walls across x keep the corners
                stretch = stretch[0] + thick, stretch[1] - thick
            for low, high in without([stretch], gaps):
                self._on_wall(r, side, (low, high), (room.z, room.z + tall), thick, self.trim)

    def opening(self, opening: Opening, leaf: Rect | None) -> None:
        """The tunnel of an opening, its casing, and what fills it."""
        room = self.house.rooms[opening.room]
        depth = WALL if opening.other is not None else OUTER if opening.kind == "window" else _DOOR_DEPTH
        self._tunnel(opening, depth)
        for i, side in sides_of(opening):
            self._casing(self.house.rooms[i].rect, side, opening, room.z)
        if opening.kind == "window":
            self._window(opening)
        elif opening.other is None:
            self._front_door(opening)
        elif leaf:
            self._leaf(opening, leaf)

    def _tunnel(self, opening: Opening, depth: float) -> None:
        room = self.house.rooms[opening.room]
        axis = 0 if opening.side in ("west", "east") else 1
        across = self._behind(opening, 0.0, depth)
        low, high = _span(opening)
        z = room.z + opening.low, room.z + opening.high
        jamb = self.walls + opening.room if opening.kind == "window" else self.trim
        sill = self.trim if opening.kind == "window" else self.floors + opening.room
        for at, facing in ((low, 1), (high, -1)):
            self.sheets.rectangle(1 - axis, at, across, z, facing, jamb)
        u, v = (across, (low, high)) if axis == 0 else ((low, high), across)
        self.sheets.rectangle(2, z[0], u, v, 1, sill)
        self.sheets.rectangle(2, z[1], u, v, -1, jamb)

    def _casing(self, rect: Rect, side: Side, opening: Opening, floor: float) -> None:
        """Boards around an opening, on the wall of one room."""
        low, high = _span(opening)
        wide, thick = _CASING
        z = floor + opening.low, floor + opening.high
        bottom = z[0] - wide if opening.kind == "window" else z[0]
        self._on_wall(rect, side, (low - wide, low), (bottom, z[1] + wide), thick, self.trim)
        self._on_wall(rect, side, (high, high + wide), (bottom, z[1] + wide), thick, self.trim)
        self._on_wall(rect, side, (low, high), (z[1], z[1] + wide), thick, self.trim)
        if opening.kind == "window":
            self._on_wall(rect, side, (low, high), (bottom, z[0]), 2 * thick, self.trim)

    def _window(self, opening: Opening) -> None:
        """Frame and glazing bars; there is no glass."""
        floor = self.house.rooms[opening.room].z
        bar, near, far = _FRAME
        low, high = _span(opening)
        z0, z1 = floor + opening.low, floor + opening.high
        across = self._behind(opening, near, far)
        thin = self._behind(opening, near + 0.01, far - 0.01)
        for edge in (low, high - bar):
            self._bar(opening.side, across, (edge, edge + bar), (z0, z1))
        for edge in (z0, z1 - bar):
            self._bar(opening.side, across, (low + bar, high - bar), (edge, edge + bar))
        panes = max(1, round(opening.width / (0.55 if self.panelled else 0.95)))
        for k in range(1, panes):
            middle = low + (high - low) * k / panes
            self._bar(opening.side, thin, (middle - 0.02, middle + 0.02), (z0 + bar, z1 - bar))
        if self.panelled and z1 - z0 > 0.9:
            middle = z0 + (z1 - z0) * 0.6
            for k in range(panes):
                left, right = (low + (high - low) * j / panes for j in (k, k + 1))
                inner = left + (bar if k == 0 else 0.02), right - (bar if k == panes - 1 else 0.02)
                self._bar(opening.side, thin, inner, (middle - 0.02, middle + 0.02))

    def _front_door(self, opening: Opening) -> None:
        """Closed: it fills the end of its tunnel."""
        room = self.house.rooms[opening.room]
        axis = 0 if opening.side in ("west", "east") else 1
        low, high = _span(opening)
        inner = self._behind(opening, _DOOR_DEPTH, _DOOR_DEPTH)[0]
        facing = inwards(opening.side)
        z = room.z, room.z + opening.high
        self.sheets.rectangle(axis, inner, (low, high), z, facing, self.wood)
        face = self._behind(opening, _DOOR_DEPTH - 0.012, _DOOR_DEPTH)
        for a, b in ((0.15, 0.8), (0.95, opening.high - 0.15)):
            self._bar(opening.side, face, (low + 0.14, high - 0.14), (room.z + a, room.z + b), self.wood)
        knob = self._behind(opening, _DOOR_DEPTH - 0.06, _DOOR_DEPTH)
        self._bar(opening.side, knob, (low + 0.05, low + 0.09), (room.z + 0.98, room.z + 1.06), self.metal)

    def _leaf(self, opening: Opening, leaf: Rect) -> None:
        """An open door: a thin box with raised panels and two handles."""
        z, tall = self.house.rooms[opening.room].z, opening.high - 0.02
        self.sheets.box((leaf.x0, leaf.x1), (leaf.y0, leaf.y1), (z + 0.008, z + tall), self.leaf, [(2, -1)])
        along_x = leaf.width > leaf.depth
        ends = (leaf.x0, leaf.x1) if along_x else (leaf.y0, leaf.y1)
        faces = (leaf.y0, leaf.y1) if along_x else (leaf.x0, leaf.x1)
        free = ends[0] if inwards(opening.side) < 0 else ends[1]  # the edge away from the hinge
        handle = (free + 0.05, free + 0.17) if free == ends[0] else (free - 0.17, free - 0.05)
        raised = [(handle, (z + 1.0, z + 1.025), 0.035, self.metal)]
        if self.panelled:
            inner = ends[0] + 0.13, ends[1] - 0.13
            raised += [
                (inner, (z + a, z + b), 0.008, self.leaf) for a, b in ((0.15, 0.9), (1.1, tall - 0.13))
            ]
        for span, height, thick, slot in raised:
            for across in ((faces[0] - thick, faces[0]), (faces[1], faces[1] + thick)):
                x, y = (span, across) if along_x else (across, span)
                self.sheets.box(x, y, height, slot)

    def _behind(self, opening: Opening, near: float, far: float) -> Span:
        """From `near` to `far` metres behind the inner wall, as coordinates."""
        at, out = wall_at(self.house.rooms[opening.room].rect, opening.side), -inwards(opening.side)
        a, b = sorted((round(at + out * near, 4), round(at + out * far, 4)))
        return a, b

    def _bar(self, side: Side, across: Span, along_wall: Span, z: Span, slot: int | None = None) -> None:
        x, y = (across, along_wall) if side in ("west", "east") else (along_wall, across)
        self.sheets.box(x, y, z, self.trim if slot is None else slot)

    def _on_wall(self, rect: Rect, side: Side, span: Span, z: Span, thick: float, slot: int) -> None:
        """A board on a wall, without its back."""
        at, sign = wall_at(rect, side), inwards(side)
        across: Span = (at, at + thick) if sign > 0 else (at - thick, at)
        axis: Literal[0, 1] = 0 if side in ("west", "east") else 1
        x, y = (across, span) if axis == 0 else (span, across)
        self.sheets.box(x, y, z, slot, [(axis, -sign)])


def _span(opening: Opening) -> Span:
    return round(opening.centre - opening.width / 2, 4), round(opening.centre + opening.width / 2, 4)


def _touches(inner: Rect, outer: Rect, side: Side) -> bool:
    return abs(wall_at(inner, side) - wall_at(outer, side)) < 0.01
