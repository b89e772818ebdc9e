import json
import os

import numpy as np
import pytest

from helpanna.errors import InputError
from helpanna.manifest import FolderKind

KIND = FolderKind("test.things/1", "box", {"size": int})


@pytest.fixture
def box(tmp_path):
    (tmp_path / "deep").mkdir()
    np.save(tmp_path / "deep" / "numbers.npy", np.arange(6, dtype=np.int32).reshape(2, 3))
    (tmp_path / "words.json").write_text('["a", "b"]')
    KIND.write(tmp_path, {"size": 2})
    return tmp_path


def test_a_folder_is_read_as_it_was_written(box):
    manifest = KIND.read(box)
    assert manifest["size"] == 2 and set(manifest["files"]) == {"deep/numbers.npy", "words.json"}
    assert manifest["files"]["deep/numbers.npy"]["shape"] == [2, 3]
    KIND.verify(box, manifest)
    numbers = KIND.array(box, manifest, "deep/numbers.npy", np.int32)
    assert numbers.tolist() == [[0, 1, 2], [3, 4, 5]] and not numbers.flags.writeable
    assert KIND.json(box, manifest, "words.json") == ["a", "b"]


def test_writing_again_changes_nothing(box):
    before = (box / "manifest.json").read_bytes()
    KIND.write(box, {"size": 2})
    assert (box / "manifest.json").read_bytes() == before


def test_arrays_of_another_type_or_shape_are_refused(box):
    manifest = KIND.read(box)
    with pytest.raises(InputError, match=r"numbers\.npy holds \(2, 3\) numbers of type int32"):
        KIND.array(box, manifest, "deep/numbers.npy", np.int64)
    np.save(box / "deep" / "numbers.npy", np.arange(6, dtype=np.int32).reshape(3, 2))
    with pytest.raises(InputError, match="build the box again"):
        KIND.array(box, manifest, "deep/numbers.npy", np.int32)


def test_pickles_are_not_read(box):
    np.save(box / "deep" / "numbers.npy", np.array([{}], dtype=object), allow_pickle=True)
    manifest = KIND.read(box)
    manifest["files"]["deep/numbers.npy"]["bytes"] = (box / "deep" / "numbers.npy").stat().st_size
    with pytest.raises(InputError, match="not a readable array"):
        KIND.array(box, manifest, "deep/numbers.npy", np.int32)


def test_changed_files_are_found(box):
    manifest = KIND.read(box)
    (box / "words.json").write_text('["a", "c"]')
    for look in (lambda: KIND.verify(box, manifest), lambda: KIND.json(box, manifest, "words.json")):
        with pytest.raises(InputError, match=r"words\.json has changed since it was written \(SHA-256"):
            look()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "not of the schema"),
        ('{"schema": "test.things/2"}', "not of the schema"),
        ('{"schema": "test.things/1", "size": 2, "files": {}}', "has no checksum"),
        ('{"schema": "test.things/1", "size": 2, "files": {}, "checksum": "0"}', "has changed"),
        ("{", "not valid JSON"),
    ],
)
def test_a_false_manifest_is_named(box, content, message):
    (box / "manifest.json").write_text(content)
    with pytest.raises(InputError, match=message):
        KIND.read(box)


def test_a_key_that_is_missing_is_named(box):
    KIND.write(box, {"size": "large"})
    with pytest.raises(InputError, match="has no proper size"):
        KIND.read(box)


def test_every_byte_of_the_manifest_counts(box):
    path = box / "manifest.json"
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps(manifest))  # the same content in another form
    with pytest.raises(InputError, match="has changed"):
        KIND.read(box)


def test_nonsense_becomes_one_sentence(box):
    with (
        pytest.raises(InputError, match=r"is not well-formed \(KeyError\('x'\)\)"),
        KIND.well_formed(box),
    ):
        raise KeyError("x")


def test_an_array_that_was_changed_is_found_though_nothing_else_shows_it(box):
    manifest = KIND.read(box)
    path = box / "deep" / "numbers.npy"
    for _ in range(2):
        assert KIND.array(box, manifest, "deep/numbers.npy", np.int32)[1, 2] == 5
    times = path.stat()
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # as some copying programs do
    with pytest.raises(InputError, match=r"numbers\.npy has changed since it was written \(SHA-256"):
        KIND.array(box, manifest, "deep/numbers.npy", np.int32)
    data[-1] ^= 1
    path.write_bytes(data)
    assert KIND.array(box, manifest, "deep/numbers.npy", np.int32)[1, 2] == 5
