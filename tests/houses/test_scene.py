import numpy as np
import pytest
from handmade_house import NIGHT, WHITE, box, house, room_scene

from helpanna.worlds.houses.layout import Mesh
from helpanna.worlds.houses.scene import BUILDING, joined_scene, scene_of, sky_of, turned


@pytest.mark.parametrize(
    ("quarter", "front"), [(0, (0, -1)), (1, (-1, 0)), (2, (0, 1)), (3, (1, 0)), (5, (-1, 0))]
)
def test_things_turn_clockwise(quarter, front):
    np.testing.assert_array_equal(turned(np.array([0.0, -1.0, 0.5]), quarter), [*front, 0.5])


def test_a_scene_holds_the_building_and_its_things():
    scene = scene_of(house())
    assert set(scene.thing) == {BUILDING, 0, 1, 2, 3}
    assert scene.triangles.max() < len(scene.vertices)
    assert scene.material.max() < len(scene.materials)
    crate = scene.vertices[scene.triangles[scene.thing == 1]].reshape(-1, 3)
    np.testing.assert_allclose(crate.min(axis=0), [5.3, 0.2, 0.0], atol=1e-6)
    np.testing.assert_allclose(crate.max(axis=0), [5.7, 0.8, 0.4], atol=1e-6)


def test_lamps_are_where_things_say():
    np.testing.assert_allclose(scene_of(house()).lamps, [[1.5, 1.5, 2.3], [4.6, 1.5, 2.3]], atol=1e-6)


def test_rooms_without_lamps_are_lit_from_their_ceilings():
    np.testing.assert_allclose(
        scene_of(house(things=False)).lamps[:, :2], [[1.5, 1.5], [4.64, 1.5]], atol=1e-6
    )


def test_windows_face_into_the_house():
    ((corner, across, up),) = scene_of(house()).windows
    inwards = np.cross(across, up)
    np.testing.assert_allclose(inwards, [0.0, 1.2 * 1.2, 0.0], atol=1e-6)
    np.testing.assert_allclose(corner + across / 2 + up / 2, [1.5, 0.0, 1.5], atol=1e-6)


def test_triangles_without_area_are_left_out():
    flat = Mesh(
        np.zeros((3, 3), np.float32),
        np.array([[0, 1, 2]], np.int32),
        np.zeros((1, 3, 2), np.float32),
        np.zeros(1, np.int32),
    )
    scene = joined_scene([(box((0, 0, 0), (1, 1, 1)), (WHITE,)), (flat, (WHITE,))], [], [], [], NIGHT)
    assert len(scene.triangles) == 12


def test_equal_materials_are_one():
    scene = room_scene((box((1, 1, 0), (2, 2, 1)), WHITE))
    assert scene.materials == (WHITE,)


def test_the_sky_belongs_to_the_house_and_the_seed():
    assert sky_of("a", 1) == sky_of("a", 1)
    assert sky_of("a", 1) != sky_of("b", 1) != sky_of("b", 2)
    evenings = [sky_of(f"house {i}", 0).evening for i in range(300)]
    assert 60 < sum(evenings) < 140
    assert all(np.linalg.norm(sky_of(f"house {i}", 0).sun) == pytest.approx(1) for i in range(9))
