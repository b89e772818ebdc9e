"""Result files, opened fast: a table of how the episodes ended, and where each stands in the file.

An episode is parsed and replayed when somebody looks at it. The table needs no dataset where the records say
how they ended (`helpanna evaluate` writes that); other people's files are replayed once.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from helpanna.episodes.outcomes import Outcomes, outcomes_of
from helpanna.episodes.records import RecordError, RecordParser
from helpanna.episodes.replay import replay
from helpanna.episodes.trajectory import Trajectories
from helpanna.episodes.trajectory_file import named_dataset, parse_line, read_header, read_trajectories
from helpanna.errors import InputError
from helpanna.tasks.kinds import kind_of
from helpanna.viewer.sources import Source

COLUMNS = (
    "task",
    "building",
    "request",
    "success",
    "requests",
    "steps",
    "metres",
    "distance",
    "final_distance",
    "closest_distance",
    "returns",
    "asked_again",
)
"""Of the table: `distance` is the shortest way from the start to the goal nearest to the end, `returns` the
decisions that led back to a place visited before, `asked_again` the requests where help was requested before.
"""
_SAID = ("world", "request", "success", "metres", "shortest", "final_distance", "closest_distance")
_LONGEST_LINE = 64 * 2**20

Row = tuple[Any, ...]

HUMAN = "human"
"""The agent of results that people played on the page."""
PERSON = "person"
"""The assistant of results in which a person answered on the page."""


class Result:
    """An open result file.

    Attributes:
        path: the file.
        header: its first line.
        source: its tasks, None where the dataset is not at hand: then there are figures and no film.
        rows: one for each episode in task order, see `COLUMNS`.
    """

    def __init__(self, path: Path, data: Path | None = None) -> None:
        """Reads the file once.

        Args:
            path: the file.
            data: the dataset's folder; by default the one that the file names, if it is there.
        """
        self.path = path
        self.header = read_header(path)
        folder = data or named_dataset(self.header)
        self.source = Source(folder, self.header["split"]) if folder is not None else None
        self._stamp = self._status()
        self._place: dict[int, tuple[int, int, int]] = {}
        self.rows = self._read()

    @property
    def name(self) -> str:
        """What to call it: its agent, or its file's name."""
        return str(self.header.get("agent") or self.path.stem)

    def column(self, name: str) -> list[Any]:
        """One column of the table."""
        at = COLUMNS.index(name)
        return [row[at] for row in self.rows]

    def row(self, task: int) -> dict[str, Any]:
        """One row of the table by the names of its columns."""
        found = next(row for row in self.rows if row[0] == task)
        return dict(zip(COLUMNS, found, strict=True))

    def table(self) -> dict[str, list[Any]]:
        """All columns by name."""
        return {name: self.column(name) for name in COLUMNS}

    def outcomes(self) -> Outcomes:
        """How the episodes ended, for the metrics."""
        columns = self.table()

        def metres(name: str) -> Any:
            return np.array([math.inf if value is None else float(value) for value in columns[name]])

        return Outcomes(
            task=np.array(columns["task"], dtype=np.int64),
            building=np.array(columns["building"]),
            final_distance=metres("final_distance"),
            closest_distance=metres("closest_distance"),
            shortest=metres("distance"),
            metres=metres("metres"),
            steps=np.array(columns["steps"], dtype=np.int64),
            requests=np.array(columns["requests"], dtype=np.int64),
            success_metres=kind_of(self.header["kind"]).success_metres,
        )

    def __contains__(self, task: int) -> bool:
        return task in self._place

    def trajectories(self, tasks: Iterable[int]) -> Trajectories:
        """The episodes of these tasks, replayed.

        Raises:
            InputError: the dataset is missing, or the file breaks the rules or has changed.
        """
        if self.source is None:
            raise InputError(f"the dataset of {self.path} is not where the file says; name it with --data.")
        split = self.source.split
        try:
            records = [self._parser.parse(content, line) for line, content in self._contents(tasks)]
            return replay(records, split, self.header["budget"], self.header["notes"])
        except RecordError as error:
            raise InputError(f"{self.path} line {error.line}: {error}") from None

    @cached_property
    def _parser(self) -> RecordParser:
        assert self.source is not None  # noqa: S101  # whoever parses has looked
        return RecordParser(self.source.split, self.header["notes"])

    def _contents(self, tasks: Iterable[int]) -> list[tuple[int, dict[str, Any]]]:
        if self._status() != self._stamp:
            raise InputError(f"{self.path} has changed since it was opened; start `helpanna view` again.")
        contents = []
        with self.path.open("rb") as file:
            for task in tasks:
                line, start, length = self._place[task]
                file.seek(start)
                contents.append((line, parse_line(self.path, line, file.read(length))))
        return contents

    def _status(self) -> tuple[int, int]:
        status = self.path.stat()
        return status.st_size, status.st_mtime_ns

    def _read(self) -> list[Row]:
        rows: list[Row | None] = []
        with self.path.open("rb") as file:
            start = len(file.readline())
            for line, text in enumerate(file, start=2):
                if len(text) > _LONGEST_LINE:
                    raise InputError(f"{self.path} line {line} is too long for an episode; fetch it again.")
                if text.strip():
                    content = parse_line(self.path, line, text)
                    task = content.get("task")
                    if not isinstance(task, int) or isinstance(task, bool) or task in self._place:
                        raise InputError(f'{self.path} line {line}: "task" must be a number, each once.')
                    self._place[task] = (line, start, len(text))
                    rows.append(_row(content))
                start += len(text)
        announced = self.header["episodes"]
        if not rows or announced not in (None, len(rows)):
            expected = announced or "at least one"
            raise InputError(
                f"{self.path} holds {len(rows)} episodes where there should be {expected}; fetch it again."
            )
        said = [row for row in rows if row is not None]
        if len(said) < len(rows):
            said = self._replayed()
        return sorted(said, key=lambda row: row[0])

    def _replayed(self) -> list[Row]:
        """The table of a file that does not say how its episodes ended."""
        if self.source is None:
            raise InputError(
                f"{self.path} does not say how its episodes ended; name its dataset with --data."
            )
        split = self.source.split
        trajectories = read_trajectories(self.path, split)
        ended = outcomes_of(split, trajectories)
        rows = []
        for b, steps in enumerate(trajectories.length.tolist()):
            task = int(trajectories.task[b])
            final, closest = _metres(ended.final_distance[b]), _metres(ended.closest_distance[b])
            asked_at = trajectories.location[b, :-1][trajectories.asked[b]].tolist()
            rows.append(
                (
                    task,
                    str(ended.building[b]),
                    split.texts[int(split.request[task])],
                    bool(ended.success[b]),
                    len(asked_at),
                    steps,
                    float(ended.metres[b]),
                    _metres(ended.shortest[b]),
                    final,
                    closest,
                    _returns(trajectories.location[b, : steps + 1].tolist()),
                    len(asked_at) - len(set(asked_at)),
                )
            )
        return rows


