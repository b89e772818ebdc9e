"""Results of agents with networks in a house with walls, their folders beside them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from learners import untrained
from splits import random_routes, split_in

from helpanna.agents.names import make_agent
from helpanna.agents.store import save_agent
from helpanna.assistance.assistants import Anna
from helpanna.episodes.trajectory_file import write_trajectories
from helpanna.evaluation.runner import run_episodes
from helpanna.tasks.dataset import load_split, save_dataset
from helpanna.tasks.sampling import PathRange
from helpanna.worlds.annotations import write_annotation_features
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.houses.build import house_world
from helpanna.worlds.houses.generate import make_house
from helpanna.worlds.houses.outline import house_outline
from helpanna.worlds.storage import load_atlas, save_atlas

KINDS = ("map", "hierarchical")
TASKS = 12
BUDGET = 12


def house_with_tasks(folder: Path) -> Path:
    """The dataset folder of tasks in one generated house, which has walls, and annotation features."""
    house = make_house("small-0-0")
    world = house_world(house)
    atlas = replace(build_atlas([world], "test", "none"), outlines={world.name: house_outline(house)})
    save_atlas(atlas, folder / "atlas")
    write_annotation_features(folder / "atlas")
    atlas = load_atlas(folder / "atlas")
    split = replace(split_in(atlas, random_routes(atlas, 20)), name="val_unseen")
    save_dataset(folder / "data", {"val_unseen": split}, [(atlas, folder / "atlas")], 0, PathRange(), {})
    return folder / "data"


def thinking_results(folder: Path) -> list[Path]:
    """Results of an agent with a map, of a recurrent one, and of the explorer, in this order."""
    data = house_with_tasks(folder)
    split = load_split(data, "val_unseen")
    files, tasks = [], np.linspace(0, len(split) - 1, TASKS).astype(int)
    for kind in KINDS:
        agent = untrained(split, kind, boldness=3.0)
        save_agent(folder / kind, agent.networks, agent.habits, agent.vocabulary, agent.space, {})
    for name in (*(str(folder / kind) for kind in KINDS), "explorer+ask_untried"):
        agent = make_agent(name, split)
        trips = run_episodes(split, agent, Anna(split), tasks, budget=BUDGET)
        files.append(folder / f"{Path(name).name}.jsonl")
        header = {"dataset": str(data), "agent": name, "assistant": "anna", "seed": 0}
        write_trajectories(files[-1], trips, split, header)
    return files
