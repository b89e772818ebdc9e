"""How episodes ended: the few numbers an episode that the main metrics are made of."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from helpanna.episodes.trajectory import Trajectories
from helpanna.tasks.kinds import HANNA
from helpanna.tasks.split import Split


@dataclass(frozen=True, eq=False)
class Outcomes:
    """B finished episodes.

    Attributes:
        task: [B] of the split.
        building: [B] the names of their buildings.
        final_distance: [B] metres from the final location to the nearest goal, infinite if there is no way.
        closest_distance: [B] the same for the best location visited.
        shortest: [B] metres from the start to the goal nearest to the final location, or to the end of the
            path that was described, if there is one (L_i of SPL).
        metres: [B] the distance travelled, prices included (P_i).
        steps: [B] how many decisions were made.
        requests: [B] how many of them were help requests.
        success_metres: how far from a goal the end of a success may be.
    """

    task: NDArray[np.int64]
    building: NDArray[np.str_]
    final_distance: NDArray[np.float64]
    closest_distance: NDArray[np.float64]
    shortest: NDArray[np.float64]
    metres: NDArray[np.float64]
    steps: NDArray[np.int64]
    requests: NDArray[np.int64]
    success_metres: float = HANNA.success_metres

    def __len__(self) -> int:
        return len(self.metres)

    @property
    def success(self) -> NDArray[np.bool_]:
        """[B] whether the final location is near enough."""
        return self.final_distance <= self.success_metres


def outcomes_of(split: Split, trajectories: Trajectories) -> Outcomes:
    """How these episodes ended."""
    goals, goal_set = split.goal_sets, split.goal_set[trajectories.task]
    visited = np.arange(trajectories.steps + 1) <= trajectories.length[:, None]
    places = np.where(visited, trajectories.location, trajectories.location[:, :1])
    final = trajectories.final
    if split.references is None:
        nearest = goals.nearest_to(goal_set, final)
    else:
        nearest = split.references.end[trajectories.task]
    start = trajectories.location[:, 0]
    shortest = split.atlas.distances(start, np.where(nearest >= 0, nearest, start))
    return Outcomes(
        task=trajectories.task,
        building=np.array(split.atlas.world_names)[goals.world[goal_set]],
        final_distance=goals.distance_from(goal_set, final).astype(np.float64),
        closest_distance=goals.distance_from(goal_set[:, None], places).min(axis=1).astype(np.float64),
        shortest=shortest.astype(np.float64),
        metres=trajectories.metres,
        steps=trajectories.length,
        requests=trajectories.asked.sum(axis=1),
        success_metres=split.kind.success_metres,
    )
