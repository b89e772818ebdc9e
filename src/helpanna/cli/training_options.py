"""The options of `helpanna train` in the groups of its help; they know whether they were given."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any

import tyro

from helpanna.learning.runs import RunOptions, one_of
from helpanna.learning.settings import (
    HEURISTIC_CURIOSITY,
    WARM_START,
    AskingSettings,
    BatchSettings,
    BeyondSettings,
    ConditionSettings,
    MapSettings,
    RunSettings,
    TrainingSettings,
)

_PAPERS = {f.name: f.default for f in fields(TrainingSettings)}


def _default(name: str, source: str = "paper") -> Any:
    """Tells in --help what an option is if it is not given, and where that comes from."""
    hint = f"(default: {_PAPERS[name]}, as in the {source}; with --warm-start {WARM_START[name]})"
    kind = "INT" if isinstance(_PAPERS[name], int) else "FLOAT"
    return tyro.conf.arg(help_behavior_hint=hint, metavar=kind)


def _size(papers: str, maps: str, kind: str) -> Any:
    """Likewise for the shape of the networks, whose own defaults are known to PyTorch's modules alone."""
    hint = f"(default: {papers}, as in the paper; with --network map {maps}; your own networks': theirs)"
    return tyro.conf.arg(help_behavior_hint=hint, metavar=kind)


_CURIOSITY = tyro.conf.arg(
    help_behavior_hint=f"(default: {_PAPERS['curiosity']}; with another --asking than learned "
    f"{HEURISTIC_CURIOSITY}; with --network lstm 0; all as in the paper; with --network map 0)",
    metavar="FLOAT",
)


@dataclass(frozen=True)
class _DataPart:
    data: Path | None = None
    """The dataset folder."""
    practice: tuple[Path, ...] = ()
    """Other datasets to learn from too, of any kind: see --practice-share; of the same atlas, or of one that
    has the same view features. What the dataset keeps for its evaluations is left out of them."""
    out: Path | None = None
    """The folder of the run: checkpoints, logs, and the agents last/ and best/."""
    resume: Path | None = None
    """Goes on with the run of this folder and its settings; besides, only --until and --device count, and
    --data and --practice if the datasets have been moved."""
    until: int | None = None
    """Stop after this many iterations, to go on later with --resume."""
    features: str | None = None
    """Which view features of the atlas the agent sees; needed where there are several."""
    device: str = "auto"
    """cpu, cuda, or auto: a GPU where there is one."""
    processes: int = 1
    """How many processes of this machine learn together, each with a part of every batch and its share of the
    cores: a little faster than as many threads. Another number changes the last bits of sums, and so the
    agent."""
    autocast: bool = False
    """Compute in bfloat16 where that is safe; for GPUs."""


@dataclass(frozen=True)
class RunPart(RunSettings, _DataPart):
    """What to learn from and where to keep it."""


@dataclass(frozen=True)
class NetworkPart:
    """The agent's networks."""

    network: str = "hierarchical"
    """The paper's agent; or lstm, the encoder-decoder baseline; or map, an agent with a map; or MODULE:CLASS,
    networks of your own, imported from the current folder too."""
    start_from: str | None = None
    """Begin with the weights of this trained agent, a folder or one that comes with the package, not from
    nothing: to go on learning, from other tasks or in other buildings. Its networks and view features must be
    the same; words that it does not know begin from nothing."""
    hidden: Annotated[int | None, _size("256", "128", "INT")] = None
    """The size of all states of the networks."""
    dropout: Annotated[float | None, _size("0.3", "0.2", "FLOAT")] = None
    """Ratio in training."""
    no_inter_reset: bool = False
    """Ablation: the inter-task state is not reset when the task changes."""
    no_similarity_attention: bool = False
    """Ablation: no attention to past situations that were nearly the same (beta = 0)."""


