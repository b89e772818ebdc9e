"""Learners: a batch of episodes and its losses as one module, so that DistributedDataParallel can wrap it."""

import torch
from torch import Tensor, nn

from helpanna.agents.habits import Habits
from helpanna.agents.mapping.network import MapNetwork
from helpanna.agents.senses import Senses
from helpanna.assistance.names import make_assistant
from helpanna.episodes.perception import Perception
from helpanna.episodes.trajectory import Trajectories
from helpanna.errors import InputError
from helpanna.learning.lessons import Lesson
from helpanna.learning.losses import losses_of
from helpanna.learning.maps import map_losses, roll_out_maps
from helpanna.learning.processes import Processes
from helpanna.learning.rollout import Batch, roll_out
from helpanna.learning.settings import TrainingSettings

Learned = tuple[Tensor, Trajectories, dict[str, float]]
"""The total loss of a batch, what happened, and the figures.

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
        self.networks, self._habits = networks, habits
        self._settings, self._processes, self._split = settings, processes, lesson.train
        perception = Perception(lesson.train)
        if getattr(networks.config, "words_in_sight", False):
            perception.word_ids([])  # says so now if the atlas does not know the words in sight
        self._senses = Senses(perception, lesson.features.name, lesson.vocabulary, device)
        self._assistant = make_assistant(settings.assistant, lesson.train, random_ties=True)

    def forward(self, batch: Batch) -> Learned:
        """Rollout, teachers, losses."""
        rollout = roll_out(
            self.networks,  # type: ignore[arg-type]
            self._senses,
            self._split,
            self._assistant,
            batch,
            self._settings,
            self._habits,
        )
        losses = losses_of(
            self._split,
            rollout,
            self._settings,
            lambda counts: self._processes.mean(counts, self._settings.budget),
        )
        return losses.total, rollout.trajectories, losses.values()


class MapLearner(nn.Module):
    """A network that remembers nothing but the map: it learns from some steps of an episode."""

    def __init__(
        self, networks: MapNetwork, lesson: Lesson, settings: TrainingSettings, habits: Habits
    ) -> None:
        super().__init__()
        _check(settings)
        self.networks, self._lesson, self._habits, self._settings = networks, lesson, habits, settings
        self._assistant = make_assistant(settings.assistant, lesson.train, random_ties=True)

    def forward(self, batch: Batch) -> Learned:
        """Rollout without gradients, teachers, losses."""
        self.networks.eval()
        trajectories, kept = roll_out_maps(
            self.networks, self._lesson, self._habits, self._assistant, batch, self._settings
        )
        self.networks.train()
        total, figures = map_losses(self.networks, self._lesson, trajectories, kept, self._settings)
        return total, trajectories, figures


def _check(settings: TrainingSettings) -> None:
    for option, usual in (("sight_dropout", 0.0), ("curiosity", 0.0), ("asking", "learned")):
        if getattr(settings, option) != usual:
            raise InputError(
                f"--{option.replace('_', '-')} is {getattr(settings, option)}, but agents with a map learn "
                "without that; leave it out."
            )
