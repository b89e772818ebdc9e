"""The checks of instructions find what is wrong."""

from dataclasses import replace

import numpy as np
import pytest
from by_hand import NORTH, corridor, house
from grounding import Ground, false_claims
from reading import spelt, text_faults

from helpanna.narration.claims import Claim, Clause
from helpanna.narration.narrators import NARRATORS, Instruction, Writer
from helpanna.narration.slips import misspelt
from helpanna.narration.surroundings import Surroundings
from helpanna.randomness import generator
from helpanna.tasks.words import words

ALL = len(NARRATORS)


def test_the_check_finds_a_lie():
    world, path = corridor(), (0, 1, 2, 3, 6)
    ground = Ground(world, path, NORTH)
    told = Writer(Surroundings(world)).write(path, NORTH, ALL)
    assert [false_claims(ground, said) + text_faults(ground, said) for said in told] == [[]] * ALL
    said = next(said for said in told if " left" in said.text)
    mirrored = Ground(replace(world, positions=world.positions * [-1, 1, 1]), path, NORTH)
    assert false_claims(mirrored, said) != []
    lie = replace(said, clauses=tuple(replace(c, text=c.text.replace("left", "right")) for c in said.clauses))
    lie = replace(lie, text=said.text.replace("left", "right"))
    assert text_faults(ground, lie) != []
    named = replace(said.clauses[-1], text=said.clauses[-1].text + " of the kitchen")
    lie = replace(said, text=said.text.rstrip(".") + " of the kitchen.", clauses=(*said.clauses[:-1], named))
    assert text_faults(ground, lie) != []


def by_hand(text, claims):
    """An instruction of one clause and the place where to stop."""
    stop = Clause("stop in the bedroom", (Claim("stop", 4, room=2, side="room"),))
    return Instruction(f"{text.capitalize()}. Stop in the bedroom.", "plain", (Clause(text, claims), stop))


LEFT = Claim("turn", 3, until=3, side="left")


def test_a_hand_made_instruction_is_true():
    ground = Ground(corridor(), [0, 1, 2, 3, 6], NORTH)
    said = by_hand("turn left into the bedroom", (LEFT, Claim("enter", 3, room=2)))
    assert false_claims(ground, said) == [] and text_faults(ground, said) == []


@pytest.mark.parametrize(
    "text",
    [
        "turn right", "make a slight left", "make a sharp left", "turn left and around",
        "turn left straight on",
        "make an immediate left", "turn left and go up the stairs", "turn left to the floor below",
        "turn left at the large door", "take the second left", "take the 2nd left", "turn left past the sofa",
        "turn left into the kitchen", "turn left in the long hallway", "turn left after about six feet",
        "turn left between both chairs", "turn left at the top", "turn left towards the end of it",
        "turn left on the wall", "turn left above the table", "turn left until you stop",
        "turn left facing it",
    ],
)  # fmt: skip
def test_what_is_said_must_be_claimed(text):
    ground = Ground(corridor(), [0, 1, 2, 3, 6], NORTH)
    assert text_faults(ground, by_hand(text, (LEFT,))) != []


@pytest.mark.parametrize(
    "claim",
    [
        Claim("turn", 3, until=3, side="right"), Claim("turn", 2, until=2, side="left"),
        Claim("soon", 1, until=3), Claim("spacious", 1, room=0), Claim("long", 4, room=2),
        Claim("ordinal", 3, side="left", number=3), Claim("enter", 3, room=1), Claim("end", 3, room=0),
        Claim("up", 0, until=3), Claim("along", 2, until=4, room=0),
        Claim("passdoor", 1, room=3, side="right"),
    ],
)  # fmt: skip
def test_what_is_claimed_must_be_true(claim):
    ground = Ground(corridor(), [0, 1, 2, 3, 6], NORTH)
    assert false_claims(ground, by_hand("turn left", (claim,))) == [claim]


def test_sizes_and_places_of_things_are_measured():
    things = [("sofa", x, 2) for x in (1, 2, 3, 4)] + [("lamp", 1, 2.2)]
    world = house([(0, 0), (0, 4)], [(0, 1)], things=things, sightings=[(0, i) for i in range(5)])
    radii, places = np.array([1.0, 0.5, 0.5, 0.2, 0.1]), world.object_positions.copy()
    places[4, 2] = 2.0
    ground = Ground(replace(world, object_radii=radii, object_positions=places), [0, 1], NORTH)
    true = [("large", 0), ("small", 3), ("nearest", 0), ("farthest", 3)]
    for kind, thing in true:
        for other in range(4):
            told = by_hand("walk", (Claim(kind, 0, thing=other),))
            assert (told.claims[0] in false_claims(ground, told)) == (other != thing), (kind, other)
    for kind, thing, other, right in [("above", 4, 0, True), ("below", 0, 4, True), ("above", 0, 4, False)]:
        told = by_hand("walk", (Claim(kind, 0, thing=thing, other=other),))
        assert (told.claims[0] in false_claims(ground, told)) != right


def test_rooms_of_unknown_kind_are_known_by_what_stands_in_them():
    things = [("bed", 0, 0), ("stove", 0, 4), ("sofa", 0, 4), ("stove", 0, 8), ("toilet", 0, 8)]
    places = [(0, 0), (0, 4), (0, 8), (0, 12)]
    world = house(
        places, [(0, 1), (1, 2), (2, 3)], [0, 1, 2, 3], ["", "", "", "pantry"], things,
        [(0, 0), (1, 1), (1, 2), (2, 3), (2, 4)],
    )  # fmt: skip
    assert Surroundings(world).kinds == ("bedroom", "kitchen", "", "pantry")
    assert Ground(world, [0, 1], NORTH).kinds == ["bedroom", "kitchen", "", "pantry"]


def test_a_long_narrow_room_with_many_others_is_a_hallway():
    world = corridor()
    assert Surroundings(unnamed(world)).kinds[0] == ""  # three rooms are off it
    more = house(
        [*world.positions[:, :2].tolist(), (2, 8)],
        [*world.edges.tolist(), (4, 8)],
        [0] * 5 + [1, 2, 3, 4],
        ["hallway", "kitchen", "bedroom", "bathroom", "office"],
    )
    assert Surroundings(unnamed(more)).kinds == ("hallway", "", "", "", "")
    assert Ground(unnamed(more), [0, 1], NORTH).kinds == ["hallway", "", "", "", ""]


def unnamed(world):
    return replace(world, rooms=tuple(replace(room, kind="") for room in world.rooms))


@pytest.mark.parametrize("seed", range(50))
def test_slips_can_be_read(seed):
    text = "walk straight through the doorway until you reach the refrigerator in front of the stairs"
    said = misspelt(text, generator(seed, "slips"))
    instruction = Instruction(said, "sloppy", (Clause(text),))
    assert spelt(instruction) == words(text)
