"""Commands that run on a Ray cluster give what this machine gives."""

import pytest
from reproductions import save_whole_dataset

from helpanna.cli.main import main


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_an_evaluation_on_a_cluster_is_the_same(cluster, tmp_path, monkeypatch):
    save_whole_dataset(tmp_path / "dataset")
    monkeypatch.chdir(tmp_path)
    command = ["evaluate", "--data", "dataset", "--split", "val_unseen", "--agent", "random_walk+random_ask"]
    main([*command, "--out", "here.jsonl"])
    main([*command, "--out", "there.jsonl", "--engine", "ray", "--workers", "2"])
    assert (tmp_path / "there.jsonl").read_bytes() == (tmp_path / "here.jsonl").read_bytes()


@pytest.mark.parametrize(
    "command",
    ["evaluate --data d --split val_seen --agent forward10 --out run.jsonl", "worlds generate --out houses"],
)
def test_an_address_is_of_a_cluster(command, capsys):
    with pytest.raises(SystemExit):
        main([*command.split(), "--address", "auto"])
    assert "--address goes with --engine ray; add that or leave it out." in capsys.readouterr().err
