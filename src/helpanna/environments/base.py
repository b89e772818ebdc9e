"""What the Gymnasium environments share: agents with seeds and episodes in a row, one of them or many."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from gymnasium import Env, spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from helpanna.environments.observers import ObservationArrays
from helpanna.episodes.poses import Poses
from helpanna.errors import InputError

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_SEEDS = 2**63
_RENDERING: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 4}
_VECTOR: dict[str, Any] = {**_RENDERING, "autoreset_mode": AutoresetMode.NEXT_STEP}


class EnvironmentState(ABC):
    """The B agents of an environment, each with one episode after the other.

    Every draw is addressed by (seed of the agent, index of its episode), so an agent's episodes are the
    same whatever the batch.

    Attributes:
        poses: where the agents are.
        atlas: the worlds they are in.
        space: the space of one agent's observation.
        action_count: how many actions there are, whether they exist where an agent stands or not.
        finished: [B] whether the agent's episode is over, or has not begun.
        seeded: whether the agents have been given seeds.
    """

    def __init__(self, poses: Poses, space: spaces.Dict, action_count: int) -> None:
        self.poses, self.atlas = poses, poses.atlas
        self.space, self.action_count = space, action_count
        self.finished = np.ones(len(poses), dtype=bool)
        self.seeded = False
        # Moves follow stop without a gap, as many as there are adjacent locations, whatever the view.
        self._move_counts = np.bincount(self.atlas.edge.ravel(), minlength=self.atlas.location_count)
        self._seed = np.zeros(len(poses), dtype=np.int64)
        self._episode = np.zeros(len(poses), dtype=np.int64)

    def __len__(self) -> int:
        return len(self.poses)

    def seed(self, seed: int) -> None:
        """Gives agent i the seed `seed + i` and lets its episodes count from the start."""
        self._seed = np.array([(seed + i) % _SEEDS for i in range(len(self))], dtype=np.int64)
        self._episode = np.zeros(len(self), dtype=np.int64)
        self.seeded = True

    @abstractmethod
    def begin(self, agents: Ints | Bools) -> None:
        """Starts the next episode of some agents (indices or a mask)."""

    @abstractmethod
    def step(self, action: ArrayLike) -> tuple[NDArray[np.float64], Bools, Bools]:
        """All agents whose episode is not over act; the others stay as they are.

        Returns:
            rewards, terminated, truncated: [B] each; 0 and False where the episode was over already.
        """

    @abstractmethod
    def observe(self) -> ObservationArrays:
        """[B, ...] what the agents see."""

    @abstractmethod
    def action_masks(self) -> Bools:
        """[B, A] which actions exist; stop always does."""

    @abstractmethod
    def info(self) -> dict[str, NDArray[Any]]:
        """[B, ...] new arrays of what is known beside the observation."""

    def pictures(self) -> tuple[NDArray[np.uint8], ...]:
        """What each agent's camera sees, [480, 640, 3] each."""
        poses = zip(self.poses.location.tolist(), self.poses.view.tolist(), strict=True)
        return tuple(self.atlas.views.render_view(location, view) for location, view in poses)

    def _next_episodes(self, agents: Ints | Bools) -> tuple[Ints, Ints, Ints]:
        """The agents' indices, and the addresses (seed, episode) of the draws for their next episodes."""
        agents = np.arange(len(self))[agents]
        address = agents, self._seed[agents], self._episode[agents]
        self._episode[agents] += 1
        return address

    def _checked(self, action: ArrayLike) -> Ints:
        action = np.asarray(action)
        if action.shape != (len(self),) or action.dtype.kind not in "iu":
            raise ValueError(
                f"{len(self)} agents need {len(self)} integer actions, not {action.dtype} {action.shape}."
            )
        if action.min() < 0 or action.max() >= self.action_count:
            raise ValueError(f"actions are 0 to {self.action_count - 1}.")
        return action


