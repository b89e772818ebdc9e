"""Kitchens: units side by side along the walls."""

import numpy as np

from helpanna.worlds.houses.arrangement.dining import dining_group
from helpanna.worlds.houses.arrangement.groups import GAP, Member
from helpanna.worlds.houses.arrangement.pieces import (
    HUNG,
    ON_WALL,
    NoSpaceError,
    hang_over,
    light,
    pictures,
    piece,
    radiators,
    window_cloths,
)
from helpanna.worlds.houses.arrangement.space import QUARTERS, Space
from helpanna.worlds.houses.layout import Side
from helpanna.worlds.houses.openings import SIDES, along, wall_at

_LEAST = 0.3  # metres of a counter's width
_WIDEST = 1.2
_LONGEST = 4.0  # metres of a run; shorter ones leave space for others
_SHORTEST = 1.8
_WIDTHS = {"sink": 0.8, "stove": 0.62, "dishwasher": 0.6, "refrigerator": 0.66, "oven": 0.6}
# Runs of units from left to right; "-" is a counter as wide as is needed.
_WHOLE = (
    ("refrigerator", "-", "sink", "dishwasher", "-", "stove", "-"),
    ("refrigerator", "-", "sink", "-", "stove", "-"),
    ("refrigerator", "sink", "-", "stove"),
)
_WET = (("-", "sink", "dishwasher", "-"), ("-", "sink", "-"), ("sink", "-"), ("sink",))
_HOT = (("refrigerator", "-", "stove", "-"), ("-", "stove", "-"), ("stove", "-"), ("stove",))


def kitchen(space: Space, eat_here: bool) -> None:
    """A sink, below a window if possible, a stove with its hood, a refrigerator, counters, cabinets above."""
    # Tall things cannot stand before windows, so the refrigerator must sometimes choose first.
    if space.chance(0.3):
        piece(space, "refrigerator", access=0.6, taste={"corner": 1.0})
    if space.has("refrigerator") or not space.chance(0.6) or not _run(space, _WHOLE):
        hot = _HOT[1:] if space.has("refrigerator") else _HOT
        if not (_run(space, _WET) and _run(space, hot)):
            raise NoSpaceError("no place for kitchen units")
    if not space.has("refrigerator"):
        _refrigerator(space)
    _cabinets(space)
    if space.room.rect.area > 11 and space.chance(0.5):
        _island(space)
    if eat_here:
        dining_group(space, most=4, need=False)
    if space.room.rect.area > 9 and space.wants(0.5):
        piece(space, "oven", access=0.6, taste={"corner": 1.0})
    if space.wants(0.4):
        piece(space, "kitchen shelf", access=0.5, taste={"corner": 1.0})
    piece(space, "trash can", access=0.0, taste={"corner": 0.6})
    for type, probability in (("stool", 0.3), ("ladder", 0.1), ("water cooler", 0.1)):
        if space.wants(probability):
            piece(space, type, access=0.0, taste={"corner": 0.6})
    light(space)
    radiators(space, 0.3)
    window_cloths(space, "blinds")
    pictures(space, 2, "clock", "picture")


def _refrigerator(space: Space) -> None:
    """A tall one, or one as low as the counters."""
    if not piece(space, "refrigerator", access=0.6, taste={"corner": 1.0}):
        low = space.make("refrigerator", height=0.95)
        if not space.at_wall(Member(low, access=0.6), taste={"corner": 1.0}):
            raise NoSpaceError("no place for a refrigerator")


def _run(space: Space, choices: tuple[tuple[str, ...], ...]) -> bool:
    """Places the first of the runs that fits in some stretch of wall, at its longest."""
    stretches = sorted(_stretches(space), key=lambda s: -_merit(space, *s))
    longest = float(space.rng.uniform(_SHORTEST, _LONGEST))
    runs = [(units, stretch) for units in choices for stretch in stretches]
    # A stove stands before a window, without a hood, only where there is no other place.
    for hooded in (True, False):
        for units, (side, low, high) in runs:
            for flip in (False, True) if space.chance(0.5) else (True, False):
                if _lay(space, units[::-1] if flip else units, side, (low, high), longest, hooded):
                    return True
    return False


