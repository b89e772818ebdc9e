"""A building as somebody who walks in it finds it: ways on, doorways, stairs, and what is in sight."""

import math
from collections import Counter
from functools import cached_property

import numpy as np

from helpanna.worlds.geometry import angles
from helpanna.worlds.world import World

_STEEP = 0.25
_RISE = 0.3
_THRESHOLD = 4.0
_OPEN_PLAN = 0.6


class Surroundings:
    """What walks in one building are made of; make it once for many walks."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.position: list[list[float]] = world.positions.tolist()
        self.thing_position: list[list[float]] = world.object_positions.tolist()
        self.room: list[int] = world.room_of.tolist()

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
        towards = np.subtract(self.position[j], self.position[i])
        return math.degrees(float(angles(towards)[0]))

    def slope(self, i: int, j: int) -> int:
        """1 where the way from i to j climbs like a stair, -1 where it descends, else 0."""
        dx, dy, dz = np.subtract(self.position[j], self.position[i]).tolist()
        steep = abs(dz) >= max(_RISE, _STEEP * math.hypot(dx, dy))
        return int(math.copysign(1, dz)) if steep else 0

    def apart(self, thing: int, other: int) -> float:
        """Metres between two things."""
        return math.dist(self.thing_position[thing], self.thing_position[other])

    @cached_property
    def frequency(self) -> Counter[str]:
        """How many things of each type the building has."""
        return Counter(self.world.object_types)

    @cached_property
    def large(self) -> frozenset[int]:
        """The things that are clearly larger than most of their type, where there are a few."""
        world, found = self.world, []
        for kind in set(world.object_types):
            same = [i for i, other in enumerate(world.object_types) if other == kind]
            usual = float(np.median(world.object_radii[same]))
            found += [i for i in same if len(same) > 3 and world.object_radii[i] > 1.4 * usual]
        return frozenset(found)

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
