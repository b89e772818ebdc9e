"""Door leaves: they stand open at a right angle, where they are in nobody's way."""

from collections.abc import Iterator, Sequence

import numpy as np
from scipy.ndimage import label

from helpanna.worlds.houses.ground import WALK, Ground, stops_walkers
from helpanna.worlds.houses.layout import House, Opening, Rect
from helpanna.worlds.houses.openings import along, front_zone, sides_of

LEAF = 0.04
"""Metres of a door leaf's thickness."""
_LEFT_TO_WALK = 0.9  # of a room's floor, when the door is open
_BEHIND = 0.45  # metres of the doorways that count as floor of the room


def door_leaves(house: House) -> tuple[Rect | None, ...]:
    """The floor under the open leaf of each opening, in `opening.room`; None where it has no leaf.

    Only inner doors have an open leaf. It hangs on the jamb nearer to a corner, or on the other one if it
    would stand in something there or before another opening, or part the room. If neither will do, the
    doorway has no door.
    """
    hung: dict[int, list[Rect]] = {}
    leaves: list[Rect | None] = []
    for opening in house.openings:
        there = hung.setdefault(opening.room, [])
        fitting = (
            leaf
            for leaf in _leaves(house, opening)
            if _free(house, opening, leaf) and _passable(house, opening.room, [*there, leaf])
        )
        leaves.append(next(fitting, None))
        there += [leaf for leaf in leaves[-1:] if leaf]
    return tuple(leaves)


def _leaves(house: House, opening: Opening) -> Iterator[Rect]:
    """Where the leaf could be, the better place first."""
    if opening.kind != "door" or opening.other is None:
        return
    rect = house.rooms[opening.room].rect
    low, high = along(rect, opening.side)
    near_low = opening.centre - low <= high - opening.centre
    zone = front_zone(rect, opening, opening.side, opening.width - 0.03)
    for at_low in (near_low, not near_low):
        if opening.side in ("south", "north"):
            x = zone.x0 if at_low else zone.x1 - LEAF
            yield Rect(x, zone.y0, x + LEAF, zone.y1)
        else:
            y = zone.y0 if at_low else zone.y1 - LEAF
            yield Rect(zone.x0, y, zone.x1, y + LEAF)


def _free(house: House, opening: Opening, leaf: Rect) -> bool:
    room = house.rooms[opening.room]
    if not room.rect.contains(leaf):
        return False
    for other in house.openings:
        if other is opening or other.kind == "window":
            continue
        for i, side in sides_of(other):
            if i == opening.room and front_zone(room.rect, other, side, 0.5).meets(leaf):
                return False
    return not any(
        placed.footprint.meets(leaf)
        for placed in house.things
        # A rug lies under a door and a lamp hangs over it.
        if placed.room == opening.room
        and placed.position[2] + placed.thing.size[2] > room.z + 0.05
        and placed.position[2] < room.z + opening.high
    )


def _passable(house: House, room: int, leaves: Sequence[Rect]) -> bool:
    """Whether one can still walk from every opening of a room to every other and to most of its floor."""
    rect = house.rooms[room].rect
    ground = Ground([rect])
    flights = [s.rect for s in house.stairs if room in (s.lower, s.upper)]
    things = [p.footprint for p in house.things if p.room == room and stops_walkers(house, p)]
    ways = [(o, side) for o in house.openings if o.low == 0 for i, side in sides_of(o) if i == room]
    doorways = [front_zone(rect, opening, side, -_BEHIND) for opening, side in ways]
    floor = ground.mask(rect, *doorways) & ~ground.mask(*flights)
    solid = ~floor | ground.mask(*things)
    before, after = (
        label(ground.clearance(solid | ground.mask(*standing)) >= WALK)[0] for standing in ((), leaves)
    )
    doors = ground.cell(np.array([doorway.centre for doorway in doorways]))
    was, now = before[doors], after[doors]
    parted = (was[:, None] == was) & (now[:, None] != now)
    most, left = (np.bincount(part[part > 0], minlength=1).max() for part in (before, after))
    return not parted.any() and bool(left >= _LEFT_TO_WALK * most)
