"""Learners: a batch of episodes and its losses as one module, so that DistributedDataParallel can wrap it."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from helpanna.agents.habits import Habits
from helpanna.agents.mapping.network import MapNetwork
from helpanna.agents.senses import Senses
from helpanna.assistance.assistants import Absent, Assistant
from helpanna.assistance.names import make_assistant
from helpanna.episodes.perception import Perception
from helpanna.episodes.trajectory import Trajectories
from helpanna.errors import InputError
from helpanna.learning.lessons import Lesson
from helpanna.learning.losses import joint_losses
from helpanna.learning.map_losses import Experience, Walk, experience_of, map_losses
from helpanna.learning.maps import roll_out_maps
from helpanna.learning.processes import Processes
from helpanna.learning.rollout import Batch, Rollout, roll_out
from helpanna.learning.settings import TrainingSettings
from helpanna.randomness import generator, uniforms

Learned = tuple[Tensor, dict[int, Trajectories], dict[str, float]]
"""The total loss of a batch, what happened in each training split (see `Lesson.divided`), and the figures.

No tensor but the loss: DistributedDataParallel awaits gradients of all that tensors here came from.
"""


_USUAL, _ON_ROUTES, _ALONE = range(3)
"""Episodes of agents with a map: usual ones, lessons on routes, and those in which nobody helps."""


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
        if settings.updates > 1:
            raise InputError(
                f"--updates is {settings.updates}, but only agents with a map (--network map) learn from a "
                "batch in parts; leave it out."
            )
        self.networks, self._lesson, self._habits = networks, lesson, habits
        self._settings, self._processes = settings, processes
        _check_words(networks, lesson)
        self._senses = [
            Senses(Perception(part.train), part.features.name, part.vocabulary, device)
            for part in lesson.parts
        ]
        self._assistants = _assistants(lesson, settings)

    def forward(self, batch: Batch, part: int = 0) -> Learned:
        """Rollouts, teachers, losses; of the whole batch at once."""
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
    """A network that remembers nothing but the map: it learns from decisions one by one.

    So a batch can be learned from in parts, with a step of Adam after each.
    """

    def __init__(
        self, networks: MapNetwork, lesson: Lesson, settings: TrainingSettings, habits: Habits
    ) -> None:
        super().__init__()
        _check(settings)
        _check_words(networks, lesson)
        self.networks, self._lesson, self._habits, self._settings = networks, lesson, habits, settings
        self._assistants = _assistants(lesson, settings)
        self._experience: Experience | None = None
        self._walked: dict[int, Trajectories] = {}

    def forward(self, batch: Batch, part: int = 0) -> Learned:
        """Rollouts without gradients and teachers, with the first part of a batch; the losses of a part."""
        settings = self._settings
        if part == 0:
            self.networks.eval()
            walks = dict(self._walks(batch))
            self.networks.train()
            self._experience = experience_of(list(walks.values()), settings)
            self._walked = {
                number: walk.trajectories for (number, way), walk in walks.items() if way == _USUAL
            } or {number: walk.trajectories for (number, _), walk in walks.items()}
        total, figures = map_losses(
            self.networks, self._lesson.vocabulary, self._experience, self._rows(batch, part), settings
        )
        return total, self._walked, figures

    def _rows(self, batch: Batch, part: int) -> NDArray[np.int64]:
        """The decisions of a part of the batch's episodes: they share texts, which are read once."""
        if self._experience is None:
            return np.zeros(0, dtype=np.int64)
        drawn = generator(self._settings.seed, "parts", batch.iteration, *batch.place[:1])
        turn = drawn.permutation(self._experience.episodes) % self._settings.updates
        return np.flatnonzero(turn[self._experience.episode] == part)

    def _walks(self, batch: Batch) -> Iterator[tuple[tuple[int, int], Walk]]:
        """What happens in each training split, in usual episodes, in lessons on routes and without help."""
        settings, parts = self._settings, self._lesson.parts
        drawn = uniforms(settings.seed, "lesson", batch.iteration, batch.place)
        lessons = (drawn < settings.lesson_share) | (batch.iteration < settings.route_lessons)
        alone = ~lessons & (drawn >= 1 - settings.alone_share)
        ways = np.select([lessons, alone], [_ON_ROUTES, _ALONE], _USUAL)
        for way in (_USUAL, _ON_ROUTES, _ALONE):
            mine = ways == way
            some = replace(batch, tasks=batch.tasks[mine], place=batch.place[mine])
            for number, own in self._lesson.divided(some):
                helper = Absent() if way == _ALONE else self._assistants[number]
                walked, decisions = roll_out_maps(
                    *(self.networks, parts[number], self._habits, helper, own, settings),
                    way == _ON_ROUTES,
                )
                yield (number, way), Walk(parts[number].train, walked, decisions, way == _ON_ROUTES)


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
        for part in lesson.parts:
            Perception(part.train).word_ids([])


def _check(settings: TrainingSettings) -> None:
    for option, usual in (("curiosity", 0.0), ("asking", "learned")):
        if getattr(settings, option) != usual:
            raise InputError(
                f"--{option.replace('_', '-')} is {getattr(settings, option)}, but agents with a map learn "
                "without that; leave it out."
            )
