"""Minds: what they read, and what they know of their own deeds."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from learners import seen_split, untrained
from random_episodes import ASSISTANTS

from helpanna.agents import mind as mind_module
from helpanna.agents.asking import AskEvery5, Asking, RandomAsk
from helpanna.agents.mind import Library
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


@pytest.mark.parametrize("assistant", ["anna", "priced"])
@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_networks_are_told_what_was_done_whoever_decided(split, wrapper, assistant, monkeypatch):
    agent = untrained(split, hidden=8, seed=5, boldness=2)
    told, took = [], agent.networks.took
    monkeypatch.setattr(agent.networks, "took", lambda *done: told.append(done) or took(*done))
    done = run_batch(split, WRAPPERS[wrapper](agent, split), ASSISTANTS[assistant](split), TASKS, BUDGET)
    kinds = np.zeros(3, dtype=int)  # requests, departures, moves
    assert len(told) == done.length.max() - 1
    for t, (_, asked, action) in enumerate(told):
        goes_on = done.length > t + 1
        np.testing.assert_array_equal(asked.numpy()[: len(TASKS)][goes_on], done.asked[goes_on, t])
        recorded = np.where(done.asked, 0, done.action)[goes_on, t]
        np.testing.assert_array_equal(action.numpy()[: len(TASKS)][goes_on], recorded)
        kinds += done.asked[goes_on, t].sum(), (done.action[goes_on, t] == 0).sum(), (recorded > 0).sum()
    assert (kinds > 5).all()


def library_of(split, **options):
    agent = untrained(split, hidden=8)
    return Library(agent.networks, Senses(Perception(split), NAME, agent.vocabulary), **options)


@torch.no_grad()
def test_a_text_is_encoded_alike_whatever_is_read_beside_it(split):
    texts = np.random.default_rng(0).permutation(len(split.texts))
    together = library_of(split, chunk=16).lookup(texts)
    alone, packed = library_of(split, chunk=16), library_of(split)
    for i in (0, 5, len(texts) - 1):
        one = texts[i : i + 1]
        keys, values, exists = alone.lookup(one)
        assert torch.equal(keys[:, 0], together[0][:, i]) and torch.equal(values[:, 0], together[1][:, i])
        assert torch.equal(exists[0], together[2][i])
        assert exists.sum() == len(split.texts[one[0]].split())
        packed_keys = packed.lookup(one)[0][:, 0]  # only the words that exist
        torch.testing.assert_close(packed_keys, keys[:, 0, exists[0]])


@torch.no_grad()
def test_a_library_encodes_each_text_once_until_it_is_full(split, monkeypatch):
    monkeypatch.setattr(mind_module, "_LIBRARY_LIMIT", 8)
    library = library_of(split, chunk=4)
    encoded = []
    encode = library._encode
    monkeypatch.setattr(library, "_encode", lambda new: encoded.append(new.tolist()) or encode(new))
    first = library.lookup(np.array([3, 1, 3]))
    again = library.lookup(np.array([1, 3]))
    assert encoded == [[3, 1]]
    assert torch.equal(first[0][:, [1, 0]], again[0])
    library.lookup(np.arange(10))
    forgotten = library.lookup(np.array([1, 3]))  # it was full and began afresh
    assert encoded[1:] == [[0, 2, 4, 5], [6, 7, 8, 9], [1, 3]]
    assert torch.equal(forgotten[0], again[0])


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
