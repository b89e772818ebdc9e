"""Which tasks there can be, and which of them are drawn."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from helpanna.randomness import generator, uniforms
from helpanna.tasks.goals import EPS_SUCCESS, GoalSets, build_goal_sets
from helpanna.worlds.atlas import Atlas

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class PathRange:
    """How many locations, both ends counted, the shortest path of a task to its nearest goal may have."""

    shortest: int = 5
    longest: int = 15


@dataclass(frozen=True, eq=False)
class Pool:
    """All n tasks that some buildings allow, each once: what is sought, and where one starts.

    Attributes:
        goal_sets: all goal sets of the buildings.
        goal_set: [n] of each task.
        start: [n] location ids.
    """

    goal_sets: GoalSets
    goal_set: Ints
    start: Ints

    def __len__(self) -> int:
        return len(self.start)


def possible_tasks(atlas: Atlas, worlds: Sequence[int], types: Collection[int], paths: PathRange) -> Pool:
    """Every (object type, start) of the buildings with a path in the range and a start that is no success."""
    wanted = np.array(sorted(types), dtype=np.int64)
    pairs = [
        (world, int(kind))
        for world in worlds
        for kind in np.unique(atlas.object_type[slice(*atlas.object_start[world : world + 2])])
        if kind in wanted
    ]
    goal_sets = build_goal_sets(atlas, pairs)
    sizes = np.diff(atlas.world_start)[goal_sets.world]
    goal_set = np.repeat(np.arange(len(goal_sets)), sizes)
    place = np.arange(len(goal_set)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    start = atlas.world_start[goal_sets.world[goal_set]] + place
    distance, goal = goal_sets.distance_from(goal_set, start), goal_sets.nearest_to(goal_set, start)
    far = np.isfinite(distance) & (distance > EPS_SUCCESS)
    goal_set, start, goal = goal_set[far], start[far], goal[far]
    count = atlas.path_locations(start, goal)
    fits = (count >= paths.shortest) & (count <= paths.longest)
    return Pool(goal_sets, goal_set[fits], start[fits])


def draw_tasks(pool: Pool, sizes: Mapping[str, int], seed: int) -> dict[str, Ints]:
    """Draws tasks (indices into the pool) for several splits, none for two of them.

    Buildings take turns, so that a large one, which allows a hundred times the tasks of a small one, does not
    outweigh it; within a building all tasks are equally likely. What is drawn is shuffled and dealt out, so
    all splits are alike. Where there are too few tasks, every split gets the same share of what it wants.
    """
    share = min(1.0, len(pool) / max(sum(sizes.values()), 1))
    counts = {name: int(size * share) for name, size in sizes.items()}
    world = pool.goal_sets.world[pool.goal_set]
    key = uniforms(seed, "tasks", pool.goal_sets.object_type[pool.goal_set], pool.start)
    by_world = np.lexsort((key, world))
    turn = np.empty(len(pool), dtype=np.int64)
    turn[by_world] = np.arange(len(pool)) - np.searchsorted(world[by_world], world[by_world])
    drawn = np.lexsort((key, turn))[: sum(counts.values())]
    drawn = generator(seed, "splits").permutation(drawn)
    ends = np.cumsum(list(counts.values()), dtype=np.int64)
    return dict(zip(counts, np.split(drawn, ends), strict=False))  # nothing is left after the last end
