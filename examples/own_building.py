"""Your own building: six locations become an atlas, a dataset with routes in words, and a result.

    python examples/own_building.py out/own

The trained agent that comes with the package needs PyTorch (`pip install "helpanna[learn]"`).
"""

import sys
from pathlib import Path

from helpanna.agents.names import agent_folder, make_agent
from helpanna.assistance.assistants import Anna
from helpanna.assistance.route_systems import random_routes
from helpanna.evaluation.metrics import evaluate
from helpanna.evaluation.runner import run_episodes
from helpanna.tasks.build import BuildSettings, build_splits
from helpanna.tasks.dataset import load_split, save_dataset
from helpanna.tasks.sampling import PathRange
from helpanna.worlds.annotations import write_annotation_features
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.own import Thing, make_world
from helpanna.worlds.storage import load_atlas, save_atlas

AGENTS = ("random_walk", "explorer+ask_untried+perfect", "paper-matterport")

# Metres, as a map of the building has them: x to the east, y to the north.
LAB = make_world(
    "lab",
    positions={
        "entrance": (0, 0),
        "corridor south": (0, 2),
        "corridor north": (0, 4),
        "kitchen": (-2, 4.5),
        "desk row": (2, 4.5),
        "window side": (4, 4.5),
    },
    edges=[
        ("entrance", "corridor south"),
        ("corridor south", "corridor north"),
        ("corridor north", "kitchen"),
        ("corridor north", "desk row"),
        ("desk row", "window side"),
    ],
    things=[
        Thing("coat rack", (0.6, 0, 1.4)),
        Thing("mug", (-2.8, 4.5, 0.9), size=0.1),
        Thing("sink", (-2.5, 5.4, 0.8), room="kitchen"),
        Thing("desk", (2, 5.5, 0.5), size=1.4),
        Thing("plant", (4.6, 5.0, 0.6)),
        Thing("window", (5.2, 4.5, 1.5), size=1.2),
    ],
    rooms={
        "hallway": ["entrance", "corridor south", "corridor north"],
        "kitchen": ["kitchen"],
        "office": ["desk row", "window side"],
    },
)


def main(out: Path) -> dict[str, float]:
    """Builds everything below `out`; returns the success rate of each agent."""
    save_atlas(build_atlas([LAB], source="my lab", licence="CC BY 4.0"), out / "atlas")
    # In the feature space of the trained agent, so that it can see here.
    write_annotation_features(out / "atlas", like=agent_folder("paper-matterport"))
    atlas = load_atlas(out / "atlas")

    routes = random_routes(atlas, coverage=0.5, edges=(2, 3))
    print(f"{len(routes.names)} routes, for example: {routes.instructions[0]}")
    settings = BuildSettings(eval_only="val_unseen", paths=PathRange(shortest=3, longest=6))
    splits = build_splits([(atlas, routes)], None, settings)
    save_dataset(out / "dataset", splits, [(atlas, out / "atlas")], 0, settings.paths, {})

    split = load_split(out / "dataset", "val_unseen")
    success = {}
    for name in AGENTS:
        runs = run_episodes(split, make_agent(name, split), Anna(split), range(len(split)))
        success[name] = evaluate(split, runs)["success_rate"].value
        print(f"{name}: success rate {success[name]:.0%} of {len(split)} tasks")
    return success


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/own"))
