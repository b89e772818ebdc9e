"""Objects from REVERIE's boxes: what each viewpoint sees, in which views, and where it is.

The publisher's files are `BBox/<scan>_<viewpoint>.json`, in a folder or a tar.gz:
`{viewpoint: {object_id: {name, visible_pos: [views], bbox2d: [[x, y, w, h] in each of them]}}}`.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.files import parse_json
from helpanna.worlds.geometry import VIEWS, angles, direction, pixel_rays
from helpanna.worlds.matterport.archives import json_files
from helpanna.worlds.matterport.placed import PlacedObjects

Boxes = dict[str, dict[str, dict[str, "Box"]]]
"""By scan, viewpoint and object id."""

_FILE_NAME = re.compile(r"([A-Za-z0-9]+)_([0-9a-f]+)\.json$")
_TYPICAL_DISTANCE = 1.8
_PRIOR_WEIGHT = 0.05
_LARGEST = 10_000


@dataclass(frozen=True)
class Box:
    """How one viewpoint sees one object: its name, and its box (x, y, width, height) in each view."""

    name: str
    views: tuple[int, ...]
    boxes: tuple[tuple[float, float, float, float], ...]


def read_boxes(path: Path, scans: set[str]) -> Boxes:
    """Reads the boxes of these buildings from REVERIE's folder or tar.gz."""
    found: Boxes = defaultdict(dict)
    for name, text in json_files(path):
        match = _FILE_NAME.search(name)
        if match is None or match[1] not in scans:
            continue
        scan, viewpoint = match.groups()
        record = parse_json(text, f"{path}: {name}")
        objects = record.get(viewpoint) if isinstance(record, dict) else None
        if not isinstance(objects, dict):
            raise InputError(f"{path}: {name} does not hold the viewpoint {viewpoint}; fetch it again.")
        found[scan][viewpoint] = {
            object_id: _box(entry, f"{path}: {name}, object {object_id}")
            for object_id, entry in objects.items()
        }
    if not found:
        raise InputError(f"{path} holds no <scan>_<viewpoint>.json of these buildings; check --objects.")
    return found


