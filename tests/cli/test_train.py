"""`helpanna train` as users meet it."""

import json
import os
import random
import shutil
import signal
import sys

import pytest
from commands import Command
from lessons import save_small_dataset
from runs import fingerprints

from helpanna.agents.store import load_agent, read_config
from helpanna.cli.main import main
from helpanna.files import locked
from helpanna.learning.journal import read_log
from helpanna.worlds.annotations import write_annotation_features

SMALL = ["--hidden", "8", "--batch-size", "4", "--budget", "4", "--evaluation-tasks", "2"]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A dataset of a few tasks, and one whose atlas shows nothing."""
    folder = tmp_path_factory.mktemp("data")
    save_small_dataset(folder / "dataset")
    save_small_dataset(folder / "blind", features=False)
    return folder


@pytest.fixture
def train(data, tmp_path, capsys, monkeypatch):
    """Trains in this process, without TensorBoard; returns the run's folder and what was said."""
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)

    def run(*options):
        out = tmp_path / "run"
        main(["train", "--data", str(data / "dataset"), "--out", str(out), *SMALL, *options])
        return out, capsys.readouterr().err

    return run


def status(*arguments):
    try:
        main(list(arguments))
    except SystemExit as stop:
        return stop.code
    return 0


@pytest.mark.slow
def test_a_run_its_agents_and_what_is_said(train, capsys):
    run, said = train("--iterations", "3", "--evaluate-every", "100", "--ask-once", "--until", "2")
    assert "M parameters, 12 tasks" in said and "annotations features, on cpu" in said
    assert [line["iteration"] for line in read_log(run)] == [1, 2]
    assert status("train", "--resume", str(run)) == 0
    said = capsys.readouterr().err
    assert "3/3  SR" in said and "steps/s" not in said  # one iteration tells no speed
    assert "Best on val_seen: SR" in said and f"{run / 'best'}" in said
    assert [line["iteration"] for line in read_log(run)] == [1, 2, 3, 3]
    config = read_config(run / "last")
    assert config["network"]["hidden"] == 8 and config["habits"]["ask_once"]
    assert config["summary"]["iterations"] == 3 and config["summary"]["settings"]["batch_size"] == 4
    before = fingerprints(run)
    assert status("train", "--resume", str(run)) == 0  # nothing is left to do
    assert fingerprints(run) == before


@pytest.mark.slow
def test_a_run_that_starts_from_an_agent_needs_it_only_at_its_start(train, data, tmp_path, capsys):
    one, again = (
        ("--iterations", "1", "--save-every", "1"),
        ["train", "--data", str(data / "dataset"), *SMALL],
    )
    first, _ = train(*one)
    agent = tmp_path / "agent"
    shutil.copytree(first / "last", agent)
    options = [*again, "--start-from", str(agent), "--iterations", "2", "--seed", "3"]
    for name in ("whole", "parts"):
        ends = ["--until", "1"] if name == "parts" else []
        main([*options, "--out", str(tmp_path / name), *ends])
    main([*again, "--out", str(tmp_path / "fresh"), "--iterations", "2", "--seed", "3"])
    shutil.rmtree(agent)
    assert status("train", "--resume", str(tmp_path / "parts")) == 0
    whole, parts, fresh = (fingerprints(tmp_path / name) for name in ("whole", "parts", "fresh"))
    assert whole == parts
    assert whole["last/model.safetensors"] != fresh["last/model.safetensors"]
    capsys.readouterr()
    assert status(*options, "--out", str(tmp_path / "late")) == 2
    assert "holds no agent" in capsys.readouterr().err and not (tmp_path / "late").exists()


@pytest.mark.slow
def test_the_warm_start_is_one_option(train):
    run, _ = train("--iterations", "1", "--warm-start")
    settings = json.loads((run / "run.json").read_text())["settings"]
    assert settings["hand_over"] > 0 and settings["decay"] and settings["batch_size"] == 4


@pytest.mark.slow
def test_an_agent_can_learn_without_pictures(train):
    run, _ = train("--iterations", "1", "--evaluate-every", "100", "--no-picture")
    assert not json.loads((run / "run.json").read_text())["habits"]["picture"]
    habits = load_agent(run / "last").habits
    assert habits.language and not habits.picture


