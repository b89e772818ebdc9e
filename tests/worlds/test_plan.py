import re
import struct
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import worlds

from helpanna.errors import InputError
from helpanna.worlds.plan import draw_plan, draw_plans
from helpanna.worlds.plan_labels import LabelSpace, boxes_around, boxes_beside, text_size
from helpanna.worlds.plan_rooms import room_areas, room_colours
from helpanna.worlds.sample import sample_world
from helpanna.worlds.world import Room, World


@pytest.fixture
def house():
    """Two floors: a kitchen and a hall below, a bedroom above; 4 m by 2 m, three objects."""
    return World(
        name="house A",
        location_names=("a", "b", "c", "d"),
        positions=np.array([[0, 0, 1.5], [2, 0, 1.5], [4, 2, 1.5], [4, 0, 4.5]]),
        eye_heights=np.full(4, 1.5),
        floors=np.array([0, 0, 0, 1]),
        edges=np.array([[0, 1], [1, 2], [2, 3]]),
        sight_lines=np.zeros((0, 2)),
        rooms=(Room("r0", "kitchen"), Room("r1", "hall"), Room("r2", "bedroom")),
        room_of=np.array([0, 0, 1, 2]),
        object_names=("o0", "o1", "o2"),
        object_types=("mug", "mug", "bed"),
        object_positions=np.array([[0, 1, 1], [1, 1, 1], [4, 1, 4]]),
        object_radii=np.full(3, 0.2),
        delegates=np.array([0, 1, 3]),
        sightings=np.zeros((0, 2)),
        sighting_views=np.zeros(0),
    )


def bare(world: World, **changes) -> World:
    """The world without its objects, and with other changes."""
    nothing = dict.fromkeys(
        ("object_names", "object_types", "object_positions", "object_radii", "delegates"), ()
    )
    return replace(world, **nothing, **changes)


def drawing(world: World, folder: Path, paths=()) -> str:
    file = folder / "plan.svg"
    draw_plan(world, file, paths)
    text = file.read_text(encoding="utf-8")
    ET.fromstring(text)
    return text


def texts(svg: str) -> list[str]:
    """What is written on a plan: matplotlib names each text it draws as shapes in a comment."""
    return [line for text in re.findall(r"<!-- (.*?) -->", svg, re.DOTALL) for line in text.split("\n")]


def panel(svg: str, floor: int) -> str:
    (group,) = [part for part in ET.fromstring(svg).iter() if part.get("id") == f"floor-{floor}"]
    return ET.tostring(group, encoding="unicode")


def png_size(file: Path) -> tuple[int, int]:
    head = file.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", head[16:24])


def test_an_svg_has_a_panel_a_floor_and_says_what_is_where(house, tmp_path):
    svg = drawing(house, tmp_path)
    assert re.findall(r'id="(floor-\d+)"', svg) == ["floor-0", "floor-1"]
    written = texts(svg)
    for text in ("house A", "ground floor", "floor 1", "kitchen", "hall", "bedroom", "bed", "leads up"):
        assert text in written
    assert "4 locations  ·  3 rooms  ·  3 objects  ·  2 floors" in written
    assert "Floor plan of house A" in svg


def test_one_object_of_a_type_a_room_is_named(house, tmp_path):
    assert texts(drawing(house, tmp_path)).count("mug") == 1
    apart = replace(house, delegates=np.array([0, 2, 3]))
    assert texts(drawing(apart, tmp_path)).count("mug") == 2


@pytest.mark.slow
def test_a_png_is_as_large_as_the_building_asks(house, tmp_path):
    draw_plan(house, tmp_path / "small.png")
    spread = replace(
        house, positions=house.positions * [10, 10, 1], object_positions=house.object_positions * 10
    )
    draw_plan(spread, tmp_path / "large.PNG")
    small, large = png_size(tmp_path / "small.png"), png_size(tmp_path / "large.PNG")
    assert min(small) > 600 and max(small) < 3000
    assert max(small) < max(large) < 9000


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_the_same_world_gives_the_same_bytes(tmp_path, suffix):
    world = sample_world("sample", 3)
    walks = [("there", range(5)), ("back", range(4, -1, -1))]
    files = [tmp_path / f"{name}.{suffix}" for name in ("one", "two")]
    for file in files:
        draw_plan(world, file, walks)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert sorted(tmp_path.iterdir()) == files


