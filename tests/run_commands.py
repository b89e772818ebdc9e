"""Runs `helpanna` commands one after the other in one process: `python run_commands.py COMMANDS.json`.

Prints a JSON list of [exit status, what was said on stderr].
"""

import io
import json
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from helpanna.cli.main import main


def outcome(command):
    """The exit status of a command and what it says; a crash is its last words."""
    said = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(said):
        try:
            main(command)
        except SystemExit as stop:
            return [stop.code or 0, said.getvalue()]
        except BaseException:
            return ["crash", traceback.format_exc()]
    return [0, said.getvalue()]


if __name__ == "__main__":
    print(json.dumps([outcome(command) for command in json.loads(Path(sys.argv[1]).read_text())]))
