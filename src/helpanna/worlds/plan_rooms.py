"""The rooms of a floor plan: the ground each covers, and its colour.

Worlds hold no walls, so a room covers the ground nearest to its locations, the ways between them and its
objects.
"""

import math
import zlib
from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_fill_holes, distance_transform_edt, find_objects, gaussian_filter
from scipy.spatial import cKDTree

from helpanna.worlds.world import World

Floats = NDArray[np.float64]

# After Paul Tol's "light" scheme, which colour-blind people can tell apart, made paler.
_COLOURS = ("#C6DBF1", "#F8F1CD", "#B1E2D4", "#FFDBE2", "#E2EAA9", "#F8CDBF", "#D4F1FF", "#E2D4F1")
NO_ROOM_COLOUR = "#EFEFEF"

# Metres: how far a room reaches from its locations and from its objects, how narrow a bay is filled, and how
# round corners are.
_REACH, _OBJECT_REACH, _BAY, _ROUNDING = 1.3, 0.45, 1.0, 0.2
_CELL, _MOST_CELLS = 0.1, 2000
_NEIGHBOURS = 6.0


@dataclass(frozen=True)
class Area:
    """The ground a room covers on one floor.

    Attributes:
        x, y: [w], [h] metres: the columns and rows of a grid around it.
        cover: [h, w] from 0 outside to 1 inside; the room's outline is at 0.5.
    """

    x: Floats
    y: Floats
    cover: Floats

    @property
    def places(self) -> Floats:
        """[., 2] the grid's places inside the room."""
        row, column = np.nonzero(self.cover > 0.5)
        return np.stack([self.x[column], self.y[row]], axis=-1)


def room_areas(world: World, floor: int, low: Floats, high: Floats) -> dict[int, Area]:
    """The areas of a floor's rooms, by room; -1 is the ground around locations of no room.

    Args:
        world: the building.
        floor: the storey.
        low: [2] metres: the lower left corner of the ground to look at.
        high: [2] metres: its upper right corner.
    """
    here = np.flatnonzero(world.floors == floor)
    objects = np.flatnonzero(world.floors[world.delegates] == floor)
    cell = max(_CELL, float(np.max(high - low)) / _MOST_CELLS)
    x, y = (np.arange(low[axis], high[axis], cell) for axis in (0, 1))
    grid = np.stack(np.meshgrid(x, y), axis=-1)

    a, b = world.edges[np.isin(world.edges, here).all(axis=1)].T
    within = world.room_of[a] == world.room_of[b]
    a, b = np.concatenate([here, a[within]]), np.concatenate([here, b[within]])
    ways = points_along(world.positions[a, :2], world.positions[b, :2])
    distance, owner = _nearest(grid, ways, world.room_of[a])
    at = world.delegates[objects]
    ways = points_along(world.positions[at, :2], world.object_positions[objects, :2])
    object_distance, object_owner = _nearest(grid, ways, world.room_of[at])
    object_distance += _REACH - _OBJECT_REACH
    owner = np.where(object_distance < distance, object_owner, owner)
    outside = np.minimum(distance, object_distance) > _REACH

    areas = {}
    number = np.where(outside, 0, owner + 2)
    pad = math.ceil(4 * _ROUNDING / cell)
    for room, found in enumerate(find_objects(number), start=-1):
        if found is None:
            continue
        rows, columns = (slice(max(part.start - pad, 0), part.stop + pad) for part in found)
        covered = number[rows, columns] == room + 2
        covered |= _closed(covered, _BAY / cell) & outside[rows, columns]
        cover = gaussian_filter(covered.astype(np.float64), _ROUNDING / cell)
        if cover.max() > 0.5:
            areas[room] = Area(x[columns], y[rows], cover)
    return areas


def _closed(covered: NDArray[np.bool_], radius: float) -> NDArray[np.bool_]:
    """The area with its holes filled, and bays that a disc of this radius (in cells) cannot enter."""
    pad = math.ceil(radius) + 1
    grown = distance_transform_edt(~np.pad(covered, pad)) <= radius
    return binary_fill_holes(distance_transform_edt(grown) > radius)[pad:-pad, pad:-pad]


def points_along(starts: Floats, ends: Floats) -> Floats:
    """Points [., 15, 2] along the segments from starts [., 2] to ends [., 2]."""
    return np.linspace(starts, ends, 15, axis=1)


def _nearest(grid: Floats, points: Floats, owners: NDArray[np.int32]) -> tuple[Floats, NDArray[np.int32]]:
    """The distance from each place to the closest of the points [k, s, 2], and its owner, one of [k].

    Out of reach the distance is infinite and the owner -1.
    """
    distance, which = cKDTree(points.reshape(-1, 2)).query(grid, distance_upper_bound=_REACH + 1e-6)
    owner = np.append(np.repeat(owners, points.shape[1]), np.int32(-1))
    return distance, owner[which]


def room_colours(world: World) -> list[str]:
    """A colour a room: by kind where it is known, the same in every world as far as the colours go.

    A room of unknown kind gets the colour that the rooms near it have least.
    """
    of_kind: dict[str, int] = {}
    for kind in sorted({room.kind for room in world.rooms if room.kind}):
        # A kind's own colour, or the next one that fewer kinds have.
        own = zlib.crc32(kind.encode()) % len(_COLOURS)
        steps = Counter({colour: (colour - own) % len(_COLOURS) for colour in range(len(_COLOURS))})
        of_kind[kind] = _least_used(Counter(of_kind.values()), steps)

    # How close rooms are: the pairs of their locations that are near each other.
    closeness: dict[int, Counter[int]] = defaultdict(Counter)
    for i, j in cKDTree(world.positions).query_pairs(_NEIGHBOURS):
        if world.floors[i] == world.floors[j]:
            earlier, later = sorted((int(world.room_of[i]), int(world.room_of[j])))
            closeness[later][earlier] += 1
    chosen: list[int] = []
    for r, room in enumerate(world.rooms):
        near: Counter[int] = Counter()
        for other in closeness[r].keys() - {r, -1}:
            near[chosen[other]] += closeness[r][other]
        chosen.append(of_kind.get(room.kind, _least_used(near, Counter(chosen))))
    return [_COLOURS[colour] for colour in chosen]


def _least_used(*counts: Counter[int]) -> int:
    """The colour that counts least, by the first count, then the next."""
    return min(range(len(_COLOURS)), key=lambda colour: [count[colour] for count in counts])
