"""Buildings of one's own as JSON files, for those who do not write Python; see `make_world`.

    {"name": "lab",
     "positions": {"door": [0, 0], "desk row": [2, 0]},
     "edges": [["door", "desk row"]],
     "things": [{"type": "mug", "position": [2.5, 0.5, 0.8], "size": 0.1}],
     "rooms": {"hall": ["door"], "office": ["desk row"]}}

`things`, `rooms`, `kinds`, `eye_height` and `sight` may be left out.
"""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from helpanna.errors import InputError
from helpanna.files import read_json
from helpanna.worlds.own import EYE_HEIGHT, SIGHT, Thing, make_world
from helpanna.worlds.world import World

_NEEDED: Mapping[str, tuple[type, ...]] = {"name": (str,), "positions": (dict,), "edges": (list,)}
_OPTIONAL: Mapping[str, tuple[type, ...]] = {
    "things": (list,),
    "rooms": (dict,),
    "kinds": (dict,),
    "eye_height": (int, float),
    "sight": (int, float),
}
_THING = {field.name for field in fields(Thing)}


def read_world(path: Path) -> World:
    """The building that a JSON file describes.

    Raises:
        InputError: the file is not like that, or what it says does not fit together.
    """
    content = read_json(path)
    if not isinstance(content, dict):
        raise InputError(f"{path} is not a JSON object; give one with name, positions and edges.")
    for key in _NEEDED:
        if key not in content:
            raise InputError(f"{path} has no {key}; add it.")
    for key, value in content.items():
        kinds = {**_NEEDED, **_OPTIONAL}.get(key)
        if kinds is None:
            raise InputError(f"{path} has the key {key!r}, which nothing reads; leave it out.")
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise InputError(f"{path}: {key} is not {_KINDS[kinds[0]]}; change it.")
    try:
        return make_world(
            content["name"],
            content["positions"],
            [_pair(path, edge) for edge in content["edges"]],
            [_thing(path, entry) for entry in content.get("things", [])],
            {room: _names(path, room, names) for room, names in content.get("rooms", {}).items()},
            kinds=content.get("kinds"),
            eye_height=content.get("eye_height", EYE_HEIGHT),
            sight=content.get("sight", SIGHT),
        )
    except InputError as error:
        raise InputError(f"{path}: {error}" if str(path) not in str(error) else str(error)) from None


_KINDS = {str: "text", dict: "an object", list: "a list", int: "a number"}


def _pair(path: Path, edge: Any) -> tuple[str, str]:
    if not isinstance(edge, list) or len(edge) != 2 or not all(isinstance(end, str) for end in edge):
        raise InputError(f"{path} has the edge {edge!r}; give pairs of location names.")
    return edge[0], edge[1]


def _names(path: Path, room: str, names: Any) -> list[str]:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InputError(f"{path} has the room {room!r} as {names!r}; list the names of its locations.")
    return names


def _thing(path: Path, entry: Any) -> Thing:
    if not isinstance(entry, dict) or not {"type", "position"} <= entry.keys() <= _THING:
        raise InputError(
            f"{path} has the thing {entry!r}; give it a type and a position, and if wanted room, size, name."
        )
    if not all(isinstance(entry.get(key, ""), str) for key in ("type", "room", "name")):
        raise InputError(f"{path} has the thing {entry!r}; its type, room and name must be text.")
    return Thing(**entry)
