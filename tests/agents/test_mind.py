"""Minds: what they read, and what they know of their own deeds."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from learners import seen_split, untrained
from random_episodes import ASSISTANTS, same_trajectories
from talkers import Talker, Voice

from helpanna.agents.asking import AskEvery5, Asking, RandomAsk
from helpanna.agents.networks import texts as texts_module
from helpanna.agents.networks.texts import Library
from helpanna.agents.senses import Senses
from helpanna.agents.skylines import PerfectInterpretation
from helpanna.assistance.assistants import Anna
from helpanna.episodes.perception import Perception
from helpanna.evaluation.runner import run_batch
from helpanna.worlds.annotations import NAME

TASKS, BUDGET = np.arange(40), 12

WRAPPERS = {
    "alone": lambda agent, split: agent,
    "asked for": lambda agent, split: Asking(agent, RandomAsk(probability=0.4)),
    "led": PerfectInterpretation,
    "asked for and led": lambda agent, split: PerfectInterpretation(Asking(agent, AskEvery5(2)), split),
}


@pytest.fixture(scope="module")
def split():
    return seen_split()


@pytest.mark.parametrize("assistant", ["anna", "priced", "talker"])
@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_networks_are_told_what_was_done_whoever_decided(split, wrapper, assistant, monkeypatch):
    agent = untrained(split, hidden=8, seed=5, boldness=2)
    told, took = [], agent.networks.took
    monkeypatch.setattr(agent.networks, "took", lambda *done: told.append(done) or took(*done))
    assistants = ASSISTANTS | {"talker": Talker}
    done = run_batch(split, WRAPPERS[wrapper](agent, split), assistants[assistant](split), TASKS, BUDGET)
    assert (done.asked & ~done.answered).any() == (assistant == "talker")
    kinds = np.zeros(3, dtype=int)  # requests, departures, moves
    assert len(told) == done.length.max() - 1
    for t, (_, asked, action) in enumerate(told):
        goes_on = done.length > t + 1
        np.testing.assert_array_equal(asked.numpy()[: len(TASKS)][goes_on], done.asked[goes_on, t])
        recorded = np.where(done.asked, 0, done.action)[goes_on, t]
        np.testing.assert_array_equal(action.numpy()[: len(TASKS)][goes_on], recorded)
        kinds += done.asked[goes_on, t].sum(), (done.action[goes_on, t] == 0).sum(), (recorded > 0).sum()
    assert (kinds > 5).all()


class Reader:
    """A library of untrained networks that is asked for texts by their words."""

    def __init__(self, split, chunk=None):
        agent = untrained(split, hidden=8)
        self.encoded = []
        self._senses = Senses(Perception(split), NAME, agent.vocabulary)
        self._encode = agent.networks.encode
        self._library = Library(self.encode, chunk)

    def encode(self, texts):
        self.encoded.append(len(texts.exists))
        return self._encode(texts)

    def lookup(self, texts):
        return self._library.lookup(*self._senses.tokens(texts))


@torch.no_grad()
def test_a_text_is_encoded_alike_whatever_is_read_beside_it(split):
    known = np.unique(split.text_table)  # the same request is made in several buildings
    texts = np.random.default_rng(0).permutation(known).tolist()
    together = Reader(split, chunk=16).lookup(texts)
    alone, packed = Reader(split, chunk=16), Reader(split)
    for i in (0, 5, len(texts) - 1):
        one = texts[i : i + 1]
        keys, values, exists = alone.lookup(one)
        assert torch.equal(keys[:, 0], together[0][:, i]) and torch.equal(values[:, 0], together[1][:, i])
        assert torch.equal(exists[0], together[2][i])
        assert exists.sum() == len(one[0].split())
        packed_keys = packed.lookup(one)[0][:, 0]  # only the words that exist
        torch.testing.assert_close(packed_keys, keys[:, 0, exists[0]])


@torch.no_grad()
def test_a_library_encodes_each_text_once_until_it_is_full(split, monkeypatch):
    monkeypatch.setattr(texts_module, "_LIMIT", 8)
    texts = np.unique(split.text_table).tolist()[:10]
    b, d = texts[1], texts[3]
    reader = Reader(split, chunk=4)
    first, again = reader.lookup([d, b, d]), reader.lookup([b, d])
    assert reader.encoded == [4]  # a group of four, filled up with copies
    assert torch.equal(first[0][:, [1, 0]], again[0])
    reader.lookup(texts)
    assert reader.encoded == [4, 4, 4]
    forgotten = reader.lookup([b, d])  # it was full and began afresh
    assert reader.encoded == [4, 4, 4, 4] and torch.equal(forgotten[0], again[0])
    packed = Reader(split)
    packed.lookup([d, b, d])
    packed.lookup([b, *texts[4:7]])
    assert packed.encoded == [2, 3]


@torch.no_grad()
def test_what_was_encoded_is_forgotten_when_the_weights_change(split):
    agent, tasks = untrained(split, hidden=8, boldness=2), np.arange(3)
    before = run_batch(split, agent, Anna(split), tasks, 2)
    agent.networks.text_encoder.embedding.weight *= -1
    changed = run_batch(split, agent, Anna(split), tasks, 2)
    assert not np.array_equal(before.notes["entropy"], changed.notes["entropy"])
    agent.networks.text_encoder.embedding.weight *= -1
    assert same_trajectories(run_batch(split, agent, Anna(split), tasks, 2), before)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["hierarchical", "lstm"])
def test_own_words_are_read_with_the_words_that_are_known(split, kind):
    """Unknown words are all the same one; the batch around an episode changes nothing."""
    known = split.texts[-1].split()
    sayings = {
        "known": " ".join(known[:3]),
        "known too": " ".join(known[::-1]),
        "unknown": "xyzzy xyzzy",
        "unknown too": "plugh zork",
        "empty": "",
        "without words": "?!",
    }
    agent = untrained(split, hidden=8, boldness=2, kind=kind)
    asking = Asking(agent, AskEvery5(1))
    entropy = {
        name: run_batch(split, asking, Voice(words), TASKS, BUDGET).notes["entropy"]
        for name, words in sayings.items()
    }
    assert all(np.isfinite(values).all() for values in entropy.values())
    assert np.array_equal(entropy["unknown"], entropy["unknown too"])
    assert np.array_equal(entropy["empty"], entropy["without words"])
    different = [entropy[name] for name in ("known", "known too", "unknown", "empty")]
    assert not any(np.array_equal(a, b) for i, a in enumerate(different) for b in different[:i])
    alone = run_batch(split, asking, Talker(split), TASKS[7:8], BUDGET)
    among = run_batch(split, asking, Talker(split), TASKS, BUDGET).select(np.array([7]))
    assert same_trajectories(alone, among)


@pytest.mark.parametrize("kind", ["hierarchical", "lstm"])
def test_without_language_a_route_has_an_empty_text(split, kind, monkeypatch):
    agent = untrained(split, hidden=8, boldness=2, language=False, kind=kind)
    read, tokens = [], Senses.tokens
    monkeypatch.setattr(Senses, "tokens", lambda self, texts: read.append(list(texts)) or tokens(self, texts))
    done = run_batch(split, Asking(agent, AskEvery5(1)), Anna(split), TASKS, BUDGET)
    assert done.asked.any() and np.isfinite(done.notes["entropy"]).all()
    requests = set(split.texts[: len(split.goal_sets)])
    assert {text for texts in read for text in texts} <= requests | {""}
    assert sum(text == "" for texts in read for text in texts) >= done.asked.sum()


@pytest.mark.parametrize("language", [True, False])
def test_without_language_instructions_are_not_read(split, language):
    """Where all routes are told in the words of others, only agents that read them think otherwise."""
    requests = len(split.goal_sets)
    instructions = split.texts[requests:]
    mixed = replace(split, texts=(*split.texts[:requests], *instructions[7:], *instructions[:7]))
    agent = untrained(split, hidden=8, boldness=2, language=language)
    done, other = (
        run_batch(where, Asking(agent, AskEvery5(1)), Anna(where), TASKS, BUDGET) for where in (split, mixed)
    )
    helped = np.cumsum(done.on_route, axis=1) > 0
    before = done.decided & other.decided & ~helped
    assert before.any() and helped.any()
    np.testing.assert_array_equal(done.notes["entropy"][before], other.notes["entropy"][before])
    assert np.array_equal(done.notes["entropy"], other.notes["entropy"]) == (not language)


@pytest.mark.parametrize("kind", ["hierarchical", "lstm"])
@pytest.mark.parametrize("picture", [True, False])
def test_without_pictures_the_target_is_hidden_on_routes_and_after(split, kind, picture, monkeypatch):
    agent = untrained(split, hidden=8, boldness=2, picture=picture, kind=kind)
    seen, step = [], agent.networks.step
    monkeypatch.setattr(agent.networks, "step", lambda state, sight: seen.append(sight) or step(state, sight))
    done = run_batch(split, Asking(agent, RandomAsk(probability=0.4)), Anna(split), TASKS, BUDGET)
    shown = done.target >= 0
    assert (shown & done.on_route).any() and (shown & ~done.on_route).any()  # on routes and after them
    for t, sight in enumerate(seen):
        goes_on = done.length > t
        told = sight.has_target.numpy()[: len(TASKS)][goes_on]
        np.testing.assert_array_equal(told, shown[goes_on, t] & picture)
        assert picture or not (sight.target.any() or sight.similarity.any())


def test_without_pictures_another_picture_changes_nothing(split):
    agent = untrained(split, hidden=8, boldness=2, picture=False)
    done = run_batch(split, Asking(agent, RandomAsk(probability=0.4)), Anna(split), TASKS, BUDGET)

    class Misleading(Anna):
        def answer(self, requests):
            answers = super().answer(requests)
            return replace(answers, departure=requests.location)

    other = run_batch(split, Asking(agent, RandomAsk(probability=0.4)), Misleading(split), TASKS, BUDGET)
    assert not np.array_equal(done.departure, other.departure)
    assert np.array_equal(done.location, other.location)
    assert np.array_equal(done.notes["entropy"], other.notes["entropy"])
