"""Learners: a batch of episodes and its losses as one module, so that DistributedDataParallel can wrap it."""

import torch
from torch import Tensor, nn

from helpanna.agents.habits import Habits
from helpanna.agents.mapping.network import MapNetwork
from helpanna.agents.senses import Senses
from helpanna.assistance.assistants import Assistant
from helpanna.assistance.names import make_assistant
from helpanna.episodes.perception import Perception
from helpanna.episodes.trajectory import Trajectories
from helpanna.errors import InputError
from helpanna.learning.lessons import Lesson
from helpanna.learning.losses import joint_losses
from helpanna.learning.maps import map_losses, roll_out_maps
from helpanna.learning.processes import Processes
from helpanna.learning.rollout import Batch, Rollout, roll_out
from helpanna.learning.settings import TrainingSettings

Learned = tuple[Tensor, dict[int, Trajectories], dict[str, float]]
"""The total loss of a batch, what happened in each training split (see `Lesson.divided`), and the figures.

No tensor but the loss: DistributedDataParallel awaits gradients of all that tensors here came from.
"""


def make_learner(
    networks: nn.Module,
    lesson: Lesson,
    settings: TrainingSettings,
    habits: Habits,
    processes: Processes,
    device: torch.device,
) -> nn.Module:
    """What these networks learn by."""
    if isinstance(networks, MapNetwork):
        return MapLearner(networks, lesson, settings, habits)
    return Learner(networks, lesson, settings, habits, processes, device)


class Learner(nn.Module):
    """Networks that remember from step to step: they learn from every step of an episode."""

    def __init__(
        self,
        networks: nn.Module,
        lesson: Lesson,
        settings: TrainingSettings,
        habits: Habits,
        processes: Processes,
        device: torch.device,
    ) -> None:
        super().__init__()
        self.networks, self._lesson, self._habits = networks, lesson, habits
        self._settings, self._processes = settings, processes
        _check_words(networks, lesson)
        self._senses = [
            Senses(Perception(part.train), part.features.name, part.vocabulary, device)
            for part in lesson.parts
        ]
        self._assistants = _assistants(lesson, settings)

    def forward(self, batch: Batch) -> Learned:
        """Rollouts, teachers, losses."""
        parts = self._lesson.parts
        rollouts = {number: self._roll_out(number, part) for number, part in self._lesson.divided(batch)}
        losses = joint_losses(
            [(parts[number].train, rollout) for number, rollout in rollouts.items()],
            self._settings,
            lambda counts: self._processes.mean(counts, self._settings.budget),
        )
        walked = {number: rollout.trajectories for number, rollout in rollouts.items()}
        return losses.total, walked, losses.values()

    def _roll_out(self, number: int, batch: Batch) -> Rollout:
        return roll_out(
            self.networks,  # type: ignore[arg-type]
            self._senses[number],
            self._lesson.parts[number].train,
            self._assistants[number],
            batch,
            self._settings,
            self._habits,
        )


class MapLearner(nn.Module):
    """A network that remembers nothing but the map: it learns from some steps of an episode."""

    def __init__(
        self, networks: MapNetwork, lesson: Lesson, settings: TrainingSettings, habits: Habits
    ) -> None:
        super().__init__()
        _check(settings)
        _check_words(networks, lesson)
        self.networks, self._lesson, self._habits, self._settings = networks, lesson, habits, settings
        self._assistants = _assistants(lesson, settings)

    def forward(self, batch: Batch) -> Learned:
        """Rollouts without gradients, teachers, losses."""
        self.networks.eval()
        parts = self._lesson.parts
        rollouts = {
            number: roll_out_maps(
                self.networks, parts[number], self._habits, self._assistants[number], part, self._settings
            )
            for number, part in self._lesson.divided(batch)
        }
        self.networks.train()
        total, figures = map_losses(
            self.networks,
            self._lesson.vocabulary,
            [(parts[number].train, *rollout) for number, rollout in rollouts.items()],
            self._settings,
            on_routes=batch.iteration < self._settings.route_lessons,
        )
        return total, {number: walked for number, (walked, _) in rollouts.items()}, figures


def _assistants(lesson: Lesson, settings: TrainingSettings) -> list[Assistant]:
    """Who helps in each training split: in tasks of the main kind who was chosen, else the kind's own."""
    main = lesson.train.kind
    return [
        make_assistant(settings.assistant if part.train.kind is main else None, part.train, random_ties=True)
        for part in lesson.parts
    ]


def _check_words(networks: nn.Module, lesson: Lesson) -> None:
    """Says so now if networks look for words in sight that the atlas does not know."""
    if getattr(networks.config, "words_in_sight", False):
        Perception(lesson.train).word_ids([])


def _check(settings: TrainingSettings) -> None:
    for option, usual in (("curiosity", 0.0), ("asking", "learned")):
        if getattr(settings, option) != usual:
            raise InputError(
                f"--{option.replace('_', '-')} is {getattr(settings, option)}, but agents with a map learn "
                "without that; leave it out."
            )
