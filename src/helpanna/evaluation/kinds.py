"""The metrics that belong to one kind of task, as their papers define them. Shares are fractions of 1.

- `ndtw`, `sdtw`, `cls` (r2r, r4r): how well the walk follows the path that was described, see
  `helpanna.evaluation.path_metrics`.
"""

from collections.abc import Callable, Mapping

import numpy as np

from helpanna.episodes.outcomes import outcomes_of
from helpanna.episodes.trajectory import Trajectories
from helpanna.evaluation.bootstrap import Ratio, mean
from helpanna.evaluation.path_metrics import cls, ndtw, walked
from helpanna.tasks.kinds import R2R, R4R
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


_METRICS: Mapping[str, Callable[[Split, Trajectories], Ratios]] = {
    R2R.name: path_ratios,
    R4R.name: path_ratios,
}
