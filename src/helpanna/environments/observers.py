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
from helpanna.worlds.geometry import HEADINGS, IMAGE_HEIGHT, IMAGE_WIDTH, SLOTS, VIEWS, view_index

Ints = NDArray[np.int64]
ObservationArrays = dict[str, NDArray[Any]]

OBSERVATIONS = ("indices", "features", "pixels")

TARGET_VIEWS = view_index([0, 3, 6, 9], 1)
"""The target's views that a pixel observation shows: level, looking along +y, +x, -y and -x."""

NO_ACTION_SLOT = SLOTS
"""What stands in `slots` for an action that does not exist."""

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


class Slots:
    """Where the navigation actions lead: the static slot of each, counted from where the camera looks."""

    def __init__(self, atlas: Atlas) -> None:
        self._slots = atlas.action_slot.reshape(atlas.location_count * VIEWS, -1)
        self.space = spaces.Box(0, NO_ACTION_SLOT, (atlas.action_count,), np.int64)

    def observe(self, location: Ints, view: Ints) -> Ints:
        """[B, A] new."""
        slots = self._slots.take(location * VIEWS + view, axis=0).astype(np.int64)
        return np.where(slots < 0, NO_ACTION_SLOT, slots)


class Features:
    """The feature vectors of all 36 views of the current and of the target location.

    Both are turned to the camera's heading: row k is the view of slot k, so row `slots[a]` is what lies in
    the direction of action a. As both are turned alike, they are equal where the agent is at the target.
    """

    def __init__(self, atlas: Atlas, name: str | None) -> None:
        array = atlas.views.get(name).array
        self._rows = array.reshape(-1, array.shape[-1])
        self._slots = Slots(atlas)
        # [36, 36] which view is at which slot, for each view of the camera.
        elevation, heading = np.divmod(np.arange(VIEWS), HEADINGS)
        self._turned = view_index((heading + np.arange(VIEWS)[:, None]) % HEADINGS, elevation)
        limits = np.finfo(array.dtype)
        panorama = spaces.Box(limits.min, limits.max, array.shape[1:], array.dtype.type)
        self.space = spaces.Dict({"panorama": panorama, "target": panorama, "slots": self._slots.space})

    def observe(self, location: Ints, view: Ints, target: Ints) -> ObservationArrays:
        """{panorama [B, 36, D], target [B, 36, D], slots [B, A]}."""
        turned = self._turned[view]
        return {
            "panorama": self._rows.take(location[:, None] * VIEWS + turned, axis=0),
            "target": self._rows.take(target[:, None] * VIEWS + turned, axis=0),
            "slots": self._slots.observe(location, view),
        }


class Pixels:
    """Pictures cut from the panoramas, one agent after the other: seeing costs far more than walking."""

    def __init__(self, atlas: Atlas) -> None:
        if not atlas.views.has_panoramas:
            raise InputError("the atlas has no panoramas to show; use observation='indices' or 'features'.")
        self._views, self._slots = atlas.views, Slots(atlas)
        # An agent's target stays the same for a whole episode.
        self._target = np.empty(0, dtype=np.int64)
        self._target_pictures = np.empty((0, *_TARGET_SHAPE), dtype=np.uint8)
        self.space = spaces.Dict(
            {
                "image": spaces.Box(0, 255, (IMAGE_HEIGHT, IMAGE_WIDTH, 3), np.uint8),
                "target": spaces.Box(0, 255, _TARGET_SHAPE, np.uint8),
                "slots": self._slots.space,
            }
        )

    def observe(self, location: Ints, view: Ints, target: Ints) -> ObservationArrays:
        """{image [B, 480, 640, 3], target [B, 4, 240, 320, 3], slots [B, A]}."""
        if len(target) != len(self._target):
            self._target = np.full(len(target), -1)
            self._target_pictures = np.empty((len(target), *_TARGET_SHAPE), dtype=np.uint8)
        for agent in np.flatnonzero(target != self._target):
            pictures = [_half(self._views.render_view(int(target[agent]), int(v))) for v in TARGET_VIEWS]
            self._target_pictures[agent] = pictures
            self._target[agent] = target[agent]
        images = [self._views.render_view(int(at), int(v)) for at, v in zip(location, view, strict=True)]
        return {
            "image": np.stack(images),
            "target": self._target_pictures.copy(),
            "slots": self._slots.observe(location, view),
        }


def _half(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture at half its size, each pixel the mean of four."""
    height, width, channels = picture.shape
    blocks = picture.reshape(height // 2, 2, width // 2, 2, channels)
    return np.round(blocks.mean(axis=(1, 3))).astype(np.uint8)
