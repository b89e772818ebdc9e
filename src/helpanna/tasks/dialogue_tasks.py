"""Navigation from Dialog History (CVDN) as tasks: go on as two people have agreed.

A file is a JSON list of records: `scan`, `inst_idx`, `target` (what is sought), `start_pano` {pano, heading},
`dialog_history` [{role, message}], `planner_path` (what the oracle saw), `player_path` (what the navigator
then did) and `end_panos`, the region in which the search ends.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from helpanna.errors import InputError
from helpanna.files import read_json
from helpanna.tasks.errands import Errand
from helpanna.tasks.goals import request_text
from helpanna.tasks.room_to_room import Description, level_view, walk_of
from helpanna.tasks.words import words
from helpanna.worlds.atlas import Atlas

History = Literal["target", "last_answer", "last_exchange", "all"]
"""How much of the dialogue is told: only what is sought; besides that the last answer, the last question and
its answer, or everything."""
Supervision = Literal["oracle", "navigator", "mixed"]
"""Whose path is the reference: the planner's, that of the person who walked, or that person's where it comes
by the end of the planner's, and else the planner's."""

_FIELDS: Mapping[str, Any] = {
    "scan": str,
    "inst_idx": int,
    "target": str,
    "start_pano": dict,
    "dialog_history": list,
    "planner_path": list,
    "player_path": list,
    "end_panos": list,
}


def read_dialogues(file: Path) -> list[Mapping[str, Any]]:
    """The records of a file, their fields checked."""
    records = read_json(file)
    if not isinstance(records, list):
        raise InputError(f"{file} is not a list of dialogues; name a file such as NDH_train.json.")
    for i, record in enumerate(records):
        _check(record, f"{file}, record {i}")
        record["place"] = f"{file}, record {i}"
    return records


def dialogue_errands(
    atlas: Atlas, records: Iterable[Mapping[str, Any]], history: History, supervision: Supervision
) -> list[Errand]:
    """One task for each dialogue so far; records of other buildings are passed over."""
    known = set(atlas.world_names)
    errands = []
    for record in records:
        if record["scan"] not in known:
            continue
        path = _walk(atlas, record, reference_path(record, supervision))
        region = tuple(atlas.location_id(record["scan"], name) for name in record["end_panos"])
        view = level_view(record["start_pano"]["heading"])
        name, text = str(record["inst_idx"]), told(record["target"], record["dialog_history"], history)
        errands.append(Errand(name, text, view, path, region=region))
    return errands


def reference_path(record: Mapping[str, Any], supervision: Supervision) -> list[str]:
    """The path that supervises a record."""
    planner, player = record["planner_path"], record["player_path"]
    trusted = planner[-1] in player[1:]  # the player came by, and did not only start there
    return list(player if supervision == "navigator" or (supervision == "mixed" and trusted) else planner)


def told(target: str, dialogue: Sequence[Mapping[str, str]], history: History) -> str:
    """What is sought, and the dialogue from its latest exchange back.

    The latest comes first, for agents read the first 50 words.
    """
    exchanges: list[list[str]] = []
    for turn in dialogue:
        if turn["role"] == "navigator" or not exchanges:
            exchanges.append([])
        exchanges[-1].append(turn["message"].strip())
    kept: list[str] = []
    if exchanges and history == "last_answer":
        kept = exchanges[-1][-1:]
    elif exchanges and history == "last_exchange":
        kept = exchanges[-1]
    elif history == "all":
        kept = [message for exchange in reversed(exchanges) for message in exchange]
    parts = [request_text(target.lower()), *(text for text in kept if words(text))]
    return " ".join(part if part.endswith((".", "?", "!")) else f"{part}." for part in parts)


def _walk(atlas: Atlas, record: Mapping[str, Any], path: Sequence[str]) -> tuple[int, ...]:
    if path[0] != record["start_pano"]["pano"]:
        raise InputError(f"{record['place']} has a path that begins elsewhere; fetch the file again.")
    if len(path) == 1:  # the plan is to stay
        return (atlas.location_id(record["scan"], path[0]),)
    return walk_of(atlas, Description(record["place"], record["scan"], 0, tuple(path), 0, ()))


def _check(record: Any, place: str) -> None:
    if not isinstance(record, dict):
        raise InputError(f"{place} is not an object; fetch the file again.")
    for name, kind in _FIELDS.items():
        if not isinstance(record.get(name), kind) or isinstance(record[name], bool):
            raise InputError(f"{place} has no proper {name}; fetch the file again.")
    start = record["start_pano"]
    turns = record["dialog_history"]
    proper = (
        isinstance(start.get("pano"), str)
        and isinstance(start.get("heading"), int | float)
        and all(isinstance(turn, dict) for turn in turns)
        and all(isinstance(turn.get(key), str) for turn in turns for key in ("role", "message"))
        and all(record[key] for key in ("target", "planner_path", "player_path", "end_panos"))
        and all(
            isinstance(v, str) for key in ("planner_path", "player_path", "end_panos") for v in record[key]
        )
    )
    if not proper:
        raise InputError(f"{place} has no proper start, dialogue or paths; fetch the file again.")
