"""The Gymnasium environments for plain navigation, one agent or many."""

from pathlib import Path
from typing import Any

from helpanna.environments.base import ManyEnv, SingleEnv
from helpanna.environments.navigate_state import NavigateSettings, NavigateState
from helpanna.worlds.atlas import Atlas


class NavigateEnv(SingleEnv):
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
    adjacent ones than A - 1: `action_masks()` (bool, [A]) and `info["action_mask"]` (int8, [A]) say which
    actions exist. Any other action leaves the agent where it is and uses up the step;
    `info["invalid_action"]` then says so.

    ## Observation space
    A dictionary, by the setting `observation`:

    - `"indices"`: `location`, `view` and `target`, the ids of the agent's location, of its camera's view (0
      to 35) and of the target location. For those who gather what they show to their agent by themselves; an
      agent is not meant to know its location.
    - `"features"`: `panorama` [36, D], the feature vectors of all views of the location; `target` [36, D],
      those of the target location; `slots` [A] int64, the row of `panorama` in whose direction each action
      goes, 36 for stop and 37 where there is no action. The type of the features is that of the atlas
      (float16). The rows are turned to the camera's heading, as actions are ordered: row 12 e + h looks h
      times 30 degrees to the right of it, 30 degrees down (e = 0), level (1) or 30 degrees up (2). Both
      panoramas are turned by the same angle, so they are equal where the agent is at the target.
    - `"pixels"`: `image` [480, 640, 3] uint8, what the camera sees; `target` [4, 240, 320, 3] uint8, four
      level views of the target at half size, along +y, +x, -y and -x; `slots` as above. The atlas must have
      panoramas.

    ## Rewards
    The metres by which a step shortens the shortest path to the target, which is negative where it becomes
    longer. An end within `success_distance` of the target, by a stop or out of time, adds `success_reward`.

    ## Starting state
    A world of the atlas at random, a location of it, a heading with the camera level, and a target with
    `min_path` to `max_path` locations on the shortest path to it, both ends counted. A world without such a
    pair uses all pairs between which one can walk. Every draw is a function of the seed given to `reset` and
    of the number of resets since.

    ## Episode end
    Terminated when the agent stops, truncated after `max_steps` steps.

    ## Information
    `action_mask` as above; `distance`, the metres of the shortest path to the target; `success`, whether the
    episode is over and has left the agent within `success_distance`; `invalid_action`, whether the last
    action did not exist.

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

    def __init__(
        self, atlas: Atlas | Path | str | None = None, render_mode: str | None = None, **settings: Any
    ) -> None:
        super().__init__(NavigateState(atlas, NavigateSettings(**settings), 1), render_mode)


class NavigateVectorEnv(ManyEnv):
    """Many agents of `NavigateEnv`, stepped at once without a loop over them.

    Sub-environment i does exactly what `NavigateEnv` does with the seed `seed + i`. An agent whose episode is
    over begins its next one in the following step, whatever its action, with reward 0
    (`AutoresetMode.NEXT_STEP`). Information is batched, `info["action_mask"]` is [B, A], and every key has
    its mask `_key`, which is true for all agents. Arguments are those of `NavigateEnv`, and `num_envs`.
    """

    def __init__(
        self,
        num_envs: int = 1,
        atlas: Atlas | Path | str | None = None,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(NavigateState(atlas, NavigateSettings(**settings), num_envs), render_mode)
