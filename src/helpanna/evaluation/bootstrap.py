"""Figures with intervals: how much would this number differ had other episodes been drawn?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.randomness import generator

RESAMPLES = 1000
LEVEL = 0.95

_BLOCK = 50
"""Resamples drawn at once: enough to be fast, few enough to fit in memory for 80,000 episodes."""


@dataclass(frozen=True)
class Interval:
    """A figure and its 95 % bootstrap interval; all NaN where it is undefined (nothing to divide by)."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Ratio:
    """A figure that is a sum over episodes divided by another: a mean, a rate, a precision, an F1 score.

    Attributes:
        numerator: [B] each episode's share.
        denominator: [B] likewise; ones for a mean over episodes.
    """

    numerator: NDArray[Any]
    denominator: NDArray[Any]


def mean(values: NDArray[Any]) -> Ratio:
    """The mean over episodes, leaving out those with an infinite value."""
    finite = np.isfinite(values)
    return Ratio(np.where(finite, values, 0), finite)


def intervals(ratios: Mapping[str, Ratio], seed: int = 0) -> dict[str, Interval]:
    """Each figure with its percentile bootstrap interval over episodes.

    Numerators and denominators are resampled together, and all figures by the same draws. Resamples in which
    a figure is undefined are left out.
    """
    sums = np.stack(
        [part for ratio in ratios.values() for part in (ratio.numerator, ratio.denominator)], axis=1
    )
    sums = sums.astype(np.float64)  # [B, 2 x figures]
    episodes = len(sums)
    if episodes == 0:
        return {name: Interval(np.nan, np.nan, np.nan) for name in ratios}
    totals = [sums.sum(axis=0, keepdims=True)]
    for block in range(RESAMPLES // _BLOCK):
        drawn = generator(seed, "bootstrap", block).integers(0, episodes, (_BLOCK, episodes))
        flat = (drawn + np.arange(_BLOCK)[:, None] * episodes).ravel()
        weights = np.bincount(flat, minlength=_BLOCK * episodes).reshape(_BLOCK, episodes)
        totals.append(weights.astype(np.float64) @ sums)
    figures = _divide(np.concatenate(totals))  # [1 + resamples, figures]
    return {name: _interval(column) for name, column in zip(ratios, figures.T, strict=True)}


def _divide(totals: NDArray[np.float64]) -> NDArray[np.float64]:
    above, below = totals[:, 0::2], totals[:, 1::2]
    return np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)


def _interval(figures: NDArray[np.float64]) -> Interval:
    value, resampled = figures[0], figures[1:]
    resampled = resampled[np.isfinite(resampled)]
    if not np.isfinite(value) or not resampled.size:
        return Interval(np.nan, np.nan, np.nan)
    low, high = np.quantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(value), float(low), float(high))


def to_json(figures: Mapping[str, Interval]) -> dict[str, dict[str, float | None]]:
    """For a JSON file: {"success_rate": {"value", "low", "high"}, ...}; null where undefined."""
    return {
        name: {
            part: None if np.isnan(number) else number
            for part, number in (("value", figure.value), ("low", figure.low), ("high", figure.high))
        }
        for name, figure in figures.items()
    }
