"""How fast trained agents are evaluated: batches of 256 against one task at a time, 50 steps each.

The networks are untrained and never stop, so that every episode has 50 steps. The results are the same for
any batch size, and that is checked. For that, a task alone is computed as a block of 64; so a second time is
given, of one task alone without the other 63, whose last bits differ.
"""

import sys
import tempfile
from pathlib import Path
from unittest.mock import patch

import numpy as np
import torch
from episodes import SPLIT, make_dataset
from harness import Figure, best_seconds, report
from wanderers import never_stop, with_random_features

from helpanna.agents import learned
from helpanna.agents.learned import LearnedAgent
from helpanna.agents.networks.hierarchical import HierarchicalNetworks
from helpanna.agents.networks.protocol import NetworkConfig
from helpanna.assistance.assistants import Anna
from helpanna.episodes.trajectory import Trajectories
from helpanna.evaluation.runner import run_episodes, spread
from helpanna.tasks.dataset import load_split
from helpanna.tasks.vocabulary import Vocabulary

SIZES = (2048, 312)
BATCH = 256
ALONE = 4


def measure() -> list[Figure]:
    figures = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        split = load_split(make_dataset(folder), SPLIT)
        for size in SIZES:
            seen = with_random_features(split, size, folder)
            vocabulary = Vocabulary.of(seen.texts)
            networks = HierarchicalNetworks(NetworkConfig(size, len(vocabulary))).eval()
            never_stop(networks)
            agent = LearnedAgent(networks, vocabulary, {"kind": "random", "size": size})
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
            figures += [
                Figure(f"evaluation of 50 steps, {size}-d features", rate, "tasks/s"),
                Figure(f"batches of {BATCH} / batch size 1, {size}-d", rate / (ALONE / single), "times", 20),
                Figure(f"batches of {BATCH} / one task without a block", rate / (ALONE / bare), "times"),
            ]
    return figures


if __name__ == "__main__":
    torch.manual_seed(0)
    report("Evaluation of trained agents", "one process, one thread, hidden 256, random features", measure)
