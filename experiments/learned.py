"""One agent from a dataset to its tables: trains it, evaluates it with each ask policy, draws its curves.

    .venv/bin/python experiments/learned.py --data DATASET --out out/learned -- TRAINING OPTIONS

Training options are those of `helpanna train`. What is already in the output folder is not done again: an
interrupted training is resumed, evaluated splits are kept. Writes results.md and curves.svg; the agent is
OUT/run/best.
"""

import argparse
import json
from pathlib import Path

from shared import COLOURS, Figures, evaluated, finish, helpanna, new_figure, results_table, save

ASK_POLICIES = ("", "+no_ask", "+random_ask", "+ask_every5", "+perfect")
NAMES = {
    "": "learned asking",
    "+no_ask": "NoAsk",
    "+random_ask": "RandomAsk",
    "+ask_every5": "AskEvery5",
    "+perfect": "learned asking, perfect interpretation",
}
FIGURES = ("success_rate", "spl", "navigation_error", "requests_per_task", "navigation_mistake_repeat")


def train(data: Path, run: Path, options: list[str]) -> None:
    """Starts the run, or goes on with it."""
    if (run / "run.json").is_file():
        helpanna("train", "--resume", run)
    else:
        helpanna("train", "--data", data, "--out", run, *options)


def scores(data: Path, out: Path, agent: Path, split: str, policy: str, tasks: int | None) -> Figures:
    """The figures of the agent with one ask policy, run if they are not there."""
    some = ("--tasks", tasks) if tasks else ()
    return evaluated(out / f"{split}{policy.replace('+', '-')}", data, split, f"{agent}{policy}", *some)


def surer(data: Path, out: Path, agent: Path, split: str, above: float, tasks: int | None) -> Figures:
    """The figures of a copy of the agent that requests help only where its probability is above this."""
    folder = out / f"above-{above:g}"
    if not (folder / "agent" / "config.json").is_file():
        helpanna("agents", "pack", agent, "--out", folder / "agent", "--ask-above", above)
    return scores(data, folder, folder / "agent", split, "", tasks)


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
        named = {NAMES.get(policy, policy): row for policy, row in rows.items()}
        lines += [f"### {split}", "", *results_table("asking", named, FIGURES), ""]
    (options.out / "results.md").write_text("\n".join(lines))
    print(f"Wrote {options.out}/results.md.")


if __name__ == "__main__":
    main()
