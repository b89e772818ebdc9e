"""Networks by name: the paper's, its baseline, the one with a map, or anybody's own as `MODULE:CLASS`."""

import importlib
import importlib.util
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from helpanna.agents.mapping.network import MapNetwork
from helpanna.agents.networks.hierarchical import HierarchicalNetworks
from helpanna.agents.networks.lstm import LSTMNetworks
from helpanna.errors import InputError

BUILT_IN: Mapping[str, type[nn.Module]] = {
    "hierarchical": HierarchicalNetworks,
    "lstm": LSTMNetworks,
    "map": MapNetwork,
}
_METHODS = ("begin", "read", "step", "took")
_SIZES = ("features", "vocabulary")


def network_class(kind: str, never_from: Path | None = None) -> Any:
    """The class of networks of this name.

    Args:
        kind: one of `BUILT_IN`, or MODULE:CLASS, imported from where Python looks or from the current folder.
        never_from: a folder whose code is not executed, whatever the current folder is.
    """
    if kind in BUILT_IN:
        return BUILT_IN[kind]
    module, _, name = kind.partition(":")
    if not module or not name:
        raise InputError(
            f"there is no network {kind!r}; give {', '.join(BUILT_IN)} or your own, MODULE:CLASS."
        )
    found = getattr(_imported(module, kind, never_from), name, None)
    if not isinstance(found, type) or not issubclass(found, nn.Module):
        raise InputError(f"the module {module} has no torch.nn.Module {name}; name the networks' class.")
    missing = [method for method in _METHODS if not callable(getattr(found, method, None))]
    if missing:
        raise InputError(f"{kind} has no method {missing[0]}; networks have {', '.join(_METHODS)}.")
    config: Any = getattr(found, "Config", None)
    if not is_dataclass(config) or tuple(f.name for f in fields(config)[:2]) != _SIZES:
        raise InputError(f"{kind} has no Config, a dataclass that begins with {' and '.join(_SIZES)}.")
    return found


def make_networks(kind: str, config: Any, seed: int) -> Any:
    """Untrained networks of this kind and shape; the seed decides their weights."""
    torch.manual_seed(seed)
    return network_class(kind)(config)


def choose_network_settings(made: Any, given: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, Any]:
    """Settings for the `Config` of a class of networks.

    Args:
        made: the class.
        given: settings that somebody asked for; refused where the class has no such setting.
        usual: settings that are taken where the class has them and they were not given.
    """
    names = {f.name for f in fields(made.Config)}
    for name in given:
        if name not in names:
            raise InputError(f"the networks {made.__name__} have no setting {name}; leave it out.")
    return {k: v for k, v in usual.items() if k in names} | dict(given)


def kind_of(networks: nn.Module) -> str:
    """The name by which `network_class` finds the class of these networks."""
    made = type(networks)
    for kind, known in BUILT_IN.items():
        if made is known:
            return kind
    module = made.__module__
    if module == "__main__":  # a script: others import it by the name of its file
        module = Path(getattr(sys.modules[module], "__file__", None) or module).stem
    return f"{module}:{made.__qualname__}"


def _imported(module: str, kind: str, never_from: Path | None) -> Any:
    with _current_folder_too():
        try:
            spec = importlib.util.find_spec(module.partition(".")[0])  # finds without executing anything
            if spec is not None and never_from is not None and _is_inside(spec.origin, never_from):
                raise InputError(f"{kind} lies in the agent's folder, whose code is not executed; move it.")
            return importlib.import_module(module)
        except InputError:
            raise
        except Exception as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise InputError(
                f"the network {kind} cannot be imported ({reason}); call helpanna in the folder of that "
                "module, or put its folder into PYTHONPATH."
            ) from error


def _is_inside(origin: str | None, folder: Path) -> bool:
    return origin is not None and Path(origin).resolve().is_relative_to(folder.resolve())


@contextmanager
def _current_folder_too() -> Iterator[None]:
    """Python looks in the current folder too, after everywhere else."""
    here = str(Path.cwd())
    sys.path.append(here)
    try:
        yield
    finally:
        sys.path.remove(here)
