"""What parts of the agent with a map bring: each can be left out, and no run is done twice."""

import sys

import pytest
from lessons import save_small_dataset

from helpanna.cli.main import main

SMALL = ("--network", "--warm-start", "--route-lessons", "--iterations", "--tolerance", "--mirror")


@pytest.fixture
def map_parts(experiment):
    return experiment("map_parts")


def test_what_is_changed_are_options_of_the_lessons(map_parts):
    flags = {"--no-target-sight", "--no-place-attention"}
    for change in map_parts.WITHOUT.values():
        assert set(change) <= set(map_parts.LESSONS) | flags
        assert all(name in map_parts.LESSONS for name, value in change.items() if value is ...)


def test_a_table_and_runs_that_are_done_once(map_parts, tmp_path, monkeypatch, capsys):
    data = tmp_path / "dataset"
    save_small_dataset(data)
    small = {name: map_parts.LESSONS[name] for name in SMALL} | {"--hidden": "16", "--batch-size": "4"}
    monkeypatch.setattr(map_parts, "LESSONS", small | {"--features": "annotations"})
    command = ["map_parts.py", "--data", str(data), "--out", str(tmp_path / "out"), "--iterations", "2"]
    parts = ["nothing: all parts", "attention between places"]
    command += ["--split", "val_seen", "--tasks", "8", "--without", *parts]
    monkeypatch.setattr(sys, "argv", command)
    # The same commands, in this process.
    monkeypatch.setattr(map_parts, "helpanna", lambda *words: main([str(word) for word in words]))
    tables = []
    for _ in range(2):
        map_parts.main()
        tables.append(capsys.readouterr().out[-len((tmp_path / "out" / "results.md").read_text()) :])
    assert tables[0] == tables[1] == (tmp_path / "out" / "results.md").read_text()
    rows = tables[0].splitlines()[2:]
    assert [row.split("|")[1].strip() for row in rows] == parts
    assert len({row.split("|", 2)[2] for row in rows}) == 2
