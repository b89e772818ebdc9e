"""Benchmarks compare like with like: the straightforward networks give the losses that ours give."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.mark.slow
def test_the_race_of_learning_is_a_race_of_equals(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(BENCHMARKS), *sys.path])
    from episodes import SPLIT, make_dataset
    from train import Race
    from wanderers import with_random_features

    from helpanna.tasks.dataset import load_split

    split = replace(load_split(make_dataset(tmp_path), SPLIT), name="train")
    race = Race(with_random_features(split, 16, tmp_path, None), tmp_path)
    assert race.ours() > 0
    assert race.differs_by() < 1e-3
    assert race.bare() > 0
    assert race.plain() > 0
