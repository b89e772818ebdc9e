"""The package as people install it: its wheel, in environments where only what it asks for is there."""

import os
import signal
import subprocess
import sys
import venv
from contextlib import contextmanager
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
_CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def build_wheel(folder):
    """The wheel, built as `pip install .` builds it; skips if what builds it cannot be fetched."""
    command = [sys.executable, "-m", "pip", "wheel", str(ROOT), "--no-deps", "-q", "-w", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, env=_CLEAN, timeout=300)
    if done.returncode and any(
        sign in done.stderr
        for sign in ("No module named pip", "No matching distribution found for hatchling", "Connection")
    ):
        pytest.skip(f"pip cannot fetch what builds the wheel: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    (wheel,) = Path(folder).glob("*.whl")
    return wheel


def needed(requirements, extras=()):
    """The distributions that requirements pull in, by name.

    Args:
        requirements: lines as in the metadata of a distribution.
        extras: those of that distribution that are wanted.

    Raises:
        PackageNotFoundError: one of them is not installed here.
    """
    found: dict[str, Distribution] = {}
    done = set()
    waiting = [(line, tuple(extras)) for line in requirements]
    while waiting:
        line, wanted = waiting.pop()
        requirement = Requirement(line)
        marker = requirement.marker
        if marker and not any(marker.evaluate({"extra": extra}) for extra in ("", *wanted)):
            continue
        key = (canonicalize_name(requirement.name), frozenset(requirement.extras))
        if key in done:
            continue
        done.add(key)
        if key[0] == "helpanna":  # an extra that is made of others
            waiting += [(line, tuple(requirement.extras)) for line in requirements]
            continue
        found[key[0]] = there = distribution(requirement.name)
        assert requirement.specifier.contains(there.version, prereleases=True), (line, there.version)
        waiting += [(line, tuple(requirement.extras)) for line in there.requires or ()]
    return found


class Install:
    """A new environment with links to some installed distributions, and nothing else.

    Attributes:
        python: its interpreter.
        packages: its site-packages.
    """

    def __init__(self, folder, distributions):
        venv.create(folder, with_pip=False, symlinks=True)
        self.python = folder / "bin" / "python"
        (self.packages,) = folder.glob("lib/python*/site-packages")
        for one in distributions:
            for file in one.files or ():
                if ".." not in file.parts and file.suffix != ".pth":
                    self._link(Path(one.locate_file("")), file.parts)

    def _link(self, source, parts):
        """Links the first folder on the way that belongs to one distribution alone, or the file."""
        for depth in range(1, len(parts) + 1):
            there, here = source.joinpath(*parts[:depth]), self.packages.joinpath(*parts[:depth])
            if here.is_symlink() or there.name == "__pycache__" or not there.exists():
                return
            shared = (
                there.is_dir() and not (there / "__init__.py").exists() and ".dist-info" not in there.name
            )
            if not shared:
                here.symlink_to(there)
                return
            here.mkdir(exist_ok=True)

    def add_wheel(self, wheel):
        """Installs the wheel itself as pip does."""
        pip = [sys.executable, "-m", "pip", "--python", str(self.python), "install", "-q"]
        subprocess.run([*pip, "--no-deps", "--no-index", str(wheel)], check=True, env=_CLEAN, timeout=300)

    def add_links_to(self, other):
        """Shows the package as another environment has it."""
        for path in other.packages.glob("helpanna*"):
            (self.packages / path.name).symlink_to(path)

    def run(self, *command, folder):
        """Runs a program of this environment, in a folder where nothing can be imported from."""
        environment = _CLEAN | {"PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            [str(part) for part in command],
            capture_output=True,
            text=True,
            env=environment,
            cwd=folder,
            timeout=600,
        )

    @contextmanager
    def started(self, *command, folder):
        """The process of a program while it runs, and the file of what it says; ends as after Ctrl-C."""
        words = folder / "words"
        with words.open("w") as file:
            process = subprocess.Popen(
                [str(part) for part in command], stdout=file, stderr=file, env=_CLEAN, cwd=folder
            )
        try:
            yield process, words
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(120)


__all__ = ["ROOT", "Install", "PackageNotFoundError", "build_wheel", "needed"]
