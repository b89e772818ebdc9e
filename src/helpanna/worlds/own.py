"""Worlds from what people have: positions, ways between them, things with a place, rooms.

What else a `World` needs is worked out here: storeys, who sees which thing in which views, and where an agent
stands when it has found one. Nothing is known of walls, so a location sees the things of its own room that
are near, and the locations of its own room and those one can walk to.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.worlds.floors import estimate_floors
from helpanna.worlds.sight import delegate_locations, view_masks
from helpanna.worlds.world import Room, World, unordered_pairs

EYE_HEIGHT = 1.5
SIGHT = 3.0
"""Metres: things are recognised up to this distance, like those annotated in real buildings."""

_STOREY = 2.0
"""Metres of height between a location and a thing that is on another storey, where rooms do not tell."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


@dataclass(frozen=True)
class Thing:
    """An object that can be sought.

    Attributes:
        type: what it is, in words: "coffee table".
        position: its centre (x, y, z) in metres, z up.
        room: the room it is in; without one, that of the nearest location.
        size: metres across.
        name: its own name; without one, its type and a number.
    """

    type: str
    position: Sequence[float]
    room: str = ""
    size: float = 0.5
    name: str = ""


def make_world(
    name: str,
    positions: Mapping[str, Sequence[float]],
    edges: Iterable[tuple[str, str]],
    things: Sequence[Thing] = (),
    rooms: Mapping[str, Iterable[str]] | None = None,
    *,
    kinds: Mapping[str, str] | None = None,
    eye_height: float = EYE_HEIGHT,
    sight: float = SIGHT,
) -> World:
    """One building.

    Args:
        name: its name, unique in an atlas.
        positions: of each location by name, in metres: (x, y) on the ground, or (x, y, z) with the height of
            the floor there. Heading 0 looks along +y, z is up.
        edges: pairs of locations one can walk between.
        things: the objects.
        rooms: the locations of each room, by the room's name.
        kinds: what a room is for ("bedroom"); by default its name without a number at its end.
        eye_height: metres of the camera over the floor.
        sight: metres up to which things are recognised. What is farther from every location of its room is
            recognised from the nearest one, so that it can be sought.

    Raises:
        InputError: something is missing, given twice, or does not fit together.
    """
    if not positions:
        raise InputError(f"the building {name} has no locations; give at least one.")
    for what, value in (("eye_height", eye_height), ("sight", sight)):
        if not (math.isfinite(value) and value > 0):
            raise InputError(f"{what} of the building {name} is {value}; give metres above 0.")
    index = {location: i for i, location in enumerate(positions)}
    eyes = np.array([_ground(name, location, place) for location, place in positions.items()])
    eyes[:, 2] += eye_height
    pairs = _edges(name, edges, index)
    room_names, room_of = _rooms(name, rooms or {}, index)
    places = np.array([_place(name, thing) for thing in things]).reshape(-1, 3)
    thing_rooms = _thing_rooms(name, things, places, eyes, room_names, room_of)
    sightings, masks = _sightings(name, things, places, thing_rooms, eyes, room_of, sight)
    together = np.argwhere((room_of[:, None] == room_of) & (room_of >= 0))
    sight_lines = np.concatenate([pairs, together])
    for room in kinds or {}:
        if room not in room_names:
            raise InputError(f"kinds of the building {name} names {room!r}, which is none of its rooms.")
    return World(
        name=name,
        location_names=tuple(positions),
        positions=eyes,
        eye_heights=np.full(len(eyes), eye_height),
        floors=estimate_floors(eyes[:, 2]),
        edges=pairs,
        sight_lines=unordered_pairs(*sight_lines.T),
        rooms=tuple(Room(room, (kinds or {}).get(room, _kind(room))) for room in room_names),
        room_of=room_of,
        object_names=_thing_names(things),
        object_types=tuple(thing.type for thing in things),
        object_positions=places,
        object_radii=np.array([thing.size / 2 for thing in things]),
        delegates=delegate_locations(sightings, eyes, room_of, places, thing_rooms),
        sightings=sightings,
        sighting_views=masks,
    )


def _ground(world: str, location: str, place: Any) -> list[float]:
    try:
        numbers = [float(number) for number in place]
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) not in (2, 3) or not all(map(math.isfinite, numbers)):
        raise InputError(
            f"the location {location!r} of the building {world} is at {place!r}; give (x, y) or (x, y, z) in "
            "metres."
        )
    return [*numbers, 0.0][:3]


