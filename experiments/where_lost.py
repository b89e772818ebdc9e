"""Where an agent loses: each of its parts replaced by a perfect one, and how the episodes that fail end.

    .venv/bin/python experiments/where_lost.py --data DATASET --agent matterport --out out/where-lost

Evaluates the agent as it comes, with goals recognised perfectly, with routes followed perfectly, with both,
asking wherever it has not asked yet, and with twice the time. Writes results.md; what is already in the
output folder is not done again.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

from shared import Figures, evaluated, results_table

BUDGET = 50
AS_IT_COMES = "as it comes"
PARTS: dict[str, tuple[str, int]] = {
    AS_IT_COMES: ("", BUDGET),
    "goals recognised perfectly": ("+recognises", BUDGET),
    "routes followed perfectly": ("+perfect", BUDGET),
    "both": ("+recognises+perfect", BUDGET),
    "asks wherever it has not asked yet": ("+ask_untried", BUDGET),
    "twice the time": ("", 2 * BUDGET),
}
"""What is replaced: what is added to the agent's name, and the time steps of an episode."""
FIGURES = ("success_rate", "spl", "requests_per_task", "subtask_success")
ENDS = ("found", "stopped elsewhere", "time ran out, a goal was passed", "time ran out, no goal was passed")


def end_of(episode: dict[str, object], success_metres: float = 2.0) -> str:
    """How an episode, a line of a trajectory file, ended."""
    if episode["success"]:
        return ENDS[0]
    if len(episode["actions"]) < BUDGET:  # type: ignore[arg-type]
        return ENDS[1]
    return ENDS[2] if episode["closest_distance"] <= success_metres else ENDS[3]  # type: ignore[operator]


def ends_table(trajectories: Path) -> list[str]:
    """How often episodes of a trajectory file end in each way."""
    lines = trajectories.read_text().splitlines()[1:]
    counts = Counter(end_of(json.loads(line)) for line in lines)
    shares = " | ".join(f"{100 * counts[end] / len(lines):.1f}" for end in ENDS)
    return [f"| {' % | '.join(ENDS)} % |", f"|{' --- |' * len(ENDS)}", f"| {shares} |"]


def main() -> None:
    parser = argparse.ArgumentParser(description="Where an agent loses, part by part.")
    parser.add_argument("--data", type=Path, required=True, help="the dataset folder")
    parser.add_argument("--agent", required=True, help="a name, or the folder of a trained agent")
    parser.add_argument("--out", type=Path, default=Path("out/where-lost"), help="the folder to work in")
    parser.add_argument("--split", default="val_unseen", help="what to evaluate on")
    parser.add_argument("--tasks", type=int, help="only this many tasks, evenly spread")
    parser.add_argument("--buildings", nargs="+", default=[], help="only tasks in these buildings")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    some = ("--tasks", options.tasks) if options.tasks else ()
    some = (*some, "--buildings", *options.buildings) if options.buildings else some
    rows: dict[str, Figures] = {}
    for part, (suffix, budget) in PARTS.items():
        stem = options.out / part.replace(" ", "-")
        agent = f"{options.agent}{suffix}"
        rows[part] = evaluated(stem, options.data, options.split, agent, "--budget", budget, *some)
    lines = results_table("part", rows, FIGURES)
    lines += ["", *ends_table(options.out / f"{AS_IT_COMES.replace(' ', '-')}.jsonl"), ""]
    (options.out / "results.md").write_text("\n".join(lines))
    print("\n".join(lines))
    print(f"Wrote {options.out}/results.md.")


if __name__ == "__main__":
    main()
