from dataclasses import replace

import numpy as np
import pytest
from handmade_house import DAY, NIGHT, RED, WHITE, box, house, room_scene

from helpanna.worlds.houses.film import coded, contrasts, developed, exposure_of
from helpanna.worlds.houses.layout import Material
from helpanna.worlds.houses.render import render_panorama, studio_of
from helpanna.worlds.houses.scene import scene_of

EYE = np.array([2.0, 1.5, 1.25])


@pytest.fixture(scope="module")
def studio():
    return studio_of(scene_of(house()))


def red(picture):
    """[height, width] where a picture is red."""
    return (picture[..., 0] > 60) & (picture[..., 0] > 2 * picture[..., 1].astype(int))


@pytest.mark.parametrize(
    ("place", "x", "y"),
    [
        ((2.0, 2.7, 1.25), 0.5, 0.5),  # ahead, along +y
        ((3.6, 1.5, 1.25), 0.75, 0.5),  # to the right, along +x
        ((0.4, 1.5, 1.25), 0.25, 0.5),
        ((2.0, 1.5, 0.1), None, 1.0),  # below
        ((2.0, 1.5, 2.4), None, 0.0),
    ],
)
def test_panoramas_look_where_they_should(place, x, y):
    low, high = np.array(place) - 0.1, np.array(place) + 0.1
    scene = room_scene((box(low, high), RED), lamp=(1.0, 0.6, 1.8), power=3.0)
    picture = render_panorama(studio_of(scene), EYE, 128, 64)
    rows, columns = np.nonzero(red(picture))
    assert len(rows) > 3
    assert (rows.mean() + 0.5) / 64 == pytest.approx(y, abs=0.08)
    if x is not None:
        assert (columns.mean() + 0.5) / 128 == pytest.approx(x, abs=0.01)


def test_panoramas_are_the_same_every_time_and_for_every_other_picture_taken(studio):
    first = render_panorama(studio, (1.0, 1.5, 1.5), 128, 64)
    render_panorama(studio, (4.5, 1.5, 1.5), 128, 64)
    again = studio_of(scene_of(house()))
    np.testing.assert_array_equal(first, render_panorama(again, (1.0, 1.5, 1.5), 128, 64))
    assert first.shape == (64, 128, 3)
    assert first.dtype == np.uint8


@pytest.mark.parametrize("evening", [False, True])
def test_no_wall_is_black_and_no_room_burns_out(evening):
    from helpanna.worlds.houses.scene import sky_of

    scene = replace(scene_of(house()), sky=sky_of("handmade", 0, evening))
    for x in (1.0, 5.0):
        picture = render_panorama(studio_of(scene), (x, 1.0, 1.5), 128, 64)
        brightness = picture.max(axis=-1)
        assert np.quantile(brightness, 0.02) > 25
        assert 90 < np.median(brightness) < 235
        assert (brightness == 255).mean() < 0.25


def test_the_sun_draws_the_window_on_the_floor():
    dark = replace(scene_of(house(things=False)), lamp_power=np.zeros((2, 3), np.float32))
    sunny, cloudy = (replace(dark, sky=replace(DAY, sunlight=sun)) for sun in ((20.0,) * 3, (0.0,) * 3))
    # The sun stands in the south at 3/4: the window's middle, 1.5 m up, falls 2 m behind the wall.
    studio = studio_of(sunny)
    sun = render_panorama(studio, (1.5, 2.0, 1.0), 256, 128)
    shade = render_panorama(studio_of(cloudy), (1.5, 2.0, 1.0), 256, 128)
    below = slice(120, 128)
    assert sun[below].mean() > 200 > shade[below].mean()


def test_a_window_shows_the_sky(studio):
    day, night = (replace(studio, scene=replace(studio.scene, sky=sky)) for sky in (DAY, NIGHT))
    # The window is behind the viewer: half a panorama away from its centre.
    bright, dark = (
        render_panorama(one, (1.5, 1.5, 1.5), 256, 128)[56:60, [0, 1, 254, 255]] for one in (day, night)
    )
    assert bright.mean() > 120
    assert dark.max() < 10


def test_a_mirror_shows_what_is_behind_the_viewer():
    mirror = Material("metal", (0.95, 0.95, 0.95), (1.0, 1.0, 1.0), gloss=0.95)
    parts = [(box((1.5, 2.9, 0.8), (2.5, 3.0, 1.7)), mirror), (box((1.7, 0.0, 1.0), (2.3, 0.1, 1.5)), RED)]
    ahead = (slice(31, 33), slice(63, 65))
    scene = room_scene(*parts, lamp=(2.0, 1.5, 2.2), power=3.0)
    assert red(render_panorama(studio_of(scene), EYE, 128, 64)[ahead]).all()
    scene = room_scene((parts[0][0], WHITE), parts[1], lamp=(2.0, 1.5, 2.2), power=3.0)
    assert not red(render_panorama(studio_of(scene), EYE, 128, 64)[ahead]).any()


def test_one_sees_through_glass():
    glass = Material("glass", (0.9, 0.95, 0.95), (1.0, 1.0, 1.0))
    scene = room_scene(
        (box((1.0, 2.2, 0.5), (3.0, 2.25, 2.0)), glass),
        (box((1.5, 2.8, 0.8), (2.5, 3.0, 1.7)), RED),
        lamp=(2.0, 1.5, 2.2),
        power=3.0,
    )
    assert red(render_panorama(studio_of(scene), EYE, 128, 64)[28:36, 60:68]).all()


def test_edges_are_smooth():
    white, black = replace(WHITE, colour=(0.8, 0.8, 0.8)), replace(WHITE, colour=(0.02, 0.02, 0.02))
    scene = room_scene((box((1.0, 2.4, 0.0), (1.93, 2.9, 2.5)), black), walls=white, power=3.0)
    row = render_panorama(studio_of(scene), EYE, 128, 64)[32, 40:72, 0].astype(int)
    between = (row > row.min() + 30) & (row < row.max() - 30)
    assert between.any()


def test_exposure_follows_the_light_but_not_all_the_way():
    dim = np.full((40, 80, 3), 0.1, np.float32)
    assert exposure_of(dim) > exposure_of(4 * dim)
    assert 0.1 * exposure_of(dim) < 0.4 * exposure_of(4 * dim)


def test_the_film_is_monotonic_from_black_to_white():
    light = np.repeat(np.linspace(0, 40, 5000, dtype=np.float32)[:, None], 3, axis=1)
    picture = developed(light, 1.0)
    assert picture[0, 0] == 0
    assert picture[-1, 0] == pytest.approx(1, abs=0.01)
    assert (np.diff(picture[:, 0]) >= 0).all()
    assert coded(picture[None])[0, [0, -1], 0].tolist() == [0, 255]


def test_contrasts_are_found_across_the_seam():
    picture = np.zeros((4, 8, 3), np.float32)
    picture[:, 0] = 1
    np.testing.assert_array_equal(contrasts(picture).any(axis=0), [True, True] + [False] * 5 + [True])
