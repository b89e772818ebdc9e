"""Importing a building that was written in the publishers' formats gives the building back."""

import json
import tarfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from publishers import house_file, viewpoint, write_source

from helpanna.errors import InputError
from helpanna.worlds.annotations import NAME, SIZE
from helpanna.worlds.matterport.importer import import_matterport
from helpanna.worlds.sample import sample_world
from helpanna.worlds.storage import check_atlas, load_atlas
from helpanna.worlds.world import World


@pytest.fixture(scope="module")
def world() -> World:
    return replace(sample_world("scan1", seed=1), name="scan1")


@pytest.fixture
def source(tmp_path: Path, world: World) -> Path:
    return write_source(tmp_path / "source", world)


def test_the_graph_comes_back(source: Path, tmp_path: Path, world: World) -> None:
    report = import_matterport(source, tmp_path / "atlas")
    got = check_atlas(tmp_path / "atlas").world("scan1")
    assert got.location_names == tuple(viewpoint(v) for v in range(world.location_count))
    np.testing.assert_array_equal(got.positions, world.positions)
    np.testing.assert_array_equal(got.edges, world.edges)
    np.testing.assert_array_equal(got.room_of, world.room_of)
    assert report.counts["locations"] == world.location_count
    assert report.unreachable == {}


def test_objects_are_triangulated_to_where_they_are(source: Path, tmp_path: Path, world: World) -> None:
    import_matterport(source, tmp_path / "atlas")
    got = load_atlas(tmp_path / "atlas").world("scan1")
    seen = np.bincount(world.sightings[:, 1], minlength=len(world.object_names))
    index = {int(name): i for i, name in enumerate(got.object_names)}
    errors = []
    for thing in np.flatnonzero(seen >= 2):
        assert got.object_types[index[thing]] == world.object_types[thing]
        errors.append(np.linalg.norm(got.object_positions[index[thing]] - world.object_positions[thing]))
    assert len(errors) > 5
    assert np.median(errors) < 0.3


def test_a_delegate_is_the_closest_location_that_sees_the_object(source: Path, tmp_path: Path) -> None:
    import_matterport(source, tmp_path / "atlas")
    got = load_atlas(tmp_path / "atlas").world("scan1")
    for thing, delegate in enumerate(got.delegates):
        sees = got.sightings[got.sightings[:, 1] == thing, 0]
        distance = np.linalg.norm(got.positions[sees] - got.object_positions[thing], axis=1)
        assert delegate in sees[distance == distance.min()]


def test_a_tar_gives_the_same_as_a_folder(source: Path, tmp_path: Path) -> None:
    import_matterport(source, tmp_path / "a")
    with tarfile.open(source / "reverie_bbox.tar.gz", "w:gz") as archive:
        archive.add(source / "BBox", arcname="BBox")
    for file in (source / "BBox").iterdir():
        file.unlink()
    (source / "BBox").rmdir()
    import_matterport(source, tmp_path / "b")
    assert (tmp_path / "a" / "manifest.json").read_bytes() == (tmp_path / "b" / "manifest.json").read_bytes()


def test_an_object_that_shows_nowhere_is_left_out_and_counted(source: Path, tmp_path: Path) -> None:
    path = source / "BBox" / f"scan1_{viewpoint(0)}.json"
    record = json.loads(path.read_text())
    record[viewpoint(0)]["777"] = {"name": "ghost", "visible_pos": [], "bbox2d": []}
    path.write_text(json.dumps(record))
    report = import_matterport(source, tmp_path / "atlas")
    assert report.unseen_objects == 1
    assert "777" not in load_atlas(tmp_path / "atlas").object_names


@pytest.mark.slow
def test_features_like_another_atlas_are_in_its_space(source: Path, tmp_path: Path) -> None:
    import_matterport(source, tmp_path / "a")
    other = write_source(tmp_path / "other", replace(sample_world("scan2", seed=5), name="scan2"))
    import_matterport(other, tmp_path / "b", features_like=tmp_path / "a")
    a, b = (load_atlas(tmp_path / name).views.get(NAME) for name in "ab")
    assert a.space == b.space
    assert b.array.shape[1:] == (36, SIZE)


