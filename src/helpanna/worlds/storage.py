"""An atlas on disk: a folder with a manifest, arrays, names and views.

    manifest.json         schema, source, licence, counts, and of every other file its size and SHA-256
    names.json            the strings behind the ids
    arrays/<field>.npy    one file for each array of `Atlas`
    views/<name>.npy      [N, 36, D] float16, one file for each set of view features
    panoramas/<id>.jpg    one equirectangular picture a location (optional)

Writing is atomic: a folder or file appears under its name only when it is complete. Loading maps the arrays
into memory and verifies the manifest, and the presence, size, type and shape of every file; `check` reads
everything.
"""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any, get_origin

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.files import atomic_file, atomic_folder, read_json, sha256
from helpanna.worlds.atlas import Atlas, build_atlas
from helpanna.worlds.geometry import VIEWS
from helpanna.worlds.views import ViewFeatures, Views
from helpanna.worlds.world import Room, same_world

SCHEMA = "helpanna.atlas/1"
ARRAYS = tuple(f.name for f in fields(Atlas) if get_origin(f.type) is np.ndarray)

_AGAIN = "build the atlas again"


def save_atlas(atlas: Atlas, folder: Path, overwrite: bool = False) -> None:
    """Writes the atlas to a new folder, with its view features."""
    with atomic_folder(folder, overwrite) as temporary:
        write_atlas(atlas, temporary)


def write_atlas(atlas: Atlas, folder: Path) -> None:
    """Writes the atlas into an existing empty folder (see `save_atlas` for the atomic way)."""
    (folder / "arrays").mkdir()
    files: dict[str, Any] = {}
    for name in ARRAYS:
        path = folder / "arrays" / f"{name}.npy"
        np.save(path, getattr(atlas, name), allow_pickle=False)
        files[f"arrays/{name}.npy"] = _entry(path)
    names = {
        "worlds": atlas.world_names,
        "locations": atlas.location_names,
        "rooms": [[room.name, room.kind] for room in atlas.rooms],
        "objects": atlas.object_names,
        "object_types": atlas.type_names,
    }
    (folder / "names.json").write_text(json.dumps(names, ensure_ascii=False), encoding="utf-8")
    files["names.json"] = _entry(folder / "names.json")
    manifest = {
        "schema": SCHEMA,
        "source": atlas.source,
        "licence": atlas.licence,
        "counts": atlas.counts(),
        "views": {},
        "panoramas": None,
        "files": files,
    }
    write_manifest(folder, manifest)
    for name, features in atlas.views.features.items():
        with new_features(folder, name, features.size, features.space) as array:
            array[:] = features.array


@contextmanager
def new_features(folder: Path, name: str, size: int, space: Any) -> Iterator[NDArray[np.float16]]:
    """Adds view features to an atlas on disk: yields a writable [N, 36, size] memory map to fill.

    Nothing changes in the atlas if the block raises.
    """
    manifest = read_manifest(folder)
    if name in manifest["views"]:
        raise InputError(f"{folder} has {name} features already; build a new atlas to replace them.")
    if not name.isidentifier():
        raise InputError(f"view features cannot be called {name!r}; use letters, digits and underscores.")
    shape = (int(manifest["counts"]["locations"]), VIEWS, size)
    path = folder / "views" / f"{name}.npy"
    with atomic_file(path) as temporary:
        array = np.lib.format.open_memmap(temporary, mode="w+", dtype=np.float16, shape=shape)
        yield array
        array.flush()
        del array
    manifest["views"][name] = {"size": size, "space": space}
    manifest["files"][f"views/{name}.npy"] = _entry(path)
    write_manifest(folder, manifest)


def load_atlas(folder: Path | str) -> Atlas:
    """Opens an atlas: arrays and features are memory maps, read when used."""
    folder = Path(folder)
    manifest = read_manifest(folder)
    arrays = {name: _open(folder, manifest, f"arrays/{name}.npy") for name in ARRAYS}
    names = _names(folder, manifest)
    features = {
        name: ViewFeatures(name, _open(folder, manifest, f"views/{name}.npy"), entry["space"])
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
        views=Views(features),
    )
    if atlas.counts() != manifest["counts"]:
        raise InputError(f"{folder}: the files do not hold what manifest.json counts; {_AGAIN}.")
    return atlas


