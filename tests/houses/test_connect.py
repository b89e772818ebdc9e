import numpy as np
import pytest
from boxes import box, in_middle, room_of_kind, with_boxes
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from helpanna.worlds.houses.arrangement.house import furnish
from helpanna.worlds.houses.connect import EYE_HEIGHT, REACH, Navigation, connect
from helpanna.worlds.houses.doors import door_leaves
from helpanna.worlds.houses.ground import CELL, WALK, Ground, in_the_way, tunnels
from helpanna.worlds.houses.layout import House, Placed, Rect
from helpanna.worlds.houses.plan import plan_house
from helpanna.worlds.houses.space import FROM_WALL, STAND, Storey

GRID = CELL  # the free space is known so precisely


@pytest.fixture(scope="module")
def furnished() -> House:
    return furnish(plan_house("b", 0, storeys=2, size="medium"), 0)


@pytest.fixture(scope="module")
def ways(furnished: House) -> Navigation:
    return connect(furnished)


def parts(navigation: Navigation) -> int:
    n = len(navigation.positions)
    links = csr_matrix((np.ones(len(navigation.edges)), navigation.edges.T), shape=(n, n))
    return int(connected_components(links, directed=False)[0])


def distance(rect: Rect, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Metres from points [k, 2] to a rectangle, 0 inside."""
    outside = np.maximum([rect.x0, rect.y0] - points, points - [rect.x1, rect.y1])
    return np.linalg.norm(np.maximum(outside, 0), axis=1)


def test_all_is_connected_and_every_room_has_a_location(furnished: House, ways: Navigation) -> None:
    assert parts(ways) == 1
    assert set(ways.room_of.tolist()) == set(range(len(furnished.rooms)))


def test_locations_are_in_free_space(furnished: House, ways: Navigation) -> None:
    comfortable = 0
    for (x, y, z), room in zip(ways.positions, ways.room_of, strict=True):
        r, floor = furnished.rooms[room].rect, furnished.rooms[room].z
        if z > floor + EYE_HEIGHT + 0.01:
            continue  # on the stairs
        point = np.array([[x, y]])
        from_wall = min(x - r.x0, r.x1 - x, y - r.y0, r.y1 - y)
        from_things = min(
            (
                float(distance(placed.footprint, point)[0])
                for placed in furnished.things
                if placed.room == room and in_the_way(furnished, placed)
            ),
            default=9.0,
        )
        assert z == pytest.approx(floor + EYE_HEIGHT)
        assert from_things >= WALK - GRID  # also where one only passes between two other locations
        comfortable += from_wall >= FROM_WALL - GRID and from_things >= STAND - GRID
    assert comfortable > 0.8 * len(ways.positions)


def test_edges_are_walkable(furnished: House, ways: Navigation) -> None:
    """No tall thing, wall or open door is nearer to the straight line than a person is wide."""
    leaves = door_leaves(furnished)
    for a, b in ways.edges:
        p, q = ways.positions[a], ways.positions[b]
        if abs(p[2] - q[2]) > 0.1:
            continue
        floor = furnished.rooms[ways.room_of[a]].floor
        line = p[:2] + np.linspace(0, 1, 60)[:, None] * (q - p)[:2]
        inside = np.zeros(60, dtype=bool)
        for rect in (
            *(room.rect for room in furnished.rooms if room.floor == floor),
            *tunnels(furnished, floor),
        ):
            inside |= distance(rect, line) == 0
        assert inside.all()
        for placed in furnished.things:
            room = furnished.rooms[placed.room]
            top = placed.position[2] + placed.thing.size[2] - room.z
            if room.floor == floor and in_the_way(furnished, placed) and top > 0.4:
                assert distance(placed.footprint, line).min() > WALK - 1.5 * GRID
        for opening, leaf in zip(furnished.openings, leaves, strict=True):
            if leaf and furnished.rooms[opening.room].floor == floor:
                assert distance(leaf, line).min() > WALK - 1.5 * GRID


def test_edges_are_short_and_seen_along(ways: Navigation) -> None:
    length = np.linalg.norm(np.diff(ways.positions[ways.edges], axis=1)[:, 0], axis=1)
    assert length.max() <= REACH
    assert length.min() > 0.4
    assert np.mean(length < 0.8) < 0.01
    sight = {tuple(pair) for pair in ways.sight_lines.tolist()}
    assert all(tuple(pair) in sight for pair in ways.edges.tolist())


def test_stairs_have_a_foot_a_middle_and_a_head(furnished: House, ways: Navigation) -> None:
    stair = furnished.stairs[0]
    lower, upper = furnished.rooms[stair.lower], furnished.rooms[stair.upper]
    heights = ways.positions[:, 2] - EYE_HEIGHT
    middle = np.flatnonzero((heights > lower.z + 0.5) & (heights < upper.z - 0.5))
    assert len(middle) == 1
    assert distance(stair.rect, ways.positions[middle, :2]) == pytest.approx(0)
    neighbours = {int(b if a == middle[0] else a) for a, b in ways.edges if middle[0] in (a, b)}
    assert sorted(heights[list(neighbours)].tolist()) == pytest.approx([lower.z, upper.z])


def test_every_door_is_walked_through(furnished: House, ways: Navigation) -> None:
    joined = {frozenset(ways.room_of[list(edge)].tolist()) for edge in ways.edges}
    for opening in furnished.openings:
        if opening.other is not None:
            assert frozenset((opening.room, opening.other)) in joined


def test_same_house_same_graph(furnished: House, ways: Navigation) -> None:
    again = connect(furnished)
    assert np.array_equal(again.positions, ways.positions)
    assert np.array_equal(again.edges, ways.edges)
    assert np.array_equal(again.sight_lines, ways.sight_lines)


def test_a_wardrobe_hides_and_blocks_but_a_rug_does_not() -> None:
    house = plan_house("a", 0, size="small")
    room = room_of_kind(house, "living room")
    depth = house.rooms[room].rect.depth
    empty = connect(house)
    carpeted = connect(with_boxes(house, in_middle(house, room, box("rug", 2.0, 1.5, 0.02))))
    assert np.array_equal(carpeted.positions, empty.positions)
    assert np.array_equal(carpeted.edges, empty.edges)
    wall = in_middle(house, room, box("wardrobe", 0.4, depth - 0.02, 2.2))
    cut = connect(with_boxes(house, wall))
    x = wall.position[0]
    for pairs in (cut.edges, cut.sight_lines):
        for a, b in pairs:
            inside = cut.room_of[a] == cut.room_of[b] == room
            if inside:
                assert (cut.positions[a, 0] < x) == (cut.positions[b, 0] < x)


def test_low_things_can_be_stepped_over_but_not_stood_on() -> None:
    house = plan_house("a", 0, size="small")
    room = room_of_kind(house, "bedroom")
    table = in_middle(house, room, box("footstool", 1.2, 1.2, 0.35))
    ways = connect(with_boxes(house, table))
    assert distance(table.footprint, ways.positions[ways.room_of == room][:, :2]).min() >= STAND - GRID
    tall = connect(with_boxes(house, in_middle(house, room, box("chest", 1.2, 1.2, 0.6))))
    here = [sum(w.room_of[a] == w.room_of[b] == room for a, b in w.edges) for w in (ways, tall)]
    assert here[0] > here[1]


def test_a_room_and_its_storey_have_the_same_cells() -> None:
    """So that what parts a storey was seen to part a room when its doors were hung."""
    house = plan_house("a", 0, size="small")
    storey = Storey(house, 0)
    for room in house.rooms:
        offset = (Ground([room.rect]).corner - storey.corner) / CELL
        assert offset == pytest.approx(np.round(offset), abs=1e-6)


def test_clear_does_not_depend_on_order_or_company() -> None:
    house = plan_house("a", 0, size="small")
    storey = Storey(house, 0)
    places = storey.points(storey.walkable)[::97]
    i, j = np.triu_indices(len(places), 1)
    there = storey.clear(places[i], places[j])
    assert np.array_equal(storey.clear(places[j], places[i]), there)
    assert storey.clear(places[i][:1], places[j][:1])[0] == there[0]


def test_a_hanging_lamp_is_not_in_the_way() -> None:
    house = plan_house("a", 0, size="small")
    lamp = box("lamp", 0.3, 0.3, 0.3)
    assert not in_the_way(house, in_middle(house, 0, lamp, z=2.0))
    assert in_the_way(house, in_middle(house, 0, lamp, z=1.2))
    assert in_the_way(house, Placed(lamp, 0, (0, 0, 0), 0))


@pytest.mark.slow
def test_statistics_are_like_those_of_real_buildings() -> None:
    lengths, degrees, counts = [], [], []
    for i in range(10):
        ways = connect(furnish(plan_house(f"house {i}", 0), 0))
        lengths += np.linalg.norm(np.diff(ways.positions[ways.edges], axis=1)[:, 0], axis=1).tolist()
        degrees += np.bincount(ways.edges.ravel(), minlength=len(ways.positions)).tolist()
        counts.append(len(ways.positions))
    assert 2.0 < np.mean(lengths) < 2.5
    assert 3.3 < np.mean(degrees) < 4.7
    assert np.mean(np.array(lengths) < 0.8) < 0.005
    assert 40 < np.mean(counts) < 90
