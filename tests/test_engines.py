"""Processes and Ray clusters take the same work and give the same answers; none is left behind."""

import os
import signal
from pathlib import Path

import jobs
import pytest
from waiting import alive, wait_until

from helpanna.engines import LOCAL, Engine
from helpanna.errors import InputError


@pytest.mark.parametrize("workers", [1, 2])
def test_processes_work_where_they_are_started(workers, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with LOCAL.open(workers) as submit:
        assert [submit(jobs.double, n).result() for n in range(3)] == [0, 2, 4]
        assert submit(jobs.whereabouts).result() == tmp_path
    with pytest.raises(InputError, match="take another"), LOCAL.open(workers) as submit:
        submit(jobs.refuse).result()


@pytest.fixture
def sleeper(tmp_path):
    """Work that takes for ever, and whose process it is."""

    def begin(submit):
        mark = tmp_path / "mark"
        future = submit(jobs.sleep, mark)
        wait_until(lambda: mark.exists() and mark.read_text())
        return future, int(mark.read_text())

    return begin


def test_a_killed_process_is_one_sentence(sleeper):
    with pytest.raises(InputError, match="a worker process was killed"), LOCAL.open(2) as submit:
        future, pid = sleeper(submit)
        os.kill(pid, signal.SIGKILL)
        future.result()


def test_an_interrupt_ends_all_at_once(sleeper):
    pids = []
    with pytest.raises(KeyboardInterrupt), LOCAL.open(2) as submit:
        pids.append(sleeper(submit)[1])
        raise KeyboardInterrupt
    wait_until(lambda: not alive(pids[0]))


def test_a_cluster_that_does_not_start_is_one_sentence(monkeypatch):
    ray = pytest.importorskip("ray")

    def too_slow(**_):
        raise Exception("the node timed out")

    monkeypatch.setattr(ray, "init", too_slow)
    says = r"no Ray cluster starts on this machine \(the node timed out\); try again"
    with pytest.raises(InputError, match=says), Engine("ray").open(2):
        pass


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_a_cluster_does_the_same_and_begins_again_where_a_worker_dies(cluster, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(jobs.__file__).parent))
    monkeypatch.chdir(tmp_path)
    says = r"^this cannot be done; take another\.$"
    with pytest.raises(InputError, match=says), Engine("ray").open(2) as submit:
        assert [submit(jobs.double, n).result() for n in range(3)] == [0, 2, 4]
        assert submit(jobs.whereabouts).result() == tmp_path
        assert submit(jobs.die_once, tmp_path / "died").result() == "done"
        submit(jobs.refuse).result()
