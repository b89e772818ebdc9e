import numpy as np
import pytest
from boxes import box, in_middle, room_of_kind, with_boxes

from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.geometry import nearest_view
from helpanna.worlds.houses import build
from helpanna.worlds.houses.arrangement.house import furnish
from helpanna.worlds.houses.build import SIGHT, house_world
from helpanna.worlds.houses.layout import House
from helpanna.worlds.houses.plan import plan_house
from helpanna.worlds.world import World, same_world


@pytest.fixture(scope="module")
def house() -> House:
    return furnish(plan_house("a", 0, size="small"), 0)


@pytest.fixture(scope="module")
def world(house: House) -> World:
    return house_world(house)


@pytest.fixture(scope="module")
def bare() -> House:
    return plan_house("a", 0, size="small")


def test_the_world_has_the_rooms_of_the_house(house: House, world: World) -> None:
    assert world.name == house.name
    assert [(room.name, room.kind) for room in world.rooms] == [(r.name, r.kind) for r in house.rooms]
    for location, room in enumerate(world.room_of):
        r = house.rooms[room].rect.grown(0.2)
        assert r.x0 < world.positions[location, 0] < r.x1
        assert r.y0 < world.positions[location, 1] < r.y1
        assert world.location_names[location].startswith(house.rooms[room].name)


def test_nearly_all_things_are_objects(house: House, world: World) -> None:
    assert len(world.object_names) > 0.9 * len(house.things)


def test_delegates_are_the_closest_in_the_room_that_see_the_object(world: World) -> None:
    sees = {tuple(pair) for pair in world.sightings.tolist()}
    for thing, delegate in enumerate(world.delegates.tolist()):
        assert (delegate, thing) in sees
        near = np.linalg.norm(world.positions - world.object_positions[thing], axis=1)
        room = world.room_of[delegate]
        rivals = [i for i, t in sees if t == thing and world.room_of[i] == room]
        assert near[delegate] == min(near[i] for i in rivals)


def test_objects_show_in_the_view_towards_them(world: World) -> None:
    towards = world.object_positions[world.sightings[:, 1]] - world.positions[world.sightings[:, 0]]
    delegate = world.delegates[world.sightings[:, 1]] == world.sightings[:, 0]
    assert np.linalg.norm(towards[~delegate], axis=1).max() <= SIGHT
    assert (world.sighting_views > 0).all()
    shows = world.sighting_views >> nearest_view(towards).astype(np.uint64) & np.uint64(1)
    assert shows.mean() > 0.9  # unless just its middle is hidden


def test_same_house_same_world(house: House, world: World) -> None:
    assert same_world(house_world(house), world)


def test_an_atlas_can_be_built_of_it(world: World) -> None:
    atlas = build_atlas([world], "generated", "MIT")
    assert np.isfinite(atlas.distances(0, np.arange(world.location_count))).all()


def test_a_thing_is_seen_from_its_room_and_not_through_walls(bare: House) -> None:
    room = room_of_kind(bare, "bathroom")
    world = house_world(with_boxes(bare, in_middle(bare, room, box("stool", 0.3, 0.3, 0.5))))
    assert world.object_types == ("stool",)
    seen_from = set(world.room_of[world.sightings[:, 0]].tolist())
    assert room in seen_from
    doors = {o.other if o.room == room else o.room for o in bare.openings if room in (o.room, o.other)}
    behind = {room, *doors}
    behind |= {o.other if o.room in doors else o.room for o in bare.openings if {o.room, o.other} & doors}
    assert seen_from <= behind


def test_what_nobody_sees_is_no_object(bare: House) -> None:
    room = room_of_kind(bare, "bedroom")
    hidden = in_middle(bare, room, box("ring", 0.05, 0.05, 0.05), z=0.2)
    world = house_world(with_boxes(bare, in_middle(bare, room, box("chest", 0.8, 0.8, 0.8)), hidden))
    assert world.object_types == ("chest",)
    assert world.object_positions[0, 2] == pytest.approx(0.4)
    assert world.object_radii[0] == pytest.approx(0.4)


def test_small_things_are_seen_from_nearby_only(bare: House) -> None:
    room = room_of_kind(bare, "living room")
    ring = in_middle(bare, room, box("ring", 0.06, 0.06, 0.04), z=0.7)
    sofa = in_middle(bare, room, box("sofa", 1.6, 0.8, 0.7))
    world = house_world(with_boxes(bare, sofa, ring))
    far = np.linalg.norm(
        world.positions[world.sightings[:, 0]] - world.object_positions[world.sightings[:, 1]], axis=1
    )
    types = np.array(world.object_types)[world.sightings[:, 1]]
    assert far[types == "ring"].max() < 2 < far[types == "sofa"].max() <= SIGHT


def test_what_nobody_comes_near_to_is_seen_from_the_nearest_place(
    house: House, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "SIGHT", 0.1)
    blurred = house_world(house)
    assert blurred.object_names == world.object_names
    assert np.array_equal(blurred.delegates, world.delegates)
    by_object = blurred.sightings[np.argsort(blurred.sightings[:, 1])]
    assert np.array_equal(by_object, np.stack([world.delegates, np.arange(len(world.delegates))], axis=1))
