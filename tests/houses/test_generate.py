"""From a seed to an atlas: the same bytes each time, also after a stop."""

import json
import shutil
from pathlib import Path

import pytest

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


@pytest.mark.slow
def test_a_run_that_was_stopped_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    class StopError(Exception):
        pass

    def stop(what: str, done: int, total: int) -> None:
        if what == "panoramas" and done >= 3:
            raise StopError

    settings = {"houses": 1, "kind": "small", "width": 128, "workers": 1}
    generate_atlas(tmp_path / "whole", **settings)  # type: ignore[arg-type]
    with pytest.raises(StopError):
        generate_atlas(tmp_path / "halved", **settings, on_progress=stop)  # type: ignore[arg-type]
    assert not (tmp_path / "halved").exists()
    kept = len(list((tmp_path / "halved.partial").glob("*.jpg")))
    assert kept >= 3
    generate_atlas(tmp_path / "halved", **settings)  # type: ignore[arg-type]
    manifests = [(tmp_path / name / "manifest.json").read_bytes() for name in ("whole", "halved")]
    assert manifests[0] == manifests[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["halved", "whole"]
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
    assert page.count("<h2>") == 3
    assert "ANNA:" in page
    shutil.rmtree(tmp_path / "demo")
    main(command)
    assert json.loads(capsys.readouterr().out) == first
