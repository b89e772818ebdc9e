"""Texts as networks take them in: no padding is computed, and a text is encoded once, whoever reads it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from helpanna.agents.senses import Ints
from helpanna.tasks.vocabulary import MAX_WORDS

CHUNK = 16
"""Texts encoded side by side by agents that act."""
_LIMIT = 2000

Encode = Callable[["Texts"], tuple[Tensor, Tensor]]
"""What networks make of n texts: two tables [N, n, L, H], keys and values of an attention to words."""


@dataclass(frozen=True, eq=False)
class Texts:
    """n texts of W words in all, written one after the other so that no padding is computed.

    Attributes:
        words: [W] word indices.
        position: [W] each word's place in its text.
        place: [W] each word's place in the table [n * L].
        exists: [n, 50] which places of the table, widened to 50, have a word.
        width: L, the longest text's length.
    """

    words: Tensor
    position: Tensor
    place: Tensor
    exists: Tensor
    width: int

    @staticmethod
    def packed(tokens: Ints, length: Ints, device: torch.device) -> "Texts":
        """Only the words that exist."""
        return Texts._of(tokens, length, device, int(length.max()), packed=True)

    @staticmethod
    def padded(tokens: Ints, length: Ints, device: torch.device) -> "Texts":
        """All places, so that texts of any length have one shape, and their result is one."""
        return Texts._of(tokens, length, device, MAX_WORDS, packed=False)

    @staticmethod
    def _of(tokens: Ints, length: Ints, device: torch.device, width: int, packed: bool) -> "Texts":
        table = torch.from_numpy(tokens[:, :width]).to(device)
        positions = torch.arange(MAX_WORDS, device=device)
        exists = positions < torch.from_numpy(length).to(device)[:, None]
        kept = exists[:, :width] if packed else torch.ones_like(exists[:, :width])
        place = kept.flatten().nonzero().squeeze(1)
        return Texts(table.flatten()[place], place % width, place, exists, width)

    def spread(self, x: Tensor) -> Tensor:
        """[N, W, size] to the table [N, n, L, size], zeros where there is no word."""
        n, size = len(x), x.shape[-1]
        if len(self.place) == len(self.exists) * self.width:
            return x.view(n, len(self.exists), self.width, size)
        table = x.new_zeros(n, len(self.exists) * self.width, size)
        return table.index_copy(1, self.place, x).view(n, len(self.exists), self.width, size)

    def gather(self, table: Tensor) -> Tensor:
        """[N, n, L, size] to [N, W, size]."""
        return table.flatten(1, 2)[:, self.place]


class Library:
    """Texts as networks encode them; each is encoded once, whoever reads it, and known by its words.

    With a `chunk`, texts are encoded in groups of that size, all padded to the same length: then all products
    have one shape, and the encoding of a text never depends on the texts beside it.
    """

    def __init__(self, encode: Encode, chunk: int | None = None) -> None:
        self._encode, self._chunk = encode, chunk
        self._books: dict[bytes, tuple[Tensor, Tensor]] = {}

    def lookup(self, tokens: Tensor, length: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Keys and values [N, n, L, H] of n texts, and [n, 50] which words exist.

        L is the length of the longest of them, or with a `chunk` always 50.

        Args:
            tokens: [n, 50] word indices.
            length: [n] numbers of words.
        """
        words, lengths = tokens.cpu().numpy(), length.cpu().numpy()
        titles = [row[:size].tobytes() for row, size in zip(words, lengths, strict=True)]
        place = {title: i for i, title in enumerate(titles)}
        missing = [title for title in place if title not in self._books]
        if self._chunk and len(self._books) > _LIMIT:
            self._books.clear()
            missing = list(place)
        together = self._chunk or max(len(missing), 1)
        for first in range(0, len(missing), together):
            new = missing[first : first + together]
            self._add(new, np.array([place[title] for title in new]), words, lengths, tokens.device)
        width = MAX_WORDS if self._chunk else int(lengths.max())
        keys, values = zip(*(self._books[title] for title in titles), strict=True)
        exists = torch.arange(MAX_WORDS, device=tokens.device) < length[:, None]
        return _table(keys, width), _table(values, width), exists

    def _add(self, new: list[bytes], rows: Ints, words: Ints, lengths: Ints, device: torch.device) -> None:
        if self._chunk is None:
            texts = Texts.packed(words[rows], lengths[rows], device)
        else:
            group = np.resize(rows, self._chunk)
            texts = Texts.padded(words[group], lengths[group], device)
        keys, values = self._encode(texts)
        self._books.update(zip(new, zip(keys.unbind(1), values.unbind(1), strict=True), strict=False))


class Shelf:
    """The library of networks that act: it lasts as long as their weights stay as they are."""

    def __init__(self) -> None:
        self._library: Library | None = None
        self._weights: tuple[object, ...] = ()

    def library(self, networks: nn.Module, encode: Encode) -> Library:
        """For learning an empty one, in which texts are packed; for acting the one that lasts."""
        if torch.is_grad_enabled():
            return Library(encode)
        weights = tuple((p._version, p.dtype, p.device) for p in networks.parameters())
        if self._library is None or weights != self._weights:
            self._library, self._weights = Library(encode, CHUNK), weights
        return self._library


def _table(texts: Sequence[Tensor], width: int) -> Tensor:
    """[N, n, width, H] of texts [N, L, H], each with a length L of its own."""
    return torch.stack([_of_width(text, width) for text in texts], dim=1)


def _of_width(text: Tensor, width: int) -> Tensor:
    missing = width - text.shape[1]
    return functional.pad(text, (0, 0, 0, missing)) if missing > 0 else text[:, :width]
