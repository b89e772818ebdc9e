"""How well a walk follows the path that was described: the metrics of Room-to-Room and of its neighbours.

All are pure functions of padded tables of locations and of shortest-path distances, for many walks at once:

- nDTW = exp(-DTW(P, R) / (|R| d)), SDTW = success x nDTW (Ilharco et al. 2019): dynamic time warping of the
  walk P and the reference path R, normalised by the reference's number of locations and d = 3 m.
- CLS = PC x LS (Jain et al. 2019): how much of the reference is covered, and how well its length is kept.
- SPL = success x L / max(P, L) (Anderson et al. 2018).

A location at which a walk stays for some steps counts once.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Distances = Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]
"""Metres between locations by broadcasting, as `Atlas.distances`."""

NEAR = 3.0
"""Metres: the d of nDTW and CLS, and what success means in Room-to-Room."""

_NOWHERE = -1


def walked(location: NDArray[Any], length: NDArray[Any]) -> Ints:
    """[B, T + 1] the places of walks, each stay once, -1 after the last.

    Args:
        location: [B, T + 1] where each walk was before every decision and at the end.
        length: [B] how many decisions were made.
    """
    exists = np.arange(location.shape[1]) <= length[:, None]
    new = exists.copy()
    new[:, 1:] &= location[:, 1:] != location[:, :-1]
    places = np.full(location.shape, _NOWHERE, dtype=np.int64)
    rows, _ = np.nonzero(new)
    places[rows, (np.cumsum(new, axis=1) - 1)[new]] = location[new]
    return places[:, : max(int(new.sum(axis=1).max(initial=1)), 1)]


def path_metres(path: Ints, distances: Distances) -> Floats:
    """[B] the length of paths [B, L], -1 after their ends."""
    goes = path[:, 1:] >= 0
    here = path[:, :-1]
    steps = distances(np.where(goes, here, 0), np.where(goes, path[:, 1:], 0))
    return np.where(goes, steps, 0).sum(axis=1, dtype=np.float64)


def ndtw(walk: Ints, reference: Ints, distances: Distances, near: float = NEAR) -> Floats:
    """[B] nDTW of walks [B, P] with reference paths [B, R], both with -1 after their ends."""
    metres = _between(walk, reference, distances)
    cost = np.full((len(walk), reference.shape[1] + 1), np.inf)
    cost[:, 0] = 0.0
    total = cost
    for i in range(walk.shape[1]):
        exists = walk[:, i] >= 0
        total = np.full_like(cost, np.inf)
        for j in range(reference.shape[1]):
            before = np.minimum(np.minimum(cost[:, j], cost[:, j + 1]), total[:, j])
            total[:, j + 1] = metres[:, i, j] + before
        cost = np.where(exists[:, None], total, cost)
    size = (reference >= 0).sum(axis=1)
    dtw = cost[np.arange(len(walk)), size]
    return np.exp(-dtw / (size * near))


def cls(walk: Ints, reference: Ints, distances: Distances, near: float = NEAR) -> Floats:
    """[B] coverage weighted by length score of walks [B, P] with reference paths [B, R]."""
    metres = _between(walk, reference, distances)
    closest = np.where((walk >= 0)[:, :, None], metres, np.inf).min(axis=1)  # [B, R]
    exists = reference >= 0
    coverage = np.where(exists, np.exp(-closest / near), 0).sum(axis=1) / exists.sum(axis=1)
    expected = coverage * path_metres(reference, distances)
    off = expected + np.abs(expected - path_metres(walk, distances))
    score = np.divide(expected, off, out=np.ones(len(walk)), where=off > 0)
    return coverage * score


def by_length(success: Bools, metres: Floats, shortest: Floats) -> Floats:
    """[B] SPL: success weighted by path length; 1 for a success without a way to go."""
    longest = np.maximum(metres, shortest)
    return np.where(success, np.divide(shortest, longest, out=np.ones(len(metres)), where=longest > 0), 0)


def _between(walk: Ints, reference: Ints, distances: Distances) -> Floats:
    """[B, P, R] metres between all places of walks and references; 0 where one does not exist."""
    both = (walk >= 0)[:, :, None] & (reference >= 0)[:, None, :]
    here, there = np.broadcast_arrays(walk[:, :, None], reference[:, None, :])
    metres = distances(np.where(both, here, 0), np.where(both, there, 0))
    return np.where(both, metres, 0).astype(np.float64)
