"""How fast trained agents are evaluated: batches of 256 against one task at a time, 50 steps each.

The networks are untrained and never stop, so that every episode has 50 steps. The results are the same for
any batch size, and that is checked. For that, a task alone is computed as a block of 64; so a second time is
given, of one task alone without the other 63, whose last bits differ.
"""

import sys
import tempfile
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import torch
from episodes import SPLIT, make_dataset
from harness import Figure, best_seconds, report
from wanderers import never_stop, with_features, with_random_features

from helpanna.agents import learned
from helpanna.agents.learned import LearnedAgent
from helpanna.agents.networks.hierarchical import HierarchicalNetworks
from helpanna.agents.networks.protocol import NetworkConfig
from helpanna.assistance.assistants import Anna
from helpanna.episodes.trajectory import Trajectories
from helpanna.evaluation.runner import run_episodes, spread
from helpanna.tasks.dataset import load_split
from helpanna.tasks.split import Split
from helpanna.tasks.vocabulary import Vocabulary

SIZES = (2048, 312)
BATCH = 256
ALONE = 4


def untrained(seen: Split) -> LearnedAgent:
    """An agent that walks on."""
    space = seen.atlas.views.get(None).space
    vocabulary = Vocabulary.of(seen.texts)
    torch.manual_seed(0)
    networks = HierarchicalNetworks(NetworkConfig(space["size"], len(vocabulary))).eval()
    never_stop(networks)
    return LearnedAgent(networks, vocabulary, dict(space))


def two_at_once(dataset: Path, features: Path) -> float:
    """Tasks a second of two processes side by side, which have nothing to say to each other."""
    context = get_context("spawn")
    start, told = context.Barrier(2), context.SimpleQueue()
    arguments = (dataset, features, start, told)
    processes = [context.Process(target=_one_of_two, args=arguments) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    if any(process.exitcode for process in processes):
        sys.exit("one of two processes that evaluate failed")
    return 2 * BATCH / max(told.get() for _ in processes)


def _one_of_two(dataset: Path, features: Path, start: Any, told: Any) -> None:
    seen = with_features(load_split(dataset, SPLIT), features)
    agent, anna, tasks = untrained(seen), Anna(seen), spread(len(seen), BATCH)
    run_episodes(seen, agent, anna, tasks)

    def both() -> None:
        start.wait()
        run_episodes(seen, agent, anna, tasks)

    told.put(best_seconds(both, repeats=2))


def measure() -> list[Figure]:
    figures = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dataset = make_dataset(folder)
        split = load_split(dataset, SPLIT)
        for size in SIZES:
            seen = with_random_features(split, size, folder)
            agent = untrained(seen)
            anna, tasks = Anna(seen), spread(len(seen), BATCH)
            together = run_episodes(seen, agent, anna, tasks)  # texts and similarities are remembered
            batched = best_seconds(lambda: run_episodes(seen, agent, anna, tasks), repeats=2)  # noqa: B023
            some = tasks[:: BATCH // ALONE]

            def one_at_a_time() -> Trajectories:
                return run_episodes(seen, agent, anna, some, batch_size=1)  # noqa: B023

            alone = one_at_a_time()
            if not np.array_equal(alone.location, together.location[:: BATCH // ALONE]):
                sys.exit("an episode depends on its batch")
            single = best_seconds(one_at_a_time, repeats=2)
            with patch.object(learned, "BLOCK", 1):
                bare = best_seconds(one_at_a_time, repeats=2)
            rate = BATCH / batched
            both = two_at_once(dataset, folder / f"random{size}.npy")
            figures += [
                Figure(f"evaluation of 50 steps, {size}-d features", rate, "tasks/s"),
                Figure(f"the same in two processes, {size}-d", both, "tasks/s"),
                Figure(f"batches of {BATCH} / batch size 1, {size}-d", rate / (ALONE / single), "times", 20),
                Figure(f"batches of {BATCH} / one task without a block", rate / (ALONE / bare), "times"),
            ]
    return figures


if __name__ == "__main__":
    report("Evaluation of trained agents", "one thread a process, hidden 256, random features", measure)
