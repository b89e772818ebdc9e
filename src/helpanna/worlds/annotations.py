"""View features from annotations, for people without images.

They say what a person would notice in each view: which things are there, how near and how much in the middle;
which ways lead on, how far, and whether up, down or out of the room; and how far the eye reaches. An object
counts where a location sees it, and more faintly where only an adjacent location does: it is there, in that
direction, but may be hidden.

Each view has 312 numbers in [0, ~3]:

    256  terms: the most frequent object types and head words ("dining chair" is also a "chair", so that a
         type never seen before still looks like its kind)
     36  buckets into which the names of all other types are hashed
      8  ways on: near to far (5), up, down, out of the room
      9  lines of sight to other locations: near to far (7), up, down
      3  the view's elevation, faintly, so that no view is all zeros

All is blurred over neighbouring views by the angle between the thing and the view's centre, so that turning
changes features smoothly and two places are equal only if all directions and distances are.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from helpanna.errors import InputError
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.feature_files import space_like
from helpanna.worlds.geometry import HEADINGS, VIEWS, view_cosines
from helpanna.worlds.storage import load_atlas, new_features
from helpanna.worlds.views import ViewFeatures
from helpanna.worlds.world import World

NAME = "annotations"

_TERMS = 256
_BUCKETS = 36
_WAY_DISTANCES = np.array([1.0, 1.75, 2.5, 3.5, 5.0])
_SIGHT_DISTANCES = np.array([1.5, 2.5, 4.0, 6.0, 8.5, 12.0, 17.0])
_STEEP = np.sin(np.radians(12))

_WAYS = _TERMS + _BUCKETS
_SIGHTS = _WAYS + len(_WAY_DISTANCES) + 3
_ELEVATION = _SIGHTS + len(_SIGHT_DISTANCES) + 2
SIZE = _ELEVATION + 3

_BLUR = np.radians(20)  # how far around the view's centre a thing still counts
_SHOWN = 0.3  # the least weight of a thing in a view that is known to show it
_FAINT = 0.5  # the weight of a thing that only an adjacent location is known to see
_HEAD_WORD = 0.7  # the weight of "chair" where a "dining chair" is


@dataclass(frozen=True)
class AnnotationSpace:
    """What the numbers mean: which terms the first 256 stand for."""

    terms: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """As it is stored with the features."""
        return {"kind": NAME, "version": 1, "size": SIZE, "buckets": _BUCKETS, "terms": list(self.terms)}

    @staticmethod
    def of(features: ViewFeatures) -> "AnnotationSpace":
        """The space of features that were made before, to make others alike."""
        return AnnotationSpace.from_json(features.space, f"the features called {features.name!r} are")

    @staticmethod
    def from_json(described: Any, whose: str) -> "AnnotationSpace":
        """The space that `to_json` wrote; `whose` begins the sentence that refuses another ("these are")."""
        terms = described.get("terms", ()) if isinstance(described, Mapping) else ()
        space = AnnotationSpace(tuple(terms) if isinstance(terms, list | tuple) else ())
        if not isinstance(described, Mapping) or space.to_json() != dict(described):
            raise InputError(f"{whose} not annotation features of version 1; name another.")
        return space

    @staticmethod
    def like(folder: Path) -> "AnnotationSpace":
        """The space of an atlas, or of the features that a trained agent sees."""
        if (folder / "config.json").is_file():
            space = space_like(folder, NAME)[0]
            space = space.get(NAME, space)  # sight holds annotations among others
            return AnnotationSpace.from_json(space, f"what the agent {folder} sees are")
        return AnnotationSpace.of(load_atlas(folder).views.get(NAME))

    @staticmethod
    def choose(atlas: Atlas, worlds: Sequence[int] | None = None) -> "AnnotationSpace":
        """The terms that describe the most sightings of this atlas, or of these buildings of it."""
        votes: Counter[str] = Counter()
        sighting = atlas.sighting
        if worlds is not None:
            sighting = sighting[np.isin(atlas.world_of[sighting[:, 0]], worlds)]
        seen = np.bincount(atlas.object_type[sighting[:, 1]], minlength=len(atlas.type_names))
        for name, count in zip(atlas.type_names, seen.tolist(), strict=True):
            for term in {name, head_word(name)}:
                votes[term] += count
        ranked = sorted(
            (term for term in votes if votes[term] or worlds is None), key=lambda term: (-votes[term], term)
        )
        return AnnotationSpace(tuple(sorted(ranked[:_TERMS])))

    def channels(self, type_name: str) -> list[tuple[int, float]]:
        """Which numbers an object of this type moves, and how strongly."""
        index = self._index
        found = [(index.get(type_name, _bucket(type_name)), 1.0)]
        head = head_word(type_name)
        if head != type_name and head in index:
            found.append((index[head], _HEAD_WORD))
        return found

    @property
    def _index(self) -> Mapping[str, int]:
        return {term: i for i, term in enumerate(self.terms)}


def head_word(type_name: str) -> str:
    """What kind of thing it is: "dining chairs" is "chair", "bowl of fruit" is "bowl"."""
    words = type_name.split(" of ")[0].split()
    word = words[-1] if words else type_name
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _bucket(type_name: str) -> int:
    return _TERMS + int.from_bytes(hashlib.sha256(type_name.encode()).digest()[:4], "little") % _BUCKETS


def annotation_features(world: World, space: AnnotationSpace) -> NDArray[np.float32]:
    """The features [n, 36, 312] of one building."""
    sums = np.zeros((world.location_count * SIZE, VIEWS))
    for location, channel, weight, blur in (
        *_objects(world, space),
        _lines(world, world.edges, _WAYS, _WAY_DISTANCES),
        _lines(world, world.sight_lines, _SIGHTS, _SIGHT_DISTANCES),
        _exits(world),
    ):
        # Row (location, channel) gathers weight x blur over the 36 views: one sparse product.
        rows = location * SIZE + channel
        spread = csr_matrix((weight, (rows, np.arange(len(rows)))), shape=(len(sums), len(rows)))
        sums += spread @ blur
    features = np.log1p(sums).reshape(world.location_count, SIZE, VIEWS).transpose(0, 2, 1)
    for elevation in range(3):
        views = slice(elevation * HEADINGS, (elevation + 1) * HEADINGS)
        features[:, views, _ELEVATION + elevation] = 0.1
    return features.astype(np.float32)


Splat = tuple[NDArray[Any], NDArray[Any], NDArray[np.float64], NDArray[np.float64]]
"""Locations [p], channels [p], weights [p] and blur [p, 36] of p contributions."""


def view_blur(towards: NDArray[np.float64]) -> NDArray[np.float64]:
    """[p, 36]: how much a thing in this direction is in the middle of each view."""
    angle = np.arccos(np.clip(view_cosines(towards), -1, 1))
    return np.exp(-0.5 * (angle / _BLUR) ** 2) * (angle < np.radians(60))


def _objects(world: World, space: AnnotationSpace) -> list[Splat]:
    n, m = world.location_count, len(world.object_names)
    if not len(world.sightings):
        return []
    location, thing = world.sightings.T
    sees = csr_matrix((np.ones(len(location)), (location, thing)), shape=(n, m))
    i, j = world.edges.T
    adjacent = csr_matrix((np.ones(2 * len(i)), (np.r_[i, j], np.r_[j, i])), shape=(n, n))
    beyond = ((adjacent @ sees) > 0).astype(float)
    far_location, far_thing = (beyond - beyond.multiply(sees)).nonzero()

    bits = world.sighting_views[:, None] >> np.arange(VIEWS, dtype=np.uint64) & np.uint64(1)
    near = _seen(world, location, thing, space)
    near_blur = np.maximum(view_blur(near[2]), _SHOWN) * bits[near[3]]
    far = _seen(world, far_location, far_thing, space)
    return [
        (near[0], near[1], near[4], near_blur),
        (far[0], far[1], _FAINT * far[4], view_blur(far[2])),
    ]


def _seen(
    world: World, location: NDArray[Any], thing: NDArray[Any], space: AnnotationSpace
) -> tuple[Any, ...]:
    """Per (sighting, channel): location, channel, direction, sighting, and weight by size and distance."""
    channels = {name: space.channels(name) for name in set(world.object_types)}
    spread = [
        (k, channel, strength)
        for k, t in enumerate(thing.tolist())
        for channel, strength in channels[world.object_types[t]]
    ]
    which = np.array([k for k, _, _ in spread], dtype=np.int64)
    towards = world.object_positions[thing] - world.positions[location]
    distance = np.maximum(np.linalg.norm(towards, axis=-1), 0.3)
    size = np.minimum(world.object_radii[thing] / distance, 1)
    prominence = np.exp(-distance / 4) * (0.6 + 0.8 * size)
    channel = np.array([channel for _, channel, _ in spread], dtype=np.int64)
    strength = np.array([strength for _, _, strength in spread])
    return location[which], channel, towards[which], which, 2 * strength * prominence[which]


def _lines(world: World, pairs: NDArray[np.int32], first: int, distances: NDArray[np.float64]) -> Splat:
    """Ways on or lines of sight: how far the other end is, softly binned, and whether it is up or down."""
    here, there = np.concatenate([pairs, pairs[:, ::-1]]).T
    towards = world.positions[there] - world.positions[here]
    length = np.linalg.norm(towards, axis=-1)
    rise = towards[:, 2] / np.maximum(length, 1e-9)
    bins = np.exp(-0.5 * ((np.log(length[:, None] + 0.1) - np.log(distances)) / 0.25) ** 2)
    slope = np.stack([rise > _STEEP, rise < -_STEEP], axis=-1)
    weights = np.concatenate([bins, slope], axis=-1)  # [p, channels]
    which, channel = np.nonzero(weights > 1e-3)
    return here[which], first + channel, weights[which, channel], view_blur(towards)[which]


def _exits(world: World) -> Splat:
    """Ways that lead out of the room."""
    here, there = np.concatenate([world.edges, world.edges[:, ::-1]]).T
    rooms = world.room_of[here], world.room_of[there]
    out = (rooms[0] >= 0) & (rooms[1] >= 0) & (rooms[0] != rooms[1])
    here, there = here[out], there[out]
    channel = np.full(len(here), _SIGHTS - 1)
    return here, channel, np.ones(len(here)), view_blur(world.positions[there] - world.positions[here])


def write_annotation_features(
    folder: Path,
    like: Path | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    name: str = NAME,
) -> None:
    """Adds annotation features to an atlas on disk.

    Args:
        folder: the atlas.
        like: another atlas with annotation features, or an agent trained on some; the new ones are made in
            the same space, so that the agent understands them.
        on_progress: called with the number of worlds done and of all.
        name: what the features are called in the atlas.
    """
    atlas = load_atlas(folder)
    space = AnnotationSpace.choose(atlas) if like is None else AnnotationSpace.like(like)
    with new_features(folder, name, SIZE, space.to_json()) as array:
        for w in range(atlas.world_count):
            locations = atlas.locations(w)
            array[locations.start : locations.stop] = annotation_features(atlas.world(w), space)
            if on_progress:
                on_progress(w + 1, atlas.world_count)
