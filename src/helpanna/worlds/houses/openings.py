"""Openings: which rooms are joined by doors and passages, and where windows are.

Private rooms open to halls, corridors and stairs; living room, dining room and kitchen are open to each
other; a bathroom between bedrooms is one bedroom's own. No way leads through a bedroom or a bathroom, except
to a bathroom of its own.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

import numpy as np

from helpanna.worlds.houses.archetypes import CIRCULATION, PUBLIC
from helpanna.worlds.houses.layout import WALL, HouseRoom, Opening, Rect, RoomKind, Side, Stair
from helpanna.worlds.houses.styles import Style

DOOR_HEIGHT = 2.05
CORNER = 0.15
"""Metres of wall between an opening and a corner, at least."""
DOOR_ZONE = 0.9
"""Metres in front of a door that its leaf needs."""

OPPOSITE: dict[Side, Side] = {"west": "east", "east": "west", "south": "north", "north": "south"}
SIDES: tuple[Side, ...] = ("west", "east", "south", "north")

Interval = tuple[float, float]
Wall = tuple[Side, Interval]
"""A stretch of a room's wall."""

# Metres of a window's width, at most, and of its lower edge, at least.
_WINDOWS: dict[RoomKind, tuple[float, float]] = {
    "hall": (0.9, 1.1),
    "corridor": (1.2, 0.9),
    "stairs": (1.1, 0.9),
    "living room": (2.6, 0.3),
    "dining room": (2.2, 0.4),
    "kitchen": (1.8, 1.1),
    "bedroom": (2.0, 0.7),
    "bathroom": (0.8, 1.35),
    "office": (1.7, 0.8),
    "laundry room": (0.8, 1.25),
}


class UnsuitedError(Exception):
    """The cells cannot be joined as people would; other cells must be drawn."""


def along(rect: Rect, side: Side) -> Interval:
    """From where to where a wall runs."""
    return (rect.x0, rect.x1) if side in ("south", "north") else (rect.y0, rect.y1)


def wall_at(rect: Rect, side: Side) -> float:
    """The coordinate across a wall that all of it has."""
    return {"west": rect.x0, "east": rect.x1, "south": rect.y0, "north": rect.y1}[side]


def inwards(side: Side) -> int:
    """+1 where the room lies at larger coordinates than its wall, else -1."""
    return 1 if side in ("west", "south") else -1


def front_zone(rect: Rect, opening: Opening, side: Side, depth: float) -> Rect:
    """The floor in front of an opening in the `side` wall of the room `rect`."""
    low, high = opening.centre - opening.width / 2, opening.centre + opening.width / 2
    near = wall_at(rect, side)
    a, b = sorted((near, near + inwards(side) * depth))
    return Rect(low, a, high, b) if side in ("south", "north") else Rect(a, low, b, high)


def sides_of(opening: Opening) -> Iterator[tuple[int, Side]]:
    """The rooms an opening belongs to, with the wall of each."""
    yield opening.room, opening.side
    if opening.other is not None:
        yield opening.other, OPPOSITE[opening.side]


def shared_wall(a: Rect, b: Rect) -> Wall | None:
    """The stretch of a's wall behind which b lies."""
    for side in SIDES:
        gap = (wall_at(b, OPPOSITE[side]) - wall_at(a, side)) * -inwards(side)
        low, high = max(along(a, side)[0], along(b, side)[0]), min(along(a, side)[1], along(b, side)[1])
        if abs(gap - WALL) < 0.02 and high - low > 0:
            return side, (low, high)
    return None


def without(whole: Sequence[Interval], holes: Sequence[Interval]) -> list[Interval]:
    """What remains of the intervals when others are taken out."""
    rest = list(whole)
    for low, high in holes:
        rest = [
            part
            for a, b in rest
            for part in ((a, min(b, low)), (max(a, high), b))
            if part[1] > part[0] + 1e-6
        ]
    return rest


