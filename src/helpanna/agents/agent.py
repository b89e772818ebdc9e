"""The agent protocol: begin a batch, then act on observations until all episodes have ended."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from helpanna.episodes.observation import Observation
from helpanna.episodes.perception import Perception


@dataclass(frozen=True, eq=False)
class Decision:
    """What B agents do: request help or not, and, where they do not, a navigation action.

    Attributes:
        ask: [B] whether to request help; counts only where it can be requested.
        action: [B] the index of the navigation action, 0 for stop; must exist where help is not requested.
        notes: what the agents write down of themselves, see `Trajectories`; in REVERIE's tasks also "object",
            the object that they point at.
    """

    ask: NDArray[np.bool_]
    action: NDArray[np.int64]
    notes: Mapping[str, ArrayLike] = field(default_factory=dict)


class Agent(Protocol):
    """Heuristics, networks, people in the browser and other people's models are all agents.

    A decision for an episode must depend on that episode alone: on its observations so far, on what the
    perception makes of them, and on draws addressed by (seed, task, step).
    """

    def begin(self, perception: Perception, tasks: NDArray[np.int64]) -> None:
        """A batch of episodes begins: forget the last one."""
        ...

    def act(self, observation: Observation) -> Decision:
        """Decides for all agents of the batch; rows of finished episodes are ignored."""
        ...
