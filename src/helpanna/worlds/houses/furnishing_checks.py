"""What can be wrong with the furniture of a house: a room without what makes it one, things in the air."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from helpanna.worlds.houses.archetypes import CIRCULATION
from helpanna.worlds.houses.checks import placed_corners
from helpanna.worlds.houses.ground import FLAT, Ground, in_the_way
from helpanna.worlds.houses.layout import House, HouseRoom, Placed, RoomKind
from helpanna.worlds.houses.openings import front_zone
from helpanna.worlds.houses.rays import Caster

_LAMPS = ("ceiling lamp", "pendant lamp", "chandelier")
# What makes a room what it is: of each line one must be there.
_NEEDS: dict[RoomKind, tuple[tuple[str, ...], ...]] = {
    "bathroom": (("toilet",), ("bathtub", "shower"), ("washbasin",)),
    "bedroom": (("bed", "bunk bed"), ("wardrobe",)),
    "dining room": (("dining table",), ("dining chair",)),
    "hall": (("coat rack", "shoe rack"),),
    "kitchen": (("sink",), ("stove",), ("refrigerator",), ("kitchen counter",)),
    "laundry room": (("washing machine",),),
    "living room": (("sofa", "loveseat"), ("tv stand", "fireplace")),
    "office": (("desk",), ("office chair",), ("bookshelf",)),
}
_WINDOW_CLOTHS = ("curtain", "blinds")
_LIGHT_LOVING = frozenset({*_WINDOW_CLOTHS, "sink", "plant"})  # they belong before windows

_CONTACT = 0.03  # metres: what is nearer touches
_BEFORE_WINDOW = 0.3  # metres of floor before a window that tall things leave free
_VIEW = 1.0  # metres: what is lower leaves the view free
_BROAD = 0.35  # metres: what is narrower hides no window
_LARGE = 8.0  # square metres
_COVERED = 0.1  # of a large room's floor
_WIDEST_PLACE = 3.6  # metres across an empty place


# Places all over a triangle, as weights of its corners.
_SAMPLES = np.array([(i, j, 6 - i - j) for i in range(7) for j in range(7 - i)]) / 6

Floats = NDArray[np.float64]


def check_furnishing(house: House) -> list[str]:
    """Everything that is wrong with the furniture of a house, one sentence each."""
    return [
        f"{house.name}: {problem}"
        for check in (_needs, _floating, _windows, _empty)
        for problem in check(house)
    ]


def _needs(house: House) -> Iterator[str]:
    """Every room has what makes it one, and a lamp."""
    for i, room in enumerate(house.rooms):
        there = {placed.thing.type for placed in house.things if placed.room == i}
        for choice in (*_NEEDS.get(room.kind, ()), _LAMPS):
            if there.isdisjoint(choice):
                yield f"the {room.name} has no {' or '.join(choice)}"


def _floating(house: House) -> Iterator[str]:
    """All stands on the floor or on something, hangs on a wall, or hangs from the ceiling."""
    for i, room in enumerate(house.rooms):
        things = [placed for placed in house.things if placed.room == i]
        corners = [placed_corners(placed) for placed in things]
        for k, placed in enumerate(things):
            if _on_floor(room, placed) or _on_ceiling(room, placed) or _on_wall(room, placed):
                continue
            others = [mine for j, mine in enumerate(corners) if j != k]
            if not others or not _supported(corners[k], np.concatenate(others)):
                yield f"a {placed.thing.type} floats in the {room.name}"


def _on_floor(room: HouseRoom, placed: Placed) -> bool:
    return placed.position[2] <= room.z + _CONTACT


def _on_ceiling(room: HouseRoom, placed: Placed) -> bool:
    return placed.position[2] + placed.thing.size[2] >= room.z + room.height - _CONTACT


def _on_wall(room: HouseRoom, placed: Placed) -> bool:
    """Whether it hangs on a wall, perhaps on brackets, or from the rail over a window."""
    near = 0.12 if placed.thing.type in _WINDOW_CLOTHS else 0.04
    return not room.rect.grown(-near).contains(placed.footprint)


def _supported(mine: Floats, others: Floats) -> bool:
    """Whether the underside of a thing touches others, on both sides of its middle."""
    points = np.einsum("sk,fkd->fsd", _SAMPLES, mine).reshape(-1, 3)
    base = points[points[:, 2] < points[:, 2].min() + _CONTACT]
    down = np.tile([0.0, 0.0, -1.0], (len(base), 1))
    over = base + np.array([0, 0, 0.01])
    held = base[~Caster(others).clear(over, down, np.full(len(base), 0.01 + _CONTACT))][:, :2]
    if not len(held):
        return False
    middle = (base.min(axis=0) + base.max(axis=0))[:2] / 2
    low, high = held.min(axis=0) - _CONTACT, held.max(axis=0) + _CONTACT
    return bool(np.all((low <= middle) & (middle <= high)))


def _windows(house: House) -> Iterator[str]:
    """No tall furniture stands before a window, and nobody watches television against the light."""
    for opening in house.openings:
        if opening.kind != "window":
            continue
        room = house.rooms[opening.room]
        zone = front_zone(room.rect, opening, opening.side, _BEFORE_WINDOW).grown(-FLAT)
        for placed in house.things:
            kind = placed.thing.type
            furniture = _on_floor(room, placed) and kind not in _LIGHT_LOVING
            if placed.room != opening.room or not (furniture or kind == "television"):
                continue
            low, high = placed.position[2] - room.z, placed.position[2] + placed.thing.size[2] - room.z
            hides = min(high, opening.high) - max(low, opening.low, _VIEW) > 0.1
            broad = max(placed.thing.size[:2]) >= _BROAD
            if hides and broad and placed.footprint.meets(zone):
                yield f"a {kind} stands before a window of the {room.name}"


def _empty(house: House) -> Iterator[str]:
    """No large room is bare, none has a large empty place."""
    for i, room in enumerate(house.rooms):
        if room.rect.area < _LARGE:
            continue
        ground = Ground([room.rect])
        standing = [p.footprint for p in house.things if p.room == i and in_the_way(house, p)]
        flights = [stair.rect for stair in house.stairs if i in (stair.lower, stair.upper)]
        inside, filled = ground.mask(room.rect), ground.mask(*standing, *flights)
        covered = float(filled[inside].mean())
        if room.kind not in CIRCULATION and covered < _COVERED:
            yield f"the {room.name} is bare: things cover {covered:.0%} of its floor"
        widest = 2 * float(ground.clearance(filled | ~inside)[inside].max())
        if widest > _WIDEST_PLACE:
            yield f"the {room.name} has an empty place {widest:.1f} m wide"