class SingleEnv(Env[dict[str, Any], np.int64]):
    """One agent."""

    metadata = _RENDERING

    def __init__(self, agents: EnvironmentState, render_mode: str | None) -> None:
        self._agents = agents
        self.metadata = _rendering(agents, render_mode)
        self.render_mode = render_mode
        self.observation_space = agents.space
        self.action_space = spaces.Discrete(agents.action_count)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Starts the next episode; with a seed, the first one of this seed. There are no options."""
        super().reset(seed=seed)
        if seed is None and not self._agents.seeded:
            seed = int(self.np_random.integers(2**62))
        if seed is not None:
            self._agents.seed(seed)
        self._agents.begin(np.array([0]))
        return _first(self._agents.observe()), _first(self._agents.info())

    def step(self, action: np.int64) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Carries out an action of the action space."""
        if self._agents.finished[0]:
            raise ResetNeeded("The episode is over (or has not begun); call `reset` before `step`.")
        reward, terminated, truncated = self._agents.step(np.array([action]))
        observation, info = _first(self._agents.observe()), _first(self._agents.info())
        return observation, float(reward[0]), bool(terminated[0]), bool(truncated[0]), info

    def action_masks(self) -> Bools:
        """[A] which actions exist, new, as sb3-contrib's MaskablePPO asks for them."""
        return self._agents.action_masks()[0]

    def render(self) -> NDArray[np.uint8] | None:
        """What the camera sees, [480, 640, 3]; None without a render mode."""
        return self._agents.pictures()[0] if self.render_mode else None


class ManyEnv(VectorEnv[ObservationArrays, NDArray[np.int64], NDArray[Any]]):
    """Many agents, stepped at once without a loop over them.

    Agent i does exactly what the single environment does with the seed `seed + i`. An agent whose episode is
    over begins its next one in the following step, whatever its action, with reward 0
    (`AutoresetMode.NEXT_STEP`). Information is batched, `info["action_mask"]` is [B, A], and every key has
    its mask `_key`, which is true for all agents.
    """

    metadata = _VECTOR

    def __init__(self, agents: EnvironmentState, render_mode: str | None) -> None:
        self._agents = agents
        self.metadata = {**self.metadata, **_rendering(agents, render_mode)}
        self.render_mode = render_mode
        self.num_envs = len(agents)
        self.single_observation_space = agents.space
        self.single_action_space = spaces.Discrete(agents.action_count)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObservationArrays, dict[str, Any]]:
        """Starts the next episode of all agents; with a seed, the first of seed, seed + 1, and so on."""
        super().reset(seed=seed)
        if seed is None and not self._agents.seeded:
            seed = int(self.np_random.integers(2**62))
        if seed is not None:
            self._agents.seed(seed)
        self._agents.begin(np.arange(self.num_envs))
        return self._agents.observe(), self._info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[ObservationArrays, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """All agents act; those whose episode was over begin their next one instead."""
        if not self._agents.seeded:
            raise ResetNeeded("The episodes have not begun; call `reset` before `step`.")
        over = self._agents.finished
        reward, terminated, truncated = self._agents.step(actions)
        if over.any():
            self._agents.begin(over)
        return self._agents.observe(), reward, terminated, truncated, self._info()

    def action_masks(self) -> Bools:
        """[B, A] which actions exist, new."""
        return self._agents.action_masks()

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """What each agent's camera sees, [480, 640, 3]; None without a render mode."""
        return self._agents.pictures() if self.render_mode else None

    def _info(self) -> dict[str, Any]:
        info = self._agents.info()
        everyone = np.ones(self.num_envs, dtype=bool)
        return info | {f"_{key}": everyone for key in info}


def check_count(agents: int) -> None:
    """Raises an `InputError` unless there is somebody to act."""
    if agents < 1:
        raise InputError(f"num_envs={agents} leaves nobody to act; give 1 or more.")


def _first(batch: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """The entry of the only agent: arrays stay arrays, numbers become plain ones."""
    return {key: value[0] if value.ndim > 1 else value.tolist()[0] for key, value in batch.items()}


def _rendering(agents: EnvironmentState, render_mode: str | None) -> dict[str, Any]:
    """The metadata on rendering, which needs panoramas."""
    possible = agents.atlas.views.has_panoramas
    if render_mode is not None and (render_mode != "rgb_array" or not possible):
        remedy = "use 'rgb_array' or None" if possible else "the atlas has no panoramas, leave it out"
        raise InputError(f"render_mode={render_mode!r} is not possible; {remedy}.")
    return {**_RENDERING, "render_modes": ["rgb_array"] if possible else []}
