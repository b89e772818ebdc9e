"""Every block of Python in the README and in docs/ runs as it stands there."""

import re
from pathlib import Path

import pytest
from documented import documented_folder

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
TOGETHER = {"python.md"}  # its blocks follow one from the other: test_python_page.py runs them


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


ALL = [
    (page.name, i, code) for page in PAGES if page.name not in TOGETHER for i, code in enumerate(blocks(page))
]


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    return documented_folder(tmp_path_factory.mktemp("pages"))


@pytest.mark.parametrize(("page", "number", "code"), ALL, ids=[f"{page}-{i}" for page, i, _ in ALL])
def test_it_runs(page, number, code, here, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path if "save_atlas(" in code else here)  # what makes an atlas begins with nothing
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
