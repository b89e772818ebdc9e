"""Floor plans: rooms, doors, windows and stairs of a house, as people build them."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Literal

import numpy as np

from helpanna.errors import InputError
from helpanna.randomness import generator
from helpanna.worlds.houses.archetypes import LONGEST_SHAPE, SHORTEST, STAIR_WIDTH, Archetypes, Storey
from helpanna.worlds.houses.layout import WALL, House, HouseRoom, Opening, Rect, RoomKind, Side, Stair
from helpanna.worlds.houses.openings import Openings, UnsuitedError, shared_wall
from helpanna.worlds.houses.styles import Style, draw_style

Size = Literal["small", "medium", "large"]
SIZES: tuple[Size, ...] = ("small", "medium", "large")

SLAB = 0.25
"""Metres between a ceiling and the floor above."""
_RISE, _RUN = 0.19, 0.25

_ATTEMPTS = 400
_WITH_WINDOWS: frozenset[RoomKind] = frozenset({"living room", "dining room", "kitchen", "bedroom", "office"})
# Square metres of clear floor, at least and at most.
AREAS: dict[RoomKind, tuple[float, float]] = {
    "hall": (3.0, 14.0),
    "corridor": (2.0, 30.0),
    "stairs": (10.0, 26.0),
    "living room": (14.0, 46.0),
    "dining room": (8.0, 26.0),
    "kitchen": (7.0, 24.0),
    "bedroom": (8.5, 26.0),
    "bathroom": (3.2, 13.5),
    "office": (6.0, 17.0),
    "laundry room": (3.2, 11.0),
}


def plan_house(name: str, seed: int, storeys: int | None = None, size: Size | None = None) -> House:
    """A house without furniture; the same for the same arguments.

    Args:
        name: the house's name; houses of different names differ.
        seed: the seed of the set of houses.
        storeys: 1 to 3; drawn to suit the size if not given.
        size: how large the house is; drawn if not given.
    """
    if storeys is not None and not 1 <= storeys <= 3:
        raise InputError(f"a house has 1 to 3 storeys, not {storeys}.")
    if size is not None and size not in SIZES:
        raise InputError(f"there is no size {size!r}; choose one of {', '.join(SIZES)}.")
    rng = generator(seed, f"size of house {name}")
    drawn_size = SIZES[int(rng.choice(3, p=[0.1, 0.52, 0.38]))]
    size = size or drawn_size
    usual = {"small": [1], "medium": [1, 2], "large": [2, 3]}[size]
    drawn_storeys = usual[int(rng.integers(len(usual)))]
    storeys = storeys or drawn_storeys
    style, way = draw_style(seed, name), float(rng.random())
    for attempt in range(_ATTEMPTS):
        rng = generator(seed, f"plan of house {name}", attempt)
        try:
            return _attempt(rng, name, style, storeys, size, way)
        except UnsuitedError:
            continue
    raise InputError(f"no plan was found for house {name!r} with seed {seed}; choose another seed.")


def _attempt(
    rng: np.random.Generator, name: str, style: Style, storeys: int, size: Size, way: float
) -> House:
    cells = _turned(rng, _cells(rng, storeys, size, way))
    height = round(float(rng.uniform(2.5, 2.75 if storeys > 1 else 3.0)), 2)
    rooms = _rooms(cells, height)
    _judge(rooms)
    stairs = _stairs(rng, rooms)
    openings = Openings(rooms, stairs, style, rng).cut()
    _judge_windows(rooms, openings)
    return House(
        name=name,
        style=style.name,
        rooms=rooms,
        openings=openings,
        stairs=stairs,
        floors=tuple(style.floors[room.kind] for room in rooms),
        walls=tuple(style.walls[room.kind] for room in rooms),
        ceilings=tuple(style.ceilings[room.kind] for room in rooms),
        trim=style.trim,
    )


def _cells(rng: np.random.Generator, storeys: int, size: Size, way: float) -> list[Storey]:
    """The storeys, arranged in one of the ways that suit the size; `way` in [0, 1) says in which."""
    draw = Archetypes(rng, {"small": 0.1, "medium": 0.45, "large": 0.9}[size] + 0.1 * float(rng.random()))
    if storeys == 1:
        least, most = {"small": (80.0, 98.0), "medium": (115.0, 160.0), "large": (165.0, 200.0)}[size]
        ways: list[Callable[[float], list[Storey]]] = [draw.spine, draw.row, draw.central_hall]
        if size == "large":
            del ways[2]  # its rooms would be too deep
        return ways[int(way * len(ways))](float(rng.uniform(least, most)))
    stacked: list[Callable[[int], list[Storey]]] = [draw.townhouse, draw.centre_stairs]
    if size == "large":
        stacked = [draw.centre_stairs, draw.wings if storeys == 2 else draw.townhouse]
    return stacked[int(way * len(stacked))](storeys)


def _turned(rng: np.random.Generator, storeys: list[Storey]) -> list[Storey]:
    """The house mirrored and turned by chance, so that its front faces any way."""
    swap, flip_x, flip_y = (rng.random(3) < 0.5).tolist()
    width = max(cell.rect.x1 for cell in storeys[0])
    depth = max(cell.rect.y1 for cell in storeys[0])

    def turn(r: Rect) -> Rect:
        if flip_x:
            r = Rect(width - r.x1, r.y0, width - r.x0, r.y1)
        if flip_y:
            r = Rect(r.x0, depth - r.y1, r.x1, depth - r.y0)
        return _swapped(r) if swap else r

    return [[type(cell)(cell.kind, turn(cell.rect)) for cell in storey] for storey in storeys]


def _rooms(storeys: Sequence[Storey], height: float) -> tuple[HouseRoom, ...]:
    seen: Counter[str] = Counter()
    rooms = []
    for floor, storey in enumerate(storeys):
        for cell in storey:
            seen[cell.kind] += 1
            name = f"{cell.kind} {seen[cell.kind]}" if seen[cell.kind] > 1 else cell.kind
            rect = _rounded(cell.rect.grown(-WALL / 2))
            rooms.append(HouseRoom(name, cell.kind, floor, rect, round(floor * (height + SLAB), 3), height))
    return tuple(rooms)


def _stairs(rng: np.random.Generator, rooms: Sequence[HouseRoom]) -> tuple[Stair, ...]:
    """One flight from each storey to the next; the second beside the first, and back."""
    stack = [i for i, room in enumerate(rooms) if room.kind == "stairs"]
    by_chance, up = (rng.random(2) < 0.5).tolist()
    stairs = []
    if not stack:
        return ()
    # Along the wall behind which there are fewer rooms, to leave the other one to doors.
    upright = rooms[stack[0]].rect.depth > rooms[stack[0]].rect.width
    low, high = (
        _behind(rooms, stack, side) for side in (("west", "east") if upright else ("south", "north"))
    )
    at_low = low < high or (low == high and by_chance)
    for turn, (lower, upper) in enumerate(pairwise(stack)):
        room = rooms[lower]
        steps = math.ceil((room.height + SLAB) / _RISE)
        length = round((steps - 1) * _RUN, 3)
        r = room.rect if upright else _swapped(room.rect)
        x = r.x0 + turn * STAIR_WIDTH if at_low else r.x1 - (turn + 1) * STAIR_WIDTH
        y = (r.y0 + r.y1 - length) / 2
        flight = _rounded(Rect(x, y, x + STAIR_WIDTH, y + length))
        sides: tuple[Side, Side] = ("south", "north") if upright else ("west", "east")
        towards = sides[int(up) ^ turn % 2]
        stairs.append(Stair(lower, upper, flight if upright else _swapped(flight), towards, steps))
    return tuple(stairs)


def _behind(rooms: Sequence[HouseRoom], stack: Sequence[int], side: str) -> int:
    """How many rooms lie behind this wall of the stairs, on all storeys."""
    walls = [
        shared_wall(rooms[i].rect, room.rect) for i in stack for room in rooms if room.floor == rooms[i].floor
    ]
    return sum(wall is not None and wall[0] == side for wall in walls)


def _swapped(r: Rect) -> Rect:
    return Rect(r.y0, r.x0, r.y1, r.x1)


def _rounded(r: Rect) -> Rect:
    """Whole millimetres, so that walls of one plane are in one plane."""
    return Rect(round(r.x0, 3), round(r.y0, 3), round(r.x1, 3), round(r.y1, 3))


def _judge(rooms: Sequence[HouseRoom]) -> None:
    """Rejects rooms that nobody would build, and houses that nobody could live in."""
    kinds = Counter(room.kind for room in rooms)
    if min(kinds[kind] for kind in ("hall", "living room", "kitchen", "bathroom", "bedroom")) < 1:
        raise UnsuitedError("a room is missing")
    if kinds["bathroom"] > kinds["bedroom"] + 1:
        raise UnsuitedError("too many rooms of a kind")
    for room in rooms:
        short, long = sorted((room.rect.width, room.rect.depth))
        least, most = AREAS[room.kind]
        through = room.kind in ("corridor", "stairs", "hall")
        if short < SHORTEST[room.kind] or not least <= room.rect.area <= most:
            raise UnsuitedError("a room of the wrong size")
        if long > LONGEST_SHAPE * short and not through:
            raise UnsuitedError("a room like a tunnel")


def _judge_windows(rooms: Sequence[HouseRoom], openings: Sequence[Opening]) -> None:
    lit = {opening.room for opening in openings if opening.kind == "window"}
    if any(room.kind in _WITH_WINDOWS and i not in lit for i, room in enumerate(rooms)):
        raise UnsuitedError("a dark room")
