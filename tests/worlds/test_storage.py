"""An atlas on disk: what is saved is what is loaded, all or nothing, and no damage goes unnoticed."""

import json
import shutil
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import atlases

from helpanna.errors import InputError
from helpanna.files import sha256
from helpanna.manifest import _signed, file_entry
from helpanna.randomness import generator
from helpanna.worlds import storage
from helpanna.worlds.atlas import Atlas, build_atlas
from helpanna.worlds.sample import sample_atlas, sample_world
from helpanna.worlds.storage import ATLAS, check_atlas, load_atlas, new_features, save_atlas
from helpanna.worlds.views import ViewFeatures, Views

FLIPS = 10
"""Bytes changed in each file, one at a time."""

FREE = {"eye_height", "floor", "object_position", "object_radius", "object_type", "sighting_views"}
"""Arrays that may hold other numbers without contradicting the rest of the atlas."""


def small_atlas():
    """Two small buildings with view features."""
    worlds = [replace(sample_world(), name=name) for name in ("one", "two")]
    atlas = build_atlas(worlds, source="a test", licence="none, ü")
    return replace(atlas, views=Views({"shapes": some_features(atlas, "shapes", 3)}))


def some_features(atlas, name, size):
    array = generator(0, "features", size).random((atlas.location_count, 36, size)).astype(np.float16)
    return ViewFeatures(name, array, {"about": name, "parts": [1, 0.5, None]})


def assert_same_atlas(a, b):
    for field in fields(Atlas):
        if field.name == "views":
            continue
        left, right = getattr(a, field.name), getattr(b, field.name)
        if isinstance(left, np.ndarray):
            assert left.dtype == right.dtype and np.array_equal(left, right), field.name
        else:
            assert left == right, field.name
    assert a.views.features.keys() == b.views.features.keys()
    for name, features in a.views.features.items():
        assert features.array.tobytes() == b.views.features[name].array.tobytes()
        assert features.array.shape == b.views.features[name].array.shape
        assert features.space == b.views.features[name].space


