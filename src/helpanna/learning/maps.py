"""Learning to choose among the places of a map: retrospective imitation over global actions.

The network remembers nothing between steps, so it learns from a sample of the steps of each rollout, in large
batches of maps of about equal size; the rollout itself needs no gradients.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from helpanna.agents.habits import Habits
from helpanna.agents.mapping.agent import Walkers, notes_of
from helpanna.agents.mapping.choosing import Chooser, blocks_of, places_of
from helpanna.agents.mapping.network import MapNetwork
from helpanna.agents.mapping.surveys import Survey
from helpanna.assistance.assistants import Assistant, reseeded
from helpanna.episodes.episodes import Episodes
from helpanna.episodes.perception import Perception
from helpanna.episodes.trajectory import Trajectories
from helpanna.learning.lessons import Lesson
from helpanna.learning.rollout import GUIDED_ASK, Batch, sample, seed_of
from helpanna.learning.settings import TrainingSettings
from helpanna.randomness import uniforms
from helpanna.tasks.split import Split
from helpanna.tasks.vocabulary import Vocabulary
from helpanna.teachers.help_request import help_request_references
from helpanna.teachers.mapping import NO_REFERENCE, MapTeacher

Ints = NDArray[np.int64]

KEPT = 0.4
"""The share of steps that is learned from."""
GROUP = 64
"""Maps that are learned from side by side."""
_TERMS = ("navigation", "ask", "conditions")


@dataclass(frozen=True, eq=False)
class KeptSteps:
    """K steps to learn from.

    Attributes:
        episode, step: [K] which decisions.
        place: [K] the teacher's place, -1 where there is none or help was requested.
        surveys: what was known then, in the same order; a survey for each time step that has some.
    """

    episode: Ints
    step: Ints
    place: Ints
    surveys: Sequence[Survey]


def roll_out_maps(
    network: MapNetwork,
    lesson: Lesson,
    habits: Habits,
    assistant: Assistant,
    batch: Batch,
    settings: TrainingSettings,
) -> tuple[Trajectories, KeptSteps]:
    """Runs the episodes of a batch by the agent's own samples and by the teacher; keeps some of the steps."""
    assistant = reseeded(assistant, seed_of(settings, batch.iteration))
    episodes = Episodes(lesson.train, assistant, batch.tasks, settings.budget)
    words = network.config.words_in_sight
    walkers = Walkers(Perception(lesson.train), lesson.features.name, len(batch.tasks), habits, words)
    teacher = MapTeacher(lesson.train, len(batch.tasks))
    chooser = Chooser(network, lesson.vocabulary, next(network.parameters()).device, filled=False)
    share = settings.teacher_share(batch.iteration)
    kept: list[tuple[Ints, Ints, Ints, Survey]] = []
    while episodes.active.any():
        observation = episodes.observe()
        survey = walkers.look(observation)

        def draw(purpose: str, step: int = observation.step) -> NDArray[np.float64]:
            return uniforms(settings.seed, purpose, batch.iteration, batch.place, step)

        found = chooser.choose(survey, observation.active)
        reference = teacher.references(walkers.known, observation)
        guided = (draw("teacher") < share) & (reference != NO_REFERENCE)
        place = np.where(guided, reference, sample(found.log_place, draw("navigation")))
        ask = sample(found.log_ask, draw("ask")).astype(bool)
        # As for the paper's agent: where the teacher decides, help is requested now and then between routes.
        now_and_then = ~observation.on_route & (draw("guided ask") < GUIDED_ASK)
        ask = np.where(guided, now_and_then, ask) & walkers.may_ask(observation)
        rows = np.flatnonzero(observation.active & (draw("kept") < KEPT))
        if len(rows):
            learned = np.where(ask[rows], NO_REFERENCE, reference[rows])
            known = survey.select(rows, survey.exists.shape[1])
            kept.append((rows, np.full(len(rows), observation.step), learned, known))
        guess = walkers.action_towards(found.log_place.argmax(axis=1), observation)
        action = walkers.action_towards(place, observation)
        episodes.step(ask, action, notes_of(found, guess))
    nothing = np.zeros(0, dtype=np.int64)
    episode, step, learned = (np.concatenate([nothing, *(part[i] for part in kept)]) for i in range(3))
    return episodes.trajectories(), KeptSteps(episode, step, learned, [survey for *_, survey in kept])


