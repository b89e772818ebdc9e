import importlib
import json
import sys
from pathlib import Path

import pytest

from helpanna.cli.main import main

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.slow
def test_the_example_trains_saves_and_evaluates_networks_of_its_own(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(EXAMPLES)
    monkeypatch.syspath_prepend(str(EXAMPLES))
    example = importlib.import_module("own_network")
    success = example.main(tmp_path)
    printed = capsys.readouterr().out
    assert "random_walk: success rate" in printed and f"best: success rate {success:.0%}" in printed
    stored = json.loads((tmp_path / "run" / "best" / "config.json").read_text())
    assert stored["network"]["kind"] == "own_network:GRUNetworks" and stored["network"]["hidden"] == 64

    # The same by the command line: evaluated by its folder, and trained by its name.
    data, out = ["--data", str(tmp_path / "dataset")], tmp_path / "run.jsonl"
    options = ["--split", "val_unseen", "--agent", str(tmp_path / "run" / "best"), "--out", str(out)]
    main(["evaluate", *data, *options, "--workers", "1"])
    table = capsys.readouterr().out
    assert "success rate" in table.lower() and f"{100 * success:.1f}" in table
    train = ["train", *data, "--out", str(tmp_path / "again"), "--network", "own_network:GRUNetworks"]
    main([*train, "--hidden", "8", "--iterations", "2", "--batch-size", "4", "--evaluation-tasks", "2"])
    stored = json.loads((tmp_path / "again" / "last" / "config.json").read_text())
    assert stored["network"]["hidden"] == 8
    main(["train", "--resume", str(tmp_path / "again")])
    with pytest.raises(SystemExit) as refused:
        main([*train[:-4], "--out", str(tmp_path / "no"), *train[-2:], "--shared-text"])
    assert refused.value.code == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "the networks GRUNetworks have no setting shared_text; leave it out." in said
    sys.modules.pop("own_network")


def test_an_example_stays_short():
    assert len((EXAMPLES / "own_network.py").read_text().splitlines()) < 100
