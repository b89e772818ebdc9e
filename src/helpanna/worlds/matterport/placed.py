"""Objects with a place in a building, wherever they were annotated."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class PlacedObjects:
    """The objects of one building that some viewpoint sees.

    Attributes:
        names: m object ids.
        types: what they are.
        positions: [m, 3] metres.
        radii: [m] metres.
        sightings: [k, 2] (viewpoint, object) indices, ascending.
        sighting_views: [k] bit masks of views.
        rays: [k, 3] unit vectors from the viewpoint to the object, as the source says.
        rooms: [m] the room of each object, -1 where the source does not say.
        unseen: how many annotated objects show in no view at all, and are left out.
    """

    names: tuple[str, ...]
    types: tuple[str, ...]
    positions: NDArray[np.float64]
    radii: NDArray[np.float64]
    sightings: NDArray[np.int32]
    sighting_views: NDArray[np.uint64]
    rays: NDArray[np.float64]
    rooms: NDArray[np.int32]
    unseen: int


def no_objects() -> PlacedObjects:
    """A building without annotations."""
    return PlacedObjects(
        names=(),
        types=(),
        positions=np.zeros((0, 3)),
        radii=np.zeros(0),
        sightings=np.zeros((0, 2), dtype=np.int32),
        sighting_views=np.zeros(0, dtype=np.uint64),
        rays=np.zeros((0, 3)),
        rooms=np.zeros(0, dtype=np.int32),
        unseen=0,
    )


def delegates(
    placed: PlacedObjects, positions: NDArray[np.float64], room_of: NDArray[np.int32]
) -> NDArray[np.int32]:
    """[m] the delegate location of each object: the closest one in the same room that sees it.

    Where the source does not say in which room an object is, it is in the room of the closest location that
    sees it; where nobody in its room sees it, the closest that does stands in.
    """
    location, thing = placed.sightings.T
    distance = np.linalg.norm(positions[location] - placed.positions[thing], axis=-1)
    elsewhere = (placed.rooms[thing] >= 0) & (placed.rooms[thing] != room_of[location])
    order = np.lexsort((location, distance, elsewhere, thing))
    first = np.unique(thing[order], return_index=True)[1]
    return location[order][first].astype(np.int32)
