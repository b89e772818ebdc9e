"""Archetypes: how people divide a storey into rooms.

A storey is a rectangle cut into cells; a cell is a room with half of the walls around it, so neighbours'
cells touch. The front of the house, with the entrance, is in the south; `plan` turns and mirrors the
whole later.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from helpanna.worlds.houses.layout import WALL, Rect, RoomKind

STAIR_WIDTH = 0.95
"""Metres of a flight from side to side."""
STAIR_LENGTH = 6.3
"""Metres of a stairs room's clear length: the flight and a landing at each end."""

CIRCULATION: frozenset[RoomKind] = frozenset({"hall", "corridor", "stairs"})
PUBLIC: frozenset[RoomKind] = frozenset({"living room", "dining room", "kitchen"})

# Square metres people like a room to have, from modest to generous.
_AREAS: dict[RoomKind, tuple[float, float]] = {
    "hall": (5.0, 9.0),
    "living room": (18.0, 30.0),
    "dining room": (10.0, 16.0),
    "kitchen": (9.5, 16.0),
    "bedroom": (11.0, 17.0),
    "bathroom": (5.0, 8.0),
    "office": (8.0, 12.5),
    "laundry room": (5.0, 7.5),
}
# Metres of the shorter side of the clear floor, at least.
SHORTEST: dict[RoomKind, float] = {
    "hall": 1.5,
    "corridor": 1.05,
    "stairs": 2.0,
    "living room": 3.2,
    "dining room": 2.5,
    "kitchen": 2.2,
    "bedroom": 2.6,
    "bathroom": 1.6,
    "office": 2.2,
    "laundry room": 1.6,
}
# What takes the spare metres of a band; nobody wants a bathroom like a ballroom.
_ELASTIC: frozenset[RoomKind] = frozenset({"bedroom", "office"})
LONGEST_SHAPE = 2.3
"""A room's long side to its short one, at most."""
_MORE_PRIVATE: tuple[RoomKind, ...] = (
    "office", "bedroom", "laundry room", "bathroom", "bedroom", "office", "bedroom", "bathroom",
)  # fmt: skip
_FOR_TWO = 5.4  # metres that a dining room and a kitchen take side by side
_MORE_BEDROOMS: tuple[RoomKind, ...] = ("bedroom", "bedroom")


@dataclass(frozen=True)
class Cell:
    """A room to be, with half of the walls around it."""

    kind: RoomKind
    rect: Rect


Storey = list[Cell]
Sized = tuple[RoomKind, float]
"""A room and how many metres of a band it takes."""


def split(rect: Rect, axis: str, parts: Sequence[float]) -> list[Rect]:
    """Cuts a rectangle along x (from the west) or y (from the south) in proportion to `parts`."""
    low, high = (rect.x0, rect.x1) if axis == "x" else (rect.y0, rect.y1)
    cuts = np.round(low + (high - low) * np.cumsum([0.0, *parts]) / sum(parts), 2).tolist()
    cuts[0], cuts[-1] = low, high
    if axis == "x":
        return [Rect(a, rect.y0, b, rect.y1) for a, b in pairwise(cuts)]
    return [Rect(rect.x0, a, rect.x1, b) for a, b in pairwise(cuts)]


def bands(rect: Rect, axis: str, widths: Sequence[float]) -> list[Rect]:
    """Cuts off strips of these widths in metres; the last strip takes the rest."""
    whole = rect.width if axis == "x" else rect.depth
    return split(rect, axis, [*widths, whole - sum(widths)])


