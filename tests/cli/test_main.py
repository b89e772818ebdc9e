"""The command line as users meet it."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from lessons import save_small_dataset
from publishers import write_source

import helpanna
from helpanna.cli.main import main
from helpanna.worlds.sample import sample_world
from helpanna.worlds.sight_features import SightSpace
from helpanna.worlds.storage import load_atlas


def status(*arguments: str) -> int:
    """The exit status of a command."""
    try:
        main(list(arguments))
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_source(tmp_path / "source", replace(sample_world("scan1", seed=1), name="scan1"))


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert status("--version") == 0
    assert capsys.readouterr().out.strip() == f"helpanna {helpanna.__version__}"
    assert status("--help") == 0
    assert "worlds" in capsys.readouterr().out
    assert status("worlds", "import", "matterport", "--help") == 0
    assert "--features-like" in capsys.readouterr().out


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_shell_completion(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert status("--tyro-print-completion", shell) == 0
    assert "worlds" in capsys.readouterr().out


@pytest.mark.slow
def test_import_check_info_show(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    atlas = str(tmp_path / "atlas")
    assert status("worlds", "import", "matterport", "--source", str(source), "--out", atlas, "--json") == 0
    imported = json.loads(capsys.readouterr().out)
    assert imported["counts"]["worlds"] == 1
    assert status("worlds", "check", atlas, "--json") == 0
    assert json.loads(capsys.readouterr().out) == imported["counts"]
    assert status("worlds", "info", atlas, "--json") == 0
    info = json.loads(capsys.readouterr().out)
    assert info["worlds"][0]["world"] == "scan1"
    assert info["views"] == {"annotations": 312}
    assert status("worlds", "info", atlas) == 0
    assert "scan1" in capsys.readouterr().out
    plan = tmp_path / "plan.svg"
    assert status("worlds", "show", atlas, "--world", "scan1", "--out", str(plan)) == 0
    assert "<svg" in plan.read_text()


def test_add_annotations_later(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    atlas = str(tmp_path / "atlas")
    command = ["worlds", "import", "matterport", "--source", str(source), "--out", atlas]
    assert status(*command, "--no-annotations") == 0
    assert status("worlds", "add", "annotations", atlas) == 0
    assert status("worlds", "add", "annotations", atlas) == 2
    assert "already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("worlds", "check", "nowhere"), "nowhere"),
        (("worlds", "show", "nowhere", "--out", "plan.svg"), "nowhere"),
        (("worlds", "import", "matterport", "--source", "nowhere", "--out", "x"), "nowhere"),
        (("worlds", "add", "resnet", "nowhere", "--tsv", "t.tsv"), "nowhere"),
        (("worlds", "fly"), "fly"),
        (("nonsense",), "nonsense"),
        (("worlds", "info"), "missing from helpanna worlds info: PATH"),
    ],
)
def test_bad_input_exits_with_2_and_names_it(
    arguments: tuple[str, ...],
    named: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert status(*arguments) == 2
    error = capsys.readouterr().err
    assert named in error
    assert "Traceback" not in error
    assert list(tmp_path.iterdir()) == []


def test_a_flipped_byte_in_an_atlas_is_found(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    atlas = tmp_path / "atlas"
    status("worlds", "import", "matterport", "--source", str(source), "--out", str(atlas))
    victim = atlas / "arrays" / "distance.npy"
    data = bytearray(victim.read_bytes())
    data[-5] ^= 1
    victim.write_bytes(data)
    assert status("worlds", "check", str(atlas)) == 2
    assert "distance.npy" in capsys.readouterr().err


@pytest.mark.slow
def test_a_closed_pipe_is_no_error(source: Path, tmp_path: Path) -> None:
    atlas = tmp_path / "atlas"
    status("worlds", "import", "matterport", "--source", str(source), "--out", str(atlas))
    command = f"{sys.executable} -m helpanna.cli worlds info {atlas} | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_captions_become_features_of_the_training_buildings(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_source(source, replace(sample_world("scan2", seed=2), name="scan2"))
    (source / "house_region_to_panorama.json").unlink()
    atlas, data = str(tmp_path / "atlas"), str(tmp_path / "data")
    assert not status(
        "worlds", "import", "matterport", "--source", str(source), "--out", atlas, "--no-annotations"
    )
    sizes = ("--sizes", "train", "20", "val_seen", "2", "test_seen", "2", "val_unseen", "2")
    assert not status("tasks", "build", "--worlds", atlas, "--out", data, "--unseen", "scan2", *sizes)
    assert not status("worlds", "add", "captions", atlas, "--fit-on", data)
    space = load_atlas(atlas).views.get("sight").space
    assert space == SightSpace.fit(load_atlas(atlas), [0], "words").to_json()
    capsys.readouterr()
    assert not status("worlds", "info", atlas, "--json")
    shown = json.loads(capsys.readouterr().out)
    assert shown["captions"] is True and set(shown["views"]) == {"captions", "sight"}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ((), "by one of --fit-on and --features-like"),
        (("--fit-on", "all", "--features-like", "matterport"), "by one of --fit-on and --features-like"),
        (("--fit-on", "nowhere"), "no world 'nowhere'"),
        (("--fit-on", "all", "--unseen", "scan1"), "leaves no building"),
        (("--fit-on", "all"), "no captions"),
        (("--features-like", "paper-matterport", "--source", "captions"), "sees no captions"),
    ],
)
def test_captions_say_what_is_wrong(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], sentence: str
) -> None:
    atlas = str(tmp_path / "atlas")
    (source / "captions").rename(source / "elsewhere")
    assert not status(
        "worlds", "import", "matterport", "--source", str(source), "--out", atlas, "--no-annotations"
    )
    named = [str(source / "elsewhere") if option == "captions" else option for option in options]
    capsys.readouterr()
    assert status("worlds", "add", "captions", atlas, *named) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.slow
def test_names_of_files_that_are_not_utf8(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / os.fsdecode(b"caf\xe9")
    place.mkdir()
    save_small_dataset(place / "dataset")
    data, run = str(place / "dataset"), str(place / "run.jsonl")
    assert status("evaluate", "--data", data, "--split", "train", "--agent", "explorer", "--out", run) == 0
    header = json.loads((place / "run.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert header["dataset"] == str((place / "dataset").resolve())
    assert status("score", run) == 0
    assert status("view", run, "--export", str(place / "page.html")) == 0
    capsys.readouterr()
    assert status("train", "--data", data, "--out", str(place / "run")) == 2
    assert "not UTF-8" in capsys.readouterr().err and not (place / "run").exists()
