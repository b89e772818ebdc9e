from dataclasses import replace

import pytest
from boxes import box, in_middle, room_of_kind, with_boxes

from helpanna.worlds.houses.checks import check_house
from helpanna.worlds.houses.generate import make_house
from helpanna.worlds.houses.layout import House, Placed
from helpanna.worlds.houses.openings import front_zone
from helpanna.worlds.houses.plan import plan_house


@pytest.fixture(scope="module")
def house() -> House:
    return plan_house("a", 0, size="small")


def test_nothing_is_wrong_with_a_planned_house(house: House) -> None:
    assert check_house(house) == []


def test_intersecting_things(house: House) -> None:
    room = room_of_kind(house, "living room")
    a = in_middle(house, room, box("table", 0.8, 0.8, 0.7))
    b = in_middle(house, room, box("chair", 0.5, 0.5, 0.9), dx=0.5)
    assert any("a table and a chair intersect" in problem for problem in check_house(with_boxes(house, a, b)))
    beside = in_middle(house, room, box("chair", 0.5, 0.5, 0.9), dx=0.66)
    assert check_house(with_boxes(house, a, beside)) == []


def test_what_stands_on_another_thing_does_not_intersect_it(house: House) -> None:
    room = room_of_kind(house, "living room")
    table = in_middle(house, room, box("table", 0.8, 0.8, 0.7))
    mug = in_middle(house, room, box("mug", 0.1, 0.1, 0.1), z=0.7)
    assert check_house(with_boxes(house, table, mug)) == []


def test_a_blocked_door(house: House) -> None:
    opening = next(o for o in house.openings if o.kind == "door" and o.other is not None)
    zone = front_zone(house.rooms[opening.room].rect, opening, opening.side, 0.6)
    x, y = zone.centre
    crate = Placed(box("crate", 0.4, 0.4, 0.4), opening.room, (x, y, house.rooms[opening.room].z), 0)
    problems = check_house(with_boxes(house, crate))
    assert any("is blocked by a crate" in problem for problem in problems)


def test_a_thing_outside_its_room(house: House) -> None:
    out = in_middle(house, 0, box("bench", 0.4, 0.4, 0.4), dx=house.rooms[0].rect.width / 2)
    assert any("a bench sticks out of" in problem for problem in check_house(with_boxes(house, out)))
    high = in_middle(house, 0, box("kite", 0.4, 0.4, 0.4), z=house.rooms[0].height - 0.2)
    assert any("a kite sticks out of" in problem for problem in check_house(with_boxes(house, high)))


def test_a_room_without_a_window(house: House) -> None:
    room = room_of_kind(house, "bedroom")
    dark = tuple(o for o in house.openings if o.kind != "window" or o.room != room)
    assert any("bedroom has no window" in p for p in check_house(replace(house, openings=dark)))


def test_a_room_without_a_door(house: House) -> None:
    room = room_of_kind(house, "bathroom")
    shut = tuple(o for o in house.openings if room not in (o.room, o.other) or o.kind == "window")
    problems = check_house(replace(house, openings=shut))
    assert any("the bathroom cannot be reached" in problem for problem in problems)


def test_a_crammed_room(house: House) -> None:
    room = room_of_kind(house, "bathroom")
    r = house.rooms[room].rect
    crammed = with_boxes(house, in_middle(house, room, box("block", r.width - 0.02, r.depth - 0.02, 1.0)))
    assert any("one cannot stand in the bathroom" in problem for problem in check_house(crammed))


def test_something_in_the_stairs() -> None:
    tall = plan_house("b", 0, storeys=2)
    stair = tall.stairs[0]
    x, y = stair.rect.centre
    crate = Placed(box("crate", 0.4, 0.4, 0.4), stair.lower, (x, y, tall.rooms[stair.lower].z), 0)
    assert any("a crate stands in the stairs" in p for p in check_house(with_boxes(tall, crate)))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 12, 3))
def test_a_dozen_houses_without_a_problem(first: int) -> None:
    # experiments/check_houses.py does the same for hundreds.
    for i in range(first, first + 3):
        assert check_house(make_house(f"town-0-{i}")) == []
