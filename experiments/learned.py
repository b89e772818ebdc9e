"""One agent from a dataset to its tables: trains it, evaluates it with each ask policy, draws its curves.

    .venv/bin/python experiments/learned.py --data DATASET --out out/learned -- TRAINING OPTIONS

Training options are those of `helpanna train`. What is already in the output folder is not done again: an
interrupted training is resumed, evaluated splits are kept. Writes results.md and curves.svg; the agent is
OUT/run/best.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ASK_POLICIES = ("", "+no_ask", "+random_ask", "+ask_every5", "+perfect")
NAMES = {
    "": "learned asking",
    "+no_ask": "NoAsk",
    "+random_ask": "RandomAsk",
    "+ask_every5": "AskEvery5",
    "+perfect": "learned asking, perfect interpretation",
}
FIGURES = ("success_rate", "spl", "navigation_error", "requests_per_task", "navigation_mistake_repeat")


def helpanna(*arguments: object, capture: bool = False) -> str:
    """Runs a helpanna command; with `capture`, what it prints on standard output."""
    command = [sys.executable, "-m", "helpanna.cli", *map(str, arguments)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE if capture else None, text=True)
    return done.stdout or ""


def train(data: Path, run: Path, options: list[str]) -> None:
    """Starts the run, or goes on with it."""
    if (run / "run.json").is_file():
        helpanna("train", "--resume", run)
    else:
        helpanna("train", "--data", data, "--out", run, *options)


def scores(data: Path, out: Path, agent: Path, split: str, policy: str, tasks: int | None) -> dict[str, Any]:
    """The figures of the agent with one ask policy, run if they are not there."""
    stem = f"{split}{policy.replace('+', '-')}"
    path = out / f"{stem}.json"
    if not path.exists():
        print(f"evaluating {split}, {NAMES[policy]}", file=sys.stderr, flush=True)
        some = ("--tasks", tasks) if tasks else ()
        printed = helpanna(
            *("evaluate", "--data", data, "--split", split, "--agent", f"{agent}{policy}", "--json"),
            *("--out", out / f"{stem}.jsonl", *some),
            capture=True,
        )
        path.write_text(printed)
    return json.loads(path.read_text())


def surer(data: Path, out: Path, agent: Path, split: str, above: float, tasks: int | None) -> dict[str, Any]:
    """The figures of a copy of the agent that requests help only where its probability is above this."""
    folder = out / f"above-{above:g}"
    if not (folder / "agent" / "config.json").is_file():
        helpanna("agents", "pack", agent, "--out", folder / "agent", "--ask-above", above)
    return scores(data, folder, folder / "agent", split, "", tasks)


def cell(figure: dict[str, float], scale: float, digits: int) -> str:
    value, low, high = (scale * figure[key] for key in ("value", "low", "high"))
    return f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def table(rows: dict[str, dict[str, Any]]) -> list[str]:
    lines = ["| asking | SR % | SPL % | NE m | requests | repeats % |", "| --- |" + " --- |" * len(FIGURES)]
    for policy, row in rows.items():
        shown = (
            cell(row["success_rate"], 100, 1),
            cell(row["spl"], 100, 1),
            cell(row["navigation_error"], 1, 2),
            cell(row["requests_per_task"], 1, 2),
            cell(row["navigation_mistake_repeat"], 100, 1),
        )
        lines.append(f"| {NAMES.get(policy, policy)} | {' | '.join(shown)} |")
    return lines


def draw_curves(run: Path, path: Path) -> None:
    """Success on training batches and validation splits, requests, and losses, by iteration."""
    import matplotlib
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.hashsalt"] = "helpanna"
    log = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    training = [line for line in log if "success" in line]
    checks = [line for line in log if "success" not in line]
    figure = Figure(figsize=(10, 3.4), layout="constrained")
    left, middle, right = figure.subplots(1, 3)

    def smooth(name: str) -> tuple[list[int], list[float]]:
        width = max(len(training) // 100, 1)
        groups = [training[i : i + width] for i in range(0, len(training), width)]
        return [g[-1]["iteration"] for g in groups], [sum(x[name] for x in g) / len(g) for g in groups]

    at, rate = smooth("success")
    left.plot(at, [100 * r for r in rate], color="#bbbbbb", label="training, sampled")
    at, requests = smooth("requests")
    middle.plot(at, requests, color="#bbbbbb", label="training, sampled")
    colours = {"val_seen": "#4a6fa5", "val_unseen": "#c8602d"}
    for split, colour in colours.items():
        points = [line for line in checks if f"{split}/success_rate" in line]
        steps = [line["iteration"] for line in points]
        rates = [100 * line[f"{split}/success_rate"] for line in points]
        left.plot(steps, rates, "o-", color=colour, markersize=3, label=split)
        asked = [line[f"{split}/requests_per_task"] for line in points]
        middle.plot(steps, asked, "o-", color=colour, markersize=3, label=split)
    for name, colour in zip(
        ("navigation", "curiosity", "ask", "conditions"),
        ("#4a6fa5", "#c8602d", "#3c8d5a", "#8d6cab"),
        strict=True,
    ):
        right.plot(*smooth(name), color=colour, label=name)
    for axes, title in ((left, "success rate, %"), (middle, "requests a task"), (right, "losses")):
        axes.set_title(title, fontsize=10)
        axes.set_xlabel("iteration")
        axes.grid(alpha=0.3)
        axes.legend(frameon=False, fontsize=8)
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description="One agent from a dataset to its tables.")
    parser.add_argument("--data", type=Path, required=True, help="the dataset folder")
    parser.add_argument("--out", type=Path, default=Path("out/learned"), help="the folder to work in")
    parser.add_argument("--splits", nargs="+", default=["val_seen", "val_unseen"], help="what to evaluate on")
    parser.add_argument("--tasks", type=int, help="only so many tasks of a split, evenly spread")
    parser.add_argument(
        "--ask-above", type=float, nargs="*", default=[], help="evaluate copies with these thresholds, too"
    )
    parser.add_argument("--agent", type=Path, help="evaluate this agent in place of training one")
    parser.add_argument("training", nargs="*", help="after --: the options of `helpanna train`")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    run = options.out / "run"
    if options.agent is None:
        train(options.data, run, options.training)
        draw_curves(run, options.out / "curves.svg")
    agent = options.agent or run / "best"
    lines: list[str] = []
    for split in options.splits:
        rows = {
            policy: scores(options.data, options.out, agent, split, policy, options.tasks)
            for policy in ASK_POLICIES
        }
        for above in options.ask_above:
            row = surer(options.data, options.out, agent, split, above, options.tasks)
            rows[f"learned asking, above {above:g}"] = row
        lines += [f"### {split}", "", *table(rows), ""]
    (options.out / "results.md").write_text("\n".join(lines))
    print(f"Wrote {options.out}/results.md.")


if __name__ == "__main__":
    main()
