"""A mirror: some agents walk through their building as if left were right, in training.

What they see, where their ways lead and what they are told are exchanged alike, so a mirrored episode is as
true as any other, in a building that nobody has built.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from helpanna.agents.senses import ORIENTATION_SIZE, Sight
from helpanna.randomness import uniforms
from helpanna.worlds.geometry import HEADINGS, VIEWS

Ints = NDArray[np.int64]

_SIDE = re.compile(
    r"\bleft(?=(?:most|hand|side)?\b)|\bright(?=(?:most|hand|side)?\b)"
    r"(?! (?:after|past|behind|in front|inside|outside|next|there|here|where|above|below)\b)",
    re.IGNORECASE,
)
"""The words for sides; but not "right after the door", which is so on both sides of a mirror."""
_ACROSS = np.arange(VIEWS) // HEADINGS * HEADINGS + -np.arange(VIEWS) % HEADINGS
"""[36] the view that each one becomes: as many headings to the left as it was to the right."""
_SINE_OF_TURN = ORIENTATION_SIZE // 4
"""So many numbers of an action's orientation, the first ones, change their sign."""


@lru_cache(maxsize=1 << 16)
def mirrored_words(text: str) -> str:
    """A text with its sides exchanged: "turn left" for "turn right"."""
    return _SIDE.sub(lambda side: "left" if side[0].lower() == "right" else "right", text)


def in_mirror(seed: int, iteration: int, place: Ints) -> NDArray[np.bool_]:
    """[B] which episodes of an iteration's batch are mirrored: half of them; addressed by their places."""
    return uniforms(seed, "mirror", iteration, place) < 0.5


class Mirror:
    """What B agents see and read, of whom some look into a mirror.

    Attributes:
        looks: [B] who does.
    """

    def __init__(self, looks: NDArray[np.bool_]) -> None:
        self.looks = looks
        across = np.where(looks[:, None], _ACROSS, np.arange(VIEWS))
        self._views = torch.from_numpy(across + VIEWS * np.arange(len(looks))[:, None])
        stop = np.full((len(looks), 1), VIEWS)
        self._slot = torch.from_numpy(np.hstack([across, stop]))

    def texts(self, agents: Ints, texts: Sequence[str]) -> list[str]:
        """What n of the agents read."""
        return [
            mirrored_words(text) if looks else text
            for text, looks in zip(texts, self.looks[agents], strict=True)
        ]

    def sight(self, sight: Sight) -> Sight:
        """What all of them see."""
        device = sight.views.device
        views, slot = self._views.to(device), self._slot.to(device)
        side = torch.from_numpy(np.where(self.looks, -1.0, 1.0).astype(np.float32)).to(device)
        actions = sight.actions.clone()
        turn = actions.shape[-1] - ORIENTATION_SIZE
        actions[..., turn : turn + _SINE_OF_TURN] *= side[:, None, None]
        return replace(
            sight,
            views=_reordered(sight.views, views),
            target=_reordered(sight.target, views),
            similarity=torch.gather(sight.similarity, 1, slot[:, :VIEWS]),
            actions=actions,
            slot=torch.gather(slot, 1, sight.slot),
        )

    def select(self, rows: Ints) -> "Mirror":
        """The same for these agents only."""
        return Mirror(self.looks[rows])


def _reordered(panoramas: Tensor, views: Tensor) -> Tensor:
    """[B, 36, D] with the views in another order, given as rows of all views of all agents."""
    return panoramas.flatten(0, 1).index_select(0, views.flatten()).view(panoramas.shape)
