"""`helpanna score`: the figures of a file are those of the episodes that it holds."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest
from random_episodes import random_trajectories
from splits import sample_split

from helpanna.cli.main import main
from helpanna.episodes.trajectory_file import SCHEMA, write_trajectories
from helpanna.evaluation.answers import answer_progress
from helpanna.evaluation.bootstrap import to_json
from helpanna.evaluation.metrics import evaluate
from helpanna.tasks.dataset import load_split, save_dataset
from helpanna.tasks.sampling import PathRange
from helpanna.worlds.storage import load_atlas, save_atlas


@pytest.fixture
def dataset(tmp_path):
    save_atlas(sample_split().atlas, tmp_path / "atlas")
    atlas = load_atlas(tmp_path / "atlas")
    split = replace(sample_split(), name="val_unseen", atlas=atlas)
    save_dataset(tmp_path / "data", {"val_unseen": split}, [(atlas, tmp_path / "atlas")], 0, PathRange(), {})
    return tmp_path / "data"


@pytest.fixture
def episodes(dataset):
    split = load_split(dataset, "val_unseen")
    trajectories = random_trajectories(split, np.arange(80))
    header = {"dataset": str(dataset), "agent": "anyone"}
    write_trajectories(dataset.parent / "t.jsonl", trajectories, split, header)
    return split, trajectories, dataset.parent / "t.jsonl"


def score(capsys, *arguments):
    main(["score", *map(str, arguments), "--json"])
    return json.loads(capsys.readouterr().out)


def test_a_file_is_scored_with_the_dataset_that_it_names(capsys, episodes):
    split, trajectories, file = episodes
    figures = score(capsys, file)
    assert figures == {
        **to_json(evaluate(split, trajectories)),
        "answer_progress": answer_progress(split, trajectories),
        "episodes": 80,
    }
    assert score(capsys, file, "--seed", 1)["steps_per_task"] != figures["steps_per_task"]


def test_without_the_dataset_the_main_metrics_remain(capsys, dataset, episodes):
    full = score(capsys, episodes[2])
    shutil.move(dataset, dataset.parent / "moved")
    main(["score", str(episodes[2]), "--json"])
    out, err = capsys.readouterr()
    alone = json.loads(out)
    main_metrics = {"success_rate", "spl", "navigation_error", "requests_per_task", "oracle_success_rate"}
    assert main_metrics <= alone.keys() and "help_request_repeat" not in alone
    assert all(alone[name] == full[name] for name in main_metrics)
    assert "The dataset is not where the file says" in err
    assert score(capsys, episodes[2], "--data", dataset.parent / "moved") == full


def test_tables(capsys, episodes):
    main(["score", str(episodes[2])])
    out, err = capsys.readouterr()
    assert "anyone on val_unseen, 80 episodes" in out
    assert "Learned (final)" in out and "45.43" in out
    assert "leads closer to a goal" in out
    assert "The file holds 80 of the" in err


def test_other_peoples_trajectories(capsys, dataset):
    split = load_split(dataset, "val_unseen")
    names = split.atlas.location_names
    goal = int(split.goal_sets.nearest_to(split.goal_set[0], split.start[0]))
    walk = [int(split.start[0])]
    while walk[-1] != goal:
        walk.append(int(split.atlas.next_hops(walk[-1], goal)))
    records = [
        {"schema": SCHEMA, "split": "val_unseen"},
        {"task": 0, "locations": [names[v] for v in walk]},
        {"task": 1, "locations": [names[split.start[1]]]},
    ]
    file = dataset.parent / "other.jsonl"
    file.write_text("\n".join(map(json.dumps, records)))
    figures = score(capsys, file, "--data", dataset)
    assert figures["success_rate"]["value"] == 0.5 and figures["spl"]["value"] == pytest.approx(0.5)
    assert figures["episodes"] == 2 and figures["subtask_success"]["value"] is None


def test_bad_files_end_with_status_2(capsys, episodes):
    file = episodes[2]
    lines = file.read_text().splitlines()
    record = json.loads(lines[3])
    record["locations"][0] = "nowhere"
    file.write_text("\n".join([*lines[:3], json.dumps(record), *lines[4:]]))
    with pytest.raises(SystemExit) as stopped:
        main(["score", str(file)])
    assert stopped.value.code == 2
    assert "t.jsonl line 4: 'nowhere' is no location" in capsys.readouterr().err
