import json

import numpy as np
import pytest

from helpanna.cli.main import main
from helpanna.tasks.build import PAPER_SIZES
from helpanna.tasks.dataset import load_dataset
from helpanna.tasks.stats import PAPER_SPLITS, dataset_figures
from helpanna.tasks.words import words


@pytest.fixture(scope="module")
def figures(dataset):
    return dataset_figures(dataset)


def test_the_papers_sizes_are_told_once():
    assert {name: tasks for name, (_, tasks, _) in PAPER_SPLITS.items()} == PAPER_SIZES


def test_the_figures_of_a_split_are_those_of_a_slow_count(dataset, figures):
    split = dataset.split("val_unseen")
    found = figures["splits"]["val_unseen"]
    paths = [
        split.atlas.path(int(v), int(split.goal_sets.nearest_to(g, v)))
        for g, v in zip(split.goal_set, split.start, strict=True)
    ]
    metres = [float(split.atlas.distances(path[0], path[-1])) for path in paths]
    assert found["tasks"] == 70 and found["buildings"] == 2
    assert found["metres"]["mean"] == pytest.approx(np.mean(metres), abs=0.01)
    assert found["metres"]["most"] == pytest.approx(max(metres), abs=0.01)
    lengths = [len(path) for path in paths]
    assert found["path_histogram"] == {str(n): lengths.count(n) for n in sorted(set(lengths))}
    assert found["path_locations"]["median"] == np.median(lengths)

    places = {v for w in set(split.goal_sets.world.tolist()) for v in split.atlas.locations(w)}
    starts = {int(path[0]) for path in split.routes.path}
    near = {
        v for v in places for u in starts
        if u == v or (u in split.atlas.action_location[v, 0] and split.atlas.distances(u, v) <= 2)
    }  # fmt: skip
    assert found["attended_locations"] == pytest.approx(len(near) / len(places), abs=1e-4)
    asked = np.mean([int(v) in near for v in split.start])
    assert found["attended_starts"] == pytest.approx(asked, abs=1e-4)
    assert found["assistants"] == len(starts)


@pytest.mark.slow
def test_the_figures_of_the_whole(dataset, figures):
    whole = figures["whole"]
    train = dataset.split("train")
    assert whole["vocabulary"] == len({word for text in train.texts for word in words(text)})
    assert whole["buildings"] == 9
    assert whole["routes_per_building"] == 12
    heard = ("train", "val_seen", "val_unseen", "test_unseen")
    said = sum(figures["splits"][name]["instructions"] for name in heard)
    assert whole["instructions_per_building"] == pytest.approx(said / 9, abs=0.01)
    types = {
        dataset.split(n).atlas.type_names[t]
        for n in dataset.names
        for t in dataset.split(n).goal_sets.object_type
    }
    assert whole["object_types"] == len(types)
    atlases = (dataset.split("train").atlas, dataset.split("test_unseen").atlas)
    edges = [atlas.world(w).edge_lengths() for atlas in atlases for w in range(atlas.world_count)]
    assert whole["edge_metres"] == pytest.approx(np.concatenate(edges).mean(), abs=1e-3)
    places = sum(atlas.location_count for atlas in atlases)
    assert whole["locations_per_building"] == pytest.approx(places / 9, abs=0.01)


def test_a_dataset_without_training_has_no_vocabulary(build):
    folder = build("no training", "--eval-only", "val_unseen")
    assert dataset_figures(load_dataset(folder))["whole"]["vocabulary"] is None


def test_the_command_prints_tables_or_json(dataset, figures, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    main(["tasks", "stats", str(dataset.folder)])
    out = capsys.readouterr().out
    assert "300 (82,484)" in out and "words in training texts" in out and "2332" in out
    main(["tasks", "stats", str(dataset.folder), "--json"])
    printed = json.loads(capsys.readouterr().out)
    assert printed["splits"] == json.loads(json.dumps(figures["splits"]))
    assert printed["paper"]["splits"]["train"] == [51, 82_484, 8_586]
