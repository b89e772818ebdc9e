"""Tasks of every kind train with the same trainer: `--data` decides."""

import json
import sys

import pytest
from lessons import save_small_dataset

from helpanna.cli.main import main
from helpanna.tasks.kinds import KINDS

pytestmark = pytest.mark.slow

SMALL = ["--hidden", "8", "--batch-size", "4", "--budget", "4", "--evaluation-tasks", "2"]


@pytest.fixture(scope="module")
def homes(tmp_path_factory):
    """Datasets of other kinds in two sample buildings with features."""
    folder = tmp_path_factory.mktemp("kinds")
    save_small_dataset(folder / "hanna")
    source = ["--worlds", str(folder / "atlas of hanna"), "--sizes", "train", "40", "val_seen", "8"]
    for kind in ("r2r", "reverie", "ndh", "vnla"):
        main(["tasks", "build", "--kind", kind, *source, "--out", str(folder / kind)])
    return folder


@pytest.mark.parametrize("network", ["hierarchical", "map"])
@pytest.mark.parametrize(
    ("kind", "metric"),
    [("r2r", "ndtw"), ("reverie", "spl"), ("ndh", "goal_progress"), ("vnla", "requests_per_task")],
)
def test_networks_learn_and_run(homes, kind, metric, network, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    data, run = str(homes / kind), tmp_path / "run"
    main(["train", "--data", data, "--out", str(run), *SMALL, "--iterations", "2", "--network", network])
    capsys.readouterr()
    out = tmp_path / "run.jsonl"
    main(
        [
            *("evaluate", "--data", data, "--split", "val_seen", "--agent", str(run / "last")),
            *("--out", str(out), "--json"),
        ]
    )
    figures = json.loads(capsys.readouterr().out)
    assert isinstance(figures[metric]["value"], float)
    if kind != "vnla":
        assert figures["requests_per_task"]["value"] == 0  # nobody can be asked
    header = json.loads(out.read_text().splitlines()[0])
    assert (header["kind"], header["assistant"]) == (kind, KINDS[kind].assistant)
