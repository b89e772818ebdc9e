"""The trainer: retrospective curiosity-encouraging imitation learning, from top to bottom.

A run is one folder:

    run.json                 what is learned from what: settings, networks, dataset
    checkpoint.safetensors   the last checkpoint
    log.jsonl                one line for each iteration and each evaluation
    tensorboard/             the same for TensorBoard
    last/, best/             agents, after the last checkpoint and after the best evaluation
"""

import math
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from helpanna.agents.agent import Agent
from helpanna.agents.asking import Asking
from helpanna.agents.habits import Habits
from helpanna.agents.names import ASK_POLICIES
from helpanna.agents.networks.attention import reseed
from helpanna.agents.networks.fast import gather_gradients, release_gradients
from helpanna.agents.store import save_agent
from helpanna.agents.trained import agent_with
from helpanna.assistance.assistants import Assistant
from helpanna.assistance.names import make_assistant
from helpanna.episodes.outcomes import outcomes_of
from helpanna.episodes.trajectory import Trajectories
from helpanna.errors import InputError
from helpanna.evaluation.metrics import evaluate
from helpanna.evaluation.runner import run_episodes, spread
from helpanna.files import sweep
from helpanna.learning.average import Average
from helpanna.learning.checkpoints import Progress, load_checkpoint, save_checkpoint
from helpanna.learning.journal import Journal
from helpanna.learning.learners import make_learner
from helpanna.learning.lessons import Lesson
from helpanna.learning.processes import Processes
from helpanna.learning.rollout import Batch
from helpanna.learning.run_folder import CHECKPOINT
from helpanna.learning.settings import TrainingSettings
from helpanna.randomness import generator
from helpanna.tasks.split import Split

VALIDATION_METRICS = ("success_rate", "spl", "navigation_error", "requests_per_task", "subtask_success")

OnIteration = Callable[[int, Mapping[str, float]], None]
"""Told how many iterations are done, and the figures of the last one."""


