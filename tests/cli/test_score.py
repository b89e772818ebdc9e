"""`helpanna score`: the figures of a file are those of the episodes that it holds."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest
from random_episodes import random_trajectories
from splits import sample_split

from helpanna.cli.main import main
from helpanna.episodes.outcomes import outcomes_of
from helpanna.episodes.trajectory_file import SCHEMA, write_trajectories
from helpanna.evaluation.answers import answer_progress
from helpanna.evaluation.bootstrap import differences, to_json
from helpanna.evaluation.metrics import evaluate, ratios_of, sample_of
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
    return stored(dataset, "t.jsonl")


def stored(dataset, name, seed=0, **header):
    split = load_split(dataset, "val_unseen")
    trajectories = random_trajectories(split, np.arange(80), seed=seed)
    header = {"dataset": str(dataset), "agent": "anyone", **header}
    write_trajectories(dataset.parent / name, trajectories, split, header)
    return split, trajectories, dataset.parent / name


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
        "buildings": 3,
        "runs": 1,
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
    assert "anyone on val_unseen, 80 episodes in 3 buildings" in out
    assert "45.43" not in out  # the sample buildings are not the paper's
    assert "Not comparable with the paper's figures" in out
    assert "leads closer to a goal" in out
    assert "The file holds 80 of the" in err


def test_matterports_buildings_stand_beside_the_paper(capsys, dataset, episodes, monkeypatch):
    real = "Matterport3D; objects: REVERIE"
    monkeypatch.setattr("helpanna.tasks.dataset.load_atlas", lambda f: replace(load_atlas(f), source=real))
    main(["score", str(episodes[2])])
    out = capsys.readouterr().out
    assert "Learned (final)" in out and "45.43" in out and "Not comparable" not in out
    _, _, named = stored(dataset, "named.jsonl", buildings=real)
    shutil.move(dataset, dataset.parent / "moved")
    main(["score", str(named)])  # the file says so itself
    assert "45.43" in capsys.readouterr().out


def test_the_order_of_the_lines_changes_nothing(capsys, episodes):
    file = episodes[2]
    straight = score(capsys, file)
    header, *records = file.read_text().splitlines()
    file.write_text("\n".join([header, *reversed(records)]))
    assert score(capsys, file) == straight


def test_lost_is_read_as_the_file_says(capsys, dataset):
    split, trajectories, file = stored(dataset, "taught.jsonl", lost="paper")
    paper, published = (
        to_json(evaluate(split, trajectories, lost=lost))["lost_true"] for lost in ("paper", "published")
    )
    assert paper != published
    assert score(capsys, file)["lost_true"] == paper
    assert score(capsys, file, "--lost", "published")["lost_true"] == published
    assert score(capsys, stored(dataset, "silent.jsonl")[2])["lost_true"] == published
    with pytest.raises(SystemExit) as stopped:
        main(["score", str(stored(dataset, "wrong.jsonl", lost="found")[2])])
    assert stopped.value.code == 2
    assert '"lost" must be paper or published' in capsys.readouterr().err


@pytest.mark.slow
def test_several_files_are_runs_of_one_agent(capsys, dataset):
    files = [stored(dataset, f"run{seed}.jsonl", seed)[2] for seed in range(3)]
    together = score(capsys, *files)
    alone = [score(capsys, file) for file in files]
    assert (together["episodes"], together["runs"]) == (240, 3)
    for name in ("success_rate", "steps_per_task"):
        mean = np.mean([figures[name]["value"] for figures in alone])
        assert together[name]["value"] == pytest.approx(mean)
    answers = [figures["answer_progress"]["answers"] for figures in alone]
    assert together["answer_progress"]["answers"] == sum(answers)


def test_a_difference_of_two_results(capsys, dataset):
    (split, ours, a), (_, theirs, b) = (stored(dataset, f"{seed}.jsonl", seed) for seed in (0, 1))
    found = score(capsys, a, "--against", b)
    sample = sample_of(outcomes_of(split, ours))
    expected = differences(ratios_of(split, ours), sample, ratios_of(split, theirs), sample)
    assert found == {"differences": to_json(expected), "tasks": 80}
    main(["score", str(a), "--against", str(b)])
    out = capsys.readouterr().out
    assert "A - B on the 80 tasks" in out and "steps with a request" in out
    same = score(capsys, a, "--against", a)["differences"]["spl"]
    assert same == {"value": 0, "low": 0, "high": 0, "tasks_only": {"low": 0, "high": 0}}


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
