"""Agents whose episodes are finished leave the batch, and nothing else changes."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from lessons import BUDGET, Rehearsal, lesson

from helpanna.agents.habits import Habits
from helpanna.agents.networks.fast import gather_gradients, release_gradients
from helpanna.learning import thinkers
from helpanna.learning.lessons import Lesson
from helpanna.learning.losses import losses_of
from helpanna.learning.settings import TrainingSettings
from helpanna.worlds.words_of_views import find_words

TASKS = np.arange(24)


def wordy_lesson():
    """Where words in sight are known."""
    small = lesson()
    atlas = small.train.atlas
    views = replace(atlas.views, words=find_words(atlas))
    return Lesson.of(replace(small.train, atlas=replace(atlas, views=views)), {})


def learned(rehearsal, **settings):
    """A rollout, its loss and the gradients of all parameters."""
    gather_gradients(rehearsal.networks)
    rollout = rehearsal.roll_out(TASKS, **settings)
    losses = losses_of(rehearsal.split, rollout, TrainingSettings())
    gradients = torch.autograd.grad(
        losses.total, list(rehearsal.networks.parameters()), allow_unused=True, materialize_grads=True
    )
    release_gradients(rehearsal.networks)
    return rollout, losses, gradients


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("kind", ["hierarchical", "lstm"])
def test_losses_and_gradients_are_as_if_all_had_stayed(kind, plain, monkeypatch):
    if plain:
        monkeypatch.setenv("HELPANNA_PLAIN", "1")
    rehearsal = Rehearsal(
        wordy_lesson(), hidden=8, boldness=1.5, kind=kind, words_in_sight=True, habits=Habits(ask_once=True)
    )
    settings = {"sight_dropout": 0.3, "budget": 2 * BUDGET}
    sizes = []
    think = thinkers.Mind.think

    def noted(mind, observation):
        sizes.append(len(observation.active))
        return think(mind, observation)

    monkeypatch.setattr(thinkers.Mind, "think", noted)
    rollout, losses, gradients = learned(rehearsal, **settings)
    assert sizes[0] == len(TASKS) and sizes == sorted(sizes, reverse=True) and len(set(sizes)) > 2

    monkeypatch.setattr(thinkers, "CROWDED", 0.0)
    sizes.clear()
    stayed, all_losses, all_gradients = learned(rehearsal, **settings)
    assert set(sizes) == {len(TASKS)}
    for name in ("location", "asked", "action", "instruction", "length"):
        np.testing.assert_array_equal(getattr(rollout.trajectories, name), getattr(stayed.trajectories, name))
    assert rollout.trajectories.asked.any()
    torch.testing.assert_close(losses.total, all_losses.total)
    torch.testing.assert_close(gradients, all_gradients, atol=1e-5, rtol=1e-4)


def test_networks_whose_state_does_not_say_what_belongs_to_whom_think_for_all():
    rehearsal = Rehearsal(lesson(), hidden=8, boldness=1.5)
    with torch.no_grad():
        expected = rehearsal.roll_out(TASKS).trajectories
    rehearsal.networks = Closed(rehearsal.networks)
    with torch.no_grad():
        done = rehearsal.roll_out(TASKS).trajectories
    for name in ("location", "asked", "length"):
        np.testing.assert_array_equal(getattr(done, name), getattr(expected, name))
    assert rehearsal.networks.sizes == {len(TASKS)}


class Closed:
    """Networks whose state is a list."""

    def __init__(self, networks):
        self.config, self._networks, self.sizes = networks.config, networks, set()

    def begin(self, agents, steps):
        return [self._networks.begin(agents, steps)]

    def read(self, state, *texts):
        self._networks.read(state[0], *texts)

    def step(self, state, sight):
        self.sizes.add(len(sight.has_target))
        return self._networks.step(state[0], sight)

    def took(self, state, *done):
        self._networks.took(state[0], *done)