@pytest.mark.slow
def test_what_is_said_beside_the_warm_start_counts(train):
    run, _ = train("--iterations", "1", "--warm-start", "--hand-over", "7", "--clip", "2")
    settings = json.loads((run / "run.json").read_text())["settings"]
    assert settings["hand_over"] == 7 and settings["clip"] == 2
    assert settings["decay"] and settings["guard"] == 0.05


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "curiosity", "predicts"),
    [
        ((), 1.0, True),
        (("--no-condition-prediction",), 1.0, False),
        (("--network", "lstm"), 0.0, False),
        (("--network", "lstm", "--condition-prediction", "--curiosity", "1"), 1.0, True),
        (("--asking", "random_ask"), 0.5, False),
        (("--asking", "random_ask", "--warm-start", "--curiosity", "1"), 1.0, False),
    ],
)
def test_what_was_not_given_goes_with_the_rest(train, options, curiosity, predicts):
    run, _ = train("--iterations", "1", "--evaluate-every", "100", "--until", "1", *options)
    described = json.loads((run / "run.json").read_text())
    assert described["settings"]["curiosity"] == curiosity
    assert described["network"]["condition_prediction"] == predicts
    agent = load_agent(run / "last")
    assert (agent.networks.reasons is not None) == predicts and agent.lost == "published"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "decay", "hand_over"),
    [(("--no-decay", "--hand-over", "0"), False, 0), (("--decay",), True, 2000), ((), True, 2000)],
)
def test_the_warm_start_overrides_nothing_that_was_given(train, options, decay, hand_over):
    run, _ = train("--iterations", "1", "--warm-start", *options)
    settings = json.loads((run / "run.json").read_text())["settings"]
    assert settings["decay"] == decay and settings["hand_over"] == hand_over
    assert settings["learning_rate"] == 7e-4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--decay", "--no-decay"), "--decay and --no-decay were both given; leave out one of them"),
        (("--no-language", "--no-picture"), "--no-language and --no-picture leave nothing of the help"),
        (("--condition-prediction", "--asking", "no_ask"), "cannot be learned with --asking no_ask"),
        (("--data", "no/data"), "no/data"),
        (("--data", "{data}/blind"), "the atlas has no view features"),
        (("--features", "x-ray"), "no view features called 'x-ray'; name one of annotations"),
        (("--batch-size", "0"), "--batch-size is 0; give at least 1"),
        (("--learning-rate", "0"), "--learning-rate is 0.0; give a positive number"),
        (("--iterations", "-5"), "--iterations is -5"),
        (("--assistant", "bob"), "there is no assistant 'bob'"),
        (("--assistant", "no_module:Mine"), "the assistant 'no_module:Mine' cannot be loaded"),
        (("--gamma", "2"), "--gamma is 2.0; give a number from 0 to 1"),
        (("--hidden", "12"), "--hidden is 12; give a multiple of 8"),
        (("--hidden", "0"), "--hidden is 0"),
        (("--dropout", "1"), "--dropout is 1.0"),
        (("--until", "0"), "--until is 0"),
        (("--device", "abacus"), "--device abacus is not available here"),
        (("--device", "cuda:77"), "--device cuda:77 is not available here"),
    ],
)
def test_bad_input_ends_with_one_sentence_and_leaves_no_run(data, tmp_path, capsys, options, message):
    out = tmp_path / "run"
    options = [option.format(data=data) for option in options]
    assert status("train", "--data", str(data / "dataset"), "--out", str(out), *SMALL, *options) == 2
    error = capsys.readouterr().err
    assert message in error and len(error.splitlines()) == 1
    assert not out.exists()


def test_where_a_run_begins_and_where_it_goes_on(data, tmp_path, capsys):
    def refused(*arguments):
        before = sorted(tmp_path.rglob("*"))
        assert status("train", *arguments) == 2
        assert sorted(tmp_path.rglob("*")) == before
        (line,) = capsys.readouterr().err.splitlines()
        return line

    dataset, run = ["--data", str(data / "dataset")], tmp_path / "run"
    assert "give --data DATASET and --out RUN, or --resume RUN" in refused()
    assert "give --data DATASET and --out RUN, or --resume RUN" in refused(*dataset)
    assert f"{run} is no run" in refused("--resume", str(run))
    run.mkdir()
    assert f"{run} is no run" in refused("--resume", str(run))
    (run / "diary.txt").write_text("dear diary")
    assert f"{run} is not empty" in refused(*dataset, "--out", str(run))
    (run / "run.json").write_text("{}")
    assert f"go on with --resume {run}" in refused(*dataset, "--out", str(run))
    assert "run.json is not of the schema helpanna.run/2" in refused("--resume", str(run))
    (run / "run.json").write_text("{")
    assert "run.json is not valid JSON" in refused("--resume", str(run))


@pytest.mark.slow
def test_what_a_killed_start_left_does_not_matter(train, tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / ".run.json.77.tmp").write_text("half")
    run, _ = train("--iterations", "1")
    assert (run / "run.json").is_file() and not (run / ".run.json.77.tmp").exists()


@pytest.mark.slow
def test_two_do_not_work_in_one_run(train, capsys):
    run, _ = train("--iterations", "2", "--until", "1")
    before = fingerprints(run)
    with locked(run):
        assert status("train", "--resume", str(run)) == 2
    assert f"another process is at work in {run}; wait until it ends." in capsys.readouterr().err
    assert fingerprints(run) == before
    assert status("train", "--resume", str(run)) == 0


