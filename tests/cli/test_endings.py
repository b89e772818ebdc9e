"""How commands end when the system, not the user's data, is in the way."""

import errno
import subprocess
import sys

import pytest

from helpanna.cli import main as entry
from helpanna.cli.main import main
from helpanna.errors import InputError


def ending(monkeypatch, capsys, error):
    """The exit status and the words after a command that fails so."""

    def fail(arguments):
        raise error

    monkeypatch.setattr(entry, "_run", fail)
    with pytest.raises(SystemExit) as stop:
        main(["score", "x"])
    return stop.value.code, capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (PermissionError(errno.EACCES, "Permission denied", "/a/b"), 2, "/a/b cannot be used (Permission d"),
        (
            OSError(errno.ENAMETOOLONG, "File name too long", b"/x\xff"),
            2,
            "/x\\udcff cannot be used",
        ),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), 2, "the memory is not enough; "),
        (MemoryError("Unable to allocate 8 TiB"), 2, "the memory is not enough (Unable to allocate 8 TiB); "),
        (MemoryError(), 2, "the memory is not enough; ask for less"),
        (OSError(errno.EAGAIN, "Resource temporarily unavailable"), 2, "the system refused (Resource"),
        (KeyboardInterrupt(), 130, "interrupted; nothing is half-written."),
    ],
)
def test_failures_of_the_system_are_one_sentence(monkeypatch, capsys, error, status, words):
    code, said = ending(monkeypatch, capsys, error)
    assert code == status and said.startswith(f"helpanna: {words}") and len(said.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("", "expected one of {worlds, tasks, train, "),
        ("nonsense", "unrecognized options: nonsense; available subcommands: worlds, tasks, "),
        ("worlds info", "missing from helpanna worlds info: PATH; see helpanna worlds info --help."),
        ("evaluate --data", "missing value for argument '--data'; expected 1 values; see "),
        ("worlds generate --out x --kind huge", "invalid choice 'huge' for argument '--kind'; expected one "),
        ("score x --seed many", "--seed is 'many'; give a whole number; see helpanna"),
        ("train --dropout much", "--dropout is 'much'; give a number; see helpanna"),
        ("train --dropot 3", "unrecognized options: --dropot, 3; perhaps you meant: --dropout FLOAT; see "),
    ],
)
@pytest.mark.parametrize("columns", ["40", "200"])
def test_what_cannot_be_read_is_one_sentence(monkeypatch, capsys, columns, arguments, words):
    monkeypatch.setenv("COLUMNS", columns)
    with pytest.raises(SystemExit) as stop:
        main(arguments.split())
    said = capsys.readouterr().err
    assert stop.value.code == 2 and said.startswith(f"helpanna: {words}") and said.endswith(".\n")
    assert len(said.splitlines()) == 1


def test_a_sentence_stays_one_line(monkeypatch, capsys):
    def fail(arguments):
        entry._complain("a name with a\nline break cannot be used.", 2)

    monkeypatch.setattr(entry, "_run", fail)
    with pytest.raises(SystemExit):
        main(["score", "x"])
    assert capsys.readouterr().err == "helpanna: a name with a line break cannot be used.\n"


def run(arguments, redirect):
    command = f"{sys.executable} -m helpanna.cli {arguments} {redirect}"
    return subprocess.run(command, shell=True, capture_output=True, text=True, timeout=300)


@pytest.mark.slow
def test_output_that_cannot_be_written_is_one_sentence():
    for arguments in ("--version", "--help"):
        full = run(arguments, "> /dev/full")
        assert full.returncode == 2
        assert full.stderr == (
            "helpanna: the output cannot be written (No space left on device); send it elsewhere.\n"
        )
        closed = run(arguments, ">&-")
        assert closed.returncode in (0, 2) and "Traceback" not in closed.stderr
    mute = run("nonsense", "2>&-")
    assert mute.returncode == 2 and mute.stdout == ""


_INTERRUPTED_AT_IMPORT = """
import signal, sys

module, sys.argv[1] = sys.argv[1], "worlds"

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
from helpanna.cli.main import main
main()
"""

_INTERRUPTED_AFTER_THE_END = """
import atexit, signal
from helpanna.cli.main import main
atexit.register(signal.raise_signal, signal.SIGINT)
main()
"""


def run_program(program, argument):
    command = [sys.executable, "-c", program, argument]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


@pytest.mark.slow
@pytest.mark.parametrize("module", ["gymnasium", "helpanna.cli.parsing", "tyro", "helpanna.cli.worlds"])
def test_an_early_interrupt_shows_no_stack_trace(module):
    """While this module is about to be imported: the first of them before `main` is there at all."""
    done = run_program(_INTERRUPTED_AT_IMPORT, module)
    said = "" if module == "gymnasium" else "helpanna: interrupted; nothing is half-written.\n"
    assert (done.returncode, done.stderr) == (130, said)


@pytest.mark.slow
def test_an_interrupt_after_the_last_word_changes_nothing():
    done = run_program(_INTERRUPTED_AFTER_THE_END, "worlds")
    assert done.returncode == 2 and "Traceback" not in done.stderr and len(done.stderr.splitlines()) == 1


def test_bad_input_keeps_its_own_words(monkeypatch, capsys):
    from helpanna.cli.score import Score

    def fail(self):
        raise InputError("x.jsonl does not exist; check the path.")

    monkeypatch.setattr(Score, "run", fail)
    with pytest.raises(SystemExit) as stop:
        main(["score", "x.jsonl"])
    assert stop.value.code == 2
    assert capsys.readouterr().err == "helpanna: x.jsonl does not exist; check the path.\n"
