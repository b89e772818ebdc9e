"""What agents are shown: indices, view features or pixels.

An observer turns the poses and targets of B agents into a batch of observations, a dictionary of arrays
[B, ...]. Its `space` is the space of one agent's observation.
"""

from typing import Any, Protocol

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.geometry import IMAGE_HEIGHT, IMAGE_WIDTH, VIEWS, view_index

Ints = NDArray[np.int64]
ObservationArrays = dict[str, NDArray[Any]]

OBSERVATIONS = ("indices", "features", "pixels")

TARGET_VIEWS = view_index([0, 3, 6, 9], 1)
"""The target's views that a pixel observation shows: level, looking along +y, +x, -y and -x."""

_TARGET_SHAPE = (len(TARGET_VIEWS), IMAGE_HEIGHT // 2, IMAGE_WIDTH // 2, 3)


class Observer(Protocol):
    """Shows B agents what they see."""

    @property
    def space(self) -> spaces.Dict:
        """The space of one agent's observation."""
        ...

    def observe(self, location: Ints, view: Ints, target: Ints) -> ObservationArrays:
        """New arrays [B, ...] for agents at these locations and views with these target locations."""
        ...


def observer(kind: str, atlas: Atlas, features: str | None = None) -> Observer:
    """The observer of this kind.

    Args:
        kind: "indices", "features" or "pixels".
        atlas: the worlds.
        features: which of the atlas's view features; not needed where there is one set only.

    Raises:
        InputError: there is no such kind, or the atlas lacks what it shows.
    """
    match kind:
        case "indices":
            return Indices(atlas)
        case "features":
            return Features(atlas, features)
        case "pixels":
            return Pixels(atlas)
    raise InputError(f"there is no observation {kind!r}; choose one of {', '.join(OBSERVATIONS)}.")


class Indices:
    """Location ids and views, for those who gather what they need themselves."""

    def __init__(self, atlas: Atlas) -> None:
        self.space = spaces.Dict(
            {
                "location": spaces.Discrete(atlas.location_count),
                "view": spaces.Discrete(VIEWS),
                "target": spaces.Discrete(atlas.location_count),
            }
        )

    def observe(self, location: Ints, view: Ints, target: Ints) -> ObservationArrays:
        """{location [B], view [B], target [B]}."""
        return {"location": location.copy(), "view": view.copy(), "target": target.copy()}


class Features:
    """The feature vectors of all 36 views of the current and of the target location."""

    def __init__(self, atlas: Atlas, name: str | None) -> None:
        self._array = atlas.views.get(name).array
        limits = np.finfo(self._array.dtype)
        panorama = spaces.Box(limits.min, limits.max, self._array.shape[1:], self._array.dtype.type)
        self.space = spaces.Dict({"panorama": panorama, "view": spaces.Discrete(VIEWS), "target": panorama})

    def observe(self, location: Ints, view: Ints, target: Ints) -> ObservationArrays:
        """{panorama [B, 36, D], view [B], target [B, 36, D]}."""
        return {
            "panorama": self._array.take(location, axis=0),
            "view": view.copy(),
            "target": self._array.take(target, axis=0),
        }


class Pixels:
    """Pictures cut from the panoramas, one agent after the other: seeing costs far more than walking."""

    def __init__(self, atlas: Atlas) -> None:
        if not atlas.views.has_panoramas:
            raise InputError("the atlas has no panoramas to show; use observation='indices' or 'features'.")
        self._views = atlas.views
        # An agent's target stays the same for a whole episode.
        self._target = np.empty(0, dtype=np.int64)
        self._target_pictures = np.empty((0, *_TARGET_SHAPE), dtype=np.uint8)
        self.space = spaces.Dict(
            {
                "image": spaces.Box(0, 255, (IMAGE_HEIGHT, IMAGE_WIDTH, 3), np.uint8),
                "target": spaces.Box(0, 255, _TARGET_SHAPE, np.uint8),
            }
        )

    def observe(self, location: Ints, view: Ints, target: Ints) -> ObservationArrays:
        """{image [B, 480, 640, 3], target [B, 4, 240, 320, 3]}."""
        if len(target) != len(self._target):
            self._target = np.full(len(target), -1)
            self._target_pictures = np.empty((len(target), *_TARGET_SHAPE), dtype=np.uint8)
        for agent in np.flatnonzero(target != self._target):
            pictures = [_half(self._views.render_view(int(target[agent]), int(v))) for v in TARGET_VIEWS]
            self._target_pictures[agent] = pictures
            self._target[agent] = target[agent]
        images = [self._views.render_view(int(at), int(v)) for at, v in zip(location, view, strict=True)]
        return {"image": np.stack(images), "target": self._target_pictures.copy()}


def _half(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture at half its size, each pixel the mean of four."""
    height, width, channels = picture.shape
    blocks = picture.reshape(height // 2, 2, width // 2, 2, channels)
    return np.round(blocks.mean(axis=(1, 3))).astype(np.uint8)
