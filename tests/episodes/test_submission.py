"""Files in Room-to-Room's format: written, checked, read, scored."""

import json
import math

import numpy as np
import pytest
from splits import sample_split
from tiny import tiny_world

from helpanna.agents.heuristics import RandomHeading
from helpanna.assistance.assistants import Absent
from helpanna.cli.main import main
from helpanna.episodes.submission import read_submission, write_submission
from helpanna.episodes.trajectory_file import write_trajectories
from helpanna.errors import InputError
from helpanna.evaluation.runner import run_episodes
from helpanna.tasks.dataset import save_dataset
from helpanna.tasks.errands import Errand, errand_split
from helpanna.tasks.kinds import R2R
from helpanna.tasks.sampling import PathRange
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.storage import save_atlas

PLACES = [(0, 0), (0, 2), (0, 4), (2, 4)]


def tiny_split():
    """Two tasks in an angle of four places; going on along +x is a turn to the right."""
    atlas = build_atlas([tiny_world(PLACES, [(0, 1), (1, 2), (2, 3)])], "tiny", "none")
    told = [Errand("7_0", "to the corner", 12, (0, 1, 2)), Errand("7_1", "round it", 12, (0, 1, 2, 3))]
    return errand_split("val_seen", R2R, atlas, told)


def entry(*viewpoints, name="7_0"):
    return {"instr_id": name, "trajectory": [[f"place {v}", 0.5, 0.0] for v in viewpoints]}


def write(path, *entries):
    path.write_text(json.dumps(entries))
    return path


def test_what_is_written(tmp_path):
    split = tiny_split()
    done = run_episodes(split, RandomHeading(steps=3), Absent(), [1, 0])
    write_submission(tmp_path / "s.json", done, split)
    first, second = json.loads((tmp_path / "s.json").read_text())
    assert (first["instr_id"], second["instr_id"]) == ("7_0", "7_1")
    for told, b in ((first, 1), (second, 0)):
        walk = [split.atlas.location_names[v] for v in done.location[b, :4]]
        assert [step[0] for step in told["trajectory"]] == walk
        # Each camera looks along the way that was taken: +y, +x or back.
        assert {round(step[1] / (math.pi / 2)) for step in told["trajectory"]} <= {0, 1, 2, 3}
        assert all(step[2] == 0 for step in told["trajectory"])
    again = read_submission(tmp_path / "s.json", split)
    assert np.array_equal(again.final, done.final[::-1]) and np.allclose(again.metres, done.metres[::-1])


def test_turns_in_place_are_no_moves_and_ways_back_are_walked(tmp_path):
    split = tiny_split()
    file = write(tmp_path / "s.json", entry(0, 0, 1, 1, 2, 1, 1, 2))
    done = read_submission(file, split)
    assert done.location[0, : done.length[0] + 1].tolist() == [0, 1, 2, 1, 2, 2]
    assert done.metres[0] == pytest.approx(8)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ([entry(0, 2)], "no way from place 0 to place 2"),
        ([entry(1, 2)], "task 0 starts at place 0"),
        ([entry(0, 1), entry(0, 1)], "there twice"),
        ([entry(0, 9)], "'place 9' is no location"),
        ([entry(0, 1, name="8_0")], "no task '8_0'"),
        ([{"instr_id": "7_0", "trajectory": [["place 0", 90.0, 0.0]]}], "heading 90.0; give radians"),
        ([{"instr_id": "7_0", "trajectory": [["place 0", 0.0, 30]]}], "elevation 30; give radians"),
        ([{"instr_id": "7_0", "trajectory": [["place 0"]]}], "is not [viewpoint, heading, elevation]"),
        ([{"instr_id": "7_0", "trajectory": []}], 'no "trajectory"'),
        ([{"trajectory": []}], 'no "instr_id"'),
        ([], "not a list of trajectories"),
    ],
)
def test_what_is_not_as_the_format_says_is_named(tmp_path, wrong, said):
    with pytest.raises(InputError) as error:
        read_submission(write(tmp_path / "s.json", *wrong), tiny_split())
    assert said in str(error.value) and "s.json" in str(error.value)


def test_tasks_without_names_cannot_be_written(tmp_path):
    split = sample_split()
    done = run_episodes(split, RandomHeading(), Absent(), [0])
    with pytest.raises(InputError, match="kind hanna have no names"):
        write_submission(tmp_path / "s.json", done, split)


def test_exported_and_scored_again_the_figures_are_the_same(tmp_path, capsys):
    split = tiny_split()
    save_atlas(split.atlas, tmp_path / "atlas")
    data = tmp_path / "r2r"
    save_dataset(data, {"val_seen": split}, [(split.atlas, tmp_path / "atlas")], 0, PathRange(1, 9), {})
    done = run_episodes(split, RandomHeading(), Absent(), range(2))
    write_trajectories(tmp_path / "run.jsonl", done, split, {"dataset": str(data)})
    main(["export", str(tmp_path / "run.jsonl"), "--format", "r2r", "--out", str(tmp_path / "s.json")])
    capsys.readouterr()
    main(["score", str(tmp_path / "run.jsonl"), "--json"])
    ours = json.loads(capsys.readouterr().out)
    main(["score", str(tmp_path / "s.json"), "--data", str(data), "--json"])
    theirs = json.loads(capsys.readouterr().out)
    for name in ("success_rate", "spl", "navigation_error", "ndtw", "sdtw", "cls", "oracle_success_rate"):
        assert ours[name] == theirs[name], name
