"""Several processes learn together what one learns alone."""

import os
import signal
import socket
import subprocess
import sys

import numpy as np
import pytest
import torch
from commands import Command
from lessons import save_small_dataset

from helpanna.cli.main import main
from helpanna.errors import InputError
from helpanna.learning.journal import read_log
from helpanna.learning.processes import Processes
from helpanna.learning.rollout import Batch

LOSSES = ("navigation", "curiosity", "ask", "conditions")
# Five episodes for two processes: they have unequal parts.
OPTIONS = ["--hidden", "8", "--dropout", "0", "--batch-size", "5", "--budget", "5", "--learning-rate", "1e-3"]
OPTIONS += ["--iterations", "5", "--evaluation-tasks", "2"]


def test_the_parts_of_a_batch_are_the_batch():
    batch = Batch(3, np.arange(100, 107), np.arange(7))
    parts = [Processes(rank, 3).part(batch) for rank in range(3)]
    assert sorted(np.concatenate([part.tasks for part in parts]).tolist()) == batch.tasks.tolist()
    for part in parts:
        np.testing.assert_array_equal(part.tasks - 100, part.place)
        assert part.iteration == 3
    Processes(0, 3).check(3)
    with pytest.raises(
        InputError, match=r"--batch-size is 2; give at least one episode for each of 3 processes"
    ):
        Processes(0, 3).check(2)


def test_one_process_is_all_there_is(monkeypatch):
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    alone = Processes.join(torch.device("cpu"))
    assert alone == Processes(0, 1) and alone.leads and not Processes(1, 2).leads
    counts, module = torch.tensor([3.0, 2.0]), torch.nn.Linear(1, 1)
    assert alone.mean(counts, 5) is counts and alone.total(counts) is counts
    assert alone.wrap(module, every_parameter_learns=True) is module
    alone.wait()
    alone.leave()


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "dataset"
    save_small_dataset(folder)
    return folder


def command(data, run, asking):
    return ["train", "--data", str(data), "--out", str(run), *OPTIONS, "--asking", asking]


def assert_same_curves(one, two):
    """Losses to one part in ten thousand, the gradient's norm to one in a thousand, what happened exactly.

    That is what the order of sums of 32-bit floats makes of five steps of Adam.
    """
    alone, together = read_log(one), read_log(two)
    assert len(alone) == len(together) == 6
    for a, b in zip(alone[:5], together[:5], strict=True):
        assert [a[k] for k in ("iteration", "success", "requests", "steps")] == [
            b[k] for k in ("iteration", "success", "requests", "steps")
        ]
        for name in LOSSES:
            assert b[name] == pytest.approx(a[name], rel=1e-4, abs=1e-5)
        assert b["gradient"] == pytest.approx(a["gradient"], rel=1e-3)
    assert together[5] == pytest.approx(alone[5], rel=1e-6, nan_ok=True)


@pytest.mark.slow
def test_two_processes_learn_as_one_does(data, tmp_path):
    assert Command(command(data, tmp_path / "one", "learned"), tmp_path / "one.txt").wait() == 0
    together = [*command(data, tmp_path / "two", "learned"), "--processes", "2"]
    done = subprocess.run(
        [sys.executable, "-m", "helpanna.cli", *together],
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stderr.count("M parameters") == 1  # one of them speaks
    assert_same_curves(tmp_path / "one", tmp_path / "two")


def test_what_is_wrong_with_a_run_of_several_processes_is_said_once(data, tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    for count, message in (("6", "--batch-size is 5"), ("0", "--processes")):
        with pytest.raises(SystemExit) as stop:
            main([*command(data, tmp_path / "run", "learned"), "--processes", count])
        said = capsys.readouterr().err
        assert stop.value.code == 2 and said.count("\n") == 1 and message in said
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_processes_that_are_interrupted_stop_together_and_go_on(data, tmp_path):
    """One of them hears of it first; the other must not wait for it in vain."""
    run, long = tmp_path / "run", ["--iterations", "100000", "--save-every", "2"]
    options = [*command(data, run, "learned"), *long]  # the last of an option counts
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    meeting = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    ranks = [Command(options, tmp_path / f"{r}.txt", meeting | {"RANK": str(r)}) for r in range(2)]
    try:
        while not (run / "run.json").is_file() or len(read_log(run)) < 2:
            assert all(rank.wait(0.1) is None for rank in ranks), [r.words.read_text() for r in ranks]
        for number in (signal.SIGINT, signal.SIGINT, signal.SIGTERM):  # as from a terminal and torchrun
            os.kill(ranks[1].pid, number)
        assert [rank.wait(600) for rank in ranks] == [130, 130], [r.words.read_text() for r in ranks]
    finally:
        for rank in ranks:
            rank.kill()
    assert [r.words.read_text().count("go on with") for r in ranks] == [1, 0]
    done = len(read_log(run))
    assert main(["train", "--resume", str(run), "--until", str(done + 1)]) is None
    assert len(read_log(run)) == done + 1


@pytest.mark.slow
def test_parameters_that_nobody_uses_are_no_obstacle(data, tmp_path):
    """With a heuristic ask policy the help-request network has no gradient."""
    assert Command(command(data, tmp_path / "one", "random_ask"), tmp_path / "one.txt").wait() == 0
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    meeting = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    ranks = [
        Command(
            command(data, tmp_path / "two", "random_ask"),
            tmp_path / f"rank{rank}.txt",
            meeting | {"RANK": str(rank)},
        )
        for rank in range(2)
    ]
    assert [rank.wait() for rank in ranks] == [0, 0], [rank.words.read_text() for rank in ranks]
    assert_same_curves(tmp_path / "one", tmp_path / "two")
    assert all(line["ask"] == 0 for line in read_log(tmp_path / "two")[:5])