def check_atlas(folder: Path | str) -> Atlas:
    """Proves an atlas: every byte by its SHA-256, every world valid, every table as a new build makes it."""
    folder = Path(folder)
    manifest = read_manifest(folder)
    for name, entry in manifest["files"].items():
        path = folder / name
        if not path.is_file():
            raise InputError(f"{path} is missing; {_AGAIN}.")
        if sha256(path) != entry["sha256"]:
            raise InputError(f"{path} has changed since it was written (SHA-256 differs); {_AGAIN}.")
    atlas = load_atlas(folder)
    worlds = [atlas.world(w) for w in range(atlas.world_count)]
    again = build_atlas(worlds, atlas.source, atlas.licence)
    for name in ARRAYS:
        if not np.array_equal(getattr(atlas, name), getattr(again, name)):
            raise InputError(f"{folder}: the array {name} is not what its worlds give; {_AGAIN}.")
    for world in worlds:
        if not same_world(world, again.world(world.name)):
            raise InputError(f"{folder}: the world {world.name} does not survive a rebuild; {_AGAIN}.")
    for features in atlas.views.features.values():
        for first in range(0, atlas.location_count, 256):
            if not np.isfinite(features.array[first : first + 256]).all():
                raise InputError(
                    f"{folder}: {features.name} features hold a number that is not finite; {_AGAIN}."
                )
    return atlas


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of an atlas folder, its own checksum verified."""
    path = folder / "manifest.json"
    if not path.is_file():
        raise InputError(f"{folder} is not an atlas (it has no manifest.json); name an atlas folder.")
    manifest = read_json(path)
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        raise InputError(f"{path} is not of the schema {SCHEMA}; {_AGAIN} with this version of helpanna.")
    if manifest.pop("checksum", None) != _checksum(manifest):
        raise InputError(f"{path} has changed since it was written; {_AGAIN}.")
    return manifest


def write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    """Writes the manifest with a checksum over itself, in one move."""
    with atomic_file(folder / "manifest.json") as temporary:
        text = json.dumps({**manifest, "checksum": _checksum(manifest)}, indent=1, ensure_ascii=False)
        temporary.write_text(text + "\n", encoding="utf-8")


def _checksum(manifest: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def _entry(path: Path) -> dict[str, Any]:
    """What the manifest says of a file."""
    entry: dict[str, Any] = {"bytes": path.stat().st_size, "sha256": sha256(path)}
    if path.suffix == ".npy":
        array = np.load(path, mmap_mode="r", allow_pickle=False)
        entry |= {"dtype": array.dtype.str, "shape": list(array.shape)}
    return entry


def _present(folder: Path, manifest: dict[str, Any], name: str) -> tuple[Path, dict[str, Any]]:
    path, entry = folder / name, manifest["files"].get(name)
    if entry is None or not path.is_file():
        raise InputError(f"{path} is missing; {_AGAIN}.")
    if path.stat().st_size != entry["bytes"]:
        raise InputError(f"{path} has {path.stat().st_size} bytes instead of {entry['bytes']}; {_AGAIN}.")
    return path, entry


def _open(folder: Path, manifest: dict[str, Any], name: str) -> NDArray[Any]:
    path, entry = _present(folder, manifest, name)
    try:
        # An empty file cannot be mapped.
        array = np.load(path, mmap_mode="r" if 0 not in entry["shape"] else None, allow_pickle=False)
    except (ValueError, OSError, EOFError) as error:
        raise InputError(f"{path} is not a readable array ({error}); {_AGAIN}.") from None
    if array.dtype.str != entry["dtype"] or list(array.shape) != entry["shape"]:
        raise InputError(f"{path} holds {array.dtype} {array.shape}, unlike its manifest; {_AGAIN}.")
    # A plain array over the same mapped pages: `np.memmap` itself makes every small gather slower.
    return np.asarray(array)


def _names(folder: Path, manifest: dict[str, Any]) -> dict[str, Any]:
    path, entry = _present(folder, manifest, "names.json")
    if sha256(path) != entry["sha256"]:
        raise InputError(f"{path} has changed since it was written (SHA-256 differs); {_AGAIN}.")
    names: dict[str, Any] = read_json(path)
    return names
