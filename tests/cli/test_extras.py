"""With any choice of extras every command works, or says at once in one sentence what to install."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from bare_install import EXTRAS
from lessons import save_small_dataset

from helpanna.cli.main import main

BENCH = Path(__file__).parents[1]

TRAIN = "--hidden 8 --batch-size 2 --budget 2 --iterations 1 --evaluation-tasks 1"
LEARNING = ["torch", "safetensors"]
COMMANDS = {  # what each command needs besides the bare installation
    "--version": [],
    "worlds info {home}/atlas": [],
    "worlds check {home}/atlas": [],
    "worlds locations {home}/atlas": [],
    "worlds show {home}/atlas --world 'house 0' --out {out}/plan.svg": ["matplotlib"],
    "worlds contact-sheet {home}/atlas --out {out}/sheet.png": ["opencv-python-headless"],
    "worlds generate --houses 1 --kind small --no-pictures --out {out}/plain": ["embreex"],
    "demo --no-pictures --out {out}/demo": ["embreex"],
    "worlds generate --houses 1 --kind small --width 64 --out {out}/houses": list(EXTRAS["houses"]),
    "worlds export {home}/plain --world small-0-0 --out {out}/house.glb": ["numba"],
    "tasks build --worlds {home}/atlas --unseen-count 1 --sizes train 20 val_seen 5 val_unseen 5 test_seen 5 "
    "--out {out}/tasks": [],
    "tasks check {out}/tasks": [],
    "tasks stats {home}/dataset": [],
    "evaluate --data {home}/dataset --split train --agent explorer --out {out}/walks.jsonl --workers 1": [],
    "evaluate --data {home}/dataset --split train --agent houses --out {out}/x.jsonl": [
        "torch",
        "safetensors",
    ],
    "score {out}/walks.jsonl": [],
    "view {out}/walks.jsonl --port 0": ["fastapi", "uvicorn", "matplotlib"],
    "view {out}/walks.jsonl --export {out}/page.html": ["matplotlib"],
    "agents list": [],
    "agents pack {home}/agent --out {out}/agent": LEARNING,
    f"train --data {{home}}/dataset --out {{out}}/run {TRAIN}": LEARNING,
    "reproduce --data {home}/dataset --out {out}/tables --budget smoke": [*LEARNING, "matplotlib"],
    "demo --out {out}/demo": list(EXTRAS["houses"] | EXTRAS["learn"] - {"tensorboard"}),
}
_PACKAGES = {"cv2": "opencv-python-headless"}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("home")
    save_small_dataset(folder / "dataset")
    (folder / "atlas of dataset").rename(folder / "atlas")
    (folder / "atlas of dataset").symlink_to(folder / "atlas")
    main(["train", "--data", str(folder / "dataset"), "--out", str(folder / "run"), *TRAIN.split()])
    main(
        [
            "worlds",
            "generate",
            "--houses",
            "1",
            "--kind",
            "small",
            "--no-pictures",
            "--out",
            str(folder / "plain"),
        ]
    )
    (folder / "run" / "last").rename(folder / "agent")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("extras", ["", "learn", "houses", "view"])
def test_what_is_missing_is_named_before_any_work(home, tmp_path, extras):
    there = {_PACKAGES.get(m, m) for m in (EXTRAS[extras] if extras else ())}
    chosen = {  # what works takes time: the shortest way to see that it does not fail for a missing package
        command: [_PACKAGES.get(m, m) for m in needed]
        for command, needed in COMMANDS.items()
        if (not needed and not extras) or {_PACKAGES.get(m, m) for m in needed} - there
    }
    lines = [
        [part.format(home=home, out=tmp_path / "out") for part in shlex.split(command)] for command in chosen
    ]
    (tmp_path / "commands.json").write_text(json.dumps(lines))
    done = subprocess.run(
        [sys.executable, str(BENCH / "bare_install.py"), extras, str(tmp_path / "commands.json")],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    for (command, needed), (status, said) in zip(chosen.items(), json.loads(done.stdout), strict=True):
        missing = set(needed) - there
        if not missing:
            assert status == 0, (command, status, said)
            continue
        assert status == 2 and said.count("\n") == 1, (command, status, said)
        named = re.search(r'needs? (.*); pip install "helpanna\[all\]"\.$', said.strip())
        assert named and set(named[1].split(" and ")) <= missing | {"torch", "safetensors"}, (command, said)
    assert not (tmp_path / "out" / "demo").exists() and not (tmp_path / "out" / "houses").exists()


def test_the_extras_here_are_those_of_the_package():
    project = tomllib.loads((BENCH.parent / "pyproject.toml").read_text())["project"]
    for name, modules in EXTRAS.items():
        packages = [re.split(r"[>=<\[ ]", line)[0] for line in project["optional-dependencies"][name]]
        assert {_PACKAGES.get(module, module) for module in modules} == set(packages)
