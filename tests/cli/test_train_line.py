"""The line that tells how the learning goes."""

from helpanna.cli import train
from helpanna.cli.console import TimeLeft

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