def _row(content: Mapping[str, Any]) -> Row | None:
    """One episode of the table; None where the record does not say all of it."""
    world, request, success, metres, shortest, final, closest = (content.get(name) for name in _SAID)
    lists = [content.get(name) for name in ("locations", "actions", "requests")]
    numbers: tuple[Any, ...] = (metres, 0 if shortest is None else shortest, final or 0, closest or 0)
    if (
        not all(isinstance(text, str) for text in (world, request))
        or not isinstance(success, bool)
        or not all(isinstance(entries, list) for entries in lists)
        or not all(type(number) in (int, float) and 0 <= number < math.inf for number in numbers)
    ):
        return None
    locations, actions, requests = lists
    assert locations is not None and actions is not None and requests is not None  # noqa: S101
    try:
        asked_at = [locations[request["step"]] for request in requests]
        again = len(asked_at) - len(set(asked_at))
        returns = _returns(locations)
    except (IndexError, KeyError, TypeError):
        return None
    return (
        content["task"], world, request, success, len(requests), len(actions),
        metres, shortest, final, closest, returns, again,
    )  # fmt: skip


def _returns(places: Sequence[Any]) -> int:
    """How many moves led to a place visited before; to stay is no move."""
    seen, count = {places[0]}, 0
    for before, place in pairwise(places):
        if place != before:
            count += place in seen
            seen.add(place)
    return count


def _metres(value: Any) -> float | None:
    return float(value) if math.isfinite(value) else None
