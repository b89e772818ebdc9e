"""A memory of ordinary tensors: the equations as they stand, with gradients left to autograd.

`fast/` computes the same numbers several times as fast. With HELPANNA_PLAIN=1 in the environment this is
used instead: to read, to debug, to compare.
"""

import os
from collections.abc import Sequence
from copy import copy

import torch
from torch import Tensor
from torch.nn import functional

SIMILAR = 0.9
"""Cosine similarity above which SimAttend takes two situations for the same."""


def plainly() -> bool:
    """Whether HELPANNA_PLAIN asks for ordinary tensors."""
    return os.environ.get("HELPANNA_PLAIN") == "1"


class Memory:
    """Keys and values [N, B, S, size] of N networks and B agents, attended to with some heads.

    Attributes:
        size: S, how many entries there are.
    """

    size: int

    def __init__(self, keys: Tensor, values: Tensor, capacity: int, heads: int = 1) -> None:
        """Begins with one entry [N, B, size]."""
        self._heads = heads
        self._keys, self._values = keys.unsqueeze(2), values.unsqueeze(2)
        self._capacity, self.size = capacity, 1

    def append(self, key: Tensor, value: Tensor) -> None:
        """Remembers one more entry [N, B, size]."""
        self._keys = torch.cat([self._keys, key.unsqueeze(2)], dim=2)
        self._values = torch.cat([self._values, value.unsqueeze(2)], dim=2)
        self.size += 1

    def replace(self, rows: Tensor, keys: Tensor, values: Tensor) -> None:
        """These agents' entries become others: [N, rows, S, size], S of any length up to the capacity."""
        self._keys = self._wide(self._keys).index_copy(1, rows, self._wide(keys))
        self._values = self._wide(self._values).index_copy(1, rows, self._wide(values))
        self.size = self._capacity

    def select(self, rows: Tensor) -> "Memory":
        """The memory of these agents only."""
        chosen = copy(self)
        chosen._keys, chosen._values = self._keys[:, rows], self._values[:, rows]
        return chosen

    @staticmethod
    def join(memories: "Sequence[Memory]") -> "Memory":
        """The memory of all agents of some memories of equal size."""
        joined = copy(memories[0])
        joined._keys = torch.cat([memory._keys for memory in memories], dim=1)
        joined._values = torch.cat([memory._values for memory in memories], dim=1)
        return joined

    def _wide(self, entries: Tensor) -> Tensor:
        return functional.pad(entries, (0, 0, 0, self._capacity - entries.shape[2]))

    def attend(self, q: Tensor, exists: Tensor) -> Tensor:
        """Multi-headed attention of one query an agent, [N, B, size], to the entries that exist [B, S].

        softmax(q K^T / sqrt(d)) V for each head, of size d.
        """
        values = self._by_head(self._values)[..., : exists.shape[1], :]
        return torch.einsum("nbhs,nbhsd->nbhd", self.weights(q, exists), values).reshape(q.shape)

    def weights(self, q: Tensor, exists: Tensor) -> Tensor:
        """[N, B, heads, S] how much each head of `attend` takes of each entry."""
        return attention_weights(q.reshape(*q.shape[:2], self._heads, -1), self._by_head(self._keys), exists)

    def _by_head(self, entries: Tensor) -> Tensor:
        """[N, B, S, size] to [N, B, heads, S, d]."""
        return entries.reshape(*entries.shape[:3], self._heads, -1).transpose(2, 3)

    def similar(self, q: Tensor, exists: Tensor) -> Tensor:
        """SimAttend(q, K, V) [N, B, size]; queries and keys have length one.

        The average of the values whose keys are nearly equal to the query: the weights are the cosines above
        0.9, divided by their sum; with no such key the result is zero.
        """
        entries = exists.shape[1]
        cosine = torch.einsum("nbd,nbsd->nbs", q, self._keys[:, :, :entries])
        weights = cosine * ((cosine > SIMILAR) & exists)
        weights = weights / weights.sum(dim=-1, keepdim=True).clamp(min=SIMILAR)
        return torch.einsum("nbs,nbsd->nbd", weights, self._values[:, :, :entries])


def attention_weights(q: Tensor, keys: Tensor, exists: Tensor) -> Tensor:
    """softmax(q K^T / sqrt(d)) [N, B, heads, S] over the first S keys, those that exist [B, S].

    Args:
        q: [N, B, heads, d].
        keys: [N, B, heads, capacity, d].
        exists: [B, S].
    """
    scores = torch.einsum("nbhd,nbhsd->nbhs", q, keys[..., : exists.shape[1], :]) * q.shape[-1] ** -0.5
    return torch.softmax(scores.masked_fill(~exists[:, None], -torch.inf), dim=-1)
