"""Agents by name: `NAVIGATOR[+ASK_POLICY][+perfect]`, for example `explorer+ask_untried+perfect`.

A navigator is a heuristic, a trained agent that comes with the package, or the folder of a trained agent. And
`human:FILE` does again what the episodes of a trajectory file did, for example a person's.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from helpanna.agents.agent import Agent
from helpanna.agents.asking import AskEvery5, Asking, AskNew, AskPolicy, AskUntried, NoAsk, RandomAsk
from helpanna.agents.explorer import Explorer
from helpanna.agents.heuristics import Forward10, RandomHeading, RandomWalk
from helpanna.agents.recorded import Recorded
from helpanna.agents.skylines import PerfectInterpretation, Shortest
from helpanna.errors import InputError
from helpanna.tasks.split import Split

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
PERFECT = "perfect"
RECORDED = "human:"
MODELS = Path(__file__).parents[1] / "models"
"""The trained agents that come with the package, one folder each."""


def make_agent(name: str, split: Split, seed: int = 0) -> Agent:
    """The agent of this name, for a split.

    Args:
        name: a navigator; then if wanted `+` and an ask policy, which decides when to request help (of
            themselves the heuristic navigators never do); then if wanted `+perfect`: the navigation teacher
            acts while on a route. Or `human:FILE`, the decisions of a trajectory file.
        split: where it will act; only `shortest` and `+perfect` are given it, all others see what agents see.
        seed: addresses the draws of the agents that draw.
    """
    if name.startswith(RECORDED):
        return Recorded(Path(name.removeprefix(RECORDED)), split)
    navigator, ask_policy, perfect = parts_of(name)
    agent = _navigator(navigator, name, split, seed)
    if ask_policy:
        agent = Asking(agent, ASK_POLICIES[ask_policy](seed))
    return PerfectInterpretation(agent, split) if perfect else agent


def parts_of(name: str) -> tuple[str, str, bool]:
    """Of an agent's name the navigator, the ask policy ("" for none), and whether it ends in `+perfect`."""
    rest, perfect = _without_suffix(name, (PERFECT,))
    navigator, ask_policy = _without_suffix(rest, tuple(ASK_POLICIES))
    return navigator, ask_policy, bool(perfect)


def _without_suffix(name: str, suffixes: tuple[str, ...]) -> tuple[str, str]:
    """The name without `+suffix` at its end, and which of the suffixes that was, "" for none."""
    for suffix in suffixes:
        if name.endswith(f"+{suffix}"):
            return name.removesuffix(f"+{suffix}"), suffix
    return name, ""


def _navigator(navigator: str, name: str, split: Split, seed: int) -> Agent:
    if navigator in NAVIGATORS:
        return NAVIGATORS[navigator](seed, split)
    if navigator in packaged_agents():
        return _trained(MODELS / navigator)
    if navigator and Path(navigator).exists():
        return _trained(Path(navigator))
    names = (*NAVIGATORS, *packaged_agents())
    raise InputError(
        f"there is no agent {name!r}; an agent is one of {', '.join(names)}, or the folder of a trained one, "
        f"then if wanted one of +{', +'.join(ASK_POLICIES)}, then if wanted +{PERFECT}."
    )


def packaged_agents() -> tuple[str, ...]:
    """The names of the trained agents that come with the package."""
    return tuple(sorted(path.parent.name for path in MODELS.glob("*/config.json")))


def agent_folder(name: str) -> Path:
    """The folder of a trained agent: one that comes with the package, by its name, or the one named."""
    return MODELS / name if name in packaged_agents() else Path(name)


def _trained(folder: Path) -> Agent:
    try:
        import safetensors  # noqa: F401  # the weights are read with it

        from helpanna.agents.store import load_agent  # the others need no PyTorch
    except ImportError:
        raise InputError(
            'a trained agent needs torch and safetensors; pip install "helpanna[all]".'
        ) from None
    return load_agent(folder)
