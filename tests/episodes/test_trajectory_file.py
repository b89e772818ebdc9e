"""Trajectory files: ours are read back, other people's are replayed, bad ones are refused."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_episodes import ASSISTANTS, corridor, random_trajectories, same_trajectories, scripted
from random_splits import splits
from splits import sample_split

from helpanna.episodes.outcomes import outcomes_of
from helpanna.episodes.trajectory import Trajectories
from helpanna.episodes.trajectory_file import (
    SCHEMA,
    read_header,
    read_outcomes,
    read_trajectories,
    write_trajectories,
)
from helpanna.errors import InputError

HEADER = {"agent": "random", "dataset": "no/where", "seed": 0}


@pytest.mark.parametrize("assistant", ASSISTANTS)
def test_what_is_written_is_read_back_bit_for_bit(tmp_path, assistant):
    split, file = sample_split(), tmp_path / "t.jsonl"
    trajectories = random_trajectories(split, np.arange(5, 150, 2), ASSISTANTS[assistant](split))
    write_trajectories(file, trajectories, split, HEADER)
    assert same_trajectories(read_trajectories(file, split), trajectories)
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.slow
@given(splits(), st.integers(0, 99))
@settings(max_examples=40)
def test_what_is_written_is_read_back_anywhere(tmp_path_factory, split, seed):
    file = tmp_path_factory.mktemp("files") / "t.jsonl"
    trajectories = random_trajectories(split, np.arange(len(split)), budget=8, seed=seed, ask=0.4)
    write_trajectories(file, trajectories, split, HEADER)
    assert same_trajectories(read_trajectories(file, split), trajectories)


def test_episodes_are_written_in_task_order(tmp_path):
    split, file = sample_split(), tmp_path / "t.jsonl"
    tasks = np.array([9, 3, 27, 4])
    shuffled = random_trajectories(split, tasks)
    write_trajectories(file, shuffled, split, HEADER)
    assert same_trajectories(read_trajectories(file, split), shuffled.select(np.argsort(tasks)))
    assert [json.loads(line)["task"] for line in file.read_text().splitlines()[1:]] == [3, 4, 9, 27]


def test_the_header(tmp_path):
    split, file = corridor(), tmp_path / "t.jsonl"
    write_trajectories(file, scripted(split, 4, [5, "stop"], budget=9), split, HEADER)
    assert read_header(file) == {
        **HEADER, "schema": SCHEMA, "split": "val_seen", "kind": "hanna", "budget": 9, "episodes": 1,
        "notes": {},
    }  # fmt: skip


def test_a_record_by_hand(tmp_path):
    split, file = corridor(), tmp_path / "t.jsonl"
    write_trajectories(file, scripted(split, 1, ["ask", 3, "stop", 4, "stop"]), split, HEADER)
    assert json.loads(file.read_text().splitlines()[1]) == {
        "task": 1,
        "world": "corridor",
        "request": "find a lamp",
        "goals": ["at 6"],
        "locations": ["at 1", "at 2", "at 3", "at 3", "at 4", "at 4"],
        "views": [12, 15, 15, 15, 15, 15],
        "actions": [-1, 1, 0, 1, 0],
        "can_ask": [True, True, True, True, False],
        "requests": [
            {
                "step": 0,
                "route": "to the east",
                "instruction": "walk on",
                "departure": "at 5",
                "goal": "at 6",
            }
        ],
        "metres": 3.0,
        "success": True,
        "final_distance": 2.0,
        "closest_distance": 2.0,
        "shortest": 5.0,
    }


def test_outcomes_need_no_more_than_the_file(tmp_path):
    split, file = sample_split(), tmp_path / "t.jsonl"
    trajectories = random_trajectories(split, np.arange(100))
    write_trajectories(file, trajectories, split, HEADER)
    read, expected = read_outcomes(file), outcomes_of(split, trajectories)
    for name, values in vars(expected).items():
        assert np.array_equal(getattr(read, name), values), name


# ---- other people's records ----


def write_lines(file, *records, **header):
    lines = [{"schema": SCHEMA, "split": "val_seen", **header}, *records]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def places(*numbers):
    return [f"at {number}" for number in numbers]


def read(tmp_path, *records, **header) -> Trajectories:
    return read_trajectories(write_lines(tmp_path / "other.jsonl", *records, **header), corridor())


def test_a_task_and_its_locations_suffice(tmp_path):
    replayed = read(tmp_path, {"task": 3, "locations": places(3, 4, 5, 5)})
    assert same_trajectories(replayed, scripted(corridor(), 3, [4, 5, "stop"], budget=3))


def test_who_does_not_stop_has_run_out_of_time(tmp_path):
    replayed = read(
        tmp_path, {"task": 3, "locations": places(3, 4)}, {"task": 0, "locations": places(0, 1, 2, 2)}
    )
    assert replayed.length.tolist() == [1, 3]
    alone = scripted(corridor(), 3, [4], budget=3)
    assert same_trajectories(replayed.select(np.array([0])), alone)


def test_a_single_location_is_a_stop_at_once(tmp_path):
    replayed = read(tmp_path, {"task": 6, "locations": places(6)})
    assert same_trajectories(replayed, scripted(corridor(), 6, ["stop"], budget=1))


def test_the_header_may_set_the_budget(tmp_path):
    replayed = read(tmp_path, {"task": 3, "locations": places(3, 4)}, budget=50)
    assert replayed.steps == 50


def test_of_a_request_the_step_and_the_route_suffice(tmp_path):
    record = {
        "task": 1,
        "locations": places(1, 2, 3, 3, 4, 4),
        "requests": [{"step": 0, "route": "to the east"}],
    }
    expected = scripted(corridor(), 1, ["ask", 3, "stop", 4, "stop"], budget=5)
    assert same_trajectories(read(tmp_path, record), expected)


def test_what_a_request_says_counts(tmp_path):
    told = {
        "step": 0,
        "route": "to the east",
        "instruction": "go east",
        "departure": "at 4",
        "goal": "at 6",
    }
    record = {"task": 1, "locations": places(1, 2, 3), "requests": [told], "metres": 7.5}
    replayed = read(tmp_path, record)
    assert replayed.text[0].tolist() == [0, 2] and replayed.target[0].tolist() == [-1, 4]
    assert replayed.goal[0, 0] == 6 and replayed.metres.tolist() == [7.5]


REQUEST = {"step": 0, "route": "to the east"}
BAD = [
    ({"task": 7, "locations": places(0)}, '"task" must be 0 to 6'),
    ({"task": True, "locations": places(1)}, '"task" must be 0 to 6'),
    ({"task": "3", "locations": places(3)}, '"task" must be 0 to 6'),
    ({"locations": places(3)}, '"task" must be 0 to 6'),
    ({"task": 3}, '"locations" must be a list'),
    ({"task": 3, "locations": []}, '"locations" is empty'),
    ({"task": 3, "locations": ["at 3", "the moon"]}, "'the moon' is no location"),
    ({"task": 3, "locations": ["at 3", ["at 4"]]}, "no location"),
    ({"task": 3, "locations": places(2, 3)}, "task 3 starts at at 3"),
    ({"task": 3, "locations": places(3, 5)}, "step 0 does not lead to at 5"),
    ({"task": 3, "locations": places(3, 3, 4)}, "step 0 stops, and so ends the episode"),
    ({"task": 3, "locations": places(3, 4), "world": "elsewhere"}, "\"world\" is 'elsewhere'"),
    ({"task": 3, "locations": places(3, 4), "request": "find a mug"}, "\"request\" is 'find a mug'"),
    ({"task": 3, "locations": places(3, 4), "actions": []}, '"actions" must have 1 proper entries'),
    ({"task": 3, "locations": places(3, 4), "actions": [1.5]}, '"actions" must have 1 proper entries'),
    ({"task": 3, "locations": places(3, 4), "actions": [2]}, "step 0 does not lead to at 4"),
    ({"task": 3, "locations": places(3, 4), "actions": [99]}, "step 0 does not lead to at 4"),
    ({"task": 3, "locations": places(3, 4), "actions": [-1]}, '"actions" must be -1 exactly'),
    ({"task": 3, "locations": places(3, 4), "views": [12]}, '"views" must have 2 proper entries'),
    ({"task": 3, "locations": places(3, 4), "views": [12, 16]}, '"views" should be 15 at step 1'),
    ({"task": 3, "locations": places(3, 4), "views": [13, 15]}, '"views" should be 12 at step 0'),
    ({"task": 3, "locations": places(3, 4), "can_ask": [1]}, '"can_ask" must have 1 proper entries'),
    ({"task": 3, "locations": places(3, 4), "metres": -1}, '"metres" must be a finite distance'),
    ({"task": 3, "locations": places(3, 4), "metres": "1"}, '"metres" must be a finite distance'),
    ({"task": 3, "locations": places(3, 4), "metres": True}, '"metres" must be a finite distance'),
    ({"task": 3, "locations": places(3, 4), "metres": 0.5}, '"metres" is less than the 1.00 m walked'),
    ({"task": 1, "locations": places(1, 2), "requests": REQUEST}, '"requests" must be a list'),
    ({"task": 1, "locations": places(1, 2), "requests": [0]}, 'every entry of "requests"'),
    ({"task": 1, "locations": places(1, 2), "requests": [REQUEST, REQUEST]}, "must ascend within 0 to 0"),
    ({"task": 1, "locations": places(1, 2), "requests": [{**REQUEST, "step": 1}]}, "must ascend"),
    (
        {"task": 1, "locations": places(1, 2), "requests": [{**REQUEST, "route": "west"}]},
        "'west' is no route",
    ),
    ({"task": 1, "locations": places(1, 2), "requests": [{**REQUEST, "instruction": "hop"}]}, "hears"),
    (
        {"task": 1, "locations": places(1, 2), "requests": [{**REQUEST, "departure": "x"}]},
        "'x' is no location",
    ),
    ({"task": 1, "locations": places(1, 0), "requests": [REQUEST]}, "the route of step 0 does not start"),
    (
        {"task": 4, "locations": places(4, 2), "requests": [REQUEST]},
        "requests help where that is not possible",
    ),
    (
        {"task": 4, "locations": places(4, 2), "requests": [REQUEST], "can_ask": [True]},
        "the route of step 0 does not start",
    ),
    (
        {"task": 1, "locations": places(1, 2), "requests": [REQUEST], "can_ask": [False]},
        "requests help where that is not possible",
    ),
]


@pytest.mark.parametrize(("record", "message"), BAD, ids=[message for _, message in BAD])
def test_bad_records_are_refused_by_line(tmp_path, record, message):
    good = {"task": 0, "locations": places(0, 1, 1)}
    with pytest.raises(InputError) as caught:
        read(tmp_path, good, record)
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{tmp_path / 'other.jsonl'} line 3: ")


def test_a_task_stands_in_a_file_once(tmp_path):
    record = {"task": 0, "locations": places(0, 1)}
    with pytest.raises(InputError, match=r"line 3: task 0 stands in line 2 already"):
        read(tmp_path, record, record)


def test_episodes_keep_to_the_budget(tmp_path):
    with pytest.raises(InputError, match=r"line 2: .* more steps than the header's budget of 1"):
        read(tmp_path, {"task": 0, "locations": places(0, 1, 2)}, budget=1)


@pytest.mark.parametrize(
    "notes", [{}, {"entropy": [0.1, 0.2]}, {"entropy": ["much"]}, {"entropy": 3}, {"entropy": [1e999]}]
)
def test_notes_must_be_there_for_every_step(tmp_path, notes):
    record = {"task": 0, "locations": places(0, 1), "notes": notes}
    with pytest.raises(InputError, match=r'line 2(:| is) .*(the note "entropy"|not valid JSON)'):
        read(tmp_path, record, notes={"entropy": "float32"})


def test_notes_have_one_shape(tmp_path):
    records = [
        {"task": 0, "locations": places(0, 1), "notes": {"reasons": [[0.1, 0.2, 0.3]]}},
        {"task": 1, "locations": places(1, 2), "notes": {"reasons": [0.1]}},
    ]
    with pytest.raises(InputError, match=r"line 3: .* another shape"):
        read(tmp_path, *records, notes={"reasons": "float64"})


BAD_HEADERS = [
    ({"schema": "other/1"}, "the header must say"),
    ({"split": None}, 'must name the "split"'),
    ({"split": "train"}, "is about the split train, not val_seen"),
    ({"budget": 0}, '"budget" must be a whole number'),
    ({"budget": "many"}, '"budget" must be a whole number'),
    ({"notes": {"entropy": "object"}}, '"notes" must name number types'),
    ({"notes": {"entropy": ["float32"]}}, '"notes" must name number types'),
    ({"notes": ["entropy"]}, '"notes" must name number types'),
    ({"episodes": 2}, "holds 1 episodes where there should be 2"),
]


@pytest.mark.parametrize(("header", "message"), BAD_HEADERS, ids=[message for _, message in BAD_HEADERS])
def test_bad_headers_are_refused(tmp_path, header, message):
    with pytest.raises(InputError, match=r"other\.jsonl") as caught:
        read(tmp_path, {"task": 0, "locations": places(0, 1)}, **header)
    assert message in str(caught.value)


def test_files_that_were_cut_short_are_refused(tmp_path):
    split, file = corridor(), tmp_path / "t.jsonl"
    write_trajectories(file, random_trajectories(split, np.arange(5), budget=2), split, HEADER)
    text = file.read_text()
    for cut in range(0, len(text) - 1, 37):
        file.write_text(text[:cut])
        with pytest.raises(InputError, match=r"t\.jsonl"):
            read_trajectories(file, split)


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_are_none_are_refused(tmp_path, constant):
    file = write_lines(tmp_path / "t.jsonl", {"task": 0, "locations": places(0, 1), "metres": 1})
    file.write_text(file.read_text().replace('"metres": 1', f'"metres": {constant}'))
    with pytest.raises(InputError, match=f"line 2 is not valid JSON .*{constant} is no number"):
        read_trajectories(file, corridor())


@pytest.mark.parametrize("content", [b"\xff\xfe", b"", b"[]\n", b"null\n", b"{}\n", b"[" * 99999])
def test_other_files_are_refused(tmp_path, content):
    file = tmp_path / "t.jsonl"
    file.write_bytes(content)
    with pytest.raises(InputError, match=r"t\.jsonl"):
        read_header(file)


def test_missing_files_are_named(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        read_header(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="cannot be read"):
        read_header(tmp_path)


def test_outcomes_of_records_that_do_not_say_need_the_dataset(tmp_path):
    file = write_lines(tmp_path / "t.jsonl", {"task": 0, "locations": places(0, 1)})
    with pytest.raises(InputError, match=r"line 2 has no proper actions and requests; .*--data"):
        read_outcomes(file)
    file = write_lines(tmp_path / "t.jsonl", {"actions": [1], "requests": [], "metres": -3})
    with pytest.raises(InputError, match=r"line 2 has no proper final_distance"):
        read_outcomes(file)
    ended = {"final_distance": 1, "closest_distance": 0, "shortest": 2, "metres": 3}
    for record in ({}, {"task": 0, "world": 3}, {"task": True}):
        file = write_lines(tmp_path / "t.jsonl", {"actions": [1], "requests": [], **ended, **record})
        with pytest.raises(InputError, match=r"line 2 has no proper task and world"):
            read_outcomes(file)


def test_goals_that_cannot_be_reached_are_written_as_null(tmp_path):
    split, file = corridor(), tmp_path / "t.jsonl"
    goals = split.goal_sets
    nowhere = replace(
        goals, distance=np.full_like(goals.distance, np.inf), nearest=np.full_like(goals.nearest, -1)
    )
    split = replace(split, goal_sets=nowhere)
    trajectories = scripted(split, 1, ["ask", 3, "stop"])
    write_trajectories(file, trajectories, split, HEADER)
    assert json.loads(file.read_text().splitlines()[1])["final_distance"] is None
    assert same_trajectories(read_trajectories(file, split), trajectories)
    assert read_outcomes(file).final_distance.tolist() == [np.inf]


def test_a_failed_write_leaves_the_old_file(tmp_path):
    split, file = corridor(), tmp_path / "t.jsonl"
    trajectories = scripted(split, 4, [5, "stop"])
    write_trajectories(file, trajectories, split, HEADER)
    before = file.read_bytes()
    spoilt = replace(trajectories, notes={"entropy": np.full((1, trajectories.steps), np.nan)})
    with pytest.raises(ValueError, match="JSON"):
        write_trajectories(file, spoilt, split, HEADER)
    assert file.read_bytes() == before and list(tmp_path.iterdir()) == [file]
