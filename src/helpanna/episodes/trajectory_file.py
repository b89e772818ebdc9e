"""Trajectories on disk: JSON Lines with names instead of ids, for other tools to read and to write.

The first line is a header, every other line one episode; docs/trajectories.md describes all fields.
"""

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TextIO

import numpy as np

from helpanna.episodes.outcomes import Outcomes, outcomes_of
from helpanna.episodes.records import Record, RecordError, RecordParser
from helpanna.episodes.replay import replay
from helpanna.episodes.trajectory import LONGEST_BUDGET, NO_ANSWER, NO_TARGET, Trajectories
from helpanna.errors import InputError
from helpanna.files import atomic_file
from helpanna.tasks.kinds import HANNA, kind_of
from helpanna.tasks.routes import NO_ROUTE
from helpanna.tasks.split import Split

SCHEMA = "helpanna.trajectories/1"

_NUMBERS = ("bool", "int8", "int16", "int32", "int64", "float16", "float32", "float64")
_OUTCOMES = ("final_distance", "closest_distance", "shortest", "metres")


def write_trajectories(
    path: Path, trajectories: Trajectories, split: Split, header: Mapping[str, Any]
) -> None:
    """Writes episodes in task order, in one move.

    Args:
        path: the file to write.
        trajectories: finished episodes.
        split: the split that they belong to.
        header: what else the first line shall say: dataset, agent, assistant, seed, ...
    """
    ordered = trajectories.select(np.argsort(trajectories.task, kind="stable"))
    first = {
        "schema": SCHEMA,
        **header,
        "split": split.name,
        "kind": split.kind.name,
        "budget": ordered.steps,
        "episodes": len(ordered),
        "notes": {name: note.dtype.name for name, note in ordered.notes.items()},
    }
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
    # Escapes, for names of files that are not UTF-8 are in the header.
    header_line = json.JSONEncoder(allow_nan=False).encode(first)
    with atomic_file(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        file.write(header_line + "\n")
        for record in _records(ordered, split):
            file.write(encode(record) + "\n")


def _records(trajectories: Trajectories, split: Split) -> Iterator[dict[str, Any]]:
    atlas, goals = split.atlas, split.goal_sets
    outcomes = outcomes_of(split, trajectories)
    names = atlas.location_names
    goal_names = [[names[v] for v in members] for members in goals.members]
    for b in range(len(trajectories)):
        task, steps = int(trajectories.task[b]), int(trajectories.length[b])
        goal_set = int(split.goal_set[task])
        final = _number(outcomes.final_distance[b])
        record = {
            "task": task,
            "world": atlas.world_names[goals.world[goal_set]],
            "request": split.texts[split.request[task]],
            "goals": goal_names[goal_set],
            "locations": [names[v] for v in trajectories.location[b, : steps + 1].tolist()],
            "views": trajectories.view[b, : steps + 1].tolist(),
            "actions": trajectories.action[b, :steps].tolist(),
            "can_ask": trajectories.can_ask[b, :steps].tolist(),
            "requests": _requests(trajectories, split, b),
            "metres": float(trajectories.metres[b]),
            "success": final is not None and final <= split.kind.success_metres,
            "final_distance": final,
            "closest_distance": _number(outcomes.closest_distance[b]),
            "shortest": float(outcomes.shortest[b]),
        }
        if trajectories.notes:
            record["notes"] = {name: note[b, :steps].tolist() for name, note in trajectories.notes.items()}
        yield record


def _number(metres: float) -> float | None:
    """JSON knows no infinity."""
    return float(metres) if math.isfinite(metres) else None


def _requests(trajectories: Trajectories, split: Split, b: int) -> list[dict[str, Any]]:
    names, routes = split.atlas.location_names, split.routes
    made: list[dict[str, Any]] = []
    for t in np.flatnonzero(trajectories.asked[b]).tolist():
        table = (trajectories.route, trajectories.instruction, trajectories.departure, trajectories.goal)
        route, text, departure, goal = (int(column[b, t]) for column in table)
        request: dict[str, Any] = {"step": t, "route": routes.names[route] if route != NO_ROUTE else None}
        if text != NO_ANSWER:
            # Own words may be those of a stored text that is not one of this route's.
            told = text - split.request_count
            stored = route != NO_ROUTE and 0 <= told < len(routes.route_of) and routes.route_of[told] == route
            request["instruction" if stored else "words"] = trajectories.words(split, text)
            request["departure"] = names[departure] if departure != NO_TARGET else None
            request["goal"] = names[goal] if goal != NO_TARGET else None
        made.append(request)
    return made


def read_header(path: Path) -> dict[str, Any]:
    """The first line of a trajectory file."""
    with _opened(path) as file:
        return _header(path, file)


def named_dataset(header: Mapping[str, Any]) -> Path | None:
    """The dataset that a file names, if it is there."""
    name = header.get("dataset")
    folder = Path(name) if isinstance(name, str) else None
    return folder if folder is not None and folder.is_dir() else None


def read_trajectories(path: Path, split: Split) -> Trajectories:
    """Replays the episodes of a file; whatever is not a walk by the rules is an `InputError`.

    Records need a task and its locations only; what else they hold must agree with the replay. Files that
    `write_trajectories` wrote give the same arrays again.
    """
    with _opened(path) as file:
        header = _header(path, file)
        if header["split"] != split.name:
            raise InputError(f"{path} is about the split {header['split']}, not {split.name}; name that one.")
        if header["kind"] != split.kind.name:
            raise InputError(
                f"{path} is about tasks of the kind {header['kind']}, the dataset of {split.kind.name}; "
                "name its own with --data."
            )
        parser = RecordParser(split, header["notes"])
        records: list[Record] = []
        for line, content in _lines(path, file, header):
            with _naming(path, line):
                records.append(parser.parse(content, line))
    tasks: dict[int, int] = {}
    for record in records:
        if tasks.setdefault(record.task, record.line) != record.line:
            twice = f"task {record.task} stands in line {tasks[record.task]} already; keep one of them."
            raise InputError(f"{path} line {record.line}: {twice}")
    with _naming(path):
        return replay(records, split, header["budget"], header["notes"])


def read_outcomes(path: Path) -> Outcomes:
    """How the episodes ended, as the file itself says: the main metrics without the dataset.

    Where the file does not name the buildings, all are taken for one.
    """
    rows, tasks, buildings = [], [], []
    with _opened(path) as file:
        header = _header(path, file)
        for line, content in _lines(path, file, header):
            figures = [content.get(name) for name in _OUTCOMES]
            counts = [content.get(name) for name in ("actions", "requests")]
            if not all(isinstance(count, list) for count in counts):
                _lacks(path, line, "actions and requests")
            if not all(_plain_number(figure) or figure is None for figure in figures) or figures[3] is None:
                _lacks(path, line, ", ".join(_OUTCOMES))
            task, building = content.get("task"), content.get("world", "")
            if not isinstance(task, int) or isinstance(task, bool) or not isinstance(building, str):
                _lacks(path, line, "task and world")
            tasks.append(task)
            buildings.append(building)
            rows.append(
                [math.inf if figure is None else figure for figure in figures]
                + [len(count) for count in counts if count is not None]
            )
    table = np.array(rows, dtype=np.float64)
    final, closest, shortest, metres, steps, requests = table.T
    return Outcomes(
        np.array(tasks, dtype=np.int64),
        np.array(buildings),
        final,
        closest,
        shortest,
        metres,
        steps.astype(np.int64),
        requests.astype(np.int64),
        kind_of(header["kind"]).success_metres,
    )


def _plain_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < math.inf


def _lacks(path: Path, line: int, what: str) -> NoReturn:
    raise InputError(f"{path} line {line} has no proper {what}; give the dataset with --data.")


def _header(path: Path, file: TextIO) -> dict[str, Any]:
    header = parse_line(path, 1, file.readline())
    if header.get("schema") != SCHEMA:
        raise InputError(
            f'{path} line 1: the header must say "schema": "{SCHEMA}"; see docs/trajectories.md.'
        )
    header = {"kind": HANNA.name, "budget": None, "episodes": None, "notes": {}} | header
    if not isinstance(header.get("split"), str):
        raise InputError(f'{path} line 1: the header must name the "split"; see docs/trajectories.md.')
    for key, most in (("budget", LONGEST_BUDGET), ("episodes", 10**9)):
        number = header[key]
        if number is not None and not (type(number) is int and 1 <= number <= most):
            told = f'"{key}" must be a whole number from 1 to {most}; correct the header.'
            raise InputError(f"{path} line 1: {told}")
    notes = header["notes"]
    if not isinstance(notes, dict) or not all(kind in _NUMBERS for kind in notes.values()):
        raise InputError(f'{path} line 1: "notes" must name number types ({", ".join(_NUMBERS)}).')
    return header


def _lines(path: Path, file: TextIO, header: Mapping[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records with their line numbers; a file that was cut short is refused."""
    count = 0
    for line, text in enumerate(file, start=2):
        if text.strip():
            count += 1
            yield line, parse_line(path, line, text)
    if count == 0 or header["episodes"] not in (None, count):
        expected = header["episodes"] or "at least one"
        raise InputError(f"{path} holds {count} episodes where there should be {expected}; fetch it again.")


def parse_line(path: Path, line: int, text: str | bytes) -> dict[str, Any]:
    """One line of a trajectory file; what is wrong with it is said with its number."""
    try:
        text = text.decode() if isinstance(text, bytes) else text
        content = _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{path} line {line} is not valid JSON ({error}); correct it or fetch it again."
        ) from None
    if not isinstance(content, dict):
        raise InputError(f"{path} line {line} is not a JSON object; see docs/trajectories.md.")
    return content


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


@contextmanager
def _naming(path: Path, line: int = 0) -> Iterator[None]:
    """Turns what is wrong with a record into an error that names the file and the line."""
    try:
        yield
    except RecordError as error:
        raise InputError(f"{path} line {line or error.line}: {error}") from None


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            yield file
    except FileNotFoundError:
        raise InputError(f"{path} does not exist; check the path.") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text; fetch the file again.") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}).") from None
