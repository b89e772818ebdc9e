"""The settings of a training run, and the one place where defaults that depend on others are chosen."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, inf, pi
from typing import Any, Literal

from helpanna.episodes.conditions import USUAL_LOST, Lost
from helpanna.episodes.episodes import TRAINING_BUDGET
from helpanna.errors import InputError
from helpanna.teachers.help_request import GAMMA

_MOST = {
    "iterations": 10**9,
    "batch_size": 16_384,
    "budget": 1_000,
    "evaluate_every": 10**9,
    "evaluation_tasks": 10**9,
    "save_every": 10**9,
    "updates": 1_000,
}
"""Above these, a number was not meant, or no machine has the memory."""

_NOT_NEGATIVE = ("weight_decay", "curiosity", "clip", "hand_over", "warm_up", "tolerance", "route_lessons")

AskPolicyName = Literal["learned", "no_ask", "random_ask", "ask_every5"]

WARM_START: Mapping[str, Any] = {
    "learning_rate": 7e-4,
    "warm_up": 200,
    "decay": True,
    "hand_over": 2000,
    "teacher_floor": 0.25,
    "weight_decay": 0.0,
    "clip": 5.0,
    "guard": 0.05,
}
"""What learns much sooner than the paper's schedule."""

HEURISTIC_CURIOSITY = 0.5
"""alpha in the paper where a heuristic requests help: with 1 training collapsed."""


@dataclass(frozen=True)
class RunSettings:
    """What a run does besides learning."""

    evaluate_every: int = 1000
    """Iterations between two evaluations on the validation splits."""
    evaluation_tasks: int = 500
    """Tasks of each validation split to evaluate on."""
    save_every: int = 200
    """Iterations between two checkpoints."""
    seed: int = 0
    """The same seed gives the same agent, bit for bit on one machine."""


@dataclass(frozen=True)
class BatchSettings:
    """What an agent learns from."""

    iterations: int = 30_000
    """Batches of episodes to learn from; the default is the paper's."""
    batch_size: int = 32
    """Episodes of a batch; the default is the paper's."""
    budget: int = TRAINING_BUDGET
    """Time steps of an episode in training; the default is the paper's."""
    practice_share: float = 0.5
    """The share of each batch's episodes that are practice; without --practice it does not count."""


@dataclass(frozen=True)
class ConditionSettings:
    """The conditions of the help-request teacher."""

    lost: Lost = USUAL_LOST
    """The reading of the condition lost: the published code's or the paper's sentence, which asks more. It is
    stored with the agent, and evaluation scores by it."""
    gamma: float = GAMMA
    """The entropy from which the agent counts as uncertain; the default is the paper's."""


@dataclass(frozen=True)
class AskingSettings:
    """Who asks, and who answers."""

    asking: AskPolicyName = "learned"
    """Who requests help: the agent as it learns to, or a heuristic policy."""
    assistant: str | None = None
    """Who answers, in training and in the evaluations; by default who helps in tasks of this kind. anna,
    absent, noisy:0.2, limited:3, priced:2m or priced:1step, or your own as module:name, joined by commas; as
    in `helpanna evaluate`."""


@dataclass(frozen=True)
class MapSettings:
    """How agents with a map learn (--network map)."""

    learn_from: float = 1.0
    """The share of an episode's steps that is learned from."""
    route_lessons: int = 0
    """Iterations at the beginning in which routes are learned, and nothing else: help is requested wherever
    it can be, the teacher walks, and episodes are short."""
    lesson_share: float = 0.0
    """The share of episodes that are such lessons after that, to the end."""
    alone_share: float = 0.0
    """The share of episodes, after the first lessons, in which nobody helps."""
    updates: int = 1
    """Steps of Adam with each batch of episodes, each with a part of its decisions."""
    tolerance: float = 0.0
    """Places that are little further than the best one are right too, less so by a factor of e for each of
    this many metres; 0 for the best one alone."""


@dataclass(frozen=True)
class BeyondSettings:
    """What is not in the paper."""

    sight_dropout: float = 0.0
    """The share of the view features' channels, and of the words in sight, that stays hidden for a whole
    episode in training; not in the paper."""
    mirror: bool = False
    """Learn from half of the episodes as they would be in a mirror, left and right exchanged in the building
    and in the words."""
    words_from_sight: bool = False
    """Begin with word embeddings in the space of what the agent sees; for features captions and sight."""
    average: float = 0.0
    """Evaluate and save agents with an average of the weights: the share that it keeps of itself with each
    iteration, 0.995 for example; 0 for the weights themselves, as in the paper."""


