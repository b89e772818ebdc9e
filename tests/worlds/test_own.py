import numpy as np
import pytest

from helpanna.errors import InputError
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.own import Thing, make_world

PLACES = {"a": (0, 0), "b": (2, 0), "c": (4, 0), "up": (4, 2, 3.0)}
WAYS = [("b", "a"), ("b", "c"), ("c", "up")]
ROOMS = {"kitchen": ["a", "b"], "bed_room_2": ["c"], "attic": ["up"]}


def building(**changes):
    given = {"positions": PLACES, "edges": WAYS, "rooms": ROOMS, **changes}
    return make_world("home", **given)


def seen(world):
    return {
        (world.location_names[location], world.object_names[thing]) for location, thing in world.sightings
    }


def test_what_is_not_given_is_worked_out():
    world = building(things=[Thing("mug", (0, 1, 1)), Thing("mug", (4, 1, 1)), Thing("trunk", (4, 3, 3.4))])
    assert world.positions[0].tolist() == [0, 0, 1.5] and world.positions[3].tolist() == [4, 2, 4.5]
    assert world.floors.tolist() == [0, 0, 0, 1]
    assert world.edges.tolist() == [[0, 1], [1, 2], [2, 3]]
    assert [(room.name, room.kind) for room in world.rooms][1] == ("bed_room_2", "bed room")
    assert world.object_names == ("mug 1", "mug 2", "trunk 1")
    assert world.room_of[world.delegates].tolist() == [0, 1, 2]
    assert seen(world) == {("a", "mug 1"), ("b", "mug 1"), ("c", "mug 2"), ("up", "trunk 1")}
    # a looks north at the mug: straight ahead is view 12.
    first = int(world.sighting_views[0])
    assert first >> 12 & 1 and not first >> 18 & 1
    assert build_atlas([world], "test", "none").location_count == 4


def test_a_thing_is_in_the_room_it_names_though_another_location_is_nearer():
    near_c = (3.4, 0.2, 1.0)
    assert seen(building(things=[Thing("mug", near_c)])) == {("c", "mug 1")}
    named = building(things=[Thing("mug", near_c, room="kitchen")])
    assert seen(named) == {("b", "mug 1")} and named.delegates.tolist() == [1]


def test_what_is_far_from_all_is_seen_from_the_nearest_only():
    world = building(things=[Thing("mug", (-8, 0, 1.5), room="kitchen")])
    assert seen(world) == {("a", "mug 1")}


def test_without_rooms_things_are_seen_by_who_is_near_and_on_their_storey():
    world = building(rooms=None, things=[Thing("mug", (4, 1, 1))])
    assert seen(world) == {("b", "mug 1"), ("c", "mug 1")}
    assert np.array_equal(world.sight_lines, world.edges)


def test_locations_see_each_other_within_a_room_and_along_the_ways():
    world = make_world("w", {"a": (0, 0), "b": (3, 0), "c": (6, 0)}, [("b", "c")], rooms={"hall": ["a", "b"]})
    assert world.sight_lines.tolist() == [[0, 1], [1, 2]]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"positions": {}}, "has no locations; give at least one"),
        ({"positions": {"a": (1,)}, "edges": [], "rooms": None}, r"'a' .* is at \(1,\); give \(x, y\)"),
        ({"positions": {"a": ("x", 1)}, "edges": [], "rooms": None}, "give .x, y."),
        ({"positions": {"a": (np.nan, 1)}, "edges": [], "rooms": None}, "give .x, y."),
        ({"edges": [("a", "z")]}, "names 'z', which is none of its locations"),
        ({"edges": [("a", "a")]}, "joins 'a' with itself"),
        ({"edges": ["ab"]}, "give pairs of locations"),
        ({"edges": [("a", "b", "c")]}, "give pairs of locations"),
        ({"rooms": {"kitchen": ["z"]}}, "names 'z', which is none of its locations"),
        ({"rooms": {"kitchen": "a"}}, "list its locations"),
        ({"rooms": {"kitchen": ["a"], "hall": ["a"]}}, "is in two rooms; keep one"),
        ({"kinds": {"cellar": "cellar"}}, "names 'cellar', which is none of its rooms"),
        ({"things": [Thing("mug", (0, 1))]}, r"the mug .* give \(x, y, z\) in metres"),
        ({"things": [Thing("mug", (0, 1, np.inf))]}, r"give \(x, y, z\) in metres"),
        ({"things": [Thing("mug", (0, 1, 1), size=0)]}, "has the size 0; give metres above 0"),
        ({"things": [Thing(" ", (0, 1, 1))]}, "say in words what it is"),
        ({"things": [Thing("mug", (0, 1, 1), room="cellar")]}, "is in the room 'cellar', which it has not"),
        ({"things": [Thing("lamp", (4, 0, 2.6), room="bed_room_2")]}, "shows in no view of a location of"),
        ({"things": [Thing("mug", (0, 1, 1), name="m")] * 2}, "has the object m twice; keep one"),
        ({"eye_height": 0}, "give metres above 0"),
        ({"sight": -1}, "give metres above 0"),
    ],
)
def test_every_mistake_is_one_clear_sentence(changes, sentence):
    with pytest.raises(InputError, match=sentence):
        building(**changes)
