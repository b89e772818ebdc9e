"""The paper's tables on the dataset at hand: figures with intervals, the paper's beside, and what follows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from helpanna.evaluation.bootstrap import Interval, intervals
from helpanna.evaluation.paper import BEHAVIOUR, comparable, paper_figures, validation_figures
from helpanna.reproduction.claims import CLAIMS, Found, conclusion, judged
from helpanna.reproduction.plan import Plan
from helpanna.reproduction.rows import CONDITIONS, ROWS, TABLES, split_names
from helpanna.reproduction.units import Shares, Training, read_shares
from helpanna.tasks.dataset import split_counts
from helpanna.tasks.stats import PAPER_SPLITS

COUNT = "count"
"""The metric of cells that count something."""

HEADINGS = {
    "success_rate": "SR %",
    "spl": "SPL %",
    "navigation_error": "NE m",
    "requests_per_task": "requests",
    "navigation_mistake_repeat": "repeats %",
    "help_request_repeat_asked": "re-asks %",
}
_CONDITION_WORDS = {"lost": "lost", "uncertain_wrong": "uncertain, wrong", "already_asked": "asked before"}
_ABOUT = {
    "predicted": "predicted %",
    "true": "true %",
    "accuracy": "accuracy %",
    "precision": "precision %",
    "recall": "recall %",
    "f1": "F1 %",
}


@dataclass(frozen=True)
class Column:
    """A column: of which split, and what it is called."""

    split: str
    heading: str


@dataclass(frozen=True)
class Cell:
    """A figure, its interval, and the paper's; `COUNT` cells have no interval."""

    metric: str
    figure: Interval
    paper: float | None = None


@dataclass(frozen=True)
class Line:
    """A row of a table, with the runs that made it: the titles of units."""

    name: str
    label: str
    cells: tuple[Cell | None, ...]
    runs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """A table, and what it says of the paper's conclusions."""

    key: str
    title: str
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    note: str = ""
    found: tuple[Found, ...] = ()
    conclusion: str = ""


@dataclass(frozen=True)
class Results:
    """The figures of all units of a plan, which are done."""

    plan: Plan
    _shares: dict[tuple[str, str], Shares] = field(default_factory=dict, compare=False)

    def shares(self, row: str, place: str) -> Shares | None:
        """What a row put into the figures of a split; None if there is no such split."""
        split = split_names(place, self.plan.dataset.names)
        if split is None:
            return None
        if (row, split) not in self._shares:
            self._shares[row, split] = read_shares(self.plan.evaluations(row, split))
        return self._shares[row, split]

    @cached_property
    def beside(self) -> bool:
        """Whether the paper's figures may stand beside these."""
        return comparable(self.source)

    @cached_property
    def source(self) -> str:
        """Where the buildings come from."""
        return self.plan.dataset.split(self.plan.dataset.names[-1]).atlas.source

    def tables(self) -> list[Table]:
        """All tables of the plan."""
        return [_data(self) if key == "data" else self.table(key) for key in self.plan.tables]

    def table(self, key: str) -> Table:
        """One of the tables that compare agents."""
        columns, lines = _behaviour(self) if key == "behaviour" else _compared(self, key)
        claims = CLAIMS.get(key, ())
        found = tuple(judged(claims, self))
        says = conclusion(found) if claims else ""
        return Table(key, TABLES[key].title, columns, lines, _note(self, key), found, says)

    def runs(self, row: str, split: str) -> tuple[str, ...]:
        """The titles of the units that made a row."""
        evaluations = self.plan.evaluations(row, split)
        trained = [e.navigator.title for e in evaluations if isinstance(e.navigator, Training)]
        return tuple(trained or [e.title for e in evaluations])


def _compared(results: Results, key: str) -> tuple[tuple[Column, ...], tuple[Line, ...]]:
    kind, splits = TABLES[key], results.plan.splits(key)
    columns = tuple(Column(split, HEADINGS[metric]) for split in splits for metric in kind.metrics)
    lines = []
    for name in kind.rows:
        cells: list[Cell | None] = []
        for split in splits:
            shares = results.shares(name, split)
            figures = _figures(shares, kind.metrics)
            paper = _paper(results, key, name, split)
            cells += [
                Cell(metric, figures[metric], paper.get(metric)) if metric in figures else None
                for metric in kind.metrics
            ]
        runs = dict.fromkeys(run for split in splits for run in results.runs(name, split))
        lines.append(Line(name, ROWS[name].label, tuple(cells), tuple(runs)))
    return columns, tuple(lines)


