"""View features that were computed elsewhere, from a NumPy file into an atlas."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.files import read_json
from helpanna.worlds.geometry import VIEWS
from helpanna.worlds.storage import load_atlas, new_features

_BLOCK = 64  # locations checked and copied at a time
_LARGEST = float(np.finfo(np.float16).max)


def add_feature_file(
    folder: Path, file: Path, name: str, describes: str = "", like: Path | None = None
) -> int:
    """Adds the features of a .npy file to an atlas and returns how many numbers a view has.

    Args:
        folder: the atlas.
        file: an array [locations, 36, D] of floats; locations in the order of the atlas, see
            `helpanna worlds locations`.
        name: what the features are called in the atlas.
        describes: what the numbers are; the name stands for it by default. Features of equal description and
            size are in one space.
        like: instead, a trained agent that sees such features, or an atlas with features of this name.

    Raises:
        InputError: the file holds something else, or numbers that float16 cannot hold.
    """
    atlas = load_atlas(folder)
    array = _open(file)
    if array.dtype.kind != "f":
        raise InputError(f"{file} holds numbers of type {array.dtype}; give float16, float32 or float64.")
    if array.ndim != 3 or array.shape[:2] != (atlas.location_count, VIEWS) or array.shape[2] < 1:
        raise InputError(
            f"{file} holds {array.shape} numbers; give ({atlas.location_count}, {VIEWS}, D), the locations "
            f"in the order of `helpanna worlds locations {folder}`."
        )
    size = int(array.shape[2])
    space: dict[str, Any] = {"kind": "own", "describes": describes or name, "size": size}
    if like is not None:
        space, wanted = space_like(like, name)
        if size != wanted:
            raise InputError(f"{file} has {size} numbers a view, but {like} has {wanted} numbers a view.")
    _check(file, array)
    with new_features(folder, name, size, space) as target:
        for first in range(0, len(array), _BLOCK):
            target[first : first + _BLOCK] = array[first : first + _BLOCK]
    return size


def _open(file: Path) -> NDArray[Any]:
    if not file.is_file():
        raise InputError(f"{file} does not exist; check the path.")
    try:
        return np.lib.format.open_memmap(file, mode="r")  # reads arrays only: no pickles, no zip files
    except Exception as error:  # what NumPy raises for a false header is of many kinds
        raise InputError(
            f"{file} is not a .npy file of numbers ({error}); write it with numpy.save."
        ) from None


def _check(file: Path, array: NDArray[Any]) -> None:
    for first in range(0, len(array), _BLOCK):
        block = np.abs(array[first : first + _BLOCK])
        for wrong, what in ((~np.isfinite(block), "not finite"), (block > _LARGEST, "too large for float16")):
            if wrong.any():
                location, view, number = (int(i) for i in np.argwhere(wrong)[0])
                raise InputError(
                    f"{file} at [{first + location}, {view}, {number}] holds a number that is {what}; "
                    "compute the features again, or scale them."
                )


def space_like(folder: Path, name: str) -> tuple[dict[str, Any], int]:
    """What a trained agent sees, or the features called `name` in another atlas: their space and size."""
    agent = folder / "config.json"
    if not agent.is_file():
        features = load_atlas(folder).views.get(name)
        return dict(features.space), features.size
    content = read_json(agent)
    try:
        return dict(content["space"]), int(content["network"]["features"])
    except (TypeError, KeyError, ValueError):
        raise InputError(
            f"{agent} does not say what the agent sees; copy or train the agent again."
        ) from None
