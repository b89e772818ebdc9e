"""Goals: for every thing one may be sent to find, where it is and how far away.

A goal set is what "find a mug" means in one building: the delegate locations of all its mugs (V_goal in the
paper). Distances from every location of the building to the nearest goal are made once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.tasks.kinds import HANNA
from helpanna.worlds.atlas import Atlas

Index = int | NDArray[np.integer[Any]]

EPS_SUCCESS = HANNA.success_metres
"""Metres: an agent succeeds if its last step leaves it no further from a goal, whether it stopped or not."""

NO_TYPE = -1


@dataclass(frozen=True, eq=False)
class GoalSets:
    """G goal sets in the buildings of an atlas.

    Attributes:
        world: [G] the building.
        object_type: [G] what is sought, an index into `atlas.type_names`; -1 where it is no type of object.
        members: for each set its goal locations, ascending.
        block: [G] such that what is known of (set g, location v) stands at `block[g] + v`.
        distance: metres from each location to the nearest goal, infinite if none can be reached.
        nearest: the nearest goal, -1 if none can be reached.
    """

    world: NDArray[np.int32]
    object_type: NDArray[np.int32]
    members: tuple[NDArray[np.int32], ...]
    block: NDArray[np.int64]
    distance: NDArray[np.float32]
    nearest: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.world)

    def distance_from(self, goal_set: Index, location: Index) -> NDArray[np.float32]:
        """Metres to the nearest goal, for pairs of goal set and location in its building."""
        return self.distance[self.block[goal_set] + location]

    def nearest_to(self, goal_set: Index, location: Index) -> NDArray[np.int32]:
        """The goal nearest to the location; the lowest id among equals."""
        return self.nearest[self.block[goal_set] + location]


def build_goal_sets(atlas: Atlas, wanted: Iterable[tuple[int, int]]) -> GoalSets:
    """The goal sets of these (world, object type) pairs, in this order."""
    pairs = list(wanted)
    starts = atlas.object_start
    members = []
    for world, object_type in pairs:
        objects = slice(starts[world], starts[world + 1])
        members.append(np.unique(atlas.delegate[objects][atlas.object_type[objects] == object_type]))
    worlds = [world for world, _ in pairs]
    return goal_sets_of(atlas, worlds, members, [object_type for _, object_type in pairs])


def goal_sets_of(
    atlas: Atlas,
    worlds: Sequence[int],
    members: Sequence[NDArray[np.int32]],
    types: Sequence[int] | None = None,
) -> GoalSets:
    """Goal sets with these locations, each in one building.

    Args:
        atlas: the buildings.
        worlds: the building of each set.
        members: the goal locations of each, ascending.
        types: the type of object that each is about; by default none is.
    """
    distances, nearests = [], []
    for world, goals in zip(worlds, members, strict=True):
        from_all = atlas.distances(np.array(atlas.locations(world))[:, None], goals)  # [n, goals]
        closest = from_all.argmin(axis=1)
        distance = from_all[np.arange(len(from_all)), closest]
        distances.append(distance)
        nearests.append(np.where(np.isfinite(distance), goals[closest], -1))
    buildings = np.array(worlds, dtype=np.int32)
    sizes = np.array([len(distance) for distance in distances], dtype=np.int64)
    return GoalSets(
        world=buildings,
        object_type=np.array([NO_TYPE] * len(worlds) if types is None else types, dtype=np.int32),
        members=tuple(members),
        block=np.cumsum(sizes) - sizes - atlas.world_start[buildings],
        distance=_joined(distances, np.float32),
        nearest=_joined(nearests, np.int32),
    )


def _joined(parts: Sequence[NDArray[Any]], dtype: type) -> NDArray[Any]:
    return np.concatenate([*parts, np.zeros(0)]).astype(dtype)


def request_text(object_type: str) -> str:
    """What the requester says: "find a mug", "find an armchair", "find the stairs"."""
    plural = object_type.endswith("s") and not object_type.endswith(("ss", "us"))
    article = "the" if plural else "an" if object_type[0] in "aeiou" else "a"
    return f"find {article} {object_type}"
