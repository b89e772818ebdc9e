"""Figures as tables for people: shares in percent, distances in metres."""

import math
from collections.abc import Mapping

from helpanna.evaluation.answers import WHY
from helpanna.evaluation.bootstrap import Interval
from helpanna.evaluation.paper import paper_figures

Row = tuple[str, ...]

METRICS_HEADER = ("metric", "value", "95 % interval")
BESIDE_HEADER = ("agent", "SR %", "SPL %", "NE m", "requests", "repeats %", "re-asks %")
ANSWERS_HEADER = ("answer", "count", "share")

_METRES = ("navigation_error", "metres_per_task")
_COUNTS = ("requests_per_task", "steps_per_task")
_BESIDE = (
    "success_rate",
    "spl",
    "navigation_error",
    "requests_per_task",
    "navigation_mistake_repeat",
    "help_request_repeat",
)


def shown(metric: str, value: float | None, unit: bool = True) -> str:
    """A figure as people read it: "45.43 %", "8.04 m", "2.70"; nothing where there is none."""
    if value is None or math.isnan(value):
        return ""
    if metric in _COUNTS:
        return f"{value:.2f}"
    scale, name = (1, " m") if metric in _METRES else (100, " %")
    return f"{scale * value:.2f}{name if unit else ''}"


def metric_rows(figures: Mapping[str, Interval]) -> list[Row]:
    """All figures with their intervals; those that are undefined are left out."""
    return [
        (
            "SPL" if name == "spl" else name.replace("_", " "),
            shown(name, figure.value),
            f"{shown(name, figure.low)} to {shown(name, figure.high)}",
        )
        for name, figure in figures.items()
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
