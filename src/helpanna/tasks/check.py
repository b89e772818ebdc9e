"""Proving what a dataset promises.

No task and no instruction of an evaluation split occurs in training in the same building, and no task in two
evaluation splits; unseen buildings share nothing; every goal can be reached, on a path of the promised
length; every route is a walk.
"""

from collections.abc import Mapping
from itertools import combinations, permutations
from pathlib import Path

import numpy as np

from helpanna.errors import InputError
from helpanna.tasks.dataset import Dataset, check_files, load_dataset, split_counts, split_worlds
from helpanna.tasks.goals import EPS_SUCCESS, NO_TYPE
from helpanna.tasks.kinds import NDH
from helpanna.tasks.references import NOTHING, References
from helpanna.tasks.routes import check_routes
from helpanna.tasks.sampling import PathRange
from helpanna.tasks.split import Split
from helpanna.tasks.words import words
from helpanna.worlds.geometry import HEADINGS

_UNSEEN = ("val_unseen", "test_unseen")


def check_dataset(folder: Path | str) -> Dataset:
    """Proves a dataset: every byte by its SHA-256, every split by itself, and all of them together.

    Raises:
        InputError: naming the first promise that does not hold.
    """
    dataset = load_dataset(folder)
    check_files(dataset)
    splits = {name: dataset.split(name) for name in dataset.names}
    check_splits(splits, dataset.paths)
    for name, split in splits.items():
        if split_counts(split).items() - dataset.manifest["splits"][name].items():
            _break(name, "does not hold what manifest.json counts")
    return dataset


def check_splits(splits: Mapping[str, Split], paths: PathRange) -> None:
    """Proves the promises of splits, as `check_dataset` does."""
    for split in splits.values():
        _check_tasks(split, paths)
        _check_routes(split)
    _check_buildings(splits)
    # Of dialogues a part may be told, and parts may be alike.
    named = {n: split for n, split in splits.items() if split.references and split.kind is not NDH}
    told = {name: _walks(split) for name, split in named.items()}
    for a, b in combinations(told, 2):
        for building, text, *_ in told[a] & told[b]:
            _break(b, f"has the task {text!r} in {building}, and so has {a}")
    tasks = {name: _task_names(split) for name, split in splits.items() if split.references is None}
    for a, b in combinations(tasks, 2):
        for building, kind, start in tasks[a] & tasks[b]:
            _break(b, f"has the task to find {kind} from {start} in {building}, and so has {a}")
    if "train" in splits:
        heard = _texts(splits["train"])
        for name in splits:
            if name != "train":
                for building, text in _texts(splits[name]) & heard:
                    _break(name, f"hears {text!r} in {building}, as training does")


def _check_tasks(split: Split, paths: PathRange) -> None:
    atlas, goal_sets = split.atlas, split.goal_sets
    drawn = split.references is None
    least_type = 0 if drawn else NO_TYPE
    numbers = {
        "goal set": (split.goal_set, 0, len(goal_sets)),
        "start": (split.start, 0, atlas.location_count),
        "level view": (split.view, HEADINGS, 2 * HEADINGS),
        "building": (goal_sets.world, 0, atlas.world_count),
        "object type": (goal_sets.object_type, least_type, len(atlas.type_names)),
    }
    for what, (values, low, high) in numbers.items():
        wrong = (values < low) | (values >= high)
        if wrong.any():
            _break(split.name, f"names the {what} {values[wrong][0]}, which does not exist")
    if not len(split.goal_set) == len(split.start) == len(split.view):
        _break(split.name, "has another number of starts or views than of tasks")
    if drawn:
        wanted = set(zip(goal_sets.world.tolist(), goal_sets.object_type.tolist(), strict=True))
        tasks = set(zip(split.goal_set.tolist(), split.start.tolist(), strict=True))
        if len(wanted) != len(goal_sets) or len(tasks) != len(split):
            _break(split.name, "has a task twice")
    strange = goal_sets.world[split.goal_set] != atlas.world_of[split.start]
    if strange.any():
        _break(split.name, f"starts task {strange.argmax()} in another building than its goals")
    distance = goal_sets.distance_from(split.goal_set, split.start)
    if not np.isfinite(distance).all():
        _break(split.name, f"has task {np.isinf(distance).argmax()}, whose goals cannot be reached")
    if split.references is not None:
        _check_references(split, split.references)
        return
    if (distance <= EPS_SUCCESS).any():
        _break(split.name, f"has task {(distance <= EPS_SUCCESS).argmax()}, which starts at a goal")
    goal = goal_sets.nearest_to(split.goal_set, split.start)
    count = atlas.path_locations(split.start, goal)
    outside = (count < paths.shortest) | (count > paths.longest)
    if outside.any():
        promise = f"not {paths.shortest} to {paths.longest} locations on its path"
        _break(split.name, f"has task {outside.argmax()} with {promise}")


