"""Shortest paths: distances and next hops between all locations of a building."""

import numpy as np
from numpy.typing import NDArray

from helpanna.worlds.world import World

NO_HOP = -1
"""The next hop where there is none: at the destination itself, or where it cannot be reached."""


def shortest_paths(world: World) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """All-pairs shortest paths of a building.

    Returns:
        distance: [n, n] metres, infinite between parts that are not connected.
        next_hop: [n, n] the neighbour of row i to walk to on the way to column j, or `NO_HOP`.
    """
    # Imported here: it takes a quarter of a second, and those who load an atlas and step do not need it.
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import dijkstra

    n = world.location_count
    i, j = world.edges.T
    lengths = world.edge_lengths()
    graph = csr_matrix(
        (np.concatenate([lengths, lengths]), (np.concatenate([i, j]), np.concatenate([j, i]))), shape=(n, n)
    )
    distance, predecessor = dijkstra(graph, directed=True, return_predecessors=True)
    # The graph is undirected: what comes before i on the way from j is what follows i on the way to j, and
    # following one destination's tree never turns in circles, even between paths of equal length.
    next_hop = np.where(predecessor.T < 0, NO_HOP, predecessor.T).astype(np.int32)
    return np.minimum(distance, distance.T), next_hop
