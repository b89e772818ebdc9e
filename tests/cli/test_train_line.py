"""The help of `helpanna train`, and the line that tells how the learning goes."""

import re
from dataclasses import fields
from typing import get_type_hints

import pytest

from helpanna.agents.mapping.network import MapNetworkConfig
from helpanna.agents.networks.protocol import NetworkConfig
from helpanna.cli import train
from helpanna.cli.console import TimeLeft
from helpanna.cli.main import main
from helpanna.cli.training_options import NetworkPart
from helpanna.learning.runs import RunOptions
from helpanna.learning.settings import TrainingSettings

FIGURES = dict.fromkeys(train._SMOOTHED, 1.0) | {"steps": 100.0}


def test_speed_and_time_left_are_told_once_they_are_known(capsys, monkeypatch):
    now = 0.0
    monkeypatch.setattr(train.time, "monotonic", lambda: now)
    monkeypatch.setattr(TimeLeft.__init__, "__defaults__", (lambda: now,))
    monkeypatch.setattr(train, "_LINE_SECONDS", 0.0)
    with train._live(100, shown=True) as on_iteration:
        now = 60.0  # the first iteration compiles
        on_iteration(1, FIGURES)
        for done in range(2, 12):
            now += 2
            on_iteration(done, FIGURES)
    first, *_, last = capsys.readouterr().err.splitlines()
    assert first.startswith("1/100") and "left" not in first and "steps/s" not in first
    assert "50 steps/s  about 3 min left" in last


def test_the_help_tells_the_defaults_of_each_network():
    hints = get_type_hints(NetworkPart, include_extras=True)
    for name in ("hidden", "dropout"):
        papers, maps = (getattr(config(1, 1), name) for config in (NetworkConfig, MapNetworkConfig))
        (option,) = hints[name].__metadata__
        assert f"default: {papers}, as in the paper; with --network map {maps};" in option.help_behavior_hint


def test_the_options_stand_in_groups_and_every_choice_is_among_them(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    page = re.sub(r"[│|╭╮╰╯─]", " ", capsys.readouterr().out)  # frames, if there are any
    _, *parts = re.split(r"^ +([a-z ]+) options *$", page, flags=re.M)
    groups = {
        name: {option.replace("-", "_") for option in re.findall(r"^ +--([a-z][a-z-]+)", text, re.M)}
        for name, text in zip(parts[::2], parts[1::2], strict=True)
    }
    assert list(groups) == [
        "data and run",
        "network",
        "learning",
        "curiosity and conditions",
        "asking",
        "beyond the paper",
        "map",
    ]
    assert max(map(len, groups.values())) <= 13
    choices = {f.name for kind in (RunOptions, TrainingSettings) for f in fields(kind)} - {"given"}
    others = {"data", "out", "resume", "until", "device", "processes", "no_decay"}
    assert set().union(*groups.values()) == choices | others
    assert sum(map(len, groups.values())) == len(choices | others)
