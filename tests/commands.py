"""`helpanna` commands in processes of their own, which can be interrupted and killed.

They are forks of a server that has loaded everything once: a process begins to train at once.
"""

import os
import sys
from multiprocessing import get_context
from pathlib import Path

from helpanna.cli.main import main

_PRELOADED = ["helpanna.cli.main", "helpanna.learning.trainer", "torch._dynamo", "torch.utils.tensorboard"]


class Command:
    """A running command; what it says is in the file `words`."""

    def __init__(self, arguments, words, environment=None):
        context = get_context("forkserver")
        context.set_forkserver_preload(_PRELOADED)
        self.words = Path(words)
        self._process = context.Process(target=_run, args=(arguments, str(words), environment or {}))
        self._process.start()
        self.pid = self._process.pid

    def wait(self, seconds=None):
        """Its exit status; None if it has not ended in this many seconds."""
        self._process.join(seconds)
        return self._process.exitcode

    def kill(self):
        """Ends it at once (SIGKILL)."""
        self._process.kill()
        self._process.join()


def _run(arguments, words, environment):
    os.environ.update(environment)
    with Path(words).open("w", encoding="utf-8", buffering=1) as file:
        sys.stdout = sys.stderr = file
        main(arguments)
