import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from helpanna.errors import InputError
from helpanna.files import sha256
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.houses.build import house_world
from helpanna.worlds.houses.generate import make_house
from helpanna.worlds.houses.layout import WALL
from helpanna.worlds.houses.outline import house_outline
from helpanna.worlds.outlines import Outline
from helpanna.worlds.plan import draw_plan
from helpanna.worlds.storage import ATLAS, check_atlas, load_atlas, save_atlas


@pytest.fixture(scope="module")
def house():
    return make_house("town-0-1")


@pytest.fixture(scope="module")
def outline(house):
    return house_outline(house)


@pytest.fixture(scope="module")
def world(house):
    return house_world(house)


def test_an_opening_joins_the_rooms_on_both_sides(house, outline):
    for opening, drawn in zip(house.openings, outline.openings, strict=True):
        x0, y0, x1, y1 = drawn.rectangle
        assert sorted((x1 - x0, y1 - y0)) == pytest.approx(sorted((WALL, opening.width)), abs=1e-3)
        for i in (opening.room, opening.other):
            if i is not None:
                r = house.rooms[i].rect.grown(1e-3)
                assert r.x0 <= x1 and x0 <= r.x1 and r.y0 <= y1 and y0 <= r.y1


def test_every_location_is_between_the_walls_of_its_room(world, outline):
    for (x, y, _), room in zip(world.positions, world.room_of, strict=True):
        (mine,) = [r.rectangle for r in outline.rooms if r.room == room]
        doorway = any(
            o.kind != "window"
            and o.rectangle[0] - 0.05 <= x <= o.rectangle[2] + 0.05
            and o.rectangle[1] - 0.05 <= y <= o.rectangle[3] + 0.05
            for o in outline.openings
        )
        assert doorway or (mine[0] <= x <= mine[2] and mine[1] <= y <= mine[3])


def test_an_outline_is_kept_with_the_atlas(world, outline, tmp_path):
    assert Outline.from_json(json.loads(json.dumps(outline.to_json()))) == outline
    atlas = build_atlas([world], "test", "none")
    assert atlas.outlines == {}
    save_atlas(replace(atlas, outlines={world.name: outline}), tmp_path / "atlas")
    assert check_atlas(tmp_path / "atlas").outlines == {world.name: outline}
    save_atlas(atlas, tmp_path / "plain")  # as atlases were before
    assert load_atlas(tmp_path / "plain").outlines == {}


def test_a_broken_outline_is_named(world, outline, tmp_path):
    folder = tmp_path / "atlas"
    save_atlas(replace(build_atlas([world], "test", "none"), outlines={world.name: outline}), folder)
    file = folder / "outlines.json"
    file.write_text(json.dumps({world.name: {"rooms": [3]}}))
    with pytest.raises(InputError, match=r"outlines\.json"):
        load_atlas(folder)
    manifest = ATLAS.read(folder)
    manifest["files"]["outlines.json"] = {"bytes": file.stat().st_size, "sha256": sha256(file)}
    ATLAS.write(folder, {key: value for key, value in manifest.items() if key != "schema"})
    with pytest.raises(InputError, match="not well-formed"):
        load_atlas(folder)


def plan(world, outline, path: Path) -> str:
    draw_plan(world, path, outline=outline)
    return path.read_text(encoding="utf-8")


def test_walls_are_drawn_and_the_same_each_time(world, outline, tmp_path):
    with_walls = plan(world, outline, tmp_path / "a.svg")
    assert "<!-- wall -->" in with_walls and "<!-- window -->" in with_walls and "#4a4a4a" in with_walls
    assert with_walls == plan(world, outline, tmp_path / "b.svg")
    assert "<!-- wall -->" not in plan(world, None, tmp_path / "c.svg")


def test_storeys_say_how_high_they_are(tmp_path):
    tall = next(h for h in (make_house(f"town-0-{i}") for i in range(9)) if h.stairs)
    svg = plan(house_world(tall), house_outline(tall), tmp_path / "tall.svg")
    rise = max(room.z for room in tall.rooms if room.floor == 1)
    assert f"<!-- +{np.round(rise, 1):.1f} m -->" in svg
    assert "<!-- floor 1 -->" in svg
