"""A training run from what was chosen for it: described as in `run.json`, and opened from there."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from helpanna.agents.folders import MODEL, read_config
from helpanna.agents.names import agent_folder
from helpanna.errors import InputError
from helpanna.learning.run_folder import CHECKPOINT, SCHEMA, fingerprint
from helpanna.learning.settings import TrainingSettings, choose_condition_prediction, choose_settings
from helpanna.tasks.dataset import load_dataset

if TYPE_CHECKING:
    import torch
    from torch import nn

    from helpanna.learning.lessons import Lesson
    from helpanna.learning.processes import Processes
    from helpanna.learning.trainer import Trainer


@dataclass(frozen=True)
class RunOptions:
    """What is chosen for a run: the options of `helpanna train` by their names, which explains them.

    Attributes:
        given: the settings (`TrainingSettings`) that somebody gave; the others go with the rest.
    """

    practice: tuple[Path, ...] = ()
    start_from: str | None = None
    features: str | None = None
    network: str = "hierarchical"
    hidden: int | None = None
    dropout: float | None = None
    shared_text: bool = False
    stop_embedding: bool = False
    words_in_sight: bool = False
    no_target_sight: bool = False
    no_place_attention: bool = False
    no_inter_reset: bool = False
    no_similarity_attention: bool = False
    condition_prediction: bool = False
    no_condition_prediction: bool = False
    no_language: bool = False
    no_picture: bool = False
    ask_once: bool = False
    patience: int = 0
    warm_start: bool = False
    autocast: bool = False
    given: Mapping[str, Any] = field(default_factory=dict)

    def settings(self) -> TrainingSettings:
        """All settings: what was given, and for the rest what goes with the other choices."""
        settings = choose_settings(self.given, self.network, self.warm_start)
        settings.check()
        return settings

    def described(self, data: Path) -> dict[str, Any]:
        """All of the run, as it stands in `run.json`."""
        settings = self.settings()
        if self.no_language and self.no_picture:
            raise InputError(
                "--no-language and --no-picture leave nothing of the help; leave out one of them."
            )
        if self.practice:
            settings.check_practice()
        practised = [_named_dataset(folder) for folder in self.practice]
        return {
            "schema": SCHEMA,
            **_named_dataset(data),
            **({"practice": practised} if practised else {}),
            **({"start_from": _named_agent(self.start_from)} if self.start_from else {}),
            "features": self.features,
            "network": self._network(settings),
            "habits": {
                "language": not self.no_language,
                "picture": not self.no_picture,
                "ask_once": self.ask_once,
                "patience": self.patience,
            },
            "autocast": self.autocast,
            "settings": asdict(settings),
        }

    def _network(self, settings: TrainingSettings) -> dict[str, Any]:
        """Their kind and settings: those that were given, and those that go with the other choices."""
        from helpanna.agents.networks.kinds import choose_network_settings, network_class

        wanted = {
            "hidden": self.hidden,
            "dropout": self.dropout,
            "shared_text": self.shared_text or None,
            "stop_embedding": self.stop_embedding or None,
            "words_in_sight": self.words_in_sight or None,
            "sees_target": False if self.no_target_sight else None,
            "place_attention": False if self.no_place_attention else None,
            "inter_reset": False if self.no_inter_reset else None,
            "similarity_attention": False if self.no_similarity_attention else None,
        }
        given = {name: value for name, value in wanted.items() if value is not None}
        predicts = one_of("condition-prediction", self.condition_prediction, self.no_condition_prediction)
        chosen = choose_condition_prediction(predicts, self.network, settings.asking)
        if predicts is not None:
            given["condition_prediction"] = chosen
        usual = {"condition_prediction": chosen, "sees_target": True}
        return {"kind": self.network, **choose_network_settings(network_class(self.network), given, usual)}


def _named_dataset(folder: Path) -> dict[str, str]:
    """Where a dataset is, and what tells it from all others."""
    return {"data": str(folder.resolve()), "fingerprint": fingerprint(load_dataset(folder).folder)}


def _named_agent(name: str) -> dict[str, str]:
    """Where an agent is, and what tells its weights from all others."""
    folder = agent_folder(name)
    return {"agent": str(folder.resolve()), "weights": read_config(folder)["files"][MODEL]["sha256"]}


def _begin(networks: "nn.Module", lesson: "Lesson", start: Mapping[str, str]) -> None:
    """Gives networks the weights of the agent from which a run starts."""
    from helpanna.learning.beginnings import begin_with_agent

    folder = Path(start["agent"])
    if _named_agent(start["agent"]) != start:
        raise InputError(f"{folder} is not the agent any more that this run starts from; start it again.")
    begin_with_agent(networks, lesson.vocabulary, lesson.features.space, folder)


def one_of(option: str, wanted: bool, unwanted: bool) -> bool | None:
    """What the flags --OPTION and --no-OPTION say together; None if neither was given."""
    if wanted and unwanted:
        raise InputError(f"--{option} and --no-{option} were both given; leave out one of them.")
    return wanted if wanted or unwanted else None


def open_trainer(
    run: Path,
    described: Mapping[str, Any],
    device: "torch.device | None" = None,
    processes: "Processes | None" = None,
    say: Callable[[str], None] | None = None,
) -> "Trainer":
    """The trainer of a run that is begun or goes on; see `run_folder.at_work` for its folder.

    Args:
        run: the folder.
        described: what it is begun with, see `RunOptions.described` and `read_run`.
        device: where to compute.
        processes: those that learn together.
        say: told what there is to practise.
    """
    from helpanna.agents.habits import Habits
    from helpanna.agents.networks.kinds import make_networks, network_class
    from helpanna.learning.lessons import Lesson
    from helpanna.learning.practice import practice_splits
    from helpanna.learning.trainer import Trainer
    from helpanna.learning.word_vectors import begin_with_sight

    dataset = load_dataset(Path(described["data"]))
    validation = {name: dataset.split(name) for name in dataset.names if name.startswith("val_")}
    train = dataset.split("train")
    if described["features"] is None and len(kinds := sorted(train.atlas.views.features)) > 1:
        raise InputError(f"--features is missing; the atlas has {', '.join(kinds)}: name one of them.")
    folders = [Path(entry["data"]) for entry in described.get("practice", ())]
    practice = practice_splits(dataset, train, folders, say)
    lesson = Lesson.of(train, validation, described["features"], practice)
    network = dict(described["network"])
    kind, sizes = network.pop("kind"), (lesson.features.size, len(lesson.vocabulary))
    config = network_class(kind).Config(*sizes, **network)
    _check_network(config)
    settings, habits = TrainingSettings(**described["settings"]), Habits(**described["habits"])
    networks = make_networks(kind, config, settings.seed)
    if settings.words_from_sight:
        begin_with_sight(networks, lesson.vocabulary, lesson.features.space)
    if "start_from" in described and not (run / CHECKPOINT).is_file():
        _begin(networks, lesson, described["start_from"])
    return Trainer(run, lesson, networks, settings, habits, device, described["autocast"], processes)


def _check_network(config: Any) -> None:
    from helpanna.agents.networks.protocol import NetworkConfig

    if not isinstance(config, NetworkConfig):
        return  # whoever wrote the networks knows what fits
    if config.hidden < config.heads or config.hidden % config.heads:
        raise InputError(f"--hidden is {config.hidden}; give a multiple of {config.heads}.")
    if not 0 <= config.dropout < 1:
        raise InputError(f"--dropout is {config.dropout}; give a number from 0 to below 1.")
