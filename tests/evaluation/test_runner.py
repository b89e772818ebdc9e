"""The runner: neither batch size nor order changes a result."""

import numpy as np
import pytest
from random_episodes import same_trajectories
from splits import sample_split

from helpanna.agents.names import make_agent
from helpanna.assistance.names import make_assistant
from helpanna.errors import InputError
from helpanna.evaluation.runner import run_episodes, tasks_in

TASKS = np.arange(260)
NAVIGATORS = ("random_walk", "forward10", "shortest", "explorer")
RUNS = [
    *((name, "anna") for name in NAVIGATORS),
    *(
        (f"{name}+{ask}", "anna")
        for name in NAVIGATORS
        for ask in ("random_ask", "ask_every5", "ask_untried")
    ),
    ("explorer+ask_untried+perfect", "anna"),
    ("explorer+ask_new+perfect", "anna"),
    ("random_walk+random_ask+perfect", "noisy:0.3"),
    ("explorer+random_ask", "noisy:0.3"),
    ("explorer+ask_untried+perfect", "noisy:0.5,limited:2,priced:1m,priced:2steps"),
]
SPLIT = sample_split(routes_per_world=30)


def run(agent, assistant, tasks=TASKS, **options):
    return run_episodes(
        SPLIT, make_agent(agent, SPLIT, 1), make_assistant(assistant, SPLIT, 1), tasks, budget=20, **options
    )


@pytest.mark.slow
@pytest.mark.parametrize(("agent", "assistant"), RUNS)
def test_the_batch_size_changes_nothing(agent, assistant):
    whole = run(agent, assistant, batch_size=256)
    assert whole.asked.any() == ("ask" in agent)
    for batch_size in (1, 7, 64):
        assert same_trajectories(run(agent, assistant, batch_size=batch_size), whole)


@pytest.mark.parametrize(("agent", "assistant"), RUNS)
def test_the_order_changes_nothing(agent, assistant):
    order = np.random.default_rng(0).permutation(TASKS)
    shuffled = run(agent, assistant, order, batch_size=64)
    assert np.array_equal(shuffled.task, order)
    assert same_trajectories(shuffled.select(np.argsort(order)), run(agent, assistant))


def test_progress_is_told_after_every_batch():
    told = []
    run("forward10", "absent", TASKS[:20], batch_size=8, on_progress=lambda *n: told.append(n))
    assert told == [(8, 20), (16, 20), (20, 20)]


def test_tasks_of_some_buildings():
    first, second, third = SPLIT.atlas.world_names
    some = tasks_in(SPLIT, [third, first])
    where = SPLIT.atlas.world_of[SPLIT.start]
    assert np.array_equal(some, np.flatnonzero((where == 0) | (where == 2)))
    assert len(some) + len(tasks_in(SPLIT, [second])) == len(SPLIT)
    with pytest.raises(InputError, match="no task in a building 'nowhere'"):
        tasks_in(SPLIT, ["nowhere"])
