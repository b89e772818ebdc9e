from itertools import pairwise

import numpy as np
import pytest

from helpanna.worlds import sample
from helpanna.worlds.geometry import VIEWS, nearest_view
from helpanna.worlds.paths import shortest_paths
from helpanna.worlds.sample import REACH, SIGHT, sample_atlas, sample_world
from helpanna.worlds.world import same_world

SEEDS = range(40)


@pytest.fixture(scope="module")
def houses():
    return [sample_world("house", seed) for seed in SEEDS]


def test_same_name_and_seed_give_the_same_world():
    assert same_world(sample_world("a", 3), sample_world("a", 3))


def test_another_name_or_seed_gives_another_world():
    world = sample_world("a", 3)
    for other in (sample_world("a", 4), sample_world("b", 3)):
        assert other.positions.shape != world.positions.shape or (other.positions != world.positions).any()


def test_sizes(houses):
    for world in houses:
        assert 20 <= world.location_count <= 60
        assert 10 <= len(world.object_names) <= 40
        assert len({room.kind for room in world.rooms}) >= 4


def test_every_location_can_be_reached(houses):
    for world in houses:
        assert np.isfinite(shortest_paths(world)[0]).all()


def test_locations_are_about_as_far_apart_as_in_real_buildings(houses):
    lengths = np.concatenate([world.edge_lengths() for world in houses])
    assert 2.0 < lengths.mean() < 2.5
    assert 1.5 < lengths.min() <= lengths.max() <= REACH


def test_some_have_a_second_floor_reached_by_one_stair(houses):
    high = [world for world in houses if world.floors.max() == 1]
    assert 0 < len(high) < len(houses)
    for world in high:
        climbs = world.floors[world.edges[:, 0]] != world.floors[world.edges[:, 1]]
        assert climbs.sum() == 1
        upstairs = world.positions[world.floors == 1, 2]
        assert upstairs == pytest.approx(sample.STOREY + sample.EYE_HEIGHT)


def test_one_walks_and_sees_only_through_doors(houses):
    """Between two rooms of a floor every straight way leads through the corridor's doors."""
    for world in houses:
        kinds = np.array([room.kind for room in world.rooms])[world.room_of]
        a, b = world.edges.T
        other_room = world.room_of[a] != world.room_of[b]
        assert ((kinds[a] == "hallway") | (kinds[b] == "hallway"))[other_room].all()
        rooms_entered = {(world.room_of[i], world.room_of[j]) for i, j in world.edges[other_room]}
        assert {room for pair in rooms_entered for room in pair} == set(range(len(world.rooms)))


def crosses(a, b, wall):
    """Whether the straight line from a to b crosses the wall, by solving for the crossing."""
    c, d = wall
    matrix = np.column_stack([b - a, c - d])
    if abs(np.linalg.det(matrix)) < 1e-12:
        return False
    along, across = np.linalg.solve(matrix, c - a)
    return 0 <= along <= 1 and 0 <= across <= 1


def test_sight_lines_are_those_that_no_wall_crosses(monkeypatch):
    floors = []
    walls = sample._walls

    def kept(*arguments, **settings):
        floors.append(walls(*arguments, **settings))
        return floors[-1]

    monkeypatch.setattr(sample, "_walls", kept)
    seed = next(seed for seed in SEEDS if sample_world("house", seed).floors.max() == 1)
    floors.clear()
    world = sample_world("house", seed)
    landing, head = world.location_count - 2, world.location_count - 1
    expected = [
        (i, j)
        for i in range(world.location_count)
        for j in range(i + 1, world.location_count)
        if (i, j) == (landing, head)
        or (
            world.floors[i] == world.floors[j]
            and not any(
                crosses(world.positions[i, :2], world.positions[j, :2], wall)
                for wall in floors[world.floors[i]]
            )
        )
    ]
    assert world.sight_lines.tolist() == [list(pair) for pair in expected]


def test_one_walks_only_where_one_sees(houses):
    for world in houses:
        seen = {tuple(pair) for pair in world.sight_lines.tolist()}
        assert {tuple(pair) for pair in world.edges.tolist()} <= seen


def test_delegates_are_the_closest_in_the_room_that_see_the_object(houses):
    for world in houses:
        for thing, delegate in enumerate(world.delegates):
            watchers = world.sightings[world.sightings[:, 1] == thing, 0]
            assert delegate in watchers
            room = world.room_of[delegate]
            watchers = watchers[world.room_of[watchers] == room]
            apart = np.linalg.norm(world.positions[watchers] - world.object_positions[thing], axis=-1)
            assert delegate == watchers[apart.argmin()]


def test_sightings_are_near_and_hold_the_nearest_view(houses):
    for world in houses:
        location, thing = world.sightings.T
        towards = world.object_positions[thing] - world.positions[location]
        assert np.linalg.norm(towards, axis=-1).max() <= SIGHT
        views = world.sighting_views[:, None] >> np.arange(VIEWS, dtype=np.uint64) & np.uint64(1)
        # Pictures are wider than 30 degrees: whatever shows at all shows in the view closest to it.
        assert views[np.arange(len(views)), nearest_view(towards)].all()


def test_objects_belong_to_their_room(houses):
    for world in houses:
        for kind, delegate in zip(world.object_types, world.delegates, strict=True):
            assert kind in sample._FURNITURE[world.rooms[world.room_of[delegate]].kind]


def test_atlas_is_a_row_of_houses():
    atlas = sample_atlas(worlds=3, seed=7)
    assert atlas.world_names == ("house 0", "house 1", "house 2")
    assert same_world(atlas.world(1), sample_world("house 1", 7))
    for a, b in pairwise(range(3)):
        assert not same_world(atlas.world(a), atlas.world(b))
