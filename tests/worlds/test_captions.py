"""Captions: read from the publisher's files, kept as text, and unchanged."""

import json
import tarfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from publishers import captions, viewpoint, write_source

from helpanna.errors import InputError
from helpanna.worlds.captions import heading_shares
from helpanna.worlds.matterport.captions import import_captions
from helpanna.worlds.matterport.importer import import_matterport
from helpanna.worlds.sample import sample_world
from helpanna.worlds.storage import ATLAS, check_atlas, load_atlas, save_atlas
from helpanna.worlds.world import World


@pytest.fixture(scope="module")
def world() -> World:
    return replace(sample_world("scan1", seed=1), name="scan1")


@pytest.fixture
def source(tmp_path: Path, world: World) -> Path:
    return write_source(tmp_path / "source", world)


@pytest.fixture
def atlas(source: Path, tmp_path: Path) -> Path:
    """An atlas with captions."""
    import_matterport(source, tmp_path / "atlas", annotations=False)
    return tmp_path / "atlas"


def test_the_captions_come_back(atlas: Path, world: World) -> None:
    got = check_atlas(atlas).views.captions
    assert got is not None
    for v, (name, headings) in enumerate(captions(world).items()):
        assert name == viewpoint(v)
        lines = [[line.split(": ", 1)[1] for line in text.split("\n")] for text in headings]
        assert got.of(v) == tuple(zip(*lines, strict=True))


def test_they_are_read_only_when_used(atlas: Path) -> None:
    loaded = load_atlas(atlas)
    texts = atlas / "captions" / "texts.json"
    texts.write_bytes(texts.read_bytes().replace(b"wall", b"ball"))
    assert loaded.views.captions is not None
    with pytest.raises(InputError, match="has changed since it was written"):
        _ = loaded.views.captions.texts


def test_a_copy_of_the_atlas_has_them(atlas: Path, tmp_path: Path) -> None:
    first = load_atlas(atlas)
    save_atlas(first, tmp_path / "copy")
    second = check_atlas(tmp_path / "copy")
    assert first.views.captions is not None and second.views.captions is not None
    assert first.views.captions.of(3) == second.views.captions.of(3)


def test_check_finds_captions_that_belong_to_no_view(atlas: Path) -> None:
    manifest = ATLAS.read(atlas)
    index = np.load(atlas / "captions" / "index.npy")
    np.save(atlas / "captions" / "index.npy", np.zeros_like(index))
    del manifest["files"]
    ATLAS.write(atlas, manifest)
    with pytest.raises(InputError, match="belong to no view"):
        check_atlas(atlas)


def test_an_archive_gives_the_same(source: Path, atlas: Path, tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "captions.tar.gz", "w:gz") as archive:
        archive.add(source / "captions", "captions")
    bare = tmp_path / "bare"
    without = replace(load_atlas(atlas), views=type(load_atlas(atlas).views)())
    save_atlas(without, bare)
    assert load_atlas(bare).views.captions is None
    count = import_captions(bare, tmp_path / "captions.tar.gz")
    assert count == without.location_count * 24
    for name in ("texts.json", "index.npy"):
        assert (bare / "captions" / name).read_bytes() == (atlas / "captions" / name).read_bytes()
    with pytest.raises(InputError, match="has captions already"):
        import_captions(bare, tmp_path / "captions.tar.gz")


@pytest.mark.parametrize(
    ("record", "sentence"),
    [
        (["down: a\nmiddle: b\ntop: c"] * 7, "no list of 8 captions"),
        ("text", "no list of 8 captions"),
        ([None] * 8, "heading 0 is no text"),
        (["down: a\nmiddle: b\ntop: c"] * 7 + ["down: a\nmiddle: b"], "heading 315 has not the lines"),
        (["top: a\nmiddle: b\ndown: c"] * 8, "heading 0 has not the lines"),
        (["down: a\nmiddle: \ntop: c"] * 8, "heading 0 says nothing"),
        (["down: a\nmiddle: \x00b\ntop: c"] * 8, "cannot be printed"),
    ],
)
def test_a_bad_record_is_named(source: Path, tmp_path: Path, record: object, sentence: str) -> None:
    path = source / "captions" / "scan1.json"
    table = json.loads(path.read_text())
    table[viewpoint(2)] = record
    path.write_text(json.dumps(table))
    with pytest.raises(InputError, match=sentence) as caught:
        import_matterport(source, tmp_path / "out", annotations=False)
    assert "scan1.json" in str(caught.value) and viewpoint(2) in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_every_location_must_have_captions(source: Path, tmp_path: Path) -> None:
    path = source / "captions" / "scan1.json"
    table = json.loads(path.read_text())
    del table[viewpoint(0)], table[viewpoint(4)]
    path.write_text(json.dumps(table))
    with pytest.raises(InputError, match=f"no captions of {viewpoint(0)} of scan1 and 1 other"):
        import_matterport(source, tmp_path / "out", annotations=False)


def test_headings_share_captions_by_the_angle() -> None:
    shares = heading_shares()
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    for heading in range(12):
        mean = np.angle(shares[heading] @ np.exp(1j * np.arange(8) * np.pi / 4))
        assert abs(np.angle(np.exp(1j * (mean - heading * np.pi / 6)))) < np.radians(5)
    assert shares[0, 0] == shares[3, 2] == shares[6, 4] == shares[9, 6] == 1
    np.testing.assert_allclose(shares[1, :2], [1 / 3, 2 / 3], atol=1e-6)
