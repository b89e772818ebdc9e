"""Furnished houses: nothing intersects, doors and ways are free, rooms have what such rooms must have."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy.ndimage import label

from helpanna.errors import InputError
from helpanna.worlds.houses.arrangement.house import furnish
from helpanna.worlds.houses.layout import House, HouseRoom, Opening, Placed, Rect, RoomKind, Side
from helpanna.worlds.houses.plan import plan_house
from helpanna.worlds.houses.styles import draw_style

FLAT = ("rug", "door mat", "bath mat")
OPPOSITE: dict[Side, Side] = {"west": "east", "east": "west", "south": "north", "north": "south"}
MUST: dict[RoomKind, tuple[tuple[str, ...], ...]] = {
    "bedroom": (("bed", "bunk bed"), ("wardrobe",)),
    "kitchen": (("sink",), ("stove",), ("refrigerator",), ("kitchen counter",)),
    "bathroom": (("toilet",), ("bathtub", "shower"), ("washbasin",)),
    "living room": (("sofa", "loveseat"), ("television", "fireplace")),
    "dining room": (("dining table",), ("dining chair",)),
    "office": (("desk",), ("office chair",), ("monitor", "computer"), ("bookshelf",)),
    "laundry room": (("washing machine",),),
}
SEEDS = range(8)


@pytest.fixture(scope="module")
def houses() -> list[House]:
    return [furnish(plan_house(f"house {seed}", seed), seed) for seed in SEEDS]


def one_room(kind: RoomKind, width: float, depth: float, name: str = "hut") -> House:
    """A room by itself with a door in the south and a window in the north."""
    style = draw_style(0, name)
    room = HouseRoom(kind, kind, 0, Rect(0, 0, width, depth), 0.0, 2.6)
    door = Opening("door", 0, None, "south", 0.7, 0.9, 0.0, 2.05)
    window = Opening("window", 0, None, "north", width / 2, 1.0, 1.1, 2.1)
    wall = style.walls[kind]
    return House(name, style.name, (room,), (door, window), (), (wall,), (wall,), (wall,), style.trim)


def block(placed: Placed) -> np.ndarray:
    r, z = placed.footprint, placed.position[2]
    return np.array([[r.x0, r.y0, z], [r.x1, r.y1, z + placed.thing.size[2]]])


def intersect(a: Placed, b: Placed) -> bool:
    one, two = block(a), block(b)
    return bool((np.minimum(one[1], two[1]) - np.maximum(one[0], two[0]) > 1e-3).all())


def stands_on(small: Placed, large: Placed) -> bool:
    """Whether a thing stands on one of the tops of another, all of it."""
    for rect, height in large.thing.tops:
        if abs(large.position[2] + height - small.position[2]) < 1e-6:
            corners = np.array([[rect.x0, rect.y0], [rect.x1, rect.y1]])
            turn = np.array([[0, -1], [1, 0]])  # a quarter clockwise, for row vectors
            for _ in range(large.quarter):
                corners = corners @ turn
            corners = np.sort(corners + large.position[:2], axis=0)
            r = small.footprint
            if (corners[0] <= np.array([r.x0, r.y0]) + 1e-6).all() and (
                corners[1] >= np.array([r.x1, r.y1]) - 1e-6
            ).all():
                return True
    return False


def in_room(house: House, index: int) -> list[Placed]:
    return [placed for placed in house.things if placed.room == index]


def strips(house: House, index: int, depth: float) -> list[tuple[Opening, Rect]]:
    """The floor before each door and passage of a room."""
    found = []
    r = house.rooms[index].rect
    for o in house.openings:
        for room, side in ((o.room, o.side), (o.other, OPPOSITE[o.side])):
            if room == index and o.kind != "window":
                low, high = o.centre - o.width / 2, o.centre + o.width / 2
                found.append(
                    {
                        "south": (o, Rect(low, r.y0, high, r.y0 + depth)),
                        "north": (o, Rect(low, r.y1 - depth, high, r.y1)),
                        "west": (o, Rect(r.x0, low, r.x0 + depth, high)),
                        "east": (o, Rect(r.x1 - depth, low, r.x1, high)),
                    }[side]
                )
    return found


def test_nothing_intersects(houses):
    for house in houses:
        for index in range(len(house.rooms)):
            solid = [placed for placed in in_room(house, index) if placed.thing.type not in FLAT]
            for a, b in combinations(solid, 2):
                if intersect(a, b):
                    assert stands_on(a, b) or stands_on(b, a), (house.name, a.thing.type, b.thing.type)


def test_what_stands_on_a_shelf_fits_below_the_next_one(houses):
    shelved = 0
    for house in houses:
        for small in house.things:
            for large in in_room(house, small.room):
                if small is not large and stands_on(small, large):
                    head = small.position[2] + small.thing.size[2] - large.position[2]
                    level = small.position[2] - large.position[2]
                    above = [z for _, z in large.thing.tops if z > level + 1e-6]
                    if large.thing.type in ("bookshelf", "kitchen shelf", "china cabinet") and above:
                        shelved += 1
                        assert head < min(above) - 0.025, (house.name, small.thing.type, large.thing.type)
    assert shelved > 20


def test_everything_is_inside_its_room(houses):
    for house in houses:
        for placed in house.things:
            room = house.rooms[placed.room]
            assert room.rect.grown(1e-6).contains(placed.footprint), (house.name, placed.thing.type)
            assert room.z - 1e-6 <= placed.position[2]
            assert placed.position[2] + placed.thing.size[2] <= room.z + room.height + 1e-6


def test_everything_stands_on_something_hangs_on_a_wall_or_from_the_ceiling(houses):
    for house in houses:
        for placed in house.things:
            room, r = house.rooms[placed.room], placed.footprint
            low, high = placed.position[2] - room.z, placed.position[2] - room.z + placed.thing.size[2]
            back = (room.rect.y1 - r.y1, room.rect.x1 - r.x1, r.y0 - room.rect.y0, r.x0 - room.rect.x0)[
                placed.quarter
            ]
            held = low < 1e-6 or high > room.height - 1e-6 or back < 0.031
            held = held or any(stands_on(placed, other) for other in in_room(house, placed.room))
            assert held, (house.name, placed.thing.type, low)


def test_doors_and_passages_are_free(houses):
    for house in houses:
        for index, room in enumerate(house.rooms):
            for opening, strip in strips(house, index, 0.9):
                for placed in in_room(house, index):
                    hangs_higher = placed.position[2] >= room.z + opening.high
                    if placed.thing.type not in FLAT and not hangs_higher:
                        assert not placed.footprint.grown(-1e-4).meets(strip), (house.name, placed.thing.type)


def test_windows_are_not_blocked_by_tall_furniture(houses):
    for house in houses:
        for o in house.openings:
            if o.kind != "window":
                continue
            r, low, high = house.rooms[o.room].rect, o.centre - o.width / 2, o.centre + o.width / 2
            before = {
                "south": Rect(low, r.y0, high, r.y0 + 0.3),
                "north": Rect(low, r.y1 - 0.3, high, r.y1),
                "west": Rect(r.x0, low, r.x0 + 0.3, high),
                "east": Rect(r.x1 - 0.3, low, r.x1, high),
            }[o.side]
            floor = house.rooms[o.room].z
            for placed in in_room(house, o.room):
                stands = placed.position[2] == floor and placed.thing.type not in ("curtain", "sink")
                if stands and placed.footprint.grown(-1e-3).meets(before):
                    assert placed.thing.size[2] <= max(o.low, 1.0) + 1e-3, (house.name, placed.thing.type)


def walkable(house: House, index: int, wide: float = 0.66) -> bool:
    """Whether a square of this width can be moved from each door of a room to all others."""
    room = house.rooms[index]
    cell = 0.04
    r = room.rect
    xs, ys = (
        np.arange(r.x0 + wide / 2, r.x1 - wide / 2, cell),
        np.arange(r.y0 + wide / 2, r.y1 - wide / 2, cell),
    )
    free = np.ones((len(xs), len(ys)), dtype=bool)
    obstacles = [p for p in in_room(house, index) if p.thing.type not in FLAT]
    solid = [p.footprint for p in obstacles if p.position[2] < room.z + 2.0]
    solid += [stair.rect for stair in house.stairs if index in (stair.lower, stair.upper)]
    for rect in solid:
        wider = rect.grown(wide / 2)
        inside = (xs > wider.x0) & (xs < wider.x1)
        free[np.ix_(inside, (ys > wider.y0) & (ys < wider.y1))] = False
    parts, _ = label(free)
    spots = []
    for _, strip in strips(house, index, 0.9):
        inside = np.ix_((xs > strip.x0) & (xs < strip.x1), (ys > strip.y0) & (ys < strip.y1))
        spots.append(set(parts[inside].ravel().tolist()) - {0})
    return bool(set.intersection(*spots))


def test_all_doors_of_a_room_are_joined_by_free_ways(houses):
    for house in houses:
        for index, room in enumerate(house.rooms):
            assert walkable(house, index), (house.name, room.name)


def test_stairs_are_free(houses):
    assert any(house.stairs for house in houses)
    for house in houses:
        for stair in house.stairs:
            for placed in [*in_room(house, stair.lower), *in_room(house, stair.upper)]:
                assert not placed.footprint.meets(stair.rect), (house.name, placed.thing.type)


def test_rooms_have_what_such_rooms_must_have(houses):
    for house in houses:
        for index, room in enumerate(house.rooms):
            types = {placed.thing.type for placed in in_room(house, index)}
            for some in MUST.get(room.kind, ()):
                assert types & set(some), (house.name, room.name, some)
            assert any(placed.thing.lamp is not None for placed in in_room(house, index)), (
                house.name,
                room.name,
            )


def test_houses_are_rich_but_not_crammed(houses):
    for house in houses:
        assert 60 <= len(house.things) <= 25 * len(house.rooms)
        assert len({placed.thing.type for placed in house.things}) >= 40
    everything = {placed.thing.type for house in houses for placed in house.things}
    assert len(everything) >= 100


def _front(placed: Placed) -> np.ndarray:
    return np.array([(0, -1), (-1, 0), (0, 1), (1, 0)][placed.quarter])


def test_beds_have_their_heads_at_walls_and_sofas_look_at_what_they_face(houses):
    for house in houses:
        for index, room in enumerate(house.rooms):
            here = in_room(house, index)
            for bed in (placed for placed in here if placed.thing.type == "bed"):
                r = bed.footprint
                gaps = (r.x0 - room.rect.x0, room.rect.x1 - r.x1, r.y0 - room.rect.y0, room.rect.y1 - r.y1)
                assert min(gaps) < 0.05
            sofas = [p for p in here if p.thing.type == "sofa"]
            tables = [p for p in here if p.thing.type == "coffee table"]
            for table in tables:
                away = np.subtract(table.position[:2], sofas[0].position[:2]) if sofas else None
                assert away is None or away @ _front(sofas[0]) > 0.5


def test_chairs_face_their_table(houses):
    for house in houses:
        for index in range(len(house.rooms)):
            here = in_room(house, index)
            tables = [p for p in here if p.thing.type == "dining table"]
            for chair in (p for p in here if p.thing.type == "dining chair"):
                assert np.subtract(tables[0].position[:2], chair.position[:2]) @ _front(chair) > 0.4


def test_stoves_have_hoods_above_them(houses):
    hoods = 0
    for house in houses:
        for placed in house.things:
            if placed.thing.type == "range hood":
                hoods += 1
                below = [p for p in in_room(house, placed.room) if p.thing.type == "stove"]
                assert np.allclose(below[0].position[:2], placed.position[:2], atol=0.2)
    assert hoods > 0.8 * len(houses)


def test_the_same_seed_furnishes_the_same_and_another_does_not():
    plan = plan_house("house", 5)
    one, two, other = furnish(plan, 5), furnish(plan, 5), furnish(plan, 6)
    assert len(one.things) == len(two.things)
    for a, b in zip(one.things, two.things, strict=True):
        assert (a.position, a.quarter, a.room) == (b.position, b.quarter, b.room)
        assert a.thing.materials == b.thing.materials
        assert (a.thing.mesh.vertices == b.thing.mesh.vertices).all()
    assert [a.position for a in one.things] != [a.position for a in other.things]
    assert replace(one, things=()).rooms == plan.rooms


@pytest.mark.parametrize(
    ("kind", "width", "depth"),
    [
        ("bedroom", 2.6, 3.4), ("bedroom", 5.0, 5.0), ("bathroom", 1.7, 2.6), ("bathroom", 3.0, 4.0),
        ("kitchen", 2.2, 3.3), ("kitchen", 5.0, 4.5), ("living room", 3.2, 4.5), ("living room", 8.0, 5.5),
        ("dining room", 2.6, 3.3), ("dining room", 5.0, 5.0), ("office", 2.2, 2.9),
        ("laundry room", 1.6, 2.1), ("hall", 1.5, 2.2), ("corridor", 1.05, 6.0),
    ],
)  # fmt: skip
def test_small_and_large_rooms_can_be_furnished(kind, width, depth):
    house = furnish(one_room(kind, width, depth), 0)
    types = {placed.thing.type for placed in house.things}
    for some in MUST.get(kind, ()):
        assert types & set(some)
    test_nothing_intersects([house])
    test_doors_and_passages_are_free([house])
    assert walkable(house, 0)


def test_a_room_that_is_too_small_is_named():
    with pytest.raises(InputError, match=r"bedroom of hut \(1.50 x 1.60 m\) is too small"):
        furnish(one_room("bedroom", 1.5, 1.6), 0)


@pytest.mark.slow
def test_many_houses():
    some = [furnish(plan_house(f"house {seed}", seed), seed) for seed in range(100, 160)]
    for check in (
        test_nothing_intersects,
        test_everything_is_inside_its_room,
        test_doors_and_passages_are_free,
        test_windows_are_not_blocked_by_tall_furniture,
        test_all_doors_of_a_room_are_joined_by_free_ways,
        test_rooms_have_what_such_rooms_must_have,
        test_houses_are_rich_but_not_crammed,
    ):
        check(some)
