"""Runs an agent on many tasks, in batches. Their size changes no result: no episode depends on another."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from helpanna.agents.agent import Agent
from helpanna.agents.names import make_agent
from helpanna.assistance.assistants import Assistant
from helpanna.assistance.names import make_assistant
from helpanna.episodes.episodes import EVALUATION_BUDGET, Episodes
from helpanna.episodes.perception import Perception
from helpanna.episodes.trajectory import Trajectories, join
from helpanna.errors import InputError
from helpanna.tasks.dataset import load_split
from helpanna.tasks.split import Split

BATCH_SIZE = 256

Ints = NDArray[np.int64]
OnProgress = Callable[[int, int], None]
"""Told how many episodes have ended, and of how many."""


def run_episodes(
    split: Split,
    agent: Agent,
    assistant: Assistant,
    tasks: ArrayLike,
    budget: int = EVALUATION_BUDGET,
    batch_size: int = BATCH_SIZE,
    on_progress: OnProgress | None = None,
) -> Trajectories:
    """Runs the agent on these tasks of the split; the trajectories are in their order."""
    tasks = np.array(tasks, dtype=np.int64, ndmin=1)
    parts = []
    for done, batch in batches(tasks, batch_size):
        parts.append(run_batch(split, agent, assistant, batch, budget))
        if on_progress is not None:
            on_progress(done, len(tasks))
    return join(parts)


def spread(tasks: int, count: int | None) -> Ints:
    """[count] tasks of a split, evenly spread, for splits are in the order of their buildings; or all."""
    return np.linspace(0, tasks - 1, min(count or tasks, tasks)).round().astype(np.int64)


def tasks_in(split: Split, buildings: Sequence[str]) -> Ints:
    """The tasks of a split that begin in these buildings.

    Raises:
        InputError: there is none in one of them.
    """
    names = np.array(split.atlas.world_names, dtype=object)[split.atlas.world_of[split.start]]
    for building in buildings:
        if not (names == building).any():
            there = ", ".join(sorted(set(names)))
            raise InputError(f"{split.name} has no task in a building {building!r}; it has {there}.")
    return np.flatnonzero(np.isin(names, buildings)).astype(np.int64)


def run_batch(split: Split, agent: Agent, assistant: Assistant, tasks: Ints, budget: int) -> Trajectories:
    """Runs all these tasks side by side until the last has ended."""
    episodes = Episodes(split, assistant, tasks, budget)
    agent.begin(Perception(split), tasks)
    while episodes.active.any():
        decision = agent.act(episodes.observe())
        episodes.step(decision.ask, decision.action, decision.notes)
    return episodes.trajectories()


@dataclass(frozen=True)
class Setup:
    """Who runs where, by name: what a process needs to load everything for itself.

    Attributes:
        data: the dataset folder.
        split: which of its splits.
        agent: see `make_agent`.
        assistant: see `make_assistant`.
        seed: addresses all draws.
        budget: time steps of an episode.
    """

    data: Path
    split: str
    agent: str
    assistant: str | None = None
    seed: int = 0
    budget: int = EVALUATION_BUDGET

    def load(self) -> tuple[Split, Agent, Assistant]:
        """The split, the agent and the assistant."""
        split = load_split(self.data, self.split)
        agent = make_agent(self.agent, split, self.seed)
        return split, agent, make_assistant(self.assistant, split, self.seed)


def batches(tasks: Ints, batch_size: int) -> Iterator[tuple[int, Ints]]:
    """The tasks in batches, each with the number of tasks up to its end."""
    for first in range(0, len(tasks), batch_size):
        batch = tasks[first : first + batch_size]
        yield first + len(batch), batch
