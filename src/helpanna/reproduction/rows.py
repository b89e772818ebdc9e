"""What the paper's tables hold: who is trained and how, which agents are compared, on which splits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from helpanna.errors import InputError
from helpanna.learning.runs import RunOptions

BudgetName = Literal["quick", "paper", "smoke"]


@dataclass(frozen=True)
class Budget:
    """How long agents learn, and on how much they are evaluated.

    Attributes:
        options: of `helpanna train`, for all agents.
        given: its settings, likewise.
        maps: settings of agents with a map, which learn best in smaller batches; in place of those.
        agent: which agent of a run is evaluated: the last one, or the best on the last validation split.
        tasks: this many tasks of a split, evenly spread; None for all.
        steps: time steps of an episode in the evaluations.
    """

    options: Mapping[str, Any]
    given: Mapping[str, Any]
    agent: Literal["last", "best"]
    maps: Mapping[str, Any] = field(default_factory=dict)
    tasks: int | None = None
    steps: int = 50


BUDGETS: Mapping[BudgetName, Budget] = {
    # With a learning rate that falls to the end the last agent is good, and no figure is chosen. So short a
    # training does not teach agents that who asks twice at a place is told the same twice.
    "quick": Budget(
        options={"hidden": 128, "dropout": 0.2, "warm_start": True, "ask_once": True},
        given={
            "iterations": 400,
            "batch_size": 64,
            "warm_up": 40,
            "hand_over": 240,
            "evaluate_every": 200,
            "evaluation_tasks": 256,
            "save_every": 20,
            "average": 0.99,
        },
        agent="last",
        maps={
            "iterations": 800,
            "batch_size": 16,
            "budget": 25,
            "learning_rate": 5e-4,
            "warm_up": 60,
            "hand_over": 400,
        },
    ),
    "paper": Budget(options={"hidden": 256}, given={"iterations": 30_000}, agent="best"),
    "smoke": Budget(
        options={"hidden": 8, "warm_start": True},
        given={
            "iterations": 4,
            "batch_size": 4,
            "budget": 5,
            "warm_up": 1,
            "hand_over": 2,
            "evaluate_every": 2,
            "evaluation_tasks": 4,
            "save_every": 1,
        },
        agent="last",
        tasks=12,
        steps=10,
    ),
}
"""The schedules, in one place. smoke is for tests: its agents have learned nothing."""


@dataclass(frozen=True)
class Learner:
    """An agent that is trained.

    Attributes:
        options: of `helpanna train`, beside the budget's.
        given: its settings, likewise.
    """

    options: Mapping[str, Any] = field(default_factory=dict)
    given: Mapping[str, Any] = field(default_factory=dict)

    def chosen(
        self, budget: Budget, features: str | None, seed: int, words_in_sight: bool = False
    ) -> RunOptions:
        """All that is chosen for a run with this seed."""
        maps = budget.maps if self.options.get("network") == "map" else {}
        given = {**budget.given, **maps, **self.given, "seed": seed}
        options = {**budget.options, **self.options, "words_in_sight": words_in_sight}
        return RunOptions(**options, features=features, given=given)


LEARNERS: Mapping[str, Learner] = {
    "final": Learner(),
    "no_ask": Learner({"ask_once": False}, {"asking": "no_ask"}),
    "random_ask": Learner({"ask_once": False}, {"asking": "random_ask"}),
    "ask_every5": Learner({"ask_once": False}, {"asking": "ask_every5"}),
    "no_language": Learner({"no_language": True}),
    "no_picture": Learner({"no_picture": True}),
    "lstm": Learner({"network": "lstm"}),
    "no_curiosity": Learner(given={"curiosity": 0.0}),
    "half_curiosity": Learner(given={"curiosity": 0.5}),
    "late_guard": Learner(given={"guard": 1e-3}),
    "no_guard": Learner(given={"guard": 1e-8}),
    "no_inter_reset": Learner({"no_inter_reset": True}),
    "no_conditions": Learner({"no_condition_prediction": True}),
    "no_similarity": Learner({"no_similarity_attention": True}),
    "map": Learner({"network": "map", "ask_once": True}),
}
"""Those of the paper; one that is helped in words only; other weights and guards of curiosity; the agent
with a map."""


@dataclass(frozen=True)
class Row:
    """An agent as the tables have it.

    Attributes:
        label: as people read it.
        navigator: a heuristic's name (`make_agent`), or that of one of `LEARNERS`.
        suffix: what is added to the agent's name: an ask policy, perfect interpretation.
        paper: what the paper's figures of it are called in `helpanna.evaluation.paper`; "" for none.
        draws: whether another seed gives other figures.
    """

    label: str
    navigator: str
    suffix: str = ""
    paper: str = ""
    draws: bool = True

    @property
    def is_trained(self) -> bool:
        """Whether its navigator has to be trained."""
        return self.navigator in LEARNERS


ROWS: Mapping[str, Row] = {
    "random_walk": Row("RandomWalk", "random_walk", paper="RandomWalk"),
    "forward10": Row("Forward10", "forward10", paper="Forward10", draws=False),
    "no_assistance": Row("No assistance", "no_ask", "+no_ask", "No assistance"),
    "learned": Row("Learned (final)", "final", paper="Learned (final)"),
    "shortest": Row("Shortest", "shortest", paper="Shortest", draws=False),
    "perfect": Row("Perfect interpretation", "final", "+perfect", "Perfect interpretation"),
    "image_only": Row("Target image only", "no_language", paper="Target image only"),
    "words_only": Row("Words only", "no_picture"),
    "random_ask": Row("RandomAsk", "random_ask", "+random_ask", "RandomAsk"),
    "ask_every5": Row("AskEvery5", "ask_every5", "+ask_every5", "AskEvery5"),
    "lstm": Row("LSTM-EncDec", "lstm", paper="LSTM-EncDec"),
    "no_curiosity": Row("No curiosity (alpha = 0)", "no_curiosity", paper="No curiosity"),
    "half_curiosity": Row("Half of the curiosity (alpha = 0.5)", "half_curiosity"),
    "late_guard": Row("Curiosity guarded below 0.001", "late_guard"),
    "no_guard": Row("Curiosity not guarded", "no_guard"),
    "no_inter_reset": Row("No inter-task reset", "no_inter_reset", paper="No inter-task reset"),
    "no_conditions": Row("No condition prediction", "no_conditions", paper="No condition prediction"),
    "no_similarity": Row("No cosine-similarity attention", "no_similarity", paper="No similarity attention"),
    "map": Row("Agent with a map", "map"),
}

MAIN_METRICS = ("success_rate", "spl", "navigation_error", "requests_per_task")
REPEATS = ("navigation_mistake_repeat", "help_request_repeat_asked")
CONDITIONS = ("lost", "uncertain_wrong", "already_asked")


@dataclass(frozen=True)
class TableKind:
    """A table of the paper.

    Attributes:
        title: above it.
        rows: who is in it, names of `ROWS`.
        splits: where they are evaluated: "seen" and "unseen" stand for the test splits, where a dataset has
            none of them for the validation splits.
        metrics: its columns, for each split.
    """

    title: str
    rows: tuple[str, ...] = ()
    splits: tuple[str, ...] = ("seen", "unseen")
    metrics: tuple[str, ...] = MAIN_METRICS


TABLES: Mapping[str, TableKind] = {
    "data": TableKind("Data split", splits=(), metrics=()),
    "main": TableKind(
        "Main results", ("random_walk", "forward10", "no_assistance", "learned", "shortest", "perfect")
    ),
    "assistance": TableKind("Types of assistance", ("image_only", "words_only", "learned")),
    "ask": TableKind(
        "Help-request policies, each with a navigator of its own",
        ("no_assistance", "random_ask", "ask_every5", "learned"),
    ),
    "model": TableKind(
        "Model and curiosity",
        ("lstm", "no_curiosity", "learned"),
        ("unseen",),
        ("success_rate", *REPEATS, "requests_per_task"),
    ),
    "ablations": TableKind(
        "Ablations, on the validation splits",
        ("learned", "no_inter_reset", "no_conditions", "no_similarity", "no_curiosity"),
        ("val_seen", "val_unseen"),
        (*MAIN_METRICS, *REPEATS),
    ),
    "curiosity": TableKind(
        "Beyond the paper: how much curiosity, and where it ends",
        ("no_curiosity", "half_curiosity", "learned", "late_guard", "no_guard"),
        ("val_seen", "val_unseen"),
        ("success_rate", "spl", "requests_per_task", "navigation_mistake_repeat"),
    ),
    "behaviour": TableKind("Help-request behaviour of the learned agent", ("learned",), ("unseen",), ()),
    "map": TableKind(
        "Beyond the paper: the agent with a map",
        ("learned", "map"),
        metrics=(*MAIN_METRICS, "navigation_mistake_repeat"),
    ),
}

MAIN_ROWS = TABLES["main"].rows


def chosen_tables(only: str | None) -> tuple[str, ...]:
    """The tables that "main,ask" names, in their usual order; all if nothing is said."""
    if only is None:
        return tuple(TABLES)
    names = [name.strip() for name in only.split(",")]
    for name in names:
        if name not in TABLES:
            raise InputError(
                f"--only {only}: there is no table {name!r}; the tables are {', '.join(TABLES)}."
            )
    return tuple(name for name in TABLES if name in names)


def chosen_seeds(option: str, seeds: str) -> tuple[int, ...]:
    """The seeds that "1,2,3" names."""
    parts = [part.strip() for part in seeds.split(",")]
    if not all(part.isdecimal() and int(part) < 2**31 for part in parts) or len(set(parts)) < len(parts):
        raise InputError(f"--{option} is {seeds!r}; give different whole numbers from 0, as 1,2,3.")
    return tuple(map(int, parts))


def split_names(place: str, there: Sequence[str]) -> str | None:
    """The split of a dataset that stands for "seen" or "unseen", or is named; None if it has none."""
    wanted = (f"test_{place}", f"val_{place}") if place in ("seen", "unseen") else (place,)
    return next((name for name in wanted if name in there), None)
