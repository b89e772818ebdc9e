"""Captions: what is said of the pictures of a location, in words.

They are an atlas's sight in words: for people to read, for narrators and language models, and the source of
view features (`caption_features.py`). Each location has 24: eight headings, 45 degrees apart, at the three
elevations of the views.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from helpanna.worlds.geometry import ELEVATIONS, HEADINGS

CAPTION_HEADINGS = 8
CAPTIONS_SHAPE = (ELEVATIONS, CAPTION_HEADINGS)
"""The captions of a location."""


@dataclass(frozen=True, eq=False)
class Captions:
    """The captions of all locations of an atlas.

    Attributes:
        index: [N, 3, 8] which of `texts` is said of each elevation, from below, and each heading.
        read: gives the texts; called once, when somebody reads.
    """

    index: NDArray[np.int32]
    read: Callable[[], Sequence[str]]

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """All different captions, sorted."""
        return tuple(self.read())

    def of(self, location: int) -> tuple[tuple[str, ...], ...]:
        """[3][8]: what is said of a location, by elevation and heading."""
        return tuple(tuple(self.texts[i] for i in row) for row in self.index[location].tolist())


def heading_shares() -> NDArray[np.float32]:
    """[12, 8]: how much of each caption belongs to each of the views' headings; linear in the angle."""
    views, captions = np.arange(HEADINGS) / HEADINGS, np.arange(CAPTION_HEADINGS) / CAPTION_HEADINGS
    apart = np.abs((views[:, None] - captions + 0.5) % 1 - 0.5)
    return np.maximum(1 - apart * CAPTION_HEADINGS, 0).astype(np.float32)
