"""The navigation teacher of an agent with a map: which of the places it knows is the best one to walk to.

The best place is the one that minimises what is left to walk: the known way there, and from there the
shortest path to the target. It is a place not yet visited, or the target itself, once the agent has been
there; at the target it is the place where the agent stands, which means stop.
"""

import numpy as np
from numpy.typing import NDArray

from helpanna.agents.mapping.episode_map import EpisodeMap
from helpanna.episodes.observation import Observation
from helpanna.episodes.trajectory import NO_TARGET
from helpanna.tasks.split import Split

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

NO_REFERENCE = -1


def best_places(metres: Floats) -> Ints:
    """[B] the best place of each map to walk to, -1 where no target can be reached."""
    return np.where(np.isfinite(metres.min(axis=1)), metres.argmin(axis=1), NO_REFERENCE)


class MapTeacher:
    """Knows which location each place of B maps is; agents do not."""

    def __init__(self, split: Split, agents: int) -> None:
        self._split = split
        self._location = np.zeros((agents, 1), dtype=np.int64)

    def metres(self, known: EpisodeMap, observation: Observation) -> Floats:
        """[B, P] what is left to walk over each place of the maps; infinite where it is not worth a walk."""
        self._identify(known, observation)
        split, agents = self._split, np.arange(len(known))
        exists = np.arange(known.visited.shape[1]) < known.count[:, None]
        location = np.where(exists, self._location, self._location[:, :1])
        shown = observation.target != NO_TARGET
        target = np.where(shown, observation.target, location[:, 0])
        left = np.where(
            shown[:, None],
            split.atlas.distances(location, target[:, None]),
            split.goal_sets.distance_from(split.goal_set[observation.task][:, None], location),
        )
        worth = exists & (~known.visited | (left == 0))
        return np.where(worth, known.distance[agents, known.here] + left, np.inf).astype(np.float32)

    def _identify(self, known: EpisodeMap, observation: Observation) -> None:
        """Which locations the places are that are in sight now."""
        missing = known.visited.shape[1] - self._location.shape[1]
        if missing:
            self._location = np.pad(self._location, [(0, 0), (0, missing)])
        there = self._split.atlas.action_location[observation.panorama, observation.view]
        row, action = np.nonzero(observation.candidates.mask & observation.active[:, None])
        self._location[row, observation.candidates.place[row, action]] = there[row, action]
