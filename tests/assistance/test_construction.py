from collections import deque
from itertools import pairwise
from math import floor, log2

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import atlases

from helpanna.assistance.construction import climbs, construct_paths
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.sample import sample_atlas
from helpanna.worlds.world import World


def powers(atlas, world):
    """floor(log2 d) + 1 for trees of depth d: how many powers of two there are up to the depth."""
    depth = max(len(climb) - 1 for climb in climbs(atlas, world))
    return floor(log2(depth)) + 1 if depth else 0


def routes_needed(paths, start):
    """How many routes lead from `start` to each other location, by breadth-first search."""
    leads = {}
    for path in paths:
        leads.setdefault(int(path[0]), []).append(int(path[-1]))
    needed, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for there in leads.get(here, []):
            if there not in needed:
                needed[there] = needed[here] + 1
                queue.append(there)
    return needed


def check_lemma_1(atlas, world):
    paths, places = construct_paths(atlas, world), atlas.locations(world)
    for path in paths:
        for here, there in pairwise(path):
            assert (atlas.action_location[here, 0, 1:] == there).any()
    ends = [(int(path[0]), int(path[-1])) for path in paths]
    assert len(set(ends)) == len(ends) and {(b, a) for a, b in ends} == set(ends)
    most = powers(atlas, world)
    assert len(paths) <= 2 * len(places) * most
    for start in places:
        needed = routes_needed(paths, start)
        joined = np.isfinite(atlas.distances(start, np.array(places)))
        assert sorted(needed) == np.array(places)[joined].tolist()
        assert max(needed.values()) <= 2 * most


@pytest.mark.slow
@settings(max_examples=60)
@given(atlases(max_locations=14, max_objects=0))
def test_both_bounds_of_lemma_1_hold_in_any_graph(atlas):
    for world in range(atlas.world_count):
        check_lemma_1(atlas, world)


@pytest.mark.parametrize("world", range(3))
def test_both_bounds_of_lemma_1_hold_in_houses(world):
    check_lemma_1(sample_atlas(3), world)


def line(n):
    """n locations in a row: the deepest tree a graph can have."""
    ints, none = np.zeros(n, dtype=np.int32), np.zeros((0, 2), dtype=np.int32)
    return World(
        name="line",
        location_names=tuple(map(str, range(n))),
        positions=np.stack([np.arange(n), ints, ints], axis=1).astype(float),
        eye_heights=np.ones(n),
        floors=ints,
        edges=np.stack([np.arange(n - 1), np.arange(1, n)], axis=1),
        sight_lines=none,
        rooms=(),
        room_of=ints - 1,
        object_names=(),
        object_types=(),
        object_positions=np.zeros((0, 3)),
        object_radii=np.zeros(0),
        delegates=np.zeros(0, dtype=np.int32),
        sightings=none,
        sighting_views=np.zeros(0, dtype=np.uint64),
    )


def test_both_bounds_of_lemma_1_hold_on_a_long_line():
    atlas = build_atlas([line(127)], source="test", licence="test")
    check_lemma_1(atlas, 0)
    # The root is in the middle: 63 locations on either side, so six powers of two.
    assert powers(atlas, 0) == 6
    # Six routes from an end to the root would do, one for each digit of 63 = 111111 in binary; three are
    # enough, since 63 = 32 - 1 + 32: up, one down, up.
    needed = routes_needed(construct_paths(atlas, 0), 0)
    assert (needed[63], needed[126]) == (3, 6)


def test_a_line_of_five_by_hand():
    atlas = build_atlas([line(5)], source="test", licence="test")
    paths = {tuple(path.tolist()) for path in construct_paths(atlas, 0)}
    one_way = {(0, 1), (0, 1, 2), (1, 2), (3, 2), (4, 3), (4, 3, 2)}
    assert paths == one_way | {path[::-1] for path in one_way}
