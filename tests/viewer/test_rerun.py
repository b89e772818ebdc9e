"""Episodes run again with an agent that looks on."""

from dataclasses import replace

import numpy as np
import pytest
from learners import seen_split, untrained
from random_episodes import random_trajectories, same_trajectories

from helpanna.agents.names import make_agent
from helpanna.assistance.assistants import Anna, Priced
from helpanna.evaluation.runner import run_episodes
from helpanna.tasks.words import words
from helpanna.viewer.rerun import Setting, run_on, thoughts_of

BUDGET = 8
KINDS = ["hierarchical", "lstm", "map"]


@pytest.mark.parametrize("kind", KINDS)
def test_thoughts_say_what_was_done_and_why(kind: str) -> None:
    split = seen_split()
    agent = untrained(split, kind, boldness=3.0)
    trips = run_episodes(split, agent, Anna(split), np.arange(12), budget=BUDGET)
    thoughts = thoughts_of(split, agent, trips)
    assert thoughts is not None
    assert [len(steps) for steps in thoughts] == trips.length.tolist()
    for b, steps in enumerate(thoughts):
        for t, step in enumerate(steps):
            assert step["agrees"]
            assert len(step["actions"]) == np.sum(
                split.atlas.action_location[trips.location[b, t], trips.view[b, t]] >= 0
            )
            assert sum(step["actions"]) == pytest.approx(1, abs=0.01)
            assert step["reasons"] == pytest.approx(trips.notes["reasons"][b, t].tolist(), abs=1e-4)
            # It asks if and only if the probability says so, where it can.
            assert trips.asked[b, t] == (step["ask"] > 0.5 and trips.can_ask[b, t])
            text = words(trips.words(split, int(trips.text[b, t])))
            assert len(step["attention"]) == min(len(text), 50)
            assert sum(step["attention"]) == pytest.approx(1, abs=0.02)
            if kind != "map":
                assert np.argmax(step["actions"]) == trips.notes["guess"][b, t]
    # Attention depends on where the agent is, not only on the text.
    assert len({tuple(step["attention"]) for steps in thoughts for step in steps}) > len(trips)


def test_a_map_holds_what_was_seen_on_the_way() -> None:
    split = seen_split()
    agent = untrained(split, "map", boldness=3.0)
    trips = run_episodes(split, agent, Anna(split), np.arange(12), budget=BUDGET)
    thoughts = thoughts_of(split, agent, trips)
    assert thoughts is not None
    atlas = split.atlas
    for b, steps in enumerate(thoughts):
        first = atlas.locations(int(atlas.world_of[trips.location[b, 0]])).start
        for t, step in enumerate(steps):
            been = {int(v) - first for v in trips.location[b, : t + 1]}
            seen = been | {
                int(w) - first for v in been for w in atlas.action_location[v + first, 0] if w >= 0
            }
            assert {place for place, *_ in step["map"]} == seen
            assert {place for place, visited, *_ in step["map"] if visited} == been
            asked = {int(trips.location[b, s]) - first for s in range(t) if trips.asked[b, s]}
            assert {place for place, _, asked_here, _ in step["map"] if asked_here} == asked
            here = next(p for place, _, _, p in step["map"] if place == trips.location[b, t] - first)
            assert here == pytest.approx(step["actions"][0], abs=1e-3)  # to stay is to stop


@pytest.mark.slow
def test_thoughts_depend_on_the_episode_alone() -> None:
    split = seen_split()
    agent = untrained(split, boldness=3.0)
    trips = run_episodes(split, agent, Anna(split), np.arange(70), budget=4)
    together = thoughts_of(split, agent, trips)
    alone = thoughts_of(split, agent, trips.select(np.array([66])))
    assert together is not None and alone is not None and together[66] == alone[0]


@pytest.mark.slow
def test_listening_changes_no_decision_and_ends() -> None:
    split = seen_split()
    for kind in KINDS:
        agent = untrained(split, kind, boldness=3.0)
        before = run_episodes(split, agent, Anna(split), np.arange(8), budget=BUDGET)
        again, _ = run_on(agent, Setting(split, 3, Anna(split), BUDGET))
        assert same_trajectories(again, before.select(np.array([3])))
        assert agent.hear is None and not agent.networks.explains


def test_another_agent_is_seen_to_disagree() -> None:
    split = seen_split()
    trips = random_trajectories(split, np.arange(10), seed=3, budget=BUDGET)
    thoughts = thoughts_of(split, untrained(split, boldness=3.0), trips)
    assert thoughts is not None
    assert [len(steps) for steps in thoughts] == trips.length.tolist()
    assert not all(step["agrees"] for steps in thoughts for step in steps)


def test_heuristics_tell_no_thoughts() -> None:
    split = seen_split()
    trips = random_trajectories(split, np.arange(3))
    assert thoughts_of(split, make_agent("explorer+ask_untried", split), trips) is None


@pytest.mark.parametrize("name", ["shortest", "explorer+ask_untried+perfect"])
def test_what_if_keeps_the_walk_up_to_the_step_and_then_hands_over(name: str) -> None:
    split = seen_split()
    anna = Priced(Anna(split), metres=1.0, steps=2)
    trips = random_trajectories(split, np.arange(20), assistant=anna, budget=50, stop=0.0)
    for b in range(20):
        told = trips.select(np.array([b]))
        step = int(told.length[0]) // 2
        agent = make_agent(name, split)
        trip, thoughts = run_on(agent, Setting(split, b, anna, 50), told, step)
        assert thoughts is None
        for column in ("location", "view", "text", "target", "on_route"):
            assert np.array_equal(getattr(trip, column)[0, :step], getattr(told, column)[0, :step])
        assert np.array_equal(trip.asked[0, :step], told.asked[0, :step])
        if name == "shortest":
            assert not trip.asked[0, step:].any()
            goals = split.goal_sets.distance_from(int(split.goal_set[b]), int(trip.final[0]))
            assert goals == 0 or trip.length[0] + 2 * told.asked[0, :step].sum() == 50


@pytest.mark.slow
def test_what_if_at_the_end_is_the_recorded_episode_and_at_the_start_the_agents_own() -> None:
    split = seen_split()
    agent = untrained(split, boldness=3.0)
    trips = run_episodes(split, agent, Anna(split), np.arange(3), budget=BUDGET)
    for b in range(3):
        told = trips.select(np.array([b]))
        for step in (0, 1, int(told.length[0])):
            trip, thoughts = run_on(agent, Setting(split, b, Anna(split), BUDGET), told, step)
            assert same_trajectories(trip, told)
            assert thoughts is not None and all(entry["agrees"] for entry in thoughts)
        other, _ = run_on(make_agent("explorer", split), Setting(split, b, Anna(split), BUDGET), told, 0)
        own = run_episodes(split, make_agent("explorer", split), Anna(split), [b], budget=BUDGET)
        assert same_trajectories(other, replace(own, notes=other.notes))
