"""nDTW and CLS written down as their papers do, one walk at a time."""

import math
from functools import cache
from itertools import pairwise


def plain_ndtw(walk, reference, metres, near=3.0):
    """exp(-DTW / (|R| near)), DTW by its recursion."""

    @cache
    def dtw(i, j):
        if i == 0 or j == 0:
            return 0.0 if i == j else math.inf
        step = float(metres(walk[i - 1], reference[j - 1]))
        return step + min(dtw(i - 1, j), dtw(i, j - 1), dtw(i - 1, j - 1))

    return math.exp(-dtw(len(walk), len(reference)) / (len(reference) * near))


def plain_cls(walk, reference, metres, near=3.0):
    """Coverage times length score."""

    def length(path):
        return sum(float(metres(a, b)) for a, b in pairwise(path))

    covered = [math.exp(-min(float(metres(r, p)) for p in walk) / near) for r in reference]
    coverage = sum(covered) / len(reference)
    expected = coverage * length(reference)
    off = expected + abs(expected - length(walk))
    return coverage * (expected / off if off else 1.0)
