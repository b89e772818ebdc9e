from dataclasses import replace

import cv2
import numpy as np
import pytest

from helpanna.errors import InputError
from helpanna.worlds.contact_sheet import contact_sheet
from helpanna.worlds.panoramas import Panoramas, encode
from helpanna.worlds.sample import sample_atlas
from helpanna.worlds.views import Views


@pytest.fixture(scope="module")
def atlas(tmp_path_factory):
    folder, atlas = tmp_path_factory.mktemp("panoramas"), sample_atlas()
    for location, world in enumerate(atlas.world_of):
        colour = (200, 30, 30) if world == 0 else (30, 30, 200)
        (folder / f"{location}.jpg").write_bytes(encode(np.full((32, 64, 3), colour, np.uint8)))
    return replace(atlas, views=Views(panoramas=Panoramas(folder, 64, 32)))


def sheet(atlas, tmp_path, **options):
    contact_sheet(atlas, tmp_path / "sheet.png", **options)
    return cv2.imread(str(tmp_path / "sheet.png"))[..., ::-1].astype(int)


def test_a_sheet_shows_all_worlds(atlas, tmp_path):
    picture = sheet(atlas, tmp_path, count=8, columns=4)
    assert picture.shape == (2 * 260, 4 * 320, 3)
    assert picture[100, 100, 0] > 150 > picture[100, 100, 2]  # the first location is in the first world
    assert picture[260 + 100, 3 * 320 + 100, 2] > 150  # the last one in the last


def test_a_sheet_of_one_world_and_a_last_row_that_is_not_full(atlas, tmp_path):
    picture = sheet(atlas, tmp_path, world=atlas.world_names[1], count=5, columns=3)
    assert picture.shape == (2 * 260, 3 * 320, 3)
    assert picture[100, 100, 2] > 150 > picture[100, 100, 0]
    assert (picture[260:, 640:] == 255).all()


def test_captions_are_written(atlas, tmp_path):
    picture = sheet(atlas, tmp_path, count=1)
    assert picture.shape == (260, 320, 3)
    assert picture[240:].min() < 100


@pytest.mark.parametrize("options", [{"count": 0}, {"world": "nowhere"}])
def test_what_cannot_be_shown_is_said(atlas, tmp_path, options):
    with pytest.raises(InputError):
        contact_sheet(atlas, tmp_path / "sheet.png", **options)


def test_only_png(atlas, tmp_path):
    with pytest.raises(InputError, match="png"):
        contact_sheet(atlas, tmp_path / "sheet.gif")


def test_an_atlas_without_panoramas(tmp_path):
    with pytest.raises(InputError, match="panoramas"):
        contact_sheet(sample_atlas(), tmp_path / "sheet.png")


def test_a_view_that_shows_something_is_taken(tmp_path):
    # A blank wall all around but for a chequered one in the south, at one of three locations.
    atlas = sample_atlas(worlds=1)
    rows, columns = np.mgrid[:256, :512]
    chequered = ((rows // 16 + columns // 16) % 2 * 200).astype(np.uint8)
    for location in range(atlas.location_count):
        picture = np.full((256, 512, 3), 120, np.uint8)
        if location == 1:
            picture[:, :80], picture[:, -80:] = chequered[:, :80, None], chequered[:, -80:, None]
        (tmp_path / f"{location}.jpg").write_bytes(encode(picture))
    blank = replace(
        atlas,
        views=Views(panoramas=Panoramas(tmp_path, 512, 256)),
        sighting=atlas.sighting[:0],
        sighting_views=atlas.sighting_views[:0],
    )
    three = replace(blank, world_start=np.array([0, 3]))
    picture = sheet(three, tmp_path, world=atlas.world_names[0], count=1)
    assert picture[:240].std() > 30
