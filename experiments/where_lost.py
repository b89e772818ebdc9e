"""Where an agent loses: each of its parts replaced by a perfect one, and how its episodes and routes end.

    .venv/bin/python experiments/where_lost.py --data DATASET --agent matterport --out out/where-lost

Evaluates the agent as it comes, with goals recognised perfectly, with routes followed perfectly, with both,
asking wherever it has not asked yet, and with twice the time. Writes results.md; what is already in the
output folder is not done again.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

import numpy as np
from shared import Figures, evaluated, results_table

import helpanna
from helpanna.episodes.trajectory import NO_TARGET, Trajectories
from helpanna.episodes.trajectory_file import read_trajectories
from helpanna.tasks.split import Split

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
ROUTE_ENDS = ("left at its end", "left elsewhere", "asked again", "time ran out")
SUCCESS_METRES = 2.0


def end_of(episode: dict[str, object]) -> str:
    """How an episode, a line of a trajectory file, ended."""
    if episode["success"]:
        return ENDS[0]
    if len(episode["actions"]) < BUDGET:  # type: ignore[arg-type]
        return ENDS[1]
    return ENDS[2] if episode["closest_distance"] <= SUCCESS_METRES else ENDS[3]  # type: ignore[operator]


def route_ends(split: Split, trips: Trajectories) -> list[str]:
    """How each route that was shown ended, in the order of the episodes."""
    found = []
    for episode, asked_at in zip(*np.nonzero(trips.departure != NO_TARGET), strict=True):
        on_it = trips.segment[episode] == trips.segment[episode, asked_at] + 1
        steps = np.flatnonzero(on_it & (np.arange(on_it.size) < trips.length[episode]))
        last = steps[-1] if len(steps) else None
        if last is not None and trips.departure[episode, last] != NO_TARGET:
            found.append(ROUTE_ENDS[2])
        elif last is not None and trips.action[episode, last] == 0:
            end = trips.departure[episode, asked_at]
            near = split.atlas.distances(trips.location[episode, last], end) <= SUCCESS_METRES
            found.append(ROUTE_ENDS[0 if near else 1])
        else:
            found.append(ROUTE_ENDS[3])
    return found


def ends_table(ends: list[str], kinds: tuple[str, ...]) -> list[str]:
    """How often each kind of end there is."""
    counts = Counter(ends)
    shares = " | ".join(f"{100 * counts[kind] / max(len(ends), 1):.1f}" for kind in kinds)
    return [f"| {' % | '.join(kinds)} % |", f"|{' --- |' * len(kinds)}", f"| {shares} |"]


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
    episodes = options.out / f"{AS_IT_COMES.replace(' ', '-')}.jsonl"
    ends = [end_of(json.loads(line)) for line in episodes.read_text().splitlines()[1:]]
    split = helpanna.load_dataset(options.data).split(options.split)
    routes = route_ends(split, read_trajectories(episodes, split))
    lines += ["", "How episodes end:", "", *ends_table(ends, ENDS)]
    lines += ["", "How routes end:", "", *ends_table(routes, ROUTE_ENDS), ""]
    (options.out / "results.md").write_text("\n".join(lines))
    print("\n".join(lines))
    print(f"Wrote {options.out}/results.md.")


if __name__ == "__main__":
    main()