def _check_references(split: Split, references: References) -> None:
    """What the source says of each task is about this task."""
    if not len(references) == len(references.request) == len(references.path) == len(split):
        _break(split.name, "has another number of names, requests or paths than of tasks")
    if len(set(references.names)) < len(references):
        _break(split.name, "has a task twice")
    wrong = (references.request < 0) | (references.request >= split.request_count)
    if wrong.any():
        _break(split.name, f"has task {wrong.argmax()}, whose request does not exist")
    if not all(words(text) for text in split.texts):
        _break(split.name, "has a request without words")
    wrong = (references.path[:, 0] != split.start) | (references.path >= split.atlas.location_count).any(
        axis=1
    )
    wrong |= ((references.path[:, 1:] >= 0) & (references.path[:, :-1] < 0)).any(axis=1)
    if wrong.any():
        _break(split.name, f"has task {wrong.argmax()}, whose path does not begin where the task does")
    world = split.atlas.world_of[split.start]
    first, last = split.atlas.object_start[world], split.atlas.object_start[world + 1]
    things = references.thing
    wrong = (things != NOTHING) & ((things < first) | (things >= last))
    if len(things) != len(split) or wrong.any():
        _break(split.name, f"has task {wrong.argmax()}, whose object is not in its building")
    region = np.where(references.region >= 0, references.region, split.start[:, None])
    exists = region < split.atlas.location_count
    there = exists & (split.atlas.world_of[np.where(exists, region, 0)] == world[:, None])
    wrong = ~np.all(there, axis=1)
    if wrong.any():
        _break(split.name, f"has task {wrong.argmax()}, whose search ends in another building")
    here, there = references.path[:, :-1], references.path[:, 1:]
    joined = (split.atlas.action_location[np.maximum(here, 0), 0] == there[:, :, None]).any(axis=-1)
    wrong = ((there >= 0) & ~joined).any(axis=1)
    if wrong.any():
        _break(split.name, f"has task {wrong.argmax()}, whose path is no walk")


def _check_routes(split: Split) -> None:
    routes = split.routes
    if not len(routes) == len(routes.path) == len(routes.view):
        _break(split.name, "has another number of paths or views than of routes")
    try:
        check_routes(split.atlas, routes)
    except InputError as error:
        raise InputError(f"the split {split.name}: {error}") from None
    if (np.diff(split.atlas.world_of[routes.start]) < 0).any():
        _break(split.name, "has routes that are not ordered by building")
    if len(routes.route_of) != len(routes.instructions) or (np.diff(routes.route_of) < 0).any():
        _break(split.name, "has instructions that are not ordered by route")
    if not np.array_equal(np.unique(routes.route_of), np.arange(len(routes))):
        _break(split.name, "has a route without instruction, or an instruction without route")
    if not all(words(text) for text in routes.instructions):
        _break(split.name, "has an instruction without words")


def _check_buildings(splits: Mapping[str, Split]) -> None:
    """Unseen buildings are in one split only; seen ones are trained in."""
    worlds = {name: set(split_worlds(split)) for name, split in splits.items()}
    for name, other in permutations(worlds, 2):
        if name in _UNSEEN and (shared := worlds[name] & worlds[other]):
            _break(name, f"has the building {min(shared)}, and so has {other}")
    for name in ("val_seen", "test_seen"):
        if {name, "train"} <= worlds.keys() and (strange := worlds[name] - worlds["train"]):
            _break(name, f"has the building {min(strange)}, where nobody is trained")


def _task_names(split: Split) -> set[tuple[str, str, str]]:
    """Tasks by name, for splits of different atlases: building, object type, start."""
    atlas, goal_sets = split.atlas, split.goal_sets
    buildings = [atlas.world_names[world] for world in goal_sets.world]
    kinds = [atlas.type_names[kind] for kind in goal_sets.object_type]
    return {
        (buildings[g], kinds[g], atlas.location_names[start])
        for g, start in zip(split.goal_set.tolist(), split.start.tolist(), strict=True)
    }


def _walks(split: Split) -> set[tuple[str, ...]]:
    """Tasks whose source names them: building, text, and the locations of the path."""
    assert split.references is not None  # noqa: S101  # the caller has looked
    atlas = split.atlas
    return {
        (
            atlas.world_names[atlas.world_of[path[0]]],
            split.texts[request],
            *(atlas.location_names[v] for v in path if v >= 0),
        )
        for path, request in zip(split.references.path, split.references.request, strict=True)
    }


def _texts(split: Split) -> set[tuple[str, str]]:
    """What is said in which building, letter case and punctuation aside."""
    worlds = split.atlas.world_of[split.routes.start[split.routes.route_of]]
    return {
        (split.atlas.world_names[world], " ".join(words(text)))
        for world, text in zip(worlds, split.routes.instructions, strict=True)
    }


def _break(split: str, what: str) -> None:
    raise InputError(f"the split {split} {what}; build the dataset again.")
