"""Route systems: routes for buildings where nobody has described any, worded by narrators.

Either random shortest paths like Room-to-Room's, as many as make help as common as there, or the paths of
Lemma 1, which join any two locations by few routes.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import numpy as np

from helpanna.assistance.construction import construct_paths
from helpanna.errors import InputError
from helpanna.narration.narrators import Writer
from helpanna.narration.surroundings import Surroundings
from helpanna.randomness import choices, generator
from helpanna.tasks.routes import EPS_ATTN, Routes
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
    """The paths of Lemma 1 in each building, with instructions by so many narrators."""
    paths = ([path.tolist() for path in construct_paths(atlas, world)] for world in range(atlas.world_count))
    return _worded(atlas, paths, seed, instructions, on_progress)


def _random_paths(
    atlas: Atlas, world: int, seed: int, coverage: float, edges: tuple[int, int]
) -> list[list[int]]:
    """Paths between random ends, until enough locations can enter one; sorted."""
    places = np.array(atlas.locations(world))
    hops = np.maximum(atlas.path_locations(places[:, None], places) - 1, 0)
    most = min(edges[1], int(hops.max()))
    fits = (hops >= max(min(edges[0], most), 1)) & (hops <= most)
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
        writer = Writer(Surroundings(atlas.world(world)), seed)
        purpose = f"route views in {atlas.world_names[world]}"
        for path in found:
            local = [place - first for place in path]
            view = HEADINGS + int(choices(seed, purpose, HEADINGS, local[0], local[-1])[0])
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
