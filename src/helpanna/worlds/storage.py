"""An atlas on disk: a folder with a manifest, arrays, names and views.

    manifest.json         schema, source, licence, counts, and of every other file its size and SHA-256
    names.json            the strings behind the ids
    outlines.json         walls, doors, windows and stairs, where they are known (optional)
    arrays/<field>.npy    one file for each array of `Atlas`
    views/<name>.npy      [N, 36, D] float16, one file for each set of view features
    captions/texts.json, captions/index.npy    all different captions, and which each view has (optional)
    words/list.json, words/bits.npy    words, and which of them each view shows (optional)
    panoramas/<id>.jpg    one equirectangular picture a location (optional)

Writing is atomic: a folder or file appears under its name only when it is complete. Loading maps the arrays
into memory and verifies the manifest, and the presence, size, type and shape of every file; `check` reads
everything.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.files import atomic_file, atomic_folder
from helpanna.manifest import FolderKind, file_entry
from helpanna.worlds.atlas import Atlas, build_atlas
from helpanna.worlds.captions import CAPTIONS_SHAPE, Captions
from helpanna.worlds.geometry import VIEWS
from helpanna.worlds.outlines import Outline
from helpanna.worlds.panoramas import LARGEST, Panoramas, jpeg_size
from helpanna.worlds.views import ViewFeatures, Views
from helpanna.worlds.words_in_sight import WordsInSight
from helpanna.worlds.world import Room, same_world

ARRAYS = {
    field.name: np.dtype(get_args(get_args(field.type)[1])[0])
    for field in fields(Atlas)
    if get_origin(field.type) is np.ndarray
}
"""The arrays of an atlas and their types."""

_BLOCK = 1 << 20
_OUTLINES = "outlines.json"

ATLAS = FolderKind(
    schema="helpanna.atlas/2",
    noun="atlas",
    keys={"source": str, "licence": str, "counts": dict, "views": dict, "panoramas": dict | None},
)


def save_atlas(atlas: Atlas, folder: Path, overwrite: bool = False) -> None:
    """Writes the atlas to a new folder, with its view features and panoramas."""
    with atomic_folder(folder, overwrite) as temporary:
        write_atlas(atlas, temporary)


def write_atlas(atlas: Atlas, folder: Path) -> None:
    """Writes the atlas into an existing empty folder (see `save_atlas` for the atomic way)."""
    (folder / "arrays").mkdir()
    for name in ARRAYS:
        np.save(folder / "arrays" / f"{name}.npy", getattr(atlas, name), allow_pickle=False)
    names = {
        "worlds": atlas.world_names,
        "locations": atlas.location_names,
        "rooms": [[room.name, room.kind] for room in atlas.rooms],
        "objects": atlas.object_names,
        "object_types": atlas.type_names,
    }
    (folder / "names.json").write_text(json.dumps(names, ensure_ascii=False), encoding="utf-8")
    if atlas.outlines:
        outlines = {name: outline.to_json() for name, outline in atlas.outlines.items()}
        (folder / _OUTLINES).write_text(json.dumps(outlines, ensure_ascii=False), encoding="utf-8")
    manifest = {
        "source": atlas.source,
        "licence": atlas.licence,
        "counts": atlas.counts(),
        "views": {},
        "panoramas": None,
    }
    ATLAS.write(folder, manifest)
    for name, features in atlas.views.features.items():
        with new_features(folder, name, features.size, features.space) as array:
            array[:] = features.array
    if atlas.views.captions:
        captions = atlas.views.captions
        write_captions(folder, [captions.of(location) for location in range(atlas.location_count)])
    if atlas.views.words:
        write_words(folder, atlas.views.words.words, atlas.views.words.bits)
    if atlas.views.panoramas:
        _copy_panoramas(atlas.views.panoramas, atlas.location_count, folder)


@contextmanager
def new_features(folder: Path, name: str, size: int, space: Any) -> Iterator[NDArray[np.float16]]:
    """Adds view features to an atlas on disk: yields a writable [N, 36, size] memory map to fill.

    Nothing changes in the atlas if the block raises.
    """
    manifest = ATLAS.read(folder)
    if name in manifest["views"]:
        raise InputError(f"{folder} has {name} features already; build a new atlas to replace them.")
    if not name.isidentifier():
        raise InputError(f"view features cannot be called {name!r}; use letters, digits and underscores.")
    shape = (int(manifest["counts"]["locations"]), VIEWS, size)
    path = folder / "views" / f"{name}.npy"
    with atomic_file(path) as temporary:
        array = np.lib.format.open_memmap(temporary, mode="w+", dtype=np.float16, shape=shape)
        _reserve(temporary, array.offset)
        yield array
        array.flush()
        del array
    manifest["views"][name] = {"size": size, "space": space}
    manifest["files"][f"views/{name}.npy"] = file_entry(path)
    ATLAS.write(folder, manifest)


def _reserve(path: Path, start: int) -> None:
    """Takes the disk space of a file with holes, from a place in it to its end.

    Who fills holes through a memory map on a full disk is killed (SIGBUS); this raises an `OSError`.
    """
    size = path.stat().st_size - start
    with path.open("r+b") as file:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), start, size)
            return
        file.seek(start)
        for done in range(0, size, _BLOCK):
            file.write(bytes(min(_BLOCK, size - done)))


def write_captions(folder: Path, captions: Sequence[Sequence[Sequence[str]]]) -> None:
    """Adds captions to an atlas on disk: [N][3][8] texts."""
    manifest = ATLAS.read(folder)
    if manifest.get("captions"):
        raise InputError(f"{folder} has captions already; build a new atlas to replace them.")
    texts = sorted({text for rows in captions for row in rows for text in row})
    number = {text: i for i, text in enumerate(texts)}
    index = np.array([[[number[text] for text in row] for row in rows] for rows in captions], dtype=np.int32)
    if index.shape != (manifest["counts"]["locations"], *CAPTIONS_SHAPE):
        raise ValueError(f"captions of {index.shape}, not one for each location, elevation and heading")
    # A folder that the manifest does not know was left by a process that died.
    shutil.rmtree(folder / "captions", ignore_errors=True)
    with atomic_folder(folder / "captions") as temporary:
        (temporary / "texts.json").write_text(json.dumps(texts, ensure_ascii=False), encoding="utf-8")
        np.save(temporary / "index.npy", index, allow_pickle=False)
    manifest["captions"] = {"count": len(texts)}
    for name in ("captions/texts.json", "captions/index.npy"):
        manifest["files"][name] = file_entry(folder / name)
    ATLAS.write(folder, manifest)


def write_words(folder: Path, words: Sequence[str], bits: NDArray[np.uint8]) -> None:
    """Adds words in sight to an atlas on disk, see `WordsInSight`."""
    manifest = ATLAS.read(folder)
    if manifest.get("words"):
        raise InputError(f"{folder} has words in sight already; build a new atlas to replace them.")
    shutil.rmtree(folder / "words", ignore_errors=True)  # left by a process that died
    with atomic_folder(folder / "words") as temporary:
        (temporary / "list.json").write_text(json.dumps(list(words), ensure_ascii=False), encoding="utf-8")
        np.save(temporary / "bits.npy", bits, allow_pickle=False)
    manifest["words"] = {"count": len(words)}
    for name in ("words/list.json", "words/bits.npy"):
        manifest["files"][name] = file_entry(folder / name)
    ATLAS.write(folder, manifest)


@contextmanager
def new_panoramas(folder: Path, width: int, height: int) -> Iterator[Callable[[int, bytes], None]]:
    """Adds panoramas to an atlas on disk: yields `add(location, jpeg)`, to be called once a location.

    `panoramas.encode` makes the JPEG files, in this process or in others. They gather in a temporary folder;
    nothing changes in the atlas if the block raises or leaves a location out.
    """
    manifest = ATLAS.read(folder)
    if manifest["panoramas"]:
        raise InputError(f"{folder} has panoramas already; build a new atlas to replace them.")
    if not (0 < width <= LARGEST and 0 < height <= LARGEST):
        raise InputError(f"panoramas cannot be {width} x {height} pixels; choose 1 to {LARGEST} a side.")
    count = int(manifest["counts"]["locations"])
    files: dict[str, Any] = {}

    # A folder that the manifest does not know was left by a process that died.
    shutil.rmtree(folder / "panoramas", ignore_errors=True)
    with atomic_folder(folder / "panoramas") as temporary:

        def add(location: int, jpeg: bytes) -> None:
            name = f"panoramas/{location}.jpg"
            if not 0 <= location < count or name in files:
                raise ValueError(f"location {location} is not one of {count}, or has its panorama already")
            if jpeg_size(jpeg) != (width, height):
                raise ValueError(f"the panorama of location {location} is no JPEG of {width} x {height}")
            (temporary / f"{location}.jpg").write_bytes(jpeg)
            files[name] = {"bytes": len(jpeg), "sha256": hashlib.sha256(jpeg).hexdigest()}

        yield add
        if len(files) != count:
            raise ValueError(f"{count - len(files)} of {count} locations have no panorama")

    manifest = ATLAS.read(folder)
    manifest["panoramas"] = {"width": width, "height": height, "projection": "equirectangular"}
    manifest["files"] |= files
    ATLAS.write(folder, manifest)


def _copy_panoramas(panoramas: Panoramas, count: int, folder: Path) -> None:
    with new_panoramas(folder, panoramas.width, panoramas.height) as add:
        for location in range(count):
            add(location, (panoramas.folder / f"{location}.jpg").read_bytes())


def load_atlas(folder: Path | str) -> Atlas:
    """Opens an atlas: arrays and features are memory maps, read when used."""
    folder = Path(folder)
    with ATLAS.well_formed(folder):
        return _load(folder, ATLAS.read(folder))


def _load(folder: Path, manifest: dict[str, Any]) -> Atlas:
    arrays = {
        name: ATLAS.array(folder, manifest, f"arrays/{name}.npy", dtype) for name, dtype in ARRAYS.items()
    }
    names = ATLAS.json(folder, manifest, "names.json")
    features = {
        name: ViewFeatures(name, _open_features(folder, manifest, name), entry["space"])
        for name, entry in manifest["views"].items()
    }
    atlas = Atlas(
        source=manifest["source"],
        licence=manifest["licence"],
        world_names=tuple(names["worlds"]),
        location_names=tuple(names["locations"]),
        rooms=tuple(Room(name, kind) for name, kind in names["rooms"]),
        object_names=tuple(names["objects"]),
        type_names=tuple(names["object_types"]),
        **arrays,
        views=Views(
            features,
            _open_panoramas(folder, manifest),
            _open_captions(folder, manifest),
            _open_words(folder, manifest),
        ),
        outlines=_outlines(folder, manifest),
    )
    if atlas.counts() != manifest["counts"]:
        raise InputError(f"{folder}: the files do not hold what manifest.json counts; {ATLAS.again}.")
    return atlas


def _outlines(folder: Path, manifest: dict[str, Any]) -> dict[str, Outline]:
    """Where the walls are, by building; only generated houses say so."""
    if _OUTLINES not in manifest["files"]:
        return {}
    content = ATLAS.json(folder, manifest, _OUTLINES)
    return {name: Outline.from_json(outline) for name, outline in content.items()}


def check_atlas(folder: Path | str) -> Atlas:
    """Proves an atlas: every byte by its SHA-256, every world valid, every table as a new build makes it."""
    folder = Path(folder)
    with ATLAS.well_formed(folder):
        return _check(folder, ATLAS.read(folder))


def _check(folder: Path, manifest: dict[str, Any]) -> Atlas:
    ATLAS.verify(folder, manifest)
    atlas = _load(folder, manifest)
    worlds = [atlas.world(w) for w in range(atlas.world_count)]
    again = build_atlas(worlds, atlas.source, atlas.licence)
    for name in ARRAYS:
        if not np.array_equal(getattr(atlas, name), getattr(again, name)):
            raise InputError(f"{folder}: the array {name} is not what its worlds give; {ATLAS.again}.")
    for world in worlds:
        if not same_world(world, again.world(world.name)):
            raise InputError(f"{folder}: the world {world.name} does not survive a rebuild; {ATLAS.again}.")
    for features in atlas.views.features.values():
        for first in range(0, atlas.location_count, 256):
            if not np.isfinite(features.array[first : first + 256]).all():
                raise InputError(
                    f"{folder}: {features.name} features hold a number that is not finite; {ATLAS.again}."
                )
    if atlas.views.captions is not None:
        _check_captions(folder, atlas.views.captions)
    if atlas.views.words is not None and list(atlas.views.words.words) != sorted(
        set(atlas.views.words.words)
    ):
        raise InputError(f"{folder}: the words in sight are no sorted list of words; {ATLAS.again}.")
    if (panoramas := atlas.views.panoramas) is not None:
        for location in range(atlas.location_count):
            path = panoramas.folder / f"{location}.jpg"
            if jpeg_size(path.read_bytes()) != (panoramas.width, panoramas.height):
                size = f"{panoramas.width} x {panoramas.height}"
                raise InputError(f"{path} is not a JPEG picture of {size} pixels; {ATLAS.again}.")
    return atlas


def _open_features(folder: Path, manifest: dict[str, Any], name: str) -> NDArray[np.float16]:
    array = ATLAS.array(folder, manifest, f"views/{name}.npy", np.float16)
    shape = (manifest["counts"]["locations"], VIEWS, manifest["views"][name]["size"])
    if array.shape != shape:
        raise InputError(
            f"{folder}: the {name} features are {array.shape}, not {shape} numbers; {ATLAS.again}."
        )
    return array


def _open_captions(folder: Path, manifest: dict[str, Any]) -> Captions | None:
    """The captions, if the manifest has some; the texts are read and proved when they are used."""
    if not manifest.get("captions"):
        return None
    index = ATLAS.array(folder, manifest, "captions/index.npy", np.int32)
    if index.shape != (manifest["counts"]["locations"], *CAPTIONS_SHAPE):
        raise InputError(f"{folder}: the captions are not those of its locations; {ATLAS.again}.")
    ATLAS.present(folder, manifest, "captions/texts.json")
    return Captions(index, lambda: ATLAS.json(folder, manifest, "captions/texts.json"))


def _open_words(folder: Path, manifest: dict[str, Any]) -> WordsInSight | None:
    """The words in sight, if the manifest has some; the list is read and proved when it is used."""
    if not manifest.get("words"):
        return None
    bits = ATLAS.array(folder, manifest, "words/bits.npy", np.uint8)
    if bits.shape != (manifest["counts"]["locations"], VIEWS, (manifest["words"]["count"] + 7) // 8):
        raise InputError(f"{folder}: the words in sight are not those of its views; {ATLAS.again}.")
    ATLAS.present(folder, manifest, "words/list.json")
    return WordsInSight(bits, lambda: ATLAS.json(folder, manifest, "words/list.json"))


def _check_captions(folder: Path, captions: Captions) -> None:
    texts = captions.texts
    if not all(isinstance(text, str) for text in texts) or list(texts) != sorted(set(texts)):
        raise InputError(f"{folder}: the captions are no sorted list of different texts; {ATLAS.again}.")
    if not np.array_equal(np.unique(captions.index), np.arange(len(texts))):
        raise InputError(f"{folder}: some captions belong to no view, or views lack theirs; {ATLAS.again}.")


def _open_panoramas(folder: Path, manifest: dict[str, Any]) -> Panoramas | None:
    """The panoramas, if the manifest has some, once every file is found with its size."""
    entry = manifest["panoramas"]
    if not entry:
        return None
    # One pass over the folder: asking for thousands of files one by one takes seconds on a network disk.
    there = folder / "panoramas"
    sizes = {file.name: file.stat().st_size for file in os.scandir(there)} if there.is_dir() else {}
    for location in range(int(manifest["counts"]["locations"])):
        name = f"{location}.jpg"
        expected = manifest["files"].get(f"panoramas/{name}", {}).get("bytes")
        if expected is None or sizes.get(name) != expected:
            raise InputError(f"{there / name} is missing or cut; {ATLAS.again}.")
    return Panoramas(there, int(entry["width"]), int(entry["height"]))
