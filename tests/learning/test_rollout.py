"""Rollouts: draws are addressed, the teacher hands over, and requests follow who decides about them."""

import numpy as np
import pytest
import torch
from lessons import BUDGET, Rehearsal, lesson
from random_episodes import same_trajectories

from helpanna.agents.habits import Habits
from helpanna.learning.losses import losses_of
from helpanna.learning.rollout import GUIDED_ASK
from helpanna.learning.settings import TrainingSettings
from helpanna.randomness import uniforms
from helpanna.teachers.navigation import navigation_references

TASKS = np.arange(24)


@pytest.fixture(scope="module")
def rehearsal():
    return Rehearsal(lesson(), hidden=8, boldness=1.5)


@pytest.fixture(scope="module")
def rollout(rehearsal):
    with torch.no_grad():
        return rehearsal.roll_out(TASKS)


def repeated_places(done):
    """[B, T] whether a request was made where one had been made before."""
    again = np.zeros_like(done.asked)
    for b, t in np.argwhere(done.asked):
        again[b, t] = (done.asked[b, :t] & (done.location[b, :t] == done.location[b, t])).any()
    return again


@torch.no_grad()
def test_the_same_batch_gives_the_same_episodes(rehearsal, rollout):
    again = rehearsal.roll_out(TASKS)
    assert same_trajectories(again.trajectories, rollout.trajectories)
    for name in ("log_nav", "log_ask", "reasons"):
        assert torch.equal(getattr(again, name), getattr(rollout, name))
    for other in ({"iteration": 1}, {"seed": 1}, {"place": TASKS + 1}):
        assert not same_trajectories(rehearsal.roll_out(TASKS, **other).trajectories, rollout.trajectories)


@torch.no_grad()
def test_an_episode_does_not_depend_on_the_rest_of_the_batch(rehearsal, rollout):
    done = rollout.trajectories
    assert done.asked.any() and (done.length == BUDGET).any() and (done.length < BUDGET).any()
    for places in ([5], [3, 17, 8], np.arange(24)[::-1], np.arange(1, 24, 2)):
        part = rehearsal.roll_out(TASKS[places], place=places).trajectories
        expected = done.select(np.asarray(places))
        for name in ("location", "asked", "action", "route", "instruction", "length"):
            np.testing.assert_array_equal(getattr(part, name), getattr(expected, name))
        np.testing.assert_allclose(part.notes["entropy"], expected.notes["entropy"], atol=1e-5)


@pytest.mark.slow
@torch.no_grad()
def test_any_assistant_can_answer(rehearsal, rollout):
    done = {
        name: rehearsal.roll_out(TASKS, budget=15, asking="random_ask", assistant=name).trajectories
        for name in ("anna", "noisy:1", "limited:1", "absent", "priced:2steps", "talkers:Talker")
    }
    assert done["anna"].asked.sum(axis=1).max() > 1 == done["limited:1"].asked.sum(axis=1).max()
    assert not done["absent"].asked.any()
    assert done["priced:2steps"].length.sum() < done["anna"].length.sum()
    assert done["talkers:Talker"].said and not done["anna"].said
    losses = losses_of(
        rehearsal.split, rehearsal.roll_out(TASKS, assistant="talkers:Talker"), TrainingSettings()
    )
    assert torch.isfinite(losses.total)


@torch.no_grad()
def test_errors_are_drawn_anew_every_iteration(rehearsal):
    """The first requests of the same tasks, told apart by nothing but the iteration."""
    first = []
    for iteration in (0, 0, 1):
        done = rehearsal.roll_out(
            TASKS, iteration, place=TASKS, asking="ask_every5", assistant="noisy:0.5", hand_over=1000
        ).trajectories
        first.append([tuple(done.route[b, done.asked[b]]) for b in range(len(TASKS))])
    assert first[0] == first[1] != first[2]


