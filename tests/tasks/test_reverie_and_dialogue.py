"""REVERIE and Navigation from Dialog History as tasks."""

import json

import numpy as np
import pytest
from room_to_room_files import write_records

from helpanna.agents.agent import Decision
from helpanna.agents.names import make_agent
from helpanna.assistance.assistants import Absent
from helpanna.cli.main import main
from helpanna.episodes.submission import read_submission, write_submission
from helpanna.errors import InputError
from helpanna.evaluation.metrics import evaluate
from helpanna.evaluation.runner import run_episodes
from helpanna.tasks.check import check_dataset
from helpanna.tasks.dialogue_tasks import reference_path, told
from helpanna.worlds.geometry import view_heading
from helpanna.worlds.sample import sample_atlas

ATLAS = sample_atlas(6, 0)


def longest_paths(count):
    """Some paths of five places or more to a place that sees something, with the object."""
    found = []
    for location, thing in ATLAS.sighting.tolist():
        world = ATLAS.world_of[location]
        places = np.array(ATLAS.locations(world))
        metres = ATLAS.distances(places, location)
        start = int(places[np.where(np.isfinite(metres), metres, -1).argmax()])
        path = ATLAS.path(start, location)
        if len(path) >= 5:
            found.append((path, thing))
    return found[:: max(len(found) // count, 1)][:count]


def names(path):
    return [ATLAS.location_names[v] for v in path]


@pytest.fixture(scope="module")
def folder(home):
    points, dialogues = [], []
    for i, (path, thing) in enumerate(longest_paths(20)):
        scan = ATLAS.world_names[ATLAS.world_of[path[0]]]
        name = ATLAS.object_names[thing]
        points.append(
            {
                "id": f"{i}_{name}", "objId": name, "scan": scan, "path_id": i, "path": names(path),
                "heading": 1.0, "instructions": [f"go and dust object {i}", f"bring me number {i}"],
            }
        )  # fmt: skip
        dialogues.append(
            {
                "scan": scan, "inst_idx": 100 + i, "target": "mug", "end_panos": names(path[-2:]),
                "start_pano": {"pano": names(path)[0], "heading": 2.0, "elevation": 17.5},
                "dialog_history": [{"role": "navigator", "message": f"where to {i}?"},
                                   {"role": "oracle", "message": "on and on"}],
                "planner_path": names(path[:4]), "player_path": names([path[0], path[1], path[0]]),
            }
        )  # fmt: skip
    for kind, told_tasks in (("REVERIE", points), ("NDH", dialogues)):
        write_records(home / f"{kind}_train.json", told_tasks[::2])
        write_records(home / f"{kind}_val_seen.json", told_tasks[1::2])
    return home


@pytest.fixture(scope="module")
def build(folder):
    def run(kind, *options):
        files = [str(folder / f"{kind.upper()}_{split}.json") for split in ("train", "val_seen")]
        out = folder / f"{kind} {' '.join(options)}"
        source = ["--worlds", str(folder / "atlas"), "--routes", *files, "--out", str(out)]
        main(["tasks", "build", "--kind", kind, *source, "--overwrite", *options])
        return check_dataset(out).split("val_seen")

    return run


def run(split, agent):
    return run_episodes(split, agent, Absent(), range(len(split)))


def test_goals_are_all_places_that_see_the_object(build, folder):
    split = build("reverie")
    records = json.loads((folder / "REVERIE_val_seen.json").read_text())
    assert len(split) == 2 * len(records)
    for record in records:
        task = split.references.number[f"{record['id']}_1"]
        thing = int(split.references.thing[task])
        assert split.atlas.object_names[thing] == record["objId"]
        sees = {location for location, seen in split.atlas.sighting.tolist() if seen == thing}
        assert set(split.goal_sets.members[split.goal_set[task]].tolist()) == sees
        assert split.texts[split.request[task]] == record["instructions"][1]


def test_shortest_names_the_right_object_and_another_agent_a_wrong_one(build):
    split = build("reverie")
    figures = evaluate(split, run(split, make_agent("shortest", split)))
    for name in ("success_rate", "spl", "rgs", "rgspl"):
        assert figures[name].value == pytest.approx(1), name

    class Wrong:
        """Walks the right way and points at the object after the right one."""

        def begin(self, perception, tasks):
            self.agent = make_agent("shortest", split)

        def act(self, observation):
            decision = self.agent.act(observation)
            return Decision(decision.ask, decision.action, {"object": decision.notes["object"] + 1})

    figures = evaluate(split, run(split, Wrong()))
    assert figures["success_rate"].value == 1 and figures["rgs"].value == figures["rgspl"].value == 0
    silent = evaluate(split, run(split, make_agent("random_heading", split)))
    assert "rgs" not in silent and silent["success_rate"].value < 1


def test_the_explorer_points_at_what_it_recognises(build):
    split = build("reverie")
    done = run(split, make_agent("explorer", split))
    figures = evaluate(split, done)
    assert figures["rgs"].value == figures["success_rate"].value > 0.5
    assert figures["rgspl"].value == pytest.approx(figures["spl"].value)


def test_the_object_is_in_the_submission(build, tmp_path):
    split = build("reverie")
    done = run(split, make_agent("explorer", split))
    write_submission(tmp_path / "s.json", done, split)
    entries = json.loads((tmp_path / "s.json").read_text())
    found = [entry["predObjId"] for entry in entries if entry["predObjId"] is not None]
    assert found and set(found) <= set(split.atlas.object_names)
    again = read_submission(tmp_path / "s.json", split)
    assert evaluate(split, again)["rgs"] == evaluate(split, done)["rgs"]
    entries[0]["predObjId"] = "no such thing"
    (tmp_path / "s.json").write_text(json.dumps(entries))
    with pytest.raises(InputError, match="names the object 'no such thing'"):
        read_submission(tmp_path / "s.json", split)


def test_an_object_that_the_building_has_not(folder, capsys):
    records = json.loads((folder / "REVERIE_train.json").read_text())
    records[2]["objId"] = "nothing"
    (folder / "broken files").mkdir(exist_ok=True)
    file = write_records(folder / "broken files" / "REVERIE_train.json", records)
    source = ["--worlds", str(folder / "atlas"), "--routes", str(file), "--out", str(folder / "never")]
    with pytest.raises(SystemExit) as end:
        main(["tasks", "build", "--kind", "reverie", *source])
    assert end.value.code == 2 and "record 2" in capsys.readouterr().err


def test_goal_progress_is_towards_the_end_region(build):
    for supervision, expected in (("oracle", 3), ("navigator", 0)):
        split = build("ndh", "--supervision", supervision)
        done = run(split, make_agent("shortest", split))
        figures = evaluate(split, done)
        assert figures["success_rate"].value == 1
        progress = []
        for task in range(len(split)):
            path, region = split.references.path[task], split.references.region[task]
            ends = split.atlas.distances(path[path >= 0][:, None], region[region >= 0]).min(axis=1)
            progress.append(ends[0] - ends[-1])
            assert (path >= 0).sum() == (expected + 1 if expected else 3)
        assert figures["goal_progress"].value == pytest.approx(np.mean(progress), abs=1e-4)
    heading = view_heading(split.view)
    assert np.allclose(heading, np.radians(120))  # 2 radians, rounded to 30 degrees


def test_how_much_of_the_dialogue_is_told(build):
    turns = [("navigator", "left?"), ("oracle", "right"), ("navigator", "up?"), ("oracle", "yes ")]
    dialogue = [{"role": role, "message": message} for role, message in turns]
    assert told("mug", dialogue, "target") == "find a mug."
    assert told("mug", dialogue, "last_answer") == "find a mug. yes."
    assert told("mug", dialogue, "last_exchange") == "find a mug. up? yes."
    assert told("mug", dialogue, "all") == "find a mug. up? yes. left? right."
    assert told("mug", [], "last_answer") == "find a mug."
    assert "where to" not in " ".join(build("ndh", "--history", "last_answer").texts)


def test_whose_path_supervises():
    record = {"planner_path": list("abc"), "player_path": list("abcd")}
    assert reference_path(record, "oracle") == list("abc")
    assert reference_path(record, "navigator") == reference_path(record, "mixed") == list("abcd")
    assert reference_path({"planner_path": list("abc"), "player_path": list("ab")}, "mixed") == list("abc")
    # Who only started at the end of the plan did not follow it.
    assert reference_path({"planner_path": ["a"], "player_path": list("ab")}, "mixed") == ["a"]


def test_dialogues_are_submitted_by_number(build, tmp_path):
    split = build("ndh")
    done = run(split, make_agent("random_heading", split))
    write_submission(tmp_path / "s.json", done, split)
    first = json.loads((tmp_path / "s.json").read_text())[0]
    assert str(first["inst_idx"]) == split.references.names[0] and "instr_id" not in first
    again = read_submission(tmp_path / "s.json", split)
    assert evaluate(split, again)["goal_progress"] == evaluate(split, done)["goal_progress"]