def map_losses(
    network: MapNetwork,
    vocabulary: Vocabulary,
    rollouts: Sequence[tuple[Split, Trajectories, KeptSteps]],
    settings: TrainingSettings,
) -> tuple[Tensor, dict[str, float]]:
    """The loss of a batch, to be minimised, and its parts by name.

    Kept steps are weighted such that the sums are as for the paper's networks: averaged over the agents of a
    step, summed over steps.

    Args:
        network: what learns.
        vocabulary: the words that it knows.
        rollouts: what happened in each of the splits that the episodes of the batch are from.
        settings: the readings of the conditions.
    """
    told = [_told(*rollout, settings) for rollout in rollouts]
    taught, ask, counts, truth = (np.concatenate(column) for column in zip(*told, strict=True))
    counts &= settings.asking == "learned"
    device = next(network.parameters()).device
    if not len(taught):  # the episodes were so few and short that no step was kept
        nothing = torch.stack([parameter.sum() for parameter in network.parameters()]).sum() * 0
        return nothing, dict.fromkeys((*_TERMS, "curiosity", "guarded", "accuracy"), 0.0)
    survey = _joined([survey for *_, kept in rollouts for survey in kept.surveys])
    weight = 1 / (KEPT * sum(len(trajectories) for _, trajectories, _ in rollouts))
    sums = dict.fromkeys(_TERMS, torch.zeros((), device=device))
    right = 0
    for rows, room in blocks_of(survey, GROUP):
        tokens, length = (
            torch.from_numpy(x).to(device) for x in vocabulary.tokens(survey.text[rows].tolist())
        )
        width = max(int(length.max()), 1)
        words, hidden = network.encode(tokens[:, :width], length)
        choices = network(places_of(survey.select(rows, room), device), words, hidden)
        place = torch.from_numpy(taught[rows]).to(device)
        known = place != NO_REFERENCE
        chosen = choices.log_place.gather(1, place.clamp(min=0)[:, None]).squeeze(1)
        sums["navigation"] = sums["navigation"] - chosen[known].sum() * weight
        right += int((choices.log_place.argmax(dim=1) == place)[known].sum())
        could = torch.from_numpy(counts[rows]).to(device)
        wanted = torch.from_numpy(ask[rows].astype(np.int64)).to(device)
        decided = choices.log_ask.gather(1, wanted[:, None]).squeeze(1)
        sums["ask"] = sums["ask"] - decided[could].sum() * weight
        entropy = functional.binary_cross_entropy_with_logits(
            choices.reasons, torch.from_numpy(truth[rows]).to(device), reduction="none"
        )
        sums["conditions"] = sums["conditions"] + entropy[could].mean(dim=1).sum() * weight
    total = torch.stack(list(sums.values())).sum()
    decisions = max(int((taught != NO_REFERENCE).sum()), 1)
    figures = {name: float(value.detach()) for name, value in sums.items()}
    return total, {**figures, "curiosity": 0.0, "guarded": 0.0, "accuracy": right / decisions}


def _told(
    split: Split, trajectories: Trajectories, kept: KeptSteps, settings: TrainingSettings
) -> tuple[Ints, NDArray[np.bool_], NDArray[np.bool_], NDArray[np.float32]]:
    """What the teachers say of the kept steps: place, request, whether that counts, and its conditions."""
    references = help_request_references(split, trajectories, settings.lost, settings.gamma)
    at = kept.episode, kept.step
    truth = references.conditions[at].astype(np.float32)
    return kept.place, references.ask[at], references.counts[at], truth


def _joined(surveys: Sequence[Survey]) -> Survey:
    """All maps of some surveys, in one with room for the largest."""
    width = max(survey.exists.shape[1] for survey in surveys)
    wide = [survey.select(np.arange(len(survey)), width) for survey in surveys]
    return Survey(
        **{f.name: np.concatenate([getattr(part, f.name) for part in wide]) for f in fields(Survey)}
    )
