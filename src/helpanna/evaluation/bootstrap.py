"""Figures with intervals: how much would a number differ had other buildings and tasks been drawn?

Tasks of one building resemble each other, so it is buildings that are drawn again, with replacement, and then
tasks within each (a cluster bootstrap), and runs where there are several. To draw tasks alone, whatever their
building, asks how certain the number is for these very buildings; that interval is narrower.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.randomness import generator

RESAMPLES = 1000
LEVEL = 0.95

_DRAWS = 4_000_000
"""Tasks drawn at once: enough to be fast, few enough to fit in memory for 80,000 episodes."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """A figure and its 95 % bootstrap intervals; all NaN where it is undefined (nothing to divide by).

    Attributes:
        value: the figure.
        low: where the interval over buildings and tasks begins.
        high: where it ends.
        task_low: where the interval over tasks alone begins.
        task_high: where it ends.
    """

    value: float
    low: float
    high: float
    task_low: float
    task_high: float


@dataclass(frozen=True, eq=False)
class Ratio:
    """A figure that is a sum over episodes divided by another: a mean, a rate, a precision, an F1 score.

    Attributes:
        numerator: [B] each episode's share.
        denominator: [B] likewise; ones for a mean over episodes.
    """

    numerator: NDArray[Any]
    denominator: NDArray[Any]


@dataclass(frozen=True, eq=False)
class Sample:
    """Where B episodes come from: what the bootstrap draws again.

    Attributes:
        building: [B] names.
        task: [B] numbers; a task is in one building.
        run: [B] numbers, where several runs (seeds) on the same tasks are taken together; else zeros.
    """

    building: NDArray[np.str_]
    task: NDArray[np.int64]
    run: NDArray[np.int64]


def mean(values: NDArray[Any]) -> Ratio:
    """The mean over episodes, leaving out those with an infinite value."""
    finite = np.isfinite(values)
    return Ratio(np.where(finite, values, 0), finite)


def intervals(ratios: Mapping[str, Ratio], sample: Sample, seed: int = 0) -> dict[str, Interval]:
    """Each figure with its percentile bootstrap intervals.

    Numerators and denominators are resampled together, and all figures by the same draws. Resamples in which
    a figure is undefined are left out. The order of the episodes does not matter.
    """
    clustered, alone = _figures(ratios, sample, seed)
    return {name: _interval(clustered[:, i], alone[:, i]) for i, name in enumerate(ratios)}


def differences(
    ours: Mapping[str, Ratio],
    our_sample: Sample,
    theirs: Mapping[str, Ratio],
    their_sample: Sample,
    seed: int = 0,
) -> dict[str, Interval]:
    """Ours minus theirs on the tasks that both have, for the figures that both have, with intervals.

    The same tasks are drawn for both, so what makes a task hard or easy for both drops out of the interval.
    """
    both = np.intersect1d(our_sample.task, their_sample.task)
    names = [name for name in ours if name in theirs]
    parts = [
        _figures(*_restricted(names, ratios, sample, both), seed, side)
        for side, (ratios, sample) in enumerate(((ours, our_sample), (theirs, their_sample)))
    ]
    clustered, alone = (a - b for a, b in zip(*parts, strict=True))
    return {name: _interval(clustered[:, i], alone[:, i]) for i, name in enumerate(names)}


def _restricted(
    names: list[str], ratios: Mapping[str, Ratio], sample: Sample, tasks: NDArray[np.int64]
) -> tuple[dict[str, Ratio], Sample]:
    """Only these figures, of these tasks."""
    kept = np.isin(sample.task, tasks)
    some = {name: Ratio(ratios[name].numerator[kept], ratios[name].denominator[kept]) for name in names}
    return some, Sample(sample.building[kept], sample.task[kept], sample.run[kept])


def _figures(ratios: Mapping[str, Ratio], sample: Sample, seed: int, side: int = 0) -> tuple[Floats, Floats]:
    """[1 + resamples, figures] as they are and resampled: over buildings and tasks, and over tasks alone."""
    if not len(sample.task) or not ratios:
        nothing = np.full((1, len(ratios)), np.nan)
        return nothing, nothing
    tasks, first, task_of = np.unique(sample.task, return_index=True, return_inverse=True)
    # Tasks in an order of their own, by building and number: the episodes' order leaves no trace.
    _, building = np.unique(sample.building[first], return_inverse=True)
    place = np.empty(len(tasks), dtype=np.int64)
    place[order := np.lexsort((tasks, building))] = np.arange(len(tasks))
    runs, run_of = np.unique(sample.run, return_inverse=True)
    parts = [part for ratio in ratios.values() for part in (ratio.numerator, ratio.denominator)]
    sums = np.zeros((len(tasks), len(runs), len(parts)))
    np.add.at(sums, (place[task_of], run_of), np.stack(parts, axis=1).astype(np.float64))

    sizes = np.bincount(building[order])
    run_weights = generator(seed, "bootstrap runs", side).multinomial(
        len(runs), np.full(len(runs), 1 / len(runs)), RESAMPLES
    )
    clustered, alone = (
        np.einsum("rs,rsk->rk", run_weights, _totals(sums, clusters, seed))
        for clusters in (sizes, np.array([len(tasks)]))
    )
    whole = sums.sum(axis=(0, 1))[None]
    return _divide(np.concatenate([whole, clustered])), _divide(np.concatenate([whole, alone]))


def _totals(sums: Floats, sizes: NDArray[np.int64], seed: int) -> Floats:
    """[resamples, runs, K] sums [tasks, runs, K] over clusters of these sizes and their tasks, both drawn."""
    flat = sums.reshape(len(sums), -1)
    totals = np.zeros((RESAMPLES, flat.shape[1]))
    count = len(sizes)
    drawn = generator(seed, "bootstrap buildings").multinomial(count, np.full(count, 1 / count), RESAMPLES)
    for cluster, (end, size) in enumerate(zip(np.cumsum(sizes), sizes, strict=True)):
        draws = generator(seed, "bootstrap tasks", cluster)
        times = np.repeat(np.arange(RESAMPLES), drawn[:, cluster])  # the resample of each time it was drawn
        for block in np.array_split(times, -(-len(times) * int(size) // _DRAWS) or 1):
            if not len(block):
                continue
            rows = block - block[0]
            chosen = rows[:, None] * size + draws.integers(0, size, (len(block), size))
            weights = np.bincount(chosen.ravel(), minlength=(rows[-1] + 1) * size).reshape(-1, size)
            totals[block[0] : block[-1] + 1] += weights.astype(np.float64) @ flat[end - size : end]
    return totals.reshape(RESAMPLES, *sums.shape[1:])


def _divide(totals: Floats) -> Floats:
    above, below = totals[:, 0::2], totals[:, 1::2]
    return np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)


def _interval(clustered: Floats, alone: Floats) -> Interval:
    value = float(clustered[0])
    if not np.isfinite(value):
        return Interval(*[np.nan] * 5)
    return Interval(value, *_quantiles(clustered[1:]), *_quantiles(alone[1:]))


def _quantiles(resampled: Floats) -> tuple[float, float]:
    resampled = resampled[np.isfinite(resampled)]
    if not resampled.size:
        return np.nan, np.nan
    low, high = np.quantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def to_json(figures: Mapping[str, Interval]) -> dict[str, dict[str, Any]]:
    """For JSON: {"spl": {"value", "low", "high", "tasks_only": {"low", "high"}}}; null where undefined."""

    def number(value: float) -> float | None:
        return None if np.isnan(value) else value

    return {
        name: {
            "value": number(figure.value),
            "low": number(figure.low),
            "high": number(figure.high),
            "tasks_only": {"low": number(figure.task_low), "high": number(figure.task_high)},
        }
        for name, figure in figures.items()
    }
