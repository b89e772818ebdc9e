"""What each part of the agent with a map brings to the following of routes, by learning without it.

    .venv/bin/python experiments/map_parts.py --data DATASET --out out/map-parts

Trains an agent with all parts and one without each, on lessons on routes alone (a few minutes each on one
core), and looks at their choices at the places of a teacher's walk (`following.py`). `--practice` adds agents
that have lessons in other datasets too. Writes results.md; what is already in the output folder is not done
again, and an interrupted run goes on where it was.
"""

import argparse
import sys
from pathlib import Path

from following import NEARLY, further, tasks_of
from shared import helpanna

import helpanna as package
from helpanna.agents.names import make_agent

LESSONS = {
    "--features": "sight",
    "--words-in-sight": None,
    "--network": "map",
    "--warm-start": None,
    "--ask-once": None,
    "--hidden": "128",
    "--dropout": "0.2",
    "--mirror": None,
    "--tolerance": "0.5",
    "--sight-dropout": "0.1",
    "--batch-size": "64",
    "--updates": "4",
    "--route-lessons": "250",
    "--iterations": "850",
    "--learning-rate": "5e-4",
    "--warm-up": "20",
    "--average": "0.98",
}
"""The first lessons of the agent that comes with the package; an option without a value is a flag."""
WITHOUT = {
    "nothing: all parts": {},
    "words in sight": {"--words-in-sight": ...},
    "captions: annotations alone": {"--features": "annotations"},
    "what the target image shows": {"--no-target-sight": None},
    "attention between places": {"--no-place-attention": None},
    "the mirror": {"--mirror": ...},
    "hidden sight": {"--sight-dropout": ...},
    "tolerance": {"--tolerance": ...},
    "averaged weights": {"--average": ...},
    "four steps of Adam a batch: one": {"--updates": "1"},
}
"""What is changed to leave a part out; `...` takes an option away."""
PRACTICE_SHARE = "0.375"


def learn(data: Path, run: Path, change: dict, iterations: int, seed: int) -> Path:
    """An agent that has had its lessons; goes on with a run that was interrupted."""
    options = {**LESSONS, **change, "--seed": str(seed)}
    words = [word for name, value in options.items() if value is not ... for word in (name, value) if word]
    if (run / "run.json").is_file():
        helpanna("train", "--resume", run, "--until", iterations)
    else:
        helpanna("train", "--data", data, "--out", run, "--until", iterations, *words)
    return run / "last"


def main() -> None:
    parser = argparse.ArgumentParser(description="What each part of the agent with a map brings on routes.")
    parser.add_argument("--data", type=Path, required=True, help="the dataset folder")
    parser.add_argument("--out", type=Path, required=True, help="the output folder")
    parser.add_argument("--split", default="val_unseen", help="where to look at their choices")
    parser.add_argument("--buildings", nargs="+", default=[], help="only tasks in these buildings")
    parser.add_argument("--tasks", type=int, default=300, help="this many, evenly spread")
    parser.add_argument("--iterations", type=int, default=150, help="batches of 64 lessons")
    parser.add_argument("--seed", type=int, default=1, help="of all runs")
    parser.add_argument("--without", nargs="+", choices=list(WITHOUT), default=list(WITHOUT), help="which")
    parser.add_argument("--practice", nargs="+", default=[], help="lessons in these datasets too, one by one")
    options = parser.parse_args()
    parts = {part: WITHOUT[part] for part in options.without}
    for folder in options.practice:
        practice = {"--practice": folder, "--practice-share": PRACTICE_SHARE}
        parts[f"nothing, and with practice in {Path(folder).name}"] = practice
    split = package.load_dataset(options.data).split(options.split)
    tasks = tasks_of(split, options.buildings, options.tasks)
    options.out.mkdir(parents=True, exist_ok=True)
    lines = ["| without | decisions | best % | at most half a metre further % | further, m |"]
    lines.append("| --- | --- | --- | --- | --- |")
    for part, change in parts.items():
        run = options.out / part.split(":")[0].replace(" ", "-").replace(",", "")
        agent = learn(options.data, run, change, options.iterations, options.seed)
        more = further(make_agent(str(agent), split), split, tasks)
        best, near = 100 * (more == 0).mean(), 100 * (more <= NEARLY).mean()
        lines.append(f"| {part} | {len(more):,} | {best:.1f} | {near:.1f} | {more.mean():.3f} |")
        (options.out / "results.md").write_text("\n".join(lines) + "\n")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
