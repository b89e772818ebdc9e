"""Units of work: a training run or an evaluation, each in a folder of its own, found by its fingerprint.

    runs/<learner>-<seed>-<fingerprint>/          a training run (`helpanna.learning.trainer`)
    evaluations/<row>-<seed>-<split>-<fingerprint>/
        trajectories.jsonl                        the episodes
        shares.npz                                each episode's share of every figure
    .../unit.json                                 is there when the unit is done: what it follows from
    progress/<unit>.json                          how far those are that are not

A fingerprint is a checksum over all that a unit follows from. So what is done is never done twice, and what
was done with other settings is never taken for it. A unit may be stopped and killed at any moment.
"""

import hashlib
import json
import os
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from helpanna.episodes.outcomes import outcomes_of
from helpanna.evaluation.bootstrap import Ratio, Sample
from helpanna.files import atomic_folder, read_json, write_json
from helpanna.version import __version__

DONE = "unit.json"
STOP = "stop"
TRAJECTORIES = "trajectories.jsonl"
SHARES = "shares.npz"

_PROGRESS_SECONDS = 1.0

Tell = Callable[[int, int], bool]
"""Told how much is done, of how much; says whether to stop."""


@dataclass(frozen=True)
class Unit:
    """A piece of work.

    Attributes:
        out: the folder of all units.
        name: what it is called, in its folder's name too.
        follows_from: all that its result depends on.
    """

    out: Path
    name: str
    follows_from: Mapping[str, Any]

    @property
    def fingerprint(self) -> str:
        """A checksum over all that the result depends on."""
        text = json.dumps(self.follows_from, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def title(self) -> str:
        """Its name, with which fingerprint."""
        return f"{self.name}-{self.fingerprint}"

    @property
    def folder(self) -> Path:
        """Where its result is."""
        raise NotImplementedError

    @property
    def is_done(self) -> bool:
        """Whether its result is there."""
        return (self.folder / DONE).is_file()

    def record(self) -> dict[str, Any]:
        """What was noted when it was done: by which version and commit, and how long it took."""
        record: dict[str, Any] = read_json(self.folder / DONE)
        return record

    def do(self) -> bool:
        """Does it, or goes on with it; False if it was told to stop before the end."""
        if self.is_done:
            return True
        began = time.monotonic()
        return self.work(self._tell, lambda: self._made_by(time.monotonic() - began))

    def work(self, tell: Tell, made_by: Callable[[], Mapping[str, Any]]) -> bool:
        """The work itself; the last thing it writes is `DONE`."""
        raise NotImplementedError

    @property
    def progress(self) -> Path:
        """The file that says how far it is."""
        return self.out / "progress" / f"{self.title}.json"

    def _tell(self, done: int, total: int) -> bool:
        now = time.monotonic()
        if now - _last_told.get(self.title, -1e9) >= _PROGRESS_SECONDS or done == total:
            _last_told[self.title] = now
            write_json(self.progress, {"done": done, "total": total, "process": os.getpid()})
        return (self.out / STOP).exists()

    def _made_by(self, seconds: float) -> dict[str, Any]:
        return {
            "name": self.name,
            "fingerprint": self.fingerprint,
            "follows_from": dict(self.follows_from),
            "version": __version__,
            "commit": commit(),
            "seconds": round(seconds, 1),
        }


_last_told: dict[str, float] = {}
"""When each unit of this process last wrote how far it is."""


@cache
def commit() -> str | None:
    """The commit of the checkout that this code is in; None if it is in none."""
    here = Path(__file__).resolve()
    if not any((folder / ".git").exists() for folder in here.parents):
        return None
    try:
        done = subprocess.run(  # noqa: S603
            ["git", "-C", str(here.parent), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"],  # noqa: S607
            capture_output=True,
            text=True,
            timeout=20,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None


@dataclass(frozen=True)
class Training(Unit):
    """A training run.

    Attributes:
        described: the whole of `run.json`.
        agent: which of its agents is evaluated, "last" or "best".
    """

    described: Mapping[str, Any]
    agent: str

    @property
    def folder(self) -> Path:
        """The run's folder."""
        return self.out / "runs" / self.title

    @property
    def agent_folder(self) -> Path:
        """The agent to evaluate."""
        return self.folder / self.agent

    def work(self, tell: Tell, made_by: Callable[[], Mapping[str, Any]]) -> bool:
        """Trains on one thread, from the last checkpoint on."""
        from helpanna.agents.learned import one_thread
        from helpanna.learning.run_folder import at_work
        from helpanna.learning.runs import open_trainer

        iterations = int(self.described["settings"]["iterations"])
        with one_thread():
            trainer = open_trainer(self.folder, self.described)
            tell(0, iterations)

            def on_iteration(done: int, _: Mapping[str, float]) -> None:
                trainer.stopping = tell(done, iterations)

            begins = not (self.folder / "run.json").is_file()
            with at_work(self.folder, self.described, begins):
                progress = trainer.train(on_iteration)
        if progress.iteration < iterations:
            return False
        write_json(self.folder / DONE, made_by())
        return True


@dataclass(frozen=True)
class Evaluation(Unit):
    """An agent on a split.

    Attributes:
        data: the dataset.
        split: which of its splits.
        navigator: a heuristic's name, or the run whose agent it is.
        suffix: what is added to the agent's name.
        seed: addresses all draws.
        tasks: this many tasks, evenly spread; None for all.
        steps: time steps of an episode.
    """

    data: Path
    split: str
    navigator: str | Training
    suffix: str
    seed: int
    tasks: int | None
    steps: int

    @property
    def folder(self) -> Path:
        """The folder of its episodes and figures."""
        return self.out / "evaluations" / self.title

    @property
    def agent(self) -> str:
        """The agent's name, see `make_agent`."""
        trained = isinstance(self.navigator, Training)
        return f"{self.navigator.agent_folder if trained else self.navigator}{self.suffix}"  # type: ignore[union-attr]

    def work(self, tell: Tell, made_by: Callable[[], Mapping[str, Any]]) -> bool:
        """Runs the episodes and keeps what the figures are made of."""
        from helpanna.agents.habits import lost_of
        from helpanna.episodes.trajectory import join
        from helpanna.episodes.trajectory_file import write_trajectories
        from helpanna.evaluation.metrics import ratios_of, sample_of
        from helpanna.evaluation.runner import BATCH_SIZE, Setup, batches, run_batch, spread

        setup = Setup(self.data, self.split, self.agent, seed=self.seed, budget=self.steps)
        split, agent, assistant = setup.load()
        tasks = spread(len(split), self.tasks)
        parts = []
        tell(0, len(tasks))
        for done, batch in batches(tasks, BATCH_SIZE):
            parts.append(run_batch(split, agent, assistant, batch, self.steps))
            if tell(done, len(tasks)) and done < len(tasks):
                return False
        trajectories, lost = join(parts), lost_of(agent)
        outcomes = outcomes_of(split, trajectories)
        sample = sample_of(outcomes)
        arrays: dict[str, Any] = {f"sample/{key}": value for key, value in vars(sample).items()}
        for name, ratio in ratios_of(split, trajectories, lost).items():
            arrays |= {f"above/{name}": ratio.numerator, f"below/{name}": ratio.denominator}
        start = split.goal_sets.distance_from(split.goal_set[trajectories.task], trajectories.location[:, 0])
        arrays |= {"metres": outcomes.metres, "start_distance": start.astype(np.float64)}
        header = {
            "dataset": str(self.data.resolve()),
            "agent": self.agent,
            "assistant": setup.assistant,
            "seed": self.seed,
            "buildings": split.atlas.source,
            "lost": lost,
        }
        with atomic_folder(self.folder, overwrite=True, mark=DONE) as temporary:
            write_trajectories(temporary / TRAJECTORIES, trajectories, split, header)
            np.savez_compressed(temporary / SHARES, **arrays)
            write_json(temporary / DONE, made_by())
        return True


@dataclass(frozen=True, eq=False)
class Shares:
    """What an evaluation, or several with other seeds, put into the figures.

    Attributes:
        ratios: each episode's share of each figure, by metric.
        sample: where the episodes come from; each seed is a run.
        metres: [B] walked.
        start_distance: [B] metres from the start to the nearest goal.
    """

    ratios: Mapping[str, Ratio]
    sample: Sample
    metres: np.ndarray[Any, Any]
    start_distance: np.ndarray[Any, Any]


def read_shares(evaluations: "list[Evaluation]") -> Shares:
    """The episodes of all these evaluations, which are runs of one agent with other seeds."""
    parts = []
    for evaluation in evaluations:
        with np.load(evaluation.folder / SHARES, allow_pickle=False) as stored:
            parts.append({name: stored[name] for name in stored.files})
    names = [n for n in parts[0] if all(n in part for part in parts)]
    joined = {name: np.concatenate([part[name] for part in parts]) for name in names}
    run = np.repeat(np.arange(len(parts)), [len(part["metres"]) for part in parts])
    ratios = {
        name.removeprefix("above/"): Ratio(joined[name], joined[name.replace("above/", "below/", 1)])
        for name in names
        if name.startswith("above/")
    }
    sample = Sample(joined["sample/building"], joined["sample/task"], run)
    return Shares(ratios, sample, joined["metres"], joined["start_distance"])
