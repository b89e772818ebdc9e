"""What an agent's folder says of itself, read without PyTorch.

config.json         schema, the kind and shape of the networks, habits, the feature space, how it was trained,
                    what is known about it, its results, the size and SHA-256 of the other files, and a
                    checksum over all of this
model.safetensors   the weights, in float16 or float32
vocabulary.json     the words it knows, in order
CARD.md             all that matters of it on a page, for people

No file here is code: networks of somebody's own are named, MODULE:CLASS, and imported from elsewhere.
"""

import json
import math
from pathlib import Path
from typing import Any

from helpanna.errors import InputError
from helpanna.files import sha256
from helpanna.manifest import read_signed

SCHEMA = "helpanna.agent/2"
CONFIG, MODEL, VOCABULARY, CARD = "config.json", "model.safetensors", "vocabulary.json", "CARD.md"

_LONGEST_HEADER = 10_000_000


def read_config(folder: Path) -> dict[str, Any]:
    """What an agent's folder says of itself, once its files are proved to be those it was written with."""
    path = folder / CONFIG
    if not path.is_file():
        raise InputError(f"{folder} holds no agent (no {CONFIG}); name the folder of a trained agent.")
    content = read_signed(path, SCHEMA, "copy or train the agent again")
    files = content.get("files")
    for name in (MODEL, VOCABULARY):
        if not isinstance(files, dict) or not isinstance(files.get(name), dict):
            raise InputError(f"{path} does not name its files; train the agent again.")
        if sha256(folder / name) != files[name].get("sha256"):
            raise InputError(f"{folder / name} is not as it was written; copy or train the agent again.")
    return content


def count_parameters(folder: Path) -> int:
    """How many numbers the agent has learned, from the header of its weights."""
    path = folder / MODEL
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(min(length, _LONGEST_HEADER)))
        return sum(math.prod(entry["shape"]) for name, entry in header.items() if name != "__metadata__")
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        raise InputError(f"{path} is not a safetensors file; copy or train the agent again.") from None
