from collections import Counter
from dataclasses import fields

import pytest

from helpanna.errors import InputError
from helpanna.worlds.houses.archetypes import split
from helpanna.worlds.houses.layout import WALL, House, Rect
from helpanna.worlds.houses.openings import shared_wall, sides_of, without
from helpanna.worlds.houses.plan import SIZES, Size, plan_house
from helpanna.worlds.houses.styles import STYLES, draw_style


def parts(house: House) -> list[object]:
    return [getattr(house, field.name) for field in fields(House)]


def test_same_name_and_seed_give_the_same_house() -> None:
    assert parts(plan_house("a", 3)) == parts(plan_house("a", 3))
    assert parts(plan_house("a", 3)) != parts(plan_house("b", 3))
    assert parts(plan_house("a", 3)) != parts(plan_house("a", 4))


@pytest.mark.parametrize(
    ("size", "area", "rooms"),
    [("small", (60, 95), (6, 9)), ("medium", (100, 215), (7, 16)), ("large", (150, 350), (10, 28))],
)
def test_sizes(size: Size, area: tuple[int, int], rooms: tuple[int, int]) -> None:
    for i in range(12):
        house = plan_house(f"{size} {i}", 0, size=size)
        assert area[0] <= sum(room.rect.area for room in house.rooms) <= area[1]
        assert rooms[0] <= len(house.rooms) <= rooms[1]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("storeys", [1, 2, 3])
def test_storeys_as_asked_for(size: Size, storeys: int) -> None:
    house = plan_house("a", 0, storeys=storeys, size=size)
    assert {room.floor for room in house.rooms} == set(range(storeys))
    assert len(house.stairs) == storeys - 1
    for stair in house.stairs:
        lower, upper = house.rooms[stair.lower], house.rooms[stair.upper]
        assert lower.kind == upper.kind == "stairs"
        assert lower.rect == upper.rect
        assert upper.floor == lower.floor + 1
        assert lower.rect.contains(stair.rect)
        rise = (upper.z - lower.z) / stair.steps
        run = max(stair.rect.width, stair.rect.depth) / (stair.steps - 1)
        assert 0.15 < rise < 0.2
        assert 0.22 < run < 0.32


def test_houses_differ() -> None:
    houses = [plan_house(f"house {i}", 0) for i in range(30)]
    assert len({house.style for house in houses}) >= 5
    assert len({tuple(sorted(Counter(room.kind for room in house.rooms).items())) for house in houses}) > 10
    assert {max(room.floor for room in house.rooms) for house in houses} == {0, 1, 2}


def test_private_rooms_are_entered_from_where_all_may_be() -> None:
    for i in range(30):
        house = plan_house(f"house {i}", 1)
        doors: dict[int, list[str]] = {j: [] for j in range(len(house.rooms))}
        for opening in house.openings:
            if opening.other is not None:
                doors[opening.room].append(house.rooms[opening.other].kind)
                doors[opening.other].append(house.rooms[opening.room].kind)
        for j, room in enumerate(house.rooms):
            if room.kind == "bathroom":
                assert len(doors[j]) == 1
            if room.kind == "bedroom":
                assert len([kind for kind in doors[j] if kind in ("hall", "corridor", "stairs")]) == 1
                assert set(doors[j]) <= {"hall", "corridor", "stairs", "bathroom"}
            if room.kind == "kitchen":
                assert {"living room", "dining room"} & set(doors[j])


def test_no_door_opens_onto_a_flight() -> None:
    for i in range(20):
        house = plan_house(f"house {i}", 2, storeys=3)
        for stair in house.stairs:
            for opening in house.openings:
                for room, side in sides_of(opening):
                    if room in (stair.lower, stair.upper) and opening.low == 0:
                        low, high = opening.centre - opening.width / 2, opening.centre + opening.width / 2
                        r, wall = stair.rect, house.rooms[room].rect
                        beside = {
                            "west": r.x0 - wall.x0 < 0.1,
                            "east": wall.x1 - r.x1 < 0.1,
                            "south": r.y0 - wall.y0 < 0.1,
                            "north": wall.y1 - r.y1 < 0.1,
                        }[side]
                        a, b = (r.x0, r.x1) if side in ("south", "north") else (r.y0, r.y1)
                        assert not (beside and low < b and high > a)


def test_wrong_arguments() -> None:
    with pytest.raises(InputError, match="1 to 3 storeys, not 4"):
        plan_house("a", 0, storeys=4)
    with pytest.raises(InputError, match="no size 'huge'"):
        plan_house("a", 0, size="huge")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no style 'baroque'"):
        draw_style(0, "a", "baroque")


def test_styles_have_all_materials_in_range() -> None:
    for name in STYLES:
        style = draw_style(0, "a", name)
        materials = [m for some in style.finishes.values() for m in some]
        materials += [*style.floors.values(), *style.walls.values(), *style.ceilings.values(), style.trim]
        assert all(0 < value < 1 for m in materials for value in (*m.colour, *m.accent))
        assert style.window_low < style.window_high < 2.5


def test_houses_of_one_style_are_relatives() -> None:
    a, b = draw_style(0, "a", "classic"), draw_style(0, "b", "classic")
    assert a.trim.colour != b.trim.colour
    assert draw_style(0, "a", "classic") == a


def test_split_leaves_nothing_out() -> None:
    pieces = split(Rect(0, 0, 10, 4), "x", [1, 2, 1])
    assert [(p.x0, p.x1) for p in pieces] == [(0, 2.5), (2.5, 7.5), (7.5, 10)]
    assert all((p.y0, p.y1) == (0, 4) for p in pieces)


def test_shared_wall() -> None:
    a = Rect(0, 0, 4, 4)
    assert shared_wall(a, Rect(4 + WALL, 1, 8, 6)) == ("east", (1, 4))
    assert shared_wall(a, Rect(1, -5, 3, -WALL)) == ("south", (1, 3))
    assert shared_wall(a, Rect(4.5, 1, 8, 6)) is None
    assert shared_wall(a, Rect(4 + WALL, 5, 8, 6)) is None


def test_without() -> None:
    assert without([(0, 10)], [(2, 3), (2.5, 4), (9, 12)]) == [(0, 2), (4, 9)]
    assert without([(0, 1)], [(-1, 2)]) == []
