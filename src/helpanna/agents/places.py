"""What agents remember of places: one value for each location of each agent's own building."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.tasks.split import Split

Ints = NDArray[np.int64]


class PlaceTable:
    """One value for each of B agents and each location of its building, read and written by location id.

    A location has a further axis or not: `table[location]` with [B] gives [B], with [B, K] gives [B, K].
    """

    def __init__(self, split: Split, tasks: Ints, empty: NDArray[Any]) -> None:
        atlas = split.atlas
        world = atlas.world_of[split.start[tasks]]
        self._first = atlas.world_start[world]
        width = np.max(atlas.world_start[world + 1] - self._first, initial=0)
        self._values = np.full((len(tasks), width), empty)

    def __getitem__(self, location: Ints) -> NDArray[Any]:
        return self._values[self._entry(location)]

    def __setitem__(self, location: Ints, value: NDArray[Any]) -> None:
        self._values[self._entry(location)] = value

    def _entry(self, location: Ints) -> tuple[Ints, Ints]:
        further = (1,) * (location.ndim - 1)
        agents = np.arange(len(self._first)).reshape(-1, *further)
        return agents, location - self._first.reshape(-1, *further)
