"""Waiting for other processes. The limits are for what hangs: a slow machine is no failure."""

import time
from contextlib import suppress
from pathlib import Path


def wait_until(holds, seconds=600.0):
    """Returns when `holds()` does; fails if it never does."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def children(pid):
    """The ids of the processes that a process has started."""
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            _, parent = _state_and_parent(file)
            found += [int(file.parent.name)] if parent == pid else []
    return found


def alive(pid):
    """Whether a process has not ended."""
    try:
        return _state_and_parent(Path(f"/proc/{pid}/stat"))[0] not in ("Z", "X")
    except OSError:
        return False


def _state_and_parent(file):
    state, parent = file.read_text().rpartition(")")[2].split()[:2]
    return state, int(parent)
