"""Result files as the page knows them: the figures of `helpanna score`, the episodes as they were run."""

import json
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from helpanna.episodes.conditions import CONDITIONS
from helpanna.episodes.outcomes import outcomes_of
from helpanna.episodes.trajectory_file import read_trajectories
from helpanna.errors import InputError
from helpanna.evaluation.metrics import evaluate
from helpanna.tasks.dataset import load_split
from helpanna.teachers.help_request import help_request_references
from helpanna.teachers.navigation import navigation_references, reference_actions, reference_targets
from helpanna.viewer.library import Library, NotThereError
from helpanna.viewer.results import COLUMNS, Result


def test_the_table_says_how_the_episodes_ended(explorer: Path, data: Path) -> None:
    split = load_split(data, "val_unseen")
    trips = read_trajectories(explorer, split)
    ended, table = outcomes_of(split, trips), Result(explorer).table()
    assert tuple(table) == COLUMNS
    assert table["task"] == trips.task.tolist() and table["building"] == ended.building.tolist()
    assert table["requests"] == ended.requests.tolist() and table["steps"] == ended.steps.tolist()
    assert table["success"] == (ended.final_distance <= 2).tolist()
    np.testing.assert_allclose(table["distance"], ended.shortest)
    places = trips.location[7, : trips.length[7] + 1]
    moves = places[1:][places[1:] != places[:-1]]
    assert table["returns"][7] == len(moves) - len(set(moves.tolist()) - {int(places[0])})


def test_a_file_that_says_little_is_replayed(explorer: Path, data: Path, tmp_path: Path) -> None:
    header, *lines = explorer.read_text().splitlines()
    some = [{key: json.loads(line)[key] for key in ("task", "locations", "requests")} for line in lines]
    short = tmp_path / "short.jsonl"
    short.write_text("\n".join([header, *map(json.dumps, some)]))
    full, replayed = Result(explorer), Result(short)
    for name in COLUMNS:
        assert replayed.column(name) == pytest.approx(full.column(name)), name
    alone = {key: value for key, value in json.loads(header).items() if key != "dataset"}
    short.write_text("\n".join([json.dumps(alone), *map(json.dumps, some)]))
    with pytest.raises(InputError, match="--data"):
        Result(short)
    assert Result(short, data).rows == replayed.rows


def test_an_episode_is_what_was_run(library: Library, data: Path, explorer: Path) -> None:
    split = load_split(data, "val_unseen")
    trips = read_trajectories(explorer, split)
    teacher = reference_actions(split, trips, reference_targets(split, trips))
    b = int(np.flatnonzero(trips.asked.any(axis=1))[0])
    task, length = int(trips.task[b]), int(trips.length[b])
    episode = library.episode(0, task)
    first = library.plan(0, episode["world"])["first"]
    assert [first + place for place in episode["places"]] == trips.location[b, : length + 1].tolist()
    assert episode["views"] == trips.view[b, : length + 1].tolist()
    steps = episode["steps"]
    assert [step["asked"] for step in steps] == trips.asked[b, :length].tolist()
    assert [step["teacher"]["action"] for step in steps] == [
        a if a >= 0 else None for a in teacher[b, :length]
    ]
    asked = int(trips.asked[b].argmax())
    answer = steps[asked]["answer"]
    assert answer["words"] == trips.words(split, int(trips.instruction[b, asked]))
    assert answer["speaker"] == "ANNA"
    assert first + answer["departure"] == trips.departure[b, asked]
    for t, step in enumerate(steps):
        if step["action"]:  # a move leads where its way leads
            assert step["actions"][step["action"]][0] == episode["places"][t + 1]
    assert episode["command"].startswith("helpanna evaluate --data ") and "--tasks 60" in episode["command"]


def test_what_is_not_there(library: Library) -> None:
    for ask in (
        lambda: library.episode(0, 70),
        lambda: library.episode(2, 0),
        lambda: library.plan(0, "nowhere"),
        lambda: library.around(0, 10**6),
        lambda: library.around(0, -1),
        lambda: library.panorama(0, 0),
        lambda: library.parting(0, 1, 79),
    ):
        with pytest.raises(NotThereError):
            ask()


def test_a_plan_holds_the_building(library: Library, data: Path) -> None:
    split = load_split(data, "val_unseen")
    name = split.atlas.world_names[1]
    world, plan = split.atlas.world(1), library.plan(0, name)
    west, south, east, north = plan["bounds"]
    assert len(plan["places"]) == world.location_count and plan["edges"] == world.edges.tolist()
    assert [floor["floor"] for floor in plan["floors"]] == np.unique(world.floors).tolist()
    for floor in plan["floors"]:
        assert {room["kind"] for room in floor["rooms"]} <= {room.kind for room in world.rooms} | {""}
        for room in floor["rooms"]:
            for x, y in (point for outline in room["outlines"] for point in outline):
                assert west <= x <= east and south <= y <= north
    zones = split.zones[plan["first"] : plan["first"] + world.location_count]
    assert plan["zones"] == np.flatnonzero(zones[:, 0] >= 0).tolist()


