"""`.house` files: what they say is read, and what is wrong with them is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpanna.errors import InputError
from helpanna.worlds.matterport.house_file import ROOM_KINDS, Category, Level, Panorama, Region, read_house

HOUSE = """\
ASCII 1.1
H  scan1  -  1 2 3 1 1 3 2 3 1  2  0 0 0 0 0 -5 -4 -1  5 4 6  0 0 0 0 0
L  0  2  -  0 0 0  -5 -4 -1  5 4 2.5  0 0 0 0 0
L  1  1  -  0 0 3  -5 -4 2.5  5 4 6  0 0 0 0 0
R  0 0  0 0  k  -2.5 0 0.1  -5 -4 -1  0 4 2.5  3.5  0 0 0 0
R  1 0  0 0  a  2.5 0 0.1  0 -4 -1  5 4 2.5  3.5  0 0 0 0
R  2 1  0 0  -  0 0 3.1  -5 -4 2.5  5 4 6  3.5  0 0 0 0
P  0 0 1 -  0 -1 0  0 1 2  0 0 0 0
S  0 0  0  -  0 0 0  0 0 1  -1 -1 0  1 1 0  0 0 0 0 0
V  0 0  -  0 0 0  0 0 1  0 0 0

P  0123456789abcdef0123456789abcdef  0 1  0  2.5 0.25 1.5  0 0 0 0 0
P  fedcba9876543210fedcba9876543210  1 -1  0  -9 0 1.5  0 0 0 0 0
I  0 0  0123456789abcdef 1 5  1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1  1 0 0 0 1 0 0 0 1  2 2  0 0 0  0 0 0 0 0
C  0  3 coffee#table  5 table  0 0 0 0 0
C  1  -1 -  0 void  0 0 0 0 0
O  0 0 0  -2 0 0.5  0 0 1  0.6 0.8 0  0.3 0.6 0.2  0 0 0 0 0 0 0 0
O  1 1 1  2 0 0.5  1 0 0  0 1 0  0.1 0.1 0.1  0 0 0 0 0 0 0 0
O  2 -1 -1  0 0 0  1 0 0  0 1 0  -1 -1 -1  0 0 0 0 0 0 0 0
E  0 0  17  0.5  0 0 0  -1 -1 -1  1 1 1  0 0 0 0 0
"""

OLD = """\
ASCII 1.0
H  scan1  -  0 1 0 0 1 1  -5 -4 -1  5 4 6  0 0 0 0 0 0 0 0
L  0  1  -  0 0 0  -5 -4 -1  5 4 2.5  0 0 0 0 0
R  0 0  0 0  b  -2.5 0 0.1  -5 -4 -1  0 4 2.5  3.5  0 0 0 0
P  0123456789abcdef0123456789abcdef  0 0  0  2.5 0.25 1.5  0 0 0 0 0
"""


def house_of(tmp_path, text):
    path = tmp_path / "scan1.house"
    path.write_text(text, encoding="utf-8")
    return read_house(path)


def test_levels_rooms_panoramas_and_categories(tmp_path):
    house = house_of(tmp_path, HOUSE)
    assert house.name == "scan1"
    assert house.levels[1] == Level(1, (0, 0, 3), (-5, -4, 2.5), (5, 4, 6))
    assert house.regions[0] == Region(0, 0, "k", "kitchen", (-2.5, 0, 0.1), (-5, -4, -1), (0, 4, 2.5))
    assert [(region.level, region.label, region.kind) for region in house.regions[1:]] == [
        (0, "a", "bathroom"),
        (1, "-", ""),
    ]
    assert house.panoramas == (
        Panorama("0123456789abcdef0123456789abcdef", 1, (2.5, 0.25, 1.5)),
        Panorama("fedcba9876543210fedcba9876543210", -1, (-9, 0, 1.5)),
    )
    assert house.categories == (Category(0, "coffee table", "table"), Category(1, "", "void"))


def test_objects(tmp_path):
    table, thing, nothing = house_of(tmp_path, HOUSE).objects
    assert (table.index, table.region, table.position) == (0, 0, (-2, 0, 0.5))
    assert table.category == Category(0, "coffee table", "table")
    assert table.axes == ((0, 0, 1), (0.6, 0.8, 0)) and table.radii == (0.3, 0.6, 0.2)
    assert thing.category == Category(1, "", "void")
    assert nothing.region == -1 and nothing.category is None and nothing.radii == (-1, -1, -1)


def test_the_older_version_has_no_objects(tmp_path):
    house = house_of(tmp_path, OLD)
    assert house.regions[0].kind == "bedroom" and house.panoramas[0].region == 0
    assert house.categories == house.objects == ()


def test_unused_fields_may_be_missing(tmp_path):
    text = "\n".join(line.removesuffix(" 0 0 0 0") for line in HOUSE.splitlines())
    assert house_of(tmp_path, text) == house_of(tmp_path, HOUSE)


def test_every_documented_label_with_a_use_has_a_kind():
    assert set("abcdefghijklmnoprstuvwxyBCDS") == set(ROOM_KINDS)
    assert len(set(ROOM_KINDS.values())) == len(ROOM_KINDS)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("L  0  2  -  0 0 0", "L  0  2  -  0 0 nan", "line 3: fields 4 to 6 are not finite"),
        ("L  1  1", "L  2  1", "line 4: field 1 is the index 2 where 1 comes next"),
        ("R  0 0  0 0  k  -2.5", "R  0 0  0 0  k  far", "line 5: fields 6 to 8 are not numbers"),
        ("R  1 0", "R  1 2", "line 6: field 2 names number 2 of 2 levels"),
        ("R  1 0", "R  1 -2", "line 6: field 2 names number -2 of 2 levels"),
        ("R  2 1", "R  2 x", "line 7: field 2 is 'x', not a whole number"),
        ("  2.5 0.25 1.5  0 0 0 0 0", "  2.5", "line 12: the line P has 6 fields"),
        ("P  fed", "Q  fed", "line 13: 'Q' is not a kind of line"),
        ("C  1  -1 -  0 void", "H  0 0", "line 16: 'H' is not a kind of line that comes here"),
        ("O  0 0 0  -2", "O  0 0 2  -2", "line 17: field 3 names number 2 of 2 categories"),
        ("O  1 1 1", "O  1 9 1", "line 18: field 2 names number 9 of 3 regions"),
        ("O  1 1 1", f"O  {'1' * 5000} 1 1", "line 18: field 1 is '11111111111111111111', not a whole"),
        ("C  1  -1 -  0 void  0 0 0 0 0\n", "", "line 17: category 1 has not been described before"),
        ("O  2 -1 -1  0 0 0  1 0 0  0 1 0  -1 -1 -1  0 0 0 0 0 0 0 0\n", "", "ends with 2 of 3 objects"),
        ("2 3 1  2  0 0 0", "2 3 9  2  0 0 0", "ends with 0 of 2 panoramas"),
        ("H  scan1  -  1 2", "H  scan1  -  1 two", "line 2: field 4 is 'two'"),
        ("ASCII 1.1", "PLY", "does not begin with the lines ASCII and H"),
        (HOUSE, "", "does not begin with the lines ASCII and H"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, old, new, problem):
    assert old in HOUSE
    with pytest.raises(InputError, match=problem) as caught:
        house_of(tmp_path, HOUSE.replace(old, new, 1))
    assert str(tmp_path / "scan1.house") in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.house cannot be read"):
        read_house(tmp_path / "none.house")


@given(st.data())
def test_a_damaged_file_is_read_or_refused_but_never_crashes(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("damaged") / "scan1.house"
    damaged = bytearray(HOUSE.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        damaged[at : at + data.draw(st.integers(0, 5))] = data.draw(st.binary(max_size=3))
    path.write_bytes(damaged)
    try:
        read_house(path)
    except InputError as error:
        assert str(path) in str(error)
