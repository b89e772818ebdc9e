"""Headings, views and rays.

A panorama is seen as 36 views: 12 headings, 30 degrees apart, at 3 elevations (-30, 0, +30 degrees).
`view = elevation_index * 12 + heading_index`. Heading 0 looks along +y and grows clockwise, so +x is 90
degrees; z is up. A view is a 640 x 480 picture with a vertical field of view of 60 degrees.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

HEADINGS = 12
ELEVATIONS = 3
VIEWS = HEADINGS * ELEVATIONS
ANGLE_STEP = math.radians(30)

IMAGE_WIDTH = 640
IMAGE_HEIGHT = 480
VERTICAL_FIELD = math.radians(60)
FOCAL_LENGTH = IMAGE_HEIGHT / 2 / math.tan(VERTICAL_FIELD / 2)
"""In pixels; the same in x and y."""

STOP_SLOT = VIEWS
SLOTS = VIEWS + 1
"""Static action slots: 36 views relative to the current heading, and stop."""

# Angles that differ by less than this are equal, so that rounding does not decide an order.
_COSINE_DECIMALS = 9


def view_index(heading_index: ArrayLike, elevation_index: ArrayLike) -> Ints:
    """The view at the given heading (0..11, any integer wraps) and elevation (0, 1, 2) indices."""
    return np.asarray(elevation_index) * HEADINGS + np.mod(heading_index, HEADINGS)


def view_heading(view: ArrayLike) -> Floats:
    """The heading of a view's centre in radians."""
    return np.mod(view, HEADINGS) * ANGLE_STEP


def view_elevation(view: ArrayLike) -> Floats:
    """The elevation of a view's centre in radians."""
    return (np.asarray(view) // HEADINGS - 1) * ANGLE_STEP


def direction(heading: ArrayLike, elevation: ArrayLike) -> Floats:
    """Unit vectors [..., 3] that look along heading and elevation (radians)."""
    heading, elevation = np.broadcast_arrays(heading, elevation)
    level = np.cos(elevation)
    return np.stack([np.sin(heading) * level, np.cos(heading) * level, np.sin(elevation)], axis=-1)


def angles(vectors: ArrayLike) -> tuple[Floats, Floats]:
    """Heading in [0, 2 pi) and elevation (radians) of vectors [..., 3]."""
    x, y, z = np.moveaxis(np.asarray(vectors, dtype=np.float64), -1, 0)
    return np.mod(np.arctan2(x, y), 2 * np.pi), np.arctan2(z, np.hypot(x, y))


VIEW_DIRECTIONS: Floats = direction(view_heading(np.arange(VIEWS)), view_elevation(np.arange(VIEWS)))
"""[36, 3]: where the centre of each view looks."""


def view_cosines(vectors: ArrayLike) -> Floats:
    """Cosine of the angle between each vector [..., 3] and each view's centre: [..., 36]."""
    vectors = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return np.round(unit @ VIEW_DIRECTIONS.T, _COSINE_DECIMALS)


def nearest_view(vectors: ArrayLike) -> Ints:
    """The view whose centre is closest in angle to each vector; the lowest index among equals."""
    return np.argmax(view_cosines(vectors), axis=-1)


def action_slot(view: ArrayLike, current_view: ArrayLike) -> Ints:
    """The static slot (0..35) of an action that looks at `view` while the camera is at `current_view`.

    Headings count from the current one, elevations do not.
    """
    return view_index(np.mod(view, HEADINGS) - np.mod(current_view, HEADINGS), np.asarray(view) // HEADINGS)


def camera_axes(view: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Unit vectors to the right, upwards and forwards of the camera at each view: three of [..., 3]."""
    heading, elevation = view_heading(view), view_elevation(view)
    forward = direction(heading, elevation)
    right = direction(heading + np.pi / 2, np.zeros_like(heading))
    return right, np.cross(right, forward), forward


def pixel_rays(x: ArrayLike, y: ArrayLike, view: ArrayLike) -> Floats:
    """Unit vectors [..., 3] through the pixels (x to the right, y down, (0, 0) the top left corner)."""
    right, up, forward = camera_axes(view)
    across = (np.asarray(x, dtype=np.float64) - IMAGE_WIDTH / 2)[..., None] / FOCAL_LENGTH
    down = (np.asarray(y, dtype=np.float64) - IMAGE_HEIGHT / 2)[..., None] / FOCAL_LENGTH
    rays = forward + across * right - down * up
    return rays / np.linalg.norm(rays, axis=-1, keepdims=True)


def project(vectors: ArrayLike, view: ArrayLike) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Where the directions [..., 3] fall in the picture of `view`: x, y in pixels, and whether inside it."""
    vectors = np.asarray(vectors, dtype=np.float64)
    right, up, forward = camera_axes(view)
    depth = np.sum(vectors * forward, axis=-1)
    ahead = depth > 1e-9
    scale = FOCAL_LENGTH / np.where(ahead, depth, 1.0)
    x = IMAGE_WIDTH / 2 + np.sum(vectors * right, axis=-1) * scale
    y = IMAGE_HEIGHT / 2 - np.sum(vectors * up, axis=-1) * scale
    inside = ahead & (x >= 0) & (x <= IMAGE_WIDTH) & (y >= 0) & (y <= IMAGE_HEIGHT)
    return x, y, inside
