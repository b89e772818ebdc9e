"""Building a dataset: buildings are dealt out to the splits, then their instructions, then tasks in them.

Train, val_seen and test_seen share the seen buildings, val_unseen has buildings of its own, and test_unseen
has a whole atlas of its own. In seen buildings evaluation hears one instruction of every path and training
the others; val_seen and test_seen hear the same, as in the paper. In unseen buildings all are heard.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.randomness import choices, generator
from helpanna.tasks.dataset import make_split
from helpanna.tasks.goals import build_goal_sets
from helpanna.tasks.routes import Routes
from helpanna.tasks.sampling import PathRange, Pool, draw_tasks, possible_tasks
from helpanna.tasks.split import Split
from helpanna.tasks.words import words
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.geometry import HEADINGS

PAPER_SIZES = {
    "train": 82_484,
    "val_seen": 5_001,
    "val_unseen": 5_017,
    "test_seen": 5_004,
    "test_unseen": 5_012,
}
"""Tasks of the paper's splits."""

_DRAWS = 20_000

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class BuildSettings:
    """What a dataset follows from, besides its buildings, routes and object types.

    Attributes:
        seed: addresses all draws.
        exclude: buildings to leave out.
        unseen: the buildings of val_unseen; if none are named, they are drawn.
        unseen_count: how many to draw.
        unseen_instructions: draw buildings with exactly this number of instructions in all.
        test_unseen_count: how many others to draw for test_unseen, where no second atlas has them.
        sizes: how many tasks each split shall have; those not named are as in the paper.
        eval_only: all buildings are this one evaluation split.
        paths: how long the tasks' shortest paths may be.
    """

    seed: int = 0
    exclude: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    unseen_count: int = 7
    unseen_instructions: int | None = None
    test_unseen_count: int = 0
    sizes: Mapping[str, int] = field(default_factory=dict)
    eval_only: str | None = None
    paths: PathRange = field(default_factory=PathRange)

    def size(self, split: str) -> int:
        """How many tasks the split shall have."""
        return {**PAPER_SIZES, **self.sizes}[split]


@dataclass(frozen=True, eq=False)
class _Share:
    """What one or more splits draw their tasks from: buildings, and the instructions each split hears."""

    atlas: Atlas
    routes: Routes
    worlds: tuple[int, ...]
    instructions: Mapping[str, Ints]


def build_splits(
    homes: Sequence[tuple[Atlas, Routes]], types: Sequence[str] | None, settings: BuildSettings
) -> dict[str, Split]:
    """The splits, by name.

    Args:
        homes: an atlas with its routes, and perhaps a second one for test_unseen.
        types: the object types that may be sought; by default all of the atlas.
        settings: what else the splits follow from.

    Raises:
        InputError: the settings do not fit the data, or a split would have no tasks.
    """
    _check(homes, settings)
    shares = _shares(homes, settings)
    for name in settings.sizes:
        if settings.size(name) and not any(name in share.instructions for share in shares):
            raise InputError(f"--sizes names {name}, which this dataset does not have; leave it out.")
    splits: dict[str, Split] = {}
    for share in shares:
        wanted = set(share.atlas.type_names if types is None else types)
        ids = {i for i, name in enumerate(share.atlas.type_names) if name in wanted}
        pool = possible_tasks(share.atlas, share.worlds, ids, settings.paths)
        sizes = {name: settings.size(name) for name in share.instructions if settings.size(name)}
        for name, drawn in draw_tasks(pool, sizes, settings.seed).items():
            for what, there in (("tasks", drawn), ("instructions", share.instructions[name])):
                if not len(there):
                    raise InputError(
                        f"there are no {what} for {name} in its {len(share.worlds)} buildings; "
                        f"choose other buildings, routes or object types, or add --sizes {name} 0."
                    )
            routes = share.routes.select(share.instructions[name])
            splits[name] = _split(name, share.atlas, routes, pool, drawn, settings.seed)
    if not splits:
        raise InputError("--sizes leaves every split without tasks; give one a number.")
    return splits


def divide_instructions(atlas: Atlas, routes: Routes, seed: int) -> tuple[Ints, Ints]:
    """Divides instructions between training and evaluation: one of each path, drawn by seed, evaluates.

    What evaluation hears is said nowhere else in the building; a path none of whose instructions is like
    that, or that has only one, is left to training.
    """
    world = atlas.world_of[routes.start[routes.route_of]]
    said = [(int(w), " ".join(words(text))) for w, text in zip(world, routes.instructions, strict=True)]
    times = Counter(said)
    once = np.array([times[key] == 1 for key in said], dtype=bool)
    once &= np.diff(routes.instruction_start)[routes.route_of] > 1
    candidates = np.flatnonzero(once)
    route, first, count = np.unique(routes.route_of[candidates], return_index=True, return_counts=True)
    evaluates = np.zeros(len(said), dtype=bool)
    evaluates[candidates[first + choices(seed, "evaluation instruction", count, route)]] = True
    return np.flatnonzero(~evaluates), np.flatnonzero(evaluates)


