"""One agent from a dataset to its tables: trains it, evaluates it with each way to ask, draws its curves.

    .venv/bin/python experiments/learned.py --data DATASET --out out/learned -- TRAINING OPTIONS

Training options are those of `helpanna train`. What is already in the output folder is not done again: an
interrupted training is resumed, evaluated splits are kept. Writes results.md and curves.svg; the agent is
OUT/run/best. With --prices the same agent is evaluated at other prices of a request, with --buildings in some
buildings only, so that one can choose on some and report on the others.
"""

import argparse
import json
from pathlib import Path

from shared import COLOURS, Figures, evaluated, finish, helpanna, new_figure, results_table, save

WAYS = {
    "": "learned asking",
    "+no_ask": "NoAsk",
    "+random_ask": "RandomAsk",
    "+ask_every5": "AskEvery5",
    "+ask_new": "asking wherever it has not been",
    "+perfect": "learned asking, perfect interpretation",
    "+no_words": "learned asking, help without words",
    "+no_picture": "learned asking, help without picture",
}
"""Suffixes of an agent's name, and what they mean."""
SHUFFLED = "learned asking, words of other routes"
FIGURES = (
    *("success_rate", "spl", "navigation_error", "requests_per_task"),
    *("subtask_success", "navigation_mistake_repeat"),
)


def train(data: Path, run: Path, options: list[str]) -> None:
    """Starts the run, or goes on with it."""
    if (run / "run.json").is_file():
        helpanna("train", "--resume", run)
    else:
        helpanna("train", "--data", data, "--out", run, *options)


def rows(options: argparse.Namespace, agent: Path, split: str) -> dict[str, Figures]:
    """The figures of the agent in each way, run if they are not there."""
    some = ("--tasks", options.tasks) if options.tasks else ()
    some = (*some, "--buildings", *options.buildings) if options.buildings else some

    def figures(way: str, *more: object) -> Figures:
        stem = options.out / f"{split}{way.replace('+', '-')}{''.join(f'-{m}' for m in more[1:])}"
        return evaluated(stem, options.data, split, f"{agent}{way}", *some, *more)

    found = {WAYS[way]: figures(way) for way in options.ways}
    found |= {f"price {price:g}": figures(f"+price:{price:g}") for price in options.prices}
    return found | ({SHUFFLED: figures("", "--assistant", "shuffled")} if options.shuffled else {})


def draw_curves(run: Path, path: Path) -> None:
    """Success on training batches and validation splits, requests, and losses, by iteration."""
    log = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    training = [line for line in log if "success" in line]
    checks = [line for line in log if "success" not in line]
    figure = new_figure(10, 3.9)
    left, middle, right = figure.subplots(1, 3)

    def smooth(name: str) -> tuple[list[int], list[float]]:
        width = max(len(training) // 100, 1)
        groups = [training[i : i + width] for i in range(0, len(training), width)]
        return [g[-1]["iteration"] for g in groups], [sum(x[name] for x in g) / len(g) for g in groups]

    at, rate = smooth("success")
    left.plot(at, [100 * r for r in rate], color=COLOURS["training"], label="training, sampled")
    at, requests = smooth("requests")
    middle.plot(at, requests, color=COLOURS["training"], label="training, sampled")
    for split in ("val_seen", "val_unseen"):
        points = [line for line in checks if f"{split}/success_rate" in line]
        colour = COLOURS[split]
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
    left.set_ylim(0, 102)
    middle.set_ylim(bottom=0)
    for axes, title in ((left, "success rate, %"), (middle, "requests a task"), (right, "losses")):
        axes.margins(x=0.03)
        finish(axes, title, "iteration", 2)
    save(figure, path)


def main() -> None:
    parser = argparse.ArgumentParser(description="One agent from a dataset to its tables.")
    parser.add_argument("--data", type=Path, required=True, help="the dataset folder")
    parser.add_argument("--out", type=Path, default=Path("out/learned"), help="the folder to work in")
    parser.add_argument("--splits", nargs="+", default=["val_seen", "val_unseen"], help="what to evaluate on")
    parser.add_argument("--tasks", type=int, help="only this many tasks of a split, evenly spread")
    parser.add_argument("--buildings", nargs="+", default=[], help="only tasks in these buildings")
    parser.add_argument("--prices", type=float, nargs="*", default=[], help="other prices of a request, too")
    parser.add_argument("--ways", nargs="*", default=list(WAYS), choices=list(WAYS), help="which rows")
    parser.add_argument("--shuffled", action="store_true", help="and with the words of other routes")
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
        table = results_table("asking", rows(options, agent, split), FIGURES)
        lines += [f"### {split}", "", *table, ""]
    (options.out / "results.md").write_text("\n".join(lines))
    print(f"Wrote {options.out}/results.md.")


if __name__ == "__main__":
    main()
