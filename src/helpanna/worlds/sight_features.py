"""Sight: one vector a view of all that is known of it in words.

Side by side stand what captions say of the photograph (length one, see `caption_space.py`), what the object
annotations say (`annotations.py`, lengths about one), and the kinds of rooms: here, and where the ways lead.

Two kinds of view features are made, `captions` and `sight`; the second holds the first.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.worlds.annotations import AnnotationSpace, annotation_features, view_blur
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.caption_space import KIND as CAPTIONS
from helpanna.worlds.caption_space import CaptionSpace, EncoderName
from helpanna.worlds.captions import Captions, heading_shares
from helpanna.worlds.feature_files import space_like
from helpanna.worlds.geometry import VIEWS
from helpanna.worlds.room_kinds import room_kinds
from helpanna.worlds.storage import load_atlas, new_features
from helpanna.worlds.world import World

KIND = "sight"
_TINY = 1e-6

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, eq=False)
class SightSpace:
    """What the numbers of sight mean: those of captions, of annotations, and two for each kind of room."""

    captions: CaptionSpace
    annotations: AnnotationSpace
    rooms: tuple[str, ...]

    @property
    def size(self) -> int:
        """The numbers a view."""
        return self.captions.size + int(self.annotations.to_json()["size"]) + 2 * len(self.rooms)

    def to_json(self) -> dict[str, Any]:
        """As it is stored with the features."""
        parts = {"captions": self.captions.to_json(), "annotations": self.annotations.to_json()}
        return {"kind": KIND, "version": 1, "size": self.size, **parts, "rooms": list(self.rooms)}

    @staticmethod
    def from_json(described: Any, whose: str) -> "SightSpace":
        """The space that `to_json` wrote; `whose` begins the sentence that refuses another ("these are")."""
        parts = described if isinstance(described, Mapping) else {}
        rooms = parts.get("rooms")
        if isinstance(rooms, list) and all(isinstance(room, str) for room in rooms):
            captions = CaptionSpace.from_json(parts.get(CAPTIONS), whose)
            annotations = AnnotationSpace.from_json(parts.get("annotations"), whose)
            space = SightSpace(captions, annotations, tuple(rooms))
            if space.to_json() == dict(parts):
                return space
        raise InputError(f"{whose} not sight features of version 1; name another.")

    @staticmethod
    def fit(
        atlas: Atlas, worlds: Sequence[int], encoder: EncoderName, on_progress: Progress | None = None
    ) -> "SightSpace":
        """The space that describes these buildings of an atlas best; the others are not looked at."""
        locations = np.concatenate([np.arange(*atlas.world_start[w : w + 2]) for w in worlds])
        kinds = {kind for w in worlds for kind in room_kinds(atlas.world(w)) if kind}
        told = _told(on_progress, "sentences")
        captions = CaptionSpace.fit(captions_of(atlas), locations, encoder, told)
        return SightSpace(captions, AnnotationSpace.choose(atlas, worlds), tuple(sorted(kinds)))


def spaces_like(folder: Path) -> list[SightSpace | CaptionSpace]:
    """The spaces about captions of an atlas, or of what a trained agent sees; none if it is about others."""
    if (folder / "config.json").is_file():
        return _spaces([space_like(folder, KIND)[0]], f"what the agent {folder} sees are")
    features = load_atlas(folder).views.features
    return _spaces([features[name].space for name in sorted(features)], f"features of {folder} are")


def _spaces(described: Sequence[Mapping[str, Any]], whose: str) -> list[SightSpace | CaptionSpace]:
    sights = [SightSpace.from_json(space, whose) for space in described if space.get("kind") == KIND]
    held = [space.captions.to_json() for space in sights]
    alone = [space for space in described if space.get("kind") == CAPTIONS and dict(space) not in held]
    return [*sights, *(CaptionSpace.from_json(space, whose) for space in alone)]


def feature_names(encoder: EncoderName) -> tuple[str, str]:
    """What the two kinds of features are called in an atlas: of captions alone, and all."""
    ending = "" if encoder == "words" else f"_{encoder}"
    return CAPTIONS + ending, KIND + ending


def captions_of(atlas: Atlas) -> Captions:
    """The captions of an atlas that must have some."""
    if atlas.views.captions is None:
        raise InputError("the atlas has no captions; name their file or folder by --source.")
    return atlas.views.captions


def write_sight(
    folder: Path, space: SightSpace | CaptionSpace, on_progress: Progress | None = None
) -> list[str]:
    """Adds the features `captions`, and `sight` where its space is given, to an atlas; their names."""
    atlas = load_atlas(folder)
    captions = space if isinstance(space, CaptionSpace) else space.captions
    names = feature_names(captions.encoder)
    told = _told(on_progress, "features")
    numbers = captions.encode(captions_of(atlas).texts, _told(on_progress, "sentences"))
    with new_features(folder, names[0], captions.size, captions.to_json()) as array:
        for w, at in _each_world(atlas, told):
            array[at] = caption_features(atlas, w, numbers)
    if isinstance(space, CaptionSpace):
        return [names[0]]
    with new_features(folder, names[1], space.size, space.to_json()) as array:
        for w, at in _each_world(atlas, told):
            world = atlas.world(w)
            said = caption_features(atlas, w, numbers)
            shown = annotation_features(world, space.annotations)
            array[at] = np.concatenate([said, shown, room_features(world, space.rooms)], axis=-1)
    return list(names)


def caption_features(atlas: Atlas, world: int, numbers: NDArray[np.float32]) -> NDArray[np.float32]:
    """[n, 36, D] of one building.

    Each view's heading lies between two captions of its elevation and has of both by the angle; the length
    of all is one.

    Args:
        atlas: the atlas.
        world: the building.
        numbers: [texts, D] of all captions of the atlas.
    """
    index = captions_of(atlas).index[slice(*atlas.world_start[world : world + 2])]
    # One product: [12, 8] x [n, 3, 8, D].
    views = np.matmul(heading_shares(), numbers[index])
    views = views.reshape(len(index), VIEWS, -1)
    lengths = np.linalg.norm(views, axis=-1, keepdims=True)
    return views / np.maximum(lengths, _TINY)


def room_features(world: World, kinds: Sequence[str]) -> NDArray[np.float32]:
    """[n, 36, 2 K]: the kind of the room one is in, and the kinds of those to which ways in a view lead."""
    number = {kind: k for k, kind in enumerate(kinds)}
    of_room = np.array([number.get(kind, -1) for kind in room_kinds(world)], dtype=np.int64)
    kind = np.where(world.room_of >= 0, of_room[world.room_of] if len(of_room) else -1, -1)
    features = np.zeros((world.location_count, VIEWS, 2, len(kinds)), dtype=np.float32)
    known = np.flatnonzero(kind >= 0)
    features[known, :, 0, kind[known]] = 1
    here, there = np.concatenate([world.edges, world.edges[:, ::-1]]).T
    leads = kind[there] >= 0
    here, there = here[leads], there[leads]
    blur = view_blur(world.positions[there] - world.positions[here])
    for view in range(VIEWS):
        np.maximum.at(features, (here, view, 1, kind[there]), blur[:, view].astype(np.float32))
    return features.reshape(world.location_count, VIEWS, 2 * len(kinds))


def _each_world(atlas: Atlas, on_progress: Callable[[int, int], None] | None) -> Iterator[tuple[int, slice]]:
    for w in range(atlas.world_count):
        yield w, slice(*atlas.world_start[w : w + 2])
        if on_progress:
            on_progress(w + 1, atlas.world_count)


def _told(on_progress: Progress | None, what: str) -> Callable[[int, int], None] | None:
    return None if on_progress is None else lambda done, total: on_progress(what, done, total)
