"""Checkpoints and the log: what is kept, and what a run that goes on makes of it."""

import importlib
import json
import re
import resource
import sys

import pytest
import torch
from lessons import lesson, small_network

from helpanna.agents.networks.kinds import make_networks
from helpanna.errors import InputError
from helpanna.learning.checkpoints import Progress, load_checkpoint, save_checkpoint
from helpanna.learning.journal import Journal, read_log


def learner(seed, hidden=8):
    networks = make_networks("hierarchical", small_network(lesson(), hidden=hidden), seed)
    return networks, torch.optim.Adam(networks.parameters(), lr=1e-3, fused=True)


def learn(networks, adam, seed):
    """One step of Adam with random gradients; the last parameter never has one."""
    torch.manual_seed(seed)
    for parameter in list(networks.parameters())[:-1]:
        parameter.grad = torch.randn_like(parameter)
    adam.step()


@pytest.mark.slow
def test_weights_and_adam_go_on_as_if_nothing_had_happened(tmp_path):
    networks, adam = learner(0)
    learn(networks, adam, 1)
    progress = Progress(7, 0.25, 5)
    save_checkpoint(tmp_path / "checkpoint.safetensors", networks, adam, progress)
    others, other_adam = learner(1)
    assert load_checkpoint(tmp_path / "checkpoint.safetensors", others, other_adam) == progress
    for both in ((networks, adam), (others, other_adam)):
        learn(*both, 2)
    for one, other in zip(networks.parameters(), others.parameters(), strict=True):
        assert torch.equal(one, other)
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint.safetensors"]


def test_what_is_no_checkpoint_of_these_networks_is_refused(tmp_path):
    path = tmp_path / "checkpoint.safetensors"
    save_checkpoint(path, *learner(0), Progress())
    with pytest.raises(InputError, match=r"checkpoint\.safetensors is no checkpoint of this run"):
        load_checkpoint(path, *learner(0, hidden=16))
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(InputError, match=r"checkpoint\.safetensors is no checkpoint of this run"):
        load_checkpoint(path, *learner(0))


@pytest.mark.parametrize("place", [-1, -1000, 0.5, 0.2])
def test_one_flipped_bit_is_found(tmp_path, place):
    path = tmp_path / "checkpoint.safetensors"
    networks, adam = learner(0)
    learn(networks, adam, 1)
    save_checkpoint(path, networks, adam, Progress(7, 0.25, 5))
    data = bytearray(path.read_bytes())
    data[place if isinstance(place, int) else int(place * len(data))] ^= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"of this run \(it has changed since it was written\)"):
        load_checkpoint(path, *learner(0))


def test_an_edited_iteration_is_found(tmp_path):
    path = tmp_path / "checkpoint.safetensors"
    save_checkpoint(path, *learner(0), Progress(7, 0.25, 5))
    content = path.read_bytes()
    path.write_bytes(re.sub(rb'(iteration[\\"]+: )7', rb"\g<1>9", content))
    assert path.read_bytes() != content
    with pytest.raises(InputError, match="it has changed since it was written"):
        load_checkpoint(path, *learner(0))


def test_the_same_content_gives_the_same_bytes(tmp_path):
    for name in map(str, range(8)):
        save_checkpoint(tmp_path / name, *learner(0), Progress(7, 0.25, 5))
    assert len({path.read_bytes() for path in tmp_path.iterdir()}) == 1


def test_checkpoints_have_the_permissions_of_other_files(tmp_path):
    save_checkpoint(tmp_path / "checkpoint.safetensors", *learner(0), Progress())
    (tmp_path / "other").write_text("")
    modes = {path.stat().st_mode for path in tmp_path.iterdir()}
    assert len(modes) == 1


def test_a_full_disk_is_one_sentence_and_the_last_checkpoint_stays(tmp_path):
    path = tmp_path / "checkpoint.safetensors"
    networks, adam = learner(0)
    save_checkpoint(path, networks, adam, Progress(1))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, limits[1]))
    try:
        with pytest.raises(InputError, match=r"checkpoint\.safetensors cannot be written \("):
            save_checkpoint(path, networks, adam, Progress(2))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert load_checkpoint(path, networks, adam) == Progress(1)
    assert list(tmp_path.iterdir()) == [path]


def write(run, first, last, begin=0):
    with Journal(run, begin) as journal:
        for iteration in range(first, last + 1):
            journal.write(iteration, {"navigation": 1 / iteration, "val_seen/spl": 0.5})


def test_the_log_drops_what_will_happen_again(tmp_path):
    write(tmp_path / "whole", 1, 6)
    write(tmp_path / "run", 1, 5)
    with (tmp_path / "run" / "log.jsonl").open("a") as file:
        file.write('{"iteration": 2, "nav')  # killed while it wrote
    write(tmp_path / "run", 4, 6, begin=3)
    assert (tmp_path / "run" / "log.jsonl").read_bytes() == (tmp_path / "whole" / "log.jsonl").read_bytes()
    assert [line["iteration"] for line in read_log(tmp_path / "run")] == [1, 2, 3, 4, 5, 6]
    assert read_log(tmp_path / "nowhere") == []


def test_a_line_of_the_log_that_is_being_written_is_not_read(tmp_path):
    (tmp_path / "log.jsonl").write_text('{"iteration": 1}\n{"iter')
    assert read_log(tmp_path) == [{"iteration": 1}]


def test_the_log_is_on_disk_when_it_is_flushed_and_holds_numbers_only(tmp_path):
    def refuse(constant):
        raise ValueError(constant)

    with Journal(tmp_path, 0) as journal:
        journal.write(1, {"success": 1.0, "subtask_success": float("nan")})
        assert not (tmp_path / "log.jsonl").exists()
        journal.flush()
        line = (tmp_path / "log.jsonl").read_text()
    assert json.loads(line, parse_constant=refuse) == {"iteration": 1, "success": 1.0}


def test_other_processes_write_nothing(tmp_path):
    with Journal(tmp_path / "run", 0, silent=True) as journal:
        journal.write(1, {"success": 1.0})
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_tensorboard_shows_the_same(tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "torch.utils.tensorboard")  # see the fixture `quick`
    importlib.import_module("torch.utils.tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    write(tmp_path, 1, 5)
    write(tmp_path, 4, 6, begin=3)
    board = EventAccumulator(str(tmp_path / "tensorboard")).Reload()
    assert set(board.Tags()["scalars"]) == {"train/navigation", "val_seen/spl"}
    shown = [(event.step, event.value) for event in board.Scalars("train/navigation")]
    assert shown == [(step, pytest.approx(1 / step)) for step in range(1, 7)]
