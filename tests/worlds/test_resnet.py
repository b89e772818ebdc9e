"""Feature tables: every record is checked, and a table of any length is read in little memory."""

import base64
import gzip

import numpy as np
import pytest

from helpanna.errors import InputError
from helpanna.worlds.geometry import VIEWS
from helpanna.worlds.matterport import resnet
from helpanna.worlds.matterport.resnet import RESNET, import_features, import_resnet
from helpanna.worlds.sample import sample_atlas
from helpanna.worlds.storage import check_atlas, load_atlas, save_atlas

SIZE = 4
SPACE = {"kind": "test", "size": SIZE}


@pytest.fixture
def atlas(tmp_path):
    save_atlas(sample_atlas(worlds=2), tmp_path / "atlas")
    return load_atlas(tmp_path / "atlas")


def features_of(location, size=SIZE):
    return np.random.default_rng(location).normal(size=(VIEWS, size)).astype(np.float32)


def record(atlas, location, size=SIZE):
    """The six fields of a location's record."""
    names = atlas.world_names[atlas.world_of[location]], atlas.location_names[location]
    encoded = base64.b64encode(features_of(location, size).astype("<f4").tobytes())
    return [names[0].encode(), names[1].encode(), b"640", b"480", b"60", encoded]


def table_of(atlas, size=SIZE):
    """The records of all locations, in an order unlike the atlas's."""
    order = np.random.default_rng(0).permutation(atlas.location_count)
    return [record(atlas, int(location), size) for location in order]


def write(path, records, end=b"\n"):
    path.write_bytes(end.join(b"\t".join(fields) for fields in records) + end)
    return path


def assert_imported(folder, name="test"):
    atlas = check_atlas(folder)
    for location in range(atlas.location_count):
        assert np.array_equal(atlas.views.get(name).array[location], features_of(location).astype(np.float16))


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_features_go_to_their_locations(atlas, tmp_path, end):
    table = write(tmp_path / "some.tsv", table_of(atlas), end)
    import_features(tmp_path / "atlas", table, "test", SPACE)
    assert_imported(tmp_path / "atlas")
    assert load_atlas(tmp_path / "atlas").views.get("test").space == SPACE


def test_a_gzipped_table_is_read_too(atlas, tmp_path):
    table = tmp_path / "some.tsv.gz"
    table.write_bytes(gzip.compress(write(tmp_path / "some.tsv", table_of(atlas)).read_bytes()))
    import_features(tmp_path / "atlas", table, "test", SPACE)
    assert_imported(tmp_path / "atlas")


def test_the_last_line_may_lack_its_end(atlas, tmp_path):
    table = write(tmp_path / "some.tsv", table_of(atlas))
    table.write_bytes(table.read_bytes().rstrip(b"\n"))
    import_features(tmp_path / "atlas", table, "test", SPACE)
    assert_imported(tmp_path / "atlas")


def test_resnet_features_have_2048_numbers_a_view(tmp_path):
    atlas = sample_atlas(worlds=1)
    save_atlas(atlas, tmp_path / "atlas")
    import_resnet(tmp_path / "atlas", write(tmp_path / "ResNet-152-imagenet.tsv", table_of(atlas, 2048)))
    features = check_atlas(tmp_path / "atlas").views.get()
    assert features.name == "resnet" and features.space == RESNET
    assert features.array.shape == (atlas.location_count, 36, 2048)
    assert np.array_equal(features.array[3], features_of(3, 2048).astype(np.float16))


def test_pages_are_released_while_reading(atlas, tmp_path, monkeypatch):
    """The features written before their pages are given back are still there."""
    monkeypatch.setattr(resnet, "_RECORDS_IN_MEMORY", 2)
    import_features(tmp_path / "atlas", write(tmp_path / "some.tsv", table_of(atlas)), "test", SPACE)
    assert_imported(tmp_path / "atlas")


def test_records_of_other_places_are_skipped(atlas, tmp_path):
    other = [b"another building", *record(atlas, 0)[1:]]
    table = write(tmp_path / "some.tsv", [other, *table_of(atlas), other])
    import_features(tmp_path / "atlas", table, "test", SPACE)
    assert_imported(tmp_path / "atlas")


def test_progress_is_told_in_bytes(atlas, tmp_path):
    table = write(tmp_path / "some.tsv", table_of(atlas))
    told = []
    import_features(tmp_path / "atlas", table, "test", SPACE, lambda *progress: told.append(progress))
    assert len(told) == atlas.location_count and told == sorted(told)
    assert told[-1] == (table.stat().st_size, table.stat().st_size)


