"""Memories that many steps attend to, without copies.

A recurrent network that attends to its past reads a growing memory at every step. Written with ordinary
tensors, each step copies the memory, and the way back adds up as many gradients as there were copies. Here a
memory is one buffer that is written in place, with one buffer beside it that gathers the gradient.

Whatever is done to a memory (append, replace, select, attend) takes the memory's token and gives the next
one. So autograd undoes these operations in exactly the reverse order: when it comes to an entry's `append`,
all that was ever read from the entry has been added to its gradient, and when it comes to a `replace`, the
old entries are put back for the steps before it.
"""

from collections.abc import Sequence
from copy import copy
from typing import Any

import torch
from torch import Tensor

from helpanna.agents.networks.plain import SIMILAR, Memory, attention_weights


class Buffers:
    """What a memory holds, and what has been added up of its gradient.

    Apart from the token, so that the graph does not hold the token that holds the graph: such a ring would
    keep all tensors of an iteration alive until Python looks for rings.

    Attributes:
        keys, values: [N, B, capacity, size].
        used: how many entries of the capacity were ever written.
    """

    def __init__(self, networks: int, agents: int, capacity: int, like: Tensor) -> None:
        self.keys = like.new_zeros(networks, agents, capacity, like.shape[-1])
        self.values = torch.zeros_like(self.keys)
        self.used = 0
        self._gradients: tuple[Tensor, Tensor] | None = None

    def gradients(self) -> tuple[Tensor, Tensor]:
        """The gradients of keys and values."""
        if self._gradients is None:
            self._gradients = torch.zeros_like(self.keys), torch.zeros_like(self.values)
        return self._gradients

    def entries(self, size: int) -> tuple[Tensor, Tensor]:
        """[N * B, S, size] the first S keys and values."""
        return self.keys.flatten(0, 1)[:, :size], self.values.flatten(0, 1)[:, :size]

    def entry_gradients(self, size: int) -> tuple[Tensor, Tensor]:
        """[N * B, S, size] their gradients, to be added to."""
        keys, values = self.gradients()
        return keys.flatten(0, 1)[:, :size], values.flatten(0, 1)[:, :size]

    def of(self, rows: Tensor) -> "Buffers":
        """Buffers of their own for these agents, which hold the same."""
        networks, _, capacity, _ = self.keys.shape
        chosen = Buffers(networks, len(rows), capacity, self.keys)
        chosen.keys[:, :, : self.used] = self.keys[:, rows, : self.used]
        chosen.values[:, :, : self.used] = self.values[:, rows, : self.used]
        chosen.used = self.used
        return chosen

    @staticmethod
    def joined(parts: "Sequence[Buffers]") -> "Buffers":
        """Buffers of all agents of some buffers of equal capacity."""
        whole = copy(parts[0])
        whole.keys = torch.cat([part.keys for part in parts], dim=1)
        whole.values = torch.cat([part.values for part in parts], dim=1)
        whole.used = max(part.used for part in parts)
        return whole

    def grow(self) -> None:
        """Twice the capacity."""
        self.keys = torch.cat([self.keys, torch.zeros_like(self.keys)], dim=2)
        self.values = torch.cat([self.values, torch.zeros_like(self.values)], dim=2)