@dataclass(frozen=True)
class TrainingSettings(
    MapSettings, BeyondSettings, AskingSettings, ConditionSettings, RunSettings, BatchSettings
):
    """How an agent learns; the defaults are the paper's for its own agent.

    The groups are those of `helpanna train --help`.

    Attributes:
        learning_rate: of Adam.
        warm_up: iterations in which the learning rate grows to its value.
        decay: let the learning rate fall to a tenth by the end, along a cosine.
        weight_decay: of Adam.
        curiosity: alpha, the weight of the curiosity-encouraging loss.
        guard: the probability below which that loss makes an action no less probable still.
        hand_over: iterations over which the navigation teacher, who acts at first, hands over to the agent;
            0 is the paper's way: the agent acts from the start.
        teacher_floor: the share of decisions that the teacher keeps after the hand-over.
        clip: largest norm of the gradient; 0 for no limit.
    """

    learning_rate: float = 1e-4
    warm_up: int = 0
    decay: bool = False
    weight_decay: float = 5e-4
    curiosity: float = 1.0
    guard: float = 1e-8
    hand_over: int = 0
    teacher_floor: float = 0.0
    clip: float = 0.0

    def check(self) -> None:
        """Refuses what cannot be."""
        for option, most in _MOST.items():
            self._refuse(option, getattr(self, option) < 1, "give at least 1")
            self._refuse(option, getattr(self, option) > most, f"give at most {most}")
        self._refuse("seed", self.seed < 0, "give at least 0")
        self._refuse("seed", self.seed >= 2**63, f"give at most {2**63 - 1}")
        self._refuse("learning_rate", not 0 < self.learning_rate < inf, "give a positive number")
        self._refuse("guard", not 0 < self.guard <= 1, "give a number above 0, up to 1")
        for option in _NOT_NEGATIVE:
            self._refuse(option, not 0 <= getattr(self, option) < inf, "give 0 or more")
        for option in ("sight_dropout", "average", "practice_share"):
            self._refuse(option, not 0 <= getattr(self, option) < 1, "give a number from 0 to below 1")
        self._refuse("learn_from", not 0 < self.learn_from <= 1, "give a number above 0, up to 1")
        for option in ("gamma", "teacher_floor", "lesson_share", "alone_share"):
            self._refuse(option, not 0 <= getattr(self, option) <= 1, "give a number from 0 to 1")
        rest = 1 - self.lesson_share
        remedy = f"give at most {rest:.4g} beside --lesson-share {self.lesson_share}"
        self._refuse("alone_share", self.alone_share > rest, remedy)

    def check_practice(self) -> None:
        """Refuses a batch without room for both, where there is practice."""
        fits = 0 < self.practice_episodes < self.batch_size
        self._refuse("practice_share", not fits, f"leave room for both in --batch-size {self.batch_size}")

    @property
    def practice_episodes(self) -> int:
        """How many episodes of a batch are practice, where there is some."""
        return round(self.practice_share * self.batch_size)

    def _refuse(self, option: str, wrong: bool, remedy: str) -> None:
        if wrong:
            raise InputError(f"--{option.replace('_', '-')} is {getattr(self, option)}; {remedy}.")

    def rate(self, iteration: int) -> float:
        """The learning rate of an iteration."""
        rate = self.learning_rate
        if self.decay:
            rate *= 0.1 + 0.45 * (1 + cos(pi * min(iteration / self.iterations, 1)))
        if iteration < self.warm_up:
            rate *= (iteration + 1) / self.warm_up
        return rate

    def teacher_share(self, iteration: int) -> float:
        """The probability that the teacher takes a navigation decision in place of the agent."""
        if iteration < self.route_lessons:
            return 1.0
        if self.hand_over == 0:
            return self.teacher_floor
        return max(1 - (iteration - self.route_lessons) / self.hand_over, self.teacher_floor)


def choose_settings(given: Mapping[str, Any], network: str, warm_start: bool = False) -> TrainingSettings:
    """What was given; else what goes with the network, the ask policy and the warm start; else the paper's.

    Args:
        given: settings by name; only those that somebody gave.
        network: "hierarchical", "lstm", "map", or the name of another network.
        warm_start: whether what was not given is taken from `WARM_START`.
    """
    chosen: dict[str, Any] = dict(WARM_START) if warm_start else {}
    if network in ("lstm", "map"):
        # The paper trains its baseline by negative log-likelihood alone; a map needs no curiosity: what it
        # would keep an agent from, walking the same wrong way again, is visible on it.
        chosen["curiosity"] = 0.0
    elif given.get("asking", "learned") != "learned":
        chosen["curiosity"] = HEURISTIC_CURIOSITY
    return TrainingSettings(**{**chosen, **given})


def choose_condition_prediction(given: bool | None, network: str, asking: AskPolicyName) -> bool:
    """Whether an agent learns to predict the conditions of the help-request teacher.

    Not where a heuristic requests help: nothing is learned about requests then. Not the paper's baseline,
    unless it was given.
    """
    if given and asking != "learned":
        raise InputError(
            f"--condition-prediction cannot be learned with --asking {asking}; leave out one of them."
        )
    return (network != "lstm" if given is None else given) and asking == "learned"
