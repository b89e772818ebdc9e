"""Explorer: an honest heuristic that remembers what it has seen and recognises what it seeks.

It knows the places it has visited, their neighbours and the lengths of the ways between them, for these it
has seen with its own eyes; it knows of no other place and of no distance to a goal.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from helpanna.agents.agent import Decision
from helpanna.agents.heuristics import navigate
from helpanna.agents.mapping.episode_map import EpisodeMap
from helpanna.episodes.observation import Observation
from helpanna.episodes.perception import Perception
from helpanna.episodes.states import STOP


class Explorer:
    """Walks to the nearest unvisited place it has seen, and stops where the requested object is in sight.

    On a route it also stops at the target, whose image it recognises. It stops as well when nothing is left
    to explore.
    """

    def __init__(self) -> None:
        self._perception: Perception | None = None

    def begin(self, perception: Perception, tasks: NDArray[np.int64]) -> None:
        """Forgets every building."""
        if perception != self._perception:
            self._perception = perception
        self._map = EpisodeMap(len(tasks))

    def act(self, observation: Observation) -> Decision:
        """Looks around, remembers, and goes on exploring or stops."""
        assert self._perception is not None, "begin a batch first"  # noqa: S101
        ways = self._perception.ways(observation)
        self._map.observe(observation, ways)
        found = self._perception.in_sight(observation)
        arrived = observation.on_route & self._perception.at_target(observation)
        onward = self._map.action_towards(self._nearest_unvisited(), observation, ways)
        decision = navigate(np.where(found | arrived, STOP, onward))
        if self._perception.points:
            return replace(decision, notes={"object": self._perception.sought(observation)})
        return decision

    def _nearest_unvisited(self) -> NDArray[np.int64]:
        """[B] the nearest place seen and not visited; where the agent stands if there is none."""
        known = self._map
        metres = np.where(known.frontier, known.distance[np.arange(len(known)), known.here], np.inf)
        return np.where(np.isfinite(metres.min(axis=1)), metres.argmin(axis=1), known.here)
