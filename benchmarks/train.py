"""How fast the agent learns: full training iterations, beside what cannot be avoided and what can.

An iteration is rollout, teachers, losses, backward and Adam, at batch 32 and T = 20, on random view features.
Beside it, in the same run and by turns: the bare matrix products that the equations need for the same
episodes (`products.py`), and a straightforward implementation of the same networks (`plain_network.py`),
which is first checked to give the same losses.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import torch
from episodes import SPLIT, make_dataset
from harness import Figure, report
from plain_network import PlainMind, plainly, teach_plainly
from products import Amounts, BareProducts
from torch import distributed
from wanderers import never_stop, with_features, with_random_features

from helpanna.agents.learned import one_thread
from helpanna.agents.networks.fast.linear import release_gradients
from helpanna.agents.networks.kinds import make_networks
from helpanna.agents.networks.protocol import NetworkConfig
from helpanna.agents.senses import Senses
from helpanna.episodes.perception import Perception
from helpanna.episodes.trajectory import Trajectories
from helpanna.learning import rollout as rollouts
from helpanna.learning.checkpoints import Progress
from helpanna.learning.lessons import Lesson
from helpanna.learning.losses import losses_of
from helpanna.learning.processes import Processes
from helpanna.learning.rollout import Batch, Rollout, roll_out
from helpanna.learning.settings import TrainingSettings
from helpanna.learning.trainer import Trainer
from helpanna.tasks.dataset import load_split
from helpanna.tasks.split import Split

SIZES = (2048, 312)
TURNS = 6
LOCATIONS = 8000
"""Of the memory-mapped features, whose training must stay small."""


class Race:
    """One trainer, the bare products of its episodes, and its straightforward twin."""

    def __init__(
        self, split: Split, folder: Path, shared_text: bool = False, processes: Processes | None = None
    ) -> None:
        self.split = split
        lesson = Lesson.of(split, {})
        config = NetworkConfig(lesson.features.size, len(lesson.vocabulary), shared_text=shared_text)
        networks = make_networks("hierarchical", config, seed=0)
        never_stop(networks)
        self.trainer = Trainer(folder / "run", lesson, networks, TrainingSettings(), processes=processes)
        self.senses = Senses(Perception(split), lesson.features.name, lesson.vocabulary)
        self._iteration = 0
        self._config = config

    def ours(self) -> float:
        """Seconds of one iteration; the agent steps of the last one are in `steps`."""
        self._iteration += 1

        def iterate() -> None:
            figures = self.trainer._iterate(Progress(self._iteration))
            self.steps = figures["steps"]

        return _seconds(iterate)

    def bare(self) -> float:
        """Seconds of the bare products of the same batch."""
        with torch.no_grad():
            batch = self.trainer.batch(self._iteration)
            rollout = self._roll_out(batch)
            actions = self.split.atlas.action_count
            products = BareProducts(self._config, self._amounts(rollout.trajectories, actions))
            products.run()
            return _seconds(products.run)

    def _amounts(self, trajectories: Trajectories, actions: int) -> Amounts:
        return Amounts.of(self.senses, self.split.texts, trajectories, actions)

    def plain(self) -> float:
        """Seconds of one straightforward iteration."""
        return _seconds(lambda: self._plain_losses(learn=True))

    def differs_by(self) -> float:
        """How far the two implementations are apart in their losses, without dropout."""
        self.trainer.networks.eval()
        with torch.no_grad():
            ours = self._losses()
        plain = self._plain_losses(learn=False)
        self.trainer.networks.train()
        return abs(plain - ours) / abs(ours)

    def _roll_out(self, batch: Batch) -> Rollout:
        trainer = self.trainer
        assistant = trainer._learner._assistants[0]
        return roll_out(
            trainer.networks,  # type: ignore[arg-type]
            self.senses,
            self.split,
            assistant,  # type: ignore[arg-type]
            batch,
            trainer.settings,
        )

    def _losses(self) -> float:
        trainer = self.trainer
        rollout = self._roll_out(trainer.batch(self._iteration))
        losses = losses_of(self.split, rollout, trainer.settings)
        self._last = rollout, losses
        return float(losses.total.detach())

    def _plain_losses(self, learn: bool) -> float:
        release_gradients(self.trainer.networks)
        with (
            plainly(),
            patch.object(rollouts, "Mind", PlainMind),
            torch.set_grad_enabled(learn),
        ):
            total = self._losses()
            rollout, losses = self._last
            teach_plainly(self.split, rollout.trajectories)
            if learn:
                self.trainer._adam.zero_grad(set_to_none=True)
                losses.total.backward()
                self.trainer._adam.step()
        return total


def _two_over_one(two: Race, split: Split, folder: Path) -> float:
    """How much longer an iteration takes than with --shared-text, by turns."""
    one = Race(split, folder, shared_text=True)
    one.ours()
    turns = [(two.ours(), one.ours()) for _ in range(TURNS)]
    ours, shared = np.min(turns, axis=0)
    return float(ours / shared)


def _together(size: int, dataset: Path, folder: Path) -> float:
    """Seconds of an iteration of two processes of one thread each, as of `helpanna train --processes 2`."""
    context = get_context("spawn")
    meeting, told = f"file://{folder / f'meeting{size}'}", context.SimpleQueue()
    features = folder / f"random{size}.npy"
    processes = [
        context.Process(target=_one_of_two, args=(rank, dataset, features, meeting, told)) for rank in (0, 1)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    if any(process.exitcode for process in processes):
        sys.exit("one of two processes that learn together failed")
    return float(told.get())


def _one_of_two(rank: int, dataset: Path, features: Path, meeting: str, told: Any) -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)
    distributed.init_process_group("gloo", init_method=meeting, rank=rank, world_size=2)
    split = replace(load_split(dataset, SPLIT), name="train")
    race = Race(with_features(split, features), features.parent, processes=Processes(rank, 2))
    race.ours()
    seconds = min(race.ours() for _ in range(TURNS))  # the two wait for each other in each
    distributed.destroy_process_group()
    if rank == 0:
        told.put(seconds)


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def anonymous_megabytes() -> float:
    """Memory that is this process's own, without mapped files."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / 1e3
    return float("nan")


