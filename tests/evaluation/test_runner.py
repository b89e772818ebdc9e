"""The runner: neither batch size nor order nor the number of processes changes a result."""

import numpy as np
import pytest
from random_episodes import same_trajectories
from splits import sample_split

from helpanna.agents.names import make_agent
from helpanna.assistance.names import make_assistant
from helpanna.errors import InputError
from helpanna.evaluation.runner import Setup, run_episodes, run_in_workers
from helpanna.tasks.dataset import save_dataset
from helpanna.tasks.sampling import PathRange
from helpanna.worlds.storage import save_atlas

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
        SPLIT, make_agent(agent, 1), make_assistant(assistant, SPLIT, 1), tasks, budget=20, **options
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


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    save_atlas(SPLIT.atlas, folder / "atlas")
    save_dataset(
        folder / "dataset", {"train": SPLIT}, [(SPLIT.atlas, folder / "atlas")], 0, PathRange(), settings={}
    )
    return folder / "dataset"


@pytest.mark.parametrize(
    ("agent", "assistant"),
    [("explorer+ask_untried+perfect", "noisy:0.3"), ("random_walk+random_ask", "limited:2")],
)
def test_two_workers_give_what_one_process_gives(data, agent, assistant):
    setup = Setup(data, "train", agent, assistant, seed=1, budget=20)
    told = []
    done = run_in_workers(setup, TASKS, workers=2, batch_size=64, on_progress=lambda *n: told.append(n))
    assert same_trajectories(done, run(agent, assistant))
    assert sorted(done for done, _ in told) == [done for done, _ in told]
    assert told[-1] == (260, 260) and len(told) == 5


def test_what_a_worker_cannot_use_is_told_by_the_parent(data):
    with pytest.raises(InputError, match="no split 'nowhere'"):
        run_in_workers(Setup(data, "nowhere", "forward10"), TASKS, workers=2, batch_size=100)
