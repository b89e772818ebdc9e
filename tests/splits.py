"""Small splits for tests: tasks and routes in the sample buildings."""

from functools import cache

import numpy as np

from helpanna.randomness import generator
from helpanna.tasks.goals import build_goal_sets, request_text
from helpanna.tasks.routes import Routes
from helpanna.tasks.split import Split
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.geometry import HEADINGS
from helpanna.worlds.sample import sample_atlas


def random_routes(atlas: Atlas, per_world: int, seed: int = 0) -> Routes:
    """Shortest paths of 3 to 7 locations with one to three instructions each."""
    paths, texts, route_of = [], [], []
    for world in range(atlas.world_count):
        rng = generator(seed, "test routes", world)
        places = np.array(atlas.locations(world))
        found: set[tuple[int, ...]] = set()
        for _ in range(100 * per_world):
            start, end = rng.choice(places, size=2, replace=False)
            if len(found) < per_world and np.isfinite(atlas.distances(start, end)):
                path = tuple(atlas.path(int(start), int(end)))
                if 3 <= len(path) <= 7:
                    found.add(path)
        for path in sorted(found):
            for k in range(int(rng.integers(1, 4))):
                texts.append(f"walk {len(path) - 1} times and stop at place {path[-1]} ({k})")
                route_of.append(len(paths))
            paths.append(path)
    table = np.full((len(paths), max(map(len, paths))), -1, dtype=np.int32)
    for row, path in zip(table, paths, strict=True):
        row[: len(path)] = path
    views = HEADINGS + generator(seed, "test views").integers(0, HEADINGS, len(paths))
    names = tuple(str(i) for i in range(len(paths)))
    return Routes(names, table, views.astype(np.int32), tuple(texts), np.array(route_of, dtype=np.int32))


@cache
def sample_split(worlds: int = 3, seed: int = 0, routes_per_world: int = 12) -> Split:
    """All goal sets of some sample buildings, and every location that can reach a goal as a start."""
    atlas = sample_atlas(worlds, seed)
    return split_in(atlas, random_routes(atlas, routes_per_world, seed), seed)


def split_in(atlas: Atlas, routes: Routes, seed: int = 0) -> Split:
    """All goal sets of the buildings, and every location that can reach a goal and is not near as a start."""
    pairs = {
        (int(w), int(atlas.object_type[i]))
        for w in range(atlas.world_count)
        for i in range(*atlas.object_start[w : w + 2])
    }
    goal_sets = build_goal_sets(atlas, sorted(pairs))
    tasks = [
        (g, v)
        for g, w in enumerate(goal_sets.world)
        for v in atlas.locations(w)
        if np.isfinite(goal_sets.distance_from(g, v)) and goal_sets.distance_from(g, v) > 2
    ]
    order = generator(seed, "test tasks").permutation(len(tasks))
    goal_set, start = np.array(tasks, dtype=np.int32)[order].T
    requests = tuple(request_text(atlas.type_names[t]) for t in goal_sets.object_type)
    return Split(
        name="train",
        atlas=atlas,
        routes=routes,
        goal_sets=goal_sets,
        goal_set=goal_set,
        start=start,
        view=(HEADINGS + np.arange(len(start)) % HEADINGS).astype(np.int32),
        texts=requests + routes.instructions,
    )
