"""The batched teachers agree with the plain ones, and with cases worked by hand."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_teachers import plain_episodes
from random_episodes import ASSISTANTS, corridor, random_trajectories, scripted
from random_splits import splits
from splits import sample_split

from helpanna.episodes.conditions import CONDITIONS
from helpanna.teachers.help_request import help_request_references
from helpanna.teachers.navigation import navigation_references


def check_navigation(split, trajectories):
    """Returns how many actions were in A(x) in all."""
    references = navigation_references(split, trajectories)
    total = 0
    for episode in plain_episodes(split, trajectories):
        b = episode.b
        for t in episode.steps:
            assert references.target[b, t] == episode.target(t)
            assert references.action[b, t] == episode.reference(t)[1]
            assert set(np.flatnonzero(references.tried[b, t])) == episode.tried(t)
            assert references.counts[b, t] == (not episode.asked[t])
            total += len(episode.tried(t))
        behind = slice(episode.length, None)
        assert (references.target[b, behind] == -1).all() and (references.action[b, behind] == -1).all()
        assert not references.tried[b, behind].any() and not references.counts[b, behind].any()
    return total


def check_help_request(split, trajectories, reading):
    """Returns how often each condition held."""
    references = help_request_references(split, trajectories, reading)
    for episode in plain_episodes(split, trajectories):
        b = episode.b
        for t in episode.steps:
            expected = [episode.lost(t, reading), episode.uncertain_wrong(t), episode.never_asked(t)]
            assert references.conditions[b, t].tolist() == expected, (b, t)
            assert references.ask[b, t] == episode.should_ask(t, reading)
            assert references.counts[b, t] == trajectories.can_ask[b, t]
        behind = slice(episode.length, None)
        assert not references.conditions[b, behind].any()
        assert not references.ask[b, behind].any() and not references.counts[b, behind].any()
    return references.conditions.sum(axis=(0, 1))


@pytest.mark.parametrize("assistant", ASSISTANTS)
def test_navigation_teacher_agrees_with_the_plain_one(assistant):
    split = sample_split()
    trajectories = random_trajectories(split, np.arange(60), ASSISTANTS[assistant](split))
    assert check_navigation(split, trajectories) > 100


@pytest.mark.slow
@pytest.mark.parametrize("reading", ["paper", "published"])
@pytest.mark.parametrize("assistant", ASSISTANTS)
def test_help_request_teacher_agrees_with_the_plain_one(assistant, reading):
    split = sample_split()
    trajectories = random_trajectories(split, np.arange(60), ASSISTANTS[assistant](split), seed=1)
    held = check_help_request(split, trajectories, reading)
    assert held.min() > 20 and len(held) == len(CONDITIONS)


@pytest.mark.slow
@given(splits(), st.integers(0, 99), st.sampled_from(["paper", "published"]))
@settings(max_examples=60)
def test_teachers_agree_with_the_plain_ones_anywhere(split, seed, reading):
    trajectories = random_trajectories(split, np.arange(min(len(split), 8)), budget=12, seed=seed, ask=0.3)
    check_navigation(split, trajectories)
    check_help_request(split, trajectories, reading)


def lost(start, script, reading, budget=50):
    split = corridor()
    trajectories = scripted(split, start, script, budget)
    conditions = help_request_references(split, trajectories, reading).conditions
    return conditions[0, : trajectories.length[0], 0].tolist()


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        # The lamp is at 6. Places 0 1 2 1 0 1 and, after the stop, 1: metres 6 5 4 5 6 5 and 5.
        ("paper", [False, False, True, True, False, True]),
        ("published", [False, False, False, True, True, True]),
    ],
)
def test_lost_where_the_agent_turns_back(reading, expected):
    assert lost(0, [1, 2, 1, 0, 1, "stop"], reading) == expected


@pytest.mark.parametrize(
    ("reading", "expected"),
    [("paper", [False, False, False, False, False]), ("published", [False, False, False, True, True])],
)
def test_lost_at_the_target_reached_twice(reading, expected):
    assert lost(4, [5, 6, 5, 6, "stop"], reading) == expected


@pytest.mark.parametrize("reading", ["paper", "published"])
def test_the_place_where_time_runs_out_belongs_to_the_segment(reading):
    assert lost(3, [4], reading, budget=1) == [False]


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        # The request at 1 ends the first segment, although it takes the agent closer, to 2. On the route the
        # target is v_d = 5: places 2 3 2 (stop): metres 3 2 3. Then the target is the lamp: 2 3, then time.
        ("paper", [False, True, False, True, True, False]),
        ("published", [False, False, False, False, True, False]),
    ],
)
def test_segments_end_at_requests_and_departures(reading, expected):
    assert lost(0, [1, "ask", 3, 2, "stop", 3], reading, budget=6) == expected


def test_a_request_in_the_last_step_takes_the_agent_nowhere():
    assert lost(1, ["ask"], "paper", budget=1) == [True]
    assert lost(1, ["ask"], "published", budget=1) == [False]


def test_teacher_actions_by_hand():
    split = corridor()
    trajectories = scripted(split, 3, [2, 3, 2, "ask", 1, 2, "stop", "stop"])
    references = navigation_references(split, trajectories)
    # To the lamp, which is at 6, is east; on the route to 5; then to the lamp again.
    assert references.target[0, :8].tolist() == [6, 6, 6, 6, 5, 5, 5, 6]
    places = split.atlas.action_location[trajectories.location[0, :8], trajectories.view[0, :8]]
    leads = [int(place[action]) for place, action in zip(places, references.action[0, :8], strict=True)]
    assert leads == [4, 3, 4, 3, 3, 2, 3, 3]
    # At 3 it went west before; at 2 on the route it went west before; at 2 nothing wrong under the request.
    tried = [
        {int(place[a]) for a in np.flatnonzero(row)}
        for place, row in zip(places, references.tried[0], strict=False)
    ]
    assert tried == [set(), set(), {2}, set(), set(), set(), {1}, set()]
    assert references.counts[0, :8].tolist() == [True, True, True, False, True, True, True, True]
    # The reference of the first step and of the third is the same place, but seen from other views.
    assert trajectories.view[0, 0] != trajectories.view[0, 2]


def test_stop_is_tried_too_and_an_instruction_may_come_again():
    split = corridor()
    trajectories = scripted(split, 2, ["ask", "stop", "ask", 3])
    tried = navigation_references(split, trajectories).tried[0]
    assert np.flatnonzero(tried[3]).tolist() == [0]  # it left the same route here before, wrongly
    assert not tried[:3].any()


def test_uncertain_wrong_by_hand():
    split = corridor()
    trajectories = scripted(split, 2, [3, 4, 5, 6])
    right = navigation_references(split, trajectories).action
    guess = right.copy()
    guess[0, [1, 3]] = 0
    entropy = np.zeros(guess.shape)
    entropy[0, :4] = [0.9, 0.25, 0.25, 0.2]
    trajectories = dataclasses.replace(trajectories, notes={"guess": guess, "entropy": entropy})
    references = help_request_references(split, trajectories)
    assert references.conditions[0, :4, 1].tolist() == [False, True, False, False]
    assert references.ask[0, :4].tolist() == [False, True, False, False]
    assert references.counts[0, :4].tolist() == [True, True, False, False]
    assert not help_request_references(split, trajectories, gamma=0.26).conditions[0, 1, 1]


def test_never_asked_is_about_the_whole_episode():
    split = corridor()
    trajectories = scripted(split, 2, ["ask", 3, 2, "stop", "ask", "stop"])
    never = help_request_references(split, trajectories).conditions[0, :6, 2]
    assert never.tolist() == [True, False, True, False, False, False]
