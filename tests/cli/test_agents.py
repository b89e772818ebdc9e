"""`helpanna agents`, and trained agents in `helpanna evaluate`, as users meet them."""

import json
import shlex

import pytest
from learners import seen_split, untrained

from helpanna.agents import names
from helpanna.agents.store import save_agent
from helpanna.cli.main import main
from helpanna.tasks.dataset import save_dataset
from helpanna.tasks.sampling import PathRange
from helpanna.worlds.annotations import write_annotation_features
from helpanna.worlds.storage import save_atlas


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """An agent that has learned nothing, and a dataset whose atlas it can see."""
    folder = tmp_path_factory.mktemp("agents")
    split = seen_split()
    agent = untrained(split, boldness=3.0)
    summary = {"iterations": 7, "best_success_rate": 0.25}
    save_agent(
        folder / "agent",
        agent.networks,
        agent.habits,
        agent.vocabulary,
        agent.space,
        summary,
    )
    save_atlas(split.atlas, folder / "atlas")
    save_dataset(folder / "dataset", {"train": split}, [(split.atlas, folder / "atlas")], 0, PathRange(), {})
    return folder


def evaluate(home, tmp_path, capsys, agent, *options):
    out = tmp_path / "run.jsonl"
    data = ("--data", str(home / "dataset"), "--split", "train", "--agent", str(agent), "--out", str(out))
    main(["evaluate", *data, "--tasks", "24", "--budget", "8", "--json", *options])
    return json.loads(capsys.readouterr().out), out.read_text().splitlines()[1:]


def test_show_says_what_it_is(home, capsys):
    main(["agents", "show", str(home / "agent"), "--json"])
    shown = json.loads(capsys.readouterr().out)
    assert shown["network"]["hidden"] == 32 and shown["summary"]["iterations"] == 7
    assert shown["space"]["kind"] == "annotations"


def test_show_and_list_tell_measured_figures_only(home, capsys, monkeypatch):
    main(["agents", "show", "matterport"])
    assert capsys.readouterr().out.startswith("# matterport\n")
    main(["agents", "list"])
    shown = capsys.readouterr().out
    assert "80.4 (76.8 to 83.6)" in shown and "test_seen" in shown
    monkeypatch.setattr(names, "MODELS", home)
    main(["agents", "list"])
    shown = capsys.readouterr().out
    # The figure that chose the checkpoint is no result.
    assert "agent" in shown and "%" not in shown and "25.0" not in shown


def test_results_come_from_the_agents_own_walks(home, tmp_path, capsys):
    copy = tmp_path / "copy"
    main(
        [
            "agents",
            "pack",
            str(home / "agent"),
            "--out",
            str(copy),
            "--licence",
            "CC0",
            "--data",
            "two houses",
        ]
    )
    assert "## Licence\n\nCC0" in (copy / "CARD.md").read_text()
    figures, _ = evaluate(home, tmp_path, capsys, copy)
    for _ in range(2):  # the second time replaces the first
        main(["agents", "record", str(copy), str(tmp_path / "run.jsonl"), "--note", "trained here"])
    content = json.loads((copy / "config.json").read_text())
    (result,) = content["results"]
    assert (result["split"], result["tasks"], result["note"]) == ("train", 24, "trained here")
    assert result["success_rate"][0] == round(figures["success_rate"]["value"], 4)
    assert "--tasks 24" in result["command"] and str(home) not in result["command"]
    assert "trained here" in (copy / "CARD.md").read_text()
    evaluate(home, tmp_path, capsys, copy)  # the agent still loads
    # A copy that asks less is another agent: it starts without results, and these are not its own.
    main(["agents", "pack", str(copy), "--out", str(tmp_path / "shy"), "--ask-above", "0.9"])
    assert json.loads((tmp_path / "shy" / "config.json").read_text())["results"] == []
    assert "two houses" in (tmp_path / "shy" / "CARD.md").read_text()
    with pytest.raises(SystemExit) as end:
        main(["agents", "record", str(tmp_path / "shy"), str(tmp_path / "run.jsonl")])
    assert end.value.code == 2 and "the walks of another agent" in capsys.readouterr().err


def test_a_recorded_command_gives_these_results_again(home, tmp_path, capsys, monkeypatch):
    """It names the buildings, where there were some only, and an agent of the package by its name."""
    building = seen_split().atlas.world_names[0]
    agent = tmp_path / "models" / "mine"
    main(["agents", "pack", str(home / "agent"), "--out", str(agent)])
    figures, _ = evaluate(home, tmp_path, capsys, agent, "--buildings", building)
    monkeypatch.setattr(names, "MODELS", agent.parent)
    main(["agents", "record", str(agent), str(tmp_path / "run.jsonl")])
    (result,) = json.loads((agent / "config.json").read_text())["results"]
    words = shlex.split(result["command"])
    assert building in words and "--agent mine" in result["command"]
    monkeypatch.chdir(home)
    capsys.readouterr()
    main([*words[1:-1], str(tmp_path / "again.jsonl"), "--json"])
    assert json.loads(capsys.readouterr().out)["success_rate"] == figures["success_rate"]


