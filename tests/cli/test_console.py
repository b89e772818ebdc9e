"""What commands print: names as they are, tables that fit, and times only when they can be told."""

import json

import pytest

from helpanna.cli import console
from helpanna.cli.console import TimeLeft, print_json, print_table, progress, say, spoken_time


@pytest.mark.parametrize("name", ["[red]x", "[/]", "[/bold]", "a[link=x]b", ":smile:", "[0]"])
def test_names_are_printed_as_they_are(name, capsys):
    print_table(f"title {name}", (f"header {name}",), [[f"cell {name}"]], f"caption {name}")
    say(f"said {name}")
    out, err = capsys.readouterr()
    for part in ("title", "header", "cell", "caption"):
        assert f"{part} {name}" in out
    assert f"said {name}" in err


def test_terminal_escapes_do_nothing(capsys):
    evil = "a\x1b[2Jb\x07c\x9b31md\re"
    print_table(evil, (evil,), [[evil]], evil)
    say(evil)
    print_json({evil: evil})
    out, err = capsys.readouterr()
    assert not set("\x1b\x07\x9b\r") & set(out + err)
    assert r"a\x1b[2Jb\x07c\x9b31md\x0de" in out and r"a\x1b[2Jb" in err
    assert json.loads(out.splitlines()[-1]) == {evil: evil}


def test_wide_tables_wrap_and_lose_nothing(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    cell = "word" * 30
    print_table("a title", ("one", "two"), [[cell, "many words " * 10]])
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert "".join(c for c in out if c in "word").count("word") >= 30
    assert "…" not in out


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_nothing_is_said_of_the_time_left_before_it_is_known():
    clock = Clock()
    left = TimeLeft(clock)
    assert left.update(0, 100) is None
    clock.now = 60  # it took a minute to start
    assert left.update(1, 100) is None
    clock.now = 61
    assert left.update(2, 100) == pytest.approx(98)  # not 98 minutes


def test_a_few_seconds_say_nothing():
    clock = Clock()
    left = TimeLeft(clock)
    for done in range(5):
        clock.now = done / 2
        assert left.update(done, 100) is None


def test_the_time_left_follows_the_rate_of_late():
    clock = Clock()
    left = TimeLeft(clock)
    for done in range(1, 11):
        clock.now += 10
        left.update(done, 50)
    for done in range(11, 41):
        clock.now += 4  # it has become faster
        told = left.update(done, 50)
    assert told == pytest.approx(40)
    assert left.update(50, 50) == 0


def test_long_runs_are_told_of_as_well_and_as_fast():
    clock = Clock()
    left = TimeLeft(clock)
    for done in range(1, 20_001):
        clock.now += 0.5
        told = left.update(done, 30_000)
    assert told == pytest.approx(5_000)
    assert len(left._seen) <= console._REMEMBERED


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "about 1 s"), (89, "about 89 s"), (170, "about 3 min"), (7800, "about 2 h 10 min")],
)
def test_times_in_words(seconds, words):
    assert spoken_time(seconds) == words


def test_lines_tell_of_progress_where_there_is_no_terminal(capsys, monkeypatch):
    clock = Clock()
    monkeypatch.setattr(console.time, "monotonic", clock)
    monkeypatch.setattr(TimeLeft.__init__, "__defaults__", (clock,))
    with progress() as report:
        for done in range(1, 7):
            clock.now = 5.0 * done
            report("episodes", done, 6)
    assert capsys.readouterr().err.splitlines() == [
        "episodes: 3 of 6, about 15 s left",
        "episodes: 5 of 6, about 5 s left",
        "episodes: 6 of 6",
    ]
