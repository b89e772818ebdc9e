"""Sight dropout: the same is hidden for a whole episode, by its own address, and only in training."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from lessons import Rehearsal, lesson

from helpanna.agents.senses import ORIENTATION_SIZE, Senses
from helpanna.agents.veil import Veil
from helpanna.learning import thinkers
from helpanna.worlds.words_in_sight import NO_WORD
from helpanna.worlds.words_of_views import find_words

RATIO = 0.4


def test_a_share_of_the_channels_is_hidden_and_the_mean_stays():
    veil = Veil(RATIO, 0, 5, np.arange(50))
    seen = veil.views(torch.ones(50, 36, 400))
    assert seen.unique().tolist() == [0, pytest.approx(1 / (1 - RATIO))]
    assert (seen == seen[:, :1]).all()  # in all views the same
    assert float(seen.mean()) == pytest.approx(1, abs=0.02)
    assert len({tuple(row.tolist()) for row in seen[:, 0]}) == 50
    other = Veil(RATIO, 0, 6, np.arange(50)).views(torch.ones(50, 36, 400))
    assert not torch.equal(seen, other)


def test_what_an_episode_hides_does_not_depend_on_the_others():
    views, ids = torch.rand(6, 36, 9), np.tile(np.arange(50), (6, 1))
    all_six = Veil(RATIO, 1, 2, np.arange(6))
    two = Veil(RATIO, 1, 2, np.array([4, 1]))
    assert torch.equal(all_six.views(views)[[4, 1]], two.views(views[[4, 1]]))
    hidden = all_six.words(np.arange(6), ids)
    np.testing.assert_array_equal(hidden[[1]], two.words(np.array([1]), ids[:1]))
    assert (hidden == NO_WORD).mean() == pytest.approx(RATIO, abs=0.1)
    assert ((hidden == ids) | (hidden == NO_WORD)).all()


def test_episodes_in_training_are_veiled_from_beginning_to_end(monkeypatch):
    small = lesson(tasks=12)
    views = replace(small.train.atlas.views, words=find_words(small.train.atlas))
    small = replace(small, train=replace(small.train, atlas=replace(small.train.atlas, views=views)))
    rehearsal = Rehearsal(small, words_in_sight=True)
    sights, original = [], Senses.perceive

    def watch(*arguments):
        sights.append(original(*arguments))
        return sights[-1]

    monkeypatch.setattr(Senses, "perceive", watch)
    monkeypatch.setattr(thinkers, "CROWDED", 0.0)  # all stay, so that all are seen to the end
    shown = []
    for ratio in (0.0, RATIO):
        sights.clear()
        rehearsal.roll_out(np.arange(8), iteration=3, sight_dropout=ratio)
        size = sights[0].views.shape[-1]
        assert sights[0].actions.shape[-1] == size + ORIENTATION_SIZE
        kept = Veil(ratio, 0, 3, np.arange(8)).views(torch.ones(8, 1, size))[:, 0] > 0
        for sight in sights:
            for part in (sight.views, sight.actions[..., :size], sight.target):
                assert not (part != 0).any(dim=1)[~kept].any()
        shown.append([sum(float((x != 0).sum()) for x in (s.views, s.words)) / len(sights) for s in sights])
    assert 0.4 < np.mean(shown[1]) / np.mean(shown[0]) < 0.8
