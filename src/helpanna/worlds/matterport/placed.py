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