def encoded(values):
    return base64.b64encode(np.asarray(values, "<f4").tobytes())


def spoilt_number(value):
    values = features_of(0)
    values[7, 1] = value
    return encoded(values)


@pytest.mark.parametrize(
    ("field", "text", "problem"),
    [
        (2, b"320", "views are 320 x 480 at 60 degrees"),
        (4, b"80", "views are 640 x 480 at 80 degrees"),
        (3, b"tall", "not a number"),
        (3, b"nan", "views are 640 x nan"),
        (5, b"", "have 0 bytes instead of 576"),
        (5, b"*" * 768, "not base64"),
        (5, b"AAAA\xff", "not base64"),
        (5, encoded(features_of(0)[:-1]), "have 560 bytes instead of 576"),
        (5, encoded(features_of(0, SIZE + 1)), "have 720 bytes instead of 576"),
        (5, encoded(features_of(0))[:-3], "not base64"),
        (5, spoilt_number(np.nan), "not finite"),
        (5, spoilt_number(-np.inf), "not finite"),
        (5, spoilt_number(-70000), "too large for float16"),
        (4, b"60\textra", "has 7 fields instead of 6"),
    ],
)
def test_a_bad_record_is_named_and_nothing_is_written(atlas, tmp_path, field, text, problem):
    records = table_of(atlas)
    records[2][field] = text
    table = write(tmp_path / "some.tsv", records)
    manifest = (tmp_path / "atlas" / "manifest.json").read_bytes()
    with pytest.raises(InputError, match=problem) as caught:
        import_features(tmp_path / "atlas", table, "test", SPACE)
    assert str(caught.value).startswith(f"{table}, line 3: ")
    assert (tmp_path / "atlas" / "manifest.json").read_bytes() == manifest
    assert not list((tmp_path / "atlas").glob("views/*"))


def test_an_empty_line_is_named(atlas, tmp_path):
    table = write(tmp_path / "some.tsv", [record(atlas, 0), [b""], record(atlas, 1)])
    with pytest.raises(InputError, match="line 2: it has 1 fields"):
        import_features(tmp_path / "atlas", table, "test", SPACE)


def test_a_second_record_of_a_location_is_named(atlas, tmp_path):
    records = table_of(atlas)
    table = write(tmp_path / "some.tsv", [*records, records[1]])
    with pytest.raises(InputError, match=f"line {len(records) + 1}: .* is on line 2 already"):
        import_features(tmp_path / "atlas", table, "test", SPACE)


def test_locations_without_a_record_are_counted(atlas, tmp_path):
    records = [record(atlas, location) for location in range(atlas.location_count)]
    table = write(tmp_path / "some.tsv", records[:2] + records[5:])
    missing = atlas.location_names[2]
    with pytest.raises(InputError, match=f"no record of {missing} .* and 2 other locations"):
        import_features(tmp_path / "atlas", table, "test", SPACE)
    table.write_bytes(b"")
    with pytest.raises(InputError, match=f"no record of {atlas.location_names[0]}"):
        import_features(tmp_path / "atlas", table, "test", SPACE)


def test_a_line_without_end_is_not_read_whole(atlas, tmp_path, monkeypatch):
    monkeypatch.setattr(resnet, "_LONGEST_LINE", 1000)
    table = tmp_path / "some.tsv"
    table.write_bytes(b"x" * 5000)
    with pytest.raises(InputError, match="line 1: it is too long"):
        import_features(tmp_path / "atlas", table, "test", SPACE)


def test_a_cut_gzip_file_and_a_missing_file_are_named(atlas, tmp_path):
    table = tmp_path / "some.tsv.gz"
    whole = gzip.compress(write(tmp_path / "some.tsv", table_of(atlas)).read_bytes())
    table.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match=r"some\.tsv\.gz is not a whole gzip file"):
        import_features(tmp_path / "atlas", table, "test", SPACE)
    table.write_bytes(whole[:400] + b"\xff" * 40 + whole[440:])
    with pytest.raises(InputError, match=r"some\.tsv\.gz"):
        import_features(tmp_path / "atlas", table, "test", SPACE)
    with pytest.raises(InputError, match=r"nothing\.tsv cannot be read"):
        import_features(tmp_path / "atlas", tmp_path / "nothing.tsv", "test", SPACE)
