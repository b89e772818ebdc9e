import math

import numpy as np
import pytest
from room_to_room_files import records, write_records
from splits import random_routes

from helpanna.errors import InputError
from helpanna.tasks.room_to_room import build_routes, other_buildings, read_room_to_room
from helpanna.tasks.routes import check_routes


@pytest.fixture(scope="module")
def routes(sample):
    return random_routes(sample, per_world=8)


@pytest.fixture
def content(sample, routes):
    return records(sample, routes)


def read(path, content, atlas):
    return build_routes(atlas, read_room_to_room([write_records(path / "R2R_test.json", content)]))


def same(a, b):
    arrays = all(np.array_equal(getattr(a, name), getattr(b, name)) for name in ("path", "view", "route_of"))
    return arrays and a.names == b.names and a.instructions == b.instructions


def test_routes_survive_their_file(tmp_path, sample, routes, content):
    again = read(tmp_path, content, sample)
    assert same(again, routes)
    check_routes(sample, again)


def test_the_order_of_records_does_not_matter(tmp_path, sample, routes, content):
    assert same(read(tmp_path, content[::-1], sample), routes)


@pytest.mark.parametrize(
    ("degrees", "heading"), [(0, 0), (14, 0), (16, 1), (-16, 11), (352, 0), (359.9, 0), (345.1, 0), (725, 0)]
)
def test_the_first_view_is_level_at_the_nearest_heading(tmp_path, sample, content, degrees, heading):
    content[0]["heading"] = math.radians(degrees)
    assert read(tmp_path, content[:1], sample).view.tolist() == [12 + heading]


def test_instructions_are_trimmed_and_empty_ones_dropped(tmp_path, sample, content):
    content[0]["instructions"] = ["  Go left. \n", "", " \t", "...", "Stop"]
    content[1]["instructions"] = [" "]
    found = read(tmp_path, content[:2], sample)
    assert found.instructions == ("Go left.", "Stop")
    assert found.names == (str(content[0]["path_id"]),)


def test_the_same_path_in_two_files_is_one_route(tmp_path, sample, content):
    a = write_records(tmp_path / "a.json", [content[0] | {"instructions": ["one", "two", "two"]}])
    b = write_records(tmp_path / "b.json", [content[0] | {"instructions": ["two", "three"], "path_id": 99}])
    found = build_routes(sample, read_room_to_room([a, b]))
    assert found.names == (str(content[0]["path_id"]),)
    assert found.instructions == ("one", "two", "two", "three")
    assert found.route_of.tolist() == [0, 0, 0, 0]
    assert same(build_routes(sample, read_room_to_room([a, b, b, a])), found)


def test_the_same_path_with_another_heading_is_another_route(tmp_path, sample, content):
    turned = content[0] | {"heading": content[0]["heading"] + math.pi}
    assert len(read(tmp_path, [content[0], turned], sample)) == 2


def test_routes_are_numbered_by_building_then_path_id(tmp_path, sample, content):
    for i, record in enumerate(content):
        record["path_id"] = 1000 - i
    found = read(tmp_path, content, sample)
    worlds = sample.world_of[found.start]
    assert (np.diff(worlds) >= 0).all() and len(set(worlds)) == 2
    for world in set(worlds):
        ids = [int(name) for name, w in zip(found.names, worlds, strict=True) if w == world]
        assert ids == sorted(ids)


def test_records_of_other_buildings_are_passed_over_and_counted(tmp_path, sample, routes, content):
    strange = [content[0] | {"scan": "elsewhere", "path": ["unknown", "places"]}] * 2
    file = write_records(tmp_path / "a.json", content + strange)
    descriptions = read_room_to_room([file])
    assert same(build_routes(sample, descriptions), routes)
    assert other_buildings(descriptions, [sample]) == {"elsewhere": 2}
    assert len(build_routes(sample, descriptions[-2:])) == 0


BROKEN = {
    "unknown viewpoint": ({"path": ["nowhere", "nothing"]}, "no location 'nowhere'"),
    "no path": ({"path": []}, "a path of 0 locations"),
    "one location": ({"path": ["hallway 1"]}, "a path of 1 locations"),
    "path of numbers": ({"path": [1, 2]}, "not text"),
    "no list": ({"path": "hallway 1"}, "no proper path"),
    "NaN": ({"heading": math.nan}, "heading nan"),
    "infinite": ({"heading": math.inf}, "heading inf"),
    "heading in words": ({"heading": "north"}, "no proper heading"),
    "heading is true": ({"heading": True}, "no proper heading"),
    "no id": ({"path_id": None}, "no proper path_id"),
    "no building": ({"scan": 7}, "no proper scan"),
    "no instructions": ({"instructions": None}, "no proper instructions"),
    "instructions of numbers": ({"instructions": ["go", 1]}, "not text"),
    "half a character": ({"instructions": ["go \ud800"]}, "not text"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_records_are_named(tmp_path, sample, content, name):
    change, message = BROKEN[name]
    content[3] |= change
    with pytest.raises(InputError, match=r"R2R_test\.json, record 3") as caught:
        read(tmp_path, content, sample)
    assert message in str(caught.value)


def test_a_path_that_jumps_is_named(tmp_path, sample, content):
    longest = max(range(len(content)), key=lambda i: len(content[i]["path"]))
    del content[longest]["path"][1:-1]
    with pytest.raises(InputError, match=f"record {longest}: one cannot walk from"):
        read(tmp_path, content, sample)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[{]", "not valid JSON"),
        ("{}", "not a list of Room-to-Room records"),
        ("[[]]", "record 0 is not an object"),
        ("[{}]", "record 0 has no proper scan"),
    ],
)
def test_broken_files_are_named(tmp_path, text, message):
    file = tmp_path / "broken.json"
    file.write_text(text)
    with pytest.raises(InputError, match=r"broken\.json") as caught:
        read_room_to_room([file])
    assert message in str(caught.value)
    with pytest.raises(InputError, match="does not exist"):
        read_room_to_room([tmp_path / "missing.json"])
