"""`helpanna reproduce` as users meet it, on a dataset that takes seconds."""

import base64
import csv
import json
import os
import re
import shlex
import signal
import sys

import pytest
from commands import Command
from reproductions import save_whole_dataset
from waiting import wait_until

from helpanna.cli.main import main
from helpanna.errors import InputError
from helpanna.files import locked, sha256
from helpanna.reproduction.units import DONE

SMOKE = ["--budget", "smoke"]
WRITTEN = ("tables.md", "tables.tex", "tables.csv", "tables.json", "report.html")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reproduce")
    save_whole_dataset(folder / "dataset")
    save_whole_dataset(folder / "matterport", source="Matterport3D, imported")
    return folder


@pytest.fixture(scope="module")
def out(home):
    """The main table and the help-request behaviour, done once."""
    before = sys.modules.get("torch.utils.tensorboard")
    sys.modules["torch.utils.tensorboard"] = None  # takes long to import, and nobody looks at it
    reproduce(home, "out", "--only", "data,main,behaviour")
    if before is None:
        del sys.modules["torch.utils.tensorboard"]
    else:
        sys.modules["torch.utils.tensorboard"] = before
    return home / "out"


def arguments(home, out, *options, data="dataset"):
    options = [*SMOKE, *options] if "--seeds" in options else [*SMOKE, "--seeds", "1", *options]
    return ["reproduce", "--data", str(home / data), "--out", str(home / out), *options]


def reproduce(home, out, *options, data="dataset"):
    main(arguments(home, out, *options, data=data))


def sums(out):
    """The checksums of all that was written, but for who is how far."""
    files = [*(out / name for name in WRITTEN), *out.glob("*/*/" + DONE), *out.glob("runs/*/last/*")]
    return {str(path.relative_to(out)): sha256(path) for path in files}


@pytest.mark.slow
def test_all_is_written_and_agrees(out):
    tables = json.loads((out / "tables.json").read_text())
    assert [table["table"] for table in tables["tables"]] == ["data", "main", "behaviour"]
    main_table = tables["tables"][1]
    assert [row["row"] for row in main_table["rows"]] == [
        *("random_walk", "forward10", "no_assistance", "learned", "shortest", "perfect")
    ]
    shortest = main_table["rows"][4]
    assert {f["split"] for f in shortest["figures"]} == {"test_seen", "val_unseen"}
    for figure in shortest["figures"]:
        assert figure["low"] <= figure["value"] <= figure["high"] and figure["paper"] is None
    assert main_table["conclusion"].startswith(
        f"Of {len(main_table['conclusions'])} conclusions of the paper "
    )
    assert {c["verdict"] for c in main_table["conclusions"]} <= {"holds", "does not hold", "open"}
    lines = list(csv.DictReader((out / "tables.csv").read_text().splitlines()))
    (one,) = [
        line
        for line in lines
        if (line["row"], line["split"], line["metric"]) == ("shortest", "val_unseen", "success_rate")
    ]
    assert (
        float(one["value"]) == shortest["figures"][4]["value"]
        and shortest["figures"][4]["metric"] == one["metric"]
    )
    text = (out / "tables.md").read_text()
    assert "## Main results" in text and main_table["conclusion"] in text
    page = (out / "report.html").read_text()
    for found in main_table["conclusions"]:
        buildings = found["place"].removeprefix("val_")
        assert re.search(rf"\| {found['says']} \| {buildings} \| .+ \| {found['verdict']} \|", text)
        assert found["says"] in page
    assert f"{100 * float(one['value']):.2f} (" in text
    tex = (out / "tables.tex").read_text()
    assert tex.count(r"\begin{table*}") == 3 and r"val\_unseen & SR \%" in tex


@pytest.mark.slow
def test_rows_name_the_runs_that_made_them(out):
    tables = json.loads((out / "tables.json").read_text())
    learned = tables["tables"][1]["rows"][3]
    (name,) = learned["runs"]
    run = tables["runs"][name]
    assert run["seed"] == 1 and run["version"] and run["settings"]["iterations"] == 4
    assert (out / run["log"]).is_file() and (out / run["agent"] / "config.json").is_file()


@pytest.mark.slow
def test_the_report_is_one_page(out):
    page = (out / "report.html").read_text()
    for figure in (
        *("Success against requests", "Learning curves", "Conditions, predicted and true"),
        *("Metres walked", "Success by distance", "Success by building"),
    ):
        assert f"<h3>{figure}</h3><svg" in page
    assert "Episodes of the learned agent" in page and "metres left at the end" in page
    assert not re.search(r'(src|href)="(?!data:|#)', page.replace('xlink:href="#', ""))
    assert "http" not in re.sub(
        r"http://www\.w3\.org|http://purl\.org|http://creativecommons\.org|https://matplotlib\.org", "", page
    )


@pytest.mark.slow
def test_what_is_done_is_not_done_again_and_gives_the_same_bytes(home, out, capsys):
    before = sums(out)
    times = {path: path.stat().st_mtime_ns for path in out.glob("*/*/" + DONE)}
    reproduce(home, "out", "--only", "data,main,behaviour")
    assert "14 units, 14 of them done" in capsys.readouterr().err
    assert sums(out) == before
    assert {path: path.stat().st_mtime_ns for path in out.glob("*/*/" + DONE)} == times


