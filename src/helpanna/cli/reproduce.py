"""`helpanna reproduce`: the paper's experiments on the dataset at hand."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from helpanna.cli.checks import COUNTS, LEARNING, PLANS, PROCESSES, check_installed, check_numbers
from helpanna.cli.console import plain, say, spoken_time
from helpanna.cli.engine_options import EngineGroup, EnginePart
from helpanna.engines import Engine
from helpanna.errors import InputError
from helpanna.files import locked
from helpanna.reproduction.rows import BudgetName

_LINE_SECONDS = 30.0
_SHOWN = 12
"""Lines of the progress table, so that it fits into a terminal."""


@dataclass(frozen=True)
class Reproduce:
    """Trains what is missing, evaluates, and writes the paper's tables on a dataset, with figures.

    What is done is never done twice: interrupted or killed, the same command goes on where it was. OUT gets
    tables.md, tables.tex, tables.csv, tables.json and report.html; runs/ and evaluations/ are what made them.

    For example: helpanna reproduce --data dataset --out out/tables --only main,ask --seeds 1,2 --workers 2
    """

    data: Path
    """The dataset folder."""
    out: Path
    """The folder of the runs and the tables; one that is there is gone on with."""
    only: str | None = None
    """Only these tables, joined by commas: data, main, assistance, ask, model, ablations,
    curiosity, behaviour, map."""
    budget: BudgetName = "quick"
    """How long agents learn. quick: a warm start at half the paper's width, for two cores; paper: 30,000
    iterations of the paper's own recipe; smoke: next to nothing, to try the command."""
    seeds: str = "1,2,3"
    """The seeds of the main table's rows, joined by commas: that many agents are trained of each."""
    other_seeds: str | None = None
    """The seeds of all other rows; by default the same."""
    features: str | None = None
    """Which view features of the atlas the agents see; needed where there are several."""
    words_in_sight: bool = False
    """Tell all agents which words of a text name something in sight, as `helpanna train` does."""
    tasks: int | None = None
    """Evaluate on this many tasks of each split, evenly spread; by default on all."""
    workers: int = 1
    """Units (training runs and evaluations) side by side, each in a process of one thread; changes no
    result. As many as there are cores is fastest."""
    show: str | None = None
    """Only print the commands that train and evaluate this row again (learned, no_assistance, lstm, ...)."""
    where: EngineGroup = field(default_factory=EnginePart)

    def run(self) -> None:
        """Does what is missing and writes the tables."""
        from helpanna.reproduction.plan import Plan
        from helpanna.reproduction.rows import BUDGETS, chosen_seeds, chosen_tables

        check_numbers(self, workers=PROCESSES, tasks=COUNTS)
        engine = self.where.chosen()
        seeds = chosen_seeds("seeds", self.seeds)
        others = seeds if self.other_seeds is None else chosen_seeds("other-seeds", self.other_seeds)
        tables = chosen_tables(self.only)
        check_installed("helpanna reproduce", (*LEARNING, *PLANS))
        plan = Plan(
            *(self.data.resolve(), self.out.resolve(), BUDGETS[self.budget], tables, seeds, others),
            *(Plan.choose_features(self.data, self.features), self.tasks, self.words_in_sight),
        )
        units = plan.units()
        if self.show is not None:
            print("\n".join(plan.commands(self.show)))
            return
        if self.out.exists() and not self.out.is_dir():
            raise InputError(f"{self.out} is a file; name a folder.")
        self.out.mkdir(parents=True, exist_ok=True)
        with locked(self.out):
            self._work(plan, units, engine)

    def _work(self, plan: Any, units: Sequence[Any], engine: Engine) -> None:
        from helpanna.reproduction.report import write_report
        from helpanna.reproduction.runs import work_off

        missing = [unit for unit in units if not unit.is_done]
        say(f"{len(units)} units, {len(units) - len(missing)} of them done.")
        try:
            if missing:
                with engine.open(min(self.workers, len(missing))) as submit, _shown() as on_status:
                    work_off(units, submit, self.workers, on_status)
        except KeyboardInterrupt:
            say("helpanna: interrupted; nothing is lost: the same command goes on.")
            raise SystemExit(130) from None
        title = f"Help, Anna! on {self.data.resolve().name}"
        written = write_report(plan, title, self.budget)
        say(f"Wrote {', '.join(path.name for path in written)} into {self.out}.")


@contextmanager
def _shown() -> Iterator[Any]:
    """Shows how far each unit is: a table in a terminal, elsewhere a line now and then."""
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True)
    if console.is_terminal:
        with Live(console=console, refresh_per_second=2) as live:
            yield lambda statuses, left: live.update(_progress_table(statuses, left))
        return
    last = 0.0

    def line(statuses: Sequence[Any], left: float | None) -> None:
        nonlocal last
        if time.monotonic() - last < _LINE_SECONDS:
            return
        last = time.monotonic()
        say(_summary(statuses, left))

    yield line


def _summary(statuses: Sequence[Any], left: float | None) -> str:
    done = sum(status.state == "done" for status in statuses)
    working = [f"{s.unit.name} {100 * s.share:.0f} %" for s in statuses if s.state == "working"]
    ending = "" if left is None else f"; {spoken_time(left)} left"
    return f"{done} of {len(statuses)} units{': ' if working else ''}{', '.join(working)}{ending}"


def _progress_table(statuses: Sequence[Any], left: float | None) -> Any:
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(_summary(statuses, left)), title_justify="left")
    for name in ("unit", "state", "done"):
        table.add_column(name, justify="right" if name == "done" else "left")
    order = {"working": 0, "failed": 1, "waiting": 2, "done": 3}
    ranked = sorted(statuses, key=lambda status: order[status.state])
    for status in ranked[:_SHOWN]:
        table.add_row(Text(plain(status.unit.name)), status.state, f"{100 * status.share:.0f} %")
    if len(ranked) > _SHOWN:
        table.add_row(f"and {len(ranked) - _SHOWN} more", "", "")
    return table
