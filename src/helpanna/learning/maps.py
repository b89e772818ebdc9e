"""Learning to choose among the places of a map: retrospective imitation over global actions.

The network remembers nothing between steps, so it learns from steps as they come, in large batches of maps of
about equal size; the rollout itself needs no gradients.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from helpanna.agents.habits import Habits
from helpanna.agents.mapping.agent import Walkers, notes_of
from helpanna.agents.mapping.choosing import Chooser, places_of
from helpanna.agents.mapping.network import MapNetwork
from helpanna.agents.mapping.surveys import Survey
from helpanna.assistance.assistants import Assistant, reseeded
from helpanna.episodes.episodes import Episodes
from helpanna.episodes.perception import Perception
from helpanna.episodes.trajectory import Trajectories
from helpanna.learning.disguise import disguised
from helpanna.learning.lessons import Lesson
from helpanna.learning.rollout import GUIDED_ASK, Batch, sample, seed_of
from helpanna.learning.settings import TrainingSettings
from helpanna.randomness import uniforms
from helpanna.tasks.split import Split
from helpanna.tasks.vocabulary import Vocabulary
from helpanna.teachers.help_request import help_request_references
from helpanna.teachers.mapping import NO_REFERENCE, MapTeacher, best_places

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

ROUTE_LESSON = 8
"""Time steps of an episode in which only routes are learned."""
GROUP = 64
"""Maps that are learned from side by side."""
_TERMS = ("navigation", "ask", "conditions")
_TINY = 1e-9


@dataclass(frozen=True, eq=False)
class Decisions:
    """What n agents knew at one time step, and what the teacher says of it.

    Attributes:
        episode: [n] who they are.
        step: the time step.
        place: [n] the teacher's place, -1 where there is none or help was requested.
        metres: [n, P] what is left to walk over each place they know.
        survey: what they knew, in disguise.
    """

    episode: Ints
    step: int
    place: Ints
    metres: Floats
    survey: Survey


def roll_out_maps(
    network: MapNetwork,
    lesson: Lesson,
    habits: Habits,
    assistant: Assistant,
    batch: Batch,
    settings: TrainingSettings,
) -> tuple[Trajectories, list[Decisions]]:
    """Runs the episodes of a batch by the agent's own samples and by the teacher."""
    lesson_on_routes = batch.iteration < settings.route_lessons
    budget = min(settings.budget, ROUTE_LESSON) if lesson_on_routes else settings.budget
    assistant = reseeded(assistant, seed_of(settings, batch.iteration))
    episodes = Episodes(lesson.train, assistant, batch.tasks, budget)
    words = network.config.words_in_sight
    walkers = Walkers(Perception(lesson.train), lesson.features.name, len(batch.tasks), habits, words)
    teacher = MapTeacher(lesson.train, len(batch.tasks))
    chooser = Chooser(network, lesson.vocabulary, next(network.parameters()).device, filled=False)
    share = settings.teacher_share(batch.iteration)
    decisions: list[Decisions] = []
    while episodes.active.any():
        observation = episodes.observe()
        survey = walkers.look(observation)

        def draw(purpose: str, step: int = observation.step) -> NDArray[np.float64]:
            return uniforms(settings.seed, purpose, batch.iteration, batch.place, step)

        nobody = np.zeros_like(observation.active)
        found = chooser.choose(survey, nobody if lesson_on_routes else observation.active)
        metres = teacher.metres(walkers.known, observation)
        reference = best_places(metres)
        guided = (draw("teacher") < share) & (reference != NO_REFERENCE)
        place = np.where(guided, reference, sample(found.log_place, draw("navigation")))
        ask = sample(found.log_ask, draw("ask")).astype(bool)
        # As for the paper's agent: where the teacher decides, help is requested now and then between routes.
        often = 1.0 if lesson_on_routes else GUIDED_ASK
        now_and_then = ~observation.on_route & (draw("guided ask") < often)
        ask = np.where(guided, now_and_then, ask) & walkers.may_ask(observation)
        rows = np.flatnonzero(observation.active & (draw("kept") < settings.learn_from))
        width = survey.exists.shape[1]
        taught = np.where(ask[rows], NO_REFERENCE, reference[rows])
        known = disguised(survey.select(rows, width), rows, batch, settings)
        decisions.append(Decisions(rows, observation.step, taught, metres[rows, :width], known))
        guess = walkers.action_towards(found.log_place.argmax(axis=1), observation)
        action = walkers.action_towards(place, observation)
        episodes.step(ask, action, notes_of(found, guess))
    return episodes.trajectories(), decisions


