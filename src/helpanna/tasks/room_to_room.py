"""Room-to-Room as routes: paths in real buildings that people have described in words.

A file is a JSON list of records: `scan` (the building), `path_id`, `path` (viewpoint ids), `heading` (radians
at the start, 0 = +y, clockwise) and `instructions`.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from helpanna.errors import InputError
from helpanna.files import read_json
from helpanna.tasks.routes import Routes
from helpanna.tasks.words import words
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.geometry import ANGLE_STEP, HEADINGS, view_index

_LEVEL = 1
_FIELDS: dict[str, Any] = {
    "scan": str,
    "path_id": int,
    "path": list,
    "heading": int | float,
    "instructions": list,
}


@dataclass(frozen=True)
class Description:
    """One record: a path in a building, and what people say of it.

    Attributes:
        place: the file and record, for messages.
        scan: the building.
        path_id: the source's number of the path.
        path: viewpoint ids.
        view: the camera's view at the start: level, the heading rounded to 30 degrees.
        instructions: texts without space around them, none without a word.
        numbers: which of the record's instructions these are, from 0.
    """

    place: str
    scan: str
    path_id: int
    path: tuple[str, ...]
    view: int
    instructions: tuple[str, ...]
    numbers: tuple[int, ...] = ()


def read_room_to_room(files: Iterable[Path]) -> list[Description]:
    """All records of the files, in their order."""
    return [
        description_of(record, f"{file}, record {i}")
        for file in files
        for i, record in enumerate(_records(file))
    ]


def build_routes(atlas: Atlas, descriptions: Iterable[Description]) -> Routes:
    """The routes in the atlas's buildings; records of other buildings are passed over.

    Routes are ordered by building and then by path_id. Records of the same path with the same camera view
    are one route with all their instructions.

    Raises:
        InputError: a path names a viewpoint that its building does not have, or is no walk.
    """
    known = set(atlas.world_names)
    found: dict[tuple[int, tuple[int, ...], int], tuple[int, list[str]]] = {}
    for record in descriptions:
        if record.scan in known and record.instructions:
            key = atlas.world_id(record.scan), walk_of(atlas, record), record.view
            _, texts = found.setdefault(key, (record.path_id, []))
            texts += [text for text in record.instructions if text not in texts]
    # By building, then path_id; sorting keeps the files' order among equals.
    ordered = sorted(found.items(), key=lambda item: (item[0][0], item[1][0]))
    path = np.full((len(found), max((len(path) for _, path, _ in found), default=0)), -1, dtype=np.int32)
    for row, ((_, places, _), _) in zip(path, ordered, strict=True):
        row[: len(places)] = places
    sizes = [len(texts) for _, (_, texts) in ordered]
    return Routes(
        names=tuple(str(path_id) for _, (path_id, _) in ordered),
        path=path,
        view=np.array([view for (_, _, view), _ in ordered], dtype=np.int32),
        instructions=tuple(text for _, (_, texts) in ordered for text in texts),
        route_of=np.repeat(np.arange(len(ordered), dtype=np.int32), sizes),
    )


def other_buildings(descriptions: Iterable[Description], atlases: Sequence[Atlas]) -> Counter[str]:
    """How many records are of each building that none of the atlases has."""
    known = {name for atlas in atlases for name in atlas.world_names}
    return Counter(record.scan for record in descriptions if record.scan not in known)


def _records(file: Path) -> list[Any]:
    records = read_json(file)
    if not isinstance(records, list):
        raise InputError(f"{file} is not a list of Room-to-Room records; name a file such as R2R_train.json.")
    return records


def description_of(record: Any, place: str) -> Description:
    """One record, its fields checked."""
    if not isinstance(record, dict):
        raise InputError(f"{place} is not an object; fetch the file again.")
    for name, kind in _FIELDS.items():
        if not isinstance(record.get(name), kind) or isinstance(record[name], bool):
            raise InputError(f"{place} has no proper {name}; fetch the file again.")
    if not all(_is_text(text) for text in [*record["path"], *record["instructions"]]):
        raise InputError(f"{place} has a path or instructions that are not text; fetch the file again.")
    if not math.isfinite(record["heading"]):
        raise InputError(f"{place} has the heading {record['heading']}, which is no angle; fix it.")
    texts = [text.strip() for text in record["instructions"]]
    numbers = tuple(k for k, text in enumerate(texts) if words(text))
    return Description(
        place=place,
        scan=record["scan"],
        path_id=record["path_id"],
        path=tuple(record["path"]),
        view=level_view(record["heading"]),
        instructions=tuple(texts[k] for k in numbers),
        numbers=numbers,
    )


def level_view(heading: float) -> int:
    """The level view closest to a heading in radians."""
    return int(view_index(round(heading / ANGLE_STEP) % HEADINGS, _LEVEL))


def _is_text(value: Any) -> bool:
    """Whether it is a string that a file can hold: JSON can smuggle in halves of characters."""
    return isinstance(value, str) and value.encode(errors="replace").decode() == value


def walk_of(atlas: Atlas, record: Description) -> tuple[int, ...]:
    """The record's path in location ids.

    Raises:
        InputError: it names a viewpoint that its building does not have, or is no walk.
    """
    try:
        path = tuple(atlas.location_id(record.scan, viewpoint) for viewpoint in record.path)
    except InputError as error:
        raise InputError(f"{record.place}: {error}") from None
    if len(path) < 2:
        raise InputError(f"{record.place} has a path of {len(path)} locations; leave it out.")
    for i, (here, there) in enumerate(pairwise(path)):
        if there not in atlas.action_location[here, 0, 1:]:
            a, b = record.path[i : i + 2]
            raise InputError(
                f"{record.place}: one cannot walk from {a} to {b} in {record.scan}; leave it out."
            )
    return path