@torch.no_grad()
def test_decisions_are_drawn_by_their_probabilities(rehearsal, rollout):
    done = rollout.trajectories
    for t in range(len(rollout.log_nav)):
        p = rollout.log_nav[t].exp().numpy().astype(float)
        drawn = uniforms(0, "navigation", 0, TASKS, t)
        below = np.cumsum(p, axis=1)
        chose = (done.length > t) & ~done.asked[:, t]
        for b in np.flatnonzero(chose):
            a = done.action[b, t]
            assert below[b, a] - p[b, a] <= drawn[b] + 1e-6 and drawn[b] <= below[b, a] + 1e-6
        asks = uniforms(0, "ask", 0, TASKS, t) >= rollout.log_ask[t, :, 0].exp().double().numpy()
        counts = (done.length > t) & done.can_ask[:, t]
        np.testing.assert_array_equal(done.asked[counts, t], asks[counts])


def test_what_the_networks_put_out_is_kept_for_every_step(rehearsal):
    rollout = rehearsal.roll_out(TASKS[:4])
    steps = rollout.trajectories.length.max()
    assert rollout.log_nav.shape[:2] == rollout.log_ask.shape[:2] == rollout.reasons.shape[:2] == (steps, 4)
    assert rollout.log_nav.requires_grad and rollout.reasons.requires_grad
    again = rehearsal.replay(rollout)
    decided = torch.from_numpy(rollout.trajectories.decided.T[:steps].copy())  # the others may have left
    for name in ("log_nav", "log_ask", "reasons"):
        torch.testing.assert_close(getattr(rollout, name)[decided], getattr(again, name)[decided])


@torch.no_grad()
def test_the_teacher_acts_at_first(rehearsal):
    done = rehearsal.roll_out(TASKS, hand_over=10, budget=15).trajectories
    reference = navigation_references(rehearsal.split, done).action
    chose = done.decided & ~done.asked
    np.testing.assert_array_equal(done.action[chose], reference[chose])
    assert done.asked.any() and not done.asked[done.on_route].any()
    between = done.can_ask & ~done.on_route
    assert done.asked[between].mean() == pytest.approx(GUIDED_ASK, abs=0.15)


@torch.no_grad()
def test_the_teacher_hands_over(rehearsal):
    def teachers_actions(iteration, **settings):
        done = rehearsal.roll_out(TASKS, iteration, hand_over=10, **settings).trajectories
        chose = done.decided & ~done.asked
        return (done.action == navigation_references(rehearsal.split, done).action)[chose].mean()

    shares = [teachers_actions(iteration) for iteration in (0, 5, 10)]
    assert shares[0] == 1 and shares[0] > shares[1] > shares[2]
    assert teachers_actions(10, teacher_floor=1.0) == 1
    own = rehearsal.roll_out(TASKS, 10).trajectories
    assert same_trajectories(rehearsal.roll_out(TASKS, 10, hand_over=10).trajectories, own)


@torch.no_grad()
@pytest.mark.parametrize("settings", [{}, {"hand_over": 2}, {"asking": "random_ask"}])
def test_ask_once_is_obeyed(settings):
    agents = {once: Rehearsal(lesson(), hidden=8, habits=Habits(ask_once=once)) for once in (False, True)}
    done = {
        once: agent.roll_out(TASKS, 1, budget=15, **settings).trajectories for once, agent in agents.items()
    }
    assert repeated_places(done[False]).any()
    assert done[True].asked.any() and not repeated_places(done[True]).any()


@torch.no_grad()
def test_heuristic_policies_ask_as_they_should(rehearsal):
    def asked(asking, **settings):
        return rehearsal.roll_out(TASKS, asking=asking, budget=15, **settings).trajectories

    assert not asked("no_ask").asked.any()
    done = asked("random_ask")
    assert done.asked[done.can_ask].mean() == pytest.approx(0.2, abs=0.1)
    assert not np.array_equal(done.asked, asked("random_ask", iteration=1).asked)
    done = asked("ask_every5")
    assert done.asked.any()
    for b in range(len(TASKS)):
        last = -1
        for t in range(done.length[b]):
            assert done.asked[b, t] == (done.can_ask[b, t] and t - last >= 5)
            last = t if done.asked[b, t] else last


@torch.no_grad()
def test_heuristic_policies_also_decide_while_the_teacher_acts(rehearsal):
    guided = rehearsal.roll_out(TASKS, asking="no_ask", hand_over=10, budget=15).trajectories
    assert not guided.asked.any()
    assert (
        guided.action[guided.decided] == navigation_references(rehearsal.split, guided).action[guided.decided]
    ).all()