def test_pack_halves_the_weights_and_keeps_the_rest(home, tmp_path, capsys):
    main(["agents", "pack", str(home / "agent"), "--out", str(tmp_path / "small")])
    sizes = [(folder / "model.safetensors").stat().st_size for folder in (home / "agent", tmp_path / "small")]
    assert 0.45 < sizes[1] / sizes[0] < 0.6
    vocabulary = [
        (folder / "vocabulary.json").read_bytes() for folder in (home / "agent", tmp_path / "small")
    ]
    assert vocabulary[0] == vocabulary[1]
    figures, _ = evaluate(home, tmp_path, capsys, tmp_path / "small")
    assert 0 <= figures["success_rate"]["value"] <= 1


def test_a_copy_may_ask_less(home, tmp_path, capsys):
    main(["agents", "pack", str(home / "agent"), "--out", str(tmp_path / "shy"), "--ask-above", "0.9"])
    capsys.readouterr()
    bold, _ = evaluate(home, tmp_path, capsys, home / "agent")
    shy, _ = evaluate(home, tmp_path, capsys, tmp_path / "shy")
    assert shy["requests_per_task"]["value"] < bold["requests_per_task"]["value"]
    with pytest.raises(SystemExit) as stop:
        main(["agents", "pack", str(home / "agent"), "--out", str(tmp_path / "x"), "--ask-above", "1.5"])
    assert stop.value.code == 2
    assert "--ask-above is 1.5; give a number from 0 to below 1." in capsys.readouterr().err


def test_a_trained_agent_is_evaluated_by_its_folder_with_any_ask_policy(home, tmp_path, capsys):
    asks, _ = evaluate(home, tmp_path, capsys, home / "agent")
    never, _ = evaluate(home, tmp_path, capsys, f"{home / 'agent'}+no_ask")
    every, _ = evaluate(home, tmp_path, capsys, f"{home / 'agent'}+ask_every5+perfect")
    assert never["requests_per_task"]["value"] == 0 < every["requests_per_task"]["value"]
    assert "lost_accuracy" in asks  # it predicts conditions


@pytest.mark.slow
def test_workers_do_not_change_a_trained_agents_episodes(home, tmp_path, capsys):
    alone = evaluate(home, tmp_path, capsys, home / "agent")
    shared = evaluate(home, tmp_path, capsys, home / "agent", "--workers", "2", "--batch-size", "5")
    assert alone == shared


def test_agents_that_come_with_the_package_have_names(home, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(names, "MODELS", home)
    main(["agents", "list", "--json"])
    assert json.loads(capsys.readouterr().out)["agent"] == "agent"
    by_name, _ = evaluate(home, tmp_path, capsys, "agent")
    assert by_name == evaluate(home, tmp_path, capsys, home / "agent")[0]


def test_an_agent_that_cannot_see_here_says_so(home, tmp_path, capsys):
    split = seen_split()
    save_atlas(split.atlas, tmp_path / "atlas")
    dataset = tmp_path / "dataset"
    save_dataset(dataset, {"train": split}, [(split.atlas, tmp_path / "atlas")], 0, PathRange(), {})
    for file in (tmp_path / "atlas" / "views").glob("*"):
        assert file.name.startswith("annotations")
    other = untrained(split)
    save_agent(
        tmp_path / "agent",
        other.networks,
        other.habits,
        other.vocabulary,
        {"kind": "resnet"},
        {},
    )
    with pytest.raises(SystemExit) as end:
        evaluate(home, tmp_path, capsys, tmp_path / "agent")
    said = capsys.readouterr().err
    assert end.value.code == 2 and "the agent sees resnet features" in said.replace("\n", " ")
    assert not (tmp_path / "run.jsonl").exists()


def test_features_are_made_in_the_space_that_an_agent_sees(home, tmp_path):
    split = seen_split()
    save_atlas(split.atlas, tmp_path / "atlas")
    write_annotation_features(tmp_path / "atlas", home / "agent", name="again")
    stored = json.loads((tmp_path / "atlas" / "manifest.json").read_text())["views"]["again"]["space"]
    assert stored == json.loads((home / "agent" / "config.json").read_text())["space"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("show", "nowhere"), "holds no agent"),
        (("pack", "nowhere", "--out", "x"), "holds no agent"),
    ],
)
def test_a_folder_without_an_agent_is_named(arguments, sentence, capsys):
    with pytest.raises(SystemExit) as end:
        main(["agents", *arguments])
    assert end.value.code == 2 and sentence in capsys.readouterr().err