def test_the_users_matplotlib_settings_neither_count_nor_change(house, tmp_path):
    import matplotlib

    before = drawing(house, tmp_path)
    with matplotlib.rc_context({"lines.markersize": 40, "font.family": "monospace", "svg.fonttype": "none"}):
        kept = dict(matplotlib.rcParams)
        assert drawing(house, tmp_path) == before
        assert dict(matplotlib.rcParams) == kept


@pytest.mark.parametrize("name", ["plan.pdf", "plan", "plan.svg.gz"])
def test_another_suffix_is_refused(house, tmp_path, name):
    with pytest.raises(InputError, match=r"--out .* must end in \.svg or \.png"):
        draw_plan(house, tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_is_named(house, tmp_path):
    (tmp_path / "plan.svg").mkdir()
    (tmp_path / "file").touch()
    for file in (tmp_path / "plan.svg", tmp_path / "file" / "plan.svg"):
        with pytest.raises(InputError, match=re.escape(str(file))):
            draw_plan(house, file)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "plan.svg"]


def test_without_matplotlib_the_remedy_is_told(house, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=re.escape('pip install "helpanna[view]"')):
        draw_plan(house, tmp_path / "plan.svg")


def test_worlds_without_objects_rooms_or_edges_have_plans(house, tmp_path):
    written = texts(drawing(bare(house), tmp_path))
    assert "object" not in written and "room" in written
    written = texts(drawing(bare(house, rooms=(), room_of=np.full(4, -1)), tmp_path))
    assert "room" not in written and "way between locations" in written
    written = texts(drawing(bare(house, edges=np.zeros((0, 2))), tmp_path))
    assert "way between locations" not in written and "location" in written


def test_a_world_of_one_location_has_a_plan(house, tmp_path):
    one = bare(
        house,
        location_names=("a",),
        positions=np.zeros((1, 3)),
        eye_heights=np.ones(1),
        floors=np.zeros(1),
        edges=np.zeros((0, 2)),
        room_of=np.zeros(1),
    )
    assert "1 location  ·  3 rooms  ·  0 objects  ·  1 floor" in texts(drawing(one, tmp_path))


@pytest.mark.slow
def test_walks_are_drawn_on_the_floors_they_pass(house, tmp_path):
    plain = drawing(house, tmp_path)
    walked = drawing(house, tmp_path, [("agent", [0, 1, 1, 2, 3]), ("stays", np.array([2]))])
    assert {"agent", "stays"} <= set(texts(walked))
    below, above = panel(walked, 0), panel(walked, 1)
    assert panel(plain, 0).count("#4477aa") == 0
    assert below.count("fill: #4477aa") == 3 and above.count("fill: #4477aa") == 1  # the arrows' heads
    assert "#ee6677" in below and "#ee6677" not in above
    with pytest.raises(InputError, match="path 'agent' names a location that world house A has not"):
        draw_plan(house, tmp_path / "plan.svg", [("agent", [0, 4])])


def test_marks_are_drawn_on_their_floors_and_explained(house, tmp_path):
    file = tmp_path / "marks.svg"
    draw_plan(
        house, file, (), [("goal", "the mug", [0, 1]), ("end", "the end", [3]), ("request", "none", [])]
    )
    marked = file.read_text(encoding="utf-8")
    assert {"the mug", "the end"} <= set(texts(marked)) and "none" not in texts(marked)
    gold, red = "#ddaa33", "#bb2222"
    assert gold in panel(marked, 0) and gold not in panel(marked, 1)
    assert red in panel(marked, 1) and red not in panel(marked, 0)
    with pytest.raises(InputError, match="path 'the mug' names a location"):
        draw_plan(house, file, (), [("goal", "the mug", [9])])


