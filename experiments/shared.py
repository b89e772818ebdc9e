"""What several experiments do: run commands, keep what they printed, write tables, draw figures."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

COLUMNS = {
    "success_rate": ("SR %", 100, 1),
    "spl": ("SPL %", 100, 1),
    "navigation_error": ("NE m", 1, 2),
    "requests_per_task": ("requests", 1, 2),
    "subtask_success": ("sub-tasks %", 100, 1),
    "navigation_mistake_repeat": ("repeats %", 100, 1),
}
"""The columns of tables of results: heading, factor and digits."""
COLOURS = {
    "training": "#bbbbbb",
    "val_seen": "#4a6fa5",
    "test_seen": "#4a6fa5",
    "val_unseen": "#c8602d",
    "test_unseen": "#c8602d",
}

Figures = Mapping[str, Any]
"""What `helpanna evaluate --json` prints."""


def helpanna(*arguments: object, capture: bool = False) -> str:
    """Runs a helpanna command; with `capture`, what it prints on standard output."""
    command = [sys.executable, "-m", "helpanna.cli", *map(str, arguments)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE if capture else None, text=True)
    return done.stdout or ""


def evaluated(stem: Path, data: Path, split: str, agent: object, *options: object) -> Figures:
    """The figures of an agent on a split; runs it if STEM.json is not there, with trajectories STEM.jsonl."""
    figures = stem.with_name(f"{stem.name}.json")
    if not figures.exists():
        printed = helpanna(
            *("evaluate", "--data", data, "--split", split, "--agent", agent, "--json"),
            *("--out", stem.with_name(f"{stem.name}.jsonl"), *options),
            capture=True,
        )
        figures.write_text(printed)
    return json.loads(figures.read_text())


def results_table(first: str, rows: Mapping[str, Figures], metrics: tuple[str, ...]) -> list[str]:
    """A Markdown table of figures with their intervals over buildings and tasks, a row for each name."""
    lines = [
        f"| {first} | {' | '.join(COLUMNS[metric][0] for metric in metrics)} |",
        f"| --- |{' --- |' * len(metrics)}",
    ]
    for name, row in rows.items():
        cells = (_cell(row[metric], *COLUMNS[metric][1:]) for metric in metrics)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def _cell(figure: Mapping[str, float | None], scale: float, digits: int) -> str:
    if figure["value"] is None:  # sub-tasks of who never asks
        return "none"
    value, low, high = (scale * figure[key] for key in ("value", "low", "high"))
    return f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def new_figure(width: float, height: float) -> Any:
    """An empty figure; the same drawing gives the same bytes."""
    import matplotlib
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.hashsalt"] = "helpanna"
    return Figure(figsize=(width, height), layout="constrained")


def finish(axes: Any, title: str, across: str, columns: int = 1) -> None:
    """Title, grid, and the legend below the plot, where it hides no line."""
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(across)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=columns)


def save(figure: Any, path: Path) -> None:
    """Writes a figure without a date."""
    figure.savefig(path, metadata={"Date": None})