@pytest.mark.slow
def test_only_the_worlds_asked_for(source: Path, tmp_path: Path) -> None:
    write_source(source, replace(sample_world("scan2", seed=5), name="scan2"))
    import_matterport(source, tmp_path / "atlas", worlds=["scan2"], objects="none")
    assert load_atlas(tmp_path / "atlas").world_names == ("scan2",)
    with pytest.raises(InputError, match="scan3"):
        import_matterport(source, tmp_path / "b", worlds=["scan3"])


def _edit(path: Path, change: object) -> None:
    records = json.loads(path.read_text())
    change(records)  # type: ignore[operator]
    path.write_text(json.dumps(records))


BAD_GRAPHS = {
    "not 16 finite numbers": lambda r: r[1]["pose"].__setitem__(3, float("nan")),
    "joins": lambda r: r[1].__setitem__("unobstructed", [False] * len(r)),
    "twice": lambda r: r[2].__setitem__("image_id", r[1]["image_id"]),
    "it has no height": lambda r: r[3].pop("height"),
    "true or false": lambda r: r[3].__setitem__("unobstructed", [True]),
    "includes no viewpoint": lambda r: [v.__setitem__("included", False) for v in r],
    "same place": lambda r: r[1].__setitem__("pose", r[2]["pose"]),
}


@pytest.mark.parametrize("message", BAD_GRAPHS)
def test_a_bad_graph_is_named(source: Path, tmp_path: Path, world: World, message: str) -> None:
    path = source / "connectivity" / "scan1_connectivity.json"
    if message == "same place":
        i, j = world.edges[0] + 1
        _edit(path, lambda r: r[i].__setitem__("pose", r[j]["pose"]))
    else:
        _edit(path, BAD_GRAPHS[message])
    with pytest.raises(InputError, match=message):
        import_matterport(source, tmp_path / "atlas")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["source"]


def test_missing_and_broken_files_are_named(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "atlas"
    with pytest.raises(InputError, match="nowhere"):
        import_matterport(tmp_path / "nowhere", out)
    regions = source / "house_region_to_panorama.json"
    text = regions.read_text()
    regions.write_text(text[: len(text) // 2])
    with pytest.raises(InputError, match=regions.name):
        import_matterport(source, out)
    regions.write_text(json.dumps({"scan1": {"0": ["no such viewpoint"]}}))
    with pytest.raises(InputError, match="no such viewpoint"):
        import_matterport(source, out)
    regions.unlink()
    (source / "connectivity" / "scans.txt").write_text("scan1\nscan9\n")
    with pytest.raises(InputError, match=r"scan9_connectivity\.json does not exist"):
        import_matterport(source, out)
    (source / "connectivity" / "scans.txt").unlink()
    stray = source / "BBox" / f"scan1_{'e' * 32}.json"
    stray.write_text(json.dumps({"e" * 32: {}}))
    with pytest.raises(InputError, match="e" * 32):
        import_matterport(source, out)
    stray.unlink()
    with pytest.raises(InputError, match="--objects"):
        import_matterport(source, out, objects="house")
    import_matterport(source, out)
    with pytest.raises(InputError, match="exists already"):
        import_matterport(source, out)
    import_matterport(source, out, overwrite=True)


def test_a_truncated_archive_is_named(source: Path, tmp_path: Path) -> None:
    path = source / "reverie_bbox.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        archive.add(source / "BBox", arcname="BBox")
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(InputError, match=r"reverie_bbox\.tar\.gz"):
        import_matterport(source, tmp_path / "atlas")


def test_a_house_file_gives_rooms_with_kinds_and_objects(source: Path, tmp_path: Path, world: World) -> None:
    (source / "scan1").mkdir()
    (source / "scan1" / "scan1.house").write_text(house_file(world))
    import_matterport(source, tmp_path / "atlas", objects="house")
    got = check_atlas(tmp_path / "atlas").world("scan1")
    assert {room.kind for room in got.rooms} == {"kitchen"}
    np.testing.assert_array_equal(got.room_of, world.room_of)
    assert len(got.object_names) == len(world.object_names)
    np.testing.assert_allclose(got.object_positions, world.object_positions)
    assert got.object_types == world.object_types
    # Whoever sees an object shares its room, and the delegate is the closest of them.
    rooms = world.room_of[world.delegates]
    for thing, delegate in enumerate(got.delegates):
        sees = got.sightings[got.sightings[:, 1] == thing, 0]
        assert (got.room_of[sees] == rooms[thing]).all()
        distance = np.linalg.norm(got.positions[sees] - got.object_positions[thing], axis=1)
        assert delegate in sees[distance == distance.min()]
