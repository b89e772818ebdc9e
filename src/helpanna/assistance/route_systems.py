"""Route systems: routes for buildings where nobody has described any, worded by narrators.

Either random shortest paths like Room-to-Room's, as many as make help as common as there, or the paths of
Lemma 1, which join any two locations by few routes.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from helpanna.assistance.construction import construct_paths
from helpanna.errors import InputError
from helpanna.narration.narrators import Writer
from helpanna.narration.surroundings import surroundings_of
from helpanna.randomness import choices, generator
from helpanna.tasks.dataset import make_split, split_worlds
from helpanna.tasks.routes import EPS_ATTN, Routes, join_routes
from helpanna.tasks.split import Split
from helpanna.tasks.words import words
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.geometry import HEADINGS

RouteSystem = Literal["random", "lemma"]

COVERAGE = 0.77
"""The share of a building's locations from which some route of Room-to-Room can be entered, on average."""
EDGES = (4, 6)
"""How long Room-to-Room's paths are."""
INSTRUCTIONS = 3
"""How many people describe a path there."""

OnProgress = Callable[[int, int], None]


def make_routes(
    system: RouteSystem, atlas: Atlas, seed: int = 0, on_progress: OnProgress | None = None
) -> Routes:
    """The routes of this system in all buildings of an atlas."""
    if system == "lemma":
        return lemma_routes(atlas, seed, on_progress=on_progress)
    return random_routes(atlas, seed, on_progress=on_progress)


def system_paths(system: RouteSystem, atlas: Atlas, world: int, seed: int = 0) -> list[list[int]]:
    """The paths (location ids) of this system in one building, for people to describe."""
    if system == "lemma":
        return [path.tolist() for path in construct_paths(atlas, world)]
    return _random_paths(atlas, world, seed, COVERAGE, EDGES)


def start_view(atlas: Atlas, path: Sequence[int], seed: int = 0) -> int:
    """Where the camera looks at the start of a path: a level view, drawn for its ends."""
    world = int(atlas.world_of[path[0]])
    first = int(atlas.world_start[world])
    purpose = f"route views in {atlas.world_names[world]}"
    return HEADINGS + int(choices(seed, purpose, HEADINGS, path[0] - first, path[-1] - first)[0])


def random_routes(
    atlas: Atlas,
    seed: int = 0,
    coverage: float = COVERAGE,
    edges: tuple[int, int] = EDGES,
    instructions: int = INSTRUCTIONS,
    on_progress: OnProgress | None = None,
) -> Routes:
    """Distinct random shortest paths all over each building, with instructions.

    Args:
        atlas: the buildings.
        seed: addresses all draws.
        coverage: routes are added until this share of the building's locations is in a zone of attention.
        edges: the fewest and most edges of a path; in a building too small for them, the most it has.
        instructions: how many narrators describe a path.
        on_progress: called with the number of buildings done and of all.
    """
    if not 0 <= coverage <= 1 or not 1 <= edges[0] <= edges[1]:
        raise InputError(
            f"routes of {edges[0]} to {edges[1]} edges for {coverage:.0%} cannot be; choose others."
        )
    paths = (_random_paths(atlas, world, seed, coverage, edges) for world in range(atlas.world_count))
    return _worded(atlas, paths, seed, instructions, on_progress)


def lemma_routes(
    atlas: Atlas,
    seed: int = 0,
    instructions: int = INSTRUCTIONS,
    on_progress: OnProgress | None = None,
) -> Routes:
    """The paths of Lemma 1 in each building, with instructions by several narrators."""
    paths = (system_paths("lemma", atlas, world) for world in range(atlas.world_count))
    return _worded(atlas, paths, seed, instructions, on_progress)


def add_narrated(splits: Mapping[str, Split], count: int, seed: int = 0) -> dict[str, Split]:
    """The splits, with more routes in each building of train, described by narrators.

    The other splits stay as they are. What one of them hears in a building is not said in training there.
    """
    train = splits["train"]
    atlas = train.atlas
    buildings = {atlas.world_id(name) for name in split_worlds(train)}
    known = {tuple(path[path >= 0].tolist()) for path in train.routes.path}
    paths = (
        _more_paths(atlas, world, seed, count, known) if world in buildings else []
        for world in range(atlas.world_count)
    )
    told = _worded(atlas, paths, seed, INSTRUCTIONS, None)
    heard = {text for name, split in splits.items() if name != "train" for text in _texts(split)}
    kept = [i for i, text in enumerate(_texts(replace(train, routes=told))) if text not in heard]
    told = told.select(np.array(kept, dtype=np.int64))
    told = replace(told, names=tuple(f"narrated-{name}" for name in told.names))
    routes = join_routes(atlas, train.routes, told)
    larger = make_split("train", atlas, routes, train.goal_sets, train.goal_set, train.start, train.view)
    return {**splits, "train": larger}


