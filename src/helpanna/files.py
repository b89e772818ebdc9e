"""Reading and writing files so that nothing is half-written and every failure names its file."""

import glob
import hashlib
import json
import os
import re
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from helpanna.errors import InputError

_LEFT = re.compile(r"\..*\.\d+\.(tmp|old|try)")
"""The names under which files and folders are written before they get their own."""
_PUT_SECONDS = 0.2


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


def check_name_for_weights(path: Path) -> None:
    """Refuses a name that is not UTF-8: weights can be written there, but safetensors reads none back."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise InputError(
            f"{path} has a name that is not UTF-8, and no weights can be read there; rename it."
        ) from None


def check_output(path: Path) -> None:
    """Refuses a place where no file can be written: to be called before the work, not after it.

    A file that is there will be replaced. A symlink is followed: its target is written, the link stays.

    Raises:
        InputError: `path` is a folder, a device or a pipe, or its folder cannot be written to.
    """
    with writing(path):
        _check_file(path)
        _try_to_write(_target(path))


def _check_file(path: Path) -> None:
    status = _status(_target(path))
    if status is not None and stat.S_ISDIR(status.st_mode):
        raise InputError(f"{path} is a folder; name a file.")
    if status is not None and not stat.S_ISREG(status.st_mode):
        raise InputError(f"{path} is a device or a pipe, not a file; name another file.")


def check_output_folder(path: Path, overwrite: bool = False, mark: str = "manifest.json") -> None:
    """Refuses a place where `atomic_folder` with the same arguments could not write."""
    with writing(path):
        target = _target(path)
        _restore(target)
        there = _status(target) is not None
        if there and not overwrite:
            raise InputError(f"{path} exists already; choose another --out or add --overwrite.")
        if there and not (target / mark).is_file():
            raise InputError(f"{path} is not a folder that helpanna wrote; choose another --out.")
        _try_to_write(target)


def _target(path: Path) -> Path:
    """Where a symlink leads, and the full path of `.` or `..`; any other path is itself."""
    return Path(os.path.realpath(path)) if path.is_symlink() or path.name in ("", "..") else path


def _status(path: Path) -> os.stat_result | None:
    """None where nothing is.

    Raises:
        OSError: nothing can be there: the name is too long, or a file stands where there must be a folder.
    """
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _temporary(path: Path, ending: str = "tmp") -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.{ending}")


def _try_to_write(path: Path) -> None:
    """Makes a file beside `path`, or in the nearest folder that is there, and removes it.

    Only a try tells: for the system's administrator no permission is ever missing, and yet there are folders
    that take no files. Nothing is said of room on the disk.
    """
    folder = path.parent
    while _status(folder) is None:
        folder = folder.parent
    attempt = folder / _temporary(path, "try").name
    os.close(os.open(attempt, os.O_CREAT | os.O_WRONLY, 0o600))
    attempt.unlink()


@contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """Yields a temporary path beside `path`; on success it becomes `path`, on failure it is removed.

    See `check_output` for what may be at `path`.
    """
    with writing(path):
        _check_file(path)
        target = _target(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = _temporary(target)
        temporary.touch()
        mode = temporary.stat().st_mode  # as the user's umask has it, whoever writes the file in the end
        try:
            yield temporary
            temporary.chmod(mode)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)


@contextmanager
def atomic_folder(path: Path, overwrite: bool = False, mark: str = "manifest.json") -> Iterator[Path]:
    """Yields a temporary folder beside `path`; on success it becomes `path`, on failure it is removed.

    A symlink is followed: its target is written, the link stays.

    Args:
        path: the folder to be.
        overwrite: replace the folder if it is there.
        mark: the file by which a folder is known to be ours; nothing else is ever replaced.

    Raises:
        InputError: `path` exists and `overwrite` is not set, or it is nothing that we wrote.
    """
    check_output_folder(path, overwrite, mark)
    with writing(path):
        target = _target(path)
        temporary = _temporary(target)
        # One of this name was left by a process that died: process numbers come round again.
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
        try:
            yield temporary
            _put(temporary, target)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


def _put(new: Path, path: Path) -> None:
    """Moves a folder to `path`, and what is there out of the way; if that fails, back again."""
    if not path.exists():
        new.replace(path)
        return
    previous = _temporary(path, "old")
    shutil.rmtree(previous, ignore_errors=True)
    path.replace(previous)
    try:
        new.replace(path)
    except BaseException:
        previous.replace(path)
        raise
    shutil.rmtree(previous)


def _restore(path: Path) -> None:
    """Puts a folder back that a process killed in `_put` had moved out of the way; else removes it."""
    left = list(path.parent.glob(f".{glob.escape(path.name)}.*.old"))
    if left and not path.exists():
        time.sleep(_PUT_SECONDS)  # perhaps that process lives, and is about to put the new one there
    for old in left:
        if path.exists():
            shutil.rmtree(old, ignore_errors=True)
        else:
            old.replace(path)


def sweep(folder: Path) -> None:
    """Removes what `atomic_file` and `atomic_folder` left in a folder whose writer was killed.

    A folder that was moved out of the way for a new one which never came is put back.
    """
    for left in folder.glob(".*.*.old"):
        _restore(left.with_name(left.name[1:].rsplit(".", 2)[0]))
    for left in leftovers(folder):
        if left.is_dir():
            shutil.rmtree(left)
        else:
            left.unlink()


def leftovers(folder: Path) -> list[Path]:
    """What writers that were killed left in a folder."""
    return [path for path in folder.iterdir() if _LEFT.fullmatch(path.name)]


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keeps a folder to this process; one that comes second is told so at once.

    The folder itself is locked, so nothing is left behind, however the process ends.
    """
    try:
        import fcntl
    except ImportError:  # Windows has no such locks
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(f"another process is at work in {folder}; wait until it ends.") from None
        except OSError:
            pass  # a disk on which nothing can be locked
        yield
    finally:
        os.close(descriptor)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """A full disk or a forbidden place is for the user to fix."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{path} cannot be written ({reason}); choose another place.") from error
