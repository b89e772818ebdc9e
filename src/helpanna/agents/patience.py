"""Patience: agents that were told a route try it for some steps before they ask again (not in the paper).

Whoever strays from a route and asks at once is told another one from there, and strays again; whoever looks
on for a few steps often finds the way back.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from helpanna.episodes.observation import Observation

Ints = NDArray[np.int64]


class Patience:
    """Knows since when each of B agents has had its instruction.

    Attributes:
        steps: how many time steps agents try a route before they may ask again; 0 for none.
    """

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self._since: Ints | None = None

    def see(self, observation: Observation) -> None:
        """The agents are at a next step."""
        since = np.zeros(len(observation.task), dtype=np.int64) if self._since is None else self._since
        self._since = np.where(observation.text_changed, observation.step, since)

    def waits(self, observation: Observation) -> NDArray[np.bool_]:
        """[B] who is on a route that it has not tried long enough."""
        assert self._since is not None  # noqa: S101  # they have looked before
        return observation.on_route & (observation.step - self._since < self.steps)

    def select(self, rows: Ints) -> "Patience":
        """That of these agents only."""
        chosen = Patience(self.steps)
        chosen._since = None if self._since is None else self._since[rows]
        return chosen

    @staticmethod
    def join(parts: "Sequence[Patience]") -> "Patience":
        """That of all agents."""
        joined = Patience(parts[0].steps)
        joined._since = np.concatenate([part._since for part in parts if part._since is not None])
        return joined
