"""`helpanna evaluate` as users meet it."""

import json

import pytest
from splits import sample_split

from helpanna.agents import names
from helpanna.agents.heuristics import RandomWalk
from helpanna.cli.main import main
from helpanna.tasks.dataset import save_dataset
from helpanna.tasks.sampling import PathRange
from helpanna.worlds.storage import save_atlas


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    split = sample_split(routes_per_world=30)
    save_atlas(split.atlas, folder / "atlas")
    save_dataset(
        folder / "dataset", {"train": split}, [(split.atlas, folder / "atlas")], 0, PathRange(), settings={}
    )
    return folder / "dataset"


@pytest.fixture
def evaluate(data, tmp_path, capsys):
    """Evaluates 40 tasks; returns what was printed and the lines of the file."""

    def run(agent, *options, out="run.jsonl"):
        arguments = ["--data", str(data), "--split", "train", "--agent", agent, "--out", str(tmp_path / out)]
        main(["evaluate", *arguments, "--tasks", "40", *options])
        return capsys.readouterr().out, (tmp_path / out).read_text().splitlines()

    return run


def test_metrics_and_trajectories(evaluate):
    printed, lines = evaluate("shortest", "--json")
    figures = json.loads(printed)
    one = {"low": 1.0, "high": 1.0}
    assert figures["success_rate"] == {"value": 1.0, **one, "tasks_only": one}
    assert (figures["episodes"], figures["buildings"], figures["runs"]) == (40, 3, 1)
    assert figures["spl"]["value"] == pytest.approx(1.0)
    assert figures["navigation_error"]["value"] == 0
    assert figures["requests_per_task"]["value"] == 0
    header, *episodes = map(json.loads, lines)
    assert (header["agent"], header["assistant"], header["seed"]) == ("shortest", "anna", 0)
    tasks = [episode["task"] for episode in episodes]
    assert len(set(tasks)) == 40 and tasks == sorted(tasks)
    assert tasks[0] == 0 and tasks[-1] == len(sample_split(routes_per_world=30)) - 1  # spread over all of it


def test_a_table_for_people(evaluate):
    printed, _ = evaluate("forward10")
    assert "success rate" in printed and "95 %" in printed


def test_the_assistant_and_the_budget_count(evaluate):
    def requests(*options):
        printed, lines = evaluate("explorer+ask_untried+perfect", "--json", *options)
        return json.loads(printed)["requests_per_task"]["value"], json.loads(lines[0])["budget"]

    helped, budget = requests()
    assert helped > 0.2 and budget == 50
    assert requests("--assistant", "absent") == (0, 50)
    assert 0 < requests("--assistant", "limited:1")[0] <= 1
    assert requests("--budget", "3")[1] == 3


@pytest.mark.slow
def test_batches_workers_and_repetition_give_the_same_file_and_figures(evaluate):
    agent, assistant = "random_walk+random_ask+perfect", ("--assistant", "noisy:0.3", "--json")
    once = evaluate(agent, *assistant)
    assert evaluate(agent, *assistant, out="again.jsonl") == once
    assert evaluate(agent, *assistant, "--batch-size", "7", "--workers", "2", out="other.jsonl") == once
    assert evaluate(agent, *assistant, "--seed", "1", out="seed.jsonl") != once


def test_score_gives_the_same_figures(evaluate, tmp_path, capsys):
    printed, _ = evaluate("explorer+random_ask", "--json")
    main(["score", str(tmp_path / "run.jsonl"), "--json"])
    assert json.loads(capsys.readouterr().out) == json.loads(printed)


def test_conditions_are_scored_as_the_agent_was_taught(evaluate, tmp_path, capsys, monkeypatch):
    class Taught(RandomWalk):
        lost = "paper"

    def lost_true(*options):
        printed, lines = evaluate("random_walk+random_ask", "--json", *options)
        main(["score", str(tmp_path / "run.jsonl"), "--json"])
        assert json.loads(capsys.readouterr().out) == json.loads(printed)
        return json.loads(printed)["lost_true"]["value"], json.loads(lines[0])["lost"]

    published = lost_true()
    assert published[1] == "published"
    paper = lost_true("--lost", "paper")
    assert paper[1] == "paper" and paper[0] != published[0]
    monkeypatch.setitem(names.NAVIGATORS, "random_walk", lambda *_: Taught(0))
    assert lost_true() == paper
    assert lost_true("--lost", "published") == published


@pytest.mark.parametrize(
    ("agent", "options", "message"),
    [
        ("walker", (), "there is no agent 'walker'"),
        ("forward10", ("--assistant", "bob"), "there is no assistant 'bob'"),
        ("forward10", ("--split", "nowhere"), "has no split 'nowhere'"),
        ("forward10", ("--batch-size", "0"), "--batch-size is 0"),
        ("forward10", ("--workers", "-1"), "--workers is -1"),
        ("forward10", ("--tasks", "0"), "--tasks is 0"),
        ("forward10", ("--budget", "0"), "--budget is 0"),
        ("forward10", ("--out", "."), "is a folder"),
        ("forward10", ("--data", "no/data"), "no/data"),
        ("forward10", ("--buildings", "nowhere"), "no task in a building 'nowhere'"),
    ],
)
def test_bad_input_ends_with_one_sentence_and_status_2(evaluate, agent, options, message, capsys):
    with pytest.raises(SystemExit) as stop:
        evaluate(agent, *options)
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert message in error and len(error.splitlines()) == 1


def test_where_nothing_can_be_written_nothing_is_computed(evaluate, tmp_path, capsys, monkeypatch):
    (tmp_path / "afile").write_text("words")
    monkeypatch.setattr("helpanna.evaluation.workers.run_episodes", lambda *_: pytest.fail("computed"))
    with pytest.raises(SystemExit) as stop:
        evaluate("forward10", out="afile/x.jsonl")
    assert stop.value.code == 2
    assert "afile" in capsys.readouterr().err
    assert (tmp_path / "afile").read_text() == "words"
