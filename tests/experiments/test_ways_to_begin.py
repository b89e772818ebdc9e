"""The paper's recipe beside the warm start, from logs that are known."""

import json
import sys

import pytest


@pytest.fixture
def ways(experiment):
    return experiment("ways_to_begin")


def _log(run, every, rates):
    """A run's log, with an evaluation after so many iterations each."""
    lines = []
    for number, rate in enumerate(rates, start=1):
        lines.append({"iteration": every * number, "success": 0.5, "requests": 2.0})
        found = {"success_rate": rate, "requests_per_task": 3.0, "subtask_success": rate / 2}
        lines.append(
            {"iteration": every * number}
            | {
                f"{split}/{name}": value
                for split in ("val_seen", "val_unseen")
                for name, value in found.items()
            }
        )
    run.mkdir()
    (run / "log.jsonl").write_text("\n".join(map(json.dumps, lines)))


def test_both_runs_go_on_and_are_compared_by_episodes(ways, tmp_path, monkeypatch):
    begun = []

    def train(run, data, options, until):
        begun.append((run.name, [str(option) for option in options], list(until)))
        _log(run, 10, [0.25, 0.75])

    monkeypatch.setattr(ways, "train", train)
    command = ("ways", "--data", "d", "--out", tmp_path, "--episodes", 640, "--", "--features", "sight")
    monkeypatch.setattr(sys, "argv", list(map(str, command)))
    ways.main()
    (paper, papers, until), (warm, warms, no_until) = begun
    assert (paper, until, warm, no_until) == ("paper", ["--until", 20], "warm", [])
    assert "--warm-start" not in papers and "--hidden" not in papers and papers[-1] == "sight"
    assert {"--warm-start", "--ask-once"} < set(warms) and warms[-1] == "sight"
    assert warms[warms.index("--evaluate-every") + 1] == "50"
    assert (tmp_path / "curves.md").read_text().splitlines()[2:] == [
        "| the paper's recipe | 320 | 25.0 | 3.00 | 25.0 | 3.00 |",
        "| the paper's recipe | 640 | 75.0 | 3.00 | 75.0 | 3.00 |",
        "| warm start | 640 | 25.0 | 3.00 | 25.0 | 3.00 |",
        "| warm start | 1,280 | 75.0 | 3.00 | 75.0 | 3.00 |",
    ]
    assert "thousand episodes" in (tmp_path / "curves.svg").read_text()


def test_a_run_that_is_there_goes_on(ways, tmp_path, monkeypatch):
    said = []
    monkeypatch.setattr(ways, "helpanna", lambda *words: said.append(words))
    ways.train(tmp_path / "run", "d", ("--hidden", 8), ("--until", 3))
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text("{}")
    ways.train(tmp_path / "run", "d", ("--hidden", 8), ("--until", 5))
    assert said == [
        ("train", "--data", "d", "--out", tmp_path / "run", "--hidden", 8, "--until", 3),
        ("train", "--resume", tmp_path / "run", "--until", 5),
    ]