def _figures(shares: Shares | None, metrics: tuple[str, ...]) -> dict[str, Interval]:
    if shares is None:
        return {}
    ratios = {metric: shares.ratios[metric] for metric in metrics if metric in shares.ratios}
    return {name: f for name, f in intervals(ratios, shares.sample).items() if f.value == f.value}


def _paper(results: Results, key: str, row: str, split: str) -> Mapping[str, float]:
    if not results.beside:
        return {}
    printed = validation_figures(split) if key == "ablations" else paper_figures(split)
    return printed.get(ROWS[row].paper, {})


def _behaviour(results: Results) -> tuple[tuple[Column, ...], tuple[Line, ...]]:
    """How often the agent requests help; each condition: predicted, true, and how well predicted."""
    splits = results.plan.splits("behaviour")
    if not splits:
        return (), ()
    split = splits[0]
    names = [f"{condition}_{about}" for condition in CONDITIONS for about in _ABOUT]
    figures = _figures(results.shares("learned", split), ("request_share", *names))
    paper = BEHAVIOUR if results.beside else {}

    def cell(metric: str) -> Cell | None:
        return Cell(metric, figures[metric], paper.get(metric)) if metric in figures else None

    runs = results.runs("learned", split)
    requests = (cell("request_share"), *[None] * (len(_ABOUT) - 1))
    lines = [Line("learned", "requests help", requests, runs)]
    for condition, words in _CONDITION_WORDS.items():
        cells = tuple(cell(f"{condition}_{about}") for about in _ABOUT)
        lines.append(Line("learned", words, cells, runs))
    return tuple(Column(split, heading) for heading in _ABOUT.values()), tuple(lines)


def _data(results: Results) -> Table:
    names = results.plan.dataset.names
    parts = ("buildings", "tasks", "instructions")
    lines = []
    for name in names:
        counts = split_counts(results.plan.dataset.split(name))
        paper: Mapping[str, Any] = {}
        if results.beside:
            paper = dict(zip(parts, PAPER_SPLITS[name], strict=True))
        cells = tuple(Cell(COUNT, _exactly(counts[part]), paper.get(part)) for part in parts)
        lines.append(Line(name, name, cells))
    columns = tuple(Column("", part) for part in parts)
    return Table("data", TABLES["data"].title, columns, tuple(lines), f"Buildings: {results.source}.")


def _exactly(count: int) -> Interval:
    nan = float("nan")
    return Interval(float(count), nan, nan, nan, nan)


def _note(results: Results, key: str) -> str:
    plan, splits = results.plan, results.plan.splits(key)
    stands = [
        f"{split} stands for test_{place}, which the dataset does not have"
        for place, split in ((p, split_names(p, plan.dataset.names)) for p in TABLES[key].splits)
        if place in ("seen", "unseen") and split == f"val_{place}"
    ]
    missing = [
        f"the dataset has no {place} split"
        for place in TABLES[key].splits
        if split_names(place, plan.dataset.names) is None
    ]
    counts = []
    for split in splits:
        shares = results.shares(TABLES[key].rows[0], split)
        if shares is not None:
            tasks, buildings = len(set(shares.sample.task)), len(set(shares.sample.building))
            counts.append(f"{split}: {tasks:,} tasks in {buildings:,} building{'s' * (buildings > 1)}")
    seeds = f"seeds {', '.join(map(str, plan.seeds))}"
    if plan.other_seeds != plan.seeds:
        seeds += f", rows that the main table does not have {', '.join(map(str, plan.other_seeds))}"
    steps = ["requests: of all steps, conditions: of those where help can be requested"]
    return "; ".join([*counts, *(steps if key == "behaviour" else ()), seeds, *stands, *missing]) + "."
