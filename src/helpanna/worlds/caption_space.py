"""Captions as numbers: which words they have, or what a sentence encoder makes of them; then fewer numbers.

A caption is first a long vector. Either it says which of the known words the caption has, rare ones weighing
more (inverse document frequency), with length one; or it is what a sentence encoder gives (`sentences.py`).
The mean is taken off, and the directions in which captions differ most are kept.

All of that is fitted to the captions of some buildings, the training ones, and is written down as the `space`
of the features, so that other buildings can be described in the same numbers. It holds the words and the
directions, no caption.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from helpanna.errors import InputError
from helpanna.worlds.captions import Captions
from helpanna.worlds.content_words import content_words
from helpanna.worlds.directions import principal_directions
from helpanna.worlds.packed import Halves, pack, unpack
from helpanna.worlds.sentences import PACKAGE, encode_sentences
from helpanna.worlds.sentences import SIZE as SENTENCE_SIZE

KIND = "captions"
EncoderName = Literal["words", "minilm"]

_DIRECTIONS = 256
_OFTEN = 25
"""A word is known if at least this many captions of the fitted buildings have it."""

Progress = Callable[[int, int], None]

_NO_WORDS: tuple[tuple[str, ...], Halves] = (), np.zeros(0, dtype=np.float16)


@dataclass(frozen=True, eq=False)
class CaptionSpace:
    """What the numbers of caption features mean.

    Attributes:
        encoder: which long vectors captions are, "words" or "minilm".
        words: [E] of the words encoder: which words they stand for.
        weights: [E] how much each word weighs.
        centre: [E] the mean that is taken off.
        directions: [E, D] the columns that are kept.
    """

    encoder: EncoderName
    words: tuple[str, ...]
    weights: Halves
    centre: Halves
    directions: Halves

    @property
    def size(self) -> int:
        """D, the numbers a caption."""
        return int(self.directions.shape[1])

    @staticmethod
    def fit(
        captions: Captions,
        locations: NDArray[np.int64],
        encoder: EncoderName,
        on_progress: Progress | None = None,
    ) -> "CaptionSpace":
        """The space that describes the captions of these locations best.

        Args:
            captions: all captions.
            locations: the locations whose captions are looked at.
            encoder: which long vectors captions shall be.
            on_progress: told of the sentences encoded.
        """
        count = np.bincount(captions.index[locations].ravel(), minlength=len(captions.texts))
        words, weights = _choose_words(captions.texts, count) if encoder == "words" else _NO_WORDS
        long = _long_vectors(encoder, words, weights, captions.texts, on_progress)
        share = count / count.sum()
        centre = np.asarray(long.T @ share).ravel()
        spread = _second_moment(long, share) - np.outer(centre, centre)
        directions = principal_directions(spread, _DIRECTIONS).astype(np.float16)
        return CaptionSpace(encoder, words, weights, centre.astype(np.float16), directions)

    def encode(self, texts: Sequence[str], on_progress: Progress | None = None) -> NDArray[np.float32]:
        """[n, D] the numbers of captions."""
        long = _long_vectors(self.encoder, self.words, self.weights, texts, on_progress)
        directions = self.directions.astype(np.float32)
        return np.asarray(long @ directions) - self.centre.astype(np.float32) @ directions

    def to_json(self) -> dict[str, Any]:
        """As it is stored with the features."""
        described = {"kind": KIND, "version": 1, "size": self.size, "encoder": self.encoder}
        if self.encoder == "words":
            described |= {"words": list(self.words), "weights": pack(self.weights)}
        else:
            described |= {"package": PACKAGE}
        return described | {"centre": pack(self.centre), "directions": pack(self.directions)}

    @staticmethod
    def from_json(described: Any, whose: str) -> "CaptionSpace":
        """The space that `to_json` wrote; `whose` begins the sentence that refuses another ("these are")."""
        try:
            words = tuple(described.get("words", ()))
            centre = unpack(described["centre"])
            directions = unpack(described["directions"]).reshape(len(centre), -1)
            weights = unpack(described.get("weights", ""))
            space = CaptionSpace(described["encoder"], words, weights, centre, directions)
            sizes = len(words) if space.encoder == "words" else SENTENCE_SIZE, len(words)
            sound = space.encoder in get_args(EncoderName) and sizes == (len(centre), len(weights))
            sound &= all(np.isfinite(part).all() for part in (centre, weights, directions)) and space.size > 0
            if sound and space.to_json() == dict(described):
                return space
        except (AttributeError, KeyError, TypeError, ValueError):
            pass
        raise InputError(f"{whose} not caption features of version 1; name another.")


def _choose_words(texts: Sequence[str], count: NDArray[np.int64]) -> tuple[tuple[str, ...], Halves]:
    """The words that occur often enough, sorted, and their inverse document frequencies."""
    often: dict[str, int] = {}
    for text, times in zip(texts, count.tolist(), strict=True):
        if times:
            for word in set(content_words(text)):
                often[word] = often.get(word, 0) + times
    words = tuple(sorted(word for word, times in often.items() if times >= _OFTEN))
    if not words:
        raise InputError(f"no word is in {_OFTEN} captions of the buildings of --fit-on; name more.")
    times_in_all = np.array([often[word] for word in words])
    return words, np.log(1 + count.sum() / times_in_all).astype(np.float16)


def _long_vectors(
    encoder: EncoderName,
    words: tuple[str, ...],
    weights: Halves,
    texts: Sequence[str],
    on_progress: Progress | None,
) -> csr_matrix | NDArray[np.float32]:
    """[n, E] of length one, or zero where a caption has no known word."""
    if encoder == "minilm":
        return encode_sentences(texts, on_progress=on_progress).astype(np.float32)
    index: Mapping[str, int] = {word: i for i, word in enumerate(words)}
    found = [sorted({index[word] for word in content_words(text) if word in index}) for text in texts]
    starts = np.cumsum([0, *map(len, found)])
    columns = np.array([column for row in found for column in row], dtype=np.int64)
    values = weights.astype(np.float32)[columns]
    rows = np.repeat(np.arange(len(found)), np.diff(starts))
    lengths = np.sqrt(np.bincount(rows, values.astype(np.float64) ** 2, minlength=len(found)))
    values = (values / lengths[rows]).astype(np.float32)
    return csr_matrix((values, columns, starts), shape=(len(found), len(words)))


def _second_moment(long: csr_matrix | NDArray[np.float32], share: NDArray[np.float64]) -> NDArray[np.float64]:
    """[E, E] the mean of the vectors' products with themselves."""
    if isinstance(long, np.ndarray):
        return np.asarray(long.T.astype(np.float64) @ (long * share[:, None]))
    return np.asarray((long.T @ long.multiply(share[:, None])).todense())
