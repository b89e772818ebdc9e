"""Reading and writing files so that nothing is half-written and every failure names its file."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from helpanna.errors import InputError


def read_json(path: Path) -> Any:
    """The content of a JSON file, or an `InputError` that names it."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path} does not exist; check the path.") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text; fetch the file again.") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}).") from None
    return parse_json(text, str(path))


def parse_json(text: str | bytes, name: str) -> Any:
    """Parses JSON text that came from the file called `name`."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is not valid JSON ({error}); fetch the file again.") from None


def write_json(path: Path, value: Any) -> None:
    """Writes a JSON file, indented for people, in one move."""
    with atomic_file(path) as temporary:
        temporary.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def sha256(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal, read in pieces."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}).") from None


@contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """Yields a temporary path beside `path`; on success it becomes `path`, on failure it is removed."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with _writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield temporary
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


@contextmanager
def atomic_folder(path: Path, overwrite: bool = False, mark: str = "manifest.json") -> Iterator[Path]:
    """Yields a temporary folder beside `path`; on success it becomes `path`, on failure it is removed.

    Args:
        path: the folder to be.
        overwrite: replace the folder if it is there.
        mark: the file by which a folder is known to be ours; nothing else is ever replaced.

    Raises:
        InputError: `path` exists and `overwrite` is not set, or it is nothing that we wrote.
    """
    if path.exists() and not overwrite:
        raise InputError(f"{path} exists already; choose another --out or add --overwrite.")
    if path.exists() and not (path / mark).is_file():
        raise InputError(f"{path} is not a folder that helpanna wrote; choose another --out.")
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with _writing(path):
        # One of this name was left by a process that died: process numbers come round again.
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
        try:
            yield temporary
            _put(temporary, path)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


def _put(new: Path, path: Path) -> None:
    """Moves a folder to `path`, and what is there out of the way; if that fails, back again."""
    if not path.exists():
        new.replace(path)
        return
    previous = path.with_name(f".{path.name}.{os.getpid()}.old")
    path.replace(previous)
    try:
        new.replace(path)
    except BaseException:
        previous.replace(path)
        raise
    shutil.rmtree(previous)


def sweep(folder: Path) -> None:
    """Removes what `atomic_file` and `atomic_folder` left in a folder whose writer was killed."""
    for left in (*folder.glob(".*.tmp"), *folder.glob(".*.old")):
        if left.is_dir():
            shutil.rmtree(left)
        else:
            left.unlink()


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """A full disk or a forbidden place is for the user to mend."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error}); choose another place.") from error
