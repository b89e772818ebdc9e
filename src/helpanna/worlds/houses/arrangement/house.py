"""Furnishing: every room of a house gets what such rooms have, where such things stand."""

import math
from dataclasses import replace

from helpanna.errors import InputError
from helpanna.randomness import generator
from helpanna.worlds.houses.arrangement import kitchens, private, rooms
from helpanna.worlds.houses.arrangement.pieces import NoSpaceError, switches
from helpanna.worlds.houses.arrangement.small import small_things
from helpanna.worlds.houses.arrangement.space import Space
from helpanna.worlds.houses.layout import House, Placed
from helpanna.worlds.houses.styles import Style, draw_style

_ATTEMPTS = 60
_USUAL_ROOMS = 3  # larger houses have fewer things a room


def furnish(house: House, seed: int) -> House:
    """The house with things in it; the same for the same house and seed.

    Nothing intersects, a strip before every door stays free, and all doors of a room are joined by ways 0.7 m
    wide.

    Args:
        house: the building; things it has are replaced.
        seed: the seed of the set of houses.

    Raises:
        InputError: a room is too small for what it must have.
    """
    style = draw_style(seed, house.name, house.style)
    found: dict[int, list[Placed]] = {}
    # Kitchens first: people eat in the living room only where they cannot eat elsewhere.
    for index in sorted(range(len(house.rooms)), key=lambda i: house.rooms[i].kind != "kitchen"):
        eaten = any(placed.thing.type == "dining table" for things in found.values() for placed in things)
        found[index] = _furnish_room(house, index, style, seed, not eaten)
    return replace(house, things=tuple(placed for index in sorted(found) for placed in found[index]))


def _furnish_room(house: House, index: int, style: Style, seed: int, table: bool) -> list[Placed]:
    plenty = min(1.0, math.sqrt(_USUAL_ROOMS / len(house.rooms)))
    for attempt in range(_ATTEMPTS):
        rng = generator(seed, f"furniture of house {house.name}", index, attempt)
        space = Space(house, index, style, rng, plenty)
        try:
            _arrange(space, house, table)
        except NoSpaceError:
            continue
        if space.wants(1.0):
            switches(space)
        small_things(space)
        return space.placed
    room, size = house.rooms[index], house.rooms[index].rect
    raise InputError(
        f"{room.name} of {house.name} ({size.width:.2f} x {size.depth:.2f} m) is too small for what it must "
        "have; choose another seed."
    )


def _arrange(space: Space, house: House, table: bool) -> None:
    """Places what stands on the floor and hangs on walls; `table`: where to eat is still wanted."""
    kinds = [room.kind for room in house.rooms]
    eat_here = table and "dining room" not in kinds
    match space.room.kind:
        case "living room":
            private.living_room(space, eat_here)
        case "bedroom":
            # The largest bedroom is the parents', some of the others are children's.
            largest = max(room.rect.area for room in house.rooms if room.kind == "bedroom")
            private.bedroom(space, space.room.rect.area < largest and space.index % 2 == 0)
        case "kitchen":
            kitchens.kitchen(space, eat_here)
        case "dining room":
            rooms.dining_room(space)
        case "office":
            rooms.office(space)
        case "bathroom":
            rooms.bathroom(space, "laundry room" not in kinds)
        case "laundry room":
            rooms.laundry_room(space)
        case "hall":
            rooms.hall(space)
        case "corridor":
            rooms.corridor(space)
        case "stairs":
            rooms.stairs(space)
