"""VNLA's help-request teacher: five rules that say when advice should have been asked for."""

import math

import numpy as np
from numpy.typing import NDArray

from helpanna.assistance.adviser import request_budgets
from helpanna.episodes.trajectory import Trajectories
from helpanna.tasks.split import Split
from helpanna.teachers.navigation import standing
from helpanna.worlds.geometry import SLOTS

Bools = NDArray[np.bool_]

OFF_PATH = 8.0
"""delta: metres from the shortest path of the task."""
CONFUSED = 1 - 1 / math.log(6)
"""From which share of the entropy of chance on an agent is confused: epsilon, 1 nat below chance, with the
six actions of that paper. Here there are two to a dozen, so it is a share."""
STUCK = 9
"""mu: decisions in a row at the same location, the present one among them."""


def advice_references(split: Split, trajectories: Trajectories) -> Bools:
    """[B, T] whether help should have been requested, as in Nguyen et al. 2019.

    (a) the agent is further than delta from the shortest path of its task; (b) it is confused: its navigation
    distribution is close to chance; (c) it has been at the same location for mu steps; (d) as many requests
    are left as steps; (e) it is at a goal and would walk on. (b) and (e) need the notes "entropy" and
    "guess".
    """
    here, decided = standing(trajectories), trajectories.decided
    goal_set = split.goal_set[trajectories.task]
    off = np.full(here.shape, np.inf, dtype=np.float32)
    place = here[:, 0].astype(np.int64)
    goal = split.goal_sets.nearest_to(goal_set, place).astype(np.int64)
    while True:
        np.minimum(off, split.atlas.distances(here, place[:, None]), out=off)
        walks = place != goal
        if not walks.any():
            break
        place = np.where(walks, split.atlas.next_hops(place, goal), place)
    asks = off > OFF_PATH

    steps = trajectories.steps
    same = np.ones(here.shape, dtype=np.int64)
    for t in range(1, steps):
        same[:, t] = np.where(here[:, t] == here[:, t - 1], same[:, t - 1] + 1, 1)
    asks |= same >= STUCK
    before: NDArray[np.int64] = np.cumsum(trajectories.asked, axis=1) - trajectories.asked
    left = request_budgets(split)[trajectories.task][:, None] - before
    asks |= left >= steps - np.arange(steps)

    notes = trajectories.notes
    if "entropy" in notes and "guess" in notes:
        count = (split.atlas.action_location[here, 0] >= 0).sum(axis=-1)
        asks |= (count > 1) & (notes["entropy"] * np.log(SLOTS) > CONFUSED * np.log(count))
        asks |= (split.goal_sets.distance_from(goal_set[:, None], here) == 0) & (notes["guess"] > 0)
    return asks & decided
