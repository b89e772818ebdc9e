import dataclasses
import json
import shutil

import numpy as np
import pytest

from helpanna.errors import InputError
from helpanna.tasks.build import BuildSettings, build_splits
from helpanna.tasks.check import check_dataset
from helpanna.tasks.dataset import SPLITS, load_dataset, load_split, save_dataset
from helpanna.tasks.room_to_room import build_routes, read_room_to_room
from helpanna.tasks.sampling import PathRange
from helpanna.worlds.sample import sample_atlas
from helpanna.worlds.storage import load_atlas, new_features, save_atlas


@pytest.fixture
def copy(tmp_path, home, dataset):
    """The dataset and its atlases in a folder of their own."""
    for name in ("atlas", "far", "dataset"):
        shutil.copytree(home / name, tmp_path / name)
    return tmp_path / "dataset"


def same_split(a, b):
    tables = [(a, b, name) for name in ("goal_set", "start", "view")]
    tables += [(a.routes, b.routes, name) for name in ("path", "view", "route_of")]
    tables += [(a.goal_sets, b.goal_sets, name) for name in ("world", "object_type", "distance", "nearest")]
    for left, right, name in tables:
        assert np.array_equal(getattr(left, name), getattr(right, name)), name
    assert (a.name, a.texts, a.routes.names) == (b.name, b.texts, b.routes.names)
    assert a.routes.instructions == b.routes.instructions


def test_splits_survive_the_disk(home, dataset):
    atlases = [load_atlas(home / name) for name in ("atlas", "far")]
    descriptions = read_room_to_room([home / "routes.json"])
    sizes = dataset.manifest["settings"]["sizes"]
    splits = build_splits(
        [(atlas, build_routes(atlas, descriptions)) for atlas in atlases],
        None,
        BuildSettings(unseen_count=2, sizes=sizes),
    )
    assert set(splits) == set(SPLITS) == set(dataset.names)
    for name, split in splits.items():
        same_split(split, load_split(dataset.folder, name))
        assert len(split) == sizes[name]


def test_a_dataset_knows_what_it_follows_from(dataset):
    assert dataset.names == SPLITS and dataset.paths == PathRange(5, 15)
    assert dataset.manifest["seed"] == 0
    assert dataset.manifest["settings"]["unseen_count"] == 2


def test_splits_of_one_atlas_share_it(dataset):
    assert dataset.split("train").atlas is dataset.split("val_unseen").atlas
    assert dataset.split("train").atlas is not dataset.split("test_unseen").atlas


def test_a_split_that_is_not_there_is_named(dataset):
    with pytest.raises(InputError, match="has no split 'dev'; it has train, val_seen"):
        dataset.split("dev")


def test_dataset_and_atlas_may_move_together_or_the_dataset_alone(copy, home, tmp_path):
    check_dataset(copy)
    alone = tmp_path / "elsewhere" / "dataset"
    shutil.move(copy, alone)
    assert len(load_split(alone, "train")) == 300  # finds the atlas where it was


def test_a_missing_atlas_is_named(copy, tmp_path):
    split, folder = load_split(copy, "train"), tmp_path / "lonely"
    shutil.copytree(tmp_path / "atlas", tmp_path / "gone")
    save_dataset(folder, {"train": split}, [(split.atlas, tmp_path / "gone")], 0, PathRange(), {})
    load_split(folder, "train")
    shutil.rmtree(tmp_path / "gone")
    with pytest.raises(InputError, match=r"the atlas that .*lonely was built for is neither"):
        load_split(folder, "train")


def test_features_may_be_added_to_the_atlas_but_its_buildings_may_not_change(copy, tmp_path):
    with new_features(tmp_path / "atlas", "more", 3, {"kind": "test"}) as array:
        array[:] = 1
    assert "more" in load_split(copy, "train").atlas.views.features
    save_atlas(sample_atlas(6, seed=5), tmp_path / "atlas", overwrite=True)
    with pytest.raises(InputError, match=r"are not those that .* was built for"):
        load_split(copy, "train")
    load_split(copy, "test_unseen")  # in the other atlas


def test_no_dataset_is_named(tmp_path, home):
    with pytest.raises(InputError, match="is no dataset"):
        load_dataset(tmp_path)
    with pytest.raises(InputError, match=r"not of the schema helpanna\.dataset/1"):
        load_dataset(home / "atlas")


def test_a_changed_manifest_is_noticed(copy):
    path = copy / "manifest.json"
    path.write_text(path.read_text().replace('"seed": 0', '"seed": 1'))
    with pytest.raises(InputError, match="has changed since it was written"):
        load_dataset(copy)


def test_missing_cut_and_changed_files_are_named(copy):
    texts = copy / "train" / "texts.json"
    content = texts.read_text(encoding="utf-8")
    texts.write_text(content.replace("walk", "waLk", 1), encoding="utf-8")
    with pytest.raises(InputError, match=r"texts\.json has changed"):
        load_split(copy, "train")
    texts.write_text(content, encoding="utf-8")
    start = copy / "train" / "start.npy"
    whole = start.read_bytes()
    start.write_bytes(whole[:-4])
    with pytest.raises(InputError, match=r"start\.npy has \d+ bytes instead of"):
        load_split(copy, "train")
    start.write_bytes(b"\0" * len(whole))
    with pytest.raises(InputError, match=r"start\.npy is not a readable array"):
        load_split(copy, "train")
    start.unlink()
    with pytest.raises(InputError, match=r"start\.npy is missing"):
        load_split(copy, "train")
    load_split(copy, "val_seen")


def test_a_changed_number_is_found_by_the_check(copy):
    start = copy / "train" / "start.npy"
    content = bytearray(start.read_bytes())
    content[-4] ^= 1
    start.write_bytes(content)
    with pytest.raises(InputError, match=r"start\.npy has changed since it was written \(SHA-256"):
        check_dataset(copy)


def test_parts_that_do_not_fit_together_are_no_dataset(copy):
    dataset = load_dataset(copy)
    manifest = json.loads(json.dumps(dataset.manifest))
    manifest["splits"]["train"]["atlas"] = 7
    with pytest.raises(InputError, match="is not well-formed"):
        dataclasses.replace(dataset, manifest=manifest).split("train")


def test_nothing_is_left_of_a_dataset_that_cannot_be_written(tmp_path, dataset):
    split = dataset.split("train")
    broken = dataclasses.replace(split, start=np.array(["x"]))
    with pytest.raises(ValueError, match="x"):
        save_dataset(tmp_path / "new", {"train": broken}, [], 0, PathRange(), {})
    assert list(tmp_path.iterdir()) == []
