"""Model cards: what a trained agent is for, what it learned from, what it reached, and what it cannot do.

A card is written from the agent's config.json. `about` there says in words what no number does; `results`
holds measured figures, each with its split, the number of tasks and the command that gives it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from helpanna.errors import InputError

METRICS: Mapping[str, str] = {
    "success_rate": "success rate",
    "spl": "SPL",
    "navigation_error": "error, m",
    "requests_per_task": "requests",
}
"""The figures of a result, and their names in a table."""
ABOUT = ("purpose", "data", "training", "limits", "licence")
"""What can be said about an agent in words."""

_ADDED = {
    "annotations": "annotations ATLAS",
    "captions": "captions ATLAS",
    "sight": "captions ATLAS",
    "recognised": "recognised ATLAS",
}
_SHARES = ("success_rate", "spl")
_UNSAID = {
    "purpose": "Finds objects in buildings on request and asks for help on the way (the HANNA task).",
    "data": "Not stated.",
    "training": "Not stated.",
    "limits": "Nobody has written down its limits. Measure it in your buildings before you rely on it.",
    "licence": "Not stated.",
}


def check_described(content: Mapping[str, Any], where: str) -> None:
    """Whether a config says all that a card needs; `where` names it in a message."""
    parts = {"network": ("kind", "features", "vocabulary"), "habits": ("ask_above",)}
    for part in ("network", "habits", "space", "summary", "about"):
        said = content.get(part, {} if part == "about" else None)
        if not isinstance(said, dict) or not set(parts.get(part, ())) <= said.keys():
            raise InputError(f"the config of {where} has no proper {part}; copy or train the agent again.")


def results_of(content: Mapping[str, Any], where: str) -> list[dict[str, Any]]:
    """The results that an agent's config holds, checked; `where` names it in a message."""
    results = content.get("results", [])
    if isinstance(results, list) and all(_is_result(result) for result in results):
        return results
    raise InputError(f"{where} has results that cannot be read; record them again.")


def _is_result(result: Any) -> bool:
    if not isinstance(result, dict) or not isinstance(result.get("split"), str):
        return False
    figures = [result[name] for name in METRICS if name in result]
    lists = all(isinstance(figure, list) and len(figure) in (1, 3) for figure in figures)
    numbers = lists and all(type(x) in (int, float) for figure in figures for x in figure)
    return numbers and type(result.get("tasks")) is int and "success_rate" in result


def shown(name: str, figure: Sequence[float]) -> str:
    """A figure with its interval, as people read it."""
    scale, unit, digits = (100, " %", 1) if name in _SHARES else (1, "", 2)
    value, *interval = (f"{scale * x:.{digits}f}" for x in figure)
    return f"{value}{unit}" + (f" ({interval[0]} to {interval[1]})" if interval else "")


def sees(space: Mapping[str, Any]) -> str:
    """What kind of view features an agent sees, in a word or two."""
    return str(space.get("kind") or space.get("network") or "unknown")


def how_to_add(space: Mapping[str, Any]) -> str:
    """What `helpanna worlds add` is told to make features of this kind, before --features-like."""
    return _ADDED.get(sees(space), "features ATLAS --name NAME --file FEATURES.npy")


def make_card(name: str, content: Mapping[str, Any], parameters: int) -> str:
    """The card of an agent, as Markdown.

    Args:
        name: what the agent is called.
        content: its config.json.
        parameters: how many numbers it has learned.
    """
    check_described(content, name)
    network, space, summary = content["network"], content["space"], content["summary"]
    about = {**_UNSAID, **{key: value for key, value in content.get("about", {}).items() if value}}
    iterations = f"{summary.get('iterations', 0):,}"
    if (best := summary.get("best_iteration")) and best != summary.get("iterations"):
        iterations += f", the best after {best:,}"
    hidden = f", hidden size {network['hidden']}" if "hidden" in network else ""
    lines = [f"# {name}", "", str(about["purpose"]), "", "## What it is", ""]
    lines += [
        f"- {network['kind']} networks{hidden}, {parameters / 1e6:.1f} M parameters",
        f"- sees {sees(space)} features, {network['features']} numbers a view",
        f"- knows {network['vocabulary']:,} words",
        f"- requests help where the probability is above {content['habits']['ask_above']}",
        f"- training iterations: {iterations}",
    ]
    if patience := content["habits"].get("patience"):
        lines.insert(-1, f"- tries a route for {patience} steps before it asks again")
    # Recognition adds its words itself.
    looks_for_words = bool(network.get("words_in_sight")) and sees(space) != "recognised"
    lines += ["", "## Use", "", *_use(name, space, looks_for_words)]
    for key, title in (("data", "Data"), ("training", "Training")):
        lines += ["", f"## {title}", "", str(about[key])]
    lines += ["", "## Results", "", *_results(results_of(content, name))]
    for key, title in (("limits", "Limits"), ("licence", "Licence")):
        lines += ["", f"## {title}", "", str(about[key])]
    return "\n".join(lines) + "\n"


def _use(name: str, space: Mapping[str, Any], looks_for_words: bool) -> list[str]:
    add = how_to_add(space)
    words = ["helpanna worlds add words ATLAS   # it looks for words in sight"] if looks_for_words else []
    return [
        "```bash",
        f"helpanna evaluate --data DATASET --split val_unseen --agent {name} --out run.jsonl",
        f"helpanna worlds add {add} --features-like {name}   # so that it can see in other buildings",
        *words,
        "```",
    ]


def _results(results: Sequence[Mapping[str, Any]]) -> list[str]:
    if not results:
        return ["None are recorded; `helpanna agents record` adds them."]
    over = sorted({str(result.get("intervals", "tasks")) for result in results})
    lines = [
        f"In brackets 95 % bootstrap intervals over {'; '.join(over)}.",
        "",
        "| split | tasks | " + " | ".join(METRICS.values()) + " | note |",
        "| --- | --- |" + " --- |" * (len(METRICS) + 1),
    ]
    for result in results:
        figures = (shown(name, result[name]) if name in result else "" for name in METRICS)
        cells = (result["split"], f"{result['tasks']:,}", *figures, str(result.get("note", "")))
        lines.append("| " + " | ".join(cells) + " |")
    commands = list(dict.fromkeys(str(result["command"]) for result in results if result.get("command")))
    return [*lines, "", "```bash", *commands, "```"] if commands else lines
