"""A trained agent: networks that act greedily, and whose decisions no neighbour in the batch can change.

The result of a matrix product depends, in its last bits, on the shape of the matrices and on the number of
threads. So agents are computed in blocks of one fixed size, filled up with copies, and texts in groups of one
fixed size and length, all on one thread: every product is computed in the same way whatever the batch, and a
row's result does not depend on its place. Processes use more cores (`run_on_cores`).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from helpanna.agents.agent import Decision
from helpanna.agents.cards import how_to_add, sees
from helpanna.agents.habits import Habits
from helpanna.agents.mind import Mind
from helpanna.agents.networks.protocol import Networks, Outputs
from helpanna.agents.pointing import Pointing
from helpanna.agents.senses import Senses
from helpanna.agents.thoughts import Thoughts
from helpanna.episodes.conditions import Lost
from helpanna.episodes.episodes import EVALUATION_BUDGET
from helpanna.episodes.observation import Observation
from helpanna.episodes.perception import Perception
from helpanna.errors import InputError
from helpanna.tasks.vocabulary import Vocabulary
from helpanna.worlds.geometry import SLOTS

BLOCK = 64
"""Agents computed side by side."""

Ints = NDArray[np.int64]


N = TypeVar("N")


class NetworkAgent(Generic[N]):
    """What all agents have in common that act with networks.

    Attributes:
        networks: what it has learned.
        vocabulary: the words it knows.
        space: what the numbers of its view features mean; see `ViewFeatures`.
        device: where it computes.
        habits: how it uses its networks.
        hear: is told what it thinks, see `helpanna.agents.thoughts.listen`.
        set_bounds: by share of misses, the probability from which actions belong to its conformal sets; empty
            if it was not calibrated.
        predicts: whether it was trained to predict the conditions, if its networks put them out: not where a
            heuristic requested help.
    """

    hear: Callable[[Thoughts], None] | None = None

    def __init__(
        self,
        networks: N,
        vocabulary: Vocabulary,
        space: dict[str, Any],
        device: torch.device | None = None,
        habits: Habits | None = None,
    ) -> None:
        self.set_bounds: dict[str, float] = {}
        self.predicts = True
        self.networks, self.vocabulary, self.space = networks, vocabulary, space
        self.device = device or torch.device("cpu")
        self.habits = habits or Habits()

    @property
    def lost(self) -> Lost:
        """The reading of the condition `lost` by which it was taught."""
        return self.habits.lost


class LearnedAgent(NetworkAgent[Networks]):
    """Acts by the most probable decision of its networks."""

    _senses: Senses | None = None

    def begin(self, perception: Perception, tasks: Ints) -> None:
        """A batch begins: every block of agents has a mind of its own."""
        if self._senses is None or self._senses.perception != perception:
            features = features_in_space(perception, self.space)
            self._senses = Senses(perception, features, self.vocabulary, self.device)
            self._pointing = Pointing(perception)
        with torch.no_grad(), one_thread():
            self._blocks = [
                _Block(rows, Mind(self.networks, self._senses, BLOCK, EVALUATION_BUDGET, self.habits))
                for rows in _in_blocks(np.arange(len(tasks)))
            ]

    def act(self, observation: Observation) -> Decision:
        """Greedy decisions; rows of finished episodes mean nothing."""
        count = len(observation.task)
        ask, action = np.zeros(count, dtype=bool), np.zeros(count, dtype=np.int64)
        notes: dict[str, NDArray[Any]] = {}
        thought: dict[str, NDArray[Any]] = {}
        with torch.no_grad(), one_thread():
            self._blocks = _packed(self._blocks, observation.active)
        for block in self._blocks:
            rows, mind = block.rows, block.mind
            if not observation.active[rows].any():
                continue
            seen = observation.select(np.resize(rows, BLOCK))
            with torch.no_grad(), one_thread():
                outputs = mind.think(seen)
            kept = slice(0, len(rows))
            p_ask, p_nav = (p.exp().cpu().numpy() for p in (outputs.log_ask[:, 1], outputs.log_nav))
            wants = self.habits.wants_help(p_ask, p_nav)
            ask[rows] = (wants & mind.may_ask(seen))[kept]
            action[rows] = outputs.log_nav.argmax(dim=-1).cpu().numpy()[kept]
            if not self.predicts:
                outputs = replace(outputs, reasons=None)
            _keep(notes, notes_of(outputs), rows, count)
            if self.hear is not None:
                _keep(thought, _thoughts_of(outputs), rows, count)
        if self.hear is not None and thought:
            self.hear(
                Thoughts(
                    actions=thought["actions"],
                    ask=thought["ask"],
                    reasons=notes.get("reasons"),
                    attention=thought.get("attention"),
                )
            )
        return Decision(ask=ask, action=action, notes=notes | self._pointing.notes(observation))


@dataclass(frozen=True, eq=False)
class _Block:
    """Agents computed side by side.

    Attributes:
        rows: their rows in the batch; where they are fewer than a block has room for, copies fill it up.
        mind: of the whole block.
    """

    rows: Ints
    mind: Mind


def _in_blocks(rows: Ints) -> list[Ints]:
    return [rows[first : first + BLOCK] for first in range(0, len(rows), BLOCK)]


def _packed(blocks: list[_Block], active: NDArray[np.bool_]) -> list[_Block]:
    """The agents that go on, in as few blocks as hold them; the same blocks if these are as few."""
    going_on = [np.flatnonzero(active[block.rows]) for block in blocks]
    wanted = -(-sum(map(len, going_on)) // BLOCK)
    if wanted >= len(blocks) or not all(block.mind.can_part for block in blocks):
        return blocks
    everybody = Mind.join([block.mind for block in blocks])
    rows = np.concatenate([block.rows[places] for block, places in zip(blocks, going_on, strict=True)])
    places = np.concatenate([number * BLOCK + places for number, places in enumerate(going_on)])
    return [
        _Block(some, everybody.select(np.resize(those, BLOCK)))
        for some, those in zip(_in_blocks(rows), _in_blocks(places), strict=True)
    ]


def _keep(tables: dict[str, NDArray[Any]], block: dict[str, NDArray[Any]], rows: Ints, count: int) -> None:
    """Writes what a block of agents put out, of which the first belong to these rows, into tables for all."""
    for name, values in block.items():
        table = tables.setdefault(name, np.zeros((count, *values.shape[1:]), values.dtype))
        table[rows] = values[: len(rows)]


@contextmanager
def one_thread() -> Iterator[None]:
    """PyTorch computes on one thread meanwhile."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def notes_of(outputs: Outputs) -> dict[str, NDArray[Any]]:
    """What agents write down of themselves, see `Trajectories`."""
    log_nav = outputs.log_nav.detach().float()
    p = log_nav.exp()
    entropy = -(p * log_nav.masked_fill(p == 0, 0)).sum(dim=-1) / np.log(SLOTS)
    notes = {"entropy": entropy.cpu().numpy(), "guess": log_nav.argmax(dim=-1).cpu().numpy()}
    if outputs.reasons is not None:
        notes["reasons"] = outputs.reasons.detach().float().sigmoid().cpu().numpy()
    return notes


def _thoughts_of(outputs: Outputs) -> dict[str, NDArray[Any]]:
    """See `Thoughts`."""
    thought = {"actions": outputs.log_nav.exp(), "ask": outputs.log_ask[:, 1].exp()}
    if outputs.attention is not None:
        thought["attention"] = outputs.attention
    return {name: values.float().cpu().numpy() for name, values in thought.items()}


def features_in_space(perception: Perception, space: dict[str, Any]) -> str:
    """The name of the view features that mean the same as those the agent was trained on."""
    for name, meaning in perception.feature_spaces.items():
        if dict(meaning) == dict(space):
            return name
    there = ", ".join(sorted(perception.feature_spaces)) or "none"
    raise InputError(
        f"the agent sees {sees(space)} features of its own space, but the atlas has {there} in other spaces; "
        f"add such features with `helpanna worlds add {how_to_add(space)} --features-like AGENT`, or train "
        "an agent here."
    )