@pytest.mark.slow
def test_the_command_that_is_shown_trains_the_same_agent(home, out, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    reproduce(home, "out", "--only", "main", "--show", "no_assistance")
    first, second = capsys.readouterr().out.splitlines()[:2]
    monkeypatch.chdir(tmp_path)
    main(shlex.split(first)[2:])
    (made,) = out.glob("runs/no_ask-1-*")
    assert sha256(tmp_path / "no_ask-1/last/model.safetensors") == sha256(made / "last/model.safetensors")
    main(shlex.split(second)[1:])
    (walks,) = out.glob("evaluations/no_assistance-1-test_seen-*/trajectories.jsonl")
    shown = (tmp_path / "no_assistance-1-test_seen.jsonl").read_text().splitlines()[1:]
    assert shown == walks.read_text().splitlines()[1:]


@pytest.mark.slow
def test_the_papers_figures_stand_beside_where_the_buildings_are_its_own(home, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    reproduce(
        home, "beside", "--only", "data,model", "--seeds", "1,2", "--other-seeds", "1", data="matterport"
    )
    text = (home / "beside" / "tables.md").read_text()
    assert " / 45.43 |" in text and " / 31.09 |" in text and "16 / 82,484" in text
    page = (home / "beside" / "report.html").read_text()
    model = json.loads((home / "beside" / "tables.json").read_text())["tables"][1]["rows"]
    assert [len(row["runs"]) for row in model] == [1, 1, 2]  # the learned agent is in the main table
    assert "walk 2 times" not in page and "<img" not in page  # no instructions, plans or pictures


@pytest.mark.slow
def test_episodes_are_drawn_where_the_houses_are_generated(home, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    save_whole_dataset(home / "town", source="helpanna houses, kind small, seed 0")
    reproduce(home, "drawn", "--only", "map", data="town")
    page = (home / "drawn" / "report.html").read_text()
    films = [part.partition('"')[0] for part in page.split('src="data:image/webp;base64,')[1:]]
    assert 1 <= len(films) <= 3
    assert all(base64.b64decode(film)[8:12] == b"WEBP" for film in films)
    (table,) = json.loads((home / "drawn" / "tables.json").read_text())["tables"]
    assert [row["row"] for row in table["rows"]] == ["learned", "map"] and table["conclusion"] == ""


def status(*arguments):
    try:
        main(list(arguments))
    except SystemExit as stop:
        return stop.code
    return 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--only", "mine"), "--only mine: there is no table 'mine'"),
        (("--seeds", "1,x"), "--seeds is '1,x'; give different whole numbers"),
        (("--workers", "0"), "--workers is 0; give at least 1"),
        (("--tasks", "0"), "--tasks is 0; give at least 1"),
        (("--features", "x-ray"), "no view features called 'x-ray'; name one of annotations"),
        (("--address", "auto"), "--address goes with --engine ray"),
        (("--show", "mine"), "--show mine: there is no such row"),
        (("--data", "no/data"), "no/data"),
        (("--out", "{home}/dataset/manifest.json"), "is a file; name a folder"),
    ],
)
def test_bad_input_is_one_sentence(home, capsys, options, message):
    options = [option.format(home=home) for option in options]
    assert status(*arguments(home, "bad", *options)) == 2
    said = capsys.readouterr().err
    assert message in said and len(said.strip().splitlines()) == 1
    assert not (home / "bad").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "workers"), [(signal.SIGKILL, "2"), (signal.SIGINT, "1"), (signal.SIGINT, "2")]
)
def test_killed_or_interrupted_it_goes_on_and_loses_nothing(home, out, number, workers):
    name = f"stopped-{number.name}-{workers}"
    options = arguments(home, name, "--only", "main", "--workers", workers)
    command = Command(options, home / f"{name}.txt")
    wait_until(lambda: list(home.glob(f"{name}/runs/*/checkpoint.safetensors")))
    os.kill(command.pid, number)
    assert command.wait(600) == (130 if number == signal.SIGINT else -signal.SIGKILL)
    assert not (home / name / "report.html").exists()
    if number == signal.SIGINT:
        assert "nothing is lost" in (home / f"{name}.txt").read_text()
    if (number, workers) == (signal.SIGINT, "2"):
        return  # going on is the same whatever ended it
    wait_until(lambda: free(home / name))  # workers of a killed parent end by themselves
    command = Command(options, home / f"{name}-again.txt")
    assert command.wait(600) == 0
    ours, theirs = sums(home / name), sums(out)
    same = [path for path in ours if path.endswith("model.safetensors") and path in theirs]
    assert len(same) == 2 and all(ours[path] == theirs[path] for path in same)  # no_ask and final


def free(folder):
    """Whether nobody is at work in the runs of this folder."""
    for run in folder.glob("runs/*"):
        try:
            with locked(run):
                pass
        except InputError:
            return False
    return True