class Recall(Memory):
    """As `Memory`, in buffers."""

    def __init__(self, keys: Tensor, values: Tensor, capacity: int) -> None:
        """Begins with one entry [N, B, size]."""
        n, b, _ = keys.shape
        self._buffers = Buffers(n, b, capacity, keys.detach())
        self._token = keys.new_zeros((), requires_grad=torch.is_grad_enabled())
        self.size = 0
        self.append(keys, values)

    def append(self, key: Tensor, value: Tensor) -> None:
        """Remembers one more entry [N, B, size]."""
        if self.size == self._buffers.keys.shape[2]:
            self._buffers.grow()
        self._token = _Append.apply(self._token, *self._as_stored(key, value), self._buffers, self.size)  # type: ignore[no-untyped-call]
        self.size += 1

    def replace(self, rows: Tensor, keys: Tensor, values: Tensor) -> None:
        """These agents' entries become others: [N, rows, S, size], S of any length up to the capacity.

        The loss must depend on something attended afterwards, or else the way back never comes here to put
        the old entries in place.
        """
        self._token = _Replace.apply(self._token, *self._as_stored(keys, values), self._buffers, rows)  # type: ignore[no-untyped-call]
        self.size = self._buffers.keys.shape[2]

    def select(self, rows: Tensor) -> "Recall":
        """The memory of these agents only; what others remember of the steps before stays as it is."""
        chosen = copy(self)
        chosen._buffers = self._buffers.of(rows)
        chosen._token = _Select.apply(self._token, self._buffers, chosen._buffers, rows)  # type: ignore[no-untyped-call]
        return chosen

    @staticmethod
    def join(memories: "Sequence[Memory]") -> "Recall":
        """The memory of all agents of some memories of equal size; for acting, not for learning."""
        buffers = [memory._buffers for memory in memories if isinstance(memory, Recall)]
        joined = copy(memories[0])
        assert isinstance(joined, Recall) and not torch.is_grad_enabled()  # noqa: S101
        joined._buffers = Buffers.joined(buffers)
        return joined

    def attend(self, q: Tensor, exists: Tensor, heads: int) -> Tensor:
        """Multi-headed attention of one query an agent, [N, B, size], to the entries that exist [B, S]."""
        with torch.autocast(q.device.type, enabled=False):
            self._token, attended = _Attend.apply(  # type: ignore[no-untyped-call]
                self._token, *self._as_stored(q), self._buffers, exists, heads
            )
        return attended

    def weights(self, q: Tensor, exists: Tensor, heads: int) -> Tensor:
        """[N, B, heads, S] how much each head of `attend` takes of each entry; to look at, not to learn."""
        return attention_weights(self._as_stored(q)[0], self._buffers.keys, exists, heads)

    def similar(self, q: Tensor, exists: Tensor) -> Tensor:
        """SimAttend(q, K, V) [N, B, size]: see `_SimAttend`. Queries and keys have length one."""
        with torch.autocast(q.device.type, enabled=False):
            self._token, found = _SimAttend.apply(self._token, *self._as_stored(q), self._buffers, exists)  # type: ignore[no-untyped-call]
        return found

    def _as_stored(self, *vectors: Tensor) -> list[Tensor]:
        """In the precision of the buffers: autocast gives some vectors in less and knows no way back here."""
        return [x.to(self._buffers.keys.dtype) for x in vectors]


class _Append(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, token: Tensor, key: Tensor, value: Tensor, buffers: Buffers, at: int) -> Tensor:
        buffers.keys[:, :, at] = key
        buffers.values[:, :, at] = value
        buffers.used = max(buffers.used, at + 1)
        ctx.buffers, ctx.at = buffers, at
        return token.clone()

    @staticmethod
    def backward(ctx: Any, token: Tensor) -> tuple[Tensor | None, ...]:
        keys, values = ctx.buffers.gradients()
        return token, keys[:, :, ctx.at], values[:, :, ctx.at], None, None


class _Replace(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, token: Tensor, keys: Tensor, values: Tensor, buffers: Buffers, rows: Tensor
    ) -> Tensor:
        length = keys.shape[2]
        if ctx.needs_input_grad[1]:
            ctx.old = buffers.keys[:, rows, : buffers.used], buffers.values[:, rows, : buffers.used]
            ctx.buffers, ctx.rows, ctx.length, ctx.used = buffers, rows, length, buffers.used
        buffers.keys[:, rows, :length] = keys
        buffers.values[:, rows, :length] = values
        buffers.used = max(buffers.used, length)
        return token.clone()

    @staticmethod
    def backward(ctx: Any, token: Tensor) -> tuple[Tensor | None, ...]:
        buffers, rows = ctx.buffers, ctx.rows
        given = []
        for gradient in buffers.gradients():
            given.append(gradient[:, rows, : ctx.length])
            gradient[:, rows, : ctx.length] = 0
        buffers.keys[:, rows, : ctx.used], buffers.values[:, rows, : ctx.used] = ctx.old
        return token, *given, None, None


class _Select(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, token: Tensor, everybody: Buffers, chosen: Buffers, rows: Tensor) -> Tensor:
        ctx.buffers, ctx.rows = (everybody, chosen), rows
        return token.clone()

    @staticmethod
    def backward(ctx: Any, token: Tensor) -> tuple[Tensor | None, ...]:
        everybody, chosen = ctx.buffers
        for gradient, of_chosen in zip(everybody.gradients(), chosen.gradients(), strict=True):
            gradient.index_add_(1, ctx.rows, of_chosen)
        return token, None, None, None


