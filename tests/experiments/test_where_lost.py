"""Where an agent loses: every way to end is told apart, and each part is replaced by a perfect one."""

import sys
from collections import Counter

import pytest
from lessons import save_small_dataset

import helpanna
from helpanna.cli.main import main
from helpanna.episodes.trajectory import NO_TARGET


@pytest.fixture
def where_lost(experiment):
    return experiment("where_lost")


@pytest.mark.parametrize(
    ("success", "steps", "closest", "end"),
    [(True, 50, 0, 0), (True, 3, 1, 0), (False, 49, 0, 1), (False, 50, 2, 2), (False, 50, 2.1, 3)],
)
def test_how_an_episode_ended(where_lost, success, steps, closest, end):
    episode = {"success": success, "actions": [1] * steps, "closest_distance": closest}
    assert where_lost.end_of(episode) == where_lost.ENDS[end]


def test_a_table_of_parts(where_lost, tmp_path, monkeypatch, capsys):
    save_small_dataset(tmp_path / "dataset")
    out = tmp_path / "out"

    def in_this_process(*words, capture):
        main([str(word) for word in words])
        return capsys.readouterr().out

    monkeypatch.setattr(sys.modules["shared"], "helpanna", in_this_process)
    command = ["where_lost.py", "--data", str(tmp_path / "dataset"), "--out", str(out)]
    command += ["--agent", "forward10+ask_new", "--split", "val_seen"]
    monkeypatch.setattr(where_lost, "PARTS", {k: v for k, v in where_lost.PARTS.items() if "asks" not in k})
    monkeypatch.setattr(sys, "argv", command)
    where_lost.main()
    rows = (out / "results.md").read_text().splitlines()
    figures = {row.split(" | ")[0].strip("| "): row.split(" | ")[1] for row in rows[2:7]}
    assert list(figures) == list(where_lost.PARTS)
    assert figures["as it comes"] != figures["both"]
    shares = [[float(share) for share in rows[i].strip("| ").split(" | ")] for i in (-7, -1)]
    assert [sum(share) for share in shares] == pytest.approx([100, 100], abs=0.3)


def test_how_a_route_ended(where_lost, tmp_path):
    save_small_dataset(tmp_path / "dataset")
    split = helpanna.load_dataset(tmp_path / "dataset").split("val_seen")
    anna = helpanna.make_assistant("anna", split)
    for name in ("forward10+ask_new", "explorer+ask_untried+perfect", "random_walk+random_ask"):
        trips = helpanna.run_episodes(split, helpanna.make_agent(name, split), anna, range(len(split)))
        ends = Counter(where_lost.route_ends(split, trips))
        answers = (trips.departure != NO_TARGET).sum()
        assert answers == ends.total()
        success = helpanna.evaluate(split, trips)["subtask_success"].value
        assert ends["left at its end"] == pytest.approx(success * answers)
        again = (trips.asked & trips.on_route).sum()
        assert ends["asked again"] == again
