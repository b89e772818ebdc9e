"""Navigation graphs: `connectivity/<scan>_connectivity.json` of the Matterport3D simulator."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.files import read_json
from helpanna.worlds.world import unordered_pairs

_SUFFIX = "_connectivity.json"


@dataclass(frozen=True, eq=False)
class NavigationGraph:
    """The included viewpoints of one building.

    Attributes:
        scan: the building's name.
        viewpoints: the names of the n included viewpoints.
        left_out: the names of those that are listed but not included.
        positions: [n, 3] metres, z up.
        rotations: [n, 3, 3] camera to world.
        eye_heights: [n] metres of the camera over the floor.
        edges: [e, 2] pairs one can walk between.
        sight_lines: [s, 2] pairs that see each other; every edge is one.
    """

    scan: str
    viewpoints: tuple[str, ...]
    left_out: frozenset[str]
    positions: NDArray[np.float64]
    rotations: NDArray[np.float64]
    eye_heights: NDArray[np.float64]
    edges: NDArray[np.int32]
    sight_lines: NDArray[np.int32]


def find_scans(folder: Path) -> list[str]:
    """The buildings of a connectivity folder: those of `scans.txt`, or all that have a file."""
    listing = folder / "scans.txt"
    if listing.is_file():
        names = listing.read_text(encoding="utf-8", errors="replace").split()
    else:
        names = sorted(path.name.removesuffix(_SUFFIX) for path in folder.glob(f"*{_SUFFIX}"))
    if not names:
        raise InputError(f"{folder} holds no *{_SUFFIX}; name the folder with the connectivity files.")
    return sorted(set(names))


def read_graph(folder: Path, scan: str) -> NavigationGraph:
    """Reads and checks the graph of one building."""
    path = folder / f"{scan}{_SUFFIX}"
    records = read_json(path)
    if not isinstance(records, list) or not records:
        raise InputError(f"{path} is not a list of viewpoints; fetch the file again.")
    for i, record in enumerate(records):
        problem = _problem(record, len(records))
        if problem:
            raise InputError(f"{path}, viewpoint {i}: {problem}; fetch the file again.")
    names = [record["image_id"] for record in records]
    if len(set(names)) != len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise InputError(f"{path} lists the viewpoint {twice} twice; fetch the file again.")

    included = [i for i, record in enumerate(records) if record["included"]]
    if not included:
        raise InputError(f"{path} includes no viewpoint; leave the building out with --worlds.")
    walkable = np.array([records[i]["unobstructed"] for i in included], dtype=bool)[:, included]
    one_way = np.argwhere(walkable & ~walkable.T)
    if len(one_way):
        a, b = (names[included[i]] for i in one_way[0])
        raise InputError(f"{path} joins {a} to {b} but not back; fetch the file again.")
    # Sight is marked in one direction only where the mesh was cut badly; it goes both ways.
    visible = np.array([records[i]["visible"] for i in included], dtype=bool)[:, included]
    pose = np.array([records[i]["pose"] for i in included], dtype=np.float64).reshape(-1, 4, 4)
    return NavigationGraph(
        scan=scan,
        viewpoints=tuple(names[i] for i in included),
        left_out=frozenset(names) - {names[i] for i in included},
        positions=pose[:, :3, 3],
        rotations=pose[:, :3, :3],
        eye_heights=np.array([records[i]["height"] for i in included], dtype=np.float64),
        edges=unordered_pairs(*np.nonzero(walkable)),
        sight_lines=unordered_pairs(*np.nonzero(visible | walkable)),
    )


def _problem(record: Any, count: int) -> str | None:
    """What is wrong with a viewpoint's record, or None."""
    if not isinstance(record, dict):
        return "not an object"
    for key in ("image_id", "pose", "included", "visible", "unobstructed", "height"):
        if key not in record:
            return f"it has no {key}"
    if not isinstance(record["image_id"], str) or not record["image_id"]:
        return "image_id is not a name"
    if not isinstance(record["included"], bool):
        return "included is not true or false"
    if not _finite(record["pose"], 16):
        return "pose is not 16 finite numbers"
    if not _finite([record["height"]], 1):
        return "height is not a finite number"
    for key in ("visible", "unobstructed"):
        flags = record[key]
        if not isinstance(flags, list) or len(flags) != count or not all(type(f) is bool for f in flags):
            return f"{key} is not {count} times true or false"
    return None


def _finite(values: Any, count: int) -> bool:
    """Whether this is a list of `count` finite numbers of a sane size (metres)."""
    return (
        isinstance(values, Sequence)
        and len(values) == count
        and all(type(value) in (int, float) and abs(value) < 1e6 for value in values)
    )