class _Attend(torch.autograd.Function):
    """softmax(q K^T / sqrt(d)) V for each head.

    The heads of a query are written below each other into a matrix with zeros outside of each head's own
    columns. Then all heads together are one product with the memory as it lies.
    """

    @staticmethod
    def forward(
        ctx: Any, token: Tensor, q: Tensor, buffers: Buffers, exists: Tensor, heads: int
    ) -> tuple[Tensor, Tensor]:
        n, b, size = q.shape
        entries = exists.shape[1]
        keys, values = buffers.entries(entries)
        scale = (size // heads) ** -0.5
        queries = _by_head(q.reshape(n * b, size) * scale, heads)  # [NB, heads, size]
        missing = ~exists.expand(n, b, entries).reshape(n * b, 1, entries)
        scores = torch.bmm(queries, keys.transpose(1, 2)).masked_fill_(missing, -torch.inf)
        weights = torch.softmax(scores, dim=-1)  # [NB, heads, S]
        ctx.saved, ctx.buffers, ctx.scale, ctx.shape = (queries, weights), buffers, scale, q.shape
        attended = _own_columns(torch.bmm(weights, values), heads)
        return token.clone(), attended.view(n, b, size)

    @staticmethod
    def backward(ctx: Any, token: Tensor, gradient: Tensor) -> tuple[Tensor | None, ...]:
        queries, weights = ctx.saved
        heads, entries = weights.shape[1:]
        keys, values = ctx.buffers.entries(entries)
        key_gradient, value_gradient = ctx.buffers.entry_gradients(entries)
        given = _by_head(gradient.reshape(-1, gradient.shape[-1]), heads)
        value_gradient += torch.bmm(weights.transpose(1, 2), given)
        d_weights = torch.bmm(given, values.transpose(1, 2))
        d_scores = weights * (d_weights - (d_weights * weights).sum(dim=-1, keepdim=True))
        key_gradient += torch.bmm(d_scores.transpose(1, 2), queries)
        d_q = _own_columns(torch.bmm(d_scores, keys), heads) * ctx.scale
        return token, d_q.view(ctx.shape), None, None, None


class _SimAttend(torch.autograd.Function):
    """The average of the values whose keys are nearly equal to the query.

    The weights are the cosine similarities above 0.9, divided by their sum; with no such key the result is
    zero.
    """

    @staticmethod
    def forward(
        ctx: Any, token: Tensor, q: Tensor, buffers: Buffers, exists: Tensor
    ) -> tuple[Tensor, Tensor]:
        n, b, size = q.shape
        entries = exists.shape[1]
        keys, values = buffers.entries(entries)
        queries = q.reshape(n * b, 1, size)
        cosine = torch.bmm(queries, keys.transpose(1, 2))  # [NB, 1, S]
        similar = (cosine > SIMILAR) & exists.expand(n, b, entries).reshape(n * b, 1, entries)
        total = (cosine * similar).sum(dim=-1, keepdim=True).clamp(min=SIMILAR)
        weights = cosine * similar / total
        ctx.saved, ctx.buffers, ctx.shape = (queries, weights, similar, total), buffers, q.shape
        return token.clone(), torch.bmm(weights, values).view(q.shape)

    @staticmethod
    def backward(ctx: Any, token: Tensor, gradient: Tensor) -> tuple[Tensor | None, ...]:
        queries, weights, similar, total = ctx.saved
        if not similar.any():
            return token, torch.zeros_like(gradient), None, None
        entries = weights.shape[2]
        keys, values = ctx.buffers.entries(entries)
        key_gradient, value_gradient = ctx.buffers.entry_gradients(entries)
        given = gradient.reshape(queries.shape)
        value_gradient += torch.bmm(weights.transpose(1, 2), given)
        d_weights = torch.bmm(given, values.transpose(1, 2))
        d_cosine = similar * (d_weights - (d_weights * weights).sum(dim=-1, keepdim=True)) / total
        key_gradient += torch.bmm(d_cosine.transpose(1, 2), queries)
        return token, torch.bmm(d_cosine, keys).view(ctx.shape), None, None


def _by_head(x: Tensor, heads: int) -> Tensor:
    """[R, size] to [R, heads, size]: row h holds the columns of head h, and zeros elsewhere."""
    rows, size = x.shape
    spread = x.new_zeros(rows, heads, heads, size // heads)
    spread.diagonal(dim1=1, dim2=2).copy_(x.view(rows, heads, -1).transpose(1, 2))
    return spread.view(rows, heads, size)


def _own_columns(x: Tensor, heads: int) -> Tensor:
    """[R, heads, size] to [R, size]: of row h the columns of head h."""
    rows, _, size = x.shape
    return x.view(rows, heads, heads, -1).diagonal(dim1=1, dim2=2).transpose(1, 2).reshape(rows, size)
