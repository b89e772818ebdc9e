"""A Hypothesis strategy for small random splits: any graphs, walks as routes, all tasks there are."""

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from strategies import atlases

from helpanna.tasks.goals import build_goal_sets, request_text
from helpanna.tasks.routes import Routes
from helpanna.tasks.split import Split
from helpanna.worlds.geometry import VIEWS


@st.composite
def splits(draw) -> Split:
    """A Split with at least one task; its routes are random walks that may turn back and cross themselves."""
    atlas = draw(atlases(max_worlds=2, min_locations=2, max_objects=4))
    pairs = sorted(
        {
            (w, int(atlas.object_type[i]))
            for w in range(atlas.world_count)
            for i in range(*atlas.object_start[w : w + 2])
        }
    )
    goal_sets = build_goal_sets(atlas, pairs)
    tasks = [
        (g, v)
        for g, w in enumerate(goal_sets.world)
        for v in atlas.locations(w)
        if np.isfinite(goal_sets.distance_from(g, v))
    ]
    assume(tasks)
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    routes = random_walks(atlas, rng, draw(st.integers(0, 6)))
    goal_set, start = np.array(tasks, dtype=np.int32).T
    requests = tuple(request_text(atlas.type_names[t]) for t in goal_sets.object_type)
    views = rng.integers(0, VIEWS, len(tasks)).astype(np.int32)
    texts = requests + routes.instructions
    return Split("train", atlas, routes, goal_sets, goal_set, start, views, texts)


def random_walks(atlas, rng, per_world) -> Routes:
    """Up to this many walks of 2 to 5 locations a building, each with one to three instructions."""
    paths, route_of = [], []
    for world in range(atlas.world_count):
        for start in rng.choice(np.array(atlas.locations(world)), per_world):
            path = [int(start)]
            for _ in range(rng.integers(1, 5)):
                near = atlas.action_location[path[-1], 0, 1:]
                if (near >= 0).any():
                    path.append(int(rng.choice(near[near >= 0])))
            if len(path) > 1:
                route_of += [len(paths)] * int(rng.integers(1, 4))
                paths.append(path)
    table = np.full((len(paths), 5), -1, dtype=np.int32)
    for row, path in zip(table, paths, strict=True):
        row[: len(path)] = path
    return Routes(
        names=tuple(f"walk {i}" for i in range(len(paths))),
        path=table,
        view=rng.integers(0, VIEWS, len(paths)).astype(np.int32),
        instructions=tuple(f"follow walk {r} ({i})" for i, r in enumerate(route_of)),
        route_of=np.array(route_of, dtype=np.int32),
    )
