"""The trainer: reproducible, thorough, and careful with what it has reached."""

import json

import numpy as np
import pytest
import torch
from lessons import lesson, small_network, small_trainer
from runs import fingerprints

from helpanna.agents.networks.kinds import make_networks
from helpanna.agents.store import load_agent
from helpanna.assistance.assistants import Anna, Limited
from helpanna.errors import InputError
from helpanna.learning import trainer as trainer_module
from helpanna.learning.checkpoints import Progress
from helpanna.learning.journal import read_log
from helpanna.learning.trainer import Trainer


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path):
    small = lesson(tasks=20, validation=8)
    network = small_network(small, dropout=0.3)
    runs = {"first": 0, "second": 0, "other": 1}
    for name, seed in runs.items():
        small_trainer(
            tmp_path / name, small, network, seed=seed, iterations=3, save_every=3, budget=4
        ).train()
    first, second, other = (fingerprints(tmp_path / name) for name in runs)
    agent = ("CARD.md", "config.json", "model.safetensors", "vocabulary.json")
    assert set(first) == {
        "checkpoint.safetensors", "log.jsonl", *(f"{a}/{f}" for a in ("best", "last") for f in agent)
    }  # fmt: skip
    assert first == second
    assert first["log.jsonl"] != other["log.jsonl"]
    assert first["last/model.safetensors"] != other["last/model.safetensors"]


@pytest.mark.slow
def test_the_assistant_answers_in_training_and_in_its_evaluations(tmp_path, monkeypatch):
    small, run = lesson(tasks=20, validation=8), trainer_module.run_episodes
    answered = []
    monkeypatch.setattr(trainer_module, "run_episodes", lambda *who: answered.append(who[2]) or run(*who))
    requests = {}
    for name in ("anna", "limited:0"):
        trainer = small_trainer(tmp_path / name, small, assistant=name, asking="random_ask", seed=7)
        trainer.train()
        requests[name] = sum(line.get("requests", 0) for line in read_log(tmp_path / name))
        config = json.loads((tmp_path / name / "last" / "config.json").read_text())
        assert config["summary"]["settings"]["assistant"] == name
    assert requests["anna"] > 0 == requests["limited:0"]
    anna = Anna(small.validation["val_seen"], 7)  # the first of equal routes, as in every evaluation
    assert answered == [anna, anna, Limited(anna, 0), Limited(anna, 0)]
    with pytest.raises(InputError, match="there is no assistant 'bob'"):
        small_trainer(tmp_path / "bob", small, assistant="bob")
    assert not (tmp_path / "bob").exists()


def test_every_task_comes_once_an_epoch_each_time_in_another_order(tmp_path):
    count, size = 20, 6
    trainer = small_trainer(tmp_path, lesson(tasks=count), batch_size=size)
    batches = [trainer.batch(i) for i in range(10)]
    tasks = np.concatenate([batch.tasks for batch in batches])
    epochs = tasks.reshape(3, count)
    assert (np.sort(epochs, axis=1) == np.arange(count)).all()
    assert len({tuple(epoch) for epoch in epochs}) == 3
    for i in (9, 3, 0):  # an iteration's batch does not depend on those before it
        again = trainer.batch(i)
        assert again.iteration == i and again.place.tolist() == list(range(size))
        np.testing.assert_array_equal(again.tasks, batches[i].tasks)
    assert small_trainer(tmp_path, lesson(tasks=4), batch_size=9).batch(0).tasks.tolist().count(0) >= 2


@pytest.mark.slow
def test_the_log_says_what_happened(tmp_path):
    trainer = small_trainer(tmp_path, lesson(tasks=20, validation=8), evaluation_tasks=5)
    told = []
    progress = trainer.train(lambda done, figures: told.append((done, dict(figures))))
    lines = read_log(tmp_path)
    assert [line["iteration"] for line in lines] == [1, 2, 3, 3, 4, 5, 6, 6]
    evaluations = [line for line in lines if "val_seen/success_rate" in line]
    assert [line["iteration"] for line in evaluations] == [3, 6]
    assert told == [(line.pop("iteration"), line) for line in map(dict, lines) if "navigation" in line]
    for _, figures in told:
        assert 0 <= figures["success"] <= 1 and 6 <= figures["steps"] <= 36 and figures["gradient"] > 0
    best = max(evaluations, key=lambda line: line["val_seen/success_rate"])
    assert progress == Progress(6, best["val_seen/success_rate"], best["iteration"])


@pytest.mark.slow
def test_on_one_batch_the_losses_go_near_zero(tmp_path):
    """The same four episodes again and again, decided by the agent itself half of the time.

    Near zero: the three losses together, summed over the four steps, are below 0.2, or 0.05 a step.
    """
    trainer = small_trainer(
        tmp_path,
        lesson(tasks=4),
        batch_size=4,
        budget=4,
        learning_rate=0.01,
        teacher_floor=0.5,
        weight_decay=0.0,
    )
    figures = [trainer._iterate(Progress()) for _ in range(120)]
    sums = [sum(f[name] for name in ("navigation", "ask", "conditions")) for f in figures]
    assert sums[0] > 5 and sums[-1] < 0.2, sums[::10]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["hierarchical", "lstm"])
def test_plainly_computed_it_learns_the_same(tmp_path, monkeypatch, kind):
    small, lines = lesson(tasks=20), []
    for plain in ("0", "1"):
        monkeypatch.setenv("HELPANNA_PLAIN", plain)
        small_trainer(tmp_path / plain, small, kind=kind, iterations=2).train()
        lines.append(read_log(tmp_path / plain))
    for fast, plain in zip(*lines, strict=True):
        assert fast == pytest.approx(plain, rel=1e-4, abs=1e-5) and fast["steps"] == plain["steps"]


