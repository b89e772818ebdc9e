"""The settings of a training run."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import cos, inf, pi
from typing import Any, Literal

from helpanna.episodes.conditions import USUAL_LOST, Lost
from helpanna.episodes.episodes import TRAINING_BUDGET
from helpanna.errors import InputError
from helpanna.teachers.help_request import GAMMA

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
"""What learns much sooner than the paper's schedule; see `warmly`."""


@dataclass(frozen=True)
class TrainingSettings:
    """How an agent learns; the defaults are the paper's."""

    iterations: int = 30_000
    """Batches of episodes to learn from."""
    batch_size: int = 32
    """Episodes of a batch."""
    budget: int = TRAINING_BUDGET
    """Time steps of an episode in training."""
    learning_rate: float = 1e-4
    """Of Adam."""
    warm_up: int = 0
    """Iterations in which the learning rate grows to its value."""
    decay: bool = False
    """Let the learning rate fall to a tenth by the end, along a cosine."""
    weight_decay: float = 5e-4
    """Of Adam."""
    curiosity: float = 1.0
    """alpha, the weight of the curiosity-encouraging loss; in the paper 0.5 with heuristic ask policies."""
    guard: float = 1e-8
    """The probability below which the curiosity-encouraging loss makes an action no less probable still."""
    condition_prediction: bool = True
    """Whether the conditions of the help-request teacher are learned too."""
    lost: Lost = USUAL_LOST
    """The reading of the condition lost: the published code's or the paper's sentence, which asks more."""
    gamma: float = GAMMA
    """The entropy from which the agent counts as uncertain."""
    asking: AskPolicyName = "learned"
    """Who requests help: the agent as it learns to, or a heuristic policy."""
    hand_over: int = 0
    """Iterations over which the navigation teacher, who acts at first, hands over to the agent; 0 is the
    paper's way: the agent acts from the start."""
    teacher_floor: float = 0.0
    """The share of decisions that the teacher keeps after the hand-over."""
    clip: float = 0.0
    """Largest norm of the gradient; 0 for no limit."""
    evaluate_every: int = 1000
    """Iterations between two evaluations on the validation splits."""
    evaluation_tasks: int = 500
    """Tasks of each validation split to evaluate on."""
    save_every: int = 200
    """Iterations between two checkpoints."""
    seed: int = 0
    """The same seed gives the same agent, bit for bit on one machine."""

    def check(self) -> None:
        """Refuses what cannot be."""
        for option in (
            "iterations",
            "batch_size",
            "budget",
            "evaluate_every",
            "evaluation_tasks",
            "save_every",
        ):
            self._refuse(option, getattr(self, option) < 1, "give at least 1")
        self._refuse("learning_rate", not 0 < self.learning_rate < inf, "give a positive number")
        self._refuse("guard", not 0 < self.guard <= 1, "give a number above 0, up to 1")
        for option in ("weight_decay", "curiosity", "clip", "hand_over", "warm_up"):
            self._refuse(option, not 0 <= getattr(self, option) < inf, "give 0 or more")
        for option in ("gamma", "teacher_floor"):
            self._refuse(option, not 0 <= getattr(self, option) <= 1, "give a number from 0 to 1")

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
        if self.hand_over == 0:
            return self.teacher_floor
        return max(1 - iteration / self.hand_over, self.teacher_floor)


def warmly(settings: TrainingSettings) -> TrainingSettings:
    """The warm start, except for what was set to something else than the paper's."""
    papers = TrainingSettings()
    changed = {name for name in WARM_START if getattr(settings, name) != getattr(papers, name)}
    return replace(settings, **{name: value for name, value in WARM_START.items() if name not in changed})
