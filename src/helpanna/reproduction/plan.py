"""From what was asked for to units: which runs and which evaluations the tables need, and their commands."""

import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from helpanna.agents.habits import Habits
from helpanna.errors import InputError
from helpanna.learning.run_folder import fingerprint
from helpanna.learning.runs import RunOptions
from helpanna.learning.settings import TrainingSettings
from helpanna.reproduction.rows import LEARNERS, MAIN_ROWS, ROWS, TABLES, Budget, Row, split_names
from helpanna.reproduction.units import Evaluation, Training, Unit
from helpanna.tasks.dataset import Dataset, load_dataset
from helpanna.worlds.storage import ATLAS


@dataclass(frozen=True)
class Plan:
    """What is to be done for which tables.

    Attributes:
        data: the dataset.
        out: the folder of the units and tables.
        budget: how long agents learn.
        tables: the tables, by name.
        seeds: of the rows of the main table.
        other_seeds: of all other rows.
        features: which view features the agents see.
        tasks: this many tasks of a split, in place of the budget's number.
        words_in_sight: whether the agents are also told which words of a text name something in sight.
    """

    data: Path
    out: Path
    budget: Budget
    tables: tuple[str, ...]
    seeds: tuple[int, ...]
    other_seeds: tuple[int, ...]
    features: str
    tasks: int | None = None
    words_in_sight: bool = False

    def evaluations(self, row: str, split: str) -> list[Evaluation]:
        """The evaluations of a row on a split, one a seed."""
        return [self._evaluation(row, split, seed) for seed in self.seeds_of(row)]

    def seeds_of(self, row: str) -> tuple[int, ...]:
        """The seeds of a row; one alone where another would change nothing."""
        seeds = self.seeds if row in MAIN_ROWS else self.other_seeds
        return seeds if ROWS[row].draws else seeds[:1]

    def splits(self, table: str) -> tuple[str, ...]:
        """The splits of a table that the dataset has."""
        found = [split_names(place, self.dataset.names) for place in TABLES[table].splits]
        return tuple(name for name in found if name is not None)

    def units(self) -> list[Unit]:
        """All that the tables need, trainings first, each once; of every row the first seed before others.

        So whoever has less time than that can have whole tables of fewer seeds.
        """
        turns = [
            turn
            for table in self.tables
            for row in TABLES[table].rows
            for split in self.splits(table)
            for turn in enumerate(self.evaluations(row, split))
        ]
        wanted = [evaluation for _, evaluation in sorted(turns, key=lambda turn: turn[0])]
        trainings = [e.navigator for e in wanted if isinstance(e.navigator, Training)]
        return list({unit.title: unit for unit in (*trainings, *wanted)}.values())

    def training(self, learner: str, seed: int) -> Training:
        """The run of a learner with a seed."""
        described = self.options(learner, seed).described(self.data)
        follows_from = {**_unusual(described), "sight": self._sight}
        validates = any(name.startswith("val_") for name in self.dataset.names)
        agent = self.budget.agent if validates else "last"  # who is best is seen on the validation splits
        return Training(self.out, f"{learner}-{seed}", follows_from, described, agent)

    def options(self, learner: str, seed: int) -> RunOptions:
        """What is chosen for that run."""
        return LEARNERS[learner].chosen(self.budget, self.features, seed, self.words_in_sight)

    def _evaluation(self, row: str, split: str, seed: int) -> Evaluation:
        agent = ROWS[row]
        navigator: str | Training = agent.navigator
        made_from: Any = agent.navigator
        if agent.is_trained:
            navigator = self.training(agent.navigator, seed)
            made_from = [navigator.fingerprint, navigator.agent]
        tasks = self.tasks or self.budget.tasks
        follows_from = {
            "data": fingerprint(self.data),
            "split": split,
            "agent": made_from,
            "suffix": agent.suffix,
            "seed": seed,
            "tasks": tasks,
            "steps": self.budget.steps,
        }
        name = f"{row}-{seed}-{split}"
        return Evaluation(
            *(self.out, name, follows_from, self.data, split, navigator),
            *(agent.suffix, seed, tasks, self.budget.steps),
        )

    @cached_property
    def dataset(self) -> Dataset:
        """The dataset."""
        return load_dataset(self.data)

    @staticmethod
    def choose_features(data: Path, wanted: str | None) -> str:
        """The view features of this name; without a name, the only ones there are."""
        atlases = load_dataset(data).atlas_folders
        kinds = sorted(set.intersection(*(set(ATLAS.read(folder)["views"]) for folder in atlases)))
        if wanted is None and len(kinds) > 1:
            raise InputError(f"--features is missing; the atlas has {', '.join(kinds)}: name one of them.")
        if not kinds:
            raise InputError(
                "the atlas has no view features; add some with `helpanna worlds add annotations ATLAS`."
            )
        if wanted is not None and wanted not in kinds:
            raise InputError(
                f"the atlas has no view features called {wanted!r}; name one of {', '.join(kinds)}."
            )
        return wanted or kinds[0]

    @cached_property
    def _sight(self) -> list[str]:
        """The checksums of the view features that agents see: another sight makes another agent."""
        sums = []
        for folder in self.dataset.atlas_folders:
            files = ATLAS.read(folder)["files"]
            seen = [name for name in sorted(files) if name == f"views/{self.features}.npy"]
            if self.words_in_sight:
                seen += [name for name in sorted(files) if name.startswith("words/")]
            sums += [files[name]["sha256"] for name in seen]
        return sums

    def commands(self, row: str) -> list[str]:
        """The commands that train and evaluate a row again, for every seed."""
        if row not in ROWS:
            raise InputError(f"--show {row}: there is no such row; the rows are {', '.join(ROWS)}.")
        return [command for seed in self.seeds_of(row) for command in self._commands(ROWS[row], row, seed)]

    def _commands(self, agent: Row, row: str, seed: int) -> list[str]:
        lines, name = [], agent.navigator
        if agent.is_trained:
            run = f"{agent.navigator}-{seed}"
            given = command_options(self.options(agent.navigator, seed))
            lines.append(_shell("helpanna", "train", "--data", self.data, "--out", run, *given))
            name = f"{run}/{self.training(agent.navigator, seed).agent_folder.name}"
        splits = {split for table in self.tables if row in TABLES[table].rows for split in self.splits(table)}
        for split in sorted(splits):
            tasks = self.tasks or self.budget.tasks
            lines.append(
                _shell(
                    *("helpanna", "evaluate", "--data", self.data, "--split", split),
                    *("--agent", f"{name}{agent.suffix}", "--out", f"{row}-{seed}-{split}.jsonl"),
                    *("--seed", seed, "--budget", self.budget.steps),
                    *(("--tasks", tasks) if tasks else ()),
                )
            )
        return lines


