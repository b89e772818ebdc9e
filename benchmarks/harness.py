"""What the benchmarks share: figures with bars, how they are reported, timing and memory."""

import argparse
import json
import resource
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Figure:
    """One measured number, and the bar it must reach if there is one.

    Attributes:
        name: what was measured.
        value: the measurement.
        unit: its unit.
        at_least: the value must not be below this.
        at_most: the value must not be above this.
    """

    name: str
    value: float
    unit: str
    at_least: float | None = None
    at_most: float | None = None

    @property
    def bar(self) -> float | None:
        """The number to reach, or none."""
        return self.at_most if self.at_least is None else self.at_least

    @property
    def holds(self) -> bool | None:
        """Whether the bar is reached; none without a bar."""
        if self.bar is None:
            return None
        return self.value >= self.bar if self.at_least is not None else self.value <= self.bar

    def row(self) -> list[str]:
        """The cells of its line in the table."""
        if self.bar is None:
            return [self.name, _number(self.value), self.unit, "", ""]
        sign = ">=" if self.at_least is not None else "<="
        return [
            self.name,
            _number(self.value),
            self.unit,
            f"{sign} {_number(self.bar)}",
            "holds" if self.holds else "FAILS",
        ]

    def line(self) -> str:
        """Its line of JSON."""
        keys = ("name", "value", "unit", "bar", "holds")
        return json.dumps({key: getattr(self, key) for key in keys})


def report(title: str, note: str, measure: Callable[[], Sequence[Figure]]) -> None:
    """Measures, prints a table (or with `--json` one line a figure), and exits 1 if a bar does not hold.

    Args:
        title: the heading of the table.
        note: on what data it was measured, printed under the title (with `--json` on standard error).
        measure: gives the figures.
    """
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument("--json", action="store_true", help="print one line of JSON a figure")
    as_json = parser.parse_args().json
    figures = measure()
    if as_json:
        print(note, file=sys.stderr)
        for figure in figures:
            print(figure.line())
    else:
        print(f"{title}\n{note}\n\n{_table([figure.row() for figure in figures])}\n")
    sys.exit(any(figure.holds is False for figure in figures))


def best_seconds(run: Callable[[], object], repeats: int = 5) -> float:
    """The shortest of several runs: what the work itself takes, without what else the machine does."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def peak_megabytes() -> float:
    """The most memory this process has held so far."""
    status = Path("/proc/self/status")
    if status.exists():
        # Not `getrusage`: on Linux its figure begins at the peak of the process that started this one.
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) / 1e3
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)  # bytes there, kilobytes elsewhere


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.3g}"


def _table(rows: Sequence[Sequence[str]]) -> str:
    head = ["figure", "value", "unit", "bar", ""]
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    numeric = (1, 3)

    def line(row: Sequence[str]) -> str:
        cells = [
            cell.rjust(width) if column in numeric else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return "  ".join(cells).rstrip()

    return "\n".join([line(head), "-" * (sum(widths) + 2 * len(widths) - 2), *map(line, rows)])
