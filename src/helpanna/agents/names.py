"""Agents by name: `NAVIGATOR[+ASKING][+recognises][+perfect]`, for example `explorer+ask_untried+perfect`.

A navigator is a heuristic, a trained agent that comes with the package, or the folder of a trained agent. And
`human:FILE` does again what the episodes of a trajectory file did, for example a person's.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from helpanna.agents.agent import Agent
from helpanna.agents.asking import AskEvery5, Asking, AskNew, AskPolicy, AskUntried, NoAsk, RandomAsk
from helpanna.agents.explorer import Explorer
from helpanna.agents.heuristics import Forward10, RandomHeading, RandomWalk
from helpanna.agents.recorded import Recorded
from helpanna.agents.skylines import PerfectInterpretation, PerfectRecognition, Shortest
from helpanna.errors import InputError
from helpanna.tasks.split import Split

if TYPE_CHECKING:
    from helpanna.agents.trained import TrainedAgent

NAVIGATORS: Mapping[str, Callable[[int, Split], Agent]] = {
    "random_walk": lambda seed, split: RandomWalk(seed),
    "forward10": lambda seed, split: Forward10(),
    "random_heading": lambda seed, split: RandomHeading(seed),
    "shortest": lambda seed, split: Shortest(split),
    "explorer": lambda seed, split: Explorer(),
}
ASK_POLICIES: Mapping[str, Callable[[int], AskPolicy]] = {
    "no_ask": lambda seed: NoAsk(),
    "random_ask": RandomAsk,
    "ask_every5": lambda seed: AskEvery5(),
    "ask_untried": lambda seed: AskUntried(),
    "ask_new": lambda seed: AskNew(),
}
RECOGNISES, PERFECT = "recognises", "perfect"
"""Skylines: another agent that knows goals, and one that follows routes perfectly."""
_HABIT = re.compile(r"(?P<navigator>.+)\+(?P<habit>no_words|no_picture|(?:price|unsure|patience):[^+]*)")
"""A trained agent with another habit than its own."""
RECORDED = "human:"
MODELS = Path(__file__).parents[1] / "models"
"""The trained agents that come with the package, one folder each."""


def make_agent(name: str, split: Split, seed: int = 0) -> Agent:
    """The agent of this name, for a split.

    Args:
        name: a navigator; then if wanted `+` and an ask policy, which decides when to request help (of
            themselves the heuristic navigators never do), or of a trained agent `+price:P` (it asks where the
            probability that help is wanted is above P) or `+unsure:E` (it asks where the conformal set that
            misses the right action in a share E of decisions is not of one action), `+patience:N` (it tries a
            route for N steps before it asks again), or `+no_words` or `+no_picture` (it takes help without
            these); then if wanted `+recognises`: off routes it stops at goals and nowhere else; then if
            wanted `+perfect`: the navigation teacher acts while on a route. Or `human:FILE`, the decisions of
            a trajectory file.
        split: where it will act; only `shortest`, `+recognises` and `+perfect` are given it, all others see
            what agents see.
        seed: addresses the draws of the agents that draw.
    """
    if name.startswith(RECORDED):
        return Recorded(Path(name.removeprefix(RECORDED)), split)
    navigator, ask_policy, skylines = parts_of(name)
    agent = _navigator(navigator, name, split, seed)
    if ask_policy:
        agent = Asking(agent, ASK_POLICIES[ask_policy](seed))
    if RECOGNISES in skylines:
        agent = PerfectRecognition(agent, split, seed)
    return PerfectInterpretation(agent, split) if PERFECT in skylines else agent


def parts_of(name: str) -> tuple[str, str, tuple[str, ...]]:
    """Of an agent's name the navigator, the ask policy ("" for none), and the skylines that it ends in."""
    rest, perfect = _without_suffix(name, (PERFECT,))
    rest, recognises = _without_suffix(rest, (RECOGNISES,))
    navigator, ask_policy = _without_suffix(rest, tuple(ASK_POLICIES))
    return navigator, ask_policy, tuple(part for part in (recognises, perfect) if part)


