"""How commands speak: progress on standard error, tables or JSON on standard output."""

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

Report = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""

_LINE_SECONDS = 10.0


def say(message: str) -> None:
    """A plain line for the user, beside the results."""
    Console(stderr=True, highlight=False, soft_wrap=True).print(message, markup=False)


def print_json(value: Any) -> None:
    """One JSON value on one line of standard output."""
    print(json.dumps(value, ensure_ascii=False))


def print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """A table on standard output; numbers are right-aligned."""
    table = Table(title=title, title_justify="left", title_style="bold", header_style="bold")
    for i, name in enumerate(header):
        number = all(isinstance(row[i], int | float) for row in rows)
        table.add_column(name, justify="right" if number else "left")
    for row in rows:
        table.add_row(*(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row))
    Console().print(table)


def print_counts(title: str, counts: Mapping[str, Any], as_json: bool) -> None:
    """Figures by name, as a table or as one JSON object."""
    if as_json:
        print_json(counts)
    else:
        print_table(title, ("", "count"), [(name.replace("_", " "), n) for name, n in counts.items()])


@contextmanager
def progress() -> Iterator[Report]:
    """Shows how far a long command is and how long it will still take.

    In a terminal it is a bar for each thing done; elsewhere a line every few seconds.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _line_report()
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as bars:
        tasks: dict[str, Any] = {}

        def report(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=total)
            bars.update(tasks[what], completed=done, total=total)

        yield report


def _line_report() -> Report:
    started: dict[str, float] = {}
    spoken: dict[str, float] = {}

    def report(what: str, done: int, total: int) -> None:
        now = time.monotonic()
        started.setdefault(what, now)
        if now - spoken.get(what, started[what]) >= _LINE_SECONDS or (done == total and what in spoken):
            spoken[what] = now
            left = (now - started[what]) / max(done, 1) * (total - done)
            print(f"{what}: {done} of {total}, about {left:.0f} s left", file=sys.stderr)

    return report
