"""Panoramas: rendered views agree with the geometry, and pictures on disk are complete and checked."""

import math
import sys

import numpy as np
import pytest

from helpanna.errors import InputError
from helpanna.worlds.geometry import (
    IMAGE_HEIGHT,
    IMAGE_WIDTH,
    VIEWS,
    direction,
    pixel_rays,
    project,
)
from helpanna.worlds.panoramas import (
    Panoramas,
    decode,
    encode,
    jpeg_size,
    panorama_angles,
    panorama_pixels,
    panorama_rays,
)
from helpanna.worlds.sample import sample_atlas
from helpanna.worlds.storage import (
    ATLAS,
    check_atlas,
    load_atlas,
    new_features,
    new_panoramas,
    save_atlas,
)
from helpanna.worlds.views import Views

WIDTH, HEIGHT = 2048, 1024
LEVELS = 4.0
"""Grey levels of 255 that JPEG and interpolation may cost a smooth picture."""


def smooth_colours(rays):
    """A colour for every direction, without a seam and different everywhere."""
    x, y, z = np.moveaxis(rays, -1, 0)
    return np.stack([128 + 90 * x, 128 + 90 * y, 128 + 60 * z + 30 * x * y], axis=-1)


def picture_of(colours):
    return np.round(colours).astype(np.uint8)


@pytest.fixture(scope="module")
def smooth(tmp_path_factory):
    folder = tmp_path_factory.mktemp("smooth")
    picture = picture_of(smooth_colours(panorama_rays(WIDTH, HEIGHT)))
    (folder / "0.jpg").write_bytes(encode(picture))
    return Views(panoramas=Panoramas(folder, WIDTH, HEIGHT))


@pytest.fixture
def on_disk(tmp_path):
    """A sample building on disk, not yet with panoramas."""
    atlas = sample_atlas(worlds=1)
    save_atlas(atlas, tmp_path / "atlas")
    return tmp_path / "atlas"


