"""Room-to-Room as tasks: what is asked, which split it is in, and what a walk is worth."""

import json

import numpy as np
import pytest
from room_to_room_files import records, write_records
from splits import random_routes
from tiny import tiny_world

from helpanna.agents.heuristics import RandomHeading
from helpanna.agents.names import make_agent
from helpanna.assistance.assistants import Absent
from helpanna.assistance.names import make_assistant
from helpanna.cli.main import main
from helpanna.errors import InputError
from helpanna.evaluation.metrics import evaluate
from helpanna.evaluation.runner import run_episodes
from helpanna.tasks.check import check_dataset, check_splits
from helpanna.tasks.dataset import load_dataset
from helpanna.tasks.errands import Errand, errand_split
from helpanna.tasks.kinds import R2R, R4R
from helpanna.tasks.room_to_room_tasks import joined_errands
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.sample import sample_atlas


@pytest.fixture(scope="module")
def folder(home):
    """Files of two splits beside the atlas."""
    atlas = sample_atlas(6, 0)
    told = records(atlas, random_routes(atlas, per_world=12))
    write_records(home / "R2R_train.json", told[::2])
    write_records(home / "R2R_val_seen.json", told[1::2])
    return home


def build(folder, out, *options, kind="r2r"):
    files = [str(folder / f"R2R_{split}.json") for split in ("train", "val_seen")]
    source = ["--worlds", str(folder / "atlas"), "--routes", *files, "--out", str(folder / out)]
    main(["tasks", "build", "--kind", kind, *source, "--overwrite", *options])
    return check_dataset(folder / out)


def test_one_task_for_each_instruction_of_its_file(folder):
    dataset = build(folder, "r2r")
    assert dataset.kind == R2R
    for name in ("train", "val_seen"):
        split = dataset.split(name)
        told = json.loads((folder / f"R2R_{name}.json").read_text())
        assert len(split) == sum(len(record["instructions"]) for record in told)
        record = told[3]
        for k, text in enumerate(record["instructions"]):
            task = split.references.number[f"{record['path_id']}_{k}"]
            goal = split.goal_sets.members[split.goal_set[task]]
            assert split.texts[split.request[task]] == text
            assert [split.atlas.location_names[v] for v in goal] == record["path"][-1:]
            assert split.atlas.location_names[split.start[task]] == record["path"][0]


def test_the_figures_are_not_beside_the_papers(folder, capsys):
    dataset = build(folder, "r2r")
    capsys.readouterr()
    main(["tasks", "stats", str(folder / "r2r")])
    shown = capsys.readouterr().out
    assert "kind r2r" in shown and "82,484" not in shown
    main(["tasks", "stats", str(folder / "r2r"), "--json"])
    figures = json.loads(capsys.readouterr().out)["splits"]["train"]
    split = dataset.split("train")
    assert figures["tasks"] == len(split) and figures["requests"] == split.request_count
    words = np.mean([len(text.replace("(", "").replace(")", "").split()) for text in split.texts])
    assert figures["request_words"] == pytest.approx(words, abs=0.01)
    with pytest.raises(SystemExit):
        main(["tasks", "stats", str(folder / "r2r"), "--narrators", "3"])
    assert "--narrators compares" in capsys.readouterr().err


def test_unseen_buildings_leave_the_other_splits(folder):
    name = load_dataset(folder / "r2r").split("train").atlas.world_names[2]
    dataset = build(folder, "unseen", "--unseen", name, "--sizes", "train", "20")
    assert set(dataset.names) == {"train", "val_seen", "val_unseen"}
    for split in map(dataset.split, dataset.names):
        there = {split.atlas.world_names[w] for w in split.atlas.world_of[split.start]}
        assert (there == {name}) == (split.name == "val_unseen") and (name in there) == (
            split.name == "val_unseen"
        )
    assert len(dataset.split("train")) == 20


def test_the_shortest_way_succeeds_and_nobody_can_be_asked(folder):
    split = build(folder, "r2r").split("val_seen")
    assistant = make_assistant(None, split)
    assert isinstance(assistant, Absent)
    done = run_episodes(split, make_agent("shortest+random_ask", split), assistant, range(len(split)))
    assert not done.can_ask.any()
    figures = evaluate(split, done)
    for name in ("success_rate", "spl", "ndtw", "sdtw", "cls"):
        assert figures[name].value == pytest.approx(1), name  # the routes are shortest paths
    assert figures["navigation_error"].value == 0


