"""The Python on docs/python.md and in the README runs as it stands there, from top to bottom."""

import re
from pathlib import Path

import numpy as np
import pytest

from helpanna.tasks.dataset import save_dataset

README = Path(__file__).parents[2] / "README.md"
PAGE = README.parent / "docs" / "python.md"


def run(page):
    """Runs its blocks of Python one after the other; what they have defined."""
    text = page.read_text(encoding="utf-8")
    names = {}
    for number, code in enumerate(re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)):
        exec(compile(code, f"{page.name}, block {number}", "exec"), names)
    return names


@pytest.mark.slow
def test_the_pages_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = run(PAGE)
    said = capsys.readouterr().out
    assert "50 tasks in a house that is not in training, the first: find a" in said
    assert names["scores"]["success_rate"].value > 0.5
    assert "asks for help" in said
    assert np.array_equal(names["again"].location, names["trajectories"].location)
    assert re.search(r"after 4 of 30,000 iterations: [01]\.\d+", said)
    assert re.search(r"find an? .* \[.*\] \(36, \d+\)", said)

    atlases = [(names["atlas"], names["here"] / "houses")]
    save_dataset(Path("out/tasks"), names["splits"], atlases, 0, names["settings"].paths, {})
    names = run(README)
    assert re.match(r"Interval\(value=0\.\d", capsys.readouterr().out)
    assert names["env"].unwrapped.vocabulary.words


def test_it_shows_what_the_package_offers():
    import helpanna

    page = PAGE.read_text(encoding="utf-8")
    used = set(re.findall(r"helpanna\.([A-Za-z_]+)", page))
    assert used <= set(helpanna.__all__)
    assert len(used) > 15