def measure() -> list[Figure]:
    figures = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dataset = make_dataset(folder)
        split = replace(load_split(dataset, SPLIT), name="train")
        for size in SIZES:
            seen = with_random_features(split, size, folder, LOCATIONS if size == max(SIZES) else None)
            race = Race(seen, folder)
            race.ours()
            race.ours()
            own = anonymous_megabytes()  # before the twin takes its share
            apart = race.differs_by()
            if apart > 1e-3:
                sys.exit(f"the straightforward networks give losses that differ by {apart:.2%}")
            turns = [(race.ours(), race.bare(), race.plain()) for _ in range(TURNS)]
            ours, bare, plain = np.min(turns, axis=0)
            with one_thread():
                one, bare_one = np.min([(race.ours(), race.bare()) for _ in range(TURNS)], axis=0)
            together = _together(size, dataset, folder)
            figures += [
                Figure(f"training, {size}-d features", race.steps / ours, "agent steps/s"),
                Figure(f"an iteration, {size}-d features", ours, "s"),
                Figure(f"an iteration / its bare matrix products, {size}-d", ours / bare, "times", at_most=2),
                Figure(f"the same, two processes, {size}-d", together / bare, "times", at_most=2),
                Figure(f"the same on one thread, {size}-d", one / bare_one, "times", at_most=2),
                Figure(f"straightforward / ours, {size}-d", plain / ours, "times", at_least=4),
                Figure(f"two text encoders / one, {size}-d", _two_over_one(race, seen, folder), "times"),
            ]
            if size == max(SIZES) and own == own:
                bar = 4000.0
                figures.append(Figure("memory besides the mapped features", own, "MB", at_most=bar))
    return figures


if __name__ == "__main__":
    torch.manual_seed(0)
    report("Learning", "batch 32, 20 steps, hidden 256, random features, the paper's settings", measure)