def _texts(split: Split) -> list[tuple[str, str]]:
    """Of each instruction the building and the words."""
    routes = split.routes
    worlds = split.atlas.world_of[routes.start[routes.route_of]]
    return [
        (split.atlas.world_names[world], " ".join(words(text)))
        for world, text in zip(worlds, routes.instructions, strict=True)
    ]


def _more_paths(
    atlas: Atlas, world: int, seed: int, count: int, known: Container[tuple[int, ...]]
) -> list[list[int]]:
    """This many paths between random ends, or as many as there are; none that is known already; sorted."""
    places = np.array(atlas.locations(world))
    fits = _ends(atlas, places, EDGES)
    rng = generator(seed, f"narrated routes in {atlas.world_names[world]}")
    found: list[list[int]] = []
    for pair in rng.permutation(np.flatnonzero(fits)).tolist():
        if len(found) == count:
            break
        start, end = divmod(pair, len(places))
        path = atlas.path(int(places[start]), int(places[end]))
        if tuple(path) not in known:
            found.append(path)
    return sorted(found)


def _ends(atlas: Atlas, places: NDArray[np.int64], edges: tuple[int, int]) -> NDArray[np.bool_]:
    """[n, n] between which of these locations the shortest path has this many edges."""
    hops = np.maximum(atlas.path_locations(places[:, None], places) - 1, 0)
    most = min(edges[1], int(hops.max()))
    return np.asarray((hops >= max(min(edges[0], most), 1)) & (hops <= most))


def _random_paths(
    atlas: Atlas, world: int, seed: int, coverage: float, edges: tuple[int, int]
) -> list[list[int]]:
    """Paths between random ends, until enough locations can enter one; sorted."""
    places = np.array(atlas.locations(world))
    hops = np.maximum(atlas.path_locations(places[:, None], places) - 1, 0)
    fits = _ends(atlas, places, edges)
    near = np.isfinite(atlas.distances(places[:, None], places)) & (hops <= 1)
    near &= atlas.distances(places[:, None], places) <= EPS_ATTN
    rng = generator(seed, f"routes in {atlas.world_names[world]}")
    attended = np.zeros(len(places), dtype=bool)
    found: list[list[int]] = []
    for pair in rng.permutation(np.flatnonzero(fits)).tolist():
        if attended.mean() >= coverage:
            break
        start, end = divmod(pair, len(places))
        attended |= near[start]
        found.append(atlas.path(int(places[start]), int(places[end])))
    return sorted(found)


def _worded(
    atlas: Atlas,
    paths: Iterable[Sequence[Sequence[int]]],
    seed: int,
    instructions: int,
    on_progress: OnProgress | None,
) -> Routes:
    """Routes along the paths of each building, each with a level view at random and instructions."""
    rows: list[Sequence[int]] = []
    views: list[int] = []
    texts: list[list[str]] = []
    for world, found in enumerate(paths):
        first = int(atlas.world_start[world])
        writer = Writer(surroundings_of(atlas, world), seed)
        for path in found:
            local = [place - first for place in path]
            view = start_view(atlas, path, seed)
            rows.append(path)
            views.append(view)
            said = writer.write(tuple(local), view, instructions)
            texts.append(list(dict.fromkeys(instruction.text for instruction in said)))
        if on_progress:
            on_progress(world + 1, atlas.world_count)
    table = np.full((len(rows), max(map(len, rows), default=1)), -1, dtype=np.int32)
    for row, path in zip(table, rows, strict=True):
        row[: len(path)] = path
    return Routes(
        names=tuple(str(number) for number in range(len(rows))),
        path=table,
        view=np.array(views, dtype=np.int32),
        instructions=tuple(text for said in texts for text in said),
        route_of=np.repeat(np.arange(len(rows), dtype=np.int32), [len(said) for said in texts]),
    )
