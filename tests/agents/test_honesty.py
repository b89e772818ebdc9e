"""Agents decide by what they see: give the locations of a building other numbers, and they walk the same."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from learners import seen_at_random, seen_split, untrained, with_annotations
from random_episodes import same_trajectories
from relabelling import relabelled_split
from splits import random_routes, split_in
from tiny import tiny_world

from helpanna.agents.asking import Asking, AskUntried
from helpanna.agents.heuristics import navigate
from helpanna.agents.names import ASK_POLICIES, MODELS, make_agent, packaged_agents
from helpanna.agents.store import load_agent
from helpanna.assistance.assistants import Anna
from helpanna.evaluation.runner import run_episodes
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.geometry import VIEWS, view_cosines

NAVIGATORS = ("random_walk", "forward10", "random_heading", "explorer")
TASKS = np.arange(60)
COLUMNS, ROWS = 6, 5


def grid(number):
    """A building of crossroads: left and right are at equal angles, but no two ways are equally long."""
    rng = np.random.default_rng(number)
    x, y = (np.cumsum(rng.uniform(1.2, 2.4, count)) for count in (COLUMNS, ROWS))
    places = [(x[c], y[r]) for r in range(ROWS) for c in range(COLUMNS)]
    edges = [(v, v + 1) for v in range(len(places)) if (v + 1) % COLUMNS]
    edges += [(v, v + COLUMNS) for v in range(len(places) - COLUMNS)]
    where = rng.choice(len(places), 4, replace=False).tolist()
    plain = tiny_world(
        places, edges, list(zip(("mug", "bed", "plant", "lamp"), where, strict=True)), f"{number}"
    )
    seen = np.array(sorted((v, item) for item, v in enumerate(where)))
    bits = rng.integers(1, 2**VIEWS, len(seen)).astype(np.uint64)
    return replace(plain, sightings=seen, sighting_views=bits)


@cache
def crossings():
    atlas = build_atlas([grid(number) for number in range(2)], "tests", "none")
    return with_annotations(split_in(atlas, random_routes(atlas, 20)))


SPLITS = {"grids": crossings, "houses": seen_split}


def called(new, ids):
    """What locations are called after relabelling; -1 stays."""
    return np.where(ids < 0, ids, new[ids])


def walks(split, make, tasks=TASKS, budget=15):
    """The episodes, and those in the relabelled buildings, told in the new names."""
    other, new = relabelled_split(split)
    done = run_episodes(split, make(split), Anna(split), tasks, budget)
    columns = ("location", "target", "departure", "goal")
    expected = replace(done, **{name: called(new, getattr(done, name)).astype(np.int64) for name in columns})
    return expected, run_episodes(other, make(other), Anna(other), tasks, budget)


def test_the_grids_have_equal_angles():
    world = crossings().atlas.world(0)
    start, end = np.concatenate([world.edges, world.edges[:, ::-1]]).T
    ahead = view_cosines(world.positions[end] - world.positions[start])[:, 12]
    assert len({*zip(start.tolist(), ahead.tolist(), strict=True)}) == len(start) - (COLUMNS - 2) * ROWS


@pytest.mark.parametrize("where", SPLITS)
@pytest.mark.parametrize("asking", ["", *(f"+{name}" for name in ASK_POLICIES)])
@pytest.mark.parametrize("navigator", NAVIGATORS)
def test_heuristics(where, navigator, asking):
    expected, done = walks(SPLITS[where](), lambda split: make_agent(f"{navigator}{asking}", split, seed=3))
    assert same_trajectories(done, expected)
    assert expected.asked.any() == (asking not in ("", "+no_ask"))
    assert (expected.length > 3).any()


@pytest.mark.slow
@pytest.mark.parametrize("where", SPLITS)
@pytest.mark.parametrize("kind", ["hierarchical", "lstm", "map"])
def test_untrained_networks(where, kind):
    def make(split):
        return untrained(split, kind, hidden=16, boldness=2, ask_once=True, ask_above=0.0)

    expected, done = walks(SPLITS[where](), make)
    assert same_trajectories(done, expected)
    assert expected.asked.sum() > 20
    held_back = expected.can_ask & ~expected.asked & expected.decided
    assert held_back.any()  # it had asked there


@pytest.mark.slow
@pytest.mark.parametrize("ask_above", [None, 0.0], ids=["as trained", "asking"])
@pytest.mark.parametrize("name", packaged_agents())
def test_trained_networks(name, ask_above):
    def make(split):
        agent = load_agent(MODELS / name)
        if ask_above is not None:
            agent.habits = replace(agent.habits, ask_above=ask_above)
        return agent

    expected, done = walks(seen_at_random(crossings(), make(None)), make)
    assert same_trajectories(done, expected)
    assert (expected.length > 3).any() and (ask_above is None or expected.asked.sum() > 20)


class ByNumber:
    """Goes where the number of the place says: no honest agent could."""

    def begin(self, perception, tasks):
        self._split = perception._split

    def act(self, observation):
        leads = self._split.atlas.action_location[observation.panorama, observation.view]
        return navigate(leads.argmax(axis=1))


def test_who_reads_ids_is_found_out():
    expected, done = walks(crossings(), lambda split: Asking(ByNumber(), AskUntried()))
    assert not same_trajectories(done, expected)
