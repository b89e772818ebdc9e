"""Units on a Ray cluster of several processes, one of which is killed in the middle."""

import json
import os
import signal
import sys
import time
from threading import Thread

import pytest
from reproductions import save_whole_dataset

from helpanna.cli.main import main
from helpanna.engines import ray_engine
from helpanna.errors import InputError
from helpanna.files import sha256
from helpanna.reproduction.units import DONE

pytest.importorskip("ray")


def agents(out):
    return {path.relative_to(out): sha256(path) for path in out.glob("runs/*/last/model.safetensors")}


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:99999"])
def test_an_address_where_nobody_answers_is_said_at_once(address, monkeypatch):
    monkeypatch.setattr("ray.init", lambda **_: pytest.fail("Ray would try for minutes"))
    says = f"--address {address}: no Ray cluster answers there; start one"
    with pytest.raises(InputError, match=says), ray_engine(address, 1):
        pass


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_a_worker_that_is_killed_loses_nothing(cluster, tmp_path, monkeypatch):
    data = save_whole_dataset(tmp_path / "dataset")
    common = ["reproduce", "--data", str(data), "--budget", "smoke", "--seeds", "1,2", "--only", "behaviour"]
    killed = []

    def kill_one():
        """The first worker that has saved a checkpoint of its run."""
        end = time.monotonic() + 600
        while not killed and time.monotonic() < end:
            for saved in (tmp_path / "ray" / "runs").glob("final-*/checkpoint.safetensors"):
                told = json.loads((tmp_path / "ray" / "progress" / f"{saved.parent.name}.json").read_text())
                if not killed and not (saved.parent / DONE).is_file():
                    os.kill(told["process"], signal.SIGKILL)
                    killed.append(told)
            time.sleep(0.01)

    killer = Thread(target=kill_one)
    killer.start()
    main([*common, "--out", str(tmp_path / "ray"), "--engine", "ray", "--workers", "2"])
    killer.join()
    assert killed
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    main([*common, "--out", str(tmp_path / "here")])
    assert len(agents(tmp_path / "ray")) == 2 and agents(tmp_path / "ray") == agents(tmp_path / "here")
    assert (tmp_path / "ray/tables.csv").read_text() == (tmp_path / "here/tables.csv").read_text()
