"""Sight where no picture proves it: in which views a thing shows, and which location stands for it."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from helpanna.worlds.geometry import VIEWS, project

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

_BITS = np.uint64(1) << np.arange(VIEWS, dtype=np.uint64)


def view_masks(vectors: ArrayLike) -> NDArray[np.uint64]:
    """[...] 36 bits each: the views in whose picture a thing in the direction [..., 3] falls."""
    _, _, inside = project(np.asarray(vectors, dtype=np.float64)[..., None, :], np.arange(VIEWS))
    return np.where(inside, _BITS, np.uint64(0)).sum(axis=-1, dtype=np.uint64)


def delegate_locations(
    sightings: Ints, positions: Floats, room_of: Ints, object_positions: Floats, object_rooms: Ints
) -> Ints:
    """[m] the delegate location of each object: the closest one in the same room that sees it.

    Where the source does not say in which room an object is (-1), it is in the room of the closest location
    that sees it; where nobody in its room sees it, the closest that does stands in.

    Args:
        sightings: [k, 2] pairs (location, object); every object is seen at least once.
        positions: [n, 3] of the locations.
        room_of: [n] their rooms.
        object_positions: [m, 3] of the objects.
        object_rooms: [m] their rooms, -1 where unknown.
    """
    location, thing = sightings.T
    distance = np.linalg.norm(positions[location] - object_positions[thing], axis=-1)
    elsewhere = (object_rooms[thing] >= 0) & (object_rooms[thing] != room_of[location])
    order = np.lexsort((location, distance, elsewhere, thing))
    first = np.unique(thing[order], return_index=True)[1]
    return location[order][first].astype(np.int32)
