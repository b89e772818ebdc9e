"""Stairs as triangles: a solid flight, the edge of the hole above it, railings."""

import numpy as np

from helpanna.worlds.houses.layout import House, Side, Stair
from helpanna.worlds.houses.openings import OPPOSITE, wall_at
from helpanna.worlds.houses.sheets import Sheets, Span

RAIL = 0.92
"""Metres of a handrail over treads and floors."""
_POST = 0.028
_GAP = 0.13  # between posts


def add_stair(sheets: Sheets, house: House, stair: Stair, floors: int, walls: int, trim: int) -> None:
    """Adds a flight, the faces of the slab around it, and its railings.

    Args:
        sheets: where to.
        house: whose stair it is.
        stair: the flight.
        floors: the material slot of the floor of room 0; those of the others follow.
        walls: likewise of the walls.
        trim: the material slot of risers and railings.
    """
    _Flight(sheets, house, stair, floors, walls, trim).add()


class _Flight:
    def __init__(self, sheets: Sheets, house: House, stair: Stair, floors: int, walls: int, trim: int):
        self.sheets, self.house, self.stair, self.trim = sheets, house, stair, trim
        lower, upper = house.rooms[stair.lower], house.rooms[stair.upper]
        self.tread, self.face = floors + stair.lower, walls + stair.lower
        self.z, self.ceiling, self.top = lower.z, round(lower.z + lower.height, 3), upper.z
        self.rise = (self.top - self.z) / stair.steps
        self.axis = 0 if stair.towards in ("west", "east") else 1
        r = stair.rect
        ends, sides = ((r.x0, r.x1), (r.y0, r.y1)) if self.axis == 0 else ((r.y0, r.y1), (r.x0, r.x1))
        self.up = 1 if stair.towards in ("east", "north") else -1
        self.start, self.end = ends if self.up > 0 else ends[::-1]
        self.sides: Span = sides
        self.run = abs(self.end - self.start) / (stair.steps - 1)
        low: Side = "south" if self.axis == 0 else "west"
        self.open_sides = [  # (where, +1 or -1 outwards)
            (at, sign)
            for side, at, sign in ((low, sides[0], -1), (OPPOSITE[low], sides[1], 1))
            if abs(at - wall_at(lower.rect, side)) > 0.01
        ]

    def add(self) -> None:
        for k in range(1, self.stair.steps + 1):
            self._step(k)
        behind = self.z, min(self.top - self.rise, self.ceiling)
        self.sheets.rectangle(self.axis, self.end, self.sides, behind, self.up, self.face)
        self.sheets.rectangle(self.axis, self.start, self.sides, (self.ceiling, self.top), self.up, self.face)
        self._flight_rail()
        self._well_rail()

    def _along(self, s: float) -> float:
        return self.start + self.up * s

    def _span(self, a: float, b: float) -> Span:
        low, high = sorted((self._along(a), self._along(b)))
        return low, high

    def _step(self, k: int) -> None:
        """The k-th riser, the tread behind it, and what is beside it."""
        at, z = self._along((k - 1) * self.run), self.z + k * self.rise
        self.sheets.rectangle(self.axis, at, self.sides, (z - self.rise, z), -self.up, self.trim)
        if k == self.stair.steps:
            return  # its tread is the floor above
        span = self._span((k - 1) * self.run, k * self.run)
        u, v = (span, self.sides) if self.axis == 0 else (self.sides, span)
        self.sheets.rectangle(2, z, u, v, 1, self.tread)
        across = 1 - self.axis
        for at_side, sign in self.open_sides:
            self.sheets.rectangle(across, at_side, span, (self.z, min(z, self.ceiling)), sign, self.face)
        for at_side, inward in ((self.sides[0], 1), (self.sides[1], -1)):
            slab = max(z, self.ceiling), self.top
            self.sheets.rectangle(across, at_side, span, slab, inward, self.face)

    def _point(self, along: float, across: float, z: float) -> list[float]:
        return [along, across, z] if self.axis == 0 else [across, along, z]

    def _post(self, along: float, across: float, z: Span) -> None:
        half = _POST / 2
        a, b = (along - half, along + half), (across - half, across + half)
        x, y = (a, b) if self.axis == 0 else (b, a)
        self.sheets.box(x, y, z, self.trim, [(2, -1)])

    def _rail(self, a: list[float], b: list[float]) -> None:
        self.sheets.bar(a, b, 0.05, 0.04, self.trim)

    def _flight_rail(self) -> None:
        """Posts on the treads and a sloping handrail, on each side without a wall."""
        for at_side, sign in self.open_sides:
            across = at_side - sign * 0.04
            last = self.stair.steps - 1
            for k in range(1, last + 1):
                s = (k - 0.5) * self.run
                foot = self.z + k * self.rise
                self._post(self._along(s), across, (foot, foot + RAIL - 0.02))
            ends = [
                self._point(self._along((k - 0.5) * self.run), across, self.z + k * self.rise + RAIL)
                for k in (1, last)
            ]
            self._rail(ends[0], ends[1])

    def _well_rail(self) -> None:
        """A railing on the floor above around the hole, open where the flight arrives."""
        off = 0.04
        others = [s.rect for s in self.house.stairs if s.lower == self.stair.upper]
        sides = []
        for at_side, sign in self.open_sides:
            across = at_side + sign * off
            beside = self._point(self._along(self.run), at_side + sign * 0.2, 0.0)
            if not any(r.x0 < beside[0] < r.x1 and r.y0 < beside[1] < r.y1 for r in others):
                sides.append(across)
        foot = self._along(-off)
        for across in sides:
            self._fence((foot, across), (self.end, across))
        low = self.sides[0] - off if any(sign < 0 for _, sign in self.open_sides) else self.sides[0] + _POST
        high = self.sides[1] + off if any(sign > 0 for _, sign in self.open_sides) else self.sides[1] - _POST
        self._fence((foot, low), (foot, high))

    def _fence(self, a: tuple[float, float], b: tuple[float, float]) -> None:
        length = float(np.hypot(b[0] - a[0], b[1] - a[1]))
        count = max(2, round(length / _GAP) + 1)
        for t in np.linspace(0, 1, count).tolist():
            self._post(a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), (self.top, self.top + RAIL - 0.02))
        self._rail(self._point(*a, self.top + RAIL), self._point(*b, self.top + RAIL))
