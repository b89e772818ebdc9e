"""Proofs: which large files were found to be as they were written, so that each is read for it only once.

A proof names a file by its number on the disk, its size, the times of its last changes and its SHA-256. Who
changes a byte changes a time, and the file is read again. Proofs are kept for the user, one on a line of
`proofs.txt` in the folder `HELPANNA_CACHE`, by default `helpanna` in `XDG_CACHE_HOME` or `~/.cache`; the file
may be deleted at any time. Damage that leaves no trace in the times is found by `helpanna worlds check`: it
reads everything.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from helpanna.errors import InputError
from helpanna.files import atomic_file, sha256

_MOST = 20_000
"""Proofs; when there are more, the older half is dropped."""


def is_proven(path: Path, expected: str) -> bool:
    """Whether the file's SHA-256 is the expected one, now or when last computed; unchanged since."""
    if _proof(path, expected) in _proofs():
        return True
    if sha256(path) != expected:
        return False
    remember(path, expected)
    return True


def remember(path: Path, proven: str) -> None:
    """Keeps that the file has this SHA-256; where there is no place to keep it, it will be computed again."""
    proofs = _proofs()
    if (proof := _proof(path, proven)) in proofs:
        return
    lines = proofs.splitlines()
    with suppress(OSError, RuntimeError):
        _place().parent.mkdir(parents=True, exist_ok=True)
        if len(lines) < _MOST:
            with _place().open("a", encoding="ascii") as file:
                file.write(f"{proof}\n")  # one short write: processes side by side do not mix their lines
            return
    with suppress(InputError), atomic_file(_place()) as temporary:
        temporary.write_text("\n".join([*lines[_MOST // 2 :], proof, ""]), encoding="ascii")


def _proof(path: Path, expected: str) -> str:
    status = path.stat()
    facts = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, expected)
    return hashlib.sha256(repr(facts).encode()).hexdigest()


def _place() -> Path:
    if own := os.environ.get("HELPANNA_CACHE"):
        return Path(own) / "proofs.txt"
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "helpanna" / "proofs.txt"


def _proofs() -> str:
    try:
        return _place().read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError, RuntimeError):  # none yet; damaged; no home
        return ""