@pytest.fixture(scope="module")
def pristine(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pristine") / "atlas"
    save_atlas(small_atlas(), folder)
    return folder


@pytest.fixture
def folder(pristine, tmp_path):
    """A saved atlas of one's own to spoil."""
    return shutil.copytree(pristine, tmp_path / "atlas")


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def files_of(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def edit_manifest(folder, edit):
    """Changes the manifest and signs it again, as a program gone wrong would."""
    manifest = ATLAS.read(folder)
    edit(manifest)
    (folder / "manifest.json").write_bytes(_signed(manifest))


def resign(folder, name):
    """Makes the manifest agree with a file that was replaced."""

    def edit(manifest):
        manifest["files"][name]["bytes"] = (folder / name).stat().st_size
        manifest["files"][name]["sha256"] = sha256(folder / name)

    edit_manifest(folder, edit)


# --- Identity ---


@pytest.mark.slow
@settings(max_examples=30)
@given(atlases(), st.integers(0, 2))
def test_load_inverts_save(atlas, feature_sets):
    features = {f"set{k}": some_features(atlas, f"set{k}", k + 1) for k in range(feature_sets)}
    atlas = replace(atlas, views=Views(features))
    with TemporaryDirectory() as parent:
        save_atlas(atlas, Path(parent) / "atlas")
        assert_same_atlas(load_atlas(Path(parent) / "atlas"), atlas)
        assert_same_atlas(check_atlas(str(Path(parent) / "atlas")), atlas)


def test_saving_what_was_loaded_gives_the_same_bytes(pristine, tmp_path):
    save_atlas(load_atlas(pristine), tmp_path / "again")
    assert contents(tmp_path / "again") == contents(pristine)


def test_the_manifest_says_what_is_in_every_file(pristine):
    manifest = ATLAS.read(pristine)
    assert manifest["schema"] == "helpanna.atlas/2"
    assert manifest["source"] == "a test"
    assert manifest["licence"] == "none, ü"
    assert manifest["counts"] == small_atlas().counts()
    there = {path.relative_to(pristine).as_posix(): path for path in files_of(pristine)}
    assert set(manifest["files"]) == set(there) - {"manifest.json"}
    for name, entry in manifest["files"].items():
        assert entry["bytes"] == there[name].stat().st_size
        assert len(entry["sha256"]) == 64


# --- All or nothing ---


def test_features_can_be_added_later(folder):
    expected = some_features(load_atlas(folder), "more", 5)
    with new_features(folder, "more", 5, expected.space) as array:
        array[:] = expected.array
    views = check_atlas(folder).views
    assert sorted(views.features) == ["more", "shapes"]
    assert np.array_equal(views.get("more").array, expected.array)
    assert views.get("more").space == expected.space


def test_failing_features_leave_the_atlas_as_it_was(folder):
    before = contents(folder)
    with pytest.raises(RuntimeError, match="midway"), new_features(folder, "more", 5, {}) as array:
        array[:1] = 1
        raise RuntimeError("midway")
    assert contents(folder) == before


@pytest.mark.parametrize(("name", "said"), [("shapes", "already"), ("../shapes", "letters"), ("", "letters")])
def test_features_need_a_new_and_plain_name(folder, name, said):
    before = contents(folder)
    with pytest.raises(InputError, match=said), new_features(folder, name, 5, {}):
        pass
    assert contents(folder) == before


def fail_on(monkeypatch, call):
    """Makes the `call`-th array fail to be written, as on a full disk."""
    save, calls = np.save, []

    def failing(*args, **kwargs):
        calls.append(args)
        if len(calls) == call:
            raise RuntimeError("killed")
        save(*args, **kwargs)

    monkeypatch.setattr(np, "save", failing)


@pytest.mark.parametrize("call", [1, 7, len(storage.ARRAYS)])
def test_a_save_that_fails_midway_leaves_nothing(tmp_path, monkeypatch, call):
    fail_on(monkeypatch, call)
    with pytest.raises(RuntimeError, match="killed"):
        save_atlas(small_atlas(), tmp_path / "atlas")
    assert list(tmp_path.iterdir()) == []


def test_a_save_that_fails_over_an_atlas_leaves_that_one(folder, monkeypatch):
    before = contents(folder)
    fail_on(monkeypatch, 7)
    with pytest.raises(RuntimeError, match="killed"):
        save_atlas(small_atlas(), folder, overwrite=True)
    assert contents(folder) == before
    assert list(folder.parent.iterdir()) == [folder]


def test_an_atlas_is_overwritten_only_on_request(folder):
    before = contents(folder)
    other = replace(small_atlas(), source="another")
    with pytest.raises(InputError, match="exists already"):
        save_atlas(other, folder)
    assert contents(folder) == before
    save_atlas(other, folder, overwrite=True)
    assert check_atlas(folder).source == "another"
    assert list(folder.parent.iterdir()) == [folder]


# --- Damage ---


def refuses(folder):
    """Checking raises `InputError` in one sentence; loading does the same, or does not notice."""
    with pytest.raises(InputError) as refused:
        check_atlas(folder)
    assert "\n" not in str(refused.value).rstrip("\n")
    try:
        load_atlas(folder)
    except InputError:
        return True
    return False


def spoil(path, at, draw):
    """Changes one byte of a file to any other."""
    content = bytearray(path.read_bytes())
    content[at] ^= int(draw.integers(1, 256))
    path.write_bytes(content)


@pytest.mark.slow
def test_a_changed_byte_anywhere_is_found(folder):
    draw = generator(0, "flips")
    for path in files_of(folder):
        whole = path.read_bytes()
        for at in draw.integers(0, len(whole), FLIPS).tolist():
            spoil(path, at, draw)
            refuses(folder)
            path.write_bytes(whole)
    check_atlas(folder)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["position", "action_view"])
def test_a_changed_byte_of_an_array_header_is_found(folder, name):
    draw = generator(0, "headers")
    path = folder / "arrays" / f"{name}.npy"
    whole = path.read_bytes()
    for at in range(128):
        spoil(path, at, draw)
        refuses(folder)
        path.write_bytes(whole)


def test_every_byte_of_the_manifest_counts(folder):
    """Also those that JSON does not mind, such as a tab in place of a blank."""
    path = folder / "manifest.json"
    text = path.read_text(encoding="utf-8")
    for spoiled in (text.replace("\n ", "\n\t", 1), text.replace("\n", "\r\n", 1), text + " ", text[:-1]):
        path.write_bytes(spoiled.encode())
        assert refuses(folder)


@pytest.mark.slow
@pytest.mark.parametrize("keep", [0, 1, 10, 127, 128, -1])
def test_a_truncated_file_is_found_on_loading(folder, keep):
    for path in files_of(folder):
        whole = path.read_bytes()
        if len(whole[:keep]) == len(whole):
            continue
        path.write_bytes(whole[:keep])
        assert refuses(folder)
        path.write_bytes(whole)


@pytest.mark.parametrize("extra", [b"\0", b" ", b"x" * 4096])
def test_a_file_with_something_after_it_is_found_on_loading(folder, extra):
    for path in files_of(folder):
        whole = path.read_bytes()
        path.write_bytes(whole + extra)
        assert refuses(folder)
        path.write_bytes(whole)


def a_folder(path):
    path.mkdir()


def a_link_to_nothing(path):
    path.symlink_to(path.parent / "nowhere")


def a_link_to_itself(path):
    path.symlink_to(path)


def a_link_to_a_folder(path):
    path.symlink_to(path.parent)


def nothing(path):
    assert not path.exists()


@pytest.mark.parametrize(
    "replacement", [nothing, a_folder, a_link_to_nothing, a_link_to_itself, a_link_to_a_folder]
)
def test_a_missing_file_is_found_on_loading(folder, replacement):
    for path in files_of(folder):
        kept = path.rename(folder.parent / "kept")
        replacement(path)
        assert refuses(folder)
        if path.is_dir() and not path.is_symlink():
            path.rmdir()
        path.unlink(missing_ok=True)
        kept.rename(path)


def test_a_link_to_the_same_file_serves_as_well(folder):
    path = folder / "views" / "shapes.npy"
    path.symlink_to(path.rename(folder.parent / "elsewhere.npy"))
    assert_same_atlas(check_atlas(folder), small_atlas())


def test_what_is_no_atlas_is_refused(tmp_path):
    (tmp_path / "file").write_text("{}")
    (tmp_path / "empty").mkdir()
    for name in ("file", "empty", "missing"):
        with pytest.raises(InputError, match="is no atlas"):
            load_atlas(tmp_path / name)


@pytest.mark.parametrize("schema", ["helpanna.atlas/1", "helpanna.atlas/3", None, 2])
def test_another_schema_is_refused(folder, schema):
    edit_manifest(folder, lambda manifest: manifest.update(schema=schema))
    with pytest.raises(InputError, match=r"schema helpanna\.atlas/2"):
        load_atlas(folder)


@pytest.mark.parametrize("text", ["", "[]", "null", "1", '"x"', "{}", "{", "[" * 100_000, "\ud800", "NaN"])
def test_a_manifest_that_is_something_else_is_refused(folder, text):
    (folder / "manifest.json").write_bytes(text.encode(errors="surrogatepass"))
    assert refuses(folder)


def test_an_edited_manifest_is_refused(folder):
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    for edited in (
        manifest | {"source": "another"},
        manifest | {"checksum": "0" * 64},
        {key: value for key, value in manifest.items() if key != "checksum"},
    ):
        path.write_text(json.dumps(edited, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        assert refuses(folder)


@pytest.mark.parametrize("key", ["source", "licence", "counts", "views", "panoramas", "files"])
@pytest.mark.parametrize(
    "value", ["left out", None, 3, "text", [], {}, [1], {"shapes": 1}, {"names.json": 1}]
)
def test_a_manifest_that_says_nonsense_is_refused(folder, key, value):
    """Signed and all, as a program gone wrong might write it."""

    def edit(manifest):
        if value == "left out":
            del manifest[key]
        else:
            manifest[key] = value

    harmless = {("views", "{}"), ("source", "'text'"), ("licence", "'text'")}
    harmless |= {("panoramas", "None"), ("panoramas", "{}")}
    edit_manifest(folder, edit)
    if (key, repr(value)) in harmless:
        check_atlas(folder)
    else:
        assert refuses(folder)


@pytest.mark.parametrize("key", ["worlds", "locations", "rooms", "objects", "object_types"])
@pytest.mark.parametrize("value", ["left out", None, 3, [], [1], {"a": 1}, [["a", "b", "c"]], ["only"]])
def test_names_that_are_nonsense_are_refused(folder, key, value):
    path = folder / "names.json"
    names = json.loads(path.read_text(encoding="utf-8"))
    names[key] = value
    if value == "left out":
        del names[key]
    path.write_text(json.dumps(names), encoding="utf-8")
    resign(folder, "names.json")
    refuses(folder)


def header(descr, shape):
    text = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


@pytest.mark.parametrize(
    "start",
    [
        header("'|O'", "(3,)"),  # pickled objects
        header("'<i8'", "(3,"),
        header("'<i8'", "(2**70,)"),
        header("'<i8'", "(1000000000000000000,)"),
        header("'<i8'", "(-3,)"),
        header("'<i8'", "'x'"),
        header("'<x9'", "(3,)"),
        header("[[[", "(3,)"),
        header("'<f8'", "(3,)"),
        b"\x80\x04N.",  # a pickle
        b"PK\x03\x04",  # a zip, as of numpy.savez
        b"\x93NUMPY\x09\x00",
    ],
)
def test_an_array_with_a_false_header_is_refused(folder, start):
    """Even when its size and checksum are right."""
    path = folder / "arrays" / "world_start.npy"
    path.write_bytes(start + path.read_bytes()[len(start) :])
    assert refuses(folder)
    resign(folder, "arrays/world_start.npy")
    assert refuses(folder)


def replace_array(folder, name, array):
    path = folder / f"{name}.npy"
    np.save(path, array)
    edit_manifest(folder, lambda manifest: manifest["files"].update({f"{name}.npy": file_entry(path)}))


@pytest.mark.slow
@pytest.mark.parametrize("name", storage.ARRAYS)
def test_an_array_that_does_not_fit_the_others_is_refused(folder, name):
    """Signed and all: what a table must be follows from the worlds."""
    array = getattr(small_atlas(), name)
    largest = np.iinfo(array.dtype).max if array.dtype.kind in "iu" else np.inf
    for spoiled in (
        array[:-1],
        np.concatenate([array, array[-1:]]),
        array.reshape(1, -1),
        array.astype(np.complex128),
        np.full_like(array, largest),
    ):
        replace_array(folder, f"arrays/{name}", spoiled)
        refuses(folder)


@pytest.mark.parametrize("name", sorted({*storage.ARRAYS} - FREE))
@pytest.mark.parametrize("value", [0, 1])
def test_a_table_of_one_value_is_refused(folder, name, value):
    array = getattr(small_atlas(), name)
    replace_array(folder, f"arrays/{name}", np.full_like(array, value))
    refuses(folder)


@pytest.mark.parametrize("shape", [(1, 36, 3), (36, 3), (0,)])
def test_features_that_do_not_fit_the_atlas_are_refused(folder, shape):
    replace_array(folder, "views/shapes", np.zeros(shape, dtype=np.float16))
    assert refuses(folder)


def test_features_that_are_not_finite_are_refused_by_a_check(folder):
    with new_features(folder, "bad", 2, {}) as array:
        array[:] = 0
        array[-1, -1, -1] = np.nan
    with pytest.raises(InputError, match="bad features hold a number that is not finite"):
        check_atlas(folder)


def test_the_space_of_new_features_is_taken_before_they_are_written(tmp_path):
    # A file with holes kills the process that fills it through a memory map when the disk is full.
    save_atlas(sample_atlas(worlds=1), tmp_path / "atlas")
    with new_features(tmp_path / "atlas", "many", 512, {}):
        (file,) = (tmp_path / "atlas" / "views").iterdir()
        assert file.stat().st_blocks * 512 >= file.stat().st_size > 500_000
