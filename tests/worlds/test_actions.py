"""Action tables against the same thing written as plain loops."""

import math
from functools import cmp_to_key
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from strategies import worlds

from helpanna.worlds.actions import NO_ACTION, action_tables, neighbours
from helpanna.worlds.geometry import STOP_SLOT, VIEWS

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


def plain_actions(world, location, view):
    """(location, view afterwards, slot) of each action, in order."""

    def compare(a, b):
        difference = cosine(world, location, b, view) - cosine(world, location, a, view)
        return a - b if abs(difference) < SAME else math.copysign(1, difference)

    actions = [(location, view, STOP_SLOT)]
    for neighbour in sorted(near(world, location), key=cmp_to_key(compare)):
        then = plain_view_towards(world, location, neighbour)
        slot = (then // 12) * 12 + (then % 12 - view % 12) % 12
        actions.append((neighbour, then, slot))
    return actions


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


@given(worlds())
def test_stop_comes_first_and_keeps_the_pose(world):
    tables = action_tables(world)
    n = world.location_count
    assert np.array_equal(tables.location[:, :, 0], np.repeat(np.arange(n)[:, None], VIEWS, axis=1))
    assert np.array_equal(tables.view[:, :, 0], np.tile(np.arange(VIEWS), (n, 1)))
    assert (tables.slot[:, :, 0] == STOP_SLOT).all()


@given(worlds())
def test_every_view_offers_each_neighbour_once(world):
    tables = action_tables(world)
    for location in range(world.location_count):
        for view in range(VIEWS):
            moves = tables.location[location, view, 1:]
            assert sorted(moves[moves != NO_ACTION].tolist()) == near(world, location)


@given(worlds())
def test_actions_are_ordered_by_angle_from_the_current_view(world):
    tables = action_tables(world)
    for location in range(world.location_count):
        for view in range(0, VIEWS, 5):
            moves = [int(there) for there in tables.location[location, view, 1:] if there != NO_ACTION]
            cosines = [cosine(world, location, there, view) for there in moves]
            assert all(first >= second - SAME for first, second in pairwise(cosines))


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
