"""Scores for the places of many maps, each computed in a shape that follows from that map alone.

The last bits of a matrix product depend on the shape of the matrices. So maps are computed with others of
about their size, in blocks of one shape for each size, filled up with copies; texts in groups of one shape.
Then no result depends on the batch.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import cycle, islice

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from helpanna.agents.mapping.network import Choices, MapNetwork, Places, hiding
from helpanna.agents.mapping.survey import Survey
from helpanna.tasks.vocabulary import MAX_WORDS, Vocabulary
from helpanna.worlds.geometry import SLOTS

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

BLOCK = 32
"""Maps computed side by side."""
GROUP = 16
"""Texts encoded side by side."""

_SMALLEST = 16
_KEPT = 2048
"""Texts that are remembered."""


def room_for(places: Ints) -> Ints:
    """The shape in which a map is computed: the next of 16, 24, 32, 48, 64, 96 ... places."""
    power = np.int64(_SMALLEST) << np.ceil(np.log2(np.maximum(places, _SMALLEST) / _SMALLEST)).astype(
        np.int64
    )
    smaller = power * 3 // 4
    return np.where((smaller >= places) & (power > _SMALLEST), smaller, power)


def blocks_of(survey: Survey, block: int) -> Iterator[tuple[Ints, int]]:
    """The maps of each size, in blocks: their rows, and the number of places they have room for."""
    room = room_for(survey.places())
    for size in np.unique(room).tolist():
        rows = np.flatnonzero(room == size)
        for first in range(0, len(rows), block):
            yield rows[first : first + block], size


@dataclass(frozen=True, eq=False)
class Preferences:
    """What B agents would rather do.

    Attributes:
        log_place: [B, P] the logarithm of the probability of each place, -inf where there is none.
        log_ask: [B, 2] of do_nothing and request_help.
        ask: [B] the probability of request_help.
        entropy: [B] of the distribution over places, in base 37 as for the paper's agents.
        reasons: [B, 3] the predicted probabilities of lost, uncertain_wrong and never_asked.
        attention: [B, 50] to the words of the text, see `Choices`; zeros where the network does not say.
    """

    log_place: Floats
    log_ask: Floats
    ask: Floats
    entropy: Floats
    reasons: Floats
    attention: Floats

    @staticmethod
    def nothing(agents: int, places: int) -> "Preferences":
        """To be filled in."""
        log_place = np.full((agents, places), -np.inf, dtype=np.float32)
        shapes = ((agents, 2), (agents,), (agents,), (agents, 3), (agents, MAX_WORDS))
        return Preferences(log_place, *(np.zeros(shape, dtype=np.float32) for shape in shapes))

    def put(self, agents: Ints, choices: Choices, places: int) -> None:
        """What the network says of these agents: the first rows of a block.

        All is computed for the whole block: even exp() differs in its last bit with an array's shape.
        """
        log_p = choices.log_place
        p = log_p.exp()
        entropy = -(p * log_p.masked_fill(p == 0, 0)).sum(dim=-1) / np.log(SLOTS)
        columns = (log_p[:, :places], choices.log_ask, choices.log_ask.exp()[:, 1], entropy)
        tables = (self.log_place[:, :places], self.log_ask, self.ask, self.entropy, self.reasons)
        for table, column in zip(tables, (*columns, choices.reasons.sigmoid()), strict=True):
            table[agents] = column[: len(agents)].cpu().numpy()
        if choices.attention is not None:
            self.attention[agents] = choices.attention[: len(agents)].cpu().numpy()


class Chooser:
    """A network that acts: what it makes of surveys, whatever the batch.

    It keeps the texts that it has read; make a new one when the network has changed.

    Attributes:
        filled: whether blocks are filled up; in training, where the batch is always the same, that is waste.
    """

    def __init__(
        self, network: MapNetwork, vocabulary: Vocabulary, device: torch.device, filled: bool = True
    ) -> None:
        self._network, self._vocabulary, self._device, self.filled = network, vocabulary, device, filled
        self._rows: dict[str, int] = {}
        self._read = torch.zeros(0, device=device)  # [rows, layers, 50, 2 H] the texts, one a row
        self._length = torch.zeros(0, dtype=torch.long, device=device)

    def choose(self, survey: Survey, active: NDArray[np.bool_]) -> Preferences:
        """What the agents would rather do; rows of finished episodes mean nothing."""
        width = survey.exists.shape[1]
        found = Preferences.nothing(len(survey), width)
        acting = np.flatnonzero(active)
        part = survey.select(acting, width)
        for rows, room in blocks_of(part, BLOCK):
            block = np.resize(rows, BLOCK) if self.filled else rows
            words, hidden = self._words(part.text[block].tolist())
            with torch.no_grad():
                choices = self._network(places_of(part.select(block, room), self._device), words, hidden)
            found.put(acting[rows], choices, min(room, width))
        return found

    def _words(self, texts: Sequence[str]) -> tuple[Tensor, Tensor]:
        """See `MapNetwork.encode`; there is room for any text, in training for the longest of these."""
        if len(self._rows) > _KEPT:
            self._rows.clear()
        new = [text for text in dict.fromkeys(texts) if text not in self._rows]
        for first in range(0, len(new), GROUP):
            self._encode(new[first : first + GROUP])
        rows = torch.tensor([self._rows[text] for text in texts], device=self._device)
        length = self._length[rows]
        room = MAX_WORDS if self.filled else max(int(length.max()), 1)
        words = self._read[:, :, :room].index_select(0, rows)
        return words, hiding(torch.arange(room, device=self._device) < length[:, None])[:, None, None]

    def _encode(self, new: Sequence[str]) -> None:
        group = list(islice(cycle(new), GROUP)) if self.filled else list(new)
        tokens, length = (torch.from_numpy(x).to(self._device) for x in self._vocabulary.tokens(group))
        if not self.filled:
            tokens = tokens[:, : int(length.max())]
        with torch.no_grad():
            words, _ = self._network.encode(tokens, length)
        first = len(self._rows)
        self._make_room(first + len(new), words)
        for row, text in enumerate(new):
            count = int(length[row])
            self._rows[text] = first + row
            self._length[first + row] = count
            self._read[first + row, :, :count] = words[row, :, :count]
            self._read[first + row, :, count:] = 0

    def _make_room(self, rows: int, like: Tensor) -> None:
        """Room for this many texts of the shape [layers, L, 2 H]."""
        if rows <= len(self._read):
            return
        _, layers, _, size = like.shape
        more = max(rows, 2 * len(self._read))
        read, length = self._read, self._length
        self._read, self._length = like.new_zeros(more, layers, MAX_WORDS, size), length.new_zeros(more)
        if len(read):
            self._read[: len(read)], self._length[: len(length)] = read, length


def places_of(survey: Survey, device: torch.device) -> Places:
    """A survey as tensors."""
    return Places(**{f.name: torch.from_numpy(getattr(survey, f.name)).to(device) for f in fields(Places)})
