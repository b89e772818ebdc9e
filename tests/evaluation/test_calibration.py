"""Probabilities that can be trusted: fitted, measured, and sets that hold what they promise."""

import numpy as np
import pytest

from helpanna.errors import InputError
from helpanna.evaluation.calibration import (
    Evidence,
    calibrated,
    expected_calibration_error,
    fit,
    reliability,
    set_bound,
)

RNG = np.random.default_rng(0)


def exaggerating(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities that are too extreme, and what was true."""
    odds = RNG.normal(-1, 1, count)
    truth = RNG.random(count) < 1 / (1 + np.exp(-odds))
    return 1 / (1 + np.exp(-(3 * odds + 1))), truth


def test_the_fit_undoes_what_was_done_to_the_odds():
    ask, wanted = exaggerating(50_000)
    scale, offset = fit(ask, wanted)
    assert scale == pytest.approx(1 / 3, abs=0.02)
    assert offset == pytest.approx(-1 / 3, abs=0.03)


def test_a_fit_holds_on_other_decisions():
    parameters = fit(*exaggerating(20_000))
    ask, wanted = exaggerating(20_000)
    assert expected_calibration_error(ask, wanted) > 0.1
    assert expected_calibration_error(calibrated(ask, *parameters), wanted) < 0.02


def test_the_diagram_by_hand():
    ask = np.array([0.05, 0.05, 0.65, 0.62, 1.0])
    wanted = np.array([False, True, True, True, False])
    bars = reliability(ask, wanted)
    assert [(bar.count, round(bar.predicted, 3), bar.true) for bar in bars] == [
        (2, 0.05, 0.5),
        (2, 0.635, 1.0),
        (1, 1.0, 0.0),
    ]
    by_hand = (2 * 0.45 + 2 * 0.365 + 1 * 1.0) / 5
    assert expected_calibration_error(ask, wanted) == pytest.approx(by_hand)


def test_there_must_be_something_to_fit():
    with pytest.raises(InputError, match="always or never"):
        fit(np.array([0.2, 0.4]), np.array([True, True]))
    ask, wanted = exaggerating(1000)
    with pytest.raises(InputError, match="has not learned"):
        fit(ask, ~wanted)


def evidence(count: int) -> Evidence:
    actions = RNG.dirichlet([0.4] * 5, count)
    right = np.array([RNG.choice(5, p=(p + 0.02) / 1.1) for p in actions])
    return Evidence(np.zeros(count), np.zeros(count, bool), actions, right)


@pytest.mark.parametrize("error", [0.05, 0.2, 0.5])
def test_conformal_sets_cover_what_they_promise_on_other_decisions(error):
    bound = set_bound(evidence(4000), error)
    covered, single = evidence(4000).coverage(bound)
    assert covered == pytest.approx(1 - error, abs=0.03)
    assert 0 < single < 1


def test_a_set_that_must_miss_nothing_holds_everything():
    assert set_bound(evidence(10), 0.05) == 0
    assert evidence(10).coverage(0.0) == (1.0, 0.0)
