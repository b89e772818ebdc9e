"""What an atlas costs: to import, to load until the first step, and how that grows with the buildings."""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from buildings import REAL_DATA, graphs, note, real_data
from harness import Figure, report

from helpanna.worlds.annotations import write_annotation_features
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.matterport.importer import import_matterport
from helpanna.worlds.storage import load_atlas, save_atlas
from helpanna.worlds.world import World

COPIES = 10
LOADS = 5

# Runs in a process of its own; the clock starts before the library is imported.
FIRST_STEP = """
import sys
import time
start = time.perf_counter()
from helpanna.episodes.poses import Poses
from helpanna.worlds.geometry import VIEWS
from helpanna.worlds.storage import load_atlas
imported = time.perf_counter()
atlas = load_atlas(sys.argv[1])
poses = Poses(atlas, [i * 7919 % atlas.location_count for i in range(1024)])
features = atlas.views.get("annotations").array[poses.location, poses.view]
poses.step(poses.candidates().mask.sum(axis=-1) - 1)
end = time.perf_counter()

import json
from harness import peak_megabytes
print(json.dumps({"total": end - start, "load": end - imported, "megabytes": peak_megabytes()}))
"""


@dataclass(frozen=True)
class Cost:
    """Of one atlas: seconds to make and save it, its size, and what a fresh process needs to the first step.

    Attributes:
        build: seconds for tables, annotation features and files.
        processor: seconds of that in which the processor worked, whatever else the machine did.
        size: megabytes on disk.
        total: seconds from the import of the library to the first step.
        load: seconds of that after the import.
        megabytes: the most memory that process held.
    """

    build: float
    processor: float
    size: float
    total: float
    load: float
    megabytes: float


def first_step(folder: Path) -> dict[str, float]:
    """Loads the atlas in fresh processes: the shortest times and the largest memory."""
    command = [sys.executable, "-c", FIRST_STEP, str(folder)]
    runs = [
        json.loads(subprocess.run(command, cwd=Path(__file__).parent, check=True, capture_output=True).stdout)
        for _ in range(LOADS)
    ]
    return {
        "total": min(run["total"] for run in runs),
        "load": min(run["load"] for run in runs),
        "megabytes": max(run["megabytes"] for run in runs),
    }


def megabytes_on_disk(folder: Path) -> float:
    """The size of all files of a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def make(worlds: Sequence[World], folder: Path) -> None:
    """Builds and saves an atlas of these worlds, with all-pairs distances and annotation features."""
    save_atlas(build_atlas(worlds, source="benchmark", licence=""), folder)
    write_annotation_features(folder)


def cost(worlds: Sequence[World], folder: Path, repeats: int = 1) -> Cost:
    """Makes an atlas of these worlds, several times if asked, and measures (the shortest times)."""
    times = []
    for k in range(repeats):
        start = time.perf_counter(), time.process_time()
        make(worlds, folder / str(k))
        times.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    build, processor = (min(column) for column in zip(*times, strict=True))
    return Cost(build, processor, megabytes_on_disk(folder / "0"), **first_step(folder / "0"))


def import_figure(folder: Path) -> Figure:
    """Makes the first atlas, from the publishers' files where they are there."""
    start = time.perf_counter()
    if real_data():
        import_matterport(REAL_DATA, folder)
        name = "import of 61 buildings with distances and annotation features"
    else:
        make(graphs(), folder)
        name = "making of 61 generated buildings with distances and annotation features"
    return Figure(name, time.perf_counter() - start, "s", at_most=60)


def growth_figures(worlds: Sequence[World], parent: Path) -> list[Figure]:
    """What ten times the buildings cost, a building, against what they cost alone.

    The bar on making is on processor time: by the clock, a run of a minute and one of seconds differ by what
    else the machine does meanwhile.
    """
    copies = [replace(world, name=f"{world.name}-{k}") for k in range(COPIES) for world in worlds]
    few, many = cost(worlds, parent / "few", repeats=3), cost(copies, parent / "many")
    few_name, many_name = f"{len(worlds)} buildings", f"{len(copies)} buildings"

    def ratio(attribute: str) -> float:
        return getattr(many, attribute) / getattr(few, attribute) / COPIES

    figures = [
        Figure(f"to make and save, {few_name}, by the clock", few.build, "s"),
        Figure(f"to make and save, {many_name}, by the clock", many.build, "s"),
    ]
    for attribute, what, unit in (
        ("processor", "processor time to make and save", "s"),
        ("size", "on disk", "MB"),
        ("load", "load and first step", "s"),
        ("megabytes", "most memory to the first step", "MB"),
    ):
        per_building = f"{what}: a building of {len(copies)} against one of {len(worlds)}"
        figures += [
            Figure(f"{what}, {few_name}", getattr(few, attribute), unit),
            Figure(f"{what}, {many_name}", getattr(many, attribute), unit),
            Figure(per_building, ratio(attribute), "times", at_most=1.5),
        ]
    return figures


def measure() -> list[Figure]:
    """All figures of this benchmark."""
    with tempfile.TemporaryDirectory(prefix="helpanna-benchmark-") as temporary:
        parent = Path(temporary)
        imported = import_figure(parent / "atlas")
        step = first_step(parent / "atlas")
        atlas = load_atlas(parent / "atlas")
        size = atlas.views.get("annotations").size
        worlds = [atlas.world(w) for w in range(atlas.world_count)]
        return [
            imported,
            Figure("from `import helpanna` to the first step of 1,024 agents", step["total"], "s", at_most=1),
            Figure(
                f"most memory to then, {size} features a view mapped", step["megabytes"], "MB", at_most=400
            ),
            *growth_figures(worlds, parent),
        ]


if __name__ == "__main__":
    report("Atlases: import, load, growth", note(graphs()), measure)
