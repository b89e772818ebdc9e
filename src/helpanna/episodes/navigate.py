"""The Gymnasium environments for plain navigation, one agent or many."""

from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import Env, spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from helpanna.episodes.navigation import NavigateSettings, Navigation
from helpanna.episodes.observations import Observation
from helpanna.errors import InputError
from helpanna.worlds.atlas import Atlas

_RENDERING: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 4}
_VECTOR: dict[str, Any] = {**_RENDERING, "autoreset_mode": AutoresetMode.NEXT_STEP}


class NavigateEnv(Env[dict[str, Any], np.int64]):
    """Walk to the place a panorama shows, and stop there.

    ## Description
    The agent stands somewhere in a building and is shown a place of the same building: the target. It walks
    from location to location and should stop when it is there.

    ```python
    import gymnasium
    import helpanna

    env = gymnasium.make("helpanna/Navigate-v0")
    observation, info = env.reset(seed=0)
    action = env.action_space.sample(mask=info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
    ```

    `gymnasium.make_vec("helpanna/Navigate-v0", num_envs=1024)` steps many agents at once, see
    `NavigateVectorEnv`.

    ## Action space
    `Discrete(A)`, where A is the atlas's longest list of actions. Action 0 stops. Action k goes to the k-th
    adjacent location, ordered by its angle from where the camera looks, so action 1 is the location straight
    ahead; moving turns the camera to the view closest to the direction of the move. Locations have fewer
    adjacent ones than A - 1: `info["action_mask"]` (int8, [A]) has a 1 for each action there is. Any other
    action leaves the agent where it is and uses up the step; `info["invalid_action"]` then says so.

    ## Observation space
    A dictionary, by the setting `observation`:

    - `"indices"`: `location`, `view` and `target`, the ids of the agent's location, of its camera's view (0
      to 35) and of the target location. For those who gather what they show to their agent by themselves; an
      agent is not meant to know its location.
    - `"features"`: `panorama` [36, D], the feature vectors of all views of the location; `view`, the one the
      camera is at; `target` [36, D], the feature vectors of the target location. The type is that of the
      atlas (float16). The rows are views by compass, not turned to where the camera looks: the same place
      always gives the same array, `panorama[view]` is what is straight ahead, and at the target `panorama`
      equals `target`.
    - `"pixels"`: `image` [480, 640, 3] uint8, what the camera sees; `target` [4, 240, 320, 3] uint8, four
      level views of the target at half size, along +y, +x, -y and -x. The atlas must have panoramas.

    ## Rewards
    The metres by which a step shortens the shortest path to the target, which is negative where it becomes
    longer. Stopping within `success_distance` of the target adds `success_reward`.

    ## Starting state
    A world of the atlas at random, a location of it, a heading with the camera level, and a target with
    `min_path` to `max_path` locations on the shortest path to it, both ends counted. A world without such a
    pair uses all pairs between which one can walk. Every draw is a function of the seed given to `reset` and
    of the number of resets since.

    ## Episode end
    Terminated when the agent stops, truncated after `max_steps` steps.

    ## Information
    `action_mask` as above; `distance`, the metres of the shortest path to the target; `success`, whether the
    agent has stopped within `success_distance`; `invalid_action`, whether the last action did not exist.

    ## Arguments
    - `atlas`: an `Atlas` or the folder of one; without it, two small sample buildings.
    - `observation`: `"indices"` (default), `"features"` or `"pixels"`.
    - `features`: the name of the atlas's view features; not needed where it has one set.
    - `min_path`, `max_path`: 5 and 15, locations on the shortest path.
    - `max_steps`: 50.
    - `success_distance`: 2.0 metres.
    - `success_reward`: 10.0.
    - `render_mode`: `"rgb_array"` gives what the camera sees, where the atlas has panoramas.
    """

    metadata = _RENDERING

    def __init__(
        self, atlas: Atlas | Path | str | None = None, render_mode: str | None = None, **settings: Any
    ) -> None:
        self._agents = Navigation(atlas, NavigateSettings(**settings), 1)
        self.metadata = _rendering(self._agents, render_mode)
        self.render_mode = render_mode
        self.observation_space = self._agents.space
        self.action_space = spaces.Discrete(self._agents.atlas.action_count)

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
        """Stops (0) or walks to an adjacent location."""
        if self._agents.finished[0]:
            raise ResetNeeded("The episode is over (or has not begun); call `reset` before `step`.")
        reward, terminated, truncated = self._agents.step(np.array([action]))
        observation, info = _first(self._agents.observe()), _first(self._agents.info())
        return observation, float(reward[0]), bool(terminated[0]), bool(truncated[0]), info

    def render(self) -> NDArray[np.uint8] | None:
        """What the camera sees, [480, 640, 3]; None without a render mode."""
        return self._agents.pictures()[0] if self.render_mode else None


class NavigateVectorEnv(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Many agents of `NavigateEnv`, stepped at once without a loop over them.

    Sub-environment i does exactly what `NavigateEnv` does with the seed `seed + i`. An agent whose episode is
    over begins its next one in the following step, whatever its action, with reward 0
    (`AutoresetMode.NEXT_STEP`). Information is batched, `info["action_mask"]` is [B, A], and every key has
    its mask `_key`, which is true for all agents. Arguments are those of `NavigateEnv`, and `num_envs`.
    """

    metadata = _VECTOR

    def __init__(
        self,
        num_envs: int = 1,
        atlas: Atlas | Path | str | None = None,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        self._agents = Navigation(atlas, NavigateSettings(**settings), num_envs)
        self.metadata = {**self.metadata, **_rendering(self._agents, render_mode)}
        self.render_mode = render_mode
        self.num_envs = num_envs
        self.single_observation_space = self._agents.space
        self.single_action_space = spaces.Discrete(self._agents.atlas.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
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
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """All agents act; those whose episode was over begin their next one instead."""
        if not self._agents.seeded:
            raise ResetNeeded("The episodes have not begun; call `reset` before `step`.")
        over = self._agents.finished
        reward, terminated, truncated = self._agents.step(actions)
        if over.any():
            self._agents.begin(over)
        return self._agents.observe(), reward, terminated, truncated, self._info()

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """What each agent's camera sees, [480, 640, 3]; None without a render mode."""
        return self._agents.pictures() if self.render_mode else None

    def _info(self) -> dict[str, Any]:
        info = self._agents.info()
        everyone = np.ones(self.num_envs, dtype=bool)
        return info | {f"_{key}": everyone for key in info}


def _first(batch: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """The entry of the only agent: arrays stay arrays, numbers become plain ones."""
    return {key: value[0] if value.ndim > 1 else value[0].item() for key, value in batch.items()}


def _rendering(agents: Navigation, render_mode: str | None) -> dict[str, Any]:
    """The metadata on rendering, which needs panoramas."""
    possible = agents.atlas.views.has_panoramas
    if render_mode is not None and (render_mode != "rgb_array" or not possible):
        remedy = "use 'rgb_array' or None" if possible else "the atlas has no panoramas, leave it out"
        raise InputError(f"render_mode={render_mode!r} is not possible; {remedy}.")
    return {**_RENDERING, "render_modes": ["rgb_array"] if possible else []}
