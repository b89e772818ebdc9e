"""Texts by number: the split's own, and what assistants say in words of their own.

Texts are compared by number wherever "the same instruction" is meant, so within a batch of episodes one text
has one number: what an assistant says has that of the split's text in the same words in the same building, if
there is one, else a number of its own from `OWN_WORDS` on.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from helpanna.tasks.split import Split

Ints = NDArray[np.int64]

OWN_WORDS = 2**30
"""The number of the first text in an assistant's own words; those of a split are far below."""


class Texts:
    """Numbers what is said in a batch of episodes.

    Attributes:
        said: the texts of the numbers from `OWN_WORDS` on.
    """

    def __init__(self, split: Split) -> None:
        self._split = split
        self._numbers: dict[str, int] = {}
        self.said: list[str] = []

    def number(self, world: int, words: str) -> int:
        """The number of what is said in a building."""
        stored = self._split.text_numbers.get((world, words))
        if stored is not None:
            return stored
        number = self._numbers.setdefault(words, OWN_WORDS + len(self.said))
        if number == OWN_WORDS + len(self.said):
            self.said.append(words)
        return number


def words_of(split: Split, said: Sequence[str], text: int) -> str:
    """The words of a text by its number."""
    return said[text - OWN_WORDS] if text >= OWN_WORDS else split.texts[text]


def in_order_of_use(instruction: Ints, text: Ints, said: Sequence[str]) -> tuple[Ints, Ints, tuple[str, ...]]:
    """The same episodes with own words numbered as they are first said, episode by episode.

    So the numbers do not depend on which episodes ran side by side, nor on who spoke first.

    Args:
        instruction: [B, T] the texts that were given.
        text: [B, T] the current ones, each of them given earlier in the episode, or the split's.
        said: the texts of the numbers from `OWN_WORDS` on, all different.
    """
    if not len(said):
        return instruction, text, ()
    used, first = np.unique(instruction[instruction >= OWN_WORDS], return_index=True)
    order = used[np.argsort(first)] - OWN_WORDS
    new = np.zeros(len(said), dtype=np.int64)
    new[order] = OWN_WORDS + np.arange(len(order))
    renumbered = [
        np.where(column >= OWN_WORDS, new[np.maximum(column - OWN_WORDS, 0)], column)
        for column in (instruction, text)
    ]
    return renumbered[0], renumbered[1], tuple(said[i] for i in order.tolist())
