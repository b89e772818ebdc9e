"""`helpanna worlds`: own buildings, own features, and the space that a trained agent sees."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from publishers import write_source

from helpanna.cli.main import main
from helpanna.worlds.annotations import AnnotationSpace
from helpanna.worlds.sample import sample_atlas, sample_world
from helpanna.worlds.storage import check_atlas, load_atlas, save_atlas

LAB = {
    "name": "lab",
    "positions": {"door": [0, 0], "desk row": [2, 0], "window side": [4, 0]},
    "edges": [["door", "desk row"], ["desk row", "window side"]],
    "things": [{"type": "mug", "position": [2.5, 0.5, 0.8], "size": 0.1}],
    "rooms": {"hall": ["door"], "office": ["desk row", "window side"]},
}


def status(*arguments: object) -> int:
    try:
        main([str(argument) for argument in arguments])
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    path = tmp_path / "lab.json"
    path.write_text(json.dumps(LAB))
    return path


@pytest.fixture
def atlas(tmp_path: Path) -> Path:
    save_atlas(sample_atlas(worlds=1), tmp_path / "atlas")
    return tmp_path / "atlas"


def test_own_buildings_become_an_atlas_in_the_space_of_a_trained_agent(lab, tmp_path, capsys):
    out = tmp_path / "atlas"
    command = ("worlds", "import", "own", lab, "--out", out, "--features-like", "paper-matterport")
    assert status(*command, "--json") == 0
    assert json.loads(capsys.readouterr().out)["locations"] == 3
    atlas = check_atlas(out)
    assert atlas.world("lab").rooms[1].kind == "office"
    agent = json.loads((Path("src/helpanna/models/paper-matterport/config.json")).read_text())
    assert dict(atlas.views.get().space) == agent["space"]


@pytest.mark.slow
def test_features_like_an_agent_on_import_and_later(tmp_path, capsys):
    source = write_source(tmp_path / "source", sample_world("scan1", seed=1))
    out = tmp_path / "atlas"
    assert status("worlds", "import", "matterport", "--source", source, "--out", out) == 0
    own = dict(load_atlas(out).views.get().space)
    assert status("worlds", "add", "annotations", out, "--features-like", "paper-matterport") == 0
    assert "Added annotations_paper_matterport" in capsys.readouterr().err
    both = load_atlas(out).views.features
    assert own == both["annotations"].space != both["annotations_paper_matterport"].space
    again = tmp_path / "again"
    command = ("worlds", "import", "matterport", "--source", source, "--out", again)
    assert status(*command, "--features-like", "paper-matterport") == 0
    assert load_atlas(again).views.get().space == both["annotations_paper_matterport"].space
    assert status("worlds", "add", "annotations", again, "--features-like", "nobody") == 2
    assert "nobody" in capsys.readouterr().err
    assert status("worlds", "add", "annotations", again, "--features-like", "houses") == 2
    assert "not annotation features" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"edges": None}, "edges is not a list"),
        ({"height": 3}, "the key 'height', which nothing reads"),
        ({"edges": [["door"]]}, "give pairs of location names"),
        ({"rooms": {"hall": "door"}}, "list the names of its locations"),
        ({"things": [{"type": "mug"}]}, "give it a type and a position"),
        ({"things": [{"type": 3, "position": [0, 0, 0]}]}, "must be text"),
        ({"things": [{"type": "mug", "position": [0, 0]}]}, "give (x, y, z) in metres"),
        ({"positions": {"door": ["a", 0]}}, "give (x, y) or (x, y, z)"),
        ({"kinds": {"hall": 3}}, "not text"),
        ({"sight": True}, "sight is not a number"),
    ],
)
def test_a_wrong_building_file_is_one_sentence_that_names_it(change, sentence, tmp_path, capsys):
    path = tmp_path / "lab.json"
    path.write_text(json.dumps({**LAB, **change}))
    assert status("worlds", "import", "own", path, "--out", tmp_path / "atlas") == 2
    said = capsys.readouterr().err
    assert sentence in said and "lab.json" in said and said.count("lab.json") == 1
    assert not (tmp_path / "atlas").exists()
    assert status("worlds", "import", "own", "--out", tmp_path / "atlas") == 2


def test_locations_are_listed_in_the_order_of_the_arrays(atlas, capsys):
    there = load_atlas(atlas)
    assert status("worlds", "locations", atlas) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("\t")[1] for line in lines] == list(there.location_names)
    assert {line.split("\t")[0] for line in lines} == {"house 0"}
    assert status("worlds", "locations", atlas, "--json") == 0
    assert json.loads(capsys.readouterr().out)[3] == ["house 0", there.location_names[3]]


def test_own_features_are_checked_and_stored_in_half_precision(atlas, tmp_path, capsys):
    count = load_atlas(atlas).location_count
    array = np.random.default_rng(0).normal(size=(count, 36, 5)).astype(np.float32)
    np.save(tmp_path / "clip.npy", array)
    file = ("--name", "clip", "--file", tmp_path / "clip.npy")
    assert status("worlds", "add", "features", atlas, *file, "--space", "CLIP") == 0
    assert "5 numbers a view" in capsys.readouterr().err
    clip = check_atlas(atlas).views.get("clip")
    assert np.array_equal(clip.array, array.astype(np.float16))
    assert dict(clip.space) == {"kind": "own", "describes": "CLIP", "size": 5}
    assert status("worlds", "add", "features", atlas, *file) == 2
    assert "has clip features already" in capsys.readouterr().err


def test_own_features_can_be_those_that_an_agent_sees(atlas, tmp_path, capsys):
    count = load_atlas(atlas).location_count
    for size in (7, 1280):
        np.save(tmp_path / f"{size}.npy", np.ones((count, 36, size), dtype=np.float16))
    like = ("--features-like", "paper-houses")
    command = ("worlds", "add", "features", atlas, "--name", "net", *like, "--file")
    assert status(*command, tmp_path / "7.npy") == 2
    assert "1280 numbers a view" in capsys.readouterr().err
    assert status(*command, tmp_path / "1280.npy") == 0
    assert load_atlas(atlas).views.get("net").space["network"] == "EfficientNet-Lite0"
    assert status(*command, tmp_path / "1280.npy", "--space", "x") == 2
    assert "give one of them" in capsys.readouterr().err


def bad_arrays(count):
    ok = np.zeros((count, 36, 2), dtype=np.float32)
    wrong, large = ok.copy(), ok.astype(np.float64)
    wrong[1, 2, 0], large[1, 2, 1] = np.nan, 1e6
    return {
        "locations": (ok[:-1], "in the order of `helpanna worlds locations"),
        "views": (ok[:, :12], f"give ({count}, 36, D)"),
        "flat": (ok.reshape(count, -1), f"give ({count}, 36, D)"),
        "whole": (ok.astype(np.int32), "of type int32; give float16, float32 or float64"),
        "nan": (wrong, "at [1, 2, 0] holds a number that is not finite"),
        "large": (large, "at [1, 2, 1] holds a number that is too large for float16"),
        "objects": (np.array([{}] * count), "is not a .npy file of numbers"),
    }


@pytest.mark.parametrize("which", sorted(bad_arrays(3)))
def test_wrong_features_are_refused_and_change_nothing(which, atlas, tmp_path, capsys):
    array, sentence = bad_arrays(load_atlas(atlas).location_count)[which]
    np.save(tmp_path / "own.npy", array, allow_pickle=True)
    before = (atlas / "manifest.json").read_bytes()
    assert status("worlds", "add", "features", atlas, "--name", "own", "--file", tmp_path / "own.npy") == 2
    assert sentence in capsys.readouterr().err.replace("\n", " ")
    assert (atlas / "manifest.json").read_bytes() == before and not (atlas / "views").exists()


def test_a_file_that_is_no_array_is_refused(atlas, tmp_path, capsys):
    for content in (b"", b"\x93NUMPY", b"PK\x03\x04 zip"):
        (tmp_path / "own.npy").write_bytes(content)
        assert (
            status("worlds", "add", "features", atlas, "--name", "own", "--file", tmp_path / "own.npy") == 2
        )
        assert "numpy.save" in capsys.readouterr().err
    assert status("worlds", "add", "features", atlas, "--name", "own", "--file", tmp_path / "none.npy") == 2
    assert "does not exist" in capsys.readouterr().err


PAGES = [
    ("worlds", "generate"),
    ("worlds", "import", "matterport"),
    ("worlds", "import", "own"),
    *(("worlds", "add", what) for what in ("annotations", "features", "recognised", "resnet", "skyboxes")),
    *(("worlds", what) for what in ("info", "locations", "check", "show", "contact-sheet", "export")),
    *(("agents", what) for what in ("list", "show", "pack", "record")),
]


@pytest.mark.parametrize("page", PAGES, ids=" ".join)
def test_every_help_page_shows_itself_and_an_example(page, capsys):
    assert status(*page, "--help") == 0
    text = capsys.readouterr().out
    assert f"usage: helpanna {' '.join(page)}" in text
    assert f"For example: helpanna {' '.join(page)}" in text


def test_the_space_of_the_packaged_agent_is_readable():
    space = AnnotationSpace.like(Path("src/helpanna/models/paper-matterport"))
    assert len(space.terms) == 256


def test_a_full_disk_is_one_sentence(atlas, monkeypatch, capsys):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.posix_fallocate", full)
    assert status("worlds", "add", "annotations", atlas) == 2
    said = capsys.readouterr().err
    assert "No space left on device" in said and "annotations.npy" in said
    assert load_atlas(atlas).views.features == {} and not list((atlas / "views").iterdir())


@pytest.mark.slow
def test_commands_that_need_no_network_do_not_import_torch(atlas):
    code = f"import sys; from helpanna.cli.main import main; main(['worlds', 'info', {str(atlas)!r}]); "
    check = "sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code + check], capture_output=True).returncode == 0


@pytest.mark.slow
def test_a_packaged_agent_acts_in_other_peoples_buildings(tmp_path, capsys):
    source = write_source(tmp_path / "source", sample_world("scan1", seed=1))
    atlas, data = tmp_path / "atlas", tmp_path / "dataset"
    command = ("worlds", "import", "matterport", "--source", source, "--out", atlas)
    assert status(*command, "--features-like", "paper-matterport") == 0
    build = ("tasks", "build", "--worlds", atlas, "--out", data, "--eval-only", "val_unseen")
    assert status(*build, "--sizes", "val_unseen", 24) == 0
    capsys.readouterr()
    run = ("evaluate", "--data", data, "--split", "val_unseen", "--agent", "paper-matterport", "--json")
    assert status(*run, "--out", tmp_path / "run.jsonl") == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["metres_per_task"]["value"] > 1  # it walks
