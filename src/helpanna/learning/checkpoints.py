"""Checkpoints: all that a training run needs to go on as if it had never stopped, in one file.

The file is `checkpoint.safetensors`: the weights, their average where one is kept, Adam's two moments of
each, and as metadata a JSON object with the iteration and what was best so far, and a checksum over all of
it. It is written under another name and then renamed, so that a process killed at any moment leaves the last
whole one. Randomness needs no state: every draw is addressed by the iteration.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from helpanna.agents.tensors import read_tensors, write_tensors
from helpanna.errors import InputError

_MOMENTS = ("exp_avg", "exp_avg_sq")


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    Attributes:
        iteration: how many iterations are done.
        best: the best validation figure so far, -1 for none yet.
        best_iteration: after how many iterations that was.
    """

    iteration: int = 0
    best: float = -1.0
    best_iteration: int = 0


def save_checkpoint(
    path: Path,
    networks: nn.Module,
    adam: torch.optim.Optimizer,
    progress: Progress,
    average: nn.Module | None = None,
) -> None:
    """Writes the checkpoint in one move; `average` are networks with averaged weights, if not the same."""
    tensors: dict[str, Tensor] = {f"weight.{name}": tensor for name, tensor in networks.named_parameters()}
    if average is not None and average is not networks:
        tensors |= {f"average.{name}": tensor for name, tensor in average.named_parameters()}
    for name, parameter in networks.named_parameters():
        state = adam.state.get(parameter, {})
        for moment in _MOMENTS:
            if moment in state:
                tensors[f"{moment}.{name}"] = state[moment]
        if "step" in state:
            tensors[f"step.{name}"] = torch.as_tensor(state["step"]).reshape(1)
    write_tensors(path, tensors, {"progress": json.dumps(vars(progress))})


def load_checkpoint(
    path: Path, networks: nn.Module, adam: torch.optim.Optimizer, average: nn.Module | None = None
) -> Progress:
    """Puts weights, their average and Adam back as they were."""
    try:
        tensors, notes = read_tensors(path)
        progress = Progress(**json.loads(notes["progress"]))
        _restore(networks, adam, tensors)
        if average is not None and average is not networks:
            with torch.no_grad():
                for name, parameter in average.named_parameters():
                    parameter.copy_(tensors[f"average.{name}"])
    except (OSError, KeyError, TypeError, ValueError, RuntimeError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{path} is no checkpoint of this run ({reason}); start the run again.") from None
    return progress


def _restore(networks: nn.Module, adam: torch.optim.Optimizer, tensors: Mapping[str, Tensor]) -> None:
    with torch.no_grad():
        for name, parameter in networks.named_parameters():
            parameter.copy_(tensors[f"weight.{name}"])
            if f"step.{name}" not in tensors:
                continue  # it has had no gradient yet
            state: dict[str, Any] = {
                moment: tensors[f"{moment}.{name}"].to(parameter.device) for moment in _MOMENTS
            }
            state["step"] = tensors[f"step.{name}"].reshape(())
            adam.state[parameter] = state
