"""Every block of Python in the README and in docs/ runs as it stands there."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from lessons import some_tasks
from splits import sample_split

from helpanna.cli.main import main
from helpanna.tasks.dataset import save_dataset
from helpanna.tasks.sampling import PathRange
from helpanna.worlds.annotations import write_annotation_features
from helpanna.worlds.storage import load_atlas, save_atlas

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TOGETHER = {"python.md"}  # its blocks follow one from the other: test_python_page.py runs them
FOLDERS = ("dataset", "DATASET", "out/tasks")
"""Datasets by the names that the pages give them."""


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


ALL = [
    (page.name, i, code) for page in PAGES if page.name not in TOGETHER for i, code in enumerate(blocks(page))
]


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """A folder with a small dataset and a result under the names that the pages use."""
    folder = tmp_path_factory.mktemp("pages")
    split = some_tasks(sample_split(2, routes_per_world=30), 100)
    save_atlas(split.atlas, folder / "worlds")
    write_annotation_features(folder / "worlds")
    split = replace(split, atlas=load_atlas(folder / "worlds"))
    splits = {name: replace(split, name=name) for name in ("train", "val_seen", "val_unseen")}
    save_dataset(folder / "dataset", splits, [(split.atlas, folder / "worlds")], 0, PathRange(), settings={})
    (folder / "out").mkdir()
    for name in FOLDERS[1:]:
        (folder / name).symlink_to(folder / "dataset")
    walk = "evaluate --split val_unseen --agent explorer --data"
    main([*walk.split(), str(folder / "dataset"), "--out", str(folder / "FILE.jsonl")])
    return folder


@pytest.mark.parametrize(("page", "number", "code"), ALL, ids=[f"{page}-{i}" for page, i, _ in ALL])
def test_it_runs(page, number, code, here, monkeypatch, capsys):
    monkeypatch.chdir(here)
    exec(compile(code, f"{page}, block {number}", "exec"), {"__name__": page})
    if "print(" in code:
        assert "Interval(value=0." in capsys.readouterr().out


def test_there_are_blocks_to_run():
    assert {page for page, _, _ in ALL} >= {
        "README.md",
        "agents.md",
        "atlas.md",
        "datasets.md",
        "trajectories.md",
    }
