"""View features in the tables of the Matterport3D simulator, such as `ResNet-152-imagenet.tsv`.

One record a line, without a header, its fields separated by tabs: scan, viewpoint, image width, image height,
vertical field of view in degrees, and the features of the 36 views, in our order, as base64 of 36 x D
little-endian float32. Such a table has gigabytes: it is read line by line.
"""

import binascii
import gzip
import mmap
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.worlds.geometry import IMAGE_HEIGHT, IMAGE_WIDTH, VERTICAL_FIELD, VIEWS
from helpanna.worlds.storage import load_atlas, new_features

RESNET = {"kind": "resnet", "network": "ResNet-152", "weights": "ImageNet", "size": 2048}
"""The space of the features most people have."""

_FIELDS = 6
_LONGEST_LINE = 1 << 22  # Ten times a record of 2,048 numbers a view.
_RECORDS_IN_MEMORY = 256
_GZIP = b"\x1f\x8b"

Progress = Callable[[int, int], None]


def import_resnet(folder: Path, table: Path, on_progress: Progress | None = None) -> None:
    """Adds the features `resnet` to an atlas, from `ResNet-152-imagenet.tsv` as it is or gzipped.

    Args:
        folder: the atlas.
        table: the file. It must have every location of the atlas once; others are skipped.
        on_progress: called with the bytes read and the bytes of the file.
    """
    import_features(folder, table, "resnet", RESNET, on_progress)


def import_features(
    folder: Path, table: Path, name: str, space: Mapping[str, Any], on_progress: Progress | None = None
) -> None:
    """Adds the features of any network to an atlas, as `import_resnet` does.

    Args:
        folder: the atlas.
        table: the file, with `space["size"]` numbers a view.
        name: what to call the features.
        space: says what the numbers mean, see `ViewFeatures`.
        on_progress: called with the bytes read and the bytes of the file.
    """
    atlas = load_atlas(folder)
    worlds = (atlas.world_names[w] for w in atlas.world_of)
    ids = {key: i for i, key in enumerate(zip(worlds, atlas.location_names, strict=True))}
    line_of: dict[int, int] = {}
    with new_features(folder, name, int(space["size"]), dict(space)) as array:
        for line, scan, viewpoint, features in _records(table, on_progress):
            location = ids.get((scan, viewpoint))
            if location is None:
                continue
            if location in line_of:
                first = line_of[location]
                raise InputError(f"{table}, line {line}: {viewpoint} of {scan} is on line {first} already.")
            try:
                array[location] = _decode(features, array.shape[-1])
            except ValueError as error:
                raise InputError(f"{table}, line {line}: {error}; fetch the file again.") from None
            line_of[location] = line
            if len(line_of) % _RECORDS_IN_MEMORY == 0:
                _release(array)
        missing = [key for key, location in ids.items() if location not in line_of]
        if missing:
            scan, viewpoint = missing[0]
            others = f" and {len(missing) - 1} other locations" if len(missing) > 1 else ""
            raise InputError(f"{table} has no record of {viewpoint} of {scan}{others}; get the whole file.")


def _records(table: Path, on_progress: Progress | None) -> Iterator[tuple[int, str, str, bytes]]:
    """Number, scan, viewpoint and encoded features of each line."""
    line = 0
    try:
        total = table.stat().st_size
        with table.open("rb") as raw:
            zipped = raw.peek(2)[:2] == _GZIP
            lines = gzip.GzipFile(fileobj=raw) if zipped else raw
            while text := lines.readline(_LONGEST_LINE):
                line += 1
                try:
                    record = _split(text)
                except ValueError as error:
                    raise InputError(f"{table}, line {line}: {error}; fetch the file again.") from None
                yield line, *record
                if on_progress:
                    on_progress(raw.tell(), total)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise InputError(f"{table} is not a whole gzip file; fetch the file again.") from None
    except OSError as error:
        raise InputError(f"{table} cannot be read ({error.strerror}); check the path.") from None


def _split(text: bytes) -> tuple[str, str, bytes]:
    """Scan, viewpoint and encoded features of a line; what is wrong with it is a ValueError."""
    if len(text) == _LONGEST_LINE:
        raise ValueError("it is too long for a record")
    fields = text.rstrip(b"\r\n").split(b"\t")
    if len(fields) != _FIELDS:
        raise ValueError(f"it has {len(fields)} fields instead of {_FIELDS}")
    scan, viewpoint, *camera, features = fields
    try:
        width, height, degrees = (float(field) for field in camera)
    except ValueError:
        raise ValueError("the image's size or field of view is not a number") from None
    if (width, height, degrees) != (IMAGE_WIDTH, IMAGE_HEIGHT, round(np.degrees(VERTICAL_FIELD))):
        raise ValueError(f"its views are {width:g} x {height:g} at {degrees:g} degrees, not 640 x 480 at 60")
    return scan.decode("utf-8", "replace"), viewpoint.decode("utf-8", "replace"), features


def _decode(features: bytes, size: int) -> NDArray[np.float32]:
    """The features [36, size] of a record; what is wrong with them is a ValueError."""
    try:
        data = binascii.a2b_base64(features, strict_mode=True)
    except binascii.Error as error:
        raise ValueError(f"its features are not base64 ({error})") from None
    if len(data) != VIEWS * size * 4:
        raise ValueError(f"its features have {len(data)} bytes instead of {VIEWS * size * 4}")
    values = np.frombuffer(data, dtype="<f4").reshape(VIEWS, size)
    if not np.isfinite(values).all():
        raise ValueError("its features hold a number that is not finite")
    if np.abs(values).max() > np.finfo(np.float16).max:
        raise ValueError("its features hold a number that is too large for float16")
    return values


def _release(array: NDArray[np.float16]) -> None:
    """Hands the pages written so far to the operating system, so that memory does not grow with the file."""
    mapped: Any = array.base
    if isinstance(mapped, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        mapped.flush()
        mapped.madvise(mmap.MADV_DONTNEED)
