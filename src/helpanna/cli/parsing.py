"""What the user typed, read; what cannot be read is said in one sentence."""

import io
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from typing import Any

import tyro

from helpanna.errors import InputError

_FRAME = "─╭╮╰╯-+ "
_HELP_INDENT = 8
"""From here on the parser's lines repeat the help of an option, which is not part of what is wrong."""
_NO_TYPE = r"(?i)error parsing (\S+): no type matching \S*\b%s\b\S* could be instantiated from \[(.*?)\].*"
_PLAINER = (
    (_NO_TYPE % "INT", r"\1 is \2; give a whole number"),
    (_NO_TYPE % "FLOAT", r"\1 is \2; give a number"),
    (
        r"Error parsing (\S+): invalid literal for int.*: (.*)",
        r"\1 is \2; give a whole number",
    ),
    (r"Error parsing (\S+): could not convert string to float: (.*)", r"\1 is \2; give a number"),
    (r"\. Expected (.*)", r"; expected \1"),
)
_CONFIG = (
    tyro.conf.OmitArgPrefixes,
    tyro.conf.OmitSubcommandPrefixes,
    tyro.conf.FlagCreatePairsOff,
)


def parse(commands: Any, description: str, arguments: list[str]) -> Any:
    """The command that was typed.

    Raises:
        InputError: there is no such command or option, or a value is missing or of another kind.
        SystemExit: help was asked for, and shown.
    """
    said = io.StringIO()
    try:
        with redirect_stderr(said), _wide(not {"-h", "--help"} & set(arguments)):
            return tyro.cli(
                commands, prog="helpanna", description=description, args=arguments, config=_CONFIG
            )
    except SystemExit as stop:
        if stop.code != 2:
            raise
    raise InputError(one_sentence(said.getvalue()))


@contextmanager
def _wide(wide: bool) -> Iterator[None]:
    """Keeps the parser from breaking the lines of what it says; pages of help have the terminal's width."""
    before = os.environ.get("COLUMNS")
    if wide:
        os.environ["COLUMNS"] = "10000"
    try:
        yield
    finally:
        if wide:
            del os.environ["COLUMNS"]
            os.environ.update({} if before is None else {"COLUMNS": before})


def one_sentence(box: str) -> str:
    """The message that the parser draws as a box with rules and the help of options, as one sentence."""
    sections: list[list[str]] = [[]]
    for line in re.sub(r"\x1b\[[0-9;]*m", "", box).splitlines()[1:]:  # without the title
        text = re.sub(r"^[│|] ?|[│|]$", "", line).rstrip()
        if not text.strip(_FRAME):
            sections.append([])
        elif len(text) - len(text.lstrip()) < _HELP_INDENT:
            sections[-1].append(text.strip())
    said = [part for lines in sections if lines and (part := _joined(lines))]
    return "; ".join(said) + "."


def _joined(lines: list[str]) -> str:
    if lines[0].startswith(("Argument helptext", "Got errors")):
        return ""
    text = " ".join(lines[:1]) + (" " + ", ".join(lines[1:]) if lines[1:] else "")
    if text.startswith("For full helptext"):
        return "see " + re.sub(r"^For full helptext, (run:?|see) ", "", text)
    for pattern, plain in _PLAINER:
        text = re.sub(pattern, plain, text)
    return text[:1].lower() + text[1:].rstrip(".!")
