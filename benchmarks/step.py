"""How fast agents step: batched, with features, alone, and against a plain Python implementation.

All runs take the same random walk, drawn beforehand: what is timed is finding every agent's candidate actions
with their mask, and stepping, not the choice.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from buildings import graphs, note
from harness import Figure, best_seconds, report
from numpy.typing import NDArray
from plain import PlainAgent, PlainWorlds

from helpanna.episodes.poses import Candidates, Poses
from helpanna.randomness import choices
from helpanna.worlds.atlas import Atlas, build_atlas
from helpanna.worlds.geometry import VIEWS

BATCH = 1024
STEPS = 400
FEATURE_STEPS = 40
PANORAMA_STEPS = 5
PLAIN_STEPS = 10
FEATURE_SIZE = 2048

Ints = NDArray[np.int64]
Gather = Callable[[Poses, Candidates], None]


def start(atlas: Atlas, batch: int) -> tuple[Ints, Ints]:
    """The locations and views at which the agents begin."""
    agents = np.arange(batch)
    location = choices(0, "benchmark-location", atlas.location_count, agents)
    return location, choices(0, "benchmark-view", VIEWS, agents)


def random_walk(atlas: Atlas, batch: int, steps: int) -> Ints:
    """[steps, batch] actions: moves and stops that exist where the agents then are."""
    poses = Poses(atlas, *start(atlas, batch))
    actions = np.empty((steps, batch), dtype=np.int64)
    for t in range(steps):
        count = poses.candidates().mask.sum(axis=-1)
        actions[t] = choices(0, "benchmark-action", count, t, np.arange(batch))
        poses.step(actions[t])
    return actions


def batched_rate(atlas: Atlas, actions: Ints, gather: Gather | None = None) -> float:
    """Agent steps a second of `Poses`, gathering features each step if asked to."""
    poses = Poses(atlas, *start(atlas, actions.shape[1]))
    begin = poses.location, poses.view

    def run() -> None:
        poses.reset(*begin)
        for action in actions:
            candidates = poses.candidates()
            if gather is not None:
                gather(poses, candidates)
            poses.step(action)

    return actions.size / best_seconds(run)


def plain_rate(atlas: Atlas, actions: Ints) -> float:
    """Agent steps a second of the plain implementation."""
    worlds = PlainWorlds.of(atlas)
    poses = list(zip(*(column.tolist() for column in start(atlas, actions.shape[1])), strict=True))
    rows = actions.tolist()

    def run() -> None:
        agents = [PlainAgent(worlds, location, view) for location, view in poses]
        for row in rows:
            for agent, action in zip(agents, row, strict=True):
                agent.step(agent.candidates()[action])

    return actions.size / best_seconds(run, repeats=3)


def assert_same_candidates(atlas: Atlas, actions: Ints) -> None:
    """The two implementations do the same: every candidate of every agent at every step."""
    worlds = PlainWorlds.of(atlas)
    poses = Poses(atlas, *start(atlas, actions.shape[1]))
    agents = [PlainAgent(worlds, *pose) for pose in zip(poses.location, poses.view, strict=True)]
    for row in actions:
        batch = poses.candidates()
        for b, agent in enumerate(agents):
            columns = [table[b, batch.mask[b]].tolist() for table in (batch.location, batch.view, batch.slot)]
            assert agent.candidates() == list(zip(*columns, strict=True))
            agent.step(agent.candidates()[row[b]])
        poses.step(row)


def feature_file(folder: Path, locations: int) -> NDArray[np.float16]:
    """A memory-mapped [locations * 36, 2048] file of random float16 numbers."""
    shape = (locations * VIEWS, FEATURE_SIZE)
    path = folder / "features.npy"
    array = np.lib.format.open_memmap(path, mode="w+", dtype=np.float16, shape=shape)
    chunk = np.random.default_rng(0).random((4096, FEATURE_SIZE), dtype=np.float32).astype(np.float16)
    for first in range(0, len(array), len(chunk)):
        part = array[first : first + len(chunk)]
        part[:] = chunk[: len(part)]
    array.flush()
    del array
    return np.asarray(np.load(path, mmap_mode="r"))


def feature_figures(atlas: Atlas, actions: Ints) -> list[Figure]:
    """Steps a second with features gathered from a memory map into a buffer that is used again."""
    with tempfile.TemporaryDirectory(prefix="helpanna-benchmark-") as folder:
        features = feature_file(Path(folder), atlas.location_count)
        features.sum(dtype=np.float32)  # every page once, so that no run waits for the disk
        buffer = np.empty((BATCH * VIEWS, FEATURE_SIZE), dtype=np.float16)
        panorama = np.arange(VIEWS)

        def take(rows: Ints) -> None:
            np.take(features, rows, axis=0, out=buffer[: len(rows)], mode="clip")

        def current_view(poses: Poses, _: Candidates) -> None:
            take(poses.location * VIEWS + poses.view)

        def candidate_views(poses: Poses, candidates: Candidates) -> None:
            rows = np.add(poses.location[:, None] * VIEWS, candidates.view, dtype=np.int64)
            take(rows[candidates.mask])

        def whole_panorama(poses: Poses, _: Candidates) -> None:
            take((poses.location[:, None] * VIEWS + panorama).ravel())

        few = actions[:FEATURE_STEPS]
        current = batched_rate(atlas, few, current_view)
        candidate = batched_rate(atlas, few, candidate_views)
        whole = batched_rate(atlas, actions[:PANORAMA_STEPS], whole_panorama)
    unit = "agent steps/s"
    return [
        Figure("with 2,048 float16 of the current view, [B, 2048]", current, unit, at_least=100_000),
        Figure(
            "with 2,048 float16 of the view of every candidate action that exists",
            candidate,
            unit,
            at_least=100_000,
        ),
        Figure("with 2,048 float16 of all 36 views, [B, 36, 2048]", whole, unit),
    ]


def measure(atlas: Atlas) -> list[Figure]:
    """All figures of this benchmark."""
    actions = random_walk(atlas, BATCH, STEPS)
    assert_same_candidates(atlas, actions[:2])
    batched = batched_rate(atlas, actions)
    single = batched_rate(atlas, random_walk(atlas, 1, 5000))
    plain = plain_rate(atlas, actions[:PLAIN_STEPS])
    unit = "agent steps/s"
    return [
        Figure(f"batch {BATCH:,}, candidates and masks", batched, unit, at_least=1_000_000),
        *feature_figures(atlas, actions),
        Figure("one agent, candidates and mask", single, unit, at_least=20_000),
        Figure("plain Python, one agent after the other", plain, unit),
        Figure(f"batch {BATCH:,} against plain Python", batched / plain, "times", at_least=50),
    ]


if __name__ == "__main__":
    buildings = graphs()
    report(
        "Stepping agents",
        note(buildings),
        lambda: measure(build_atlas(buildings, source="benchmark", licence="")),
    )
