"""Walking to a target location, for B agents at once: what the Navigate environments are made of."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from helpanna.environments.base import Bools, EnvironmentState, Ints, check_count
from helpanna.environments.observers import ObservationArrays, observer
from helpanna.episodes.poses import Poses
from helpanna.errors import InputError
from helpanna.randomness import uniforms
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.geometry import HEADINGS, view_index
from helpanna.worlds.sample import sample_atlas
from helpanna.worlds.storage import load_atlas


@dataclass(frozen=True)
class NavigateSettings:
    """How agents walk to a target; `NavigateEnv` explains each setting."""

    observation: str = "indices"
    features: str | None = None
    min_path: int = 5
    max_path: int = 15
    max_steps: int = 50
    success_distance: float = 2.0
    success_reward: float = 10.0

    def __post_init__(self) -> None:
        if not 2 <= self.min_path <= self.max_path:
            raise InputError(
                f"min_path={self.min_path} and max_path={self.max_path} count the locations on a path; "
                "they must be 2 or more, in ascending order."
            )
        if self.max_steps < 1:
            raise InputError(f"max_steps={self.max_steps} leaves no time to act; give 1 or more.")
        if not self.success_distance >= 0:
            raise InputError(
                f"success_distance={self.success_distance} is no distance; give 0 or more metres."
            )


class Targets:
    """The pairs (start, target) an atlas offers, listed once so that a draw is a few gathers.

    A pair has `min_path` to `max_path` locations on its shortest path, both ends counted. A world without
    such a pair offers all pairs between which one can walk; a world without any is left out.
    """

    def __init__(self, atlas: Atlas, min_path: int, max_path: int) -> None:
        starts, targets, target_counts, start_counts = [], [], [], []
        for world in range(atlas.world_count):
            at = np.array(atlas.locations(world))
            sizes = atlas.path_locations(at[:, None], at)
            offered = (sizes >= min_path) & (sizes <= max_path)
            if not offered.any():
                offered = sizes >= 2
            counts = offered.sum(axis=1)
            starts.append(at[counts > 0])
            targets.append(at[np.nonzero(offered)[1]])
            target_counts.append(counts[counts > 0])
            start_counts.append(len(starts[-1]))
        self._start = np.concatenate(starts)
        if not len(self._start):
            raise InputError("the atlas has no two locations between which one can walk; choose another.")
        self._target = np.concatenate(targets).astype(np.int32)
        self._target_counts = np.concatenate(target_counts)
        self._target_first = np.cumsum(self._target_counts) - self._target_counts
        worlds = np.array(start_counts)
        self._start_first = (np.cumsum(worlds) - worlds)[worlds > 0]
        self._start_counts = worlds[worlds > 0]

    def draw(self, uniform: NDArray[np.float64]) -> tuple[Ints, Ints]:
        """Start and target locations from uniform numbers [B, 3].

        They choose a world, a start in it, and a target of this start, in turn.
        """
        world = _pick(uniform[:, 0], len(self._start_counts))
        start = self._start_first[world] + _pick(uniform[:, 1], self._start_counts[world])
        target = self._target_first[start] + _pick(uniform[:, 2], self._target_counts[start])
        return self._start[start], self._target[target].astype(np.int64)


class NavigateState(EnvironmentState):
    """B agents, each on its way to a target.

    Attributes:
        settings: how they walk.
        target: [B] the location to walk to.
        distance: [B] shortest-path metres to it.
    """

    def __init__(self, atlas: Atlas | Path | str | None, settings: NavigateSettings, agents: int) -> None:
        check_count(agents)
        if atlas is None:
            atlas = sample_atlas()
        atlas = atlas if isinstance(atlas, Atlas) else load_atlas(atlas)
        self.settings = settings
        self.target = np.zeros(agents, dtype=np.int64)
        self.distance = np.zeros(agents, dtype=np.float64)
        self._targets = Targets(atlas, settings.min_path, settings.max_path)
        self._observer = observer(settings.observation, atlas, settings.features)
        self._steps = np.zeros(agents, dtype=np.int64)
        self._success = np.zeros(agents, dtype=bool)
        self._invalid = np.zeros(agents, dtype=bool)
        poses = Poses(atlas, np.zeros(agents, dtype=np.int64))
        super().__init__(poses, self._observer.space, atlas.action_count)

    def begin(self, agents: Ints | Bools) -> None:
        """Starts the next episode of some agents (indices or a mask)."""
        agents, seed, episode = self._next_episodes(agents)
        # The agents' seeds are part of the address, so that one call draws for all of them.
        drawn = uniforms(0, "navigate", seed[:, None], episode[:, None], np.arange(4))
        start, target = self._targets.draw(drawn)
        self.poses.teleport(agents, start, view_index(_pick(drawn[:, 3], HEADINGS), 1))
        self.target[agents] = target
        self.distance[agents] = self.atlas.distances(start, target)
        for state in (self.finished, self._success, self._invalid, self._steps):
            state[agents] = 0

    def step(self, action: ArrayLike) -> tuple[NDArray[np.float64], Bools, Bools]:
        """All agents whose episode is not over act; the others stay as they are.

        Returns:
            rewards, terminated, truncated: [B] each; 0 and False where the episode was over already.
        """
        action = self._checked(action)
        acting = ~self.finished
        possible = action <= self._move_counts[self.poses.location]
        self.poses.step(np.where(acting & possible, action, 0))
        distance = self.poses.distance_to(self.target).astype(np.float64)
        self._steps += 1

        terminated = acting & (action == 0)
        truncated = acting & ~terminated & (self._steps >= self.settings.max_steps)
        self._success = (terminated | truncated) & (distance <= self.settings.success_distance)
        self._invalid = ~possible
        rewards = self.distance - distance + self.settings.success_reward * self._success
        self.distance = distance
        self.finished = self.finished | terminated | truncated
        return rewards, terminated, truncated

    def action_masks(self) -> Bools:
        """[B, A] which actions exist; stop always does."""
        return np.arange(self.action_count) <= self._move_counts[self.poses.location, None]

    def info(self) -> dict[str, NDArray[Any]]:
        """[B, ...] new arrays of what is known beside the observation."""
        return {
            "action_mask": self.action_masks().astype(np.int8),
            "distance": self.distance.copy(),
            "success": self._success.copy(),
            "invalid_action": self._invalid.copy(),
        }

    def observe(self) -> ObservationArrays:
        """[B, ...] what the agents see."""
        return self._observer.observe(self.poses.location, self.poses.view, self.target)


def _pick(uniform: NDArray[np.float64], count: int | Ints) -> Ints:
    """A number in range(count) for each uniform one."""
    return (uniform * count).astype(np.int64)