def poisoned(trainer, after):
    """Makes a weight infinite after this many iterations."""

    def poison(done, figures):
        if done == after:
            with torch.no_grad():
                next(trainer.networks.parameters()).fill_(torch.inf)

    return poison


@pytest.mark.slow
def test_not_a_number_stops_with_a_sentence_and_keeps_the_last_checkpoint(tmp_path):
    small = lesson(tasks=20)
    trainer = small_trainer(tmp_path / "run", small, evaluate_every=100)
    with pytest.raises(InputError, match=r"not a number .* at iteration 3; .*--learning-rate"):
        trainer.train(poisoned(trainer, after=3))
    small_trainer(tmp_path / "two", small, evaluate_every=100, iterations=2).train()
    kept, good = fingerprints(tmp_path / "run"), fingerprints(tmp_path / "two")
    for name in ("checkpoint.safetensors", "last/model.safetensors"):
        assert kept[name] == good[name]
    assert [line["iteration"] for line in read_log(tmp_path / "run")] == [1, 2, 3]


@pytest.mark.parametrize("clip", [0.0, 0.5])
def test_clipping(tmp_path, clip):
    trainer = small_trainer(tmp_path, lesson(tasks=20), clip=clip)
    norm = trainer._iterate(Progress())["gradient"]
    left = torch.cat([p.grad.flatten() for p in trainer.networks.parameters() if p.grad is not None]).norm()
    assert norm > 0.5  # as it was before
    assert left.item() == pytest.approx(clip or norm, rel=1e-3)


def test_the_learning_rate_follows_its_schedule(tmp_path):
    trainer = small_trainer(tmp_path, lesson(tasks=20), learning_rate=1e-3, warm_up=4, budget=2)

    def step(iteration):
        before = [p.detach().clone() for p in trainer.networks.parameters()]
        trainer._iterate(Progress(iteration))
        return max(
            float((p.detach() - b).abs().max())
            for p, b in zip(trainer.networks.parameters(), before, strict=True)
        )

    # Adam's first step is the learning rate itself, whatever the gradient.
    assert step(0) == pytest.approx(2.5e-4, rel=1e-2)
    assert trainer._adam.param_groups[0]["lr"] == 2.5e-4
    step(5)
    assert trainer._adam.param_groups[0]["lr"] == 1e-3


@pytest.mark.parametrize("asking", ["no_ask", "random_ask"])
def test_what_is_not_learned_stays_as_it_was(tmp_path, asking):
    small = lesson(tasks=20, validation=8)
    trainer = small_trainer(tmp_path, small, asking=asking, iterations=2, evaluate_every=2, seed=1)
    before = {name: p.detach().clone() for name, p in trainer.networks.named_parameters()}
    trainer.train()
    changed = {
        name.split(".")[0]
        for name, p in trainer.networks.named_parameters()
        if not torch.equal(p, before[name])
    }
    assert "navigation" in changed and not changed & {"help_request", "reasons", "ask", "distribution_input"}
    requests = read_log(tmp_path)[-1]["val_seen/requests_per_task"]
    assert (requests == 0) == (asking == "no_ask")


@pytest.mark.parametrize("kind", ["hierarchical", "lstm"])
def test_autocast_learns_with_finite_losses(tmp_path, kind):
    small = lesson(tasks=20, validation=4)
    settings = small_trainer(tmp_path / "settings", small, iterations=3).settings
    networks = make_networks(kind, small_network(small), settings.seed)
    trainer = Trainer(tmp_path / "run", small, networks, settings, autocast=True)
    before = [p.detach().clone() for p in trainer.networks.parameters()]
    trainer.train()
    lines = read_log(tmp_path / "run")
    assert len(lines) == 4 and all(np.isfinite(line[k]) for line in lines[:3] for k in line)
    assert all(p.dtype == torch.float32 and p.isfinite().all() for p in trainer.networks.parameters())
    assert any(not torch.equal(p, b) for p, b in zip(trainer.networks.parameters(), before, strict=True))


@pytest.mark.slow
def test_agents_are_saved_with_the_average_of_the_weights(tmp_path):
    """Beside a plain average of what each iteration left."""
    small = lesson(tasks=12)
    trainer = small_trainer(tmp_path / "run", small, iterations=4, save_every=4, average=0.6)
    name, weight = next((n, p) for n, p in trainer.networks.named_parameters() if n.endswith("out.weight"))
    expected = weight.detach().clone()
    before = expected.clone()

    def add_up(done, figures):
        share = min(0.6, done / (9 + done))
        expected.copy_(share * expected + (1 - share) * weight.detach())

    trainer.train(add_up)
    saved = load_agent(tmp_path / "run" / "last").networks.get_parameter(name)
    torch.testing.assert_close(saved, expected)
    assert (saved - weight).abs().max() > 1e-6 and (saved - before).abs().max() > 1e-6
    plainly = small_trainer(tmp_path / "plain", small, iterations=4, save_every=4)
    plainly.train()
    assert torch.equal(plainly.networks.get_parameter(name), weight)  # what is learned is the same
    assert torch.equal(load_agent(tmp_path / "plain" / "last").networks.get_parameter(name), weight)


def test_words_in_sight_need_an_atlas_that_knows_them(tmp_path):
    small = lesson(tasks=12)
    with pytest.raises(InputError, match="helpanna worlds add words"):
        small_trainer(tmp_path / "run", small, small_network(small, words_in_sight=True))
    assert not (tmp_path / "run").exists()
