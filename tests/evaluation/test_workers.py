"""Several processes: the same result, and none is left behind."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from random_episodes import same_trajectories
from splits import sample_split
from waiting import alive, wait_until

from helpanna.errors import InputError
from helpanna.evaluation import workers
from helpanna.evaluation.runner import Setup, run_episodes
from helpanna.evaluation.workers import run_in_workers, run_on_cores
from helpanna.tasks.dataset import save_dataset
from helpanna.tasks.sampling import PathRange
from helpanna.worlds.storage import save_atlas

TASKS = np.arange(260)
SPLIT = sample_split(routes_per_world=30)
SLEEPY = Path(__file__).parents[1] / "sleepy_command.py"


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    save_atlas(SPLIT.atlas, folder / "atlas")
    save_dataset(
        folder / "dataset", {"train": SPLIT}, [(SPLIT.atlas, folder / "atlas")], 0, PathRange(), settings={}
    )
    return folder / "dataset"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("agent", "assistant"),
    [("explorer+ask_untried+perfect", "noisy:0.3"), ("random_walk+random_ask", "limited:2")],
)
def test_two_workers_give_what_one_process_gives(data, agent, assistant):
    setup = Setup(data, "train", agent, assistant, seed=1, budget=20)
    told = []
    done = run_in_workers(setup, TASKS, workers=2, batch_size=64, on_progress=lambda *n: told.append(n))
    assert same_trajectories(done, run_episodes(*setup.load(), TASKS, budget=20))
    assert sorted(done for done, _ in told) == [done for done, _ in told]
    assert told[-1] == (260, 260) and len(told) == 5


def test_what_a_worker_cannot_use_is_told_by_the_parent(data):
    with pytest.raises(InputError, match="no split 'nowhere'"):
        run_in_workers(Setup(data, "nowhere", "forward10"), TASKS, workers=2, batch_size=100)


@pytest.mark.parametrize(("cores", "worth", "started"), [(2, -1.0, [2]), (2, 1e9, []), (1, -1.0, [])])
def test_processes_are_started_where_they_save_time(data, monkeypatch, cores, worth, started):
    setup = Setup(data, "train", "random_walk+random_ask", budget=20)
    loaded, told, calls = setup.load(), [], []

    def in_workers(setup, tasks, workers, batch_size, on_progress):
        calls.append(workers)
        assert batch_size * workers >= len(tasks)  # each has something to do
        return run_episodes(*loaded, tasks, setup.budget, batch_size, on_progress)

    monkeypatch.setattr(workers, "available_cores", lambda: cores)
    monkeypatch.setattr(workers, "_WORTH_SECONDS", worth)
    monkeypatch.setattr(workers, "run_in_workers", in_workers)
    done = run_on_cores(setup, loaded, TASKS, on_progress=lambda *n: told.append(n))
    assert calls == started
    assert same_trajectories(done, run_episodes(*loaded, TASKS, budget=20))
    assert told[-1] == (260, 260)


@pytest.fixture
def sleepy(data, tmp_path):
    """`helpanna evaluate --workers 2`, both workers asleep in the middle of a batch; and their ids."""
    marks = tmp_path / "marks"
    marks.mkdir()
    arguments = ["--data", data, "--split", "train", "--agent", "any", "--out", tmp_path / "run.jsonl"]
    command = [sys.executable, SLEEPY, marks, "evaluate", *arguments, "--workers", "2", "--batch-size", "50"]
    process = subprocess.Popen(
        list(map(str, command)), stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        wait_until(lambda: len(list(marks.iterdir())) == 2 or process.poll() is not None)
        yield process, [int(mark.name) for mark in marks.iterdir()]
        assert not (tmp_path / "run.jsonl").exists()
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stderr.close()


@pytest.mark.slow
def test_workers_end_when_their_parent_is_killed(sleepy):
    process, pids = sleepy
    process.kill()
    wait_until(lambda: not any(map(alive, pids)))


@pytest.mark.slow
def test_ctrl_c_ends_everything_at_once(sleepy):
    process, pids = sleepy
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
    _, error = process.communicate(timeout=300)  # the workers would sleep for an hour
    assert process.returncode == 130
    assert "Traceback" not in error and "interrupted" in error
    wait_until(lambda: not any(map(alive, pids)))


@pytest.mark.slow
def test_a_killed_worker_is_one_sentence(sleepy):
    process, pids = sleepy
    os.kill(pids[0], signal.SIGKILL)
    _, error = process.communicate(timeout=300)
    assert process.returncode == 2
    assert "a worker process was killed" in error and len(error.splitlines()) == 1
    wait_until(lambda: not any(map(alive, pids)))