def _place(world: str, thing: Thing) -> list[float]:
    try:
        numbers = [float(number) for number in thing.position]
        size = float(thing.size)
    except (TypeError, ValueError):
        numbers, size = [], 0.0
    if not isinstance(thing.type, str) or not thing.type.strip():
        raise InputError(
            f"a thing of the building {world} has the type {thing.type!r}; say in words what it is."
        )
    if len(numbers) != 3 or not all(map(math.isfinite, numbers)):
        raise InputError(
            f"the {thing.type} of the building {world} is at {thing.position!r}; give (x, y, z) in metres."
        )
    if not (math.isfinite(size) and size > 0):
        raise InputError(
            f"the {thing.type} of the building {world} has the size {thing.size!r}; give metres above 0."
        )
    return numbers


def _edges(world: str, edges: Iterable[tuple[str, str]], index: Mapping[str, int]) -> Ints:
    found = []
    for edge in edges:
        if isinstance(edge, str) or len(edge) != 2:
            raise InputError(f"the building {world} has the edge {edge!r}; give pairs of locations.")
        for end in edge:
            if end not in index:
                raise InputError(
                    f"an edge of the building {world} names {end!r}, which is none of its locations."
                )
        if edge[0] == edge[1]:
            raise InputError(f"an edge of the building {world} joins {edge[0]!r} with itself; leave it out.")
        found.append((index[edge[0]], index[edge[1]]))
    return unordered_pairs(*np.array(found, dtype=np.int32).reshape(-1, 2).T)


def _rooms(
    world: str, rooms: Mapping[str, Iterable[str]], index: Mapping[str, int]
) -> tuple[tuple[str, ...], Ints]:
    """The rooms' names, and the room of each location, -1 where none is named."""
    room_of = np.full(len(index), -1, dtype=np.int32)
    for number, (room, locations) in enumerate(rooms.items()):
        if isinstance(locations, str):
            raise InputError(
                f"the room {room!r} of the building {world} is {locations!r}; list its locations."
            )
        for location in locations:
            if location not in index:
                raise InputError(
                    f"the room {room!r} of the building {world} names {location!r}, which is none of its "
                    "locations."
                )
            if room_of[index[location]] >= 0:
                raise InputError(
                    f"the location {location!r} of the building {world} is in two rooms; keep one."
                )
            room_of[index[location]] = number
    return tuple(rooms), room_of


def _thing_rooms(
    world: str,
    things: Sequence[Thing],
    places: Floats,
    eyes: Floats,
    room_names: Sequence[str],
    room_of: Ints,
) -> Ints:
    """[m] the room of each thing, -1 where there are none."""
    number = {room: i for i, room in enumerate(room_names)}
    rooms = np.empty(len(things), dtype=np.int32)
    for i, thing in enumerate(things):
        if thing.room and thing.room not in number:
            raise InputError(
                f"the {thing.type} of the building {world} is in the room {thing.room!r}, which it has not."
            )
        nearest = int(np.linalg.norm(eyes - places[i], axis=-1).argmin())
        rooms[i] = number[thing.room] if thing.room else room_of[nearest]
    return rooms


def _sightings(
    world: str,
    things: Sequence[Thing],
    places: Floats,
    thing_rooms: Ints,
    eyes: Floats,
    room_of: Ints,
    sight: float,
) -> tuple[Ints, NDArray[np.uint64]]:
    """Who sees what, [k, 2] pairs (location, thing), and in which views."""
    towards = places - eyes[:, None]  # [n, m, 3]
    apart = np.linalg.norm(towards, axis=-1)
    masks = view_masks(towards)
    may = (masks > 0) & (room_of[:, None] == thing_rooms)
    may &= (thing_rooms >= 0) | (np.abs(towards[..., 2]) < _STOREY)
    for hidden in np.flatnonzero(~may.any(axis=0)).tolist():
        thing = things[hidden]
        where = f"of the room {thing.room!r}" if thing.room else "near it"
        raise InputError(
            f"the {thing.type} of the building {world} at {tuple(thing.position)} shows in no view of a "
            f"location {where}; move it or add a location."
        )
    nearest = np.where(may, apart, np.inf)
    seen = may & ((apart <= sight) | (nearest == nearest.min(axis=0, initial=np.inf)))
    pairs = np.argwhere(seen)
    return pairs.astype(np.int32), masks[seen]


def _kind(room: str) -> str:
    """What a room called "bedroom 2" is for."""
    return re.sub(r"[\s_]*\d+$", "", room).replace("_", " ")


def _thing_names(things: Sequence[Thing]) -> tuple[str, ...]:
    count: Counter[str] = Counter()
    names = []
    for thing in things:
        count[thing.type] += 1
        names.append(thing.name or f"{thing.type} {count[thing.type]}")
    return tuple(names)