class Trainer:
    """Trains one agent; `train` goes on from the last checkpoint of its folder if there is one.

    Attributes:
        stopping: set it, from a signal's handler for example, and `train` ends after the iteration it is at.
    """

    def __init__(
        self,
        run: Path,
        lesson: Lesson,
        networks: nn.Module,
        settings: TrainingSettings,
        habits: Habits | None = None,
        device: torch.device | None = None,
        autocast: bool = False,
        processes: Processes | None = None,
    ) -> None:
        settings.check()
        if lesson.practice:
            settings.check_practice()
        self.run, self.lesson, self.settings = run, lesson, settings
        self.habits = replace(habits or Habits(), lost=settings.lost)
        self.processes = processes or Processes()
        self.processes.check(settings.batch_size)
        self._device = device or torch.device("cpu")
        self._autocast = autocast
        self.networks: Any = networks.to(self._device)
        self._average = Average(self.networks, settings.average)
        self._adam = torch.optim.Adam(
            self.networks.parameters(),
            lr=settings.learning_rate,
            weight_decay=settings.weight_decay,
            fused=True,
        )
        every_parameter_learns = settings.asking == "learned"
        self._learner = self.processes.wrap(
            make_learner(self.networks, lesson, settings, self.habits, self.processes, self._device),
            every_parameter_learns,
        )
        self._assistants = {
            name: make_assistant(settings.assistant, split, settings.seed)
            for name, split in lesson.validation.items()
        }
        self.stopping = False
        self._order: dict[int, tuple[int, NDArray[np.int64]]] = {}

    @property
    def checkpoint(self) -> Path:
        """The file of the last checkpoint."""
        return self.run / CHECKPOINT

    def train(self, on_iteration: OnIteration | None = None, until: int | None = None) -> Progress:
        """Learns until all iterations are done, or this many; another call then goes on."""
        progress = Progress()
        end = min(self.settings.iterations, until or self.settings.iterations)
        if self.checkpoint.is_file():
            progress = load_checkpoint(self.checkpoint, self.networks, self._adam, self._average.networks)
        if self.processes.leads:
            self.run.mkdir(parents=True, exist_ok=True)
            sweep(self.run)
        with Journal(self.run, progress.iteration, silent=not self.processes.leads) as journal:
            # All processes stop together: who stopped alone would leave the others waiting.
            stop = self.processes.any(self.stopping)
            while progress.iteration < end and not stop:
                figures = self._iterate(progress)
                progress = replace(progress, iteration=progress.iteration + 1)
                journal.write(progress.iteration, figures)
                if on_iteration is not None:
                    on_iteration(progress.iteration, figures)
                stop = self.processes.any(self.stopping)
                done = progress.iteration
                evaluates = done == self.settings.iterations or done % self.settings.evaluate_every == 0
                if evaluates and self.lesson.validation:
                    progress = self._evaluate(progress, journal)
                if evaluates or done == end or stop or done % self.settings.save_every == 0:
                    self._save(progress, journal)
        return progress

    def _iterate(self, progress: Progress) -> dict[str, float]:
        """One batch, with numbers near zero taken for zero: they are slow and mean nothing."""
        torch.set_flush_denormal(True)
        try:
            return self._learn_from_batch(progress)
        finally:
            torch.set_flush_denormal(False)  # it holds for the whole process

    def _learn_from_batch(self, progress: Progress) -> dict[str, float]:
        """Rollout, teachers, losses, backward, Adam."""
        i, settings = progress.iteration, self.settings
        reseed(self.networks, generator(settings.seed, "dropout", i, self.processes.rank))
        # Whatever networks of somebody's own draw in torch's way.
        torch.manual_seed(int(generator(settings.seed, "torch", i, self.processes.rank).integers(2**63)))
        self.networks.train()
        batch = self.processes.part(self.batch(i))
        for group in self._adam.param_groups:
            group["lr"] = settings.rate(i)
        learned = [self._update(batch, part) for part in range(settings.updates)]
        self._average.update(i)
        walked = learned[0][0]
        figures = {name: float(np.mean([part[name] for _, part in learned])) for name in learned[0][1]}
        return {**self._means(figures), "gradient": figures["gradient"], **self._behaviour(walked)}

    def _update(self, batch: Batch, part: int) -> tuple[dict[int, Trajectories], dict[str, float]]:
        """A step of Adam with a part of a batch; gives what happened in the batch, and figures."""
        settings = self.settings
        # Gathered weight gradients are computed in the weights' own precision.
        (release_gradients if self._autocast else gather_gradients)(self.networks)
        self._adam.zero_grad(set_to_none=True)
        with torch.autocast(self._device.type, torch.bfloat16) if self._autocast else nullcontext():
            loss, walked, figures = self._learner(batch, part)
        loss.backward()
        release_gradients(self.networks)
        norm = float(nn.utils.clip_grad_norm_(self.networks.parameters(), settings.clip or math.inf))
        if not math.isfinite(norm) or not math.isfinite(float(loss.detach())):
            kept = f"; {self.run} keeps its last checkpoint" if self.checkpoint.is_file() else ""
            raise InputError(
                f"the loss is not a number any more at iteration {batch.iteration}{kept}: start another run "
                "with a lower --learning-rate or with --clip 1."
            )
        self._adam.step()
        return walked, {**figures, "gradient": norm}

    def _means(self, figures: Mapping[str, float]) -> dict[str, float]:
        """The figures averaged over the processes: each has the losses of its own part of the batch."""
        values = torch.tensor(list(figures.values()), dtype=torch.float64, device=self._device)
        means = self.processes.total(values) / self.processes.count
        return dict(zip(figures, means.tolist(), strict=True))

    def _behaviour(self, walked: Mapping[int, Trajectories]) -> dict[str, float]:
        """How the episodes went, over all processes; successes and requests of practice are told apart."""
        sums = torch.zeros(2, 4, dtype=torch.float64)
        for number, episodes in walked.items():
            success = outcomes_of(self.lesson.parts[number].train, episodes).success
            figures = [len(episodes), success.sum(), episodes.asked.sum(), episodes.length.sum()]
            sums[min(number, 1)] += torch.tensor(figures, dtype=torch.float64)
        own, practice = self.processes.total(sums.to(self._device)).tolist()
        count = max(own[0], 1)  # none where all of a small batch were lessons
        behaviour = {"success": own[1] / count, "requests": own[2] / count}
        behaviour["steps"] = own[3] + practice[3]
        return behaviour | ({"practice": practice[1] / max(practice[0], 1)} if self.lesson.practice else {})

    def batch(self, iteration: int) -> Batch:
        """The tasks of an iteration: every training split is gone through in a new order each time.

        Practice has the last places of a batch, and its splits take turns.
        """
        size, practice = self.settings.batch_size, self.lesson.practice
        extra = self.settings.practice_episodes if practice else 0
        tasks = self._tasks(0, np.arange(iteration * (size - extra), (iteration + 1) * (size - extra)))
        turns = np.arange(iteration * extra, (iteration + 1) * extra)
        for turn in turns.tolist():
            tasks += self._tasks(1 + turn % len(practice), np.array([turn // len(practice)]))
        return Batch(iteration, np.array(tasks, dtype=np.int64), np.arange(size))

    def _tasks(self, number: int, places: NDArray[np.int64]) -> list[int]:
        """What comes at these places of the endless row of a training split's tasks, see `Lesson.divided`."""
        parts = self.lesson.parts
        first, count = sum(len(part.train) for part in parts[:number]), len(parts[number].train)
        return [first + int(self._permutation(number, int(p // count))[p % count]) for p in places]

    def _permutation(self, number: int, epoch: int) -> NDArray[np.int64]:
        if self._order.get(number, (-1,))[0] != epoch:
            purpose = f"practice tasks {number}" if number else "tasks"
            drawn = generator(self.settings.seed, purpose, epoch)
            self._order[number] = (epoch, drawn.permutation(len(self.lesson.parts[number].train)))
        return self._order[number][1]

    def _evaluate(self, progress: Progress, journal: Journal) -> Progress:
        """The validation splits; a better agent than all before is kept."""
        if self.processes.leads:
            figures = {
                f"{name}/{metric}": value
                for name, split in self.lesson.validation.items()
                for metric, value in self._validate(split, self._assistants[name]).items()
            }
            journal.write(progress.iteration, figures)
            reached = figures[f"{list(self.lesson.validation)[-1]}/success_rate"]
            if reached > progress.best:
                progress = replace(progress, best=reached, best_iteration=progress.iteration)
                self._save_agent("best", progress)
        self.processes.wait()
        return progress

    def _validate(self, split: Split, assistant: Assistant) -> dict[str, float]:
        self._average.networks.eval()
        agent: Agent = agent_with(
            self._average.networks,
            self.lesson.vocabulary,
            dict(self.lesson.features.space),
            self._device,
            self.habits,
        )
        if self.settings.asking != "learned":
            agent = Asking(agent, ASK_POLICIES[self.settings.asking](self.settings.seed))
        tasks = spread(len(split), self.settings.evaluation_tasks)
        scores = evaluate(split, run_episodes(split, agent, assistant, tasks))
        return {metric: scores[metric].value for metric in VALIDATION_METRICS}

    def _save(self, progress: Progress, journal: Journal) -> None:
        if self.processes.leads:
            # Nothing is ever older than the checkpoint: what is newer is written again, the same.
            journal.flush()
            self._save_agent("last", progress)
            save_checkpoint(self.checkpoint, self.networks, self._adam, progress, self._average.networks)
        self.processes.wait()

    def _save_agent(self, name: str, progress: Progress) -> None:
        summary: dict[str, Any] = {
            "iterations": progress.iteration,
            "best_success_rate": progress.best,
            "best_iteration": progress.best_iteration,
            "settings": asdict(self.settings),
        }
        save_agent(
            self.run / name,
            self._average.networks,
            self.habits,
            self.lesson.vocabulary,
            self.lesson.features.space,
            summary,
        )
