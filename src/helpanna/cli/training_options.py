"""The options of `helpanna train` that know whether they were given."""

from dataclasses import asdict, dataclass, fields
from typing import Annotated, Any

import tyro

from helpanna.learning.runs import one_of
from helpanna.learning.settings import (
    HEURISTIC_CURIOSITY,
    WARM_START,
    SteadySettings,
    TrainingSettings,
)

_PAPERS = {f.name: f.default for f in fields(TrainingSettings)}


def _default(name: str, source: str = "paper") -> Any:
    """Tells in --help what an option is if it is not given, and where that comes from."""
    hint = f"(default: {_PAPERS[name]}, as in the {source}; with --warm-start {WARM_START[name]})"
    kind = "INT" if isinstance(_PAPERS[name], int) else "FLOAT"
    return tyro.conf.arg(help_behavior_hint=hint, metavar=kind)


_CURIOSITY = tyro.conf.arg(
    help_behavior_hint=f"(default: {_PAPERS['curiosity']}; with another --asking than learned "
    f"{HEURISTIC_CURIOSITY}; with --network lstm 0; all as in the paper)",
    metavar="FLOAT",
)


@dataclass(frozen=True)
class TrainingOptions(SteadySettings):
    """As `TrainingSettings`, but what depends on other choices is None until it is given."""

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
    curiosity: Annotated[float | None, _CURIOSITY] = None
    """alpha, the weight of the curiosity-encouraging loss."""
    guard: Annotated[float | None, _default("guard")] = None
    """The probability below which the curiosity-encouraging loss makes an action no less probable still. The
    paper has no guard; at 1e-8 it does not act."""
    hand_over: Annotated[int | None, _default("hand_over")] = None
    """Iterations over which the navigation teacher, who acts at first, hands over to the agent; with 0 the
    agent acts from the start."""
    teacher_floor: Annotated[float | None, _default("teacher_floor")] = None
    """The share of decisions that the teacher keeps after the hand-over."""
    clip: Annotated[float | None, _default("clip")] = None
    """Largest norm of the gradient; 0 for no limit."""

    def given(self) -> dict[str, Any]:
        """The settings that were given."""
        given = {name: value for name, value in asdict(self).items() if value is not None}
        decay = one_of("decay", given.pop("decay"), given.pop("no_decay"))
        return given if decay is None else given | {"decay": decay}
