"""The probe of experiments/ on features of which it is known what they carry."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from tiny import tiny_world

from helpanna.randomness import generator
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.geometry import VIEWS
from helpanna.worlds.houses.network import FEATURES, Extractor, feature_network, load_weights
from helpanna.worlds.houses.photograph import NAME, SPACE, square_views
from helpanna.worlds.panoramas import encode
from helpanna.worlds.sample import sample_atlas
from helpanna.worlds.storage import new_features, new_panoramas, save_atlas
from helpanna.worlds.world import Room

SCRIPT = Path(__file__).parents[2] / "experiments" / "probe_features.py"
SIZE = 24


def probe(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], dict[str, Any]]:
    """The figures of noise, of the room's type in noise, and of each location's own look in noise."""
    folder, atlas = tmp_path_factory.mktemp("probe"), sample_atlas(16)
    save_atlas(atlas, folder / "atlas")
    draw = generator(0, "planted features")
    kinds = sorted({room.kind for room in atlas.rooms})
    kind_of = np.array([kinds.index(atlas.rooms[room].kind) for room in atlas.room_of])
    planted = {
        "noise": np.zeros((atlas.location_count, SIZE)),
        "room": draw.normal(size=(len(kinds), SIZE))[kind_of],
        "place": draw.normal(size=(atlas.location_count, SIZE)),
    }
    for name, look in planted.items():
        with new_features(folder / "atlas", name, SIZE, {"kind": name}) as array:
            array[:] = 2 * look[:, None] + draw.normal(size=(len(look), VIEWS, SIZE))
    done = probe("--worlds", folder / "atlas", "--out", folder / "figures.json")
    assert done.returncode == 0, done.stderr
    assert "one level view" in done.stdout
    figures = json.loads((folder / "figures.json").read_text())
    return {(row["features"], row["given"]): row for row in figures}


@pytest.mark.parametrize("given", ["mean of 12 level views", "one level view"])
def test_a_planted_room_type_is_found_in_unseen_houses(
    rows: dict[tuple[str, str], dict[str, Any]], given: str
) -> None:
    assert rows["room", given]["right"] > 0.9
    assert rows["room", given]["balanced"] > 0.9
    for nothing in ("noise", "place"):
        row = rows[nothing, given]
        assert row["right"] < row["chance"] + 0.05
        assert row["balanced"] < 0.3


def test_a_location_is_found_again_by_its_own_look(rows: dict[tuple[str, str], dict[str, Any]]) -> None:
    found, noise, room = (rows[name, "one view, 30 degrees on"] for name in ("place", "noise", "room"))
    assert found["right"] > 0.9
    assert noise["right"] == pytest.approx(noise["chance"], abs=0.02)
    assert noise["chance"] < room["right"] < 0.5  # it only tells the right room


def test_a_location_is_found_again_by_new_pictures(tmp_path: Path) -> None:
    """Each location shows coloured clouds of its own."""
    rooms = (Room("kitchen", "kitchen"), Room("bedroom", "bedroom"))
    worlds = [
        replace(
            tiny_world([(0, 0), (2, 0), (4, 0)], [(0, 1), (1, 2)], name=f"house {w}"),
            rooms=rooms,
            room_of=np.array([0, 0, 1], np.int32),
        )
        for w in range(4)
    ]
    atlas = build_atlas(worlds, "clouds", "MIT")
    save_atlas(atlas, tmp_path / "atlas")
    draw, extractor = generator(0, "clouds"), Extractor(feature_network(load_weights()))
    small = draw.integers(0, 256, (atlas.location_count, 16, 32, 3), dtype=np.uint8)
    clouds = [cv2.resize(picture, (512, 256), interpolation=cv2.INTER_CUBIC) for picture in small]
    with new_panoramas(tmp_path / "atlas", 512, 256) as add:
        for location, picture in enumerate(clouds):
            add(location, encode(picture))
    with new_features(tmp_path / "atlas", NAME, FEATURES, SPACE) as array:
        for location, picture in enumerate(clouds):
            array[location] = extractor.features(square_views(picture))
    done = probe("--worlds", tmp_path / "atlas", "--out", tmp_path / "figures.json", "--queries", 6)
    assert done.returncode == 0, done.stderr
    figures = {row["given"]: row for row in json.loads((tmp_path / "figures.json").read_text())}
    around, one = figures["12 new pictures, turn unknown"], figures["one new picture, 15 degrees on"]
    assert around["right"] == 1
    assert around["answers"] == 6
    assert one["chance"] == around["chance"] == pytest.approx(1 / 3)
    assert one["right"] > 0.55
    assert one["answers"] == 72


def test_too_few_houses_are_said_to_be_too_few(tmp_path: Path) -> None:
    save_atlas(sample_atlas(2), tmp_path / "atlas")
    done = probe("--worlds", tmp_path / "atlas")
    assert done.returncode == 2
    assert "of 4 houses or more" in done.stderr
