"""The agent with a map: no decision depends on the batch, and what it does is what its network prefers."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from learners import seen_split, untrained
from random_episodes import same_trajectories

from helpanna.agents.mapping.choosing import room_for
from helpanna.agents.mapping.network import MapNetwork, MapNetworkConfig, Places
from helpanna.agents.mapping.surveys import FACTS
from helpanna.assistance.assistants import Anna
from helpanna.evaluation.runner import run_episodes

TASKS = np.arange(40)


def walk(tasks, batch_size=256, **habits):
    split = seen_split()
    agent = untrained(split, "map", hidden=16, boldness=2, **({"ask_above": 0.0, "ask_once": True} | habits))
    return run_episodes(split, agent, Anna(split), tasks, budget=20, batch_size=batch_size)


@pytest.fixture(scope="module")
def walks():
    return walk(TASKS)


def test_the_walks_are_worth_comparing(walks):
    assert walks.asked.sum() > 10
    assert (walks.length > 5).any()
    assert len(np.unique(walks.final)) > 5


@pytest.mark.slow
@pytest.mark.parametrize("batch_size", [1, 7, 64])
def test_no_decision_depends_on_the_batch(walks, batch_size):
    assert same_trajectories(walk(TASKS, batch_size), walks)


def test_nor_on_the_order(walks):
    order = np.random.default_rng(0).permutation(TASKS)
    assert same_trajectories(walk(order), walks.select(order))


def test_who_takes_help_without_picture_sees_none():
    """With targets hidden by a habit an agent walks as if there were none."""

    class Pictureless(Anna):
        def answer(self, requests):
            answers = super().answer(requests)
            nowhere = np.full_like(answers.departure, -1)
            return replace(answers, departure=nowhere, goal=nowhere)

    split = seen_split()
    agent = untrained(split, "map", hidden=16, boldness=2, ask_above=0.0, ask_once=True)
    shown_none = run_episodes(split, agent, Pictureless(split), TASKS, budget=20)
    hidden, shown = walk(TASKS, picture=False), walk(TASKS)
    assert np.array_equal(hidden.location, shown_none.location)
    assert not np.array_equal(hidden.location, shown.location)


def test_help_is_requested_once_at_a_place():
    often, once = walk(TASKS, ask_once=False), walk(TASKS)

    def twice(done):
        return sum(
            len(places) != len(set(places))
            for places in (done.location[b, :-1][done.asked[b]].tolist() for b in range(len(done)))
        )

    assert twice(often) > 5
    assert twice(once) == 0


def test_the_room_of_a_map_is_the_next_of_a_few_sizes():
    places = np.array([1, 16, 17, 24, 25, 32, 33, 48, 49, 64, 65, 200])
    assert room_for(places).tolist() == [16, 16, 24, 24, 32, 32, 48, 48, 64, 64, 96, 256]


def places_of(rng, agents, count, features):
    return Places(
        here=torch.zeros(agents, dtype=torch.long),
        exists=torch.from_numpy(np.arange(count) < rng.integers(3, count + 1, (agents, 1))),
        visited=torch.from_numpy(rng.random((agents, count)) < 0.5),
        looks=torch.from_numpy(rng.random((agents, count, features), dtype=np.float32)),
        match=torch.from_numpy(rng.random((agents, count, 50)) < 0.1),
        things=torch.from_numpy(rng.random((agents, count, 50)) < 0.1),
        named=torch.full((agents, 2), 5),
        aim=torch.from_numpy(rng.random((agents, features), dtype=np.float32)),
        aim_words=torch.from_numpy(rng.random((agents, 50)) < 0.3),
        facts=torch.from_numpy(rng.random((agents, count, FACTS), dtype=np.float32)),
        metres=torch.from_numpy(10 * rng.random((agents, count, count), dtype=np.float32)),
    )


def test_unknown_places_have_no_say():
    """Their looks, facts and distances change nothing, and nobody goes there."""
    rng = np.random.default_rng(0)
    torch.manual_seed(0)
    network = MapNetwork(MapNetworkConfig(features=5, vocabulary=9, hidden=16, heads=2)).eval()
    places = places_of(rng, 6, 8, 5)
    words, hidden = network.encode(torch.randint(2, 9, (6, 50)), torch.full((6,), 7))
    first = network(places, words, hidden)
    for name in ("looks", "facts"):
        getattr(places, name)[~places.exists] = 1e3
    places.metres[~(places.exists[:, :, None] & places.exists[:, None, :])] = 1e3
    second = network(places, words, hidden)
    known = places.exists
    assert torch.equal(first.log_place.isfinite(), known)
    assert torch.allclose(first.log_place[known], second.log_place[known], atol=1e-5)
    assert torch.allclose(first.reasons, second.reasons, atol=1e-5)


def test_words_in_sight_draw_attention():
    """The same map with other words in sight is scored otherwise, by a network that is told of them."""
    for told in (True, False):
        rng = np.random.default_rng(1)
        torch.manual_seed(0)
        config = MapNetworkConfig(features=5, vocabulary=9, hidden=16, heads=2, words_in_sight=told)
        network = MapNetwork(config).eval()
        places = places_of(rng, 4, 6, 5)
        words, hidden = network.encode(torch.randint(2, 9, (4, 50)), torch.full((4,), 7))
        first = network(places, words, hidden).log_place
        places.match[:, :, :7] ^= True
        assert torch.allclose(network(places, words, hidden).log_place, first) != told


@pytest.mark.parametrize("shown", [True, False])
def test_what_the_target_image_shows_counts_for_those_who_see_it(shown):
    rng = np.random.default_rng(1)
    torch.manual_seed(0)
    config = MapNetworkConfig(features=5, vocabulary=9, hidden=16, heads=2, words_in_sight=True)
    config = replace(config, sees_target=shown)
    network = MapNetwork(config).eval()
    if shown:
        torch.nn.init.normal_(network.aim_words)  # it begins with zeros: a word is a word
    places = places_of(rng, 4, 6, 5)
    words, hidden = network.encode(torch.randint(2, 9, (4, 50)), torch.full((4,), 7))
    first = network(places, words, hidden).log_place
    places.aim[:] += 1
    second = network(places, words, hidden).log_place
    places.aim_words[:] ^= True
    third = network(places, words, hidden).log_place
    assert torch.allclose(first, second) != shown
    assert torch.allclose(second, third) != shown