def small_pictures(count, width=64, height=32):
    rng = np.random.default_rng(0)
    blocks = rng.integers(0, 256, (count, height // 16, width // 16, 3), dtype=np.uint8)
    return [encode(block.repeat(16, axis=0).repeat(16, axis=1)) for block in blocks]


def add_pictures(folder, width=64, height=32):
    jpegs = small_pictures(load_atlas(folder).location_count, width, height)
    with new_panoramas(folder, width, height) as add:
        for location, jpeg in enumerate(jpegs):
            add(location, jpeg)
    return jpegs


# Geometry


def test_the_centre_column_looks_along_heading_0_and_the_heading_grows_to_the_right():
    x, y = panorama_pixels([[0, 1, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]], 360, 180)
    assert x[:3] == pytest.approx([180, 270, 90])
    assert y == pytest.approx([90, 90, 90, 0, 180])


def test_rays_go_through_the_pixels_centres():
    x, y = panorama_pixels(panorama_rays(30, 20), 30, 20)
    assert np.allclose(x, np.arange(30) + 0.5) and np.allclose(y, np.arange(20)[:, None] + 0.5)
    heading, elevation = panorama_angles(30, 20)
    assert heading[14] < 0 < heading[15] and elevation[0] > 0 > elevation[-1]


@pytest.mark.slow
def test_every_view_shows_the_colours_that_lie_along_its_rays(smooth):
    x, y = np.meshgrid(np.arange(IMAGE_WIDTH) + 0.5, np.arange(IMAGE_HEIGHT) + 0.5)
    for view in range(VIEWS):
        expected = smooth_colours(pixel_rays(x, y, view))
        shown = smooth.render_view(0, view)
        assert shown.shape == (480, 640, 3) and shown.dtype == np.uint8
        assert np.abs(shown - expected).max() < LEVELS, view


def test_any_angle_can_be_rendered(smooth):
    for heading, elevation in [(0.3, 0.1), (-7.0, -1.2), (100.0, math.pi / 2), (3.1, -math.pi / 2)]:
        shown = smooth.render(0, heading, elevation)[238:242, 318:322].mean(axis=(0, 1))
        assert np.abs(shown - smooth_colours(direction(heading, elevation))).max() < LEVELS


def test_angles_that_differ_by_full_turns_give_the_same_picture(smooth):
    turned = smooth.render(0, 0.5 + 4 * math.pi, -0.4 + 2 * math.pi)
    assert np.array_equal(smooth.render(0, 0.5, -0.4), turned)


@pytest.mark.slow
def test_spots_are_found_where_project_says(tmp_path):
    """Bright discs at known directions, among them one on the seam and two that are high and low."""
    spots = direction(np.radians([10, 100, 180, 181, 250, 330]), np.radians([5, -20, 0, 45, -50, 20]))
    nearness = (panorama_rays(WIDTH, HEIGHT) @ spots.T).max(axis=-1)
    picture = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    picture[nearness > math.cos(math.radians(0.8))] = 255
    (tmp_path / "0.jpg").write_bytes(encode(picture))
    views = Views(panoramas=Panoramas(tmp_path, WIDTH, HEIGHT))
    margin, found = 20, set()
    for view in range(VIEWS):
        shown = views.render_view(0, view).mean(axis=-1)
        x, y, inside = project(spots, view)
        inside &= (np.abs(x - IMAGE_WIDTH / 2) < IMAGE_WIDTH / 2 - margin) & (
            np.abs(y - IMAGE_HEIGHT / 2) < IMAGE_HEIGHT / 2 - margin
        )
        for i in np.flatnonzero(inside):
            left, top = int(x[i]) - margin, int(y[i]) - margin
            bright = np.argwhere(shown[top : top + 2 * margin, left : left + 2 * margin] > 128)
            centre = bright.mean(axis=0) + 0.5 + (top, left)
            assert centre == pytest.approx([y[i], x[i]], abs=0.6), (view, i)
            found.add((view, int(i)))
    assert len(found) > 20 and {i for _, i in found} == set(range(6))


def test_the_seam_is_not_seen(smooth):
    """Heading 180 degrees lies half on the left and half on the right edge of the panorama."""
    row = smooth.render(0, math.pi, 0.0)[240].astype(int)
    assert np.abs(np.diff(row, axis=0)).max() <= 2


# What is on disk


def test_an_atlas_without_panoramas_says_so():
    views = sample_atlas(worlds=1).views
    assert not views.has_panoramas
    with pytest.raises(InputError, match="no panoramas"):
        views.panorama(0)
    with pytest.raises(InputError, match="no panoramas"):
        views.render_view(0, 0)


def test_panoramas_are_saved_loaded_and_copied(on_disk, tmp_path):
    jpegs = add_pictures(on_disk)
    atlas = check_atlas(on_disk)
    assert atlas.views.has_panoramas
    assert ATLAS.read(on_disk)["panoramas"] == {
        "width": 64,
        "height": 32,
        "projection": "equirectangular",
    }
    for location, jpeg in enumerate(jpegs):
        assert np.array_equal(atlas.views.panorama(location), decode(jpeg, "it"))
    save_atlas(atlas, tmp_path / "copy")
    copy = check_atlas(tmp_path / "copy")
    assert [(copy.views.panoramas.folder / f"{i}.jpg").read_bytes() for i in range(len(jpegs))] == jpegs


def test_panoramas_are_rgb_and_read_only(tmp_path):
    red = np.zeros((16, 32, 3), np.uint8)
    red[..., 0] = 250
    (tmp_path / "0.jpg").write_bytes(encode(red))
    panoramas = Panoramas(tmp_path, 32, 16)
    assert panoramas.picture(0)[8, 16, 0] > 240 and panoramas.picture(0)[..., 1:].max() < 10
    with pytest.raises(ValueError, match="read-only"):
        panoramas.picture(0)[:] = 0


def test_a_replaced_file_is_read_anew(tmp_path):
    panoramas = Panoramas(tmp_path, 32, 16)
    for grey in (40, 200):
        (tmp_path / "0.jpg").write_bytes(encode(np.full((16, 32, 3), grey, np.uint8)))
        assert abs(int(panoramas.picture(0)[0, 0, 0]) - grey) < 5


def test_nothing_changes_if_writing_fails(on_disk):
    before = sorted(path.name for path in on_disk.rglob("*"))
    manifest = (on_disk / "manifest.json").read_bytes()
    jpegs = small_pictures(3)
    with pytest.raises(RuntimeError, match="oops"), new_panoramas(on_disk, 64, 32) as add:
        add(0, jpegs[0])
        raise RuntimeError("oops")
    with pytest.raises(ValueError, match="have no panorama"), new_panoramas(on_disk, 64, 32) as add:
        add(0, jpegs[0])
    assert sorted(path.name for path in on_disk.rglob("*")) == before
    assert (on_disk / "manifest.json").read_bytes() == manifest


def test_what_a_dead_writer_left_gives_way(on_disk):
    (on_disk / "panoramas").mkdir()
    (on_disk / "panoramas" / "left.jpg").write_bytes(b"")
    add_pictures(on_disk)
    check_atlas(on_disk)
    assert not (on_disk / "panoramas" / "left.jpg").exists()


def test_panoramas_and_features_can_be_written_together(on_disk):
    with new_panoramas(on_disk, 64, 32) as add:
        with new_features(on_disk, "zeros", 2, {}) as array:
            array[:] = 0
        for location, jpeg in enumerate(small_pictures(array.shape[0])):
            add(location, jpeg)
    atlas = check_atlas(on_disk)
    assert atlas.views.has_panoramas and "zeros" in atlas.views.features


@pytest.mark.parametrize(
    ("location", "size", "problem"),
    [
        (0, (64, 32), "already"),
        (-1, (64, 32), "not one of"),
        (10**6, (64, 32), "not one of"),
        (1, (32, 16), "no JPEG"),
    ],
)
def test_the_writer_takes_each_location_once_and_one_size(on_disk, location, size, problem):
    first = small_pictures(1)[0]
    with pytest.raises(ValueError, match=problem), new_panoramas(on_disk, 64, 32) as add:
        add(0, first)
        add(location, small_pictures(1, *size)[0])


def test_panoramas_are_written_once_and_in_sensible_sizes(on_disk):
    with pytest.raises(InputError, match="choose 1 to"), new_panoramas(on_disk, 0, 32):
        pass
    add_pictures(on_disk)
    with pytest.raises(InputError, match="already"), new_panoramas(on_disk, 64, 32):
        pass


def test_loading_finds_missing_and_cut_files(on_disk):
    jpegs = add_pictures(on_disk)
    path = on_disk / "panoramas" / "1.jpg"
    path.write_bytes(jpegs[1][:-1])
    with pytest.raises(InputError, match=r"1\.jpg is missing or cut"):
        load_atlas(on_disk)
    path.unlink()
    with pytest.raises(InputError, match=r"1\.jpg is missing or cut"):
        load_atlas(on_disk)


def test_checking_finds_a_flipped_byte(on_disk):
    jpegs = add_pictures(on_disk)
    data = bytearray(jpegs[1])
    data[-10] ^= 1
    (on_disk / "panoramas" / "1.jpg").write_bytes(data)
    load_atlas(on_disk)
    with pytest.raises(InputError, match=r"1\.jpg has changed"):
        check_atlas(on_disk)


def test_checking_finds_a_size_unlike_the_manifest(on_disk):
    add_pictures(on_disk)
    manifest = ATLAS.read(on_disk)
    manifest["panoramas"]["width"] = 128
    ATLAS.write(on_disk, manifest)
    with pytest.raises(InputError, match=r"0\.jpg is not a JPEG picture of 128 x 32"):
        check_atlas(on_disk)
    with pytest.raises(InputError, match="128 x 32"):
        load_atlas(on_disk).views.panorama(0)


def test_a_location_that_does_not_exist_is_named(on_disk):
    add_pictures(on_disk)
    with pytest.raises(InputError, match=r"99999\.jpg is missing"):
        load_atlas(on_disk).views.render(99999, 0.0, 0.0)


# JPEG files


def test_the_size_is_read_from_the_header():
    jpeg = encode(np.zeros((24, 40, 3), np.uint8))
    assert jpeg_size(jpeg) == (40, 24)
    assert jpeg_size(jpeg[:2] + b"\xff\xff\xff" + jpeg[2:]) == (40, 24)
    assert jpeg_size(b"") is None and jpeg_size(b"\x89PNG") is None and jpeg_size(jpeg[:20]) is None


@pytest.mark.parametrize(
    "spoil", [lambda j: b"", lambda j: b"no", lambda j: j[: len(j) // 2], lambda j: j[:2] + j[-2:]]
)
def test_a_spoilt_picture_is_named(spoil):
    jpeg = small_pictures(1, 640, 320)[0]
    with pytest.raises(InputError, match=r"face\.jpg is not a whole JPEG"):
        decode(spoil(jpeg), "face.jpg")


def test_an_absurd_size_is_refused_before_it_is_decoded():
    jpeg = bytearray(encode(np.zeros((24, 40, 3), np.uint8)))
    at = jpeg.index(b"\xff\xc0") + 5
    jpeg[at : at + 4] = b"\xff\xff\xff\xff"
    assert jpeg_size(bytes(jpeg)) == (65535, 65535)
    with pytest.raises(InputError, match="not a whole JPEG"):
        decode(bytes(jpeg), "face.jpg")


def test_without_opencv_the_remedy_is_named(monkeypatch, sample_with_panoramas):
    monkeypatch.setitem(sys.modules, "cv2", None)
    assert sample_with_panoramas.views.has_panoramas
    with pytest.raises(InputError, match=r'pip install "helpanna\[view\]"'):
        sample_with_panoramas.views.render(0, 0.0, 0.0)
