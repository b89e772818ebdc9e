"""Room-to-Room as tasks: to follow an instruction to its end; and Room-for-Room, two of them joined."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from helpanna.errors import InputError
from helpanna.randomness import generator
from helpanna.tasks.dataset import SPLITS
from helpanna.tasks.errands import Errand
from helpanna.tasks.room_to_room import Description, walk_of
from helpanna.tasks.routes import Routes
from helpanna.worlds.atlas import Atlas

JOINED_WITHIN = 3.0
"""Metres: how far from the end of a path another may begin that is joined to it (Jain et al. 2019)."""

_VAL_SEEN = 0.1
"""The share of paths that validate in seen buildings, where nobody else has divided them."""


def split_of_file(file: Path) -> str:
    """The split that a file such as R2R_val_seen.json is about, by its name."""
    for split in SPLITS:
        if split in file.stem.lower():
            return split
    raise InputError(
        f"{file.name} does not say its split; name the file like R2R_train.json or val_seen.json."
    )


def follow_errands(atlas: Atlas, descriptions: Iterable[Description]) -> list[Errand]:
    """One task for each instruction; records of other buildings are passed over."""
    known = set(atlas.world_names)
    return [
        Errand(f"{record.path_id}_{k}", text, record.view, path)
        for record in descriptions
        if record.scan in known
        for path in [walk_of(atlas, record)]
        for k, text in zip(record.numbers, record.instructions, strict=True)
    ]


def route_errands(routes: Routes, seed: int) -> dict[str, list[Errand]]:
    """Routes that narrators described as tasks: a tenth of the paths, drawn by seed, are val_seen's."""
    drawn = generator(seed, "validation paths").permutation(len(routes))
    validation = set(drawn[: round(_VAL_SEEN * len(routes))].tolist())
    errands: dict[str, list[Errand]] = {"train": [], "val_seen": []}
    starts = routes.instruction_start
    for r, path in enumerate(routes.path):
        places = tuple(path[path >= 0].tolist())
        for k, text in enumerate(routes.instructions[starts[r] : starts[r + 1]]):
            errand = Errand(f"{r}_{k}", text, int(routes.view[r]), places)
            errands["val_seen" if r in validation else "train"].append(errand)
    return errands


def joined_errands(atlas: Atlas, errands: Sequence[Errand]) -> list[Errand]:
    """Room-for-Room: every two paths of which the second begins within 3 m of the first one's end.

    They are joined by the shortest way, and every instruction of the first by every one of the second. A task
    is called "FIRST-SECOND_K".
    """
    paths: dict[tuple[str, tuple[int, ...], int], list[str]] = defaultdict(list)
    for errand in errands:
        paths[errand.name.rpartition("_")[0], errand.path, errand.view].append(errand.text)
    by_world: dict[int, list[tuple[str, tuple[int, ...], int]]] = defaultdict(list)
    for key in paths:
        by_world[int(atlas.world_of[key[1][0]])].append(key)
    joined = []
    for keys in by_world.values():
        starts = [key[1][0] for key in keys]
        for first in keys:
            near = atlas.distances(first[1][-1], starts) < JOINED_WITHIN
            for second in (key for key, fits in zip(keys, near, strict=True) if fits and key is not first):
                between = atlas.path(first[1][-1], second[1][0])
                path = (*first[1][:-1], *between, *second[1][1:])
                texts = [f"{a} {b}" for a in paths[first] for b in paths[second]]
                name = f"{first[0]}-{second[0]}"
                joined += [Errand(f"{name}_{k}", text, first[2], path) for k, text in enumerate(texts)]
    return joined
