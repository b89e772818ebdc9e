"""Panoramas: one equirectangular picture a location, from which every first-person view is cut.

The centre column of a picture looks along heading 0 (+y), the heading grows to the right, the top edge is
straight up and the bottom edge straight down. As in `geometry`, (0, 0) is the top left corner of a picture
and a pixel's centre lies half a pixel inside it.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from helpanna.errors import InputError
from helpanna.worlds.geometry import FOCAL_LENGTH, IMAGE_HEIGHT, IMAGE_WIDTH, Floats, angles, direction

Picture = NDArray[np.uint8]
"""[height, width, 3] RGB."""

LARGEST = 16384
"""The most pixels a side: OpenCV's fixed-point maps count to 32,767."""

_QUALITY = 92
_STARTS_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def opencv() -> Any:
    """The module `cv2`, which only those need who look at pictures."""
    try:
        import cv2
    except ImportError:
        raise InputError('pictures need OpenCV; install it with `pip install "helpanna[view]"`.') from None
    return cv2


@dataclass(frozen=True)
class Panoramas:
    """The panoramas of an atlas on disk.

    Attributes:
        folder: holds `<location id>.jpg` for every location.
        width, height: of each picture in pixels.
    """

    folder: Path
    width: int
    height: int

    def picture(self, location: int) -> Picture:
        """The panorama of a location, read-only."""
        path = self.folder / f"{location}.jpg"
        try:
            status = path.stat()
        except OSError:
            raise InputError(f"{path} is missing; name a location of the atlas.") from None
        picture = _read(path, status.st_size, status.st_mtime_ns)
        if picture.shape != (self.height, self.width, 3):
            raise InputError(f"{path} is not {self.width} x {self.height} pixels; build the atlas again.")
        return picture

    def render(self, location: int, heading: float, elevation: float) -> Picture:
        """The first-person view [480, 640, 3] along any heading and elevation (radians)."""
        cv2 = opencv()
        # A millionth of a radian is far below a pixel; rounding lets equal views share their map.
        heading, elevation = (round(float(angle) % (2 * math.pi), 6) for angle in (heading, elevation))
        where, fraction = _view_map(heading, elevation, self.width, self.height)
        picture = self.picture(location)
        return cv2.remap(picture, where, fraction, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)


def panorama_pixels(vectors: ArrayLike, width: int, height: int) -> tuple[Floats, Floats]:
    """Where the directions [..., 3] fall in a panorama: x in [0, width), y in [0, height]."""
    heading, elevation = angles(vectors)
    return np.mod(heading / (2 * np.pi) + 0.5, 1.0) * width, (0.5 - elevation / np.pi) * height


def panorama_angles(width: int, height: int) -> tuple[Floats, Floats]:
    """The headings [width] of a panorama's columns and the elevations [height] of its rows."""
    heading = ((np.arange(width) + 0.5) / width - 0.5) * 2 * np.pi
    return heading, (0.5 - (np.arange(height) + 0.5) / height) * np.pi


def panorama_rays(width: int, height: int) -> Floats:
    """Unit vectors [height, width, 3] through the pixels' centres of a panorama."""
    heading, elevation = panorama_angles(width, height)
    return direction(heading[None, :], elevation[:, None])


def encode(picture: Picture) -> bytes:
    """A picture as a JPEG file."""
    cv2 = opencv()
    _, data = cv2.imencode(".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return data.tobytes()


def decode(data: bytes, name: str) -> Picture:
    """The picture of a JPEG file that is called `name`."""
    cv2 = opencv()
    size = jpeg_size(data)
    # OpenCV fills what a cut file lacks with grey; a whole file ends with this mark, or nearly so.
    if size is None or max(size) > LARGEST or b"\xff\xd9" not in data[-1024:]:
        raise InputError(f"{name} is not a whole JPEG picture; replace the file.")
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        picture = None
    if picture is None:
        raise InputError(f"{name} cannot be decoded; replace the file.")
    return cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height from the header of a JPEG file; None where there is no such header."""
    if data[:2] != b"\xff\xd8":
        return None
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker in _STARTS_OF_FRAME:
            return int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7])
        # Markers may be preceded by any number of 0xFF; segments begin with their own length.
        at += 1 if marker == 0xFF else 2 + int.from_bytes(data[at + 2 : at + 4])
    return None


@lru_cache(maxsize=8)
def _read(path: Path, size: int, changed: int) -> Picture:
    """A decoded file. Its size and time are part of the key, so a file that is replaced is read again."""
    picture = decode(path.read_bytes(), str(path))
    picture.flags.writeable = False
    return picture


@lru_cache(maxsize=40)
def _view_map(heading: float, elevation: float, width: int, height: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """For each pixel of a view its place in the panorama, in OpenCV's fixed-point form.

    The cache holds the 36 views of an atlas and some more: 1.8 MB each.
    """
    cv2 = opencv()
    across = (np.arange(IMAGE_WIDTH) + 0.5 - IMAGE_WIDTH / 2)[None, :] / FOCAL_LENGTH
    down = (np.arange(IMAGE_HEIGHT) + 0.5 - IMAGE_HEIGHT / 2)[:, None] / FOCAL_LENGTH
    forward = direction(heading, elevation)
    right = direction(heading + np.pi / 2, 0.0)
    up = np.cross(right, forward)
    rays = forward + across[..., None] * right - down[..., None] * up
    x, y = panorama_pixels(rays, width, height)
    # Across the seam the picture wraps; at the poles it must not.
    y = np.clip(y - 0.5, 0, height - 1)
    where, fraction = cv2.convertMaps(
        (x - 0.5).astype(np.float32), y.astype(np.float32), dstmap1type=cv2.CV_16SC2
    )
    return where, fraction