def test_the_overview_has_the_metrics_and_every_episode_once(
    library: Library, data: Path, explorer: Path
) -> None:
    split = load_split(data, "val_unseen")
    trips = read_trajectories(explorer, split)
    found = library.overview(0)
    value = evaluate(split, trips)["success_rate"]
    assert found["figures"]["success_rate"]["value"] == pytest.approx(value.value)
    assert found["figures"]["success_rate"]["low"] == pytest.approx(value.low)
    won = sum(Result(explorer).column("success"))
    for group in ("buildings", "objects", "distances", "requests"):
        assert sum(row[1] for row in found[group]) == 60 and sum(row[2] for row in found[group]) == won


def test_the_heat_map_counts_every_step(library: Library, wanderer: Path) -> None:
    table = Result(wanderer).table()
    for building in set(table["building"]):
        steps = sum(s for s, b in zip(table["steps"], table["building"], strict=True) if b == building)
        heat = library.heat(1, building)
        assert sum(row[1] for row in heat) == steps
        assert all(0 <= lost <= count for _, count, lost in heat)
    assert any(row[2] for row in library.heat(1, table["building"][0]))


def test_two_results_on_the_same_tasks(library: Library) -> None:
    found = library.compare(0, 1)
    assert len(found["tasks"]) == 60 and sum(found["counts"]) == 60
    change = found["differences"]["success_rate"]
    assert change["value"] == pytest.approx((found["counts"][1] - found["counts"][2]) / 60)
    assert change["low"] <= change["value"] <= change["high"]
    task = found["tasks"][0][0]
    step = library.parting(0, 1, task)["step"]
    a, b = library.episode(0, task), library.episode(1, task)
    assert step is not None and a["places"][: step + 1] == b["places"][: step + 1]
    assert library.parting(0, 0, task) == {"step": None}


def test_results_of_other_datasets_are_not_compared(library: Library, explorer: Path, tmp_path: Path) -> None:
    header, *lines = explorer.read_text().splitlines()
    other = tmp_path / "other.jsonl"
    changed = [{**json.loads(line), "request": "find a whale"} for line in lines]
    other.write_text("\n".join([header, *map(json.dumps, changed)]))
    with pytest.raises(InputError, match="not the same"):
        Library([explorer, other]).compare(0, 1)


def test_a_file_that_changes_is_noticed(explorer: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.jsonl"
    copy.write_text(explorer.read_text())
    library = Library([copy])
    copy.write_text(explorer.read_text() + "\n")
    with pytest.raises(InputError, match="has changed"):
        library.episode(0, 0)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: lines[:-1], "holds 59 episodes where there should be 60"),
        (lambda lines: [*lines[:-1], lines[1]], "each once"),
        (lambda lines: [*lines[:-1], "{"], "line 61 is not valid JSON"),
        (lambda lines: [*lines[:-1], "[1]"], "not a JSON object"),
    ],
)
def test_bad_files_are_refused(explorer: Path, tmp_path: Path, change: object, said: str) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("\n".join(change(explorer.read_text().splitlines())))  # type: ignore[operator]
    with pytest.raises(InputError, match=said):
        Result(bad)


def test_opening_keeps_no_lines(explorer: Path, tmp_path: Path) -> None:
    header, *lines = explorer.read_text().splitlines()
    large = tmp_path / "large.jsonl"
    record = json.loads(lines[0])
    padded = [json.dumps({**record, "task": task, "more": "x" * 20_000}) for task in range(500)]
    large.write_text("\n".join([json.dumps({**json.loads(header), "episodes": 500}), *padded]))
    tracemalloc.start()
    result = Result(large)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(result.rows) == 500 and kept < 2_000_000 < large.stat().st_size


def test_calibration_counts_how_often_a_prediction_was_so(library: Library) -> None:
    trips = library.results[1].trajectories(library.results[1].column("task"))
    split = library.source(0).split
    teacher = help_request_references(split, trips)
    way = navigation_references(split, trips).action
    found = library.calibration(1)
    assert found.keys() == {*CONDITIONS, "first choice"}
    for k, name in enumerate(CONDITIONS):
        predicted = trips.notes["reasons"][:, :, k]
        for mean, share, count in found[name]:
            tenth = int(mean * 10)
            some = teacher.counts & (predicted >= tenth / 10) & (predicted < (tenth + 1) / 10)
            assert count == some.sum()
            assert share == pytest.approx(teacher.conditions[:, :, k][some].mean(), abs=1e-4)
            assert mean == pytest.approx(predicted[some].mean(), abs=1e-4)
        assert sum(count for _, _, count in found[name]) == teacher.counts.sum()
    right = trips.decided & (way >= 0) & (trips.notes["guess"] == way)
    assert sum(share * count for _, share, count in found["first choice"]) == pytest.approx(
        right.sum(), abs=0.5
    )
    assert library.calibration(0) == {}  # a heuristic notes nothing
