"""The Gymnasium environments for the whole of "Help, Anna!": find an object, asking for help on the way."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from helpanna.assistance.assistants import Assistant
from helpanna.assistance.names import make_assistant
from helpanna.environments.base import Bools, EnvironmentState, Ints, ManyEnv, SingleEnv, check_count
from helpanna.environments.observers import ObservationArrays, observer
from helpanna.episodes.episodes import EVALUATION_BUDGET
from helpanna.episodes.states import STOP, States
from helpanna.episodes.trajectory import NO_TARGET
from helpanna.errors import InputError
from helpanna.randomness import choices
from helpanna.tasks.dataset import load_dataset
from helpanna.tasks.kinds import HANNA, Kind
from helpanna.tasks.split import Split
from helpanna.tasks.vocabulary import MAX_WORDS, Vocabulary

TRAINING_SPLIT = "train"

_TEXTS_REMEMBERED = 2**16

Data = Split | Path | str | None


@dataclass(frozen=True)
class HannaSettings:
    """How agents find things; `HannaEnv` explains each setting."""

    split: str = TRAINING_SPLIT
    assistant: Assistant | str | None = None
    budget: int = EVALUATION_BUDGET
    observation: str = "features"
    features: str | None = None
    vocabulary: Vocabulary | None = None
    progress_weight: float = 1.0
    success_reward: float = 10.0
    request_price: float = 0.0

    def __post_init__(self) -> None:
        if self.budget < 1:
            raise InputError(f"budget={self.budget} leaves no time to act; give 1 or more steps.")


class HannaState(EnvironmentState):
    """B agents, each on a task of a split.

    Attributes:
        split, settings: the tasks, and how they are played.
        vocabulary: the words that `tokens` are numbers of.
        states: how far each agent is in Algorithm 1.
        distance: [B] shortest-path metres to the nearest goal.
        request_help: the action that requests help; the actions below it are those of navigation.
    """

    def __init__(self, data: Data, settings: HannaSettings, agents: int) -> None:
        check_count(agents)
        (self.split, self.vocabulary), self.settings = _read(data, settings), settings
        atlas, assistant = self.split.atlas, settings.assistant
        if assistant is None or isinstance(assistant, str):
            assistant = make_assistant(assistant, self.split)
        self.states = States(self.split, assistant, agents, settings.budget)
        self.distance = np.zeros(agents, dtype=np.float64)
        self.request_help = atlas.action_count
        self._observer = observer(settings.observation, atlas, settings.features)
        self._tokens = np.zeros((agents, MAX_WORDS), dtype=np.int64)
        self._read = lru_cache(_TEXTS_REMEMBERED)(self._tokens_of)
        self._success = np.zeros(agents, dtype=bool)
        self._invalid = np.zeros(agents, dtype=bool)
        space = {
            **self._observer.space.spaces,
            "tokens": spaces.Box(0, len(self.vocabulary) - 1, (MAX_WORDS,), np.int64),
            "has_target": spaces.Discrete(2),
            "on_route": spaces.Discrete(2),
        }
        super().__init__(self.states.poses, spaces.Dict(space), self.request_help + 1)

    def begin(self, agents: Ints | Bools) -> None:
        """Starts the next episode of some agents (indices or a mask)."""
        agents, seed, episode = self._next_episodes(agents)
        self.states.begin(agents, choices(0, "hanna task", len(self.split), seed, episode))
        self.distance[agents] = self._distance_to_goal(agents)
        for state in (self.finished, self._success, self._invalid):
            state[agents] = False

    def step(self, action: ArrayLike) -> tuple[NDArray[np.float64], Bools, Bools]:
        """All agents whose episode is not over act; the others stay as they are.

        Returns:
            rewards, terminated, truncated: [B] each; 0 and False where the episode was over already.
        """
        action, states = self._checked(action), self.states
        acting = ~self.finished
        exists = np.take_along_axis(self.action_masks(), action[:, None], axis=1)[:, 0]
        decides = acting & exists
        asks = decides & (action == self.request_help)
        terminated = decides & (action == STOP) & ~states.on_route
        states.step(decides, asks, action)
        states.wait(acting & ~exists)
        truncated = acting & ~terminated & ~states.active

        distance = self._distance_to_goal(np.arange(len(self)))
        self._success = (terminated | truncated) & (distance <= self.split.kind.success_metres)
        self._invalid = ~exists
        rewards = (
            self.settings.progress_weight * (self.distance - distance)
            + self.settings.success_reward * self._success
            - self.settings.request_price * asks
        )
        self.distance = distance
        self.finished = self.finished | terminated | truncated
        return rewards, terminated, truncated

    def info(self) -> dict[str, NDArray[Any]]:
        """[B, ...] new arrays of what is known beside the observation."""
        return {
            "action_mask": self.action_masks().astype(np.int8),
            "instruction": self.states.words.copy(),
            "request": self.split.text_table[self.split.request[self.states.task]],
            "requests": self.states.asked.copy(),
            "distance": self.distance.copy(),
            "success": self._success.copy(),
            "invalid_action": self._invalid.copy(),
        }

    def observe(self) -> ObservationArrays:
        """[B, ...] what the agents see and have been told."""
        states = self.states
        without = states.target == NO_TARGET
        place = np.where(without, 0, states.target)
        seen = self._observer.observe(self.poses.location, self.poses.view, place)
        seen["target"][without] = 0
        new = states.text_changed
        if new.any():
            self._tokens[new] = [self._read(text) for text in states.words[new]]
        return seen | {
            "tokens": self._tokens.copy(),
            "has_target": (~without).astype(np.int64),
            "on_route": states.on_route.astype(np.int64),
        }

    def action_masks(self) -> Bools:
        """[B, A + 1] which actions exist; stop always does."""
        moves = np.arange(self.request_help) <= self._move_counts[self.poses.location, None]
        return np.concatenate([moves, self.states.can_ask()[:, None]], axis=1)

    def _tokens_of(self, text: str) -> Ints:
        return self.vocabulary.tokens([text])[0][0]

    def _distance_to_goal(self, agents: Ints) -> NDArray[np.float64]:
        goals, goal_set = self.split.goal_sets, self.states.goal_set[agents]
        return goals.distance_from(goal_set, self.poses.location[agents]).astype(np.float64)


def _read(data: Data, settings: HannaSettings) -> tuple[Split, Vocabulary]:
    """The tasks, and the words of the training split."""
    if data is None:
        raise InputError(
            "there are no tasks; give data=, a dataset folder made by `helpanna tasks build`, or a Split."
        )
    split = data if isinstance(data, Split) else load_dataset(data).split(settings.split)
    if not len(split):
        raise InputError(f"the split {split.name} has no tasks; choose another.")
    if settings.vocabulary is not None:
        return split, settings.vocabulary
    if split.name == TRAINING_SPLIT:
        return split, Vocabulary.of(split.heard)
    if isinstance(data, Split) or TRAINING_SPLIT not in (dataset := load_dataset(data)).names:
        raise InputError(
            f"the words of the split {split.name} are to be numbered as in training, and there is no split "
            f"{TRAINING_SPLIT}; give vocabulary=, that of the environment in which the agent is trained."
        )
    return split, Vocabulary.of(dataset.split(TRAINING_SPLIT).heard)


def _check_kind(split: Split, kinds: tuple[Kind, ...]) -> None:
    if split.kind not in kinds:
        raise InputError(
            f"the tasks are of the kind {split.kind.name}, and this environment is for "
            f"{' and '.join(kind.name for kind in kinds)}; make the environment of that name."
        )


class HannaEnv(SingleEnv):
    """Find an object, and ask for help on the way.

    ## Description
    The agent stands somewhere in a building and is told "find a mug". It walks from location to location and
    should stop near one. Where an assistant is near, it can request help: it is taken to the start of a route
    and told how to follow it, and is shown where to leave it. By stopping on a route it leaves it, takes up
    its task again, and is shown a goal.

    ```python
    import gymnasium
    import helpanna

    env = gymnasium.make("helpanna/HANNA-v0", data="my-dataset", split="train")
    observation, info = env.reset(seed=0)
    info["instruction"], observation["tokens"]  # "find a mug" in words and in numbers
    action = env.action_space.sample(mask=info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
    ```

    `gymnasium.make_vec("helpanna/HANNA-v0", num_envs=1024, data=...)` steps many agents at once, see
    `HannaVectorEnv`.

    ## Action space
    `Discrete(A + 1)`, where A is the atlas's longest list of navigation actions. Action 0 stops: on a route
    it leaves the route, otherwise it ends the episode. Action k below A goes to the k-th adjacent location,
    ordered by its angle from where the camera looks. Action A requests help. `action_masks()` (bool, [A + 1],
    as sb3-contrib asks for it) and `info["action_mask"]` (int8, as Gymnasium's spaces sample by it) say which
    actions exist: locations have fewer than A - 1 adjacent ones, and help can be requested only in a zone of
    attention, at most 2 m from an assistant. Any other action leaves the agent where it is and uses up the
    step; `info["invalid_action"]` then says so.

    ## Observation space
    A dictionary with

    - `tokens` [50] int64: the current instruction as numbers of words, at most 50, 0 after its end, 1 for a
      word that the vocabulary lacks. The vocabulary is that of the training split, whatever the split, and
      the attribute `vocabulary` of the environment. The text itself is in `info["instruction"]`, whether it
      is one of the split's or an assistant's own words.
    - `on_route`: 1 on a route, 0 otherwise.
    - `has_target`: 1 where a target image is shown, 0 where there is none and `target` is zero.

    and by the setting `observation`:

    - `"features"`: `panorama` [36, D], the feature vectors of all views of the location; `target` [36, D],
      those of the target image's location; `slots` [A] int64, the row of `panorama` in whose direction each
      navigation action goes, 36 for stop and 37 where there is no action. The type of the features is that
      of the atlas (float16). The rows are turned to the camera's heading, as actions are ordered: row 12 e +
      h looks h times 30 degrees to the right of it, 30 degrees down (e = 0), level (1) or 30 degrees up (2).
      Both panoramas are turned by the same angle, so they are equal where the agent is at the target.
    - `"pixels"`: `image` [480, 640, 3] uint8, what the camera sees; `target` [4, 240, 320, 3] uint8, four
      level views of the target at half size, along +y, +x, -y and -x; `slots` as above. The atlas must have
      panoramas.
    - `"indices"`: `location`, `view` and `target`, the ids of the agent's location, of its camera's view (0
      to 35, by compass) and of the location that the target image shows. For those who gather what they show
      to their agent by themselves; an agent is not meant to know its location.

    ## Rewards
    `progress_weight` times the metres by which a step shortens the shortest path to the nearest goal, plus
    `success_reward` for a successful end, minus `request_price` for each request.

    ## Starting state
    A task of the split at random: a request, a location and a camera view. Every draw is a function of the
    seed given to `reset` and of the number of resets since.

    ## Episode end
    Terminated when the agent stops while not on a route, truncated after `budget` steps.

    ## Information
    `action_mask` as above; `instruction`, the current text in words; `request`, the task's; `requests`, how
    often help was requested; `distance`, the metres to the nearest goal; `success`, whether the
    episode is over and has left the agent no further than 2 m from one, stopped or out of time;
    `invalid_action`, whether the last action did not exist.

    ## Arguments
    - `data`: a dataset folder (`helpanna tasks build`) or a `Split`; must be given.
    - `split`: `"train"`; the split's name, where `data` is a folder.
    - `assistant`: by default who helps in tasks of this kind, ANNA in HANNA's; a name as in `helpanna
      evaluate`, or an `Assistant` for this split.
    - `budget`: 50 steps.
    - `observation`: `"features"` (default), `"pixels"` or `"indices"`.
    - `features`: the name of the atlas's view features; not needed where it has one set.
    - `vocabulary`: the `Vocabulary` of `tokens`; without it, that of the split `train` of `data`.
    - `progress_weight`, `success_reward`, `request_price`: 1.0 a metre, 10.0 and 0.0.
    - `render_mode`: `"rgb_array"` gives what the camera sees, where the atlas has panoramas.
    """

    kinds: tuple[Kind, ...] = (HANNA,)

    def __init__(self, data: Data = None, render_mode: str | None = None, **settings: Any) -> None:
        agents = HannaState(data, HannaSettings(**settings), 1)
        _check_kind(agents.split, self.kinds)
        self.vocabulary = agents.vocabulary
        super().__init__(agents, render_mode)


class HannaVectorEnv(ManyEnv):
    """Many agents of `HannaEnv`, stepped at once without a loop over them.

    Sub-environment i does exactly what `HannaEnv` does with the seed `seed + i`. An agent whose episode is
    over begins its next one in the following step, whatever its action, with reward 0
    (`AutoresetMode.NEXT_STEP`). Information is batched, `info["action_mask"]` and `action_masks()` are
    [B, A + 1], and every key has its mask `_key`, which is true for all agents. Arguments are those of
    `HannaEnv`, and `num_envs`.
    """

    kinds: tuple[Kind, ...] = (HANNA,)

    def __init__(
        self, num_envs: int = 1, data: Data = None, render_mode: str | None = None, **settings: Any
    ) -> None:
        agents = HannaState(data, HannaSettings(**settings), num_envs)
        _check_kind(agents.split, self.kinds)
        self.vocabulary = agents.vocabulary
        super().__init__(agents, render_mode)
