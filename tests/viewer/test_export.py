"""The page as one file holds what it shows, and nothing that could act."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from helpanna.cli.main import main
from helpanna.errors import InputError
from helpanna.viewer.export import export_page
from helpanna.viewer.library import Library


def stored(page: Path) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="stored">(.*?)</script>', page.read_text(), re.S)
    assert found
    return json.loads(found[1])


@pytest.mark.slow
def test_everything_is_inside(library: Library, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert export_page(library, page) is False  # there are no pictures
    held = stored(page)
    assert held["pages"] == ["watch", "overview", "compare"] and held["pictures"] == {}
    assert held["data"]["/api/results/0/episodes"] == library.episodes(0)
    assert held["data"]["/api/compare/0/1"] == json.loads(json.dumps(library.compare(0, 1)))
    episode = library.episode(1, 5)
    assert held["data"]["/api/results/1/episodes/5"] == episode
    first = library.plan(0, episode["world"])["first"]
    for place in episode["places"]:
        assert f"/api/sources/0/around/{first + place}" in held["data"]


def test_one_episode(explorer: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    main(["view", str(explorer), "--export", str(page), "--task", "7"])
    assert "without pictures" in capsys.readouterr().err
    held = stored(page)
    assert held["pages"] == ["watch"] and held["data"]["/api/results/0/episodes"]["task"] == [7]


def test_no_text_becomes_markup(library: Library, tmp_path: Path) -> None:
    export_page(library, tmp_path / "page.html", 3)
    text = (tmp_path / "page.html").read_text()
    assert "anyone <b>" not in text and "anyone \\u003cb>" in text
    assert "unsafe" not in text.split("</head>")[0]
    assert len(re.findall("<script", text)) == 3


def test_too_little_and_too_much(library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="no open result has such an episode"):
        export_page(library, tmp_path / "page.html", 999)
    monkeypatch.setattr("helpanna.viewer.export.MOST_EPISODES", 100)
    with pytest.raises(InputError, match="140 episodes are more than the 100"):
        export_page(library, tmp_path / "page.html")
    assert not list(tmp_path.iterdir())