def test_one_world_is_drawn_to_out_and_several_beside_it(house, tmp_path):
    assert draw_plans([house], tmp_path / "plan.svg") == [tmp_path / "plan.svg"]
    others = [replace(house, name=name) for name in ("x/y", "x y", "../z")]
    files = draw_plans(others, tmp_path / "many.v1.svg")
    assert [file.name for file in files] == [
        "many.v1-x%2Fy.svg",
        "many.v1-x y.svg",
        "many.v1-..%2Fz.svg",
    ]
    assert sorted(tmp_path.iterdir()) == sorted([*files, tmp_path / "plan.svg"])


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(worlds())
def test_any_world_has_a_well_formed_plan(tmp_path, world):
    svg = drawing(world, tmp_path)
    panels = re.findall(r'id="floor-(\d+)"', svg)
    assert [int(floor) for floor in panels] == np.unique(world.floors).tolist()


def test_rooms_cover_their_locations_and_not_each_other():
    world = sample_world("sample", 0)
    low, high = world.positions[:, :2].min(axis=0) - 2, world.positions[:, :2].max(axis=0) + 2
    for floor in np.unique(world.floors):
        areas = room_areas(world, int(floor), low, high)
        here = world.floors == floor
        assert set(areas) == set(world.room_of[here].tolist())
        places = {room: {tuple(p) for p in np.round(area.places, 6).tolist()} for room, area in areas.items()}
        assert sum(map(len, places.values())) == len(set().union(*places.values()))
        for room, at in zip(world.room_of[here].tolist(), world.positions[here, :2], strict=True):
            assert np.linalg.norm(areas[room].places - at, axis=1).min() < 0.1


def test_colours_go_by_kind_and_neighbours_of_unknown_kind_differ(house):
    kinds = [Room(str(i), kind) for i, kind in enumerate(["bath", "hall", "bath"])]
    colours = room_colours(replace(house, rooms=tuple(kinds)))
    assert colours[0] == colours[2] != colours[1]
    unknown = room_colours(replace(house, rooms=tuple(Room(str(i)) for i in range(3))))
    assert len(set(unknown)) == 3


coordinates = st.floats(0, 100).map(lambda x: round(x, 1))


@given(st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=30))
def test_labels_cover_no_other_label_and_no_mark(marks):
    marks = np.array(marks)
    space = LabelSpace(np.array([100.0, 100.0]), marks, np.zeros((0, 2)))
    for mark in marks:
        space.place(boxes_beside(mark, (20, 6)))
    for i, (left, bottom, right, top) in enumerate(space.boxes):
        assert left >= 0 and bottom >= 0 and right <= 100 and top <= 100
        x, y = marks.T
        assert not np.any((x > left) & (x < right) & (y > bottom) & (y < top))
        for l, b, r, t in space.boxes[:i]:  # noqa: E741
            assert left >= r or right <= l or bottom >= t or top <= b


def test_a_label_prefers_a_place_off_the_lines():
    centres = np.array([[20.0, 20.0], [20.0, 40.0]])
    boxes = boxes_around(centres, (10, 4))
    line = np.array([[20.0, 20.0]])
    none = np.zeros((0, 2))
    assert LabelSpace(np.full(2, 50.0), none, none).place(boxes) == boxes[0]
    assert LabelSpace(np.full(2, 50.0), none, line).place(boxes) == boxes[1]
    assert LabelSpace(np.full(2, 50.0), none, line).place(boxes[:1]) == boxes[0]
    assert LabelSpace(np.full(2, 50.0), line, none).place(boxes[:1]) is None


def test_text_sizes_grow_with_the_text():
    wide, high = text_size("coffee table", 5)
    assert text_size("coffee table", 10)[0] == pytest.approx(2 * wide, rel=0.02)
    assert text_size("coffee table\nlamp", 5) == (pytest.approx(wide), 2 * high)
    assert text_size("lamp", 5)[0] < wide
