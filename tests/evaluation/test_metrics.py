"""Every metric agrees with a plain loop over episodes, and with cases worked by hand."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_teachers import plain_episodes
from random_episodes import ASSISTANTS, corridor, random_trajectories, scripted
from random_splits import splits
from splits import sample_split

from helpanna.evaluation.answers import WHY, answer_progress
from helpanna.evaluation.metrics import evaluate
from helpanna.teachers.help_request import help_request_references

NAMES = ("lost", "uncertain_wrong", "already_asked")


def ratio(above, below):
    return above / below if below else np.nan


def plain_metrics(split, trajectories, reading):
    """All metrics, by counting."""
    episodes = plain_episodes(split, trajectories)
    n = len(episodes)
    steps = sum(e.length for e in episodes)
    requests = [(e, t) for e in episodes for t in e.steps if e.asked[t]]
    repeats = sum(
        any(e.same_task(s, t) and e.is_mistake(s) and e.v[s + 1] == e.v[t + 1] for s in range(t))
        for e in episodes
        for t in e.steps
        if not e.asked[t]
    )
    subtasks = 0
    for e, t in requests:
        v_d = int(trajectories.departure[e.b, t])
        on_it = [s for s in e.steps if s > t and e.segment[s] == e.segment[t] + 1]
        if on_it and e.action[on_it[-1]] == 0 and e.distance(e.v[on_it[-1]], v_d) <= 2:
            subtasks += 1
    figures = {
        "success_rate": sum(e.success() for e in episodes) / n,
        "spl": sum(e.spl() for e in episodes) / n,
        "navigation_error": sum(e.goal_distance(e.v[e.length]) for e in episodes) / n,
        "requests_per_task": len(requests) / n,
        "oracle_success_rate": sum(
            any(e.goal_distance(v) <= 2 for v in e.v[: e.length + 1]) for e in episodes
        )
        / n,
        "request_share": ratio(len(requests), steps),
        "steps_per_task": steps / n,
        "metres_per_task": sum(trajectories.metres) / n,
        "navigation_mistake_repeat": ratio(repeats, steps),
        "help_request_repeat": ratio(
            sum(any(e.same_task(s, t) for s in range(t)) for e, t in requests), len(requests)
        ),
        "help_request_repeat_asked": ratio(
            sum(any(e.same_task(s, t) and e.asked[s] for s in range(t)) for e, t in requests),
            len(requests),
        ),
        "subtask_success": ratio(subtasks, len(requests)),
    }
    pairs = {name: [] for name in NAMES}  # (predicted, true)
    for e in episodes:
        for t in e.steps:
            if trajectories.can_ask[e.b, t]:
                guess = (trajectories.notes["reasons"][e.b, t] >= 0.5).tolist()
                true = [e.lost(t, reading), e.uncertain_wrong(t), not e.never_asked(t)]
                for name, pair in zip(NAMES, zip([*guess[:2], not guess[2]], true, strict=True), strict=True):
                    pairs[name].append(pair)
    for name, seen in pairs.items():
        hits = seen.count((True, True))
        guessed, true = sum(g for g, _ in seen), sum(t for _, t in seen)
        precision, recall = ratio(hits, guessed), ratio(hits, true)
        figures |= {
            f"{name}_true": ratio(true, len(seen)),
            f"{name}_predicted": ratio(guessed, len(seen)),
            f"{name}_accuracy": ratio(sum(g == t for g, t in seen), len(seen)),
            f"{name}_precision": precision,
            f"{name}_recall": recall,
        }
        if hits:
            figures[f"{name}_f1"] = 2 * precision * recall / (precision + recall)
        else:
            figures[f"{name}_f1"] = 0.0 if guessed + true else np.nan
    return figures


def check(split, trajectories, reading="published"):
    figures = evaluate(split, trajectories, lost=reading)
    expected = plain_metrics(split, trajectories, reading)
    assert figures.keys() == expected.keys()
    for name, value in expected.items():
        assert figures[name].value == pytest.approx(value, abs=1e-9, nan_ok=True), name
    return expected


@pytest.mark.parametrize("reading", ["paper", "published"])
@pytest.mark.parametrize("assistant", ASSISTANTS)
def test_every_metric_agrees_with_a_plain_loop(assistant, reading):
    split = sample_split()
    trajectories = random_trajectories(split, np.arange(120), ASSISTANTS[assistant](split), stop=0.15)
    expected = check(split, trajectories, reading)
    assert not any(np.isnan(value) for value in expected.values())
    if assistant == "anna":  # and none is trivial
        assert all(value > 0 for value in expected.values())


@pytest.mark.slow
@given(splits(), st.integers(0, 99))
@settings(max_examples=40)
def test_every_metric_agrees_with_a_plain_loop_anywhere(split, seed):
    trajectories = random_trajectories(split, np.arange(min(len(split), 8)), budget=10, seed=seed, ask=0.4)
    check(split, trajectories)


def values(trajectories, split=None):
    return {name: figure.value for name, figure in evaluate(split or corridor(), trajectories).items()}


def test_a_success_by_hand():
    # From 0 to 1; a request takes the agent to 2; on the route to 4 and stop (v_d is 5); then to 5 and stop.
    trajectories = scripted(corridor(), 0, [1, "ask", 3, 4, "stop", 5, "stop"])
    figures = values(trajectories)
    assert figures["success_rate"] == 1 and figures["navigation_error"] == pytest.approx(1)
    assert figures["metres_per_task"] == pytest.approx(5) and figures["steps_per_task"] == 7
    assert figures["spl"] == pytest.approx(1)  # L = 6 m to the lamp, P = 5 m: never more than 1
    assert figures["requests_per_task"] == 1 and figures["request_share"] == pytest.approx(1 / 7)
    assert figures["subtask_success"] == 1  # 4 is 1 m from 5
    assert figures["navigation_mistake_repeat"] == 0 and figures["help_request_repeat"] == 0


def test_detours_cost_spl():
    figures = values(scripted(corridor(), 4, [3, 4, 5, 4, "stop"]))
    assert figures["success_rate"] == 1 and figures["spl"] == pytest.approx(2 / 4)


def test_who_starts_at_the_goal_and_stops_is_perfect():
    figures = values(scripted(corridor(), 6, ["stop"]))
    assert figures["success_rate"] == 1 and figures["spl"] == 1 and figures["navigation_error"] == 0
    assert values(scripted(corridor(), 6, [5, 6, "stop"]))["spl"] == 0  # L = 0, P = 2 m


def test_to_pass_a_goal_is_an_oracle_success_only():
    figures = values(scripted(corridor(), 4, [5, 4, 3, 2, "stop"]))
    assert figures["success_rate"] == 0 and figures["spl"] == 0 and figures["oracle_success_rate"] == 1


def test_repeats_by_hand():
    # At 1 under the request it goes west, comes back, goes west again: one mistake repeated in 5 steps. The
    # request then is at a place seen before under the same task, but the first one there.
    figures = values(scripted(corridor(), 1, [0, 1, 0, 1, "ask"]))
    assert figures["navigation_mistake_repeat"] == pytest.approx(1 / 5)
    assert figures["help_request_repeat"] == 1 and figures["help_request_repeat_asked"] == 0


def test_another_task_is_no_repeat():
    # At 3 west under the request, then west on the route: another task. Asked at 3 twice, under two tasks.
    figures = values(scripted(corridor(), 3, [2, 3, "ask", 3, "ask", 3, 2, "stop"]))
    assert figures["navigation_mistake_repeat"] == 0
    assert figures["help_request_repeat"] == pytest.approx(1 / 2)
    assert figures["subtask_success"] == 0


def test_subtasks_not_left_by_a_stop_have_not_succeeded():
    out_of_time = scripted(corridor(), 2, ["ask", 3, 4, 5], budget=4)
    assert values(out_of_time)["subtask_success"] == 0
    assert values(scripted(corridor(), 2, ["ask", 3, "stop"]))["subtask_success"] == 1


def test_what_cannot_be_computed_is_not_a_number():
    figures = values(scripted(corridor(), 6, [5, "stop"]))  # no request, and nowhere to ask
    assert np.isnan(figures["help_request_repeat"]) and np.isnan(figures["subtask_success"])
    assert np.isnan(figures["lost_true"]) and figures["requests_per_task"] == 0
    assert "lost_precision" not in figures  # this agent predicts nothing
    assert "uncertain_wrong_true" not in figures  # and writes nothing down


def test_many_episodes_are_evaluated_in_blocks(monkeypatch):
    split = sample_split()
    trajectories = random_trajectories(split, np.arange(50))
    whole = evaluate(split, trajectories)
    monkeypatch.setattr("helpanna.evaluation.metrics._BLOCK", 7)
    assert evaluate(split, trajectories) == whole


def test_goals_out_of_reach_spoil_no_other_figure():
    split = corridor()
    goals = split.goal_sets
    nowhere = dataclasses.replace(
        goals, distance=np.full_like(goals.distance, np.inf), nearest=np.full_like(goals.nearest, -1)
    )
    figures = values(scripted(split, 4, [5, "stop"]), dataclasses.replace(split, goal_sets=nowhere))
    assert figures["success_rate"] == 0 and figures["spl"] == 0 and np.isnan(figures["navigation_error"])
    assert figures["metres_per_task"] == pytest.approx(1) and figures["navigation_mistake_repeat"] == 0


def plain_progress(split, trajectories):
    counts = {"answers": 0, **dict.fromkeys(WHY, 0)}
    for e in plain_episodes(split, trajectories):
        for t in e.steps:
            if not e.asked[t]:
                continue
            counts["answers"] += 1
            here, there = e.goal_distance(e.v[t]), e.goal_distance(int(trajectories.departure[e.b, t]))
            routes = [int(r) for r in split.zones[e.v[t]] if r >= 0]
            best = min(e.goal_distance(int(v)) for r in routes for v in split.routes.path[r] if v >= 0)
            if there < here:
                counts["closer"] += 1
            elif here == 0:
                counts["at_goal"] += 1
            elif best < here:
                counts["wrong_route"] += 1
            elif there == here:
                counts["here_is_best"] += 1
            else:
                counts["leads_away"] += 1
    return counts


@pytest.mark.parametrize("assistant", ASSISTANTS)
def test_answer_progress_agrees_with_a_plain_loop(assistant):
    split = sample_split()
    trajectories = random_trajectories(split, np.arange(300), ASSISTANTS[assistant](split), ask=0.5)
    counts = answer_progress(split, trajectories)
    assert counts == plain_progress(split, trajectories)
    assert counts["answers"] == sum(counts[kind] for kind in WHY) > 100
    assert min(counts[kind] for kind in ("closer", "at_goal", "here_is_best", "leads_away")) > 0
    assert (counts["wrong_route"] > 0) == (assistant == "noisy")


def test_answer_progress_by_hand():
    split = corridor()
    far = scripted(split, 1, ["ask", "stop", "stop"])
    assert answer_progress(split, far) == {
        "answers": 1, "closer": 1, "at_goal": 0, "wrong_route": 0, "here_is_best": 0, "leads_away": 0,
        "shows_nothing": 0, "no_answer": 0,
    }  # fmt: skip
    nobody = scripted(split, 5, ["stop"])
    assert answer_progress(split, nobody)["answers"] == 0


def test_the_published_reading_of_lost_is_the_usual_one():
    split = sample_split()
    trajectories = random_trajectories(split, np.arange(60))
    assert evaluate(split, trajectories) == evaluate(split, trajectories, lost="published")
    assert (
        evaluate(split, trajectories)["lost_true"] != evaluate(split, trajectories, lost="paper")["lost_true"]
    )
    usual, published, paper = (
        help_request_references(split, trajectories, *lost).conditions[:, :, 0]
        for lost in ((), ("published",), ("paper",))
    )
    assert np.array_equal(usual, published) and not np.array_equal(usual, paper)


def test_intervals_are_over_buildings_and_no_order_changes_them():
    split = sample_split()
    trajectories = random_trajectories(split, np.arange(90))
    figures = evaluate(split, trajectories)
    error = figures["navigation_error"]
    assert error.high - error.low > error.task_high - error.task_low  # three buildings, and they differ
    order = np.random.default_rng(0).permutation(90)
    assert evaluate(split, trajectories.select(order)) == figures
