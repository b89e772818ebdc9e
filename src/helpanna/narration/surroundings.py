"""A building as somebody who walks in it finds it: ways on, doorways, stairs, and what is in sight."""

import math
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from helpanna.narration.lexicon import DULL
from helpanna.narration.looks import Panorama, looks_of
from helpanna.narration.nouns import alike, names_of
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.room_kinds import room_kinds, room_span
from helpanna.worlds.world import World

_STEEP = 0.25
_RISE = 0.3
_THRESHOLD = 4.0
_OPEN_PLAN = 0.6


class Surroundings:
    """What walks in one building are made of; make it once for many walks."""

    def __init__(self, world: World, captions: Sequence[Panorama] | None = None) -> None:
        """Of a building, and where there are some the captions of each of its locations."""
        self.world, self.captions = world, captions
        self.position: list[list[float]] = world.positions.tolist()
        self.thing_position: list[list[float]] = world.object_positions.tolist()
        self.room: list[int] = world.room_of.tolist()
        self._rivals: dict[tuple[int, int], tuple[int, ...]] = {}
        self._telling: dict[tuple[int, int], float] = {}

    @cached_property
    def seen(self) -> list[list[int]]:
        """The things that each location sees."""
        seen: list[list[int]] = [[] for _ in range(self.world.location_count)]
        for location, thing in self.world.sightings.tolist():
            seen[location].append(thing)
        return seen

    @cached_property
    def neighbours(self) -> list[list[int]]:
        """The locations one can walk to from each."""
        near: list[list[int]] = [[] for _ in range(self.world.location_count)]
        for i, j in self.world.edges.tolist():
            near[i].append(j)
            near[j].append(i)
        return near

    @cached_property
    def _sees(self) -> set[tuple[int, int]]:
        pairs = self.world.sight_lines.tolist()
        return {(i, j) for a, b in pairs for i, j in ((a, b), (b, a))}

    @cached_property
    def doorways(self) -> dict[tuple[int, int], bool]:
        """For each edge (both ways) between two rooms, whether it leads through a narrow opening.

        It does if few of the places around one end see those around the other.
        """
        found = {}
        for i, j in self.world.edges.tolist():
            if -1 in (self.room[i], self.room[j]) or self.room[i] == self.room[j]:
                continue
            here, there = self._around(i), self._around(j)
            joined = sum((a, b) in self._sees for a in here for b in there)
            narrow = joined < _OPEN_PLAN * len(here) * len(there) or len(here) * len(there) <= 2
            found[i, j] = found[j, i] = narrow
        return found

    def _around(self, location: int) -> list[int]:
        """The places of the same room that are not far."""
        apart = np.linalg.norm(self.world.positions - self.world.positions[location], axis=1)
        same = self.world.room_of == self.world.room_of[location]
        return np.flatnonzero(same & (apart < _THRESHOLD)).tolist()

    def heading(self, i: int, j: int) -> float:
        """Degrees from location i to location j."""
        (x, y, _), (u, v, _) = self.position[i], self.position[j]
        return math.degrees(math.atan2(u - x, v - y))

    def slope(self, i: int, j: int) -> int:
        """1 where the way from i to j climbs like a stair, -1 where it descends, else 0."""
        (x, y, z), (u, v, w) = self.position[i], self.position[j]
        dz = w - z
        steep = abs(dz) >= max(_RISE, _STEEP * math.hypot(u - x, v - y))
        return int(math.copysign(1, dz)) if steep else 0

    def apart(self, thing: int, other: int) -> float:
        """Metres between two things."""
        return math.dist(self.thing_position[thing], self.thing_position[other])

    @cached_property
    def frequency(self) -> Counter[str]:
        """How many things of each type the building has."""
        return Counter(self.world.object_types)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """What each room is for, as far as that is known or can be told."""
        return room_kinds(self.world)

    @cached_property
    def large(self) -> frozenset[int]:
        """The things that are clearly larger than most of their type, where there are a few."""
        return frozenset(np.flatnonzero(self._relative_size > 1.4).tolist())

    @cached_property
    def small(self) -> frozenset[int]:
        """The things that are clearly smaller than most of their type."""
        return frozenset(np.flatnonzero(self._relative_size < 0.7).tolist())

    @cached_property
    def _relative_size(self) -> NDArray[np.float64]:
        """Each thing's size over that of most of its type; 1 where there are too few to tell."""
        sizes = np.ones(len(self.world.object_types))
        types = np.array(self.world.object_types)
        for kind, count in self.frequency.items():
            if count > 3:
                radii = self.world.object_radii[types == kind]
                sizes[types == kind] = radii / max(float(np.median(radii)), 1e-9)
        return sizes

    @cached_property
    def spans(self) -> tuple[tuple[float, float], ...]:
        """How long and how wide each room is, between its locations."""
        return tuple(room_span(self.world, room) for room in range(len(self.world.rooms)))

    def rivals(self, location: int, thing: int) -> tuple[int, ...]:
        """What else in sight of the location could be meant by the thing's name."""
        key = location, thing
        if key not in self._rivals:
            types, seen = self.world.object_types, self.seen[location]
            kind = types[thing]
            self._rivals[key] = tuple(i for i in seen if i != thing and alike(types[i], kind))
        return self._rivals[key]

    def telling(self, location: int, thing: int) -> float:
        """How well one knows a thing when one sees it: large, rare, alone; 0 if nobody speaks of it."""
        key = location, thing
        if key not in self._telling:
            kind = self.world.object_types[thing]
            size = min(max(float(self.world.object_radii[thing]), 0.1), 1.0)
            rare = self.frequency[kind] ** -0.5
            alone = 1 / (1 + len(self.rivals(location, thing)))
            dull = 0.3 if kind in DULL else 1.0
            self._telling[key] = size**0.5 * rare * alone * dull if names_of(kind) else 0.0
        return self._telling[key]

    def looks(self, location: int, thing: int, noun: str) -> tuple[str, ...]:
        """Colours and materials that captions give the thing, as seen from a location.

        Nothing where another in sight could be meant: nobody knows which of them the caption is about.
        """
        if self.captions is None or self.rivals(location, thing):
            return ()
        x, y, _ = self.position[location]
        a, b, _ = self.thing_position[thing]
        return looks_of(self.captions[location], math.atan2(a - x, b - y), noun)

    def reach(self, location: int, thing: int) -> float:
        """Metres from a location to a thing, on the plan."""
        return math.dist(self.position[location][:2], self.thing_position[thing][:2])

    def hangs(self, thing: int) -> bool:
        """Whether the thing is well above the floor of the location that sees it best."""
        location = int(self.world.delegates[thing])
        floor = self.position[location][2] - float(self.world.eye_heights[location])
        return self.thing_position[thing][2] - floor > 1.0

    def here(self, thing: int, location: int) -> bool:
        """Whether the thing is in the location's room, as far as that is known."""
        rooms = self.room[location], self.room[int(self.world.delegates[thing])]
        return -1 in rooms or rooms[0] == rooms[1]

    def beside(self, thing: int, i: int, j: int) -> tuple[float, float]:
        """Where along the way from i to j (0 to 1) a thing is, and how many metres to its right."""
        (x, y, _), (u, v, _), (a, b, _) = self.position[i], self.position[j], self.thing_position[thing]
        length = math.hypot(u - x, v - y) or 1e-9
        along = ((a - x) * (u - x) + (b - y) * (v - y)) / length**2
        aside = ((a - x) * (v - y) - (b - y) * (u - x)) / length
        return along, aside


def surroundings_of(atlas: Atlas, world: int) -> Surroundings:
    """One building of an atlas, with its captions where the atlas has some."""
    captions = atlas.views.captions
    said = None if captions is None else [captions.of(location) for location in atlas.locations(world)]
    return Surroundings(atlas.world(world), said)
