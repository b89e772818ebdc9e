"""What agents remember of places: one value for each place that an agent has seen."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.integer[Any]]

_FIRST = 32


class PlaceTable:
    """One value for each of B agents and each place it has seen, read and written by the place's number.

    Places have a further axis or not: `table[place]` with [B] gives [B], with [B, K] gives [B, K].
    """

    def __init__(self, agents: int, empty: NDArray[Any]) -> None:
        self._empty = empty
        self._values = np.full((agents, _FIRST), empty)

    def __getitem__(self, place: Places) -> NDArray[Any]:
        values = self._wide_enough(place)
        return values[self._agents(place), place]

    def __setitem__(self, place: Places, value: NDArray[Any]) -> None:
        values = self._wide_enough(place)
        values[self._agents(place), place] = value

    def _wide_enough(self, place: Places) -> NDArray[Any]:
        while place.max(initial=0) >= self._values.shape[1]:
            more = np.full(self._values.shape, self._empty)
            self._values = np.concatenate([self._values, more], axis=1)
        return self._values

    def _agents(self, place: Places) -> NDArray[np.int64]:
        return np.arange(len(self._values)).reshape(-1, *[1] * (place.ndim - 1))
