"""What an agent knows of a building after a walk, computed plainly: one agent, one priority queue."""

import heapq
from collections.abc import Iterable

import numpy as np

from helpanna.worlds.atlas import Atlas


def neighbours(atlas: Atlas, location: int) -> list[int]:
    return [int(v) for v in atlas.action_location[location, 0, 1:] if v >= 0]


def length(atlas: Atlas, a: int, b: int) -> float:
    return float(np.linalg.norm(atlas.position[a] - atlas.position[b]))


def metres_to_unvisited(atlas: Atlas, visited: Iterable[int], start: int) -> float:
    """From `start` to the nearest unvisited location, along ways that have a visited end."""
    visited = set(visited)
    if start not in visited:
        return 0.0
    queue, done = [(0.0, start)], set()
    while queue:
        metres, here = heapq.heappop(queue)
        if here not in visited:
            return metres
        if here not in done:
            done.add(here)
            for there in neighbours(atlas, here):
                heapq.heappush(queue, (metres + length(atlas, here, there), there))
    return np.inf
