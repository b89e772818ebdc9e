from dataclasses import replace

import numpy as np
import pytest
from handmade_house import DAY, NIGHT, RED, WHITE, box, house, room_scene

from helpanna.worlds.houses.light import BOUNCES, bake
from helpanna.worlds.houses.scene import BUILDING, joined_scene, scene_of
from helpanna.worlds.houses.sources import through_windows
from helpanna.worlds.houses.surfaces import surfaces_of
from helpanna.worlds.houses.textures import palette


def baked(scene):
    surfaces = surfaces_of(scene)
    return surfaces, bake(scene, surfaces, palette(scene.materials))


def areas(vertices, triangles):
    corners = vertices[triangles].astype(float)
    return np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=-1) / 2


def mean_light(surfaces, light):
    """The mean over all surfaces, by area."""
    weights = areas(surfaces.vertices, surfaces.triangles)
    return np.average(light[surfaces.triangles].mean(axis=(1, 2)), weights=weights)


def test_cutting_keeps_the_area_and_leaves_no_long_edges():
    scene = room_scene((box((1, 1, 0), (2, 2, 1)), RED))
    surfaces = surfaces_of(scene)
    for thing in (BUILDING, 0):
        before = areas(scene.vertices, scene.triangles[scene.thing == thing]).sum()
        after = areas(surfaces.vertices, surfaces.triangles[surfaces.thing == thing]).sum()
        assert after == pytest.approx(before, rel=1e-5)
    ends = surfaces.vertices[surfaces.edges]
    assert np.linalg.norm(ends[:, 0] - ends[:, 1], axis=-1).max() <= 0.36 + 1e-6
    np.testing.assert_allclose(np.linalg.norm(surfaces.normals, axis=-1), 1, atol=1e-5)


def test_cut_triangles_fit_their_neighbours():
    surfaces = surfaces_of(room_scene((box((1, 1, 0.53), (2, 2, 1.2)), RED)))
    place = np.round(surfaces.vertices / 0.0005).astype(int)
    _, corner = np.unique(place, axis=0, return_inverse=True)
    triangles = corner.ravel()[surfaces.triangles]
    pairs = np.sort(np.stack([triangles, np.roll(triangles, -1, axis=1)], -1).reshape(-1, 2), axis=1)
    _, times = np.unique(pairs, axis=0, return_counts=True)
    assert set(times) == {2}  # closed surfaces: every edge belongs to two triangles


def test_texture_coordinates_follow_the_cuts():
    scene = room_scene()
    surfaces = surfaces_of(scene)
    floor = np.flatnonzero((surfaces.vertices[surfaces.triangles][..., 2] == 0).all(axis=1))
    np.testing.assert_allclose(
        surfaces.uv[floor], surfaces.vertices[surfaces.triangles[floor]][..., [0, 1]], atol=1e-5
    )


def test_a_lamp_lights_by_the_inverse_square_law():
    dark = replace(WHITE, colour=(0.0, 0.0, 0.0))
    surfaces, light = baked(room_scene(walls=dark, size=(8.0, 8.0, 6.0), lamp=(4.0, 4.0, 3.0), power=9.0))
    floor = (surfaces.vertices[:, 2] == 0) & (surfaces.normals[:, 2] > 0.9)
    offset = surfaces.vertices[floor] - np.array([4.0, 4.0, 3.0])
    distance = np.linalg.norm(offset, axis=-1)
    expected = 9.0 * (3.0 / distance) / distance**2
    np.testing.assert_allclose(light[floor, 0], expected, rtol=0.12, atol=0.02)


def test_bounces_carry_the_energy_a_closed_room_has():
    power = 2.0
    grey = replace(WHITE, colour=(0.5, 0.5, 0.5))
    dark = replace(WHITE, colour=(0.0, 0.0, 0.0))
    direct = mean_light(*baked(room_scene(walls=dark, power=power)))
    total = mean_light(*baked(room_scene(walls=grey, power=power)))
    assert total / direct == pytest.approx(sum(0.5**k for k in range(BOUNCES + 1)), rel=0.04)


def test_no_light_leaks_into_a_closed_room_next_door():
    parts = [
        (box((0, 0, 0), (3, 3, 2.5), inside=True), (WHITE,)),
        (box((3.14, 0, 0), (6, 3, 2.5), inside=True), (WHITE,)),
    ]
    scene = joined_scene(parts, [[1.5, 1.5, 2.0]], [[5.0, 5.0, 5.0]], [], NIGHT)
    surfaces, light = baked(scene)
    beyond = surfaces.vertices[:, 0] > 3.1
    assert light[beyond].max() == 0
    assert light[~beyond].min() > 0.02


def test_daylight_comes_through_the_window_and_fades_inwards():
    scene = replace(scene_of(house(things=False)), lamp_power=np.zeros((2, 3), np.float32), sky=DAY)
    surfaces, light = baked(scene)
    up = (surfaces.vertices[:, 2] == 0) & (surfaces.normals[:, 2] > 0.9)
    near, far = (
        up & (abs(surfaces.vertices[:, 0] - 1.5) < 0.5) & (abs(surfaces.vertices[:, 1] - y) < 0.3)
        for y in (1.0, 2.7)
    )
    beyond = up & (surfaces.vertices[:, 0] > 3.5)
    assert light[near].mean() > 1.3 * light[far].mean() > 2.6 * light[beyond].mean() > 0


def test_a_floor_under_a_box_does_not_darken_the_floor_around_it():
    surfaces, light = baked(room_scene((box((1.5, 1.0, 0.0), (2.5, 2.0, 0.5)), WHITE), lamp=(2.0, 1.5, 2.2)))
    floor = (surfaces.vertices[:, 2] == 0) & (surfaces.normals[:, 2] > 0.9)
    middle = surfaces.vertices - np.array([2.0, 1.5, 0.0], dtype=np.float32)
    outside = floor & (abs(middle[:, :2]).max(axis=-1) > 0.45)
    assert light[outside].min() > 0.3 * np.median(light[outside])


def test_light_is_the_same_every_time():
    scene = scene_of(house())
    np.testing.assert_array_equal(baked(scene)[1], baked(scene)[1])


def test_lines_through_windows_are_found():
    window = np.array([[[2, 0, 1], [-1, 0, 0], [0, 0, 1]]], dtype=np.float32)  # x 1..2, z 1..2, inwards is +y
    points = np.array([[1.5, 1.0, 0.5], [1.5, 1.0, 3.0], [0.0, 1.0, 0.5], [1.5, -1.0, 0.5]], dtype=np.float32)
    sun = np.array([0, -np.sqrt(0.5), np.sqrt(0.5)], dtype=np.float32)
    np.testing.assert_array_equal(through_windows(points, sun, window, 0.0), [True, False, False, False])
    np.testing.assert_array_equal(through_windows(points, -sun, window, 0.0), [False] * 4)