def _check(homes: Sequence[tuple[Atlas, Routes]], settings: BuildSettings) -> None:
    names = [name for atlas, _ in homes for name in atlas.world_names if name not in settings.exclude]
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(
            f"the building {twice[0]} is in both atlases, and would not be unseen; --exclude it or keep one."
        )
    known = {name for atlas, _ in homes for name in atlas.world_names}
    for option, given in (("--exclude", settings.exclude), ("--unseen", settings.unseen)):
        for name in given:
            if name not in known:
                raise InputError(f"{option} names {name}, which is not in the atlas; check the name.")
    for name, size in settings.sizes.items():
        if name not in PAPER_SIZES or size < 0:
            raise InputError(
                f"--sizes has {name} {size}; name splits ({', '.join(PAPER_SIZES)}) and numbers."
            )
    if not 1 <= settings.paths.shortest <= settings.paths.longest:
        raise InputError(
            f"paths of {settings.paths.shortest} to {settings.paths.longest} locations do not exist; "
            "choose another range."
        )
    if settings.eval_only and (len(homes) > 1 or settings.unseen):
        raise InputError("--eval-only makes one split of one atlas; give one to --worlds, and no --unseen.")
    if settings.test_unseen_count and len(homes) > 1:
        raise InputError("--test-unseen-count and a second atlas both make test_unseen; give one of them.")


def _shares(homes: Sequence[tuple[Atlas, Routes]], settings: BuildSettings) -> list[_Share]:
    """Deals out buildings and instructions."""
    atlas, routes = homes[0]
    worlds = _worlds_with_routes(atlas, routes, settings)
    if settings.eval_only:
        return [_whole(atlas, routes, worlds, settings.eval_only)]
    unseen = _unseen_worlds(atlas, routes, worlds, settings)
    tested = _test_unseen_worlds(tuple(world for world in worlds if world not in unseen), settings)
    seen = tuple(world for world in worlds if world not in (*unseen, *tested))
    if not seen:
        raise InputError("all buildings are unseen, none is left to train in; choose fewer with --unseen.")
    here = np.isin(atlas.world_of[routes.start[routes.route_of]], seen)
    training, evaluation = (part[here[part]] for part in divide_instructions(atlas, routes, settings.seed))
    heard = {"train": training, "val_seen": evaluation, "test_seen": evaluation}
    shares = [_Share(atlas, routes, seen, heard)]
    if unseen:
        shares.append(_whole(atlas, routes, unseen, "val_unseen"))
    if tested:
        shares.append(_whole(atlas, routes, tested, "test_unseen"))
    for other, other_routes in homes[1:]:
        others = _worlds_with_routes(other, other_routes, settings)
        shares.append(_whole(other, other_routes, others, "test_unseen"))
    return shares


def _whole(atlas: Atlas, routes: Routes, worlds: tuple[int, ...], name: str) -> _Share:
    """All instructions of some buildings for one split."""
    here = np.isin(atlas.world_of[routes.start[routes.route_of]], worlds)
    return _Share(atlas, routes, worlds, {name: np.flatnonzero(here)})


def _worlds_with_routes(atlas: Atlas, routes: Routes, settings: BuildSettings) -> tuple[int, ...]:
    """The buildings that can be used: where somebody can be asked, and that are not excluded."""
    worlds = np.unique(atlas.world_of[routes.start]).tolist()
    kept = tuple(world for world in worlds if atlas.world_names[world] not in settings.exclude)
    if not kept:
        raise InputError(
            f"no building of {atlas.source!r} has routes; give its Room-to-Room file to --routes."
        )
    return kept


def _unseen_worlds(
    atlas: Atlas, routes: Routes, worlds: tuple[int, ...], settings: BuildSettings
) -> tuple[int, ...]:
    """The buildings of val_unseen: those named, or drawn by seed."""
    if settings.unseen:
        named = tuple(sorted({atlas.world_id(name) for name in settings.unseen}))
        for world in named:
            if world not in worlds:
                raise InputError(
                    f"--unseen names {atlas.world_names[world]}, which is excluded or has no routes."
                )
        return named
    count, wanted = settings.unseen_count, settings.unseen_instructions
    if not 0 <= count < len(worlds):
        raise InputError(
            f"--unseen-count {count} of {len(worlds)} buildings leaves none to train in; choose less."
        )
    said = np.bincount(atlas.world_of[routes.start[routes.route_of]], minlength=atlas.world_count)
    rng = generator(settings.seed, "unseen buildings")
    for _ in range(_DRAWS):
        drawn = np.sort(rng.choice(worlds, size=count, replace=False))
        if wanted is None or said[drawn].sum() == wanted:
            return tuple(drawn.tolist())
    raise InputError(
        f"no {count} buildings with {wanted} instructions were found; change --unseen-instructions or --seed."
    )


def _test_unseen_worlds(worlds: tuple[int, ...], settings: BuildSettings) -> tuple[int, ...]:
    """The buildings of test_unseen, drawn by seed from those that are left."""
    count = settings.test_unseen_count
    if not 0 <= count < max(len(worlds), 1):
        raise InputError(
            f"--test-unseen-count {count} of {len(worlds)} buildings leaves none to train in; choose less."
        )
    drawn = generator(settings.seed, "test unseen buildings").choice(worlds, size=count, replace=False)
    return tuple(np.sort(drawn).tolist())


def _split(name: str, atlas: Atlas, routes: Routes, pool: Pool, drawn: Ints, seed: int) -> Split:
    """The drawn tasks with the goal sets that they need, and a level view to start with."""
    used, goal_set = np.unique(pool.goal_set[drawn], return_inverse=True)
    worlds, kinds = pool.goal_sets.world[used], pool.goal_sets.object_type[used]
    goal_sets = build_goal_sets(atlas, zip(worlds.tolist(), kinds.tolist(), strict=True))
    start = pool.start[drawn].astype(np.int32)
    view = HEADINGS + choices(seed, "start view", HEADINGS, kinds[goal_set], start)
    return make_split(name, atlas, routes, goal_sets, goal_set.astype(np.int32), start, view.astype(np.int32))
