"""Figures as tables for people: shares in percent, distances in metres."""

import math
from collections.abc import Mapping

from helpanna.evaluation.answers import WHY
from helpanna.evaluation.bootstrap import Interval
from helpanna.evaluation.paper import paper_figures

Row = tuple[str, ...]

METRICS_HEADER = ("metric", "value", "95 % interval", "tasks only")
DIFFERENCES_HEADER = ("metric", "A", "B", "A - B", "95 % interval")
BESIDE_HEADER = ("agent", "SR %", "SPL %", "NE m", "requests", "repeats %", "re-asks %")
ANSWERS_HEADER = ("answer", "count", "share")

INTERVALS = (
    "The interval is over buildings and the tasks within them; tasks only: over tasks, in these buildings."
)

_METRES = ("navigation_error", "metres_per_task", "goal_progress")
_COUNTS = ("requests_per_task", "steps_per_task")
_BESIDE = (
    "success_rate",
    "spl",
    "navigation_error",
    "requests_per_task",
    "navigation_mistake_repeat",
    "help_request_repeat_asked",  # what the published code counts, and so what the paper prints
)
_NAMES = {
    "success_rate": "success rate",
    "spl": "SPL",
    "navigation_error": "navigation error",
    "requests_per_task": "requests a task",
    "oracle_success_rate": "oracle success rate",
    "request_share": "steps with a request",
    "steps_per_task": "steps a task",
    "metres_per_task": "metres walked a task",
    "ndtw": "nDTW",
    "sdtw": "SDTW",
    "cls": "CLS",
    "rgs": "RGS",
    "rgspl": "RGSPL",
    "goal_progress": "goal progress",
    "navigation_mistake_repeat": "steps repeating a mistake",
    "help_request_repeat": "requests where it had been",
    "help_request_repeat_asked": "requests where it had asked",
    "subtask_success": "subtask success",
}
_CONDITIONS = {"lost": "lost", "uncertain_wrong": "uncertain, wrong", "already_asked": "asked before"}
_ABOUT_CONDITIONS = {
    "true": "it was so",
    "predicted": "predicted",
    "accuracy": "accuracy",
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
}
_CONDITION_NAMES = {
    f"{key}_{about}": f"{condition}: {word}"
    for key, condition in _CONDITIONS.items()
    for about, word in _ABOUT_CONDITIONS.items()
}


def shown(metric: str, value: float | None, unit: bool = True) -> str:
    """A figure as people read it: "45.43 %", "8.04 m", "2.70"; nothing where there is none."""
    if value is None or math.isnan(value):
        return ""
    if metric in _COUNTS:
        return f"{value:.2f}"
    scale, name = (1, " m") if metric in _METRES else (100, " %")
    return f"{scale * value:.2f}{name if unit else ''}"


def metric_rows(figures: Mapping[str, Interval]) -> list[Row]:
    """All figures but those of the conditions, with their intervals; those undefined are left out."""
    return _rows(figures, _NAMES)


def condition_rows(figures: Mapping[str, Interval]) -> list[Row]:
    """How often each condition for requesting help held, and how well the agent predicted it."""
    return _rows(figures, _CONDITION_NAMES)


def _rows(figures: Mapping[str, Interval], names: Mapping[str, str]) -> list[Row]:
    return [
        (
            names[name],
            shown(name, figure.value),
            _range(name, figure.low, figure.high),
            _range(name, figure.task_low, figure.task_high),
        )
        for name, figure in figures.items()
        if name in names and not math.isnan(figure.value)
    ]


def _range(metric: str, low: float, high: float) -> str:
    return f"{shown(metric, low, unit=False)} to {shown(metric, high, unit=False)}"


def difference_rows(
    ours: Mapping[str, Interval], theirs: Mapping[str, Interval], differences: Mapping[str, Interval]
) -> list[Row]:
    """Two results and their paired difference; of shares, in percentage points."""
    names = _NAMES | _CONDITION_NAMES
    return [
        (
            names[name],
            shown(name, ours[name].value),
            shown(name, theirs[name].value),
            shown(name, figure.value, unit=False),
            _range(name, figure.low, figure.high),
        )
        for name, figure in differences.items()
        if not math.isnan(figure.value)
    ]


def beside_paper_rows(split: str, figures: Mapping[str, Interval]) -> list[Row]:
    """This agent's main figures above those that the paper prints for the same kind of split."""
    own = {name: figures[name].value for name in _BESIDE if name in figures}
    return [
        (name, *(shown(metric, row.get(metric), unit=False) for metric in _BESIDE))
        for name, row in (("this agent", own), *paper_figures(split).items())
    ]


def answer_rows(counts: Mapping[str, int]) -> list[Row]:
    """What came of the answers, see `answer_progress`."""
    total = counts["answers"]
    return [(why, f"{counts[kind]:,}", f"{100 * counts[kind] / total:.2f} %") for kind, why in WHY.items()]
