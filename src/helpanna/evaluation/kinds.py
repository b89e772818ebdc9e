"""The metrics that belong to one kind of task, as their papers define them. Shares are fractions of 1.

- `ndtw`, `sdtw`, `cls` (r2r, r4r): how well the walk follows the path that was described, see
  `helpanna.evaluation.path_metrics`.
- `rgs`, `rgspl` (reverie), where agents note the "object" that they point at: whether it is the right one at
  the end, and the same weighted by path length.
- `goal_progress` (ndh): by how many metres the distance to the end region was shortened.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from helpanna.episodes.outcomes import outcomes_of
from helpanna.episodes.trajectory import Trajectories
from helpanna.evaluation.bootstrap import Ratio, mean
from helpanna.evaluation.path_metrics import by_length, cls, ndtw, walked
from helpanna.tasks.kinds import NDH, R2R, R4R, REVERIE
from helpanna.tasks.split import Split

Ratios = dict[str, Ratio]


def kind_ratios(split: Split, trajectories: Trajectories) -> Ratios:
    """What is measured in tasks of this kind alone."""
    own = _METRICS.get(split.kind.name)
    return own(split, trajectories) if own else {}


def path_ratios(split: Split, trajectories: Trajectories) -> Ratios:
    """How well the described paths were followed."""
    assert split.references is not None  # noqa: S101  # tasks of these kinds have them
    walk = walked(trajectories.location, trajectories.length)
    reference = split.references.path[trajectories.task].astype(np.int64)
    likeness = ndtw(walk, reference, split.atlas.distances)
    success = outcomes_of(split, trajectories).success
    return {
        "ndtw": mean(likeness),
        "sdtw": mean(likeness * success),
        "cls": mean(cls(walk, reference, split.atlas.distances)),
    }


def pointing_ratios(split: Split, trajectories: Trajectories) -> Ratios:
    """Whether the right object was named at the end."""
    assert split.references is not None  # noqa: S101  # tasks of these kinds have them
    if "object" not in trajectories.notes:
        return {}
    last = np.arange(len(trajectories)), np.maximum(trajectories.length - 1, 0)
    right = trajectories.notes["object"][last] == split.references.thing[trajectories.task]
    outcomes = outcomes_of(split, trajectories)
    return {"rgs": mean(right), "rgspl": mean(by_length(right, outcomes.metres, outcomes.shortest))}


def dialogue_ratios(split: Split, trajectories: Trajectories) -> Ratios:
    """How much nearer to the end region the agent came."""
    assert split.references is not None  # noqa: S101  # tasks of these kinds have them
    region = split.references.region[trajectories.task]
    exists = region >= 0

    def left(place: NDArray[np.int64]) -> NDArray[np.float64]:
        metres = split.atlas.distances(place[:, None], np.where(exists, region, place[:, None]))
        return np.where(exists, metres, np.inf).min(axis=1)

    return {"goal_progress": mean(left(trajectories.location[:, 0]) - left(trajectories.final))}


_METRICS: Mapping[str, Callable[[Split, Trajectories], Ratios]] = {
    R2R.name: path_ratios,
    R4R.name: path_ratios,
    REVERIE.name: pointing_ratios,
    NDH.name: dialogue_ratios,
}
