"""`helpanna demo`: the whole problem, from nothing but what is in the package."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from helpanna.cli.checks import (
    HOUSE_PICTURES,
    HOUSE_PLANS,
    HOUSES,
    LEARNING,
    PLANS,
    SEEDS,
    check_installed,
    check_numbers,
)
from helpanna.cli.console import print_json, print_table, progress, say
from helpanna.episodes.trajectory import Trajectories
from helpanna.errors import InputError
from helpanna.files import check_output
from helpanna.tasks.split import Split

_TRAINED = "houses"
"""Trained in other houses on rendered pictures; it comes with the package and needs pictures."""
_TOLD = "explorer+ask_untried+perfect"
"""Whose episodes are told where no trained agent can run: without pictures."""
_AGENTS = {
    "random_walk": "goes anywhere, stops anytime",
    "forward10": "walks straight ahead for ten steps",
    f"{_TRAINED}+no_ask": "trained: sees pictures, draws a map, never asks",
    _TRAINED: "the same, asks as it learned to, follows routes as it understands them",
    "explorer": "searches room by room, recognises every object exactly, never asks",
    "explorer+random_ask+perfect": "the same, asks at random and follows routes without error",
    _TOLD: "the same, asks wherever it has not asked yet",
    "shortest": "knows the way: nobody can do better",
}
"""From the simplest to the one that cheats."""
_METRICS = ("success_rate", "spl", "navigation_error", "requests_per_task")
_COLUMNS = ("success", "SPL", "metres left", "requests")
_SIZES = {"train": 1000, "val_seen": 200, "test_seen": 200, "val_unseen": 200}
_TASK = (
    "The task: an agent stands somewhere in a house that it has never seen and is asked for something, for "
    "example “find a mug”. It sees what is around it, walks from place to place, and should stop within two "
    "metres of where a mug can be seen."
)
_ANNA = (
    "It may ask for help. ANNA (Automatic Natural Navigation Assistants) are simulated people who stand at "
    "some places of the house. One who is asked tells a route that leads towards a mug, in words and with a "
    "picture of the place where to leave it."
)
_EXPLAINED = (
    "Success: it ended within two metres of a goal. SPL: success, weighted by how direct the way was. Metres "
    "left: from its end to the nearest goal. Requests: how often it asked, on average."
)
_WHY = (
    "The explorers are handed what the trained agent had to learn from pictures and words: they recognise "
    "every object exactly as soon as it is in sight, and those with +perfect follow routes without error. "
    "Compare the trained agent with itself, with and without help."
)


@dataclass(frozen=True)
class Demo:
    """Builds small houses with pictures and words, sends agents through them, writes a page to look at.

    For example: helpanna demo --out out/demo
    """

    out: Path = Path("out/demo")
    """The folder for what it writes. What is there already is used again."""
    houses: int = 6
    """How many houses."""
    seed: int = 0
    """The same seed gives the same houses, tasks and episodes."""
    no_pictures: bool = False
    """Leave out the rendered pictures: much faster."""
    json: bool = False
    """Print the figures as JSON."""

    def run(self) -> None:
        """Generates, builds, evaluates, writes the page."""
        from helpanna.agents.names import make_agent, packaged_agents
        from helpanna.assistance.assistants import Anna
        from helpanna.evaluation.metrics import evaluate
        from helpanna.evaluation.runner import run_episodes
        from helpanna.evaluation.tables import shown
        from helpanna.tasks.dataset import load_split
        from helpanna.viewer.export import export_page
        from helpanna.viewer.library import Library

        if self.houses < 2:
            raise InputError(f"--houses is {self.houses}; one is kept unseen, so give at least 2.")
        check_numbers(self, houses=HOUSES, seed=SEEDS)
        check_output(self.out / "index.html")
        pictures = () if self.no_pictures else (*HOUSE_PICTURES, *LEARNING)
        check_installed("the demo", tuple(dict.fromkeys((*HOUSE_PLANS, *PLANS, *pictures))))
        began = time.monotonic()
        atlas, dataset = self._prepare()
        split = load_split(dataset, "val_unseen")
        figures: dict[str, dict[str, Any]] = {}
        trained = _TRAINED in packaged_agents() and not self.no_pictures
        agents = [name for name in _AGENTS if trained or not name.startswith(_TRAINED)]
        teller = _TRAINED if trained else _TOLD
        with progress() as report:
            for number, name in enumerate(agents, start=1):
                trajectories = run_episodes(
                    split, make_agent(name, split, self.seed), Anna(split, self.seed), np.arange(len(split))
                )
                scores = evaluate(split, trajectories)
                figures[name] = {metric: scores[metric] for metric in _METRICS}
                self._store(name, trajectories, split, dataset)
                report("agents", number, len(agents))
        rows = [
            (name, *(shown(metric, row[metric].value, metric != "navigation_error") for metric in _METRICS))
            for name, row in figures.items()
        ]
        files = [self._result(name) for name in (teller, "explorer")]
        page = self.out / "index.html"
        export_page(Library(files), page)
        if self.json:
            values = {name: {m: row[m].value for m in _METRICS} for name, row in figures.items()}
            print_json({"tasks": len(split), "agents": values})
        else:
            say(_TASK)
            say(_ANNA)
            note = f"{_EXPLAINED} {_WHY}" if trained else _EXPLAINED
            for name in agents:
                say(f"  {name}: {_AGENTS[name]}")
            print_table(f"{len(split)} tasks in a house never seen", ("agent", *_COLUMNS), rows, note)
        say(f"Wrote the houses {atlas}, the tasks {dataset} and the page {page}.")
        say(f"It took {time.monotonic() - began:.0f} s; open the page in a browser to watch {teller}.")
        say(f"Watch and compare them, send agents, play yourself: helpanna view {' '.join(map(str, files))}")

    def _result(self, agent: str) -> Path:
        """Where an agent's episodes are stored."""
        return self.out / "results" / f"{agent}.jsonl"

    def _store(self, agent: str, trajectories: Trajectories, split: Split, dataset: Path) -> None:
        from helpanna.episodes.trajectory_file import write_trajectories

        header = {
            "dataset": str(dataset.resolve()),
            "agent": agent,
            "assistant": "anna",
            "seed": self.seed,
            "buildings": split.atlas.source,
        }
        self._result(agent).parent.mkdir(exist_ok=True)
        write_trajectories(self._result(agent), trajectories, split, header)

    def _prepare(self) -> tuple[Path, Path]:
        """The houses and the tasks in them, made if they are not there."""
        from helpanna.assistance.route_systems import random_routes
        from helpanna.tasks.build import BuildSettings, build_splits
        from helpanna.tasks.dataset import save_dataset
        from helpanna.worlds.houses.generate import generate_atlas
        from helpanna.worlds.storage import load_atlas

        name = f"houses-{self.houses}-{self.seed}{'-plain' if self.no_pictures else ''}"
        folder, dataset = self.out / name, self.out / f"{name}-tasks"
        if not folder.exists():
            with progress() as report:
                generate_atlas(
                    folder,
                    houses=self.houses,
                    seed=self.seed,
                    kind="small",
                    pictures=not self.no_pictures,
                    on_progress=report,
                )
        if not dataset.exists():
            atlas = load_atlas(folder)
            settings = BuildSettings(seed=self.seed, unseen_count=1, sizes=_SIZES)
            splits = build_splits([(atlas, random_routes(atlas, self.seed))], None, settings)
            kept = {"routes": "random", "sizes": _SIZES}
            save_dataset(dataset, splits, [(atlas, folder)], self.seed, settings.paths, kept)
        if not self.no_pictures:
            self._recognise(folder)
        return folder, dataset

    @staticmethod
    def _recognise(folder: Path) -> None:
        """Adds what the trained agent can tell from the pictures, if it is not there."""
        from helpanna.agents.names import agent_folder
        from helpanna.worlds.recognition import space_of_agent, write_recognised
        from helpanna.worlds.storage import load_atlas

        if load_atlas(folder).views.words is None:
            with progress() as report:
                write_recognised(folder, space_of_agent(agent_folder(_TRAINED)), report)
