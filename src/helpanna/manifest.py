"""Manifests: what a folder of files says of itself, and the proof that the files are still those.

A manifest is a JSON object with a schema, a checksum over itself, and of every other file of the folder its
size and SHA-256; of arrays their type and shape as well.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import UnionType
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from helpanna.errors import InputError
from helpanna.files import atomic_file, read_json, sha256
from helpanna.proofs import is_proven, remember


@dataclass(frozen=True)
class FolderKind:
    """A kind of folder that carries a manifest.

    Attributes:
        schema: its name and version ("helpanna.dataset/1").
        noun: what users call it ("dataset").
        keys: the manifest's own keys and their types, besides "schema" and "files".
    """

    schema: str
    noun: str
    keys: Mapping[str, type | UnionType]

    @property
    def again(self) -> str:
        """The remedy for a folder that is not as it was written."""
        return f"build the {self.noun} again"

    def write(self, folder: Path, manifest: Mapping[str, Any]) -> None:
        """Writes manifest.json in one move; "files" are all that the folder holds, unless it says which."""
        if "files" not in manifest:
            names = sorted(
                path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
            )
            files = {name: file_entry(folder / name) for name in names if name != "manifest.json"}
            manifest = {**manifest, "files": files}
        write_signed(folder / "manifest.json", {"schema": self.schema, **manifest})

    def read(self, folder: Path) -> dict[str, Any]:
        """The manifest, every byte of it verified."""
        path = folder / "manifest.json"
        if not path.is_file():
            raise InputError(f"{folder} is no {self.noun} (it has no manifest.json); name another folder.")
        manifest = read_signed(path, self.schema, self.again)
        for key, kind in {**self.keys, "files": dict}.items():
            if not isinstance(manifest.get(key, ...), kind):
                raise InputError(f"{path} has no proper {key}; {self.again}.")
        return manifest

    def verify(self, folder: Path, manifest: Mapping[str, Any]) -> None:
        """Proves every file by its SHA-256."""
        for name in manifest["files"]:
            self._unchanged(*self.present(folder, manifest, name))

    def array(self, folder: Path, manifest: Mapping[str, Any], name: str, dtype: DTypeLike) -> NDArray[Any]:
        """An array of the folder, mapped into memory, as the manifest says.

        Its bytes are proven by their SHA-256 once, and again when the file has changed.
        """
        path, entry = self.present(folder, manifest, name)
        try:
            array = np.lib.format.open_memmap(path, mode="r")  # reads arrays only: no pickles, no zip files
        except Exception as error:  # what NumPy raises for a false header is not told, and of many kinds
            raise InputError(f"{path} is not a readable array ({error}); {self.again}.") from None
        if array.dtype != dtype or list(array.shape) != entry["shape"]:
            raise InputError(f"{path} holds {array.shape} numbers of type {array.dtype}; {self.again}.")
        if not is_proven(path, entry["sha256"]):
            raise self._changed(path)
        # A plain array over the same mapped pages: `np.memmap` itself makes every small gather slower.
        return np.asarray(array)

    def json(self, folder: Path, manifest: Mapping[str, Any], name: str) -> Any:
        """A JSON file of the folder, proven by its SHA-256."""
        path, entry = self.present(folder, manifest, name)
        self._unchanged(path, entry)
        return read_json(path)

    @contextmanager
    def well_formed(self, folder: Path) -> Iterator[None]:
        """Says so where parts of a folder, each read without fault, do not make sense together."""
        try:
            yield
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
            raise InputError(
                f"the {self.noun} {folder} is not well-formed ({error!r}); {self.again}."
            ) from error

    def present(self, folder: Path, manifest: Mapping[str, Any], name: str) -> tuple[Path, dict[str, Any]]:
        """The path of a file that is there with its size, and what the manifest says of it."""
        path, entry = folder / name, manifest["files"].get(name)
        if entry is None or not path.is_file():
            raise InputError(f"{path} is missing; {self.again}.")
        if path.stat().st_size != entry["bytes"]:
            raise InputError(
                f"{path} has {path.stat().st_size} bytes instead of {entry['bytes']}; {self.again}."
            )
        return path, entry

    def _unchanged(self, path: Path, entry: Mapping[str, Any]) -> None:
        if sha256(path) != entry["sha256"]:
            raise self._changed(path)

    def _changed(self, path: Path) -> InputError:
        return InputError(f"{path} has changed since it was written (SHA-256 differs); {self.again}.")


def write_signed(path: Path, content: Mapping[str, Any]) -> None:
    """Writes a JSON object with a checksum over itself, in one move."""
    with atomic_file(path) as temporary:
        temporary.write_bytes(_signed(content))


def read_signed(path: Path, schema: str, again: str) -> dict[str, Any]:
    """What `write_signed` wrote, every byte of it verified, without the checksum.

    Args:
        path: the file.
        schema: what its "schema" must be.
        again: the remedy for a file that is not as it was written ("build the dataset again").
    """
    content = read_json(path)
    if not isinstance(content, dict) or content.get("schema") != schema:
        raise InputError(f"{path} is not of the schema {schema}; {again} with this version of helpanna.")
    if "checksum" not in content:
        raise InputError(f"{path} has no checksum, so changes to it cannot be seen; {again}.")
    content.pop("checksum")
    if path.read_bytes() != _signed(content):
        raise InputError(f"{path} has changed since it was written; {again}.")
    return content


def _signed(content: Mapping[str, Any]) -> bytes:
    """The object's file: the object and a checksum over it."""
    checksum = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return (json.dumps({**content, "checksum": checksum}, indent=1) + "\n").encode()


def file_entry(path: Path) -> dict[str, Any]:
    """What the manifest says of a file."""
    entry: dict[str, Any] = {"bytes": path.stat().st_size, "sha256": sha256(path)}
    if path.suffix == ".npy":
        array = np.load(path, mmap_mode="r", allow_pickle=False)
        entry |= {"dtype": array.dtype.str, "shape": list(array.shape)}
        remember(path, entry["sha256"])
    return entry
