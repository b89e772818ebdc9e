"""The agents that need no training, on real buildings: all that docs/results/no-training.md shows.

    .venv/bin/python experiments/heuristics.py --source DIR --out out/heuristics

DIR holds the publishers' files (docs/atlas.md) and Room-to-Room's (docs/datasets.md). Builds the atlas and
the dataset, runs every agent, and writes results.md and curve.svg. What is already in the output folder is
not done again, so an interrupted run goes on where it was. A few minutes on two cores.
"""

import argparse
from pathlib import Path

from shared import COLOURS, Figures, evaluated, finish, helpanna, new_figure, results_table, save

from helpanna.cli.console import progress

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
METRICS = ("success_rate", "spl", "navigation_error", "requests_per_task")
LIMITS = (0, 1, 2, 3, 5, None)
EXCLUDED = ("dhjEzFoUFzH", "YmJkqBEsHnH", "gZ6f7yhEvPG")


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


def scores(dataset: Path, out: Path, split: str, agent: str, limit: int | None) -> Figures:
    """The figures of one agent, run if they are not there."""
    stem = out / f"{split}-{agent}{'' if limit is None else f'-limited-{limit}'}"
    assistant = "anna" if limit is None else f"limited:{limit}" if limit else "absent"
    return evaluated(stem, dataset, split, agent, "--assistant", assistant)


def answers_table(figures: dict[str, Figures]) -> list[str]:
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


def draw_curve(curves: dict[tuple[str, str], list[Figures]], path: Path) -> None:
    """Success rate against the requests that were allowed, with intervals."""
    figure = new_figure(6.4, 4.6)
    axes = figure.add_subplot()
    for (split, agent), points in curves.items():
        rates = [point["success_rate"] for point in points]
        values = [100 * rate["value"] for rate in rates]
        spread = [
            [100 * (rate["value"] - rate["low"]) for rate in rates],
            [100 * (rate["high"] - rate["value"]) for rate in rates],
        ]
        style = "-" if agent == CURVES[0] else "--"
        axes.errorbar(
            range(len(LIMITS)), values, spread, fmt=f"o{style}", color=COLOURS[split], markersize=4,
            capsize=2, linewidth=1.4, label=f"{agent.split('+')[1]}, {PAPER[split]} buildings",
        )  # fmt: skip
    axes.set_xticks(range(len(LIMITS)), ["no limit" if limit is None else str(limit) for limit in LIMITS])
    axes.set_ylabel("success rate, %")
    axes.set_ylim(0, 102)
    finish(axes, "Explorer with help, routes followed perfectly", "requests allowed in an episode", 2)
    save(figure, path)


def main() -> None:
    parser = argparse.ArgumentParser(description="The agents that need no training, on real buildings.")
    parser.add_argument("--source", type=Path, required=True, help="the folder with the publishers' files")
    parser.add_argument("--out", type=Path, default=Path("out/heuristics"), help="the folder to work in")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    dataset = prepare(options.source, options.out)
    lines: list[str] = []
    curves = {}
    runs: list[tuple[str, str, int | None]] = [(split, agent, None) for split in SPLITS for agent in ROWS]
    runs += [(s, agent, limit) for s in SPLITS for agent in CURVES for limit in LIMITS if limit is not None]
    found = {}
    with progress() as report:
        for done, run in enumerate(runs, start=1):
            found[run] = scores(dataset, options.out, *run)
            report("agents", done, len(runs))
    for split in SPLITS:
        rows = {agent: found[split, agent, None] for agent in ROWS}
        lines += [
            f"### {split}",
            "",
            *results_table("agent", rows, METRICS),
            "",
            "How far the answers led:",
            "",
            *answers_table(rows),
            "",
        ]
        for agent in CURVES:
            curves[split, agent] = [found[split, agent, limit] for limit in LIMITS]
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
