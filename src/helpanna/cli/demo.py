"""`helpanna demo`: a first look, with nothing but what is in the package."""

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from helpanna.cli.console import print_json, print_table, say
from helpanna.episodes.poses import Poses
from helpanna.randomness import choices
from helpanna.worlds.annotations import write_annotation_features
from helpanna.worlds.plan import draw_plans
from helpanna.worlds.sample import sample_atlas
from helpanna.worlds.storage import check_atlas, save_atlas

_AGENTS = 1024
_STEPS = 200


@dataclass(frozen=True)
class Demo:
    """Makes small sample buildings, checks them, lets agents walk, and draws the plans."""

    out: Path = Path("out/demo")
    """The folder for what it writes; replaced if it exists."""
    houses: int = 4
    """How many buildings."""
    seed: int = 0
    """The same seed gives the same buildings and the same walks."""
    json: bool = False
    """Print the figures as JSON."""

    def run(self) -> None:
        """Runs it all and prints the table."""
        atlas_folder = self.out / "atlas"
        save_atlas(sample_atlas(self.houses, self.seed), atlas_folder, overwrite=True)
        write_annotation_features(atlas_folder)
        atlas = check_atlas(atlas_folder)

        agents = np.arange(_AGENTS)
        start = choices(self.seed, "start", atlas.location_count, agents)
        rows = []
        for name in ("forward", "random"):
            poses = Poses(atlas, start)
            clock = time.perf_counter()
            for step in range(_STEPS):
                count = poses.candidates().mask.sum(axis=1)
                moves = np.maximum(count - 1, 1)
                drawn = choices(self.seed, "walk", moves, agents, step) if name == "random" else 0
                poses.step(np.where(count > 1, 1 + drawn, 0))
            seconds = time.perf_counter() - clock
            distance = poses.distance_to(start)
            rows.append(
                {
                    "walk": name,
                    "agents": _AGENTS,
                    "steps": _STEPS,
                    "mean metres from the start": round(float(distance.mean()), 2),
                    "agent steps/s": int(_AGENTS * _STEPS / seconds),
                }
            )
        draw_plans([atlas.world(w) for w in range(atlas.world_count)], self.out / "plan.svg")
        if self.json:
            print_json({"counts": atlas.counts(), "walks": rows})
        else:
            counts = [(key.replace("_", " "), n) for key, n in atlas.counts().items()]
            print_table("Sample buildings", ("", "count"), counts)
            print_table("Walks", list(rows[0]), [list(row.values()) for row in rows])
        say(f"Wrote the atlas {atlas_folder} and the plans {self.out}/plan-*.svg.")