def map_losses(
    network: MapNetwork,
    vocabulary: Vocabulary,
    rollouts: Sequence[tuple[Split, Trajectories, Sequence[Decisions]]],
    settings: TrainingSettings,
    on_routes: bool = False,
) -> tuple[Tensor, dict[str, float]]:
    """The loss of a batch, to be minimised, and its parts by name.

    As for the paper's networks: averaged over the agents of a step, summed over steps. Where only some of the
    steps are learned from, each counts for the more.

    Args:
        network: what learns.
        vocabulary: the words that it knows.
        rollouts: what happened in each of the splits that the episodes of the batch are from.
        settings: the readings of the conditions, and how right a place is that is not the best one.
        on_routes: whether this was a lesson on routes, in which nothing is learned about requests.
    """
    told = [_told(*rollout, settings) for rollout in rollouts]
    ask, counts, truth = (np.concatenate(column) for column in zip(*told, strict=True))
    counts &= not on_routes
    decisions = [decision for *_, some in rollouts for decision in some]
    taught = np.concatenate([decision.place for decision in decisions])
    device = next(network.parameters()).device
    if not len(taught):  # the episodes were so few and short that no step was kept
        nothing = torch.stack([parameter.sum() for parameter in network.parameters()]).sum() * 0
        return nothing, dict.fromkeys((*_TERMS, "curiosity", "guarded", "accuracy"), 0.0)
    survey = _joined([decision.survey for decision in decisions])
    right = how_right([decision.metres for decision in decisions], settings.tolerance)
    weight = 1 / (settings.learn_from * sum(len(trajectories) for _, trajectories, _ in rollouts))
    sums = dict.fromkeys(_TERMS, torch.zeros((), device=device))
    agreed = 0
    words, hidden, which = _read(network, vocabulary, survey.text.tolist(), device)
    for rows, room in _groups_of(survey):
        text = torch.from_numpy(which[rows]).to(device)
        known_places = places_of(survey.select(rows, room), device)
        choices = network(known_places, words.index_select(0, text), hidden[text])
        place = torch.from_numpy(taught[rows]).to(device)
        known = place != NO_REFERENCE
        wanted_place = torch.from_numpy(right[rows, :room]).to(device)
        log_place = choices.log_place[:, : wanted_place.shape[1]]
        chosen = (wanted_place * log_place.masked_fill(wanted_place == 0, 0)).sum(dim=1)
        sums["navigation"] = sums["navigation"] - chosen[known].sum() * weight
        agreed += int((choices.log_place.argmax(dim=1) == place)[known].sum())
        could = torch.from_numpy(counts[rows]).to(device)
        wanted = torch.from_numpy(ask[rows].astype(np.int64)).to(device)
        decided = choices.log_ask.gather(1, wanted[:, None]).squeeze(1)
        sums["ask"] = sums["ask"] - decided[could].sum() * weight
        entropy = functional.binary_cross_entropy_with_logits(
            choices.reasons, torch.from_numpy(truth[rows]).to(device), reduction="none"
        )
        sums["conditions"] = sums["conditions"] + entropy[could].mean(dim=1).sum() * weight
    total = torch.stack(list(sums.values())).sum()
    count = max(int((taught != NO_REFERENCE).sum()), 1)
    figures = {name: float(value.detach()) for name, value in sums.items()}
    return total, {**figures, "curiosity": 0.0, "guarded": 0.0, "accuracy": agreed / count}


def how_right(metres: Sequence[Floats], tolerance: float) -> Floats:
    """[K, P] the distributions that the network is to learn, from what is left to walk over each place.

    The best place alone, or with a tolerance also those that are little further: where ways part only later,
    all of them are right.
    """
    width = max(left.shape[1] for left in metres)
    room = [np.pad(left, [(0, 0), (0, width - left.shape[1])], constant_values=np.inf) for left in metres]
    left = np.concatenate(room)
    best = left.min(axis=1, keepdims=True)
    if tolerance == 0:
        right = np.arange(width) == left.argmin(axis=1)[:, None]
    else:
        right = np.exp((np.where(np.isfinite(best), best, 0) - left) / tolerance)
    return (right / np.maximum(right.sum(axis=1, keepdims=True), _TINY)).astype(np.float32)


def _groups_of(survey: Survey) -> Iterator[tuple[Ints, int]]:
    """Maps of about equal size, in groups: their rows, and the places of the largest."""
    places = survey.places()
    order = np.argsort(places, kind="stable")
    for first in range(0, len(order), GROUP):
        rows = order[first : first + GROUP]
        yield rows, int(places[rows[-1]])


def _read(
    network: MapNetwork, vocabulary: Vocabulary, texts: list[str], device: torch.device
) -> tuple[Tensor, Tensor, Ints]:
    """Every different text once, see `MapNetwork.encode`; and which of them each map has."""
    number = {text: i for i, text in enumerate(dict.fromkeys(texts))}
    tokens, length = (torch.from_numpy(x).to(device) for x in vocabulary.tokens(list(number)))
    words, hidden = network.encode(tokens[:, : max(int(length.max()), 1)], length)
    return words, hidden, np.array([number[text] for text in texts])


def _told(
    split: Split, trajectories: Trajectories, decisions: Sequence[Decisions], settings: TrainingSettings
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], Floats]:
    """What the help-request teacher says of the decisions: request, whether that counts, its conditions."""
    references = help_request_references(split, trajectories, settings.lost, settings.gamma)
    episode = np.concatenate([decision.episode for decision in decisions])
    step = np.concatenate([np.full(len(decision.episode), decision.step) for decision in decisions])
    at = episode, step
    return references.ask[at], references.counts[at], references.conditions[at].astype(np.float32)


def _joined(surveys: Sequence[Survey]) -> Survey:
    """All maps of some surveys, in one with room for the largest."""
    width = max(survey.exists.shape[1] for survey in surveys)
    wide = [survey.select(np.arange(len(survey)), width) for survey in surveys]
    return Survey(
        **{f.name: np.concatenate([getattr(part, f.name) for part in wide]) for f in fields(Survey)}
    )
