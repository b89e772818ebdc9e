"""Errands: tasks as their source says them, one text and one path each, and splits made of them.

Room-to-Room and its neighbours name every task in a file; nothing is drawn but which of them are kept.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.randomness import generator
from helpanna.tasks.goals import NO_TYPE, goal_sets_of
from helpanna.tasks.kinds import Kind
from helpanna.tasks.references import NOTHING, References, padded
from helpanna.tasks.routes import Routes
from helpanna.tasks.split import Split
from helpanna.worlds.atlas import Atlas


@dataclass(frozen=True)
class Errand:
    """One task.

    Attributes:
        name: the source's name of it, once in a split.
        text: what is asked.
        view: the camera's view at the start.
        path: location ids from the start on: the path that is described.
        goals: location ids; by default the end of the path.
        thing: the object to point at, -1 for none.
        region: where a longer search ends, location ids.
        object_type: what is sought, where any of its type at the goals will do; -1 for no type.
    """

    name: str
    text: str
    view: int
    path: tuple[int, ...]
    goals: tuple[int, ...] = ()
    thing: int = NOTHING
    region: tuple[int, ...] = ()
    object_type: int = NO_TYPE


@dataclass(frozen=True)
class ErrandSettings:
    """Which errands a dataset keeps, and in which split.

    Attributes:
        seed: addresses all draws.
        exclude: buildings to leave out.
        unseen: the buildings of val_unseen; if none are named, they are drawn.
        unseen_count: how many to draw.
        test_unseen_count: how many others to draw for test_unseen.
        sizes: how many tasks each split may have at most.
    """

    seed: int = 0
    exclude: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    unseen_count: int = 0
    test_unseen_count: int = 0
    sizes: Mapping[str, int] | None = None


def no_routes() -> Routes:
    """For splits in which nobody knows a way."""
    nothing = np.zeros(0, dtype=np.int32)
    return Routes((), np.zeros((0, 1), dtype=np.int32), nothing, (), nothing)


def errand_splits(
    kind: Kind, atlas: Atlas, errands: Mapping[str, Sequence[Errand]], settings: ErrandSettings
) -> dict[str, Split]:
    """The splits by name.

    Args:
        kind: what is asked of agents.
        atlas: the buildings.
        errands: the tasks that the source gives to each split; those in unseen buildings go to val_unseen
            and test_unseen, whatever split the source gives them to.
        settings: what is kept.

    Raises:
        InputError: the settings do not fit the data, or there would be no task.
    """
    used = {int(atlas.world_of[errand.path[0]]) for part in errands.values() for errand in part}
    homes = _unseen_homes(atlas, sorted(used), settings)
    excluded = {_world(atlas, "--exclude", name) for name in settings.exclude}
    dealt: dict[str, list[Errand]] = {}
    for name, part in errands.items():
        for errand in part:
            world = int(atlas.world_of[errand.path[0]])
            if world not in excluded:
                dealt.setdefault(homes.get(world, name), []).append(errand)
    sizes = settings.sizes or {}
    for name in sizes:
        if name not in dealt:
            raise InputError(f"--sizes names {name}, which this dataset does not have; leave it out.")
    kept = {name: _some(part, sizes.get(name), settings.seed, name) for name, part in dealt.items()}
    splits = {name: errand_split(name, kind, atlas, part) for name, part in kept.items() if part}
    if not splits:
        raise InputError("there is no task in the buildings of the atlas; choose other files or buildings.")
    return splits


def errand_split(name: str, kind: Kind, atlas: Atlas, errands: Iterable[Errand]) -> Split:
    """One split with these tasks, ordered by building."""
    ordered = sorted(errands, key=lambda errand: int(atlas.world_of[errand.path[0]]))
    names = [errand.name for errand in ordered]
    if len(set(names)) < len(names):
        twice = next(n for i, n in enumerate(names) if n in names[:i])
        raise InputError(f"the task {twice} is there twice in {name}; keep one of them.")
    goals: dict[tuple[int, tuple[int, ...]], int] = {}
    texts: dict[tuple[int, str], int] = {}
    goal_set, request = [], []
    for errand in ordered:
        wanted = tuple(sorted(set(errand.goals or errand.path[-1:])))
        goal_set.append(goals.setdefault((errand.object_type, wanted), len(goals)))
        request.append(texts.setdefault((int(atlas.world_of[errand.path[0]]), errand.text), len(texts)))
    members = [np.array(wanted, dtype=np.int32) for _, wanted in goals]
    worlds = [int(atlas.world_of[wanted[0]]) for wanted in members]
    return Split(
        name=name,
        atlas=atlas,
        routes=no_routes(),
        goal_sets=goal_sets_of(atlas, worlds, members, [kind for kind, _ in goals]),
        goal_set=np.array(goal_set, dtype=np.int32),
        start=np.array([errand.path[0] for errand in ordered], dtype=np.int32),
        view=np.array([errand.view for errand in ordered], dtype=np.int32),
        texts=tuple(text for _, text in texts),
        kind=kind,
        references=References(
            names=tuple(names),
            request=np.array(request, dtype=np.int32),
            path=padded([errand.path for errand in ordered]),
            thing=np.array([errand.thing for errand in ordered], dtype=np.int32),
            region=padded([errand.region for errand in ordered]),
        ),
    )


def _unseen_homes(atlas: Atlas, worlds: list[int], settings: ErrandSettings) -> dict[int, str]:
    """The unseen buildings, and the split of each."""
    named = {_world(atlas, "--unseen", name) for name in settings.unseen}
    excluded = {atlas.world_id(name) for name in settings.exclude if name in atlas.world_names}
    left = [world for world in worlds if world not in named | excluded]
    drawn = 0 if named else settings.unseen_count
    if not 0 <= drawn + settings.test_unseen_count < max(len(left), 1):
        raise InputError(
            f"{drawn + settings.test_unseen_count} unseen of {len(left)} buildings leave none to train in; "
            "choose less with --unseen-count and --test-unseen-count."
        )
    order: NDArray[np.int64] = generator(settings.seed, "unseen buildings").permutation(np.array(left))
    validation = named or set(order[:drawn].tolist())
    test = set(order[drawn : drawn + settings.test_unseen_count].tolist())
    return dict.fromkeys(validation, "val_unseen") | dict.fromkeys(test, "test_unseen")


def _world(atlas: Atlas, option: str, name: str) -> int:
    if name not in atlas.world_names:
        raise InputError(f"{option} names {name}, which is not in the atlas; check the name.")
    return atlas.world_id(name)


def _some(errands: list[Errand], count: int | None, seed: int, split: str) -> list[Errand]:
    """This many of them, drawn by seed, in their order; or all."""
    if count is None or count >= len(errands):
        return errands
    drawn = generator(seed, f"errands of {split}").permutation(len(errands))[:count]
    return [errands[i] for i in sorted(drawn.tolist())]
