"""Captions that annotations make: true, in people's words, and good for the features of real photographs."""

import re

import numpy as np
import pytest

from helpanna.cli.main import main
from helpanna.errors import InputError
from helpanna.narration.described import described_views
from helpanna.narration.nouns import names_of
from helpanna.worlds.annotations import write_annotation_features
from helpanna.worlds.room_kinds import room_kinds
from helpanna.worlds.sample import sample_atlas, sample_world
from helpanna.worlds.storage import load_atlas, save_atlas

SAID = re.compile(
    r"(?:an?|some) ([a-z ]+?)(?: with (?:an?|some) ([a-z ]+?)(?: and (?:an?|some) ([a-z ]+))?)?"
)


def bearings(vector):
    """Heading and elevation of a vector, in degrees."""
    heading = np.degrees(np.arctan2(vector[0], vector[1]))
    return heading, np.degrees(np.arctan2(vector[2], np.hypot(vector[0], vector[1])))


@pytest.mark.parametrize("seed", range(4))
def test_what_is_said_is_there(seed):
    """Each thing that is named is seen from here, and is about where one looks."""
    world = sample_world(seed=seed)
    named = 0
    for at, panorama in enumerate(described_views(world)):
        seen = world.sightings[world.sightings[:, 0] == at, 1]
        assert [len(row) for row in panorama] == [8, 8, 8]
        for e, row in enumerate(panorama):
            for h, caption in enumerate(row):
                _, *things = SAID.fullmatch(caption).groups()
                for thing in filter(None, things):
                    named += 1
                    assert any(
                        abs((bearing - 45 * h + 180) % 360 - 180) < 75 and abs(height - 30 * (e - 1)) < 36
                        for i in seen
                        if names_of(world.object_types[i])[:1] == (thing,)
                        for bearing, height in [bearings(world.object_positions[i] - world.positions[at])]
                    ), f"{caption} at {at}, heading {45 * h}"
    assert named > 50


def test_the_room_is_the_one_here_or_the_one_ahead():
    world = sample_world()
    kinds = [room_kinds(world)[room] or "room" for room in world.room_of]
    ahead = [{kinds[at]} for at in range(world.location_count)]
    for one, other in world.edges:
        ahead[one].add(kinds[other])
        ahead[other].add(kinds[one])
    told = set()
    for at, panorama in enumerate(described_views(world)):
        for caption in panorama[1]:
            room = SAID.fullmatch(caption)[1]
            assert room in ahead[at]
            told.add(room != kinds[at])
    assert told == {True, False}


def test_an_atlas_gets_captions_and_features_from_its_annotations(tmp_path):
    save_atlas(sample_atlas(2), tmp_path / "atlas")
    write_annotation_features(tmp_path / "atlas")
    main(["worlds", "add", "captions", str(tmp_path / "atlas"), "--described", "--fit-on", "house 0"])
    atlas = load_atlas(tmp_path / "atlas")
    assert {"captions", "sight"} <= set(atlas.views.features)
    assert atlas.views.captions.of(3) == described_views(atlas.world(0))[3]
    save_atlas(sample_atlas(1, seed=5), tmp_path / "other")
    main(
        [
            "worlds",
            "add",
            "captions",
            str(tmp_path / "other"),
            "--described",
            "--features-like",
            str(tmp_path / "atlas"),
        ]
    )
    spaces = [load_atlas(tmp_path / name).views.get("sight").space for name in ("atlas", "other")]
    assert spaces[0] == spaces[1]


def test_captions_come_from_one_source(tmp_path):
    from helpanna.cli.worlds_captions import AddCaptions

    with pytest.raises(InputError, match="--described and --source"):
        AddCaptions(tmp_path, source=tmp_path, described=True, fit_on=("all",)).run()
