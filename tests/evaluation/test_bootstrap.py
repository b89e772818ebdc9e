import json

import numpy as np
import pytest

from helpanna.evaluation.bootstrap import Interval, Ratio, intervals, mean, to_json
from helpanna.randomness import generator


def draws(count, seed=0):
    return generator(seed, "test bootstrap").random(count)


def test_intervals_of_a_mean_are_as_wide_as_theory_says():
    values = draws(2000)
    figure = intervals({"mean": mean(values)})["mean"]
    error = values.std() / np.sqrt(len(values))
    assert figure.value == pytest.approx(values.mean())
    assert (figure.low, figure.high) == pytest.approx(
        (values.mean() - 1.96 * error, values.mean() + 1.96 * error), abs=0.15 * error
    )


def test_intervals_hold_the_truth_about_as_often_as_they_promise():
    held = 0
    for seed in range(100):
        figure = intervals({"mean": mean(draws(60, seed))})["mean"]
        held += figure.low <= 0.5 <= figure.high
    assert 88 <= held <= 99


def test_numerators_and_denominators_are_drawn_together():
    below = np.arange(1, 51)
    figure = intervals({"ratio": Ratio(3 * below, below)})["ratio"]
    assert (figure.value, figure.low, figure.high) == pytest.approx((3, 3, 3))


def test_the_same_seed_gives_the_same_interval_whatever_else_is_asked():
    values = mean(draws(300))
    alone = intervals({"a": values}, seed=5)["a"]
    assert alone == intervals({"a": values}, seed=5)["a"]
    together = intervals({"b": mean(draws(300, 1)), "a": values}, seed=5)["a"]
    assert dataclass_values(together) == pytest.approx(dataclass_values(alone), rel=1e-12)
    assert alone != intervals({"a": values}, seed=6)["a"]


def dataclass_values(figure: Interval):
    return figure.value, figure.low, figure.high


def test_undefined_figures_are_null_in_json():
    nothing = np.zeros(4)
    figures = intervals({"repeat": Ratio(nothing, nothing), "rate": mean(np.ones(4))})
    assert np.isnan(dataclass_values(figures["repeat"])).all()
    assert json.loads(json.dumps(to_json(figures), allow_nan=False)) == {
        "repeat": {"value": None, "low": None, "high": None},
        "rate": {"value": 1.0, "low": 1.0, "high": 1.0},
    }


def test_resamples_in_which_a_figure_is_undefined_are_left_out():
    figure = intervals({"rare": Ratio(np.array([0, 0, 2]), np.array([0, 0, 4]))})["rare"]
    assert dataclass_values(figure) == (0.5, 0.5, 0.5)


def test_without_episodes_nothing_is_defined():
    assert np.isnan(intervals({"mean": mean(np.zeros(0))})["mean"].value)


def test_infinite_values_are_left_out_of_means():
    assert intervals({"metres": mean(np.array([1.0, np.inf, 3.0]))})["metres"].value == 2
