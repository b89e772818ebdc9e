import json
from dataclasses import astuple

import numpy as np
import pytest

from helpanna.evaluation.bootstrap import (
    Interval,
    Ratio,
    Sample,
    differences,
    intervals,
    mean,
    to_json,
)
from helpanna.randomness import generator


def draws(count, seed=0):
    return generator(seed, "test bootstrap").random(count)


def sample(count, buildings=None, tasks=None, runs=None):
    """This many tasks of one building, or what is given."""
    return Sample(
        np.array(["here"] * count if buildings is None else buildings),
        np.arange(count) if tasks is None else np.array(tasks),
        np.zeros(count, dtype=int) if runs is None else np.array(runs),
    )


def figure_of(ratio, *about, seed=0) -> Interval:
    return intervals({"it": ratio}, sample(len(ratio.numerator), *about), seed)["it"]


def test_intervals_of_a_mean_are_as_wide_as_theory_says():
    values = draws(2000)
    figure = figure_of(mean(values))
    error = values.std() / np.sqrt(len(values))
    assert figure.value == pytest.approx(values.mean())
    assert (figure.low, figure.high) == pytest.approx(
        (values.mean() - 1.96 * error, values.mean() + 1.96 * error), abs=0.15 * error
    )


def test_in_one_building_both_intervals_are_the_same():
    figure = figure_of(mean(draws(300)))
    assert (figure.low, figure.high) == (figure.task_low, figure.task_high)


def test_intervals_hold_the_truth_about_as_often_as_they_promise():
    held = sum(low <= 0.5 <= high for low, high in ((f.low, f.high) for f in map(_hundredth, range(100))))
    assert 88 <= held <= 99


def _hundredth(seed):
    return figure_of(mean(draws(60, seed)))


def clustered(seed, buildings=20, tasks=25):
    """Tasks of a building resemble each other: each building has a level of its own, 0.5 in the mean."""
    level = np.repeat(draws(buildings, seed), tasks)
    names = np.repeat([f"building {b}" for b in range(buildings)], tasks)
    return mean(0.8 * level + 0.2 * draws(buildings * tasks, 1000 + seed)), names


@pytest.mark.slow
def test_where_buildings_differ_only_the_interval_over_buildings_holds_the_truth():
    over_buildings = over_tasks = 0
    for seed in range(60):
        ratio, names = clustered(seed)
        figure = figure_of(ratio, names)
        over_buildings += figure.low <= 0.5 <= figure.high
        over_tasks += figure.task_low <= 0.5 <= figure.task_high
    assert over_buildings >= 50
    assert over_tasks <= 35


def test_the_interval_over_buildings_is_as_wide_as_theory_says():
    ratio, names = clustered(0, buildings=200, tasks=10)
    figure = figure_of(ratio, names)
    means = ratio.numerator.reshape(200, 10).mean(axis=1)
    error = means.std() / np.sqrt(200)
    # Drawing tasks within buildings adds their own spread once more.
    within = ratio.numerator.reshape(200, 10).std(axis=1).mean() / np.sqrt(2000)
    assert figure.high - figure.low == pytest.approx(2 * 1.96 * np.hypot(error, within), rel=0.1)


def test_the_order_of_episodes_leaves_no_trace():
    ratio, names = clustered(3)
    runs = np.arange(500) % 3
    order = generator(0, "test order").permutation(500)
    turned = Ratio(ratio.numerator[order], ratio.denominator[order])
    tasks = np.arange(500)
    straight = figure_of(ratio, names, tasks, runs)
    assert figure_of(turned, names[order], tasks[order], runs[order]) == straight


def test_other_runs_widen_the_interval():
    values = np.concatenate([draws(400), draws(400) + 1])  # one run is far better on every task
    tasks, runs = np.tile(np.arange(400), 2), np.repeat([0, 1], 400)
    apart = figure_of(mean(values), None, tasks, runs)
    together = figure_of(mean(values), None, tasks, np.zeros(800, dtype=int))
    assert apart.value == pytest.approx(together.value)
    assert apart.high - apart.low > 5 * (together.high - together.low)


