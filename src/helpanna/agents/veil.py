"""Sight dropout: some of what there is to see stays hidden for a whole episode, in training.

An agent that learns by few landmarks fails where these are missing. With every episode other channels of the
view features are hidden, in all views of all places alike, as in environment dropout (Tan et al., 2019): the
agent walks through a building that looks different each time. Words in sight are hidden likewise.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from helpanna.randomness import uniforms
from helpanna.worlds.words_in_sight import NO_WORD

Ints = NDArray[np.int64]


class Veil:
    """What B agents cannot see.

    Attributes:
        ratio: the share of channels and words that is hidden.
    """

    def __init__(self, ratio: float, seed: int, iteration: int, place: Ints) -> None:
        """For the episodes at these places [B] of an iteration's batch; all draws are addressed by them."""
        self.ratio = ratio
        self._seed, self._iteration, self._place = seed, iteration, place
        self._factor: Tensor | None = None

    def views(self, views: Tensor) -> Tensor:
        """View features [B, 36, D] without the hidden channels; the others grow, so that the mean stays."""
        if self._factor is None:
            drawn = self._drawn("hidden channels", self._place[:, None], np.arange(views.shape[-1]))
            factor = (drawn >= self.ratio) / (1 - self.ratio)
            self._factor = torch.from_numpy(factor.astype(np.float32)).to(views.device).unsqueeze(1)
        return views * self._factor

    def words(self, agents: Ints, ids: Ints) -> Ints:
        """The words [n, 50] that n of the agents look for, without the hidden ones."""
        drawn = self._drawn("hidden words", self._place[agents][:, None], ids)
        return np.where(drawn >= self.ratio, ids, NO_WORD)

    def select(self, rows: Ints) -> "Veil":
        """What these agents only cannot see."""
        return Veil(self.ratio, self._seed, self._iteration, self._place[rows])

    def _drawn(self, purpose: str, place: Ints, what: Ints) -> NDArray[np.float64]:
        return uniforms(self._seed, purpose, self._iteration, place, what)
