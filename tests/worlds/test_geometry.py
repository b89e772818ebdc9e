"""Headings, views and rays: stated as laws, and against computations of the test's own."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from helpanna.worlds import geometry as g

views = st.integers(0, 35)
headings = st.floats(0, 2 * math.pi, exclude_max=True)
elevations = st.floats(-math.pi / 2 + 1e-3, math.pi / 2 - 1e-3)
coordinates = st.floats(-50, 50)
vectors = st.tuples(coordinates, coordinates, coordinates).filter(lambda v: math.hypot(*v) > 1e-3)


def angle_between(a, b):
    """Stable also for tiny angles, unlike the arc cosine."""
    a, b = np.asarray(a) / np.linalg.norm(a), np.asarray(b) / np.linalg.norm(b)
    return math.atan2(np.linalg.norm(np.cross(a, b)), float(a @ b))


def centre(view):
    """Where a view looks, written out from the specification."""
    heading, elevation = math.radians(view % 12 * 30), math.radians((view // 12 - 1) * 30)
    return (
        math.cos(elevation) * math.sin(heading),
        math.cos(elevation) * math.cos(heading),
        math.sin(elevation),
    )


@pytest.mark.parametrize(
    ("vector", "heading", "elevation"),
    [
        ((0, 1, 0), 0, 0),
        ((1, 0, 0), 90, 0),
        ((0, -1, 0), 180, 0),
        ((-1, 0, 0), 270, 0),
        ((1, 1, 0), 45, 0),
        ((0, 1, 1), 0, 45),
        ((2, 0, -2), 90, -45),
    ],
)
def test_headings_grow_clockwise_from_y(vector, heading, elevation):
    assert np.degrees(g.angles(vector)) == pytest.approx([heading, elevation])
    assert g.direction(*np.radians([heading, elevation])) == pytest.approx(vector / np.linalg.norm(vector))


@given(headings, elevations)
def test_angles_invert_direction(heading, elevation):
    found_heading, found_elevation = g.angles(g.direction(heading, elevation))
    assert math.cos(found_heading - heading) == pytest.approx(1, abs=1e-9)
    assert found_elevation == pytest.approx(elevation, abs=1e-9)


@given(vectors)
def test_direction_inverts_angles(vector):
    heading, elevation = g.angles(vector)
    assert 0 <= heading <= 2 * math.pi
    assert g.direction(heading, elevation) * math.hypot(*vector) == pytest.approx(vector, abs=1e-9)


def test_view_index_is_elevation_times_12_plus_heading():
    assert [int(g.view_index(h, e)) for e in range(3) for h in range(12)] == list(range(36))
    assert np.degrees(g.view_heading(np.arange(36))) == pytest.approx(np.tile(np.arange(12) * 30, 3))
    assert np.degrees(g.view_elevation(np.arange(36))) == pytest.approx(np.repeat([-30, 0, 30], 12))
    assert int(g.view_index(-1, 1)) == 23
    assert int(g.view_index(12, 2)) == 24


def test_view_directions_are_the_centres():
    assert pytest.approx(np.array([centre(view) for view in range(36)])) == g.VIEW_DIRECTIONS


@given(vectors)
def test_nearest_view_is_nearest_in_angle_among_all_36(vector):
    apart = [angle_between(vector, centre(view)) for view in range(36)]
    # Cosines are compared to 9 decimals: near a view's centre that is an angle of 1e-4.
    assert apart[int(g.nearest_view(vector))] <= min(apart) + 1e-4
    nearest, second = sorted(apart)[:2]
    assume(second - nearest > 1e-3)
    assert int(g.nearest_view(vector)) == apart.index(nearest)


@given(views, st.floats(0.1, 100))
def test_the_nearest_view_to_its_own_centre_is_itself(view, length):
    assert int(g.nearest_view(np.array(centre(view)) * length)) == view


def test_the_lowest_view_wins_a_tie():
    assert int(g.nearest_view((0, 0, 1))) == 24
    assert int(g.nearest_view((0, 0, -1))) == 0
    half = math.radians(15)
    assert int(g.nearest_view((math.sin(half), math.cos(half), 0))) == 12


@given(st.lists(vectors, min_size=1, max_size=5))
def test_many_vectors_at_once_are_as_each_alone(several):
    assert g.nearest_view(several).tolist() == [int(g.nearest_view(vector)) for vector in several]


@given(views, views)
def test_slots_count_headings_from_the_current_one(view, current):
    slot = int(g.action_slot(view, current))
    assert slot // 12 == view // 12
    assert (slot % 12 + current % 12) % 12 == view % 12
    assert 0 <= slot < g.STOP_SLOT == g.SLOTS - 1 == 36


@given(views)
def test_camera_axes_are_orthonormal_with_the_right_side_level(view):
    axes = np.array(g.camera_axes(view))
    assert axes @ axes.T == pytest.approx(np.eye(3), abs=1e-12)
    right, up, forward = axes
    assert forward == pytest.approx(centre(view), abs=1e-12)
    assert right[2] == pytest.approx(0, abs=1e-12)
    assert up[2] > 0
    assert np.cross(right, forward) == pytest.approx(up, abs=1e-12)


@given(views, st.floats(0, 640), st.floats(0, 480), st.floats(0.1, 100))
def test_project_inverts_pixel_rays(view, x, y, length):
    ray = g.pixel_rays(x, y, view)
    assert np.linalg.norm(ray) == pytest.approx(1)
    found_x, found_y, _ = g.project(ray * length, view)
    assert (found_x, found_y) == pytest.approx((x, y), abs=1e-6)


@given(views, st.floats(1, 639), st.floats(1, 479))
def test_pixels_of_the_picture_are_inside_it(view, x, y):
    assert g.project(g.pixel_rays(x, y, view), view)[2]


@given(vectors, views)
def test_pixel_rays_invert_project(vector, view):
    depth = float(np.dot(vector, centre(view)))
    assume(abs(depth) > 0.01 * math.hypot(*vector))
    vector = np.multiply(vector, np.sign(depth))  # ahead of the camera, not behind it
    x, y, _ = g.project(vector, view)
    assert angle_between(g.pixel_rays(x, y, view), vector) < 1e-6


@given(vectors, views)
def test_what_is_inside_lies_within_the_fields_of_view(vector, view):
    """In the camera's frame: 30 degrees up and down, and 37.6 to the sides (640 pixels of 480 x 4 / 3)."""
    right, up, forward = g.camera_axes(view)
    ahead, across, above = (float(np.dot(vector, axis)) for axis in (forward, right, up))
    assume(abs(ahead) > 1e-6)
    slopes = abs(across / ahead) / (4 / 3), abs(above / ahead)
    assume(all(abs(slope - math.tan(math.radians(30))) > 1e-9 for slope in slopes))
    expected = ahead > 0 and all(slope < math.tan(math.radians(30)) for slope in slopes)
    assert bool(g.project(vector, view)[2]) == expected


@pytest.mark.parametrize(("x", "y", "elevation"), [(320, 0, 30), (320, 240, 0), (320, 480, -30)])
def test_the_vertical_field_is_60_degrees(x, y, elevation):
    heading, found = g.angles(g.pixel_rays(x, y, 15))
    assert math.degrees(found) == pytest.approx(elevation)
    assert math.degrees(heading) == pytest.approx(90)


def test_pixels_to_the_right_are_clockwise():
    left, right = (float(g.angles(g.pixel_rays(x, 240, 15))[0]) for x in (100, 500))
    assert left < math.radians(90) < right


@given(vectors)
def test_what_is_not_above_or_below_shows_in_the_nearest_view(vector):
    """The fields overlap: what is nearest to a view's centre is inside its picture (within +-60 degrees)."""
    assume(abs(math.degrees(float(g.angles(vector)[1]))) < 59)
    assert g.project(vector, g.nearest_view(vector))[2]
