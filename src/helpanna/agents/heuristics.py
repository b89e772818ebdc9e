"""Navigators that learn nothing: the paper's RandomWalk and Forward10.

They never request help; an ask policy (`helpanna.agents.asking`) can be put on top of any of them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from helpanna.agents.agent import Decision
from helpanna.episodes.observation import Observation
from helpanna.episodes.perception import Perception
from helpanna.episodes.states import STOP
from helpanna.randomness import choices

Ints = NDArray[np.int64]

_AHEAD = 1


def navigate(action: Ints) -> Decision:
    """The decision to take these navigation actions and not to ask."""
    return Decision(ask=np.zeros(len(action), dtype=bool), action=action)


@dataclass
class RandomWalk:
    """Takes a navigation action at random at every time step; stop is one of them."""

    seed: int = 0

    def begin(self, perception: Perception, tasks: Ints) -> None:
        """Nothing is remembered."""

    def act(self, observation: Observation) -> Decision:
        """Any action that exists, each as likely as the others."""
        count = observation.candidates.mask.sum(axis=1)
        return navigate(choices(self.seed, "random walk", count, observation.task, observation.step))


@dataclass
class Forward10:
    """Goes straight ahead for ten time steps, then stops."""

    steps: int = 10

    def begin(self, perception: Perception, tasks: Ints) -> None:
        """Nothing is remembered."""

    def act(self, observation: Observation) -> Decision:
        """The location closest to the centre of the current view; stop where there is none."""
        walks = observation.candidates.mask[:, _AHEAD:].any(axis=1) & (observation.step < self.steps)
        return navigate(np.where(walks, _AHEAD, STOP))
