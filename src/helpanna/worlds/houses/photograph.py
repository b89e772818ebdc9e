"""Photographs houses: a panorama and the features of its 36 views for every location of an atlas.

The work is kept in a folder of its own, one `<location>.jpg` and one `<location>.npy` a location. A run that
was killed goes on where it was; each location depends on its house and position alone, so the result is the
same to the bit.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import wait
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.engines import LOCAL, Engine
from helpanna.errors import InputError
from helpanna.files import atomic_file, read_json
from helpanna.version import __version__
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.geometry import VERTICAL_FIELD, VIEWS, camera_axes
from helpanna.worlds.houses.layout import House
from helpanna.worlds.houses.network import FEATURES, SIDE, Extractor, feature_network, load_weights
from helpanna.worlds.houses.render import render_panorama, studio_of
from helpanna.worlds.houses.scene import scene_of
from helpanna.worlds.panoramas import Picture, decode, encode, opencv, panorama_pixels
from helpanna.worlds.storage import new_features, new_panoramas

NAME = "efficientnet"
SPACE = {"network": "EfficientNet-Lite0", "weights": "ImageNet", "layer": "pooled", "field_degrees": 60}
"""What the features are: the network sees the middle 480 x 480 of each 640 x 480 view, 60 degrees a side."""

_NETWORK = "network.onnx"
"""In the folder of the work: whoever shares the folder shares the network."""
_TELL_SECONDS = 1.0

Progress = Callable[[int, int], None]
"""Told how many locations are done, and how many there are."""


@dataclass(frozen=True, eq=False)
class _Job:
    """One house's share of the work."""

    house: House
    positions: NDArray[np.float64]
    first: int
    """The atlas's number of its first location."""


def photograph(
    houses: Sequence[House],
    atlas: Atlas,
    work: Path,
    *,
    seed: int,
    width: int = 1024,
    workers: int = 2,
    on_progress: Progress | None = None,
    engine: Engine = LOCAL,
) -> None:
    """Fills the folder `work` with the panoramas and features of all locations.

    Args:
        houses: one for each world of the atlas, in its order.
        atlas: where the locations are.
        work: the folder; what an earlier run left there is kept.
        seed: decides on the time of day and the weather.
        width: of a panorama in pixels; the height is half of it.
        workers: how many processes share the work, a house at a time. With 1 it is done in this one.
        on_progress: told how far it is, about once a second.
        engine: where the processes are; the machines of a cluster must share the folder.
    """
    jobs = [
        _Job(house, atlas.position[atlas.locations(w)], int(atlas.world_start[w]))
        for w, house in enumerate(houses)
    ]
    _claim(work, jobs, seed, width)
    left = [job for job in jobs if _missing(job, work)]
    left.sort(key=lambda job: -len(job.positions))
    total, done = atlas.location_count, atlas.location_count - sum(len(_missing(job, work)) for job in left)
    if not left:
        return
    with atomic_file(work / _NETWORK) as temporary:
        temporary.write_bytes(feature_network(load_weights()))
    if engine.name == "local" and min(workers, len(left)) == 1:
        for job in left:
            for _ in _pictures(job, work, seed, width, _extractor(work / _NETWORK)):
                done += 1
                _tell(on_progress, done, total)
        return
    with engine.open(min(workers, len(left))) as submit:
        waiting = {submit(_photograph_house, job, work, seed, width) for job in left}
        while waiting:
            ended, waiting = wait(waiting, _TELL_SECONDS)
            for future in ended:
                future.result()
            _tell(on_progress, _count(work), total)


