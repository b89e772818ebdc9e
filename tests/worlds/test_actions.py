"""Action tables against the same thing written as plain loops."""

import math
from dataclasses import replace
from functools import cmp_to_key
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from relabelling import relabelled
from strategies import worlds
from tiny import tiny_world

from helpanna.worlds.actions import NO_ACTION, action_tables, neighbours
from helpanna.worlds.geometry import HEADINGS, STOP_SLOT, VIEWS

# Two angles are the same when their cosines agree to about 9 decimals.
SAME = 2e-9


def centre(view):
    heading, elevation = math.radians(view % 12 * 30), math.radians((view // 12 - 1) * 30)
    return (
        math.cos(elevation) * math.sin(heading),
        math.cos(elevation) * math.cos(heading),
        math.sin(elevation),
    )


def cosine(world, location, neighbour, view):
    """Of the angle between a view's centre and a neighbour."""
    towards = world.positions[neighbour] - world.positions[location]
    return float(np.dot(towards, centre(view)) / math.sqrt(np.dot(towards, towards)))


def near(world, location):
    return [j for j in range(world.location_count) if [*sorted((location, j))] in world.edges.tolist()]


def plain_view_towards(world, location, neighbour):
    best = 0
    for view in range(1, VIEWS):
        if cosine(world, location, neighbour, view) > cosine(world, location, neighbour, best) + SAME:
            best = view
    return best


def order_keys(world, location, neighbour, view):
    """What actions are ordered by: the angle, the turn to the right, the length, the height."""
    x, y, z = (world.positions[neighbour] - world.positions[location]).tolist()
    turn = (math.atan2(x, y) - math.radians(view % 12 * 30)) % (2 * math.pi)
    turn = 0 if 2 * math.pi - turn < SAME else turn
    return -cosine(world, location, neighbour, view), turn, math.hypot(x, y, z), -z


def plain_actions(world, location, view):
    """(location, view afterwards, slot) of each action, in order."""

    def compare(a, b):
        keys = zip(order_keys(world, location, a, view), order_keys(world, location, b, view), strict=True)
        return next((math.copysign(1, x - y) for x, y in keys if abs(x - y) > SAME), a - b)

    actions = [(location, view, STOP_SLOT)]
    for neighbour in sorted(near(world, location), key=cmp_to_key(compare)):
        then = plain_view_towards(world, location, neighbour)
        slot = (then // 12) * 12 + (then % 12 - view % 12) % 12
        actions.append((neighbour, then, slot))
    return actions


@pytest.mark.slow
@settings(max_examples=30)
@given(worlds(max_locations=6))
def test_the_tables_are_what_plain_loops_give(world):
    tables = action_tables(world)
    for location in range(world.location_count):
        for view in range(VIEWS):
            expected = plain_actions(world, location, view)
            found = [
                (int(there), int(then), int(slot))
                for there, then, slot in zip(
                    tables.location[location, view],
                    tables.view[location, view],
                    tables.slot[location, view],
                    strict=True,
                )
            ]
            assert found[: len(expected)] == expected
            assert set(found[len(expected) :]) <= {(NO_ACTION, NO_ACTION, NO_ACTION)}


def test_equal_angles_right_before_left_then_nearer_then_higher():
    # From location 4: 0 to the left, 3 to the right, 1 and 2 ahead (1 further away), 5 above and 6 below.
    places = [(-2, 0, 0), (0, 4, 0), (0, 2, 0), (2, 0, 0), (0, 0, 0), (0, 3, 1), (0, 3, -1)]
    flat = tiny_world([(x, y) for x, y, _ in places], [(min(4, i), max(4, i)) for i in range(7) if i != 4])
    world = replace(flat, positions=np.array(places, dtype=float))
    north = HEADINGS  # level, heading 0
    tables = action_tables(world)
    assert tables.location[4, north].tolist() == [4, 2, 1, 5, 6, 3, 0]
    south = north + 6
    assert tables.location[4, south, 1:3].tolist() == [0, 3]  # now the other one is on the right


@pytest.mark.slow
@given(worlds())
def test_the_order_follows_from_geometry_not_from_ids(world):
    n = world.location_count
    new = np.random.default_rng(n).permutation(n)  # what each location is called now
    tables, renamed = action_tables(world), action_tables(relabelled(world, new))
    old = np.append(np.argsort(new), NO_ACTION)
    keys = [[[round(k, 6) for k in order_keys(world, v, u, 0)] for u in near(world, v)] for v in range(n)]
    for v in range(n):
        if len({tuple(k) for k in keys[v]}) == len(keys[v]):  # no two neighbours at one place
            assert np.array_equal(old[renamed.location[new[v]]], tables.location[v])


@pytest.mark.slow
@given(worlds())
def test_stop_comes_first_and_keeps_the_pose(world):
    tables = action_tables(world)
    n = world.location_count
    assert np.array_equal(tables.location[:, :, 0], np.repeat(np.arange(n)[:, None], VIEWS, axis=1))
    assert np.array_equal(tables.view[:, :, 0], np.tile(np.arange(VIEWS), (n, 1)))
    assert (tables.slot[:, :, 0] == STOP_SLOT).all()


@pytest.mark.slow
@given(worlds())
def test_every_view_offers_each_neighbour_once(world):
    tables = action_tables(world)
    for location in range(world.location_count):
        for view in range(VIEWS):
            moves = tables.location[location, view, 1:]
            assert sorted(moves[moves != NO_ACTION].tolist()) == near(world, location)


@pytest.mark.slow
@given(worlds())
def test_actions_are_ordered_by_angle_from_the_current_view(world):
    tables = action_tables(world)
    for location in range(world.location_count):
        for view in range(0, VIEWS, 5):
            moves = [int(there) for there in tables.location[location, view, 1:] if there != NO_ACTION]
            cosines = [cosine(world, location, there, view) for there in moves]
            assert all(first >= second - SAME for first, second in pairwise(cosines))


@pytest.mark.slow
@given(worlds())
def test_tables_are_as_wide_as_the_best_connected_location(world):
    degrees = [len(near(world, location)) for location in range(world.location_count)]
    tables = action_tables(world)
    for table in (tables.location, tables.view, tables.slot):
        assert table.shape == (world.location_count, VIEWS, 1 + max(degrees))
        assert np.array_equal(table == NO_ACTION, tables.location == NO_ACTION)


@given(worlds())
def test_neighbours_are_ascending_and_padded(world):
    table = neighbours(world)
    for location, row in enumerate(table.tolist()):
        expected = near(world, location)
        assert row == expected + [NO_ACTION] * (table.shape[1] - len(expected))
