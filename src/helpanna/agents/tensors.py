"""Tensors on disk: safetensors files that appear whole, with the user's permissions, and prove themselves."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor

from helpanna.files import atomic_file

_NOTES, _CHECKSUM = "notes", "sha256"


def write_tensors(path: Path, tensors: Mapping[str, Tensor], notes: Mapping[str, str] | None = None) -> None:
    """Writes tensors and notes about them in one move, with a checksum over all of it."""
    from safetensors.torch import save

    plain = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    # One entry only: several have no order, and files with the same content would differ.
    metadata = {
        _NOTES: json.dumps({**(notes or {}), _CHECKSUM: _checksum(plain, notes or {})}, sort_keys=True)
    }
    # As bytes: `save_file` writes under a name of its own first, which a kill would leave there.
    with atomic_file(path) as temporary:
        temporary.write_bytes(save(plain, metadata))


def read_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """What `write_tensors` wrote.

    Raises:
        ValueError: the file is damaged, or was written by something else.
        OSError: it cannot be read.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # not a dict
            notes = json.loads((file.metadata() or {}).get(_NOTES, "{}"))
    except SafetensorError as error:
        raise ValueError(str(error)) from None
    if not isinstance(notes, dict) or notes.pop(_CHECKSUM, None) != _checksum(tensors, notes):
        raise ValueError("it has changed since it was written")
    return tensors, notes


def _checksum(tensors: Mapping[str, Tensor], notes: Mapping[str, str]) -> str:
    digest = hashlib.sha256(repr(sorted(notes.items())).encode())
    for name in sorted(tensors):
        tensor = tensors[name]
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        digest.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()