def _box(entry: Any, where: str) -> Box:
    try:
        name, views, boxes = entry["name"], entry["visible_pos"], entry["bbox2d"]
        box = Box(
            name=" ".join(name.replace("#", " ").lower().split()),
            views=tuple(views),
            boxes=tuple((float(x), float(y), float(w), float(h)) for x, y, w, h in boxes),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(f"{where} lacks a name, views or boxes of four numbers; fetch it again.") from None
    if not all(type(view) is int and 0 <= view < VIEWS for view in box.views):
        raise InputError(f"{where} names a view outside 0 to {VIEWS - 1}; fetch it again.")
    if not box.name or len(box.views) != len(box.boxes) or len(set(box.views)) != len(box.views):
        raise InputError(f"{where} has {len(box.views)} views and {len(box.boxes)} boxes; fetch it again.")
    if not all(abs(number) <= _LARGEST for rectangle in box.boxes for number in rectangle):
        raise InputError(f"{where} has a box far outside its picture; fetch it again.")
    return box


def place_objects(
    boxes: dict[str, dict[str, Box]], viewpoints: tuple[str, ...], positions: NDArray[np.float64]
) -> PlacedObjects:
    """Triangulates the objects of one building from its boxes."""
    index = {name: i for i, name in enumerate(viewpoints)}
    seen = [
        (index[viewpoint], object_id, box)
        for viewpoint, objects in boxes.items()
        if viewpoint in index
        for object_id, box in objects.items()
    ]
    names = sorted({object_id for _, object_id, box in seen if box.views}, key=_natural)
    number = {object_id: i for i, object_id in enumerate(names)}
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for _, object_id, box in seen:
        votes[object_id][box.name] += 1
    shown = sorted(
        ((viewpoint, number[object_id], box) for viewpoint, object_id, box in seen if box.views),
        key=lambda item: item[:2],
    )
    sightings = np.array([item[:2] for item in shown], dtype=np.int32).reshape(-1, 2)
    rays, sizes = _rays([box for _, _, box in shown])
    located = _triangulate(positions[sightings[:, 0]], rays, sightings[:, 1], len(names))
    distance = np.linalg.norm(located[sightings[:, 1]] - positions[sightings[:, 0]], axis=-1)
    radii = _mean_by(sightings[:, 1], distance * np.tan(sizes / 2), len(names))
    return PlacedObjects(
        names=tuple(names),
        types=tuple(min(votes[name], key=_ranking(votes[name])) for name in names),
        positions=located,
        radii=radii,
        sightings=sightings,
        sighting_views=np.array([sum(1 << v for v in box.views) for *_, box in shown], dtype=np.uint64),
        rays=rays,
        rooms=np.full(len(names), -1, dtype=np.int32),
        unseen=len(votes) - len(names),
    )


def _ranking(votes: Counter[str]) -> Callable[[str], tuple[int, str]]:
    """Sorts the name that most viewpoints give first."""
    return lambda name: (-votes[name], name)


def _natural(name: str) -> tuple[int, str]:
    """Sorts "9" before "10"."""
    return (int(name) if name.isdecimal() else -1, name)


def _rays(boxes: list[Box]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Direction [k, 3] and angular size [k] of each object, from its boxes in all views together.

    A box that is cut off at the border of one view goes on in the next, so the extents are joined.
    """
    owner = np.repeat(np.arange(len(boxes)), [len(box.views) for box in boxes])
    view = np.array([v for box in boxes for v in box.views], dtype=np.int64)
    x, y, w, h = np.array([b for box in boxes for b in box.boxes], dtype=np.float64).reshape(-1, 4).T
    middle = np.zeros((len(boxes), 3))
    np.add.at(middle, owner, pixel_rays(x + w / 2, y + h / 2, view))
    reference = angles(middle)[0][owner]

    def extent(px: NDArray[np.float64], py: NDArray[np.float64]) -> tuple[Any, Any]:
        heading, elevation = angles(pixel_rays(px, py, view))
        return np.mod(heading - reference + np.pi, 2 * np.pi) - np.pi, elevation

    left, right = extent(x, y + h / 2)[0], extent(x + w, y + h / 2)[0]
    top, bottom = extent(x + w / 2, y)[1], extent(x + w / 2, y + h)[1]
    low, high = np.full((2, len(boxes)), np.inf), np.full((2, len(boxes)), -np.inf)
    for axis, (lower, upper) in enumerate([(left, right), (bottom, top)]):
        np.minimum.at(low[axis], owner, lower)
        np.maximum.at(high[axis], owner, upper)
    centre = (low + high) / 2
    rays = direction(angles(middle)[0] + centre[0], centre[1])
    return rays, np.minimum((high - low).mean(axis=0), np.pi / 2)


def _triangulate(
    origins: NDArray[np.float64], rays: NDArray[np.float64], owner: NDArray[np.int32], count: int
) -> NDArray[np.float64]:
    """The points [count, 3] closest to their rays in the least-squares sense.

    Every ray also pulls weakly towards the point at the typical distance along it: an object seen once gets
    just that, and one seen under nearly equal angles does not run away.
    """
    across = np.eye(3) - rays[:, :, None] * rays[:, None, :]
    along = _PRIOR_WEIGHT * rays[:, :, None] * rays[:, None, :]
    matrix, vector = np.zeros((count, 3, 3)), np.zeros((count, 3))
    np.add.at(matrix, owner, across + along)
    pull = (across + along) @ origins[:, :, None] + _PRIOR_WEIGHT * _TYPICAL_DISTANCE * rays[:, :, None]
    np.add.at(vector, owner, pull[..., 0])
    return np.asarray(np.linalg.solve(matrix, vector[..., None])[..., 0], dtype=np.float64)


def _mean_by(owner: NDArray[np.int32], values: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    sums = np.bincount(owner, values, minlength=count).astype(np.float64)
    return sums / np.maximum(np.bincount(owner, minlength=count), 1)
