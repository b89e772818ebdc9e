"""Explorer: every decision against a plain single-agent reckoning of what it knows."""

from dataclasses import replace

import numpy as np
import pytest
from known_graph import length, metres_to_unvisited, neighbours
from random_episodes import same_trajectories
from splits import sample_split

from helpanna.agents.asking import Asking, RandomAsk
from helpanna.agents.explorer import Explorer
from helpanna.assistance.assistants import Absent, Anna
from helpanna.evaluation.runner import run_episodes

TASKS = np.arange(200)


def in_sight(split, task, location):
    kind = split.goal_sets.object_type[split.goal_set[task]]
    seen = split.atlas.sighting[split.atlas.sighting[:, 0] == location, 1]
    return bool((split.atlas.object_type[seen] == kind).any())


@pytest.mark.parametrize("asking", [False, True], ids=["alone", "with help"])
def test_every_decision_follows_from_what_it_has_seen(asking):
    split = sample_split(routes_per_world=30)
    atlas = split.atlas
    agent = Asking(Explorer(), RandomAsk()) if asking else Explorer()
    done = run_episodes(split, agent, Anna(split), TASKS)
    assert done.asked.any() == asking
    kinds = {"stop": 0, "near": 0, "far": 0}
    for b, task in enumerate(done.task):
        visited = set()
        for t in range(done.length[b]):
            here, there = int(done.location[b, t]), int(done.location[b, t + 1])
            visited.add(here)
            arrived = done.on_route[b, t] and here == done.target[b, t]
            if done.asked[b, t]:
                continue
            nearest = metres_to_unvisited(atlas, visited, here)
            if in_sight(split, task, here) or arrived or np.isinf(nearest):
                assert done.action[b, t] == 0
                kinds["stop"] += 1
                continue
            assert there in neighbours(atlas, here)
            rest = metres_to_unvisited(atlas, visited, there)
            assert length(atlas, here, there) + rest == pytest.approx(nearest)
            kinds["near" if rest == 0 else "far"] += 1
    assert min(kinds.values()) > 20


def test_it_reads_no_map():
    split = sample_split()
    atlas, goals = split.atlas, split.goal_sets
    hidden = replace(
        split,
        atlas=replace(
            atlas, distance=np.zeros_like(atlas.distance), next_hop=np.full_like(atlas.next_hop, -1)
        ),
        goal_sets=replace(goals, distance=np.zeros_like(goals.distance), nearest=goals.nearest * 0 - 1),
    )
    with_map = run_episodes(split, Explorer(), Absent(), TASKS)
    without = run_episodes(hidden, Explorer(), Absent(), TASKS)
    assert same_trajectories(replace(with_map, metres=without.metres), without)


def test_it_finds_what_is_there_if_it_has_the_time():
    split = sample_split()
    done = run_episodes(split, Explorer(), Absent(), TASKS, budget=500)
    found = [in_sight(split, task, v) for task, v in zip(done.task, done.final, strict=True)]
    assert np.mean(found) == 1.0
    assert (done.action[TASKS, done.length - 1] == 0).all()


def test_an_explorer_that_goes_on_to_another_split_forgets_the_first():
    first, second = sample_split(), sample_split(seed=1)
    agent = Explorer()
    run_episodes(first, agent, Absent(), TASKS)
    again = run_episodes(second, agent, Absent(), TASKS)
    assert same_trajectories(again, run_episodes(second, Explorer(), Absent(), TASKS))
