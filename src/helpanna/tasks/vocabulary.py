"""Texts as numbers: the words that a learner knows, and the word ids of a text."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from helpanna.tasks.words import vocabulary, words

MAX_WORDS = 50
PADDING, UNKNOWN = 0, 1

Ints = NDArray[np.int64]


class Vocabulary:
    """The words that an agent knows; all others are one unknown word."""

    def __init__(self, known: Sequence[str]) -> None:
        self.words = tuple(known)
        self._index: Mapping[str, int] = {word: i for i, word in enumerate(known, start=UNKNOWN + 1)}

    @staticmethod
    def of(texts: Iterable[str]) -> "Vocabulary":
        """All words of these texts, in alphabetical order."""
        return Vocabulary(sorted(vocabulary(texts)))

    def __len__(self) -> int:
        return len(self.words) + UNKNOWN + 1

    def tokens(self, texts: Sequence[str]) -> tuple[Ints, Ints]:
        """[n, 50] word indices of n texts, padded, and [n] their lengths.

        A text without words counts as one padding word, for there must be something to attend to.
        """
        read = [[self._index.get(word, UNKNOWN) for word in words(text)][:MAX_WORDS] for text in texts]
        table = np.full((len(read), MAX_WORDS), PADDING, dtype=np.int64)
        length = np.ones(len(read), dtype=np.int64)
        for row, text in enumerate(read):
            table[row, : len(text)] = text
            length[row] = max(len(text), 1)
        return table, length
