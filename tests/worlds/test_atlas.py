"""An atlas numbers many worlds through, and gives each back as it was."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import atlases, worlds

from helpanna.errors import InputError
from helpanna.worlds.actions import action_tables
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.geometry import VIEWS
from helpanna.worlds.paths import NO_HOP, shortest_paths
from helpanna.worlds.world import same_world

two_worlds = worlds(name="one"), worlds(name="two", min_locations=2)


def build(*several):
    return build_atlas(several, source="test", licence="none")


@pytest.mark.slow
@given(*two_worlds)
def test_each_world_comes_back_as_it_was(one, two):
    atlas = build(one, two)
    for index, world in enumerate((one, two)):
        assert same_world(atlas.world(world.name), world)
        assert same_world(atlas.world(index), world)


@pytest.mark.slow
@given(*two_worlds)
def test_ids_number_the_locations_through(one, two):
    atlas = build(one, two)
    n = one.location_count
    assert list(atlas.locations(0)) == list(range(n))
    assert list(atlas.locations(1)) == list(range(n, n + two.location_count))
    assert atlas.world_of.tolist() == [0] * n + [1] * two.location_count
    assert atlas.location_names == one.location_names + two.location_names
    for world in (one, two):
        start = atlas.locations(atlas.world_id(world.name)).start
        for local, name in enumerate(world.location_names):
            assert atlas.location_id(world.name, name) == start + local


@pytest.mark.slow
@given(*two_worlds)
def test_ids_of_edges_rooms_and_objects_are_global(one, two):
    atlas = build(one, two)
    n, m, r = one.location_count, len(one.object_names), len(one.rooms)
    both = np.concatenate
    assert np.array_equal(atlas.edge, both([one.edges, two.edges + n]))
    assert np.array_equal(atlas.sight_line, both([one.sight_lines, two.sight_lines + n]))
    assert np.array_equal(atlas.delegate, both([one.delegates, two.delegates + n]))
    assert np.array_equal(atlas.sighting, both([one.sightings, two.sightings + np.array([n, m])]))
    assert atlas.room_of.tolist() == [
        *one.room_of.tolist(),
        *[room if room < 0 else room + r for room in two.room_of.tolist()],
    ]
    assert tuple(atlas.type_names[t] for t in atlas.object_type) == one.object_types + two.object_types
    assert list(atlas.type_names) == sorted(set(one.object_types + two.object_types))


@pytest.mark.slow
@given(*two_worlds)
def test_distances_and_next_hops_are_those_of_each_world(one, two):
    atlas = build(one, two)
    for index, world in enumerate((one, two)):
        ids = np.array(atlas.locations(index))
        distance, hop = shortest_paths(world)
        assert np.array_equal(atlas.distances(ids[:, None], ids), distance.astype(np.float32))
        assert np.array_equal(
            atlas.next_hops(ids[:, None], ids), np.where(hop == NO_HOP, NO_HOP, hop + ids[0])
        )


@pytest.mark.slow
@given(*two_worlds)
def test_there_is_no_way_between_worlds(one, two):
    atlas = build(one, two)
    here, there = np.array(atlas.locations(0)), np.array(atlas.locations(1))
    for start, end in ((here[:, None], there), (there[:, None], here)):
        assert np.isposinf(atlas.distances(start, end)).all()
        assert (atlas.next_hops(start, end) == NO_HOP).all()
    assert atlas.distances(here[0], there[-1]) == math.inf  # also one at a time


@pytest.mark.slow
@given(*two_worlds)
def test_action_tables_are_those_of_each_world_widened(one, two):
    atlas = build(one, two)
    tables = [action_tables(world) for world in (one, two)]
    assert atlas.action_count == max(table.location.shape[-1] for table in tables)
    for index, table in enumerate(tables):
        ids = atlas.locations(index)
        width = table.location.shape[-1]
        rows = slice(ids.start, ids.stop)
        moved = np.where(table.location < 0, table.location, table.location + ids.start)
        for stored, expected in (
            (atlas.action_location, moved),
            (atlas.action_view, table.view),
            (atlas.action_slot, table.slot),
        ):
            assert np.array_equal(stored[rows, :, :width], expected)
            assert (stored[rows, :, width:] == -1).all()


@settings(max_examples=30)
@given(atlases())
def test_counts_are_sums_over_the_worlds(atlas):
    each = [atlas.world(w) for w in range(atlas.world_count)]
    assert atlas.counts() == {
        "worlds": len(each),
        "locations": sum(world.location_count for world in each),
        "edges": sum(len(world.edges) for world in each),
        "sight_lines": sum(len(world.sight_lines) for world in each),
        "rooms": sum(len(world.rooms) for world in each),
        "objects": sum(len(world.object_names) for world in each),
        "object_types": len({name for world in each for name in world.object_types}),
        "sightings": sum(len(world.sightings) for world in each),
        "actions": atlas.action_location.shape[-1],
    }
    assert atlas.action_view.shape == (atlas.location_count, VIEWS, atlas.action_count)


@pytest.mark.slow
@given(*two_worlds)
def test_names_that_are_not_there_are_named(one, two):
    atlas = build(one, two)
    with pytest.raises(InputError, match="no world 'three'; it has one, two"):
        atlas.world_id("three")
    with pytest.raises(InputError, match="no world 'three'"):
        atlas.world("three")
    with pytest.raises(InputError, match="no world 'three'"):
        atlas.location_id("three", two.location_names[0])
    with pytest.raises(InputError, match="world two has no location 'nowhere at all'"):
        atlas.location_id("two", "nowhere at all")


@given(worlds(name="one"))
def test_a_world_given_twice_is_refused(world):
    with pytest.raises(InputError, match="world one is given twice"):
        build(world, world)


def test_an_atlas_of_nothing_is_refused():
    with pytest.raises(InputError, match="at least one world"):
        build()


@pytest.mark.slow
@given(atlases())
def test_paths_are_walked_hop_by_hop_and_counted_both_ends_included(atlas):
    places = np.arange(atlas.location_count)
    counts = atlas.path_locations(places[:, None], places)
    for a in places.tolist():
        for b in places.tolist():
            if not np.isfinite(atlas.distances(a, b)):
                assert counts[a, b] == 0
                continue
            path = atlas.path(a, b)
            assert (path[0], path[-1]) == (a, b) and len(path) == counts[a, b]
            metres = sum(float(atlas.distances(u, v)) for u, v in pairwise(path))
            assert metres == pytest.approx(float(atlas.distances(a, b)), rel=1e-5)
    assert atlas.path_locations(0, 0) == 1