def test_success_is_within_three_metres():
    atlas = build_atlas([tiny_world([(0, 0), (0, 5), (0, 7.5)], [(0, 1), (1, 2)])], "tiny", "none")
    split = errand_split("train", R2R, atlas, [Errand("1_0", "go to the end", 12, (0, 1, 2))])
    done = run_episodes(split, _Steps(1), Absent(), [0])
    figures = evaluate(split, done)
    assert done.final.tolist() == [1]
    assert figures["success_rate"].value == 1 and figures["navigation_error"].value == pytest.approx(2.5)
    assert figures["spl"].value == 1  # 7.5 over max(5, 7.5)
    # DTW pairs the last place with where it stopped: 2.5 m over 3 places of 3 m.
    assert figures["ndtw"].value == pytest.approx(np.exp(-2.5 / 9))


class _Steps:
    """Goes ahead so many steps."""

    def __init__(self, steps):
        from helpanna.agents.heuristics import Forward10

        self._agent = Forward10(steps)
        self.begin, self.act = self._agent.begin, self._agent.act


def test_paths_are_joined_where_one_begins_near_the_end_of_another():
    places = [(0, 0), (0, 2), (0, 4), (2.5, 4), (2.5, 8), (9, 4)]
    edges = [(0, 1), (1, 2), (2, 3), (3, 4), (3, 5)]
    atlas = build_atlas([tiny_world(places, edges)], "tiny", "none")
    told = [
        Errand("1_0", "a", 12, (0, 1, 2)),
        Errand("1_1", "b", 12, (0, 1, 2)),
        Errand("2_0", "c", 15, (3, 4)),
        Errand("3_0", "d", 15, (5, 3)),
    ]
    joined = {errand.name: errand for errand in joined_errands(atlas, told)}
    assert set(joined) == {"1-2_0", "1-2_1", "3-2_0"}
    assert joined["1-2_1"] == Errand("1-2_1", "b c", 12, (0, 1, 2, 3, 4))
    assert joined["3-2_0"].path == (5, 3, 4)
    check_splits({"train": errand_split("train", R4R, atlas, joined.values())}, None)


def test_random_heading_goes_five_steps_and_keeps_its_heading():
    # A corridor along +y with a branch at each end: whoever looks along it walks along it.
    places = [(0, 2 * i) for i in range(8)]
    atlas = build_atlas([tiny_world(places, [(i, i + 1) for i in range(7)])], "tiny", "none")
    split = errand_split("train", R2R, atlas, [Errand(f"{k}_0", "go", 12, (1, 2, 3)) for k in range(60)])
    done = run_episodes(split, RandomHeading(), Absent(), range(60))
    assert (done.length == 6).all() and (done.action[:, 5] == 0).all()
    ends = {tuple(walk) for walk in done.location[:, :6].tolist()}
    # Ahead until the end; or back to the end of the corridor, where it turns round.
    assert ends == {(1, 2, 3, 4, 5, 6), (1, 0, 1, 2, 3, 4)}


def test_a_dataset_that_changed_is_refused(folder):
    split = build(folder, "r2r").split("train")
    path = split.references.path.copy()
    path[3, 1] = path[3, 0]
    broken = _with(split, path=path)
    with pytest.raises(InputError, match="task 3, whose path is no walk"):
        check_splits({"train": broken}, None)


def _with(split, **changes):
    from dataclasses import replace

    return replace(split, references=replace(split.references, **changes))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--sizes", "val_unseen", "3"], "--sizes names val_unseen"),
        (["--unseen", "nowhere"], "--unseen names nowhere"),
        (["--unseen-count", "6"], "leave none to train in"),
        (["--objects", "list.txt"], "--objects is for --kind hanna"),
    ],
)
def test_what_does_not_fit_is_refused(folder, capsys, options, said):
    with pytest.raises(SystemExit) as end:
        build(folder, "wrong", *options)
    assert end.value.code == 2 and said in capsys.readouterr().err
    assert not (folder / "wrong").exists()


@pytest.mark.slow
def test_narrators_describe_where_there_are_no_files(folder):
    out = folder / "told"
    source = ["--worlds", str(folder / "atlas"), "--out", str(out), "--overwrite"]
    main(["tasks", "build", "--kind", "r2r", *source, "--unseen-count", "1"])
    dataset = check_dataset(out)
    assert set(dataset.names) == {"train", "val_seen", "val_unseen"}
    assert len(dataset.split("train")) > 5 * len(dataset.split("val_seen")) > 0
