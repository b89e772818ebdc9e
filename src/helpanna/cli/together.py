"""A command in several processes of this machine that work together, started by PyTorch's launcher."""

import logging
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from helpanna.cli.console import say

_INTERRUPTED = 130


def is_one_of_several() -> bool:
    """Whether this process was started as one of several, here or by `torchrun`."""
    return "WORLD_SIZE" in os.environ


def run_together(processes: int, arguments: Sequence[str]) -> NoReturn:
    """Runs `helpanna ARGUMENTS` in so many processes, each with its share of the cores; exits as they do.

    The first of them is heard, and of another one its last words if it fails first.
    """
    from torch.distributed.elastic.multiprocessing.api import SignalException
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
    from torch.distributed.run import main as launch

    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // processes)))
    logging.disable(logging.CRITICAL)  # what the launcher tells of its work is for those who debug it
    with tempfile.TemporaryDirectory() as unheard:
        silent = ",".join(f"{rank}:3" for rank in range(1, processes))
        options = ["--standalone", f"--nproc-per-node={processes}", f"--redirects={silent}"]
        try:
            launch([*options, f"--log-dir={unheard}", "-m", "helpanna.cli", *arguments])
        except ChildFailedError as error:
            rank, failure = error.get_first_failure()
            if rank != 0:
                for said in Path(unheard).rglob(f"{rank}/stderr.log"):
                    say("\n".join(said.read_text(encoding="utf-8", errors="replace").splitlines()[-1:]))
            sys.exit(failure.exitcode if failure.exitcode > 0 else 1)
        except SignalException:
            sys.exit(_INTERRUPTED)
    sys.exit(0)
