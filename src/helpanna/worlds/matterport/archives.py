"""The JSON files of a folder or a tar archive, none larger than it can honestly be."""

import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from helpanna.errors import InputError

LARGEST = 4_000_000
"""Bytes of one file; the publishers' largest has a hundredth of it."""
LARGEST_SUM = 1_000_000_000
"""Bytes of all files of an archive; the publishers' have a fiftieth of it."""


def json_files(path: Path) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the JSON files in a folder (in the order of their names) or a tar archive.

    Raises:
        InputError: the archive cannot be read, or a file claims to be larger than any honest one.
    """
    if path.is_dir():
        for file in sorted(path.rglob("*.json")):
            _bound(path, file.name, file.stat().st_size, 0)
            yield file.name, file.read_bytes()
        return
    try:
        with tarfile.open(path) as archive:
            members, total = [], 0
            # Sizes are judged as the headers come, before anything is unpacked or skipped over.
            for member in archive:
                _bound(path, member.name, member.size, total)
                total += member.size
                if member.isfile() and member.name.endswith(".json"):
                    members.append(member)
            for member in members:
                content = archive.extractfile(member)
                yield Path(member.name).name, content.read() if content else b""
    except FileNotFoundError:
        raise InputError(f"{path} does not exist; check the path.") from None
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        raise InputError(f"{path} is not a readable tar archive ({error}); fetch the file again.") from None


def _bound(path: Path, name: str, size: int, before: int) -> None:
    if size > LARGEST:
        raise InputError(
            f"{path}: {name} claims {size:,} bytes, more than the {LARGEST:,} that such a file can have; "
            "fetch the file again."
        )
    if before + size > LARGEST_SUM:
        raise InputError(
            f"{path} unpacks to more than the {LARGEST_SUM:,} bytes that it can have; fetch it again."
        )
