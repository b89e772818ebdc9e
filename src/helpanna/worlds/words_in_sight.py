"""Words in sight: which words name something that a view shows.

Whoever follows an instruction looks for the things it names. Each view has a set of words (stems, see
`content_words`), stored as bits; `words_of_views.py` says where they come from.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from helpanna.worlds.content_words import content_words

NO_WORD = -1

_THING = "{} (thing)"


def thing_word(word: str) -> str:
    """How the list writes a word that is in sight only where an annotated object has it in its name."""
    return _THING.format(word)


@dataclass(frozen=True, eq=False)
class WordsInSight:
    """The words that the views of an atlas show.

    Attributes:
        bits: [N, 36, ceil(W / 8)] packed: bit w of a view, the lowest of each byte first, says whether it
            shows word w.
        read: gives the W words; called once, when somebody asks.
    """

    bits: NDArray[np.uint8]
    read: Callable[[], Sequence[str]]

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words, sorted."""
        return tuple(self.read())

    @cached_property
    def _index(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.words)}

    def ids(self, words: Iterable[str]) -> list[int]:
        """Which of the words each of these is, `NO_WORD` if none."""
        stems = ((*content_words(word), "")[0] for word in words)
        return [self._index.get(stem, NO_WORD) for stem in stems]

    def thing_ids(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """The same words as names of annotated objects alone, `NO_WORD` where no object is called so.

        A caption may speak of a table in the next room; an object is in sight where one could point at it.
        """
        return self._things[ids]

    @cached_property
    def _things(self) -> NDArray[np.int64]:
        """[W + 1] of each word, and last of no word."""
        things = [self._index.get(thing_word(word), NO_WORD) for word in self.words]
        return np.array([*things, NO_WORD], dtype=np.int64)

    def match(self, location: NDArray[np.int64], ids: NDArray[np.int64]) -> NDArray[np.bool_]:
        """[B, 36, L] whether each view of B locations shows each of the words [B, L] asked for there."""
        views = np.arange(self.bits.shape[1])[:, None]
        return _shown(self.bits, (location[:, None, None], views), ids[:, None, :])

    def match_view(
        self, location: NDArray[np.int64], view: NDArray[np.int64], ids: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """[B, L] whether one view [B] of B locations shows each of the words [B, L] asked for there."""
        return _shown(self.bits, (location[:, None], view[:, None]), ids)

    def match_anywhere(self, location: NDArray[np.int64], ids: NDArray[np.int64]) -> NDArray[np.bool_]:
        """[B, L] whether any view of B locations shows each of the words [B, L] asked for there."""
        return _shown(self._anywhere, (location[:, None],), ids)

    @cached_property
    def _anywhere(self) -> NDArray[np.uint8]:
        """[locations, bytes] the words of all views of a location."""
        return np.bitwise_or.reduce(self.bits, axis=1)

    def of(self, location: int, view: int) -> list[str]:
        """The words that one view shows."""
        shown = np.unpackbits(self.bits[location, view], bitorder="little")[: len(self.words)]
        return [self.words[w] for w in np.flatnonzero(shown)]


def _shown(
    bits: NDArray[np.uint8], at: tuple[NDArray[np.int64], ...], ids: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Whether sets of words [..., bytes], picked by all indices but the last, hold the words asked for."""
    if not bits.shape[-1]:  # there are no words at all
        return np.zeros(np.broadcast_shapes(*(index.shape for index in at), ids.shape), dtype=bool)
    wanted = np.maximum(ids, 0)
    bit = np.where(ids == NO_WORD, 0, 1 << (wanted & 7)).astype(np.uint8)
    return (bits[(*at, wanted >> 3)] & bit) != 0
