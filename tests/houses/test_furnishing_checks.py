from dataclasses import replace

import pytest
from boxes import box, in_middle, room_of_kind, with_boxes

from helpanna.worlds.houses.furnishing_checks import check_furnishing
from helpanna.worlds.houses.generate import make_house
from helpanna.worlds.houses.layout import House, Placed
from helpanna.worlds.houses.openings import front_zone
from helpanna.worlds.houses.plan import plan_house


@pytest.fixture(scope="module")
def house() -> House:
    return make_house("town-0-1")  # its television stood before a window once


def without(house: House, *types: str) -> House:
    return replace(house, things=tuple(p for p in house.things if p.thing.type not in types))


def has(house: House, sentence: str) -> bool:
    return any(sentence in problem for problem in check_furnishing(house))


def test_nothing_is_wrong_with_a_furnished_house(house: House) -> None:
    assert check_furnishing(house) == []


@pytest.mark.parametrize(
    ("types", "sentence"),
    [
        (("toilet",), "the bathroom has no toilet"),
        (("bathtub", "shower"), "the bathroom has no bathtub or shower"),
        (("stove",), "the kitchen has no stove"),
        (("sink",), "the kitchen has no sink"),
        (("bed", "bunk bed"), "the bedroom has no bed or bunk bed"),
        (("sofa", "loveseat"), "the living room has no sofa or loveseat"),
        (("ceiling lamp", "pendant lamp", "chandelier"), "the hall has no ceiling lamp or"),
    ],
)
def test_a_room_without_what_makes_it_one(house: House, types: tuple[str, ...], sentence: str) -> None:
    assert has(without(house, *types), sentence)


def test_things_in_the_air(house: House) -> None:
    room = room_of_kind(house, "living room")
    assert has(with_boxes(house, in_middle(house, room, box("kite", 0.4, 0.4, 0.4), z=2.0)), "a kite floats")
    lamp = in_middle(house, room, box("lantern", 0.4, 0.4, 0.4), z=house.rooms[room].height - 0.4)
    assert not has(with_boxes(house, lamp), "lantern")
    sofas = [p for p in house.things if p.thing.type == "sofa"]
    assert has(without(house, "sofa", "armchair", "loveseat"), "a pillow floats") == any(
        p.thing.type == "pillow" and p.room == s.room for s in sofas for p in house.things
    )


def test_what_stands_on_another_thing_is_held(house: House) -> None:
    room = room_of_kind(house, "living room")
    table = in_middle(house, room, box("block", 0.6, 0.6, 2.0))
    mug = in_middle(house, room, box("mug", 0.1, 0.1, 0.1), z=2.0)
    assert not has(with_boxes(house, table, mug), "a mug floats")
    off = in_middle(house, room, box("mug", 0.1, 0.1, 0.1), z=2.0, dx=0.34)
    assert has(with_boxes(house, table, off), "a mug floats")


def test_tall_furniture_and_televisions_before_a_window(house: House) -> None:
    opening = next(o for o in house.openings if o.kind == "window")
    room = house.rooms[opening.room]
    x, y = front_zone(room.rect, opening, opening.side, 0.3).centre
    for kind, height, sentence in (("crate", 2.0, True), ("crate", 0.9, False), ("plant", 2.0, False)):
        there = Placed(box(kind, 0.4, 0.4, height), opening.room, (x, y, room.z), 0)
        assert has(with_boxes(house, there), f"a {kind} stands before a window") == sentence
    shown = Placed(box("television", 0.9, 0.1, 0.6), opening.room, (x, y, room.z + 0.9), 0)
    assert has(with_boxes(house, shown), "a television stands before a window")


def test_empty_rooms() -> None:
    house = plan_house("b", 0, size="large")
    assert has(house, "the living room is bare: things cover 0% of its floor")
    assert has(house, "the living room has an empty place")
