"""Tables fit a terminal of 80 columns, and no word in them is broken."""

import re

import pytest
from splits import sample_split

from helpanna.cli import demo
from helpanna.cli.console import print_table
from helpanna.cli.main import main
from helpanna.evaluation import tables
from helpanna.evaluation.bootstrap import Interval
from helpanna.tasks.dataset import SPLITS, save_dataset
from helpanna.tasks.sampling import PathRange
from helpanna.worlds.storage import save_atlas


@pytest.fixture(autouse=True)
def terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


def words_of(out):
    """The lines of what was printed, each at most 80 columns wide; and its words."""
    assert max(map(len, out.splitlines())) <= 80
    assert "…" not in out
    return set(re.findall(r"[^\s│┃]+", out))


def test_the_figures_of_a_dataset(tmp_path, capsys):
    split = sample_split()
    save_atlas(split.atlas, tmp_path / "a")
    atlas = [(split.atlas, tmp_path / "a")]
    save_dataset(tmp_path / "d", dict.fromkeys(SPLITS, split), atlas, 0, PathRange(2, 40), {})
    capsys.readouterr()
    main(["tasks", "stats", str(tmp_path / "d")])
    words = words_of(capsys.readouterr().out)
    assert {*SPLITS, "buildings", "instructions", "(82,484)", "routes", "locations"} <= words
    main(["worlds", "info", str(tmp_path / "a")])
    out = capsys.readouterr().out
    words_of(out)
    assert "most actions at a location" in out


def test_metrics(capsys):
    figures = {name: Interval(1.0, 1.0, 1.0, 1.0, 1.0) for name in (*tables._NAMES, *tables._CONDITION_NAMES)}
    rows = tables.metric_rows(figures) + tables.condition_rows(figures)
    print_table("title", tables.METRICS_HEADER, rows, tables.INTERVALS)
    words = words_of(capsys.readouterr().out)
    assert {"precision", "100.00", "%", "repeating", "asked"} <= words
    print_table("title", tables.DIFFERENCES_HEADER, tables.difference_rows(figures, figures, figures))
    assert {"precision", "100.00", "%", "interval"} <= words_of(capsys.readouterr().out)
    print_table("title", tables.BESIDE_HEADER, tables.beside_paper_rows("val_unseen", figures))
    assert {"interpretation", "requests", "re-asks"} <= words_of(capsys.readouterr().out)


def test_the_demo(capsys):
    rows = [(name, "100.00 %", "100.00 %", "100.00", "10.00") for name in demo._AGENTS]
    print_table("title", ("agent", *demo._COLUMNS), rows)
    assert {*demo._AGENTS, "metres"} <= words_of(capsys.readouterr().out)
