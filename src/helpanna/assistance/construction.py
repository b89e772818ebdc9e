"""Lemma 1 of the paper: N log N routes join any two locations by log N of them.

Every location gets a route to its 1st, 2nd, 4th, 8th, ... ancestor in a spanning tree, and the same way back.
To go from u to v, one climbs from u to the ancestor that both share and descends to v; either way takes one
route for each binary digit of its length.
"""

import numpy as np
from numpy.typing import NDArray

from helpanna.worlds.atlas import Atlas


def construct_paths(atlas: Atlas, world: int) -> list[NDArray[np.int32]]:
    """The paths (location ids) of Lemma 1 in one building, each connected part on its own.

    With trees of depth d there are at most 2 n (floor(log2 d) + 1) of them for n locations, and at most
    2 (floor(log2 d) + 1) lead from any location to any other of its part. (The paper's proof stops one power
    of two earlier, which would leave the root's children without a route.)
    """
    return [
        path
        for climb in climbs(atlas, world)
        # One power of two for each binary digit of the depth.
        for power in range((len(climb) - 1).bit_length())
        for path in (climb[: 2**power + 1], climb[2**power :: -1])
    ]


def climbs(atlas: Atlas, world: int) -> list[NDArray[np.int32]]:
    """For every location of the building the way to the root of its spanning tree, both ends included.

    The tree holds the shortest paths to a centre of the connected part, the location that is least far from
    the furthest one, so that it is not deep.
    """
    places = np.array(atlas.locations(world))
    distance = atlas.distances(places[:, None], places)
    joined = np.isfinite(distance)
    reach = np.where(joined, distance, 0).max(axis=1)
    roots = [places[near][reach[near].argmin()] for near in joined]
    ends = zip(places.tolist(), roots, strict=True)
    return [np.array(atlas.path(place, int(root)), dtype=np.int32) for place, root in ends]
