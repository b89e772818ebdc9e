"""The agents that need no training, on real buildings: the tables and the curve of docs/results.md.

    .venv/bin/python experiments/heuristics.py --source DIR --out out/heuristics

DIR holds the publishers' files (docs/atlas.md) and Room-to-Room's (docs/datasets.md). Builds the atlas and
the dataset, runs every agent, and writes results.md and curve.svg. What is already in the output folder is
not done again, so an interrupted run goes on where it was. A few minutes on two cores.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

SPLITS = ("test_seen", "val_unseen")
PAPER = {"test_seen": "seen", "val_unseen": "unseen"}
ROWS = (
    "random_walk",
    "forward10",
    "shortest",
    "explorer",
    "explorer+random_ask+perfect",
    "explorer+ask_every5+perfect",
    "explorer+ask_untried+perfect",
    "explorer+ask_new+perfect",
)
CURVES = ("explorer+ask_untried+perfect", "explorer+ask_new+perfect")
LIMITS = (0, 1, 2, 3, 5, None)
EXCLUDED = ("dhjEzFoUFzH", "YmJkqBEsHnH", "gZ6f7yhEvPG")


def helpanna(*arguments: object) -> str:
    """What a helpanna command prints on standard output."""
    command = [sys.executable, "-m", "helpanna.cli", *map(str, arguments)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def prepare(source: Path, out: Path) -> Path:
    """The dataset, built if it is not there."""
    atlas, dataset = out / "atlas", out / "dataset"
    if not atlas.exists():
        helpanna("worlds", "import", "matterport", "--source", source, "--out", atlas)
    if not dataset.exists():
        helpanna(
            *("tasks", "build", "--worlds", atlas, "--out", dataset, "--unseen-instructions", 2103),
            *("--routes", source / "R2R_train.json", source / "R2R_val_seen.json"),
            *("--objects", source / "hanna_objects.txt", "--exclude", *EXCLUDED),
        )
    return dataset


def scores(dataset: Path, out: Path, split: str, agent: str, limit: int | None) -> dict[str, Any]:
    """The figures of one agent, run if they are not there."""
    stem = out / f"{split}-{agent}{'' if limit is None else f'-limited-{limit}'}"
    figures = stem.with_name(stem.name + ".json")
    if not figures.exists():
        assistant = "anna" if limit is None else f"limited:{limit}" if limit else "absent"
        printed = helpanna(
            *("evaluate", "--data", dataset, "--split", split, "--agent", agent, "--json"),
            *("--assistant", assistant, "--out", stem.with_name(stem.name + ".jsonl")),
        )
        figures.write_text(printed)
    return json.loads(figures.read_text())


def cell(figure: dict[str, float], scale: float = 100, digits: int = 1) -> str:
    value, low, high = (scale * figure[key] for key in ("value", "low", "high"))
    return f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def main_table(figures: dict[str, dict[str, Any]]) -> list[str]:
    lines = ["| agent | SR % | SPL % | NE m | requests |", "| --- | --- | --- | --- | --- |"]
    for agent, row in figures.items():
        cells = [
            cell(row["success_rate"]),
            cell(row["spl"]),
            cell(row["navigation_error"], 1, 2),
            cell(row["requests_per_task"], 1, 2),
        ]
        lines.append(f"| {agent} | {' | '.join(cells)} |")
    return lines


def answers_table(figures: dict[str, dict[str, Any]]) -> list[str]:
    names = [name for name in next(iter(figures.values()))["answer_progress"] if name != "answers"]
    lines = [
        f"| agent | answers | {' | '.join(name.replace('_', ' ') for name in names)} |",
        f"| --- | --- |{' --- |' * len(names)}",
    ]
    for agent, row in figures.items():
        counts = row["answer_progress"]
        if counts["answers"]:
            shares = (f"{100 * counts[name] / counts['answers']:.1f} %" for name in names)
            lines.append(f"| {agent} | {counts['answers']:,} | {' | '.join(shares)} |")
    return lines


def draw_curve(curves: dict[tuple[str, str], list[dict[str, Any]]], path: Path) -> None:
    """Success rate against the requests that were allowed, with intervals."""
    import matplotlib
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.hashsalt"] = "helpanna"
    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    axes = figure.add_subplot()
    colours = {"test_seen": "#4a6fa5", "val_unseen": "#c8602d"}
    for (split, agent), points in curves.items():
        rates = [point["success_rate"] for point in points]
        values = [100 * rate["value"] for rate in rates]
        spread = [
            [100 * (rate["value"] - rate["low"]) for rate in rates],
            [100 * (rate["high"] - rate["value"]) for rate in rates],
        ]
        style = "-" if agent == CURVES[0] else "--"
        axes.errorbar(
            range(len(LIMITS)), values, spread, fmt=f"o{style}", color=colours[split], markersize=4,
            capsize=2, linewidth=1.4, label=f"{agent.split('+')[1]}, {PAPER[split]} buildings",
        )  # fmt: skip
    axes.set_xticks(range(len(LIMITS)), ["no limit" if limit is None else str(limit) for limit in LIMITS])
    axes.set_xlabel("requests allowed in an episode")
    axes.set_ylabel("success rate, %")
    axes.set_ylim(0, 100)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, loc="lower right")
    axes.set_title("Explorer with help, routes followed perfectly", fontsize=11)
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description="The agents that need no training, on real buildings.")
    parser.add_argument("--source", type=Path, required=True, help="the folder with the publishers' files")
    parser.add_argument("--out", type=Path, default=Path("out/heuristics"), help="the folder to work in")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    dataset = prepare(options.source, options.out)
    lines: list[str] = []
    curves = {}
    total = len(SPLITS) * (len(ROWS) + len(CURVES) * (len(LIMITS) - 1))
    done, clock = 0, time.monotonic()

    def score(split: str, agent: str, limit: int | None = None) -> dict[str, Any]:
        nonlocal done
        left = (time.monotonic() - clock) / max(done, 1) * (total - done)
        done += 1
        what = f"{split} {agent} {'' if limit is None else f'limit {limit}'}"
        print(f"{done} of {total}: {what}" + (f", about {left:.0f} s left" if done > 1 else ""), flush=True)
        return scores(dataset, options.out, split, agent, limit)

    for split in SPLITS:
        rows = {agent: score(split, agent) for agent in ROWS}
        lines += [
            f"### {split}",
            "",
            *main_table(rows),
            "",
            "How far the answers led:",
            "",
            *answers_table(rows),
            "",
        ]
        for agent in CURVES:
            curves[split, agent] = [
                rows[agent] if limit is None else score(split, agent, limit) for limit in LIMITS
            ]
    lines += ["### Success against the requests allowed", ""]
    names = ["no limit" if limit is None else str(limit) for limit in LIMITS]
    lines += [f"| SR % (requests made) | {' | '.join(names)} |", f"| --- |{' --- |' * len(names)}"]
    for (split, agent), points in curves.items():
        cells = [
            f"{100 * p['success_rate']['value']:.1f} ({p['requests_per_task']['value']:.2f})" for p in points
        ]
        lines.append(f"| {agent}, {split} | {' | '.join(cells)} |")
    (options.out / "results.md").write_text("\n".join(lines) + "\n")
    draw_curve(curves, options.out / "curve.svg")
    print(f"Wrote {options.out}/results.md and {options.out}/curve.svg.")


if __name__ == "__main__":
    main()
