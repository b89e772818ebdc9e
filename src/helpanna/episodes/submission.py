"""Submission files: trajectories as other people's evaluators read them, written, checked and read.

The format is Room-to-Room's, which its neighbours share: a JSON list of
`{"instr_id": "PATHID_K", "trajectory": [[viewpoint, heading, elevation], ...]}` with angles in radians. A
viewpoint may be repeated while the camera turns; from one to the next there must be a way, so that ways back
are written out place by place. Dialogues are called by "inst_idx", a number; where an object is to be named,
"predObjId" does.
"""

import json
import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from helpanna.episodes.records import RecordError, RecordParser
from helpanna.episodes.replay import replay
from helpanna.episodes.trajectory import Trajectories
from helpanna.errors import InputError
from helpanna.files import atomic_file, read_json
from helpanna.tasks.kinds import NDH
from helpanna.tasks.references import NOTHING, References
from helpanna.tasks.split import Split
from helpanna.worlds.geometry import view_elevation, view_heading

_ROUNDING = 1e-6


def write_submission(path: Path, trajectories: Trajectories, split: Split) -> None:
    """Writes episodes in task order, in one move.

    Raises:
        InputError: the tasks of the split have no names that others know.
    """
    references, names = _references(split), split.atlas.location_names
    heading, elevation = view_heading(trajectories.view), view_elevation(trajectories.view)
    entries = []
    for b in np.argsort(trajectories.task, kind="stable").tolist():
        steps = int(trajectories.length[b])
        trajectory = [
            [names[v], float(heading[b, t]), float(elevation[b, t])]
            for t, v in enumerate(trajectories.location[b, : steps + 1].tolist())
        ]
        # The last stop leaves everything as it was.
        if steps and trajectory[-1] == trajectory[-2]:
            trajectory.pop()
        name = references.names[trajectories.task[b]]
        entry = {_key(split): int(name) if split.kind is NDH else name, "trajectory": trajectory}
        if "object" in trajectories.notes:
            thing = int(trajectories.notes["object"][b, max(steps - 1, 0)])
            entry["predObjId"] = None if thing == NOTHING else split.atlas.object_names[thing]
        entries.append(entry)
    with atomic_file(path) as temporary:
        temporary.write_text(json.dumps(entries) + "\n", encoding="utf-8")


def is_submission(path: Path) -> bool:
    """Whether a file is a JSON list and not called .jsonl, and so no trajectory file of ours."""
    if path.suffix == ".jsonl":
        return False
    try:
        with path.open("rb") as file:
            return file.read(256).lstrip()[:1] == b"["
    except OSError:
        return False  # whoever reads it says why


def split_named_by(path: Path, splits: Mapping[str, Split]) -> Split:
    """The split whose tasks a submission is about: the one that knows its first name.

    Args:
        path: the file.
        splits: those of the dataset, by name.
    """
    first = ""
    for split in splits.values():
        first = _name(_entries(path)[0], split, f"{path}, entry 0")
        if split.references is not None and first in split.references.number:
            return split
    raise InputError(f"{path}: no split of the dataset has the task {first!r}; name its own with --data.")


def read_submission(path: Path, split: Split) -> Trajectories:
    """Replays the trajectories of a submission.

    Raises:
        InputError: an entry is not as the format says, or is no walk from the start of its task; the first
            is named.
    """
    references = _references(split)
    entries = _entries(path)
    points = any(isinstance(entry, dict) and entry.get("predObjId") is not None for entry in entries)
    notes = {"object": "int64"} if points else {}
    parser = RecordParser(split, notes)
    records, seen = [], set()
    for i, entry in enumerate(entries):
        place = f"{path}, entry {i}"
        name = _name(entry, split, place)
        if name not in references.number:
            raise InputError(f"{place}: {split.name} has no task {name!r}; give the file its own dataset.")
        if name in seen:
            raise InputError(f"{place}: the task {name!r} is there twice; keep one of them.")
        seen.add(name)
        walk = _viewpoints(entry, place)
        try:
            # To stay means to stop: the last viewpoint once more.
            content: dict[str, Any] = {"task": references.number[name], "locations": [*walk, walk[-1]]}
            if points:
                thing = _object(split, int(split.start[content["task"]]), entry.get("predObjId"), place)
                content["notes"] = {"object": [thing] * len(walk)}
            record = parser.parse(content, i)
        except RecordError as error:
            raise InputError(f"{place}: {error}") from None
        _check_walk(split, record.locations[:-1], place)
        records.append(record)
    try:
        return replay(records, split, None, notes)
    except RecordError as error:
        raise InputError(f"{path}, entry {error.line}: {error}") from None


def _references(split: Split) -> References:
    if split.references is None:
        raise InputError(
            f"tasks of the kind {split.kind.name} have no names that others know; export other kinds."
        )
    return split.references


def _entries(path: Path) -> list[Any]:
    entries = read_json(path)
    if not isinstance(entries, list) or not entries:
        raise InputError(f"{path} is not a list of trajectories; see docs/neighbours.md.")
    return entries


def _key(split: Split) -> str:
    """Under which name an entry says its task."""
    return "inst_idx" if split.kind is NDH else "instr_id"


def _name(entry: Any, split: Split, place: str) -> str:
    name = entry.get(_key(split)) if isinstance(entry, dict) else None
    if not isinstance(name, int | str) or isinstance(name, bool):
        raise InputError(f'{place} has no "{_key(split)}"; see docs/neighbours.md.')
    return str(name)


def _object(split: Split, start: int, name: Any, place: str) -> int:
    """The object of this name in the building where the task starts."""
    if name is None:
        return NOTHING
    world = split.atlas.world_of[start]
    first, last = split.atlas.object_start[world : world + 2].tolist()
    try:
        return int(first) + split.atlas.object_names[first:last].index(str(name))
    except ValueError:
        raise InputError(
            f"{place} names the object {name!r}, which its building has not; correct it."
        ) from None


def _viewpoints(entry: Mapping[str, Any], place: str) -> list[str]:
    """The viewpoints in order, each stay once; angles are checked."""
    steps = entry.get("trajectory")
    if not isinstance(steps, list) or not steps:
        raise InputError(f'{place} has no "trajectory"; it is a list of [viewpoint, heading, elevation].')
    walk: list[str] = []
    for t, step in enumerate(steps):
        if not isinstance(step, list | tuple) or len(step) != 3 or not isinstance(step[0], str):
            raise InputError(f"{place}, step {t} is not [viewpoint, heading, elevation]; correct it.")
        _check_angle(step[1], "heading", 2 * math.pi, f"{place}, step {t}")
        _check_angle(step[2], "elevation", math.pi / 2, f"{place}, step {t}")
        if not walk or walk[-1] != step[0]:
            walk.append(step[0])
    return walk


def _check_angle(value: Any, what: str, most: float, place: str) -> None:
    proper = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= most + _ROUNDING
    if not proper:
        raise InputError(f"{place} has the {what} {value!r}; give radians, at most {most:.4f} either way.")


def _check_walk(split: Split, walk: Sequence[int], place: str) -> None:
    """Every viewpoint is adjacent to the one before."""
    for t, (here, there) in enumerate(pairwise(walk)):
        if there not in split.atlas.action_location[here, 0, 1:]:
            a, b = split.atlas.location_names[here], split.atlas.location_names[there]
            raise InputError(
                f"{place}: there is no way from {a} to {b} (viewpoints {t} and {t + 1}); write every place "
                "on the way, ways back included."
            )
