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


def sha256(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """Yields a temporary path beside `path`; on success it becomes `path`, on failure it is removed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def atomic_folder(path: Path, overwrite: bool = False) -> Iterator[Path]:
    """Yields a temporary folder beside `path`; on success it becomes `path`, on failure it is removed.

    Raises:
        InputError: `path` exists and `overwrite` is not set.
    """
    if path.exists() and not overwrite:
        raise InputError(f"{path} exists already; choose another --out or add --overwrite.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        temporary.mkdir()
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror}); choose another --out.") from None
    try:
        yield temporary
        if path.exists():
            previous = path.with_name(f".{path.name}.{os.getpid()}.old")
            path.replace(previous)
            temporary.replace(path)
            shutil.rmtree(previous) if previous.is_dir() else previous.unlink()
        else:
            temporary.replace(path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