def add_pictures(folder: Path, work: Path, width: int) -> None:
    """Puts finished work into an atlas on disk: panoramas, and view features called "efficientnet"."""
    count = _count(work)
    with new_panoramas(folder, width, width // 2) as add:
        for location in range(count):
            add(location, (work / f"{location}.jpg").read_bytes())
    with new_features(folder, NAME, FEATURES, SPACE) as array:
        for location in range(count):
            array[location] = np.load(work / f"{location}.npy", allow_pickle=False)


def square_views(panorama: Picture) -> NDArray[np.uint8]:
    """[36, 224, 224, 3] the middle of each view, 60 degrees a side, as the network wants it."""
    cv2 = opencv()
    height, width = panorama.shape[:2]
    views = np.empty((VIEWS, SIDE, SIDE, 3), np.uint8)
    for view, (where, fraction) in enumerate(_square_maps(width, height)):
        cv2.remap(panorama, where, fraction, cv2.INTER_LINEAR, views[view], cv2.BORDER_WRAP)
    return views


@lru_cache(maxsize=2)
def _square_maps(width: int, height: int) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """For each view, where its pixels lie in a panorama, in OpenCV's fixed-point form."""
    cv2 = opencv()
    across = ((np.arange(SIDE) + 0.5) / SIDE * 2 - 1) * np.tan(VERTICAL_FIELD / 2)
    maps = []
    for view in range(VIEWS):
        right, up, forward = camera_axes(view)
        rays = forward + across[None, :, None] * right - across[:, None, None] * up
        x, y = panorama_pixels(rays, width, height)
        # Across the seam the picture wraps; at the poles it must not.
        y = np.clip(y - 0.5, 0, height - 1)
        maps.append(
            cv2.convertMaps((x - 0.5).astype(np.float32), y.astype(np.float32), dstmap1type=cv2.CV_16SC2)
        )
    return maps


def _claim(work: Path, jobs: Sequence[_Job], seed: int, width: int) -> None:
    """Makes the folder, or sees that it holds work of this very run."""
    digest = hashlib.sha256()
    for job in jobs:
        things = [(placed.thing.type, placed.position, placed.quarter) for placed in job.house.things]
        digest.update(repr((job.house.name, job.house.style, job.house.rooms, things)).encode())
        digest.update(np.ascontiguousarray(job.positions).tobytes())
    run = {"version": __version__, "seed": seed, "width": width, "houses": digest.hexdigest()}
    path = work / "run.json"
    if not path.exists():
        with atomic_file(path) as temporary:
            temporary.write_text(json.dumps(run), encoding="utf-8")
    elif read_json(path) != run:
        raise InputError(f"{work} holds the work of another run; remove it or choose another --out.")


def _missing(job: _Job, work: Path) -> list[int]:
    """The locations of a house that are still to be done."""
    return [i for i in range(len(job.positions)) if not (work / f"{job.first + i}.npy").exists()]


def _count(work: Path) -> int:
    return sum(1 for _ in work.glob("*.npy"))


def _tell(on_progress: Progress | None, done: int, total: int) -> None:
    if on_progress is not None:
        on_progress(done, total)


def _pictures(job: _Job, work: Path, seed: int, width: int, extractor: Extractor) -> Iterator[int]:
    """Does what is missing of a house; yields after every location."""
    studio = studio_of(scene_of(job.house, seed), seed)
    for i in _missing(job, work):
        jpeg = encode(render_panorama(studio, job.positions[i], width, width // 2))
        # Of the picture as it is stored, so that anybody can compute the features again.
        features = extractor.features(square_views(decode(jpeg, "a panorama")))
        with atomic_file(work / f"{job.first + i}.jpg") as temporary:
            temporary.write_bytes(jpeg)
        # The features come last: where they are, the location is done.
        with atomic_file(work / f"{job.first + i}.npy") as temporary, temporary.open("wb") as file:
            np.save(file, features.astype(np.float16), allow_pickle=False)
        yield i


def _photograph_house(job: _Job, work: Path, seed: int, width: int) -> None:
    """What is done in a worker, a house at a time."""
    for _ in _pictures(job, work, seed, width, _extractor(work / _NETWORK)):
        pass


@lru_cache(maxsize=1)
def _extractor(network: Path) -> Extractor:
    """A worker does many houses and loads the network once."""
    return Extractor(network.read_bytes())