def navigator_of(name: str) -> str:
    """Of an agent's name what comes before all `+`: a heuristic, an agent of the package or a folder."""
    navigator = parts_of(name)[0]
    while changed := _HABIT.fullmatch(navigator):
        navigator = changed["navigator"]
    return navigator


def _without_suffix(name: str, suffixes: tuple[str, ...]) -> tuple[str, str]:
    """The name without `+suffix` at its end, and which of the suffixes that was, "" for none."""
    for suffix in suffixes:
        if name.endswith(f"+{suffix}"):
            return name.removesuffix(f"+{suffix}"), suffix
    return name, ""


def _navigator(navigator: str, name: str, split: Split, seed: int) -> Agent:
    if navigator in NAVIGATORS:
        return NAVIGATORS[navigator](seed, split)
    if changed := _HABIT.fullmatch(navigator):
        return _with_habit(changed["navigator"], changed["habit"], name, split, seed)
    if navigator in packaged_agents():
        return _trained(MODELS / navigator)
    if navigator and Path(navigator).exists():
        return _trained(Path(navigator))
    names = (*NAVIGATORS, *packaged_agents())
    raise InputError(
        f"there is no agent {name!r}; an agent is one of {', '.join(names)}, or the folder of a trained one, "
        f"then if wanted one of +{', +'.join(ASK_POLICIES)} (of a trained one "
        f"+price:P, +unsure:E, +patience:N, +no_words, +no_picture), then if wanted +{RECOGNISES}, then if "
        f"wanted +{PERFECT}."
    )


def _with_habit(navigator: str, habit: str, name: str, split: Split, seed: int) -> Agent:
    """A trained agent that does one thing otherwise than its own."""
    agent = _navigator(navigator, name, split, seed)
    if not hasattr(agent, "habits"):
        raise InputError(f"{name}: +{habit} is for trained agents, and {navigator} is none; leave it out.")
    kind, _, value = habit.partition(":")
    if kind == "patience":
        if not re.fullmatch(r"\d{1,4}", value):
            raise InputError(f"{name}: +patience needs a number of time steps, for example +patience:5.")
        agent.habits = replace(agent.habits, patience=int(value))
        return agent
    if (value and not re.fullmatch(r"0?\.\d+|0", value)) or habit.endswith(":"):
        raise InputError(f"{name}: +{kind} needs a number from 0 to below 1, for example +{kind}:0.2.")
    if kind == "unsure":
        changes: dict[str, Any] = {"set_above": _set_bound(agent, float(value), name)}
    elif kind == "price":
        changes = {"ask_above": float(value), "set_above": None}
    else:
        changes = {"language" if kind == "no_words" else "picture": False}
    agent.habits = replace(agent.habits, **changes)
    return agent


def _set_bound(agent: Any, error: float, name: str) -> float:
    bounds = agent.set_bounds
    if f"{error:g}" not in bounds:
        there = f"give one of {', '.join(bounds)}" if bounds else "make some with `helpanna agents calibrate`"
        raise InputError(f"{name}: the agent has no conformal sets for +unsure:{error:g}; {there}.")
    return float(bounds[f"{error:g}"])


def packaged_agents() -> tuple[str, ...]:
    """The names of the trained agents that come with the package."""
    return tuple(sorted(path.parent.name for path in MODELS.glob("*/config.json")))


def agent_folder(name: str) -> Path:
    """The folder of a trained agent: one that comes with the package, by its name, or the one named."""
    return MODELS / name if name in packaged_agents() else Path(name)


def _trained(folder: Path) -> "TrainedAgent":
    try:
        import safetensors  # noqa: F401  # the weights are read with it

        from helpanna.agents.store import load_agent  # the others need no PyTorch
    except ImportError:
        raise InputError(
            'a trained agent needs torch and safetensors; pip install "helpanna[all]".'
        ) from None
    return load_agent(folder)