def test_an_edited_run_is_refused(train, capsys):
    run, _ = train("--iterations", "2", "--until", "1")
    path = run / "run.json"
    path.write_text(path.read_text().replace('"seed": 0', '"seed": 1'))
    assert status("train", "--resume", str(run)) == 2
    assert "run.json has changed since it was written; start the run again." in capsys.readouterr().err


@pytest.mark.slow
def test_the_dataset_may_move(tmp_path, capsys):
    old, new, run = tmp_path / "old", tmp_path / "new", tmp_path / "run"
    old.mkdir()
    save_small_dataset(old / "dataset")
    save_small_dataset(tmp_path / "other", features=False)
    data = ["--data", str(old / "dataset"), "--out", str(run)]
    assert status("train", *data, *SMALL, "--iterations", "2", "--until", "1") == 0
    old.rename(new)
    capsys.readouterr()
    assert status("train", "--resume", str(run)) == 2
    said = capsys.readouterr().err
    assert f"the dataset of {run} is not {old / 'dataset'}; say where it is with --data." in said
    assert status("train", "--resume", str(run), "--data", str(tmp_path / "other")) == 2
    assert f"{tmp_path / 'other'} is not the dataset of {run}" in capsys.readouterr().err
    assert status("train", "--resume", str(run), "--data", str(new / "dataset")) == 0
    assert read_log(run)[-1]["iteration"] == 2
    assert status("train", "--resume", str(run)) == 0  # it knows now


def test_the_missing_option_is_named_where_there_are_several_features(data, tmp_path, capsys):
    shutil.copytree(data, tmp_path / "data")
    (atlas,) = (tmp_path / "data").glob("atlas of dataset")
    write_annotation_features(atlas, name="other")
    arguments = ["--data", str(tmp_path / "data" / "dataset"), "--out", str(tmp_path / "run"), *SMALL]
    assert status("train", *arguments) == 2
    assert "--features is missing; the atlas has annotations, other: name one" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_a_run_says_only_what_it_has(train, capsys):
    run, _ = train("--iterations", "2", "--evaluate-every", "1")
    shutil.rmtree(run / "best")
    assert status("train", "--resume", str(run)) == 0
    said = capsys.readouterr().err
    assert f"The run has {run / 'last'}, {run / 'log.jsonl'}." in said and f"{run / 'best'}" not in said


def test_a_loss_that_is_no_number_does_not_speak_of_a_checkpoint_that_is_not_there(train, capsys):
    with pytest.raises(SystemExit):
        train("--iterations", "9", "--learning-rate", "1e30", "--save-every", "100")
    said = capsys.readouterr().err
    assert "the loss is not a number any more" in said and "checkpoint" not in said


# Real processes.


def start(data, run, *options):
    arguments = ["train", "--data", str(data / "dataset"), "--out", str(run), *SMALL, *options]
    return Command(arguments, run.parent / f"{run.name}.txt", {"OMP_NUM_THREADS": "1"})


def go_on(run, *options):
    arguments = ["train", "--resume", str(run), *options]
    return Command(arguments, run.parent / f"{run.name}.txt", {"OMP_NUM_THREADS": "1"})


def wait_for(command, run, iteration):
    """Until the run has written a log so far; the log is written with every checkpoint."""
    while not any(line["iteration"] >= iteration for line in read_log(run)):
        assert command.wait(0.05) in (None, 0), command.words.read_text()


@pytest.mark.slow
def test_killed_again_and_again_a_run_ends_in_the_same_bytes(data, tmp_path):
    options = ["--iterations", "16", "--save-every", "3", "--evaluate-every", "8", "--dropout", "0.3"]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert start(data, whole, *options).wait() == 0
    chance = random.Random(0)
    command = start(data, killed, *options)
    for written in (3, 9, 12):  # each time further on, and at any moment from there
        wait_for(command, killed, written)
        command.wait(chance.uniform(0, 0.1))
        command.kill()
        command = go_on(killed)
    assert command.wait() == 0
    assert fingerprints(killed) == fingerprints(whole)


@pytest.mark.slow
def test_interrupted_it_says_how_to_go_on(data, tmp_path):
    options = ["--iterations", "100000", "--save-every", "2", "--evaluate-every", "100000"]
    whole, run = tmp_path / "whole", tmp_path / "run"
    command = start(data, run, *options)
    wait_for(command, run, 2)
    os.kill(command.pid, signal.SIGINT)
    assert command.wait() == 130
    assert f"interrupted; go on with `helpanna train --resume {run}`" in command.words.read_text()
    assert "Traceback" not in command.words.read_text()
    until = ["--until", str(read_log(run)[-1]["iteration"] + 3)]
    assert go_on(run, *until).wait() == 0
    assert start(data, whole, *options, *until).wait() == 0
    assert fingerprints(run) == fingerprints(whole)
