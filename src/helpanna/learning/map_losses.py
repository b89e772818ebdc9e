"""Learning to choose among the places of a map: retrospective imitation over global actions.

All decisions of a batch of episodes are gathered with what the teachers say of them, and learned from in
groups of maps of about equal size.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from helpanna.agents.mapping.choosing import places_of
from helpanna.agents.mapping.network import MapNetwork
from helpanna.agents.mapping.survey import Pile
from helpanna.episodes.trajectory import Trajectories
from helpanna.learning.maps import Decisions
from helpanna.learning.settings import TrainingSettings
from helpanna.tasks.split import Split
from helpanna.tasks.vocabulary import Vocabulary
from helpanna.teachers.help_request import help_request_references
from helpanna.teachers.mapping import NO_REFERENCE

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

GROUP = 64
"""Maps that are learned from side by side."""
_TERMS = ("navigation", "ask", "conditions")
_TINY = 1e-9


@dataclass(frozen=True, eq=False)
class Walk:
    """What happened in some episodes of a batch.

    Attributes:
        split: where.
        trajectories: what was done.
        decisions: what was known at each step, and what the navigation teacher says of it.
        on_routes: whether this was a lesson on routes, in which nothing is learned about requests.
    """

    split: Split
    trajectories: Trajectories
    decisions: Sequence[Decisions]
    on_routes: bool


@dataclass(frozen=True, eq=False)
class Experience:
    """K decisions of a batch, and what both teachers say of them.

    Attributes:
        survey: what was known.
        place: [K] the navigation teacher's place, -1 where there is none or help was requested.
        right: [K, P] the distributions over places that are to be learned.
        ask: [K] whether the help-request teacher would request help.
        counts: [K] whether that is learned.
        conditions: [K, 3] its conditions.
        episode: [K] the episodes of the batch that the decisions are from, numbered from 0.
        episodes: how many there are.
    """

    survey: Pile
    place: Ints
    right: Floats
    ask: Bools
    counts: Bools
    conditions: Floats
    episode: Ints
    episodes: int

    def __len__(self) -> int:
        return len(self.place)


def experience_of(walks: Sequence[Walk], settings: TrainingSettings) -> Experience | None:
    """All decisions of a batch; None if its episodes were so few and short that no step was kept."""
    decisions = [decision for walk in walks for decision in walk.decisions]
    if not sum(len(decision.place) for decision in decisions):
        return None
    told = [_told(walk, settings) for walk in walks]
    before = np.cumsum([0, *(len(walk.trajectories) for walk in walks)])
    ask, counts, conditions = (np.concatenate(column) for column in zip(*told, strict=True))
    return Experience(
        survey=Pile([decision.survey for decision in decisions]),
        place=np.concatenate([decision.place for decision in decisions]),
        right=how_right([decision.metres for decision in decisions], settings.tolerance),
        ask=ask,
        counts=counts,
        conditions=conditions,
        episode=np.concatenate(
            [first + d.episode for first, walk in zip(before, walks, strict=False) for d in walk.decisions]
        ),
        episodes=int(before[-1]),
    )


def map_losses(
    network: MapNetwork,
    vocabulary: Vocabulary,
    experience: Experience | None,
    rows: Ints,
    settings: TrainingSettings,
) -> tuple[Tensor, dict[str, float]]:
    """The loss of some decisions, to be minimised, and its parts by name.

    As for the paper's networks: averaged over the agents of a step, summed over steps. Where only some of the
    steps are learned from, each counts for the more.

    Args:
        network: what learns.
        vocabulary: the words that it knows.
        experience: the decisions of a batch.
        rows: which of them; they stand for all.
        settings: how many of the steps are learned from.
    """
    device = next(network.parameters()).device
    if experience is None or not len(rows):
        nothing = torch.stack([parameter.sum() for parameter in network.parameters()]).sum() * 0
        return nothing, dict.fromkeys((*_TERMS, "curiosity", "guarded", "accuracy"), 0.0)
    weight = len(experience) / len(rows) / (settings.learn_from * experience.episodes)
    sums = dict.fromkeys(_TERMS, torch.zeros((), device=device))
    agreed = 0
    words, hidden, which = _read(network, vocabulary, experience.survey.text[rows].tolist(), device)
    for group, room in _groups_of(experience.survey.places()[rows]):
        chosen_rows = rows[group]

        def told(column: NDArray[np.generic], here: Ints = chosen_rows) -> Tensor:
            return torch.from_numpy(column[here]).to(device)

        text = torch.from_numpy(which[group]).to(device)
        known_places = places_of(experience.survey.select(chosen_rows, room), device)
        choices = network(known_places, words.index_select(0, text), hidden[text])
        place = told(experience.place)
        known = place != NO_REFERENCE
        wanted_place = told(experience.right[:, :room])
        log_place = choices.log_place[:, : wanted_place.shape[1]]
        chosen = (wanted_place * log_place.masked_fill(wanted_place == 0, 0)).sum(dim=1)
        sums["navigation"] = sums["navigation"] - chosen[known].sum() * weight
        agreed += int((choices.log_place.argmax(dim=1) == place)[known].sum())
        could = told(experience.counts)
        decided = choices.log_ask.gather(1, told(experience.ask).long()[:, None]).squeeze(1)
        sums["ask"] = sums["ask"] - decided[could].sum() * weight
        entropy = functional.binary_cross_entropy_with_logits(
            choices.reasons, told(experience.conditions), reduction="none"
        )
        sums["conditions"] = sums["conditions"] + entropy[could].mean(dim=1).sum() * weight
    total = torch.stack(list(sums.values())).sum()
    count = max(int((experience.place[rows] != NO_REFERENCE).sum()), 1)
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


def _groups_of(places: Ints) -> Iterator[tuple[Ints, int]]:
    """Maps of about equal size, in groups: which they are, and the places of the largest."""
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


def _told(walk: Walk, settings: TrainingSettings) -> tuple[Bools, Bools, Floats]:
    """What the help-request teacher says of the decisions: request, whether that counts, its conditions."""
    references = help_request_references(walk.split, walk.trajectories, settings.lost, settings.gamma)
    decisions = walk.decisions
    episode = np.concatenate([decision.episode for decision in decisions])
    step = np.concatenate([np.full(len(decision.episode), decision.step) for decision in decisions])
    at = episode, step
    counts = references.counts[at] & (not walk.on_routes)
    return references.ask[at], counts, references.conditions[at].astype(np.float32)