def _unusual(described: Mapping[str, Any]) -> dict[str, Any]:
    """What makes a run another one than the usual.

    What is as usual is left out: a run is still the same when a later version has one more setting, which is
    then as it was before there was a choice.
    """
    from helpanna.agents.networks.kinds import network_class  # needs PyTorch

    network = described["network"]
    usual = {f.name: f.default for f in fields(network_class(network["kind"]).Config)}
    parts = {
        "network": (network, usual),
        "habits": (described["habits"], asdict(Habits())),
        "settings": (described["settings"], asdict(TrainingSettings())),
    }
    told = {
        part: {name: value for name, value in chosen.items() if name not in known or value != known[name]}
        for part, (chosen, known) in parts.items()
    }
    return {"dataset": described["fingerprint"], "autocast": described["autocast"], **told}


def command_options(options: RunOptions) -> list[str]:
    """The options of `helpanna train` that choose the same."""
    chosen = {f.name: getattr(options, f.name) for f in fields(options) if f.name != "given"}
    usual = RunOptions()
    words: list[str] = []
    for name, value in {**chosen, **options.given}.items():
        if name in chosen and value == getattr(usual, name):
            continue
        flag = f"--{name.replace('_', '-')}"
        if isinstance(value, bool):
            words.append(flag if value else f"--no-{name.replace('_', '-')}")
        else:
            words += [flag, str(value)]
    return words


def _shell(*words: object) -> str:
    threads = "OMP_NUM_THREADS=1 " if words[1] == "train" else ""
    return threads + shlex.join(map(str, words))