def _merit(space: Space, side: Side, low: float, high: float) -> float:
    """Long stretches are liked, windows too."""
    lit = any(low < o.centre < high for o, s in space.windows if s == side)
    return min(high - low, _LONGEST) + (1.0 if lit else 0.0) + float(space.rng.uniform(0, 0.8))


def _stretches(space: Space) -> list[tuple[Side, float, float]]:
    """Where units can stand: parts of walls with nothing before them."""
    unit = space.make("kitchen counter", width=_LEAST)
    found = []
    for side in SIDES:
        low, high = along(space.room.rect, side)
        places = np.arange(low + GAP, high - _LEAST - GAP + 1e-6, 0.05)
        across = np.full(len(places), wall_at(space.room.rect, side))
        middles = places + _LEAST / 2
        anchors = np.stack([middles, across] if side in ("south", "north") else [across, middles], axis=-1)
        free = space.free([Member(unit)], QUARTERS[side], anchors)
        start: float | None = None
        for place, ok in zip([*places.tolist(), high], [*free.tolist(), False], strict=True):
            if ok and start is None:
                start = place
            if not ok and start is not None:
                found.append((side, start, min(place - 0.05 + _LEAST, high - GAP)))
                start = None
    return found


def _lay(
    space: Space,
    units: tuple[str, ...],
    side: Side,
    stretch: tuple[float, float],
    longest: float,
    hooded: bool,
) -> bool:
    low, high = stretch
    fixed = sum(_WIDTHS.get(unit, 0.0) for unit in units)
    counters = units.count("-")
    spare = min(high - low, max(longest, fixed + counters * _LEAST)) - fixed
    if spare < counters * _LEAST:
        return False
    width = min(spare / counters, _WIDEST) if counters else 0.0
    total = fixed + counters * width
    group, at = [], 0.0
    for unit in units:
        wide = _WIDTHS.get(unit, width)
        thing = space.make("kitchen counter" if unit == "-" else unit, width=wide)
        # A tap may stand before a window.
        avoids = ("door", "access") if unit == "sink" else ("door", "window", "access")
        access = 0.0 if unit == "-" else 0.65
        group.append(Member(thing, at + wide / 2 - total / 2, access=access, avoids=avoids))
        if unit == "stove" and hooded:
            hood = space.make("range hood", width=wide, height=space.room.height - 1.6)
            y, z = ON_WALL + hood.size[1] / 2, space.room.height - hood.size[2]
            group.append(Member(hood, at + wide / 2 - total / 2, y, z=z, avoids=HUNG))
        at += wide
    # Flush with one end of the stretch or the other, so that runs meet in corners.
    ends = [low + total / 2, high - total / 2]
    places = np.array(ends if space.chance(0.5) else ends[::-1])
    across = np.full(2, wall_at(space.room.rect, side))
    anchors = np.stack([places, across] if side in ("south", "north") else [across, places], axis=-1)
    return space.place(group, [(QUARTERS[side], anchors, np.array([1.0, 0.0]))]) is not None


def _cabinets(space: Space) -> None:
    """Cabinets over the units where there is no window."""
    for below in list(space.placed):
        if below.thing.type in ("kitchen counter", "sink", "dishwasher") and space.chance(0.8):
            cabinet = space.make("kitchen cabinet", width=below.thing.size[0], height=0.7)
            hang_over(space, cabinet, below, 1.45)


def _island(space: Space) -> None:
    """An island with stools behind it."""
    for width in (1.8, 1.4, 1.2):
        island = space.make("kitchen island", width=width)
        stool = space.make("bar stool")
        y = -(island.size[1] + stool.size[1]) / 2 - 0.03
        stools = [Member(stool, x, y) for x in (-width / 4, width / 4)]
        if space.on_floor(Member(island, y=0.0, access=0.6), *stools, quarters=(0, 1, 2, 3)):
            return
