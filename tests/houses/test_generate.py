"""From a seed to an atlas: the same bytes each time, also after a stop."""

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from waiting import alive, children, wait_until

from helpanna.cli.main import main
from helpanna.errors import InputError
from helpanna.worlds.houses.generate import generate_atlas, make_house
from helpanna.worlds.storage import check_atlas


def test_a_house_is_made_again_from_its_name() -> None:
    first, again = make_house("small-0-1"), make_house("small-0-1")
    assert first.rooms == again.rooms
    assert [(p.thing.type, p.position, p.quarter) for p in first.things] == [
        (p.thing.type, p.position, p.quarter) for p in again.things
    ]
    assert make_house("small-0-2").rooms != first.rooms


@pytest.mark.parametrize("name", ["17DRP5sb8fy", "small-0", "castle-0-1", "small-0-1x"])
def test_other_names_are_no_houses(name: str) -> None:
    with pytest.raises(InputError, match="generated house"):
        make_house(name)


def test_without_pictures_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        generate_atlas(tmp_path / name, houses=2, kind="small", pictures=False)
    manifests = [(tmp_path / name / "manifest.json").read_bytes() for name in ("a", "b")]
    assert manifests[0] == manifests[1]
    atlas = check_atlas(tmp_path / "a")
    assert atlas.world_names == ("small-0-0", "small-0-1")
    with pytest.raises(InputError, match="exists already"):
        generate_atlas(tmp_path / "a", houses=2, kind="small", pictures=False)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_killed_while_rendering_the_same_command_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    """Only the process that was started is killed: those it started must not go on for ever."""

    def command(name: str) -> list[str]:
        options = ["--houses", "1", "--kind", "small", "--width", "128", "--workers", "2", "--out"]
        return [sys.executable, "-m", "helpanna.cli", "worlds", "generate", *options, str(tmp_path / name)]

    def rendered() -> list[Path]:
        return list((tmp_path / "killed.partial").glob("*.npy"))

    subprocess.run(command("whole"), check=True, capture_output=True)
    with subprocess.Popen(command("killed"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and len(rendered()) < 3:
            time.sleep(0.01)
        time.sleep(random.Random(0).uniform(0, 0.2))
        workers = children(process.pid)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    assert not (tmp_path / "killed").exists()
    wait_until(lambda: not any(map(alive, workers)))
    kept = {path: path.stat().st_mtime_ns for path in rendered()}
    assert len(kept) >= 3

    with subprocess.Popen(command("killed"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        while process.poll() is None and len(rendered()) <= len(kept):
            time.sleep(0.01)
        with suppress(FileNotFoundError):  # all is done already
            assert all(path.stat().st_mtime_ns == time for path, time in kept.items())  # not done again
        _, complaint = process.communicate()
    assert process.returncode == 0, complaint
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["killed", "whole"]
    atlas = check_atlas(tmp_path / "whole")
    assert atlas.views.render(0, 0.0, 0.0).shape == (480, 640, 3)


@pytest.mark.slow
def test_the_demo_without_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["demo", "--out", str(tmp_path / "demo"), "--houses", "3", "--no-pictures", "--json"]
    main(command)
    first = json.loads(capsys.readouterr().out)
    assert first["agents"]["shortest"]["success_rate"] == 1
    assert (
        first["agents"]["explorer+ask_untried+perfect"]["success_rate"]
        > first["agents"]["random_walk"]["success_rate"]
    )
    page = (tmp_path / "demo" / "index.html").read_text()
    assert "was asked for something" in page and "ANNA are simulated people" in page
    for agent in ("explorer+ask_untried+perfect", "explorer"):
        assert f'"{agent}"' in page and (tmp_path / "demo" / "results" / f"{agent}.jsonl").is_file()
    shutil.rmtree(tmp_path / "demo")
    main(command)
    assert json.loads(capsys.readouterr().out) == first