class Openings:
    """Cuts the openings of one house.

    Args:
        rooms: all rooms of all storeys.
        stairs: the flights; no door opens onto their sides.
        style: says how large windows are.
        rng: where chance comes from.
    """

    def __init__(
        self, rooms: Sequence[HouseRoom], stairs: Sequence[Stair], style: Style, rng: np.random.Generator
    ):
        self.rooms, self.stairs, self.style, self.rng = rooms, stairs, style, rng
        self.found: list[Opening] = []
        self.walls: dict[tuple[int, int], tuple[Side, list[Interval]]] = {}
        for i, a in enumerate(rooms):
            for j, b in enumerate(rooms):
                wall = shared_wall(a.rect, b.rect) if a.floor == b.floor else None
                if wall:
                    side, stretch = wall
                    blocked = [*self._flights(i, side), *self._flights(j, OPPOSITE[side])]
                    self.walls[i, j] = side, without([stretch], blocked)

    def cut(self) -> tuple[Opening, ...]:
        """All openings.

        Raises:
            UnsuitedError: some room cannot be reached as it should be.
        """
        self._circulation()
        self._open_plan()
        own = self._own_bathrooms()
        for i, room in enumerate(self.rooms):
            if room.kind in PUBLIC:
                self._enter_public(i)
            elif room.kind not in CIRCULATION and i not in own:
                self._enter_private(i)
        self._entrance()
        for i in range(len(self.rooms)):
            self._windows(i)
        return tuple(self.found)

    def _flights(self, i: int, side: Side) -> list[Interval]:
        """The stretches of a wall along which a flight or its hole runs."""
        rect = self.rooms[i].rect
        return [
            along(stair.rect, side)
            for stair in self.stairs
            if i in (stair.lower, stair.upper) and abs(wall_at(stair.rect, side) - wall_at(rect, side)) < 0.01
        ]

    def _near(self, i: int, kinds: frozenset[RoomKind], width: float = 0.8) -> list[int]:
        """The neighbours of these kinds that a door could lead to, widest wall first."""
        found = []
        for (a, j), (_, free) in self.walls.items():
            longest = max((high - low for low, high in free), default=0.0)
            if a == i and self.rooms[j].kind in kinds and longest >= width + 2 * CORNER - 1e-9:
                found.append((-longest, j))
        return [j for _, j in sorted(found)]

    def _join(self, kind: Literal["door", "passage"], i: int, j: int, width: float, high: float) -> None:
        """Cuts an opening between two rooms where it disturbs no other."""
        side, free = self.walls[i, j]
        fits = [(a + CORNER, b - CORNER) for a, b in free if b - a >= width + 2 * CORNER - 1e-9]
        drawn: list[tuple[float, int, Opening]] = []
        for _ in range(12):
            low, top = fits[int(self.rng.integers(len(fits)))]
            slack = max(top - low - width, 0.0)
            shift = slack * float(self.rng.random())
            if kind == "door" and self.rng.random() < 0.7:  # doors are near corners, to save wall
                shift = min(0.15 * float(self.rng.random()), slack)
                shift = shift if self.rng.random() < 0.5 else slack - shift
            centre = round(low + width / 2 + shift, 3)
            opening = Opening(kind, i, j, side, centre, width, 0.0, high)
            drawn.append((self._disturbs(opening), len(drawn), opening))
        self.found.append(min(drawn)[2])

    def _disturbs(self, new: Opening) -> float:
        """Square metres of floor in front of it that other openings of its rooms need too."""
        shared = 0.0
        for opening in self.found:
            for room, side in sides_of(opening):
                for here, wall in sides_of(new):
                    if room == here:
                        rect = self.rooms[room].rect
                        a = front_zone(rect, opening, side, DOOR_ZONE)
                        b = front_zone(rect, new, wall, DOOR_ZONE)
                        width, depth = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
                        narrow = self.rooms[room].kind in CIRCULATION  # leaves open into the other rooms
                        shared += max(width, 0) * max(depth, 0) * (0.1 if narrow else 1)
        return round(shared, 3)

    def _door(self, i: int, j: int) -> None:
        """A door whose leaf opens into room i."""
        width = 0.8 if "bathroom" in (self.rooms[i].kind, self.rooms[j].kind) else 0.85
        longest = max(high - low for low, high in self.walls[i, j][1])
        if longest > 2.5 and self.rooms[i].kind in PUBLIC:
            width = 0.95
        width = min(width, math.floor((longest - 2 * CORNER) * 100 + 1e-6) / 100)
        self._join("door", i, j, width, DOOR_HEIGHT)

    def _passage(self, i: int, j: int, narrow: float, wide: float) -> None:
        longest = max(high - low for low, high in self.walls[i, j][1]) - 2 * CORNER
        top = min(wide, longest)
        width = round(max(narrow, float(self.rng.uniform(0.6, 1.0)) * top), 2)
        high = round(float(self.rng.uniform(2.1, 2.3)), 2)
        self._join("passage", i, j, min(width, top), high)

    def _circulation(self) -> None:
        """Halls, corridors and stairs run into each other."""
        for i, room in enumerate(self.rooms):
            for j in self._near(i, CIRCULATION):
                if i < j and room.kind in CIRCULATION:
                    self._passage(i, j, 0.8, 1.6)

    def _open_plan(self) -> None:
        """Passages between living room, dining room and kitchen; a closed kitchen has a door."""
        for i, room in enumerate(self.rooms):
            for j in self._near(i, PUBLIC):
                if not (i < j and room.kind in PUBLIC):
                    continue
                if j in self._near(i, PUBLIC, 1.2) and self.rng.random() < 0.85:
                    self._passage(i, j, 1.2, 2.5)
                else:
                    self._door(i, j)

    def _own_bathrooms(self) -> set[int]:
        """Gives some bathrooms to a bedroom; the house keeps one for all."""
        baths = [i for i, room in enumerate(self.rooms) if room.kind == "bathroom"]
        hidden = [i for i in baths if not self._near(i, CIRCULATION)]
        open_to_all = [i for i in baths if i not in hidden]
        if not open_to_all:
            raise UnsuitedError("no bathroom for all")
        chosen = list(hidden)
        for i in open_to_all[1:]:
            floor = self.rooms[i].floor
            left = [k for k in open_to_all if self.rooms[k].floor == floor and k not in chosen]
            if len(left) > 1 and self.rng.random() < 0.5:
                chosen.append(i)
        taken: set[int] = set()
        own = set()
        for i in chosen:
            owners = [j for j in self._near(i, frozenset({"bedroom"})) if j not in taken]
            if owners:
                self._door(i, owners[0])
                taken.add(owners[0])
                own.add(i)
            elif i in hidden:
                raise UnsuitedError("a bathroom without a way in")
        return own

    def _enter_public(self, i: int) -> None:
        """A way from hall or corridor into a living room, kitchen or dining room."""
        ways = self._near(i, CIRCULATION)
        joined = any(i in (opening.room, opening.other) for opening in self.found)
        order: list[RoomKind] = ["hall", "stairs", "corridor"]
        ways.sort(key=lambda j: order.index(self.rooms[j].kind))
        need = self.rooms[i].kind == "living room" or not joined
        if not ways and not joined:
            raise UnsuitedError("a living room without a way in")
        for j in ways if need else ways[: int(self.rng.random() < 0.5)]:
            wide = self.rooms[j].kind != "corridor" and j in self._near(i, CIRCULATION, 1.2)
            if wide and self.rng.random() < 0.4:
                self._passage(i, j, 1.1, 1.8)
            else:
                self._door(i, j)
            if self.rng.random() < 0.6:
                break

    def _enter_private(self, i: int) -> None:
        """One door from corridor, stairs or hall; a laundry may lie behind the kitchen."""
        order: list[RoomKind] = ["corridor", "stairs", "hall"]
        ways = self._near(i, CIRCULATION)
        ways.sort(key=lambda j: order.index(self.rooms[j].kind))
        if not ways and self.rooms[i].kind == "laundry room":
            ways = self._near(i, frozenset({"kitchen"}))
        if not ways and self.rooms[i].kind == "office":
            ways = self._near(i, frozenset({"living room"}))
        if not ways:
            raise UnsuitedError("a private room without a way in")
        self._door(i, ways[0])

    def _outer(self, i: int, side: Side) -> list[Interval]:
        """The stretches of a wall behind which there is nothing."""
        rect, floor = self.rooms[i].rect, self.rooms[i].floor
        holes = []
        for room in self.rooms:
            wall = shared_wall(rect, room.rect) if room.floor == floor else None
            if wall and wall[0] == side:
                holes.append((wall[1][0] - WALL, wall[1][1] + WALL))
        holes += self._flights(i, side)
        holes += [
            (opening.centre - opening.width / 2 - CORNER, opening.centre + opening.width / 2 + CORNER)
            for opening in self.found
            if opening.room == i and opening.other is None and opening.side == side
        ]
        return without([along(rect, side)], holes)

    def _entrance(self) -> None:
        hall = next(i for i, room in enumerate(self.rooms) if room.kind == "hall")
        walls = [
            (high - low, side, low, high)
            for side in SIDES
            for low, high in self._outer(hall, side)
            if high - low >= 1.0 + 2 * CORNER
        ]
        if not walls:
            raise UnsuitedError("a hall without an outer wall")
        # The front door is opposite the way on if it can be.
        ways = (way for opening in self.found for way in sides_of(opening))
        onwards = {OPPOSITE[side] for room, side in ways if room == hall}
        _, side, low, high = max(walls, key=lambda wall: (wall[1] in onwards, wall))
        self.found.append(Opening("door", hall, None, side, round((low + high) / 2, 3), 1.0, 0.0, 2.1))

    def _windows(self, i: int) -> None:
        """Windows in the outer walls, as wide and low as the room's kind and the style have them."""
        room, style, rng = self.rooms[i], self.style, self.rng
        widest, lowest = _WINDOWS[room.kind]
        low = round(max(style.window_low, lowest), 2)
        if room.kind == "living room":
            low = round(max(lowest, style.window_low - 0.3), 2)
        high = round(min(max(style.window_high, low + 0.6), room.height - 0.2), 2)
        stretches = [(b - a, side, a, b) for side in SIDES for a, b in self._outer(i, side) if b - a >= 1.0]
        for rank, (length, side, a, b) in enumerate(sorted(stretches, reverse=True)):
            if rank and (room.kind == "bathroom" or rng.random() < 0.3):
                continue
            count = 2 if length > 4.4 and widest > 1.5 else 1
            share = style.window_share * (1.2 if room.kind == "living room" else 1.0)
            for start, end in pairwise(np.linspace(a, b, count + 1).tolist()):
                width = round(min(max(share * (end - start), 0.6), widest, end - start - 2 * CORNER), 2)
                shift = (end - start - width - 2 * CORNER) / 2 * float(rng.uniform(-0.4, 0.4)) / count
                centre = round((start + end) / 2 + shift, 3)
                self.found.append(Opening("window", i, None, side, centre, width, low, high))
