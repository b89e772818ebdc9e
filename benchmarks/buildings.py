"""The buildings the benchmarks run on: the 61 real graphs, or generated ones of the same size."""

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from helpanna.randomness import generator
from helpanna.worlds.matterport.connectivity import find_scans, read_graph
from helpanna.worlds.world import World, unordered_pairs

REAL_DATA = Path(
    os.environ.get("HELPANNA_REAL_DATA", Path(__file__).parents[2] / "shared" / "data" / "matterport")
)

_COUNT = 61
_COLUMNS, _ROWS = 25, 5


def real_data() -> bool:
    """Whether the real buildings are there."""
    return (REAL_DATA / "connectivity").is_dir()


def graphs() -> list[World]:
    """The navigation graphs of 61 buildings, without rooms and objects."""
    if not real_data():
        return [_generated_graph(f"generated{i:02}", i) for i in range(_COUNT)]
    folder = REAL_DATA / "connectivity"
    real = [read_graph(folder, scan) for scan in find_scans(folder)]
    return [_world(graph.scan, graph.positions, graph.edges) for graph in real]


def note(worlds: Sequence[World]) -> str:
    """What these buildings are, for the head of a table."""
    size = f"{len(worlds)} buildings, {sum(world.location_count for world in worlds):,} locations"
    if real_data():
        return f"on {size} of Matterport3D"
    return f"REAL DATA MISSING ({REAL_DATA}; set HELPANNA_REAL_DATA): on {size} generated in their place"


def _generated_graph(name: str, index: int) -> World:
    """25 x 5 locations about 2.2 m apart, some out of place, with a doorway missing here and there."""
    draw = generator(0, "benchmark-building", index)
    column, row = np.divmod(np.arange(_COLUMNS * _ROWS), _ROWS)
    positions = np.stack([column * 2.2, row * 2.2, np.zeros(len(row))], axis=-1)
    positions += draw.uniform(-0.6, 0.6, positions.shape) * np.array([1, 1, 0.2])
    apart = np.linalg.norm(positions[:, None] - positions[None], axis=-1)
    joined = (apart < 2.9) & (draw.random(apart.shape) < 0.7)
    return _world(name, positions, unordered_pairs(*np.nonzero(joined)))


def _world(name: str, positions: NDArray[np.float64], edges: NDArray[np.int32]) -> World:
    n = len(positions)
    return World(
        name=name,
        location_names=tuple(f"{name}-{k}" for k in range(n)),
        positions=positions,
        eye_heights=np.full(n, 1.5),
        floors=np.zeros(n, dtype=np.int32),
        edges=edges,
        sight_lines=np.empty((0, 2), dtype=np.int32),
        rooms=(),
        room_of=np.full(n, -1),
        object_names=(),
        object_types=(),
        object_positions=np.empty((0, 3)),
        object_radii=np.empty(0),
        delegates=np.empty(0, dtype=np.int32),
        sightings=np.empty((0, 2), dtype=np.int32),
        sighting_views=np.empty(0, dtype=np.uint64),
    )
