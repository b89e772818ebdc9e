"""`helpanna`: the entry point, and what happens when something goes wrong.

What takes time to import is imported within `main`, where an early Ctrl-C is heard.
"""

import errno
import os
import signal
import sys
from contextlib import suppress
from typing import Any, NoReturn

_DESCRIPTION = """Agents that find their way by asking for help.

Shell completion: helpanna --tyro-print-completion bash > FILE (or zsh, tcsh), then source FILE.
The version: helpanna --version."""


def main(arguments: list[str] | None = None) -> None:
    """Runs one command; exits with 2 on bad input, 130 when interrupted."""
    if sys.stdout is None or sys.stderr is None:  # they were closed (`helpanna ... >&-`)
        nowhere = open(os.devnull, "w")  # noqa: PTH123, SIM115  # open until the process ends
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
    try:
        _run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        _complain("interrupted; nothing is half-written.", 130)
    except BrokenPipeError:
        # The reader of our output has gone (`helpanna ... | head`): leave without complaint.
        _abandon_output()
        sys.exit(1)
    except MemoryError as error:
        _complain(_no_memory(str(error)), 2)
    except OSError as error:
        _complain(_what_failed(error), 2)
    finally:
        if arguments is None:  # the process ends here: a Ctrl-C from now on comes too late to matter
            signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run(arguments: list[str]) -> None:
    from helpanna.errors import InputError

    if arguments == ["--version"]:
        from helpanna.version import __version__

        print(f"helpanna {__version__}", flush=True)
        return
    try:
        from helpanna.cli.parsing import parse

        parse(_commands(), _DESCRIPTION, arguments).run()
        sys.stdout.flush()
    except InputError as error:
        from helpanna.cli.console import plain

        _complain(plain(str(error)), 2)


def _commands() -> Any:
    from typing import Annotated

    from tyro.conf import subcommand

    from helpanna.cli.agents import Agents
    from helpanna.cli.demo import Demo
    from helpanna.cli.evaluate import Evaluate
    from helpanna.cli.export import Export
    from helpanna.cli.reproduce import Reproduce
    from helpanna.cli.score import Score
    from helpanna.cli.tasks import Tasks
    from helpanna.cli.train import Train
    from helpanna.cli.view import View
    from helpanna.cli.worlds import Worlds

    return (
        Annotated[Worlds, subcommand("worlds", description="Buildings: generate, import, check, look at.")]
        | Annotated[Tasks, subcommand("tasks", description="Datasets: build, check, look at.")]
        | Annotated[Train, subcommand("train")]
        | Annotated[Agents, subcommand("agents", description="Trained agents: list, look at, pack.")]
        | Annotated[Evaluate, subcommand("evaluate")]
        | Annotated[Score, subcommand("score")]
        | Annotated[Export, subcommand("export")]
        | Annotated[View, subcommand("view")]
        | Annotated[Reproduce, subcommand("reproduce")]
        | Annotated[Demo, subcommand("demo")]
    )


def _no_memory(reason: str) -> str:
    told = f" ({reason})" if reason else ""
    return f"the memory is not enough{told}; ask for less at once, or use a larger machine."


def _what_failed(error: OSError) -> str:
    """What the system refused, and of which file."""
    reason = error.strerror or str(error)
    if error.filename is not None:
        return f"{os.fsdecode(error.filename)} cannot be used ({reason}); name another one."
    if error.errno == errno.ENOMEM:
        return _no_memory("")
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF, errno.EIO):
        _abandon_output()  # our files are written under their names: what has none is standard output
        return f"the output cannot be written ({reason}); send it elsewhere."
    return f"the system refused ({reason})."


def _abandon_output() -> None:
    """Lets nothing that is left over be written when the process ends: it would fail again."""
    with suppress(OSError, ValueError, AttributeError):  # it is closed already, or no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str, status: int) -> NoReturn:
    """One sentence on standard error, whatever letters file names have, and the end."""
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    text = f"helpanna: {message}".encode(encoding, "backslashreplace").decode(encoding)
    with suppress(OSError):
        print(" ".join(text.splitlines()), file=sys.stderr, flush=True)
    sys.exit(status)
