"""How commands speak: progress on standard error, tables or JSON on standard output."""

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
from rich.table import Table
from rich.text import Text

Report = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""

_LINE_SECONDS = 10.0
_KNOWN_AFTER = 3.0
"""Seconds, and two reports, after which something can be said of the time left."""
_REMEMBERED = 200
_NOT_UTF8 = {code: f"\\u{code:04x}" for code in range(0xD800, 0xE000)}  # of names of files
_CONTROLS = {
    code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0)) if code not in (9, 10)
} | _NOT_UTF8
# JSON itself escapes those below.
_JSON_CONTROLS = {code: f"\\u{code:04x}" for code in range(0x7F, 0xA0)} | _NOT_UTF8
_PLAIN = {
    "worlds": "buildings",
    "edges": "ways between locations",
    "sight_lines": "pairs of locations in sight",
    "sightings": "objects in sight, by location",
    "actions": "most actions at a location",
}
"""Names of figures that do not explain themselves."""


def plain(text: str) -> str:
    """The text with control characters and what is not UTF-8 spelled out: no name can steer the terminal."""
    return text.translate(_CONTROLS)


def say(message: str) -> None:
    """A plain line for the user, beside the results."""
    Console(stderr=True, highlight=False, soft_wrap=True).print(plain(message), markup=False, emoji=False)


def print_json(value: Any) -> None:
    """One JSON value on one line of standard output."""
    print(json.dumps(value, ensure_ascii=False).translate(_JSON_CONTROLS))


def print_table(
    title: str, header: Sequence[str], rows: Sequence[Sequence[Any]], caption: str | None = None
) -> None:
    """A table on standard output; numbers are right-aligned, and long texts wrap."""
    table = Table(
        title=_text(title, "bold"),
        title_justify="left",
        caption=None if caption is None else _text(caption),
        caption_justify="left",
    )
    for i, name in enumerate(header):
        number = all(isinstance(row[i], int | float) for row in rows)
        table.add_column(_text(name, "bold"), justify="right" if number else "left", overflow="fold")
    for row in rows:
        table.add_row(*(_text(f"{cell:,}" if isinstance(cell, int) else str(cell)) for cell in row))
    Console().print(table)


def _text(words: str, style: str = "") -> Text:
    """Words as they are: square brackets in a name are no markup."""
    return Text(plain(words), style=style)


def print_counts(title: str, counts: Mapping[str, Any], as_json: bool) -> None:
    """Figures by name, as a table or as one JSON object."""
    if as_json:
        print_json(counts)
    else:
        rows = [(_PLAIN.get(name, name.replace("_", " ")), n) for name, n in counts.items()]
        print_table(title, ("", "count"), rows)


class TimeLeft:
    """How long something will still take, once that can be told."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: list[tuple[float, int]] = []

    def update(self, done: int, total: int) -> float | None:
        """Seconds left; None while too little is known.

        The rate is that of the last half of the time: beginnings (starting processes, loading) are slower or
        faster than the rest.
        """
        now = self._clock()
        if self._seen and done < self._seen[-1][1]:
            self._seen.clear()  # it began again
        if not self._seen or done > self._seen[-1][1]:
            self._seen.append((now, done))
            if len(self._seen) > _REMEMBERED:
                del self._seen[1:-1:2]
        began = self._seen[0][0]
        if done >= total:
            return 0.0
        if len(self._seen) < 3 or now - began < _KNOWN_AFTER:
            return None
        # The last report before the middle of the time; from there on.
        middle = (began + now) / 2
        then, there = max((s for s in self._seen[1:-1] if s[0] <= middle), default=self._seen[1])
        return (now - then) / (done - there) * (total - done)


def spoken_time(seconds: float) -> str:
    """About 45 s, about 3 min, about 2 h 10 min."""
    if seconds < 90:
        return f"about {max(round(seconds), 1)} s"
    minutes = round(seconds / 60)
    return f"about {minutes} min" if minutes < 90 else f"about {minutes // 60} h {minutes % 60} min"


class _TimeLeftColumn(ProgressColumn):
    def render(self, task: Task) -> Text:
        left = task.fields.get("left")
        return Text("" if left is None or task.finished else f"{spoken_time(left)} left")


@contextmanager
def progress() -> Iterator[Report]:
    """Shows how far a long command is and, once that can be told, how long it will still take.

    In a terminal it is a bar for each thing done; elsewhere a line every few seconds.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _line_report()
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        _TimeLeftColumn(),
    )
    with Progress(*columns, console=console) as bars:
        tasks: dict[str, Any] = {}
        clocks: dict[str, TimeLeft] = {}

        def report(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(plain(what), total=total, left=None)
                clocks[what] = TimeLeft()
            left = clocks[what].update(done, total)
            bars.update(tasks[what], completed=done, total=total, left=left)

        yield report


def _line_report() -> Report:
    clocks: dict[str, TimeLeft] = {}
    last: dict[str, float] = {}
    spoken: set[str] = set()

    def report(what: str, done: int, total: int) -> None:
        now = time.monotonic()
        left = clocks.setdefault(what, TimeLeft()).update(done, total)
        if now - last.setdefault(what, now) >= _LINE_SECONDS or (done == total and what in spoken):
            last[what] = now
            spoken.add(what)
            ending = "" if left is None or done >= total else f", {spoken_time(left)} left"
            print(f"{plain(what)}: {done} of {total}{ending}", file=sys.stderr)

    return report