@dataclass(frozen=True)
class LearningPart(BatchSettings):
    """How much and how fast."""

    warm_start: bool = False
    """Learn much sooner than the paper's way: the teacher acts at first and hands over, and the learning rate
    is higher and falls. Other defaults of --learning-rate, --warm-up, --decay, --hand-over, --teacher-floor,
    --weight-decay, --clip and --guard; what you give besides counts."""
    learning_rate: Annotated[float | None, _default("learning_rate")] = None
    """Of Adam."""
    warm_up: Annotated[int | None, _default("warm_up")] = None
    """Iterations in which the learning rate grows to its value."""
    decay: Annotated[
        bool, tyro.conf.arg(help_behavior_hint="(default: no, as in the paper; with --warm-start yes)")
    ] = False
    """Let the learning rate fall to a tenth by the end, along a cosine."""
    no_decay: bool = False
    """Do not, in spite of --warm-start."""
    weight_decay: Annotated[float | None, _default("weight_decay", "published code")] = None
    """Of Adam."""
    hand_over: Annotated[int | None, _default("hand_over")] = None
    """Iterations over which the navigation teacher, who acts at first, hands over to the agent; with 0 the
    agent acts from the start."""
    teacher_floor: Annotated[float | None, _default("teacher_floor")] = None
    """The share of decisions that the teacher keeps after the hand-over."""
    clip: Annotated[float | None, _default("clip")] = None
    """Largest norm of the gradient; 0 for no limit."""


@dataclass(frozen=True)
class ConditionPart(ConditionSettings):
    """The curiosity-encouraging loss, and the conditions of the help-request teacher."""

    curiosity: Annotated[float | None, _CURIOSITY] = None
    """alpha, the weight of the curiosity-encouraging loss."""
    guard: Annotated[float | None, _default("guard")] = None
    """The probability below which the curiosity-encouraging loss makes an action no less probable still. The
    paper has no guard; at 1e-8 it does not act."""
    condition_prediction: Annotated[
        bool,
        tyro.conf.arg(
            help_behavior_hint="(default: yes; no with --network lstm or another --asking than learned)"
        ),
    ] = False
    """Learn to predict the conditions of the help-request teacher too, and decide requests from them. The
    paper's LSTM baseline does not."""
    no_condition_prediction: bool = False
    """Ablation: learn and decide requests directly."""


@dataclass(frozen=True)
class AskingPart(AskingSettings):
    """Who asks, who answers, and what an answer holds."""

    no_language: bool = False
    """Ablation: help is the target image only; the text on a route is empty."""
    no_picture: bool = False
    """Ablation: help is words only; the target image is hidden, on a route and after it."""


@dataclass(frozen=True)
class BeyondPart(BeyondSettings):
    """What the paper's agent does not have."""

    ask_once: bool = False
    """Keep the agent from requesting help twice at a location."""
    patience: int = 0
    """Time steps for which the agent tries a route before it may ask again."""
    shared_text: bool = False
    """One text encoder for both networks; in the paper each has its own."""
    stop_embedding: bool = False
    """The action scorer knows stop by a learned vector; in the paper it is a zero vector."""
    words_in_sight: bool = False
    """Actions, or the places of a map, are also scored by the words of the instruction that name something in
    sight. The atlas needs `helpanna worlds add words` or `... add recognised`."""


@dataclass(frozen=True)
class MapPart(MapSettings):
    """What agents with a map learn from; for --network map only."""

    no_target_sight: bool = False
    """Do not see what the target image shows, only how much places look like it."""
    no_place_attention: bool = False
    """Places do not attend to each other: each is scored by itself."""


def run_options(*parts: Any) -> RunOptions:
    """What was chosen for a run, from all groups."""
    chosen = {name: value for part in parts for name, value in vars(part).items()}
    given = {name: chosen[name] for name in _PAPERS if chosen[name] is not None and name != "decay"}
    decay = one_of("decay", chosen["decay"], chosen["no_decay"])
    if decay is not None:
        given["decay"] = decay
    names = [f.name for f in fields(RunOptions) if f.name != "given"]
    return RunOptions(**{name: chosen[name] for name in names}, given=given)
