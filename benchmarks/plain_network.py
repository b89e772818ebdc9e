"""The same networks, written straightforwardly: what `train.py` compares with.

All 36 views are projected at every step, memories are stacked again at every step, all agents' texts are
encoded, padded, whenever one of them has a new one, views are compared with the target's at every step,
weight gradients are left to autograd, and the teachers look at one episode and one step at a time. The
equations and the weights are the same.
"""

import os
import sys
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from helpanna.agents import mind
from helpanna.agents.networks.protocol import Outputs
from helpanna.agents.networks.texts import Texts
from helpanna.agents.senses import Sight
from helpanna.episodes.episodes import Observation
from helpanna.episodes.trajectory import Trajectories
from helpanna.tasks.split import Split
from helpanna.worlds.geometry import HEADINGS

# The plain teachers are those of the tests.
sys.path.append(str(Path(__file__).parents[1] / "tests"))


class PlainLibrary:
    """Encodes whatever it is asked for, padded."""

    def __init__(self, networks: Any) -> None:
        self._networks = networks

    def lookup(self, tokens: Tensor, length: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Keys, values, and which words exist."""
        texts = Texts.padded(tokens.numpy(), length.numpy(), tokens.device)
        return (*self._networks.encode(texts), texts.exists)


class PlainMind(mind.Mind):
    """Encodes the texts of all agents whenever one of them has a new one."""

    def think(self, observation: Observation) -> Outputs:
        """Reads, looks, weighs."""
        if self._last is not None:
            asked, action = mind.what_was_done(self._last, observation)
            self.networks.took(self._state, torch.from_numpy(asked), torch.from_numpy(action))
        self._last = observation
        self._patience.see(observation)
        if observation.text_changed.any():
            everybody = np.arange(len(observation.text_changed))
            self._state.library = PlainLibrary(self.networks)
            tokens = self.senses.tokens(mind.what_is_read(observation, self.habits.language).tolist())
            self.networks.read(self._state, torch.from_numpy(everybody), *tokens)
        sight = self.senses.perceive(observation)
        return self.networks.step(self._state, replace(sight, similarity=_similarity(observation, sight)))


def _similarity(observation: Observation, sight: Sight) -> Tensor:
    views, sought = (functional.normalize(seen, dim=-1) for seen in (sight.views, sight.target))
    delta = torch.einsum("bvd,bwd->bvw", views, sought).amax(dim=-1)
    turned = [
        torch.roll(rows.view(3, HEADINGS), -int(view % HEADINGS), dims=1).flatten()
        for rows, view in zip(delta, observation.view, strict=True)
    ]
    return torch.stack(turned)


def plainly() -> AbstractContextManager[Any]:
    """Meanwhile networks compute with ordinary tensors, and project the views."""
    return patch.dict(os.environ, {"HELPANNA_PLAIN": "1"})


def teach_plainly(split: Split, trajectories: Trajectories) -> int:
    """Both teachers, one episode and one step at a time; how many answers they gave."""
    from plain_teachers import plain_episodes

    answers = 0
    for episode in plain_episodes(split, trajectories):
        for t in episode.steps:
            episode.reference(t)
            answers += len(episode.tried(t)) + episode.should_ask(t, "paper")
    return answers
