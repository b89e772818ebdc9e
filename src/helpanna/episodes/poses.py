"""The poses of many agents, stepped at once.

A pose is a location id and a camera view (0..35). There is no Python loop over agents: every method is a few
gathers from the atlas's tables.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from helpanna.worlds.atlas import Atlas
from helpanna.worlds.geometry import VIEWS


@dataclass(frozen=True, eq=False)
class Candidates:
    """The navigation actions of B agents, up to A each: stop first, then moves, straight ahead first.

    Attributes:
        location: [B, A] where each action leads (-1 where there is no action).
        view: [B, A] the camera's view afterwards.
        slot: [B, A] the action's static slot, 0..36 (36 is stop).
        mask: [B, A] whether the action exists.
    """

    location: NDArray[np.int32]
    view: NDArray[np.int8]
    slot: NDArray[np.int8]
    mask: NDArray[np.bool_]


class Poses:
    """B agents in the worlds of an atlas, each at a location with a camera view.

    Attributes:
        atlas: the worlds.
        location: [B] location ids.
        view: [B] camera views.
    """

    def __init__(self, atlas: Atlas, location: ArrayLike, view: ArrayLike = 0) -> None:
        self.atlas = atlas
        self._rows = atlas.location_count * VIEWS
        self._action_location = atlas.action_location.reshape(self._rows, -1)
        self._action_view = atlas.action_view.reshape(self._rows, -1)
        self._action_slot = atlas.action_slot.reshape(self._rows, -1)
        self.reset(location, view)

    def __len__(self) -> int:
        return len(self.location)

    def reset(self, location: ArrayLike, view: ArrayLike = 0) -> None:
        """Puts all agents at these poses; the batch size may change."""
        location = np.array(location, dtype=np.int64, ndmin=1)
        view = np.array(np.broadcast_to(np.asarray(view, dtype=np.int64), location.shape))
        self._check(location, view)
        self.location, self.view = location, view

    def teleport(
        self, agents: NDArray[np.int64] | NDArray[np.bool_], location: ArrayLike, view: ArrayLike
    ) -> None:
        """Puts some agents (indices or a mask) at new poses."""
        location, view = np.asarray(location), np.asarray(view)
        self._check(location, view)
        self.location[agents] = location
        self.view[agents] = view

    def candidates(self) -> Candidates:
        """What each agent can do now."""
        row = self.location * VIEWS + self.view
        # `take` gathers whole rows several times faster than indexing does.
        location = self._action_location.take(row, axis=0)
        view, slot = self._action_view.take(row, axis=0), self._action_slot.take(row, axis=0)
        return Candidates(location, view, slot, location >= 0)

    def step(self, action: ArrayLike) -> None:
        """Every agent takes the action of this index in its list; 0 stops, that is, stays.

        Raises:
            ValueError: an agent has no such action; then nobody moves.
        """
        action = np.asarray(action)
        row = self.location * VIEWS + self.view
        if action.shape != row.shape:
            raise ValueError(
                f"{len(row)} agents need {len(row)} actions, not an array of shape {action.shape}."
            )
        if action.min(initial=0) < 0 or action.max(initial=0) >= self.atlas.action_count:
            raise ValueError(f"actions are 0 to {self.atlas.action_count - 1}.")
        location = self._action_location[row, action]
        if location.min(initial=0) < 0:
            agent = int(location.argmin())
            raise ValueError(f"agent {agent} has no action {int(action[agent])} where it stands.")
        self.view = self._action_view[row, action].astype(np.int64)
        self.location = location.astype(np.int64)

    def distance_to(self, target: ArrayLike) -> NDArray[np.float32]:
        """Shortest-path metres from every agent to its target location."""
        return self.atlas.distances(self.location, target)

    def _check(self, location: NDArray[np.int64], view: NDArray[np.int64]) -> None:
        if location.size and not 0 <= location.min() <= location.max() < self.atlas.location_count:
            raise ValueError(f"location ids are 0 to {self.atlas.location_count - 1}.")
        if view.size and not 0 <= view.min() <= view.max() < VIEWS:
            raise ValueError(f"views are 0 to {VIEWS - 1}.")
