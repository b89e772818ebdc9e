"""The paper's dataset, rebuilt from the publishers' files."""

import time

import numpy as np
import pytest

from helpanna.cli.main import main
from helpanna.tasks.check import check_dataset
from helpanna.tasks.dataset import load_split
from helpanna.tasks.room_to_room import build_routes, read_room_to_room
from helpanna.tasks.routes import check_routes
from helpanna.tasks.stats import PAPER_SPLITS, dataset_figures

pytestmark = pytest.mark.slow

EXCLUDED = ("dhjEzFoUFzH", "YmJkqBEsHnH", "gZ6f7yhEvPG")


@pytest.fixture(scope="module")
def files(real_data):
    return [real_data / "R2R_train.json", real_data / "R2R_val_seen.json"]


@pytest.fixture(scope="module")
def dataset(real_data, files, imported, tmp_path_factory):
    out = tmp_path_factory.mktemp("real") / "dataset"
    source = ["--worlds", str(imported[0]), "--routes", *map(str, files)]
    choice = ["--objects", str(real_data / "hanna_objects.txt"), "--exclude", *EXCLUDED]
    main(["tasks", "build", *source, *choice, "--unseen-instructions", "2103", "--out", str(out)])
    return check_dataset(out)


def test_room_to_room_has_the_instructions_of_the_paper(real_atlas, files):
    routes = build_routes(real_atlas, read_room_to_room(files))
    check_routes(real_atlas, routes)
    assert (len(routes), len(routes.instructions)) == (5_015, 15_060)
    kept = [w for w, name in enumerate(real_atlas.world_names) if name not in EXCLUDED]
    here = np.isin(real_atlas.world_of[routes.start], kept)
    sizes = np.diff(routes.instruction_start)[here]
    assert (len(kept), here.sum(), sizes.sum()) == (58, 4_987, 8_586 + 4_287 + 2_103)


def test_the_papers_table_of_splits_is_reproduced(dataset):
    entries = dataset.manifest["splits"]
    assert set(entries) == {"train", "val_seen", "val_unseen", "test_seen"}  # the fifth is another atlas's
    for name, entry in entries.items():
        assert (entry["buildings"], entry["tasks"], entry["instructions"]) == PAPER_SPLITS[name]


def test_evaluation_hears_one_instruction_of_each_seen_path(dataset):
    train, seen = dataset.split("train").routes, dataset.split("val_seen").routes
    assert train.names == seen.names and len(seen) == len(seen.instructions) == 4_287
    assert set(np.diff(train.instruction_start)) == {2, 3}


def test_figures_are_near_the_papers(dataset):
    figures = dataset_figures(dataset)
    whole = figures["whole"]
    assert whole["edge_metres"] == pytest.approx(2.25, abs=0.05)
    assert whole["vocabulary"] == pytest.approx(2_332, rel=0.06)
    assert 255 <= whole["object_types"] <= 289
    for split in figures["splits"].values():
        assert set(split["path_histogram"]) == {str(n) for n in range(5, 16)}
        assert 14 < split["metres"]["mean"] < 18
        assert split["attended_starts"] > 0.7


def test_a_split_is_loaded_at_once(dataset):
    seconds = []
    for _ in range(3):  # the machine may be busy
        started = time.perf_counter()
        split = load_split(dataset.folder, "val_unseen")
        seconds.append(time.perf_counter() - started)
    assert min(seconds) < 0.5
    assert len(split) == 5_017