def test_numerators_and_denominators_are_drawn_together():
    below = np.arange(1, 51)
    assert astuple(figure_of(Ratio(3 * below, below))) == pytest.approx((3, 3, 3, 3, 3))


def test_the_same_seed_gives_the_same_interval_whatever_else_is_asked():
    values = mean(draws(300))
    alone = intervals({"a": values}, sample(300), seed=5)["a"]
    assert alone == intervals({"a": values}, sample(300), seed=5)["a"]
    together = intervals({"b": mean(draws(300, 1)), "a": values}, sample(300), seed=5)["a"]
    assert astuple(together) == pytest.approx(astuple(alone), rel=1e-12)
    assert alone != intervals({"a": values}, sample(300), seed=6)["a"]


def test_a_difference_is_paired():
    hard = draws(400)  # how hard each task is, for both
    ours, theirs = mean(hard + 0.01 * draws(400, 1) + 0.05), mean(hard + 0.01 * draws(400, 2))
    both = sample(400, np.repeat(["a", "b", "c", "d"], 100))
    change = differences({"it": ours}, both, {"it": theirs}, both)["it"]
    assert change.value == pytest.approx(ours.numerator.mean() - theirs.numerator.mean())
    assert 0.04 < change.low < change.value < change.high < 0.06
    alone = intervals({"it": ours}, both)["it"]
    assert alone.high - alone.low > 10 * (change.high - change.low)


def test_a_difference_is_about_what_both_have():
    ours, theirs = mean(np.arange(10.0)), mean(np.arange(5.0, 15.0))
    change = differences(
        {"it": ours, "ours alone": ours},
        sample(10),
        {"it": theirs, "theirs alone": theirs},
        sample(10, tasks=range(9, -1, -1)),
    )
    assert change.keys() == {"it"} and change["it"].value == pytest.approx(-5)
    some = differences({"it": ours}, sample(10), {"it": theirs}, sample(10, tasks=range(5, 15)))["it"]
    # Tasks 5 to 9 are ours' 5 to 9 and theirs' first five, which are worth the same.
    assert astuple(some) == pytest.approx((0, 0, 0, 0, 0))


def test_a_result_does_not_differ_from_itself():
    ratio, names = clustered(1)
    same = differences({"it": ratio}, sample(500, names), {"it": ratio}, sample(500, names))["it"]
    assert astuple(same) == (0, 0, 0, 0, 0)


def test_undefined_figures_are_null_in_json():
    nothing = np.zeros(4)
    figures = intervals({"repeat": Ratio(nothing, nothing), "rate": mean(np.ones(4))}, sample(4))
    assert np.isnan(astuple(figures["repeat"])).all()
    assert json.loads(json.dumps(to_json(figures), allow_nan=False)) == {
        "repeat": {"value": None, "low": None, "high": None, "tasks_only": {"low": None, "high": None}},
        "rate": {"value": 1.0, "low": 1.0, "high": 1.0, "tasks_only": {"low": 1.0, "high": 1.0}},
    }


def test_resamples_in_which_a_figure_is_undefined_are_left_out():
    figure = figure_of(Ratio(np.array([0, 0, 2]), np.array([0, 0, 4])))
    assert astuple(figure) == (0.5, 0.5, 0.5, 0.5, 0.5)


def test_without_episodes_nothing_is_defined():
    assert np.isnan(figure_of(mean(np.zeros(0))).value)


def test_infinite_values_are_left_out_of_means():
    assert figure_of(mean(np.array([1.0, np.inf, 3.0]))).value == 2


def test_blocks_change_nothing(monkeypatch):
    ratio, names = clustered(2)
    whole = figure_of(ratio, names)
    monkeypatch.setattr("helpanna.evaluation.bootstrap._DRAWS", 700)
    assert astuple(figure_of(ratio, names)) == pytest.approx(astuple(whole), rel=1e-12)
