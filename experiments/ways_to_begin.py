"""The paper's own recipe beside the warm start: success in validation by the episodes learned from.

    .venv/bin/python experiments/ways_to_begin.py --data DATASET --out out/ways -- --features sight

The paper's recipe is that of `helpanna train` when nothing else is said: 30,000 iterations of 32 episodes
that the agent walks by its own samples from the start, with networks of width 256. It is followed for as many
episodes as --episodes says; the warm start is the quick budget of `helpanna reproduce`, to its end. Options
after -- are given to both. Both runs go on where they were. Writes curves.svg and curves.md; half an hour to
an hour on one core.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from shared import COLOURS, finish, helpanna, new_figure, save

from helpanna.reproduction.plan import command_options
from helpanna.reproduction.rows import BUDGETS, LEARNERS

PAPER, WARM = "the paper's recipe", "warm start"
PAPER_BATCH = 32
LINES = {PAPER: "-", WARM: "--"}
SPLITS = ("val_seen", "val_unseen")
COLUMNS = {
    "success_rate": ("success rate, %", 100),
    "requests_per_task": ("requests a task", 1),
    "subtask_success": ("routes walked to their ends, %", 100),
}

Points = Sequence[Mapping[str, float]]
"""The evaluations of a run: figures by name, and the episodes learned from."""


def train(run: Path, data: Path, options: Sequence[object], until: Sequence[object]) -> None:
    """Starts the run, or goes on with it."""
    if (run / "run.json").is_file():
        helpanna("train", "--resume", run, *until)
    else:
        helpanna("train", "--data", data, "--out", run, *options, *until)


def evaluations(run: Path, batch: int) -> Points:
    """What each evaluation of a run found."""
    log = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    return [{**line, "episodes": batch * line["iteration"]} for line in log if "success" not in line]


def draw(curves: Mapping[str, Points], path: Path) -> None:
    """Each figure by the episodes learned from; a colour a split, a line a recipe."""
    figure = new_figure(10, 3.9)
    for axes, (metric, (title, scale)) in zip(figure.subplots(1, len(COLUMNS)), COLUMNS.items(), strict=True):
        for recipe, points in curves.items():
            for split in SPLITS:
                key = f"{split}/{metric}"
                axes.plot(
                    [point["episodes"] / 1000 for point in points],
                    [scale * point[key] for point in points],
                    f"o{LINES[recipe]}",
                    markersize=3,
                    color=COLOURS[split],
                    label=f"{recipe}, {split}",
                )
        axes.set_ylim(bottom=0)
        axes.margins(x=0.03)
        finish(axes, title, "thousand episodes")
    save(figure, path)


def table(curves: Mapping[str, Points]) -> list[str]:
    """A Markdown table, a row for each evaluation."""
    lines = [
        "| recipe | episodes | val_seen SR % | requests | val_unseen SR % | requests |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for recipe, points in curves.items():
        for point in points:
            cells = (
                f"{100 * point[f'{split}/success_rate']:.1f} | {point[f'{split}/requests_per_task']:.2f}"
                for split in SPLITS
            )
            lines.append(f"| {recipe} | {point['episodes']:,} | {' | '.join(cells)} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description="The paper's own recipe beside the warm start.")
    parser.add_argument("--data", type=Path, required=True, help="the dataset folder")
    parser.add_argument("--out", type=Path, default=Path("out/ways"), help="the folder to work in")
    parser.add_argument("--episodes", type=int, default=40_000, help="how far the paper's recipe is followed")
    parser.add_argument("--seed", type=int, default=1, help="of both runs")
    parser.add_argument("training", nargs="*", help="after --: options of `helpanna train` for both")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    usual = LEARNERS["final"].chosen(BUDGETS["quick"], None, options.seed)
    quick = replace(usual, given={**usual.given, "evaluate_every": 50})
    often = ("--evaluation-tasks", 256, "--save-every", 20)
    papers = ("--seed", options.seed, *often, "--evaluate-every", 125, *options.training)
    until = ("--until", options.episodes // PAPER_BATCH)
    train(options.out / "paper", options.data, papers, until)
    train(options.out / "warm", options.data, (*command_options(quick), *options.training), ())
    batch = int(quick.given["batch_size"])
    curves = {
        PAPER: evaluations(options.out / "paper", PAPER_BATCH),
        WARM: evaluations(options.out / "warm", batch),
    }
    draw(curves, options.out / "curves.svg")
    (options.out / "curves.md").write_text("\n".join([*table(curves), ""]))
    print(f"Wrote {options.out}/curves.svg and {options.out}/curves.md.")


if __name__ == "__main__":
    main()
