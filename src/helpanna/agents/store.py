"""Agents on disk: one folder each; `folders` says what is in it."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, get_args

import torch
from torch import Tensor

from helpanna.agents.cards import make_card
from helpanna.agents.folders import CARD, CONFIG, MODEL, SCHEMA, VOCABULARY, count_parameters, read_config
from helpanna.agents.habits import Habits
from helpanna.agents.networks.kinds import BUILT_IN, kind_of, network_class
from helpanna.agents.networks.protocol import NetworkConfig
from helpanna.agents.tensors import write_tensors
from helpanna.agents.trained import TrainedAgent, agent_with
from helpanna.episodes.conditions import Lost
from helpanna.episodes.trajectory import LONGEST_BUDGET
from helpanna.errors import InputError
from helpanna.files import atomic_folder, read_json, sha256, write_json
from helpanna.manifest import write_signed
from helpanna.tasks.vocabulary import Vocabulary


def save_agent(
    folder: Path,
    networks: torch.nn.Module,
    habits: Habits,
    vocabulary: Vocabulary,
    space: Mapping[str, Any],
    summary: Mapping[str, Any],
    half: bool = False,
    about: Mapping[str, str] | None = None,
    calibration: Mapping[str, Any] | None = None,
) -> None:
    """Writes an agent's folder with its card; an agent that is there is replaced.

    Args:
        folder: where.
        networks: their weights, their class and their `config` are stored.
        habits: how the agent uses them.
        vocabulary: the words the agent knows.
        space: what its view features mean.
        summary: how it was trained, and what it reached.
        half: store float16, half the size.
        about: what can be said of it in words, see `cards.ABOUT`.
        calibration: what `helpanna agents calibrate` found, see `folders`.
    """
    config: Any = networks.config
    weights: dict[str, Tensor] = {
        name: (tensor.half() if half else tensor.float()).detach().cpu().contiguous()
        for name, tensor in networks.state_dict().items()
    }
    replaces = (folder / CONFIG).is_file()
    if folder.exists() and not replaces:
        raise InputError(f"{folder} exists and holds no agent; choose another folder.")
    with atomic_folder(folder, overwrite=True, mark=CONFIG) as temporary:
        write_tensors(temporary / MODEL, weights)
        write_json(temporary / VOCABULARY, list(vocabulary.words))
        files = {
            name: {"size": (temporary / name).stat().st_size, "sha256": sha256(temporary / name)}
            for name in (MODEL, VOCABULARY)
        }
        config_json = {
            "schema": SCHEMA,
            "network": {"kind": kind_of(networks), **asdict(config)},
            "habits": asdict(habits),
            "space": dict(space),
            "summary": dict(summary),
            "about": dict(about or {}),
            "calibration": dict(calibration or {}),
            "results": [],
            "files": files,
        }
        write_signed(temporary / CONFIG, config_json)
        card = make_card(folder.name, config_json, count_parameters(temporary))
        (temporary / CARD).write_text(card, encoding="utf-8")


def load_agent(folder: Path | str, device: torch.device | None = None) -> TrainedAgent:
    """The agent of a folder, ready to act."""
    folder = Path(folder)
    content = read_config(folder)
    made, config = _networks(folder, content)
    habits = _habits(folder, content)
    vocabulary = _vocabulary(folder / VOCABULARY, config.vocabulary)
    networks = made(config)
    _load_weights(networks, folder / MODEL)
    networks.to(device or torch.device("cpu")).eval()
    agent = agent_with(networks, vocabulary, content["space"], device, habits)
    agent.set_bounds = _set_bounds(folder, content)
    agent.predicts = _learned_to_ask(content)
    return agent


def _learned_to_ask(content: Mapping[str, Any]) -> bool:
    """Whether the agent itself requested help in its training, as far as it is said."""
    settings = content["summary"].get("settings", {}) if isinstance(content.get("summary"), dict) else {}
    return not isinstance(settings, dict) or settings.get("asking", "learned") == "learned"


def _networks(folder: Path, content: Mapping[str, Any]) -> tuple[Any, Any]:
    """The class of the networks, and what they are made of."""
    network = content.get("network")
    if isinstance(network, dict) and isinstance(content.get("space"), dict):
        settings = dict(network)
        kind = settings.pop("kind", None)
        if isinstance(kind, str) and (kind in BUILT_IN or ":" in kind):
            made = network_class(kind, never_from=folder)
            with suppress(TypeError):  # a setting that is unknown or missing
                config = made.Config(**settings)
                if not isinstance(config, NetworkConfig) or _is_sound(config):
                    return made, config
    raise InputError(f"{folder / CONFIG} does not describe networks of this version; train the agent again.")


def _is_sound(config: NetworkConfig) -> bool:
    settings = asdict(config)
    dropout = settings.pop("dropout")
    usual = NetworkConfig(features=1, vocabulary=1)
    if not all(type(value) is type(getattr(usual, name)) for name, value in settings.items()):
        return False
    sizes = [value for value in settings.values() if not isinstance(value, bool)]
    return min(sizes) > 0 and config.hidden % config.heads == config.hidden % 2 == 0 and _is_share(dropout)


def _habits(folder: Path, content: Mapping[str, Any]) -> Habits:
    described = content.get("habits")
    if isinstance(described, dict):
        # Agents of before there was a choice see the picture, and act on their networks' probabilities.
        usual = {"picture": True, "patience": 0, "ask_scale": 1.0, "ask_offset": 0.0, "set_above": None}
        described = {**usual, **described}
    if isinstance(described, dict) and described.keys() == {f.name for f in fields(Habits)}:
        habits = Habits(**described)
        flags = (habits.language, habits.picture, habits.ask_once)
        if (
            all(isinstance(flag, bool) for flag in flags)
            and _is_count(habits.patience)
            and _is_share(habits.ask_above)
            and _is_number(habits.ask_scale)
            and habits.ask_scale > 0
            and _is_number(habits.ask_offset)
            and (habits.set_above is None or _is_share(habits.set_above))
            and habits.lost in get_args(Lost)
        ):
            return habits
    raise InputError(f"{folder / CONFIG} does not say how its agent behaves; train the agent again.")


def _set_bounds(folder: Path, content: Mapping[str, Any]) -> dict[str, float]:
    """The bounds of the agent's conformal sets; agents of before there were some have none."""
    calibration = content.get("calibration", {})
    bounds = calibration.get("set_bounds", {}) if isinstance(calibration, dict) else None
    if isinstance(bounds, dict) and all(map(_is_share, bounds.values())):
        return bounds
    raise InputError(f"{folder / CONFIG} has a calibration that cannot be read; calibrate the agent again.")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 100


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LONGEST_BUDGET


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value < 1


def _vocabulary(path: Path, size: int) -> Vocabulary:
    words = read_json(path)
    if isinstance(words, list) and all(isinstance(word, str) for word in words):
        vocabulary = Vocabulary(words)
        if len(vocabulary) == size:
            return vocabulary
    raise InputError(f"{path} does not list the words that the agent knows; copy or train the agent again.")


def _load_weights(networks: torch.nn.Module, path: Path) -> None:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        weights = {name: tensor.float() for name, tensor in load_file(path).items()}
        networks.load_state_dict(weights)
    except (SafetensorError, RuntimeError) as error:
        raise InputError(
            f"{path} does not hold the weights of these networks; copy or train the agent again."
        ) from error
