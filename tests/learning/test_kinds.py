"""Tasks of every kind train with the same trainer: `--data` decides."""

import json
import sys

import pytest
from lessons import save_small_dataset
from room_to_room_files import records, write_records
from splits import random_routes

from helpanna.cli.main import main
from helpanna.worlds.storage import load_atlas

SMALL = ["--hidden", "8", "--batch-size", "4", "--budget", "4", "--evaluation-tasks", "2"]


@pytest.fixture(scope="module")
def homes(tmp_path_factory):
    """Datasets of other kinds in two sample buildings with features."""
    folder = tmp_path_factory.mktemp("kinds")
    save_small_dataset(folder / "hanna")
    place = folder / "atlas of hanna"
    atlas = load_atlas(place)
    told = records(atlas, random_routes(atlas, per_world=8))
    files = [
        write_records(folder / "R2R_train.json", told[::2]),
        write_records(folder / "R2R_val_seen.json", told[1::2]),
    ]
    source = ["--worlds", str(place), "--routes", *map(str, files)]
    main(["tasks", "build", "--kind", "r2r", *source, "--out", str(folder / "r2r")])
    return folder


@pytest.mark.parametrize("kind", ["r2r"])
def test_the_papers_network_learns_and_runs(homes, kind, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    data, run = str(homes / kind), tmp_path / "run"
    main(["train", "--data", data, "--out", str(run), *SMALL, "--iterations", "2"])
    capsys.readouterr()
    out = tmp_path / "run.jsonl"
    main(
        [
            *("evaluate", "--data", data, "--split", "val_seen", "--agent", str(run / "last")),
            *("--out", str(out), "--json"),
        ]
    )
    figures = json.loads(capsys.readouterr().out)
    assert figures["requests_per_task"]["value"] == 0 and 0 <= figures["ndtw"]["value"] <= 1
    header = json.loads(out.read_text().splitlines()[0])
    assert (header["kind"], header["assistant"]) == (kind, "absent")
