"""How well agents with a map follow routes: their choices at the places of a teacher's walk.

    .venv/bin/python experiments/following.py --data DATASET --split val_unseen --agents matterport RUN/last

Help is requested wherever it can be, and the teacher walks, for eight steps; at each decision on a route the
agent says where it would go. Counted are the decisions at which that is the best place, at which it is at
most half a metre further, and how much further it is on average. It takes seconds, and needs no agent that
asks well: a quick look at what an agent has learned.
"""

import argparse
from pathlib import Path

import numpy as np

import helpanna
from helpanna.agents.mapping.agent import MapAgent
from helpanna.agents.mapping.choosing import Chooser
from helpanna.agents.names import make_agent
from helpanna.errors import InputError
from helpanna.evaluation.runner import spread, tasks_in
from helpanna.learning.lessons import Lesson
from helpanna.learning.maps import roll_out_maps
from helpanna.learning.rollout import Batch
from helpanna.learning.settings import TrainingSettings
from helpanna.tasks.split import Split
from helpanna.teachers.mapping import NO_REFERENCE

NEARLY = 0.5
"""Metres that are no mistake."""
FAR = 20.0
"""Metres that a place counts for from which the walk does not go on."""


def further(agent: MapAgent, split: Split, tasks: np.ndarray) -> np.ndarray:
    """[n] how many metres further the agent's choices are than the best ones, on routes."""
    features = next((f for f in split.atlas.views.features.values() if f.space == agent.space), None)
    if features is None:
        raise InputError("the atlas has no features in an agent's space; add them with --features-like.")
    lesson = Lesson(split, {}, features, agent.vocabulary)
    settings = TrainingSettings(curiosity=0.0)
    batch = Batch(0, tasks, np.arange(len(tasks)))
    anna = helpanna.make_assistant("anna", split)
    _, decisions = roll_out_maps(agent.networks, lesson, agent.habits, anna, batch, settings, on_routes=True)
    chooser = Chooser(agent.networks, agent.vocabulary, agent.device)
    found = []
    for decision in decisions:
        survey, metres = decision.survey, decision.metres
        rows = np.arange(len(survey))
        chosen = chooser.choose(survey, np.ones(len(survey), dtype=bool)).log_place.argmax(axis=1)
        more = np.minimum(metres[rows, chosen] - metres.min(axis=1), FAR)
        follows = np.array([text not in split.texts[: split.request_count] for text in survey.text])
        found.append(more[follows & (decision.place != NO_REFERENCE)])
    return np.concatenate(found)


def tasks_of(split: Split, buildings: list[str], count: int) -> np.ndarray:
    """So many tasks of a split, evenly spread, in these buildings or in all."""
    known = np.arange(len(split))
    if buildings:
        known = known[np.isin(known, tasks_in(split, buildings))]
    return known[spread(len(known), min(count, len(known)))]


def main() -> None:
    parser = argparse.ArgumentParser(description="How well agents with a map follow routes.")
    parser.add_argument("--data", type=Path, required=True, help="the dataset folder")
    parser.add_argument("--split", default="val_unseen", help="where")
    parser.add_argument("--buildings", nargs="+", default=[], help="only tasks in these buildings")
    parser.add_argument("--tasks", type=int, default=300, help="this many, evenly spread")
    parser.add_argument("--agents", nargs="+", required=True, help="names or folders of agents with a map")
    options = parser.parse_args()
    split = helpanna.load_dataset(options.data).split(options.split)
    tasks = tasks_of(split, options.buildings, options.tasks)
    print("| agent | decisions | best % | at most half a metre further % | further, m |")
    print("| --- | --- | --- | --- | --- |")
    for name in options.agents:
        agent = make_agent(name, split)
        if not isinstance(agent, MapAgent):
            raise InputError(f"--agents {name}: that is no agent with a map; name another.")
        more = further(agent, split, tasks)
        best, near = 100 * (more == 0).mean(), 100 * (more <= NEARLY).mean()
        print(f"| {name} | {len(more):,} | {best:.1f} | {near:.1f} | {more.mean():.2f} |", flush=True)


if __name__ == "__main__":
    main()
