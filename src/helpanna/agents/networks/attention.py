"""The building blocks of the paper's appendix, "Modules", each for N networks side by side.

Vectors of B agents have the shape [N, B, size]: N networks (navigation and help request) compute the same
equations with weights of their own.
"""

import math

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from helpanna.agents.networks.fast import Linear, new_memory
from helpanna.agents.networks.plain import Memory, plainly

_EVEN = 4
"""Vectors of a multiple of so many numbers all begin at like places in memory. The last bits of products of
others depend on where in a batch they are: agents that act fill them up with zeros."""


class Dropout(nn.Module):
    """Dropout whose masks come from a generator that is given again for every iteration.

    A random byte decides about a number: the ratio is a multiple of 1/256, and masks cost little.
    """

    def __init__(self, ratio: float) -> None:
        super().__init__()
        self.dropped = round(ratio * 256)
        self._factor = np.zeros(256, dtype=np.float32)  # what each byte makes of a number
        self._factor[self.dropped :] = 256 / (256 - self.dropped)
        self.generator: np.random.Generator | None = None

    def forward(self, x: Tensor) -> Tensor:
        """Some numbers become zero, the others grow, so that the mean stays; in training only."""
        if not self.training or self.dropped == 0 or self.generator is None:
            return x
        eights = self.generator.bit_generator.random_raw(-(-x.numel() // 8))
        factor = torch.from_numpy(self._factor.take(eights.view(np.uint8)[: x.numel()]))
        return x * factor.to(x.device).view(x.shape)


def reseed(module: nn.Module, generator: np.random.Generator) -> None:
    """All dropout masks of a module are drawn from this generator from now on."""
    for part in module.modules():
        if isinstance(part, Dropout):
            part.generator = generator


class LayerNorm(nn.Module):
    """Layer normalisation, with a scale and a shift for every network."""

    def __init__(self, networks: int, size: int) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(networks, 1, size))
        self.shift = nn.Parameter(torch.zeros(networks, 1, size))

    def forward(self, x: Tensor) -> Tensor:
        """[N, B, size] to the same."""
        if len(x) == 1:
            return functional.layer_norm(x, x.shape[-1:], self.scale.view(-1), self.shift.view(-1))
        return torch.addcmul(self.shift, functional.layer_norm(x, x.shape[-1:]), self.scale)


class MultiAttend(nn.Module):
    """MultiAttend(q, K, V): multi-headed attention, residual connection, layer normalisation.

    Keys and values are projected when they are stored, not each time they are attended to.
    """

    def __init__(self, networks: int, size: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.query = Linear(networks, size, size)
        self.key = Linear(networks, size, size)
        self.value = Linear(networks, size, size)
        self.out = Linear(networks, size, size)
        self.dropout = Dropout(dropout)
        self.norm = LayerNorm(networks, size)

    def begin(self, entry: Tensor, capacity: int) -> Memory:
        """A memory whose first entry is this pair of input and output [N, B, size]."""
        return new_memory(self.key(entry), self.value(entry), capacity, self.heads)

    def remember(self, memory: Memory, entry_in: Tensor, entry_out: Tensor) -> None:
        """Appends an input to the keys and an output to the values."""
        memory.append(self.key(entry_in), self.value(entry_out))

    def forward(self, q: Tensor, memory: Memory, exists: Tensor) -> Tensor:
        """What the memory holds for the queries [N, B, size]; exists [B, S] says which entries there are."""
        attended = memory.attend(self.query(q), exists)
        return self.norm(q + self.dropout(self.out(attended)))

    def weights(self, q: Tensor, memory: Memory, exists: Tensor) -> Tensor:
        """[N, B, S] how much of each entry is taken, the mean over the heads."""
        return memory.weights(self.query(q), exists).mean(dim=2)


class FFN(nn.Module):
    """FFN(x): a hidden layer four times as wide, ReLU, residual connection, layer normalisation."""

    def __init__(self, networks: int, size: int, dropout: float) -> None:
        super().__init__()
        self.wide = Linear(networks, size, 4 * size)
        self.narrow = Linear(networks, 4 * size, size)
        self.dropout = Dropout(dropout)
        self.norm = LayerNorm(networks, size)

    def forward(self, x: Tensor) -> Tensor:
        """[N, B, size] to the same."""
        return self.norm(x + self.dropout(self.narrow(torch.relu(self.wide(x)))))


class DotAttend(nn.Module):
    """DotAttend(q, M): score_i = (W_q q) . (W_m M_i), softmax, weighted sum of the raw M_i.

    (W_q q) . (W_m m) = (W_m^T W_q q) . m: the query is brought to the vectors, not the 36 vectors to it.
    """

    def __init__(self, networks: int, query_size: int, memory_size: int, size: int) -> None:
        super().__init__()
        self.query = Linear(networks, query_size, size, bias=False)
        self.memory = Linear(networks, memory_size, size, bias=False)

    def forward(self, q: Tensor, memory: Tensor) -> Tensor:
        """[N, B, query_size] and one memory [B, M, memory_size] for all networks: [N, B, memory_size]."""
        if plainly():
            projected = torch.einsum("bmd,ndk->nbmk", memory, self.memory.weight)
            scores = torch.einsum("nbk,nbmk->nbm", self.query(q), projected)
            return torch.einsum("nbm,bmd->nbd", torch.softmax(scores, dim=-1), memory)
        query = self.memory.transposed(self.query(q)).transpose(0, 1)  # [B, N, memory_size]
        size = memory.shape[-1]
        if size % _EVEN and not torch.is_grad_enabled():
            query, memory = (functional.pad(x, (0, -size % _EVEN)) for x in (query, memory))
        weights = torch.softmax(torch.bmm(query, memory.transpose(1, 2)), dim=-1)  # [B, N, M]
        return torch.bmm(weights, memory)[..., :size].transpose(0, 1)


class IncTime(nn.Module):
    """IncTime(x) = LayerNorm(x + ReLU(Linear(x))); a linear short cut where the sizes differ."""

    def __init__(self, networks: int, inputs: int, size: int) -> None:
        super().__init__()
        self.linear = Linear(networks, inputs, size)
        self.shortcut = None if inputs == size else Linear(networks, inputs, size)
        self.norm = LayerNorm(networks, size)

    def forward(self, x: Tensor) -> Tensor:
        """[N, B, inputs] to [N, B, size]."""
        past = x if self.shortcut is None else self.shortcut(x)
        return self.norm(past + torch.relu(self.linear(x)))


class WordEmbedding(nn.Embedding):
    """The embeddings of words for N networks, one network's below the other's."""

    def __init__(self, networks: int, words: int, size: int) -> None:
        super().__init__(networks * words, size)
        self.register_buffer("first", torch.arange(networks).unsqueeze(1) * words, persistent=False)
        self.first: Tensor

    def forward(self, words: Tensor) -> Tensor:
        """[W] to [N, W, size]."""
        return super().forward(self.first + words)


def dots(q: Tensor, vectors: Tensor) -> Tensor:
    """[B, M] the scalar products of a query [B, size] with M vectors [B, M, size].

    For learning the query is a row: forward and back this is many times as fast. But the last bits of such a
    product depend on where it lies in memory; for acting the query is a column, and they do not.
    """
    if not torch.is_grad_enabled():
        return torch.bmm(vectors, q.unsqueeze(-1)).squeeze(-1)
    return torch.bmm(q.unsqueeze(1), vectors.transpose(1, 2)).squeeze(1)


def sinusoids(length: int, size: int) -> Tensor:
    """[length, size] the sinusoid encoding of positions, of the Transformer."""
    rate = torch.exp(torch.arange(0, size, 2) * (-math.log(10000.0) / size))
    angle = torch.arange(length).unsqueeze(1) * rate
    return torch.stack([angle.sin(), angle.cos()], dim=-1).view(length, size)
