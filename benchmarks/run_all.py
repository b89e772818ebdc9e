"""Runs every benchmark in a process of its own, one after the other; exits 1 if a bar does not hold."""

import subprocess
import sys
from pathlib import Path

BENCHMARKS = (
    *("step.py", "worlds.py", "episodes.py", "render.py"),
    *("train.py", "mapping.py", "evaluate.py", "viewer.py"),
)


def main() -> int:
    """Runs them all, also after one that fails, and passes the options on (`--json`)."""
    folder = Path(__file__).parent
    statuses = [
        subprocess.run([sys.executable, folder / name, *sys.argv[1:]], check=False).returncode
        for name in BENCHMARKS
    ]
    return int(any(statuses))


if __name__ == "__main__":
    sys.exit(main())
