"""Debian's Chromium for the tests in a browser: found, or installed where that is possible."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_SECONDS = 300
_APT = ("apt-get", "--yes", "-o", "DPkg::Lock::Timeout=120")  # somebody else may be installing something
# The list of packages may be empty or old; if it cannot be renewed, the old one may still do.
_STEPS = (["update"], ["install", "--no-install-recommends", "chromium"])


def chromium(lock: Path) -> tuple[str | None, str]:
    """Where Chromium is, or None and why it is not there.

    Args:
        lock: a file that all workers of a test run share: one of them installs while the others wait.
    """
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # until the file is closed, or its process ends
        found = _find()
        if found is not None:
            return found, ""
        if shutil.which("apt-get") is None or os.geteuid() != 0:
            return None, "that takes apt-get and root"
        said = _install()
        return _find(), said


def _find() -> str | None:
    return next(filter(None, map(shutil.which, _NAMES)), None)


def _install() -> str:
    """The last line that apt-get wrote."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    said = ""
    for step in _STEPS:
        try:
            done = subprocess.run(
                [*_APT, *step], env=environment, capture_output=True, text=True, timeout=_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            said = f"apt-get {step[0]} took longer than {_SECONDS} s"
        else:
            said = (done.stderr or done.stdout).strip().rpartition("\n")[2]
    return said
