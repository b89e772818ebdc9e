import numpy as np
import pytest
from boxes import box, with_boxes
from numpy.typing import NDArray

from helpanna.worlds.houses.doors import LEAF, door_leaves
from helpanna.worlds.houses.layout import House, Placed, Rect
from helpanna.worlds.houses.plan import plan_house
from helpanna.worlds.houses.rays import Caster
from helpanna.worlds.houses.sheets import Sheets
from helpanna.worlds.houses.shell import shell_mesh

HOUSES = [plan_house("a", 0, size="small"), plan_house("b", 0, storeys=2), plan_house("c", 0, storeys=3)]


def triangles(house: House) -> NDArray[np.float64]:
    mesh, _ = shell_mesh(house)
    return mesh.vertices[mesh.triangles].astype(np.float64)


def normals(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


def places_inside(house: House, count: int) -> NDArray[np.float64]:
    """Points in the air of all rooms, not inside stairs or doors."""
    rng = np.random.default_rng(0)
    points = []
    for room in house.rooms:
        r = room.rect
        low, high = (
            (r.x0 + 0.1, r.y0 + 0.1, room.z + 0.1),
            (r.x1 - 0.1, r.y1 - 0.1, room.z + room.height - 0.1),
        )
        points.append(rng.uniform(low, high, (count, 3)))
    everywhere = np.concatenate(points)
    solid = [stair.rect.grown(0.1) for stair in house.stairs]
    solid += [leaf.grown(0.08) for leaf in door_leaves(house) if leaf]
    for rect in solid:
        everywhere = everywhere[~inside(rect, everywhere)]
    return everywhere


def inside(rect: Rect, points: NDArray[np.float64]) -> NDArray[np.bool_]:
    x, y, _ = points.T
    return (rect.x0 <= x) & (x <= rect.x1) & (rect.y0 <= y) & (y <= rect.y1)


def random_directions(count: int) -> NDArray[np.float64]:
    directions = np.random.default_rng(1).normal(size=(count, 3))
    return directions / np.linalg.norm(directions, axis=1, keepdims=True)


def through_windows(
    house: House, origins: NDArray[np.float64], rays: NDArray[np.float64]
) -> NDArray[np.bool_]:
    passed = np.zeros(len(origins), dtype=bool)
    for opening in house.openings:
        if opening.kind != "window":
            continue
        room = house.rooms[opening.room]
        r, axis = room.rect, 0 if opening.side in ("west", "east") else 1
        at = {"west": r.x0, "east": r.x1, "south": r.y0, "north": r.y1}[opening.side]
        far = (at - origins[:, axis]) / rays[:, axis]
        points = origins + far[:, None] * rays
        passed |= (
            (far > 0)
            & (np.abs(points[:, 1 - axis] - opening.centre) <= opening.width / 2 + 1e-4)
            & (points[:, 2] >= room.z + opening.low - 1e-4)
            & (points[:, 2] <= room.z + opening.high + 1e-4)
        )
    return passed


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.name)
def test_no_ray_escapes_except_through_a_window(house: House) -> None:
    corners = triangles(house)
    origins = places_inside(house, 8000)
    rays = random_directions(len(origins))
    hit = Caster(corners).hits(origins, rays).triangle
    out = hit < 0
    assert out.any()
    assert through_windows(house, origins[out], rays[out]).all()


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.name)
def test_surfaces_face_the_people(house: House) -> None:
    corners = triangles(house)
    origins = places_inside(house, 3000)
    rays = random_directions(len(origins))
    hit = Caster(corners).hits(origins, rays).triangle
    seen = hit >= 0
    assert (np.sum(normals(corners)[hit[seen]] * rays[seen], axis=1) < 0).all()


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.name)
def test_arrays_are_sound(house: House) -> None:
    mesh, materials = shell_mesh(house)
    assert np.linalg.norm(normals(triangles(house)), axis=1).min() > 1e-5
    assert mesh.slot.min() >= 0
    assert mesh.slot.max() < len(materials)
    assert mesh.uv.shape == (len(mesh.triangles), 3, 2)
    again, _ = shell_mesh(house)
    assert np.array_equal(mesh.vertices, again.vertices)


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.name)
def test_texture_coordinates_are_metres(house: House) -> None:
    mesh, _ = shell_mesh(house)
    corners = triangles(house)
    on_surface = np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)
    on_texture = np.linalg.norm((mesh.uv[:, 1] - mesh.uv[:, 0]).astype(np.float64), axis=1)
    assert on_texture == pytest.approx(on_surface, abs=1e-4)


def test_one_can_look_through_every_inner_door() -> None:
    for house in HOUSES:
        caster = Caster(triangles(house))
        for opening in house.openings:
            if opening.other is None:
                continue
            room = house.rooms[opening.room]
            across = opening.side in ("west", "east")
            r = room.rect
            at = {"west": r.x0, "east": r.x1, "south": r.y0, "north": r.y1}[opening.side]
            towards = -1.0 if opening.side in ("west", "south") else 1.0
            start = [at - 0.5 * towards, opening.centre, room.z + 1.5]
            ray = [towards, 0.0, 0.0]
            if not across:
                start, ray = [start[1], start[0], start[2]], [0.0, towards, 0.0]
            assert caster.clear(np.array([start]), np.array([ray]), np.array([1.0])).all()


