"""REVERIE as tasks: go where a thing is that somebody speaks of from afar, and point at it.

A file is a JSON list of records as Room-to-Room's, with `id` ("PATHID_OBJECT") and `objId`, the object's name
in its building.
"""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from helpanna.errors import InputError
from helpanna.files import read_json
from helpanna.tasks.errands import Errand
from helpanna.tasks.room_to_room import Description, description_of, walk_of
from helpanna.worlds.atlas import Atlas


def read_reverie(file: Path) -> list[tuple[Description, str, str]]:
    """The records of a file, each with its id and the name of its object."""
    records = read_json(file)
    if not isinstance(records, list):
        raise InputError(f"{file} is not a list of REVERIE records; name a file such as REVERIE_train.json.")
    return [_record(record, f"{file}, record {i}") for i, record in enumerate(records)]


def point_errands(atlas: Atlas, records: Iterable[tuple[Description, str, str]]) -> list[Errand]:
    """One task for each request; its goals are all locations that see the object.

    Records of other buildings are passed over. Where the object shows in no view, the end of the path stands
    in as goal.
    """
    sees: dict[int, list[int]] = defaultdict(list)
    for location, thing in atlas.sighting.tolist():
        sees[thing].append(location)
    known = set(atlas.world_names)
    errands = []
    for record, name, object_name in records:
        if record.scan not in known:
            continue
        path = walk_of(atlas, record)
        thing = _object(atlas, record, object_name)
        for k, text in zip(record.numbers, record.instructions, strict=True):
            goals = tuple(sees[thing]) or path[-1:]
            errands.append(Errand(f"{name}_{k}", text, record.view, path, goals, thing))
    return errands


def _record(record: Any, place: str) -> tuple[Description, str, str]:
    described = description_of(record, place)
    for field in ("id", "objId"):
        if not isinstance(record.get(field), int | str) or isinstance(record[field], bool):
            raise InputError(f"{place} has no proper {field}; fetch the file again.")
    return described, str(record["id"]), str(record["objId"])


def _object(atlas: Atlas, record: Description, name: str) -> int:
    world = atlas.world_id(record.scan)
    first, last = atlas.object_start[world : world + 2].tolist()
    try:
        return int(first) + atlas.object_names[first:last].index(name)
    except ValueError:
        raise InputError(
            f"{record.place}: {record.scan} has no object {name!r}; import it with REVERIE's objects."
        ) from None
