"""nDTW, SDTW, CLS and SPL against hand-computed cases and a plain implementation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_paths import plain_cls, plain_ndtw

from helpanna.evaluation.path_metrics import by_length, cls, ndtw, path_metres, walked

LINE = np.arange(10) * 2.0
"""Ten places in a row, 2 m apart."""


def along_line(a, b):
    return np.abs(LINE[a] - LINE[b])


def table(*paths):
    width = max(map(len, paths))
    return np.array([[*path, *[-1] * (width - len(path))] for path in paths])


def test_a_stay_counts_once_and_what_follows_the_end_does_not():
    location = np.array([[1, 2, 2, 1, 9], [3, 3, 3, 3, 3]])
    assert walked(location, np.array([3, 2])).tolist() == [[1, 2, 1], [3, -1, -1]]


def test_hand_computed():
    reference = table([0, 1, 2])
    # The same walk; one that stops a place short; one that overshoots by two places.
    walks = table([0, 1, 2], [0, 1], [0, 1, 2, 3, 4])
    references = np.repeat(reference, 3, axis=0)
    assert path_metres(walks, along_line).tolist() == [4, 2, 8]
    # DTW: 0; place 2 pairs with 1: 2 m; 3 and 4 pair with 2: 2 + 4 m. Normalised by 3 places x 3 m.
    assert ndtw(walks, references, along_line) == pytest.approx([1, math.exp(-2 / 9), math.exp(-6 / 9)])
    # PC: 1; (1 + 1 + e^(-2/3)) / 3; 1. LS: expected length over itself plus how far the walk is off it.
    short = (2 + math.exp(-2 / 3)) / 3
    expected = short * 4
    by_hand = [1, short * expected / (expected + abs(expected - 2)), 4 / (4 + 4)]
    assert cls(walks, references, along_line) == pytest.approx(by_hand)


def test_success_weighted_by_length():
    success = np.array([True, True, False, True])
    shares = by_length(success, np.array([10.0, 4.0, 4.0, 0.0]), np.array([5.0, 5.0, 4.0, 0.0]))
    assert shares.tolist() == [0.5, 1.0, 0.0, 1.0]


paths = st.lists(st.integers(0, 7), min_size=1, max_size=9).map(
    lambda path: [p for i, p in enumerate(path) if i == 0 or p != path[i - 1]]
)


@given(st.lists(st.tuples(paths, paths), min_size=1, max_size=4), st.integers(0, 5))
def test_the_same_as_a_plain_implementation_whatever_the_batch(pairs, seed):
    position = np.random.default_rng(seed).uniform(0, 12, (8, 2))

    def metres(a, b):
        return np.linalg.norm(position[a] - position[b], axis=-1)

    walks, references = table(*(w for w, _ in pairs)), table(*(r for _, r in pairs))
    assert ndtw(walks, references, metres) == pytest.approx([plain_ndtw(w, r, metres) for w, r in pairs])
    assert cls(walks, references, metres) == pytest.approx([plain_cls(w, r, metres) for w, r in pairs])


def test_many_walks_are_computed_at_once():
    rng = np.random.default_rng(0)
    walks, references = rng.integers(0, 10, (5000, 51)), rng.integers(0, 10, (5000, 12))
    asked = []

    def metres(a, b):
        asked.append(np.broadcast(a, b).shape)
        return along_line(a, b)

    for metric in (ndtw, cls):
        assert metric(walks, references, metres).shape == (5000,)
    assert len(asked) < 10 and all(shape[0] == 5000 for shape in asked)