class Archetypes:
    """Draws the storeys of one house; each method is one way to arrange them.

    Args:
        rng: where chance comes from.
        generous: 0 (modest) to 1: how large rooms are.
    """

    def __init__(self, rng: np.random.Generator, generous: float):
        self.rng, self.generous = rng, generous
        self.had: Counter[RoomKind] = Counter()

    def spine(self, area: float) -> list[Storey]:
        """Living rooms at one end, a corridor between two bands of private rooms at the other."""
        depth = self._between(7.6, 8.8) + 1.2 * self.generous
        house = Rect(0.0, 0.0, round(area / depth, 2), depth)
        public, private = bands(house, "x", [self._between(4.2, 5.2) + round(1.2 * self.generous, 2)])
        corridor = self._between(1.3, 1.55)
        south, middle, north = bands(private, "y", [self._between(3.0, 3.5) + 0.5 * self.generous, corridor])
        hall, rest = bands(south, "x", [self._between(1.8, 2.4)])
        cells = [Cell("hall", hall), Cell("corridor", middle), *self._public(public, "y")]
        if rest.width > 5.5 and self._chance(0.4):  # a terrace in the corner: the house is an L
            rest, _ = bands(rest, "x", [self._between(2.4, 3.2)])
        wants: list[RoomKind] = ["bedroom", "bathroom", "bedroom"]
        cells += self._band(north, "x", wants)
        cells += self._band(rest, "x", ["bathroom", *_MORE_PRIVATE])
        return [cells]

    def row(self, area: float) -> list[Storey]:
        """Living rooms in a row at the front, a corridor, private rooms in a row at the back."""
        front, corridor = self._between(4.0, 4.6) + 0.4 * self.generous, self._between(1.3, 1.55)
        depth = front + corridor + self._between(3.4, 3.9) + 0.3 * self.generous
        house = Rect(0.0, 0.0, round(area / depth, 2), round(depth, 2))
        south, middle, north = bands(house, "y", [front, corridor])
        hall, rest = bands(south, "x", [self._between(1.8, 2.4)])
        cells = [Cell("hall", hall), Cell("corridor", middle)]
        if rest.width > 14:
            rest, study = bands(rest, "x", [rest.width - self._between(2.6, 3.2)])
            cells += self._all(("office",), [study])
        cells += self._public(rest, "x")
        return [cells + self._band(north, "x", ["bedroom", "bathroom", "bedroom", *_MORE_PRIVATE])]

    def central_hall(self, area: float) -> list[Storey]:
        """The hall in the middle of the front, a corridor from it to the back, rooms on both sides."""
        depth = self._between(9.0, 10.0) + 2.0 * self.generous
        house = Rect(0.0, 0.0, round(area / depth, 2), round(depth, 2))
        width = self._between(1.8, 2.2)
        left, core, right = bands(
            house, "x", [round((house.width - width) * self._between(0.53, 0.6), 2), width]
        )
        hall, corridor = bands(core, "y", [self._between(2.6, 3.4)])
        cells = [Cell("hall", hall), Cell("corridor", corridor)]
        front = self._between(0.62, 0.72)
        public, back = split(left, "y", [front, 1 - front])
        cells += self._public(public, "y")
        cells += self._band(back, "y", ["bedroom"])
        return [cells + self._band(right, "y", ["bedroom", "bathroom", "bedroom", *_MORE_PRIVATE])]

    def townhouse(self, storeys: int) -> list[Storey]:
        """Hall and stairs along one side, one stack of rooms along the other."""
        core = self._core(storeys)
        width = self._between(4.0, 4.7) + 0.4 * self.generous
        house = Rect(0.0, 0.0, round(core.width + width, 2), core.depth)
        side, rest = bands(house, "x", [core.width])
        ground = [*self._entrance(side), *self._public(rest, "y")]
        storey = [ground]
        for _ in range(1, storeys):
            wants = [*self._shuffled(["bedroom", "bathroom"]), *_MORE_BEDROOMS]
            storey.append([*self._landing(side), *self._beside(core, rest, wants)])
        return storey

    def centre_stairs(self, storeys: int) -> list[Storey]:
        """Hall and stairs in the middle, a stack of rooms on either side."""
        core = self._core(storeys)
        sides = [self._between(3.8, 4.4) + 0.4 * self.generous for _ in range(2)]
        house = Rect(0.0, 0.0, round(sum(sides) + core.width, 2), core.depth)
        left, middle, right = bands(house, "x", [sides[0], core.width])
        other: list[RoomKind] = self._shuffled(["office", "bathroom", "laundry room"])
        ground = [*self._entrance(middle), *self._public(left, "y")]
        ground += self._band(right, "y", ["bedroom", *other])
        storey = [ground]
        for _ in range(1, storeys):
            rooms = self._landing(middle)
            for stack in (left, right):
                wants = [*self._shuffled(["bathroom", "office"]), *_MORE_BEDROOMS]
                rooms += self._beside(core, stack, wants)
            storey.append(rooms)
        return storey

    def wings(self, storeys: int) -> list[Storey]:
        """A corridor from end to end, stairs at right angles to it, rooms in bands in front and behind."""
        deep, corridor = round(STAIR_LENGTH + WALL, 2), self._between(1.4, 1.6)
        back = self._between(3.6, 4.2) + 0.3 * self.generous
        porch, stair = self._between(2.3, 2.8), self._stair_width(storeys)
        wide = self._between(4.4, 5.0) + 0.5 * self.generous
        end = self._between(3.5, 4.2)
        house = Rect(0.0, 0.0, round(porch + stair + wide + end, 2), round(deep + corridor + back, 2))
        south, middle, north = bands(house, "y", [deep, corridor])
        entrance, stairs, centre, side = bands(south, "x", [porch, stair, wide])
        hall, beside = bands(entrance, "y", [self._between(2.8, 3.3)])
        dining, kitchen = split(side, "y", [self._between(0.9, 1.1), 1.0])
        ground = [Cell("hall", hall), Cell("corridor", middle), Cell("stairs", stairs)]
        ground += [Cell("living room", centre), Cell("dining room", dining), Cell("kitchen", kitchen)]
        ground += self._band(beside, "y", self._shuffled(["bathroom", "laundry room"])[:1])
        ground += self._band(north, "x", ["bedroom", "bathroom", "bedroom", *_MORE_PRIVATE])
        storey = [ground]
        terrace = self._chance(0.6)
        for _ in range(1, storeys):
            cells = [Cell("corridor", middle), Cell("stairs", stairs)]
            cells += self._band(entrance, "y", ["bathroom", "office", "laundry room", "bathroom"])
            if terrace:  # on the roof of the living room
                cells += self._band(bands(centre, "y", [self._between(1.9, 2.3)])[1], "y", ["bedroom"])
            else:
                strip, bed = bands(centre, "x", [self._between(1.9, 2.1)])
                cells += self._all(("bathroom", "bathroom"), split(strip, "y", [0.5, 0.5]))
                cells += self._all(("bedroom",), [bed])
            cells += self._all(("bathroom", "bedroom"), split(side, "y", [0.4, 0.6]))
            wants = self._shuffled(["bedroom", "bathroom", "bedroom"])
            storey.append(cells + self._band(north, "x", [*wants, *_MORE_PRIVATE]))
        return storey

    def _core(self, storeys: int) -> Rect:
        """Stairs with the hall in front of them."""
        depth = STAIR_LENGTH + WALL + self._between(2.5, 3.0) + 0.4 * self.generous
        return Rect(0.0, 0.0, self._stair_width(storeys), round(depth, 2))

    def _stair_width(self, storeys: int) -> float:
        # Three storeys have two flights side by side, with a way past them.
        flights = 2 if storeys > 2 else 1
        return round(flights * STAIR_WIDTH + self._between(1.15, 1.5) + WALL, 2)

    def _beside(self, core: Rect, rect: Rect, wants: Sequence[RoomKind]) -> Storey:
        """Rooms beside hall and stairs; the front one is so deep that it has a door to the stairs."""
        front = max(core.depth - STAIR_LENGTH + 1.25, self._width("bedroom", rect.width))
        first, rest = bands(rect, "y", [round(front, 2)])
        return [*self._all(("bedroom",), [first]), *self._band(rest, "y", wants)]

    def _entrance(self, core: Rect) -> Storey:
        hall, stairs = bands(core, "y", [core.depth - STAIR_LENGTH - WALL])
        return [Cell("hall", hall), Cell("stairs", stairs)]

    def _landing(self, core: Rect) -> Storey:
        front, stairs = bands(core, "y", [core.depth - STAIR_LENGTH - WALL])
        large = front.area > 7.5 and self._chance(0.5)
        wants: list[RoomKind] = ["office", "bathroom"] if large else ["bathroom", "office"]
        return [Cell("stairs", stairs), *self._band(front, "x", [wants[_enough(wants[0], self.had)]])]

    def _all(self, kinds: Sequence[RoomKind], rects: Sequence[Rect]) -> Storey:
        self.had.update(kinds)
        return [Cell(kind, rect) for kind, rect in zip(kinds, rects, strict=True)]

    def _public(self, rect: Rect, axis: str) -> Storey:
        """Living room, dining room if there is space, kitchen, side by side so that they can be open."""
        length, across = (rect.width, rect.depth) if axis == "x" else (rect.depth, rect.width)
        kinds: list[RoomKind] = ["living room", "dining room", "kitchen"]
        parts = [self._width(kind, across) for kind in kinds]
        modest = [max(0.9 * _AREAS[kind][0] / across, SHORTEST[kind] + 0.2) for kind in kinds]
        if sum(modest) <= length and self._chance(0.6):
            parts = modest
        if sum(parts) <= 1.1 * length:
            return self._all(kinds, split(rect, axis, parts))
        living, rest = split(rect, axis, [parts[0], parts[2]])
        if across > _FOR_TWO and self._chance(0.7):  # kitchen and dining room side by side
            return self._all(kinds, [living, *split(rest, "y" if axis == "x" else "x", [1, 1])])
        return self._all(("living room", "kitchen"), [living, rest])

    def _band(self, rect: Rect, axis: str, wants: Sequence[RoomKind]) -> Storey:
        """As many of the wanted rooms, in this order of need, as fit side by side."""
        length, across = (rect.width, rect.depth) if axis == "x" else (rect.depth, rect.width)
        needed = [kind for kind in wants if not _enough(kind, self.had)] or [*wants]
        sized = [(kind, self._width(kind, across)) for kind in needed]
        # If those that fit must be stretched much, the first want was too small for this place.
        rooms = min((self._fitting(sized[skip:], length) for skip in range(len(sized))), key=_strain(length))
        self.had.update(kind for kind, _ in rooms)
        rooms = [rooms[i] for i in self.rng.permutation(len(rooms))]
        spare = length - sum(width for _, width in rooms)
        elastic = sum(width for kind, width in rooms if kind in _ELASTIC)
        growth = 1 + spare / elastic if elastic else 1.0
        parts = [width * growth if kind in _ELASTIC else width for kind, width in rooms]
        return [Cell(kind, part) for (kind, _), part in zip(rooms, split(rect, axis, parts), strict=True)]

    def _fitting(self, sized: Sequence[Sized], length: float) -> list[Sized]:
        chosen: list[Sized] = []
        had = self.had.copy()
        for kind, width in sized:
            taken = sum(other for _, other in chosen)
            if not chosen or (taken + 0.9 * width <= length and not _enough(kind, had)):
                chosen.append((kind, width))
                had[kind] += 1
        return chosen

    def _width(self, kind: RoomKind, across: float) -> float:
        """How much of a band of this depth a room takes: its area, but not the shape of a tunnel."""
        return max(self._area(kind) / across, SHORTEST[kind] + WALL, 1.03 * across / LONGEST_SHAPE + 0.1)

    def _area(self, kind: RoomKind) -> float:
        modest, generous = _AREAS[kind]
        share = 0.6 * self.generous + 0.4 * self.rng.random()
        return modest + (generous - modest) * share

    def _between(self, low: float, high: float) -> float:
        return round(float(self.rng.uniform(low, high)), 2)

    def _chance(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)

    def _shuffled(self, kinds: Sequence[RoomKind]) -> list[RoomKind]:
        return [kinds[i] for i in self.rng.permutation(len(kinds))]


def _enough(kind: RoomKind, had: Counter[RoomKind]) -> bool:
    """Whether the house has as many of these rooms as people need."""
    limits: dict[RoomKind, int] = {"laundry room": 1, "office": 2, "bathroom": 1 + (had["bedroom"] + 1) // 2}
    return kind in limits and had[kind] >= limits[kind]


def _strain(length: float) -> Callable[[list[Sized]], float]:
    """How much too small or too large rooms would be that fill this length; a little does not count."""
    return lambda rooms: max(abs(math.log(length / sum(width for _, width in rooms))), 0.3)