def test_the_front_door_is_closed() -> None:
    for house in HOUSES:
        door = next(o for o in house.openings if o.kind == "door" and o.other is None)
        r, room = house.rooms[door.room].rect, house.rooms[door.room]
        start, ray = {
            "west": ((r.x0 + 0.5, door.centre), (-1, 0)),
            "east": ((r.x1 - 0.5, door.centre), (1, 0)),
            "south": ((door.centre, r.y0 + 0.5), (0, -1)),
            "north": ((door.centre, r.y1 - 0.5), (0, 1)),
        }[door.side]
        hit = Caster(triangles(house)).hits(np.array([[*start, room.z + 1.4]]), np.array([[*ray, 0.0]]))
        assert hit.triangle[0] >= 0
        assert 0.5 < hit.distance[0] < 0.62


def test_leaves_are_thin_and_in_their_room() -> None:
    found = 0
    for house in HOUSES:
        for opening, leaf in zip(house.openings, door_leaves(house), strict=True):
            if leaf:
                found += 1
                assert min(leaf.width, leaf.depth) == pytest.approx(LEAF)
                assert house.rooms[opening.room].rect.contains(leaf)
    assert found > 10


def test_a_sheet_is_its_rectangle_without_its_holes() -> None:
    sheets = Sheets()
    sheets.sheet(0, 2.0, (0, 5), (0, 3), 1, 7, [((1, 2), (0, 2)), ((3, 4), (1, 2.5))])
    mesh = sheets.mesh()
    corners = mesh.vertices[mesh.triangles].astype(np.float64)
    area = normals(corners) / 2
    assert area.sum(axis=0) == pytest.approx([15 - 2 - 1.5, 0, 0], abs=1e-6)
    assert set(mesh.slot) == {7}


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("facing", [1, -1])
def test_rectangles_face_where_they_should(axis: int, facing: int) -> None:
    sheets = Sheets()
    sheets.rectangle(axis, 1.0, (0, 2), (0, 3), facing, 0)
    mesh = sheets.mesh()
    normal = normals(mesh.vertices[mesh.triangles].astype(np.float64)).sum(axis=0) / 2
    assert normal == pytest.approx(np.eye(3)[axis] * facing * 6)


def test_boxes_and_bars_are_closed_and_face_outwards() -> None:
    for make in (
        lambda sheets: sheets.box((0, 1), (0, 2), (0, 3), 0),
        lambda sheets: sheets.bar((0, 0, 0), (3, 1, 2), 0.1, 0.2, 0),
    ):
        sheets = Sheets()
        make(sheets)
        mesh = sheets.mesh()
        corners = mesh.vertices[mesh.triangles].astype(np.float64)
        # The divergence theorem: a closed surface has no net area, and its volume is positive.
        assert normals(corners).sum(axis=0) == pytest.approx([0, 0, 0], abs=1e-6)
        assert np.sum(corners.mean(axis=1) * normals(corners)) / 6 > 0.01


def test_a_leaf_makes_way_for_furniture() -> None:
    house = HOUSES[0]
    which = next(i for i, o in enumerate(house.openings) if o.kind == "door" and o.other is not None)
    opening, leaf = house.openings[which], door_leaves(house)[which]
    assert leaf is not None
    floor = house.rooms[opening.room].z
    crate = Placed(box("crate", 0.1, 0.1, 0.5), opening.room, (*leaf.centre, floor), 0)
    other = door_leaves(with_boxes(house, crate))[which]
    assert other != leaf
    if other is not None:
        assert not other.meets(crate.footprint)
        second = Placed(box("crate", 0.1, 0.1, 0.5), opening.room, (*other.centre, floor), 0)
        assert door_leaves(with_boxes(house, crate, second))[which] is None
    rug = Placed(box("rug", 0.5, 0.5, 0.02), opening.room, (*leaf.centre, floor), 0)
    assert door_leaves(with_boxes(house, rug))[which] == leaf


def test_a_leaf_does_not_part_a_room() -> None:
    """A way along the wall past the door, as wide as a person, is closed by a leaf at its far end."""
    house = HOUSES[0]
    for which, leaf in enumerate(door_leaves(house)):
        opening = house.openings[which]
        r = house.rooms[opening.room].rect
        if leaf is None or opening.side not in ("south", "north") or r.width < 3:
            continue
        # Furniture leaves a strip of 0.9 m before the door's wall, all of it to be walked.
        y = (r.y0 + 0.9 + r.y1) / 2 if opening.side == "south" else (r.y0 + r.y1 - 0.9) / 2
        block = box("block", r.width - 0.02, r.depth - 0.92, 1.0)
        crammed = with_boxes(
            house, Placed(block, opening.room, (r.centre[0], y, house.rooms[opening.room].z), 0)
        )
        found = door_leaves(crammed)[which]
        ends = (found.x0 - r.x0, r.x1 - found.x1) if found else (0.0, 0.0)
        assert min(ends) < 0.6  # in a corner, where nobody wants to pass, or nowhere
