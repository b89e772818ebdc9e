"""How fast the agent with a map learns and acts: beside its network alone, and beside the paper's agent.

An iteration is rollout, maps, teachers, losses, backward and Adam. What its network needs cannot be avoided:
the time within the network and within backward is taken in the same iterations, and the whole is given as a
multiple of it. Evaluation is compared with that of the paper's agent on the same tasks in the same run; both
are untrained, and episodes that end early are counted by their steps.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import torch
from episodes import SPLIT, make_dataset
from harness import Figure, report
from wanderers import never_stop, with_random_features

from helpanna.agents.learned import one_thread
from helpanna.agents.mapping.network import MapNetwork
from helpanna.agents.networks.kinds import make_networks, network_class
from helpanna.agents.trained import agent_with
from helpanna.assistance.assistants import Anna
from helpanna.evaluation.runner import run_episodes, spread
from helpanna.learning.checkpoints import Progress
from helpanna.learning.lessons import Lesson
from helpanna.learning.settings import TrainingSettings
from helpanna.learning.trainer import Trainer
from helpanna.tasks.dataset import load_split
from helpanna.tasks.split import Split

SIZE = 588
HIDDEN = 128
TASKS = 128
TURNS = 5


class Watch:
    """Adds up the seconds within some functions; a call within a call counts once."""

    def __init__(self) -> None:
        self.seconds, self._inside = 0.0, False

    def timed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, whose time is added up."""

        def run(*arguments: Any, **options: Any) -> Any:
            if self._inside:
                return function(*arguments, **options)
            self._inside, began = True, time.perf_counter()
            try:
                return function(*arguments, **options)
            finally:
                self._inside = False
                self.seconds += time.perf_counter() - began

        return run


def learning(split: Split, folder: Path) -> tuple[float, float]:
    """Agent steps a second, and an iteration as a multiple of the time within its network."""
    lesson = Lesson.of(split, {})
    config = network_class("map").Config(lesson.features.size, len(lesson.vocabulary), hidden=HIDDEN)
    settings = TrainingSettings(batch_size=64, budget=25, curiosity=0.0, hand_over=10**6)
    trainer = Trainer(folder / "run", lesson, make_networks("map", config, seed=0), settings)
    watch, steps, seconds = Watch(), 0.0, 0.0
    with (
        patch.object(MapNetwork, "forward", watch.timed(MapNetwork.forward)),
        patch.object(MapNetwork, "encode", watch.timed(MapNetwork.encode)),
        patch.object(torch.Tensor, "backward", watch.timed(torch.Tensor.backward)),
    ):
        trainer._iterate(Progress(1))  # what is made once
        watch.seconds = 0.0
        for turn in range(TURNS):
            began = time.perf_counter()
            steps += trainer._iterate(Progress(2 + turn))["steps"]
            seconds += time.perf_counter() - began
    return steps / seconds, seconds / watch.seconds


def evaluation(split: Split, kind: str) -> float:
    """Agent steps a second."""
    lesson = Lesson.of(split, {})
    config = network_class(kind).Config(lesson.features.size, len(lesson.vocabulary), hidden=HIDDEN)
    networks: Any = make_networks(kind, config, seed=0).eval()
    if kind == "hierarchical":
        never_stop(networks)
    agent = agent_with(networks, lesson.vocabulary, dict(lesson.features.space))
    tasks, anna = spread(len(split), TASKS), Anna(split)
    run_episodes(split, agent, anna, tasks[:8])
    began = time.perf_counter()
    done = run_episodes(split, agent, anna, tasks)
    return float(done.length.sum()) / (time.perf_counter() - began)


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory() as name, one_thread():
        folder = Path(name)
        split = with_random_features(load_split(make_dataset(folder), SPLIT), SIZE, folder)
        rate, multiple = learning(split, folder)
        mapping, paper = evaluation(split, "map"), evaluation(split, "hierarchical")
    return [
        Figure("learning, agent with a map", rate, "steps/s"),
        Figure("an iteration / its network alone", multiple, "times", at_most=1.8),
        Figure("evaluation, agent with a map", mapping, "steps/s"),
        Figure("evaluation / the paper's agent, steps", mapping / paper, "times", at_least=0.2),
    ]


if __name__ == "__main__":
    torch.manual_seed(0)
    note = f"one thread, hidden {HIDDEN}, batch 64, random features of {SIZE} numbers, no words in sight"
    report("The agent with a map", note, measure)
