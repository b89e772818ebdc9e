"""What a world accepts, and what it says when it does not."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import worlds

from helpanna.errors import InputError
from helpanna.worlds.world import Room, World, same_world, unordered_pairs


def flat(**changes):
    """Three locations in a row, a room, two objects."""
    world = World(
        name="flat",
        location_names=("hall", "door", "sink"),
        positions=np.array([[0.0, 0, 1.5], [2, 0, 1.5], [2, 1, 1.5]]),
        eye_heights=np.array([1.5, 1.5, 1.5]),
        floors=np.array([0, 0, 0]),
        edges=np.array([[0, 1], [1, 2]]),
        sight_lines=np.array([[0, 1]]),
        rooms=(Room("r0", "kitchen"),),
        room_of=np.array([-1, 0, 0]),
        object_names=("mug 1", "mug 2"),
        object_types=("mug", "mug"),
        object_positions=np.array([[2.0, 2, 1], [0, 1, 1]]),
        object_radii=np.array([0.1, 0.1]),
        delegates=np.array([2, 0]),
        sightings=np.array([[0, 1], [2, 0]]),
        sighting_views=np.array([1, 1 << 35], dtype=np.uint64),
    )
    return replace(world, **changes)


def test_edges_have_the_length_between_their_ends():
    assert flat().edge_lengths().tolist() == [2.0, 1.0]
    assert flat().location_count == 3


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"location_names": ()}, "no locations"),
        ({"location_names": ("hall", "hall", "sink")}, "location hall twice"),
        ({"object_names": ("mug", "mug")}, "object mug twice"),
        ({"location_names": ("hall", "\ud800", "sink")}, "not text"),
        ({"object_types": ("mug", "\udfff")}, "not text"),
        ({"rooms": (Room("r0", 5),)}, "not text"),
        ({"positions": np.zeros((2, 3))}, "positions has shape"),
        ({"positions": np.zeros(3)}, "positions has shape"),
        ({"positions": np.array([[0.0, 0, np.nan], [2, 0, 1], [2, 1, 1]])}, "positions holds a number"),
        ({"eye_heights": np.array([1, np.inf, 1])}, "eye_heights holds a number"),
        ({"object_radii": np.array([0.1])}, "object_radii has shape"),
        ({"object_types": ("mug",)}, "2 objects but 1 object types"),
        ({"edges": np.array([[0, 3]])}, "edges names 3"),
        ({"edges": np.array([[-1, 2]])}, "edges names -1"),
        ({"edges": np.array([[1, 0]])}, "pairs i < j"),
        ({"edges": np.array([[1, 1]])}, "pairs i < j"),
        ({"edges": np.array([[0, 1], [0, 1]])}, "each once"),
        ({"edges": np.array([[1, 2], [0, 1]])}, "ascending order"),
        ({"edges": np.array([[0, 1, 2]])}, "edges has shape"),
        ({"sight_lines": np.array([[2, 1]])}, "sight_lines must be pairs"),
        ({"floors": np.array([0, 3, 0])}, "floors names 3"),
        ({"room_of": np.array([0, 1, 0])}, "room_of names 1"),
        ({"room_of": np.array([0, -2, 0])}, "room_of names -2"),
        ({"delegates": np.array([2, 3])}, "delegates names 3"),
        ({"sightings": np.array([[3, 0], [3, 1]])}, "sightings names 3"),
        ({"sightings": np.array([[0, 2], [1, 2]])}, "sightings names 2"),
        ({"sightings": np.array([[2, 0], [0, 1]])}, "sightings must be in ascending order"),
        ({"sightings": np.array([[0, 1], [0, 1]])}, "sightings must be in ascending order"),
        ({"sighting_views": np.array([1, 1 << 36], dtype=np.uint64)}, "beyond 35"),
        ({"sighting_views": np.array([1], dtype=np.uint64)}, "sighting_views has shape"),
        ({"positions": np.ones((3, 3))}, "hall and door are joined but at the same place"),
    ],
)
def test_what_cannot_be_a_world_is_refused_by_name(changes, said):
    with pytest.raises(InputError, match=said) as refused:
        flat(**changes)
    assert str(refused.value).startswith(("world flat", "world 'flat'"))


def test_a_world_may_have_one_location_and_nothing_else():
    empty = {
        field.name: np.empty(0)
        for field in fields(World)
        if field.name in ("edges", "sight_lines", "object_positions", "object_radii", "delegates")
        or field.name.startswith("sighting")
    }
    world = flat(
        location_names=("only",),
        positions=np.zeros((1, 3)),
        eye_heights=np.ones(1),
        floors=np.zeros(1),
        rooms=(),
        room_of=np.array([-1]),
        object_names=(),
        object_types=(),
        **empty,
    )
    assert world.edges.shape == world.sight_lines.shape == world.sightings.shape == (0, 2)
    assert world.object_positions.shape == (0, 3)


@pytest.mark.slow
@given(worlds())
def test_arrays_cannot_be_written_to(world):
    for field in fields(World):
        array = getattr(world, field.name)
        if isinstance(array, np.ndarray):
            assert not array.flags.writeable


def test_the_caller_keeps_his_own_arrays():
    positions = np.array(flat().positions)
    world = flat(positions=positions)
    positions[0] = 9
    assert world.positions[0].tolist() == [0, 0, 1.5]


@pytest.mark.slow
@given(worlds())
def test_a_world_is_the_same_as_its_copy(world):
    assert same_world(world, replace(world))


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "house"},
        {"location_names": ("hall", "door", "tap")},
        {"positions": np.array([[0.0, 0, 1.5], [2, 0, 1.5], [2, 1, np.nextafter(1.5, 2)]])},
        {"edges": np.array([[0, 1]])},
        {"rooms": (Room("r0", "bedroom"),)},
        {"object_types": ("mug", "cup")},
        {"sighting_views": np.array([1, 1 << 34], dtype=np.uint64)},
    ],
)
def test_a_world_differs_by_any_field(changes):
    assert not same_world(flat(), flat(**changes))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=20))
def test_unordered_pairs_are_a_set_of_two_element_sets(pairs):
    i, j = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    expected = sorted({(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]})
    assert [tuple(pair) for pair in unordered_pairs(i, j).tolist()] == expected
