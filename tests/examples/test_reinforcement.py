"""The examples that learn by reinforcement do learn."""

import re

import pytest
from examples_loader import load


@pytest.mark.slow
def test_ppo_learns_to_find_things(capsys):
    before, after = load("ppo").main(steps=40_000, seed=0)
    said = capsys.readouterr().out
    assert f"before training {before:.1%} of other tasks succeed" in said
    assert f"after training {after:.1%} of other tasks succeed" in said
    assert before < 0.15
    assert after > before + 0.2  # 6.8 % and 52.2 % where it was written


@pytest.mark.slow
def test_maskable_ppo_trains_with_masks(capsys):
    learner = load("maskable_ppo").main(steps=1024, seed=0)
    said = capsys.readouterr().out
    assert learner.num_timesteps == 1024
    assert re.search(r"total_timesteps +\| 1024", said)
    assert re.search(r"n_updates +\| 10 ", said)
    assert re.search(r"^One episode: find an? \w+", said, re.MULTILINE)
    assert re.search(r"^It ended \d+\.\d m from the nearest goal after \d+ requests\.$", said, re.MULTILINE)
