"""What rooms are for, where nobody has said: a room with a bed is a bedroom."""

import numpy as np

from helpanna.worlds.world import World

_SURE = {
    "bedroom": {"bed", "bunk bed", "nightstand", "bedside table", "headboard"},
    "bathroom": {
        "toilet", "bathtub", "shower", "shower head", "bath cabinet", "bidet", "toilet paper",
        "toilet paper dispenser", "toilet paper holder", "bathroom sink", "bathroom counter",
    },
    "kitchen": {
        "stove", "oven", "refrigerator", "dishwasher", "kitchen counter", "kitchen cabinet", "kitchen island",
        "range hood",
    },
}  # fmt: skip
_LIKELY = {
    "laundry room": {"washing machine", "clothes dryer"},
    "dining area": {"dining table"},
    "sitting area": {"sofa", "couch"},
    "office area": {"office chair", "desk chair"},
    "game room": {"pool table", "foosball game table"},
    "gym": {"treadmill", "gym machine", "exercise machine", "rack of weights", "weight bench"},
}
_LENGTH, _WIDTH, _ROOMS, _LEVEL = 5.0, 1.6, 4, 0.4
"""A hallway is longer and narrower than this, joins at least this many other rooms, and is level."""


def room_kinds(world: World) -> tuple[str, ...]:
    """The kind of each room: what the world says, else what its things or its shape say; else nothing.

    What stands there must leave no doubt: a room with a bed and a stove has no kind.
    """
    things: list[set[str]] = [set() for _ in world.rooms]
    for kind, place in zip(world.object_types, world.delegates.tolist(), strict=True):
        if world.room_of[place] >= 0:
            things[world.room_of[place]].add(kind)
    joined: list[set[int]] = [set() for _ in world.rooms]
    for i, j in world.room_of[world.edges].tolist():
        if min(i, j) >= 0 and i != j:
            joined[i].add(j)
            joined[j].add(i)
    found = []
    for i, room in enumerate(world.rooms):
        kinds = _by_things(things[i])
        if not kinds and _is_hallway(world, i, len(joined[i])):
            kinds = ["hallway"]
        found.append(room.kind or (kinds[0] if len(kinds) == 1 else ""))
    return tuple(found)


def _by_things(things: set[str]) -> list[str]:
    """The kinds that a room with these things may have."""
    sure, likely = ([kind for kind, marks in table.items() if marks & things] for table in (_SURE, _LIKELY))
    return sure or likely


def _is_hallway(world: World, room: int, joins: int) -> bool:
    heights = world.positions[world.room_of == room, 2]
    if joins < _ROOMS or len(heights) < 3 or np.ptp(heights) > _LEVEL:
        return False
    length, width = room_span(world, room)
    return length > _LENGTH and width < _WIDTH


def room_span(world: World, room: int) -> tuple[float, float]:
    """How long and how wide the part of a room is in which its locations are."""
    places = world.positions[world.room_of == room, :2]
    if len(places) < 2:
        return 0.0, 0.0
    plan = places - places.mean(axis=0)
    spread = np.ptp(plan @ np.linalg.svd(plan)[2].T, axis=0)
    return float(spread[0]), float(spread[1])
