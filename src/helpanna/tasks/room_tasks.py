"""VNLA's tasks: "find a pillow in the bedroom", in any atlas with objects and rooms."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.randomness import choices
from helpanna.tasks.errands import Errand
from helpanna.tasks.goals import EPS_SUCCESS, goal_sets_of, request_text
from helpanna.tasks.sampling import PathRange, Pool, draw_tasks
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.geometry import HEADINGS
from helpanna.worlds.room_kinds import room_kinds

SIZES = {"train": 10_000, "val_seen": 1_000}
"""How many tasks are drawn, where the buildings have that many."""


def room_kinds_of_locations(atlas: Atlas) -> NDArray[np.object_]:
    """[N] what the room of each location is for; empty where that is not known."""
    kinds = [kind for world in range(atlas.world_count) for kind in room_kinds(atlas.world(world))]
    return np.array([*kinds, ""], dtype=object)[atlas.room_of]  # no room is -1, the last


def room_errands(
    atlas: Atlas, seed: int, paths: PathRange, sizes: Mapping[str, int] = SIZES
) -> dict[str, list[Errand]]:
    """Tasks drawn by seed: the buildings take turns, and no task is in both splits.

    Args:
        atlas: the buildings; what their rooms are for may follow from what stands in them.
        seed: addresses all draws.
        paths: how many locations the shortest path to the nearest goal may have.
        sizes: how many tasks each split shall have.

    Raises:
        InputError: no object is in a room of a known kind.
    """
    kinds = room_kinds_of_locations(atlas)
    found: dict[tuple[int, str, str], list[int]] = {}
    for delegate, object_type in zip(atlas.delegate.tolist(), atlas.object_type.tolist(), strict=True):
        if kinds[delegate]:
            key = int(atlas.world_of[delegate]), atlas.type_names[object_type], kinds[delegate]
            found.setdefault(key, []).append(delegate)
    if not found:
        raise InputError("no object of the atlas is in a room of a known kind; VNLA's tasks need both.")
    wanted = sorted(found)
    type_number = {name: number for number, name in enumerate(atlas.type_names)}
    members = [np.unique(found[key]).astype(np.int32) for key in wanted]
    # The type is the number of the set, so that draws tell sets of one building apart.
    sets = goal_sets_of(atlas, [world for world, _, _ in wanted], members, range(len(wanted)))
    goal_set = np.repeat(np.arange(len(sets)), np.diff(atlas.world_start)[sets.world])
    start = np.concatenate([np.array(atlas.locations(world)) for world in sets.world])
    goal = sets.nearest_to(goal_set, start)
    far = sets.distance_from(goal_set, start)
    count = atlas.path_locations(start, np.where(goal >= 0, goal, start))
    fits = np.isfinite(far) & (far > EPS_SUCCESS) & (count >= paths.shortest) & (count <= paths.longest)
    pool = Pool(sets, goal_set[fits], start[fits])
    errands: dict[str, list[Errand]] = {}
    for split, drawn in draw_tasks(pool, sizes, seed).items():
        view = HEADINGS + choices(seed, "start view", HEADINGS, pool.goal_set[drawn], pool.start[drawn])
        errands[split] = []
        for task, look in zip(drawn.tolist(), view.tolist(), strict=True):
            number, place = int(pool.goal_set[task]), int(pool.start[task])
            _, object_type, room = wanted[number]
            path = atlas.path(place, int(sets.nearest_to(number, place)))
            text = f"{request_text(object_type)} in the {room}"
            goals = tuple(members[number].tolist())
            kind = type_number[object_type]
            errands[split].append(
                Errand(f"{number}_{place}", text, look, tuple(path), goals, object_type=kind)
            )
    return errands
