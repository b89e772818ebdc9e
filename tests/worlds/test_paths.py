"""Shortest paths: a metric, equal to a plain implementation, and next hops that walk them."""

import math

import numpy as np
import pytest
from hypothesis import given
from strategies import worlds

from helpanna.worlds.paths import NO_HOP, shortest_paths
from helpanna.worlds.world import World

TOLERANCE = 1e-9


def floyd_warshall(world):
    """All-pairs distances by the textbook, in lists."""
    n = world.location_count
    d = [[0.0 if i == j else math.inf for j in range(n)] for i in range(n)]
    for i, j in world.edges.tolist():
        d[i][j] = d[j][i] = math.dist(world.positions[i], world.positions[j])
    for k in range(n):
        for i in range(n):
            for j in range(n):
                d[i][j] = min(d[i][j], d[i][k] + d[k][j])
    return np.array(d)


@pytest.mark.slow
@given(worlds())
def test_distances_are_a_metric(world):
    d, _ = shortest_paths(world)
    assert np.array_equal(d, d.T)
    assert np.array_equal(d == 0, np.eye(len(d), dtype=bool))
    assert (d >= 0).all()
    through = (d[:, :, None] + d[None, :, :]).min(axis=1)  # the best way by any third location
    assert (d <= through + TOLERANCE).all()


@pytest.mark.slow
@given(worlds(max_locations=12))
def test_distances_agree_with_floyd_warshall(world):
    d, _ = shortest_paths(world)
    assert d == pytest.approx(floyd_warshall(world), abs=TOLERANCE)


@pytest.mark.slow
@given(worlds())
def test_distances_are_never_shorter_than_the_straight_line(world):
    d, _ = shortest_paths(world)
    straight = np.linalg.norm(world.positions[:, None] - world.positions[None], axis=-1)
    assert (d >= straight - TOLERANCE).all()


@pytest.mark.slow
@given(worlds(max_locations=12))
def test_next_hops_walk_shortest_paths_and_arrive(world):
    d, hop = shortest_paths(world)
    joined = {frozenset(edge) for edge in world.edges.tolist()}
    for start in range(world.location_count):
        for end in range(world.location_count):
            if start == end or math.isinf(d[start, end]):
                assert hop[start, end] == NO_HOP
                continue
            walked, at, steps = 0.0, start, 0
            while at != end:
                following = int(hop[at, end])
                assert frozenset((at, following)) in joined
                walked += math.dist(world.positions[at], world.positions[following])
                at, steps = following, steps + 1
                assert steps < world.location_count
            assert walked == pytest.approx(d[start, end], abs=TOLERANCE)


@pytest.mark.slow
@given(worlds())
def test_parts_that_are_not_connected_are_infinitely_far(world):
    part = list(range(world.location_count))
    for _ in part:
        for i, j in world.edges.tolist():
            part[i] = part[j] = min(part[i], part[j])
    d, _ = shortest_paths(world)
    assert np.array_equal(np.isfinite(d), np.equal.outer(part, part))


def test_a_detour_by_short_edges_beats_a_long_one():
    """A square with its diagonal missing, and one long way round: known distances."""
    world = square_with_island()
    d, hop = shortest_paths(world)
    assert d[0].tolist() == [0, 3, 7, 4, math.inf]
    assert d[1, 3] == 5
    assert hop[0].tolist() == [NO_HOP, 1, int(hop[0, 2]), 3, NO_HOP]
    assert int(hop[0, 2]) in (1, 3)
    assert hop[4].tolist() == [NO_HOP] * 5


def square_with_island():
    """The corners of a 3 x 4 rectangle joined around and across one diagonal, and a location on its own."""
    n = 5
    return World(
        name="square",
        location_names=tuple("abcde"),
        positions=np.array([[0.0, 0, 0], [3, 0, 0], [3, 4, 0], [0, 4, 0], [9, 9, 0]]),
        eye_heights=np.ones(n),
        floors=np.zeros(n),
        edges=np.array([[0, 1], [0, 3], [1, 2], [1, 3], [2, 3]]),
        sight_lines=np.empty((0, 2)),
        rooms=(),
        room_of=np.full(n, -1),
        object_names=(),
        object_types=(),
        object_positions=np.empty((0, 3)),
        object_radii=np.empty(0),
        delegates=np.empty(0),
        sightings=np.empty((0, 2)),
        sighting_views=np.empty(0),
    )
