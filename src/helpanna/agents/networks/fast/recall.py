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

_SMALL = 400


class Buffers:
    """What a memory holds, and what has been added up of its gradient.

    Apart from the token, so that the graph does not hold the token that holds the graph: such a ring would
    keep all tensors of an iteration alive until Python looks for rings.

    What a head attends to lies together: each head is a small matrix, and nothing has to be taken apart.

    Attributes:
        keys, values: [N, B, heads, capacity, d].
        used: how many entries of the capacity were ever written.
    """

    def __init__(self, shape: Sequence[int], like: Tensor) -> None:
        self.keys = like.new_zeros(*shape)
        self.values = torch.zeros_like(self.keys)
        self.used = 0
        self._gradients: tuple[Tensor, Tensor] | None = None

    def gradients(self) -> tuple[Tensor, Tensor]:
        """The gradients of keys and values."""
        if self._gradients is None:
            self._gradients = torch.zeros_like(self.keys), torch.zeros_like(self.values)
        return self._gradients

    def entries(self, size: int) -> tuple[Tensor, Tensor]:
        """[N * B * heads, S, d] the first S keys and values."""
        return self.keys.flatten(0, 2)[:, :size], self.values.flatten(0, 2)[:, :size]

    def entry_gradients(self, size: int) -> tuple[Tensor, Tensor]:
        """[N * B * heads, S, d] their gradients, to be added to."""
        keys, values = self.gradients()
        return keys.flatten(0, 2)[:, :size], values.flatten(0, 2)[:, :size]

    def by_head(self, x: Tensor) -> Tensor:
        """[N, B, size] to [N, B, heads, d]."""
        return x.reshape(*x.shape[:2], self.keys.shape[2], -1)

    def table(self, x: Tensor) -> Tensor:
        """[N, rows, S, size] to [N, rows, heads, S, d]."""
        return x.reshape(*x.shape[:3], self.keys.shape[2], -1).transpose(2, 3)

    def of(self, rows: Tensor) -> "Buffers":
        """Buffers of their own for these agents, which hold the same."""
        networks, _, *rest = self.keys.shape
        chosen = Buffers((networks, len(rows), *rest), self.keys)
        chosen.keys[..., : self.used, :] = self.keys[:, rows, :, : self.used]
        chosen.values[..., : self.used, :] = self.values[:, rows, :, : self.used]
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
        self.keys = torch.cat([self.keys, torch.zeros_like(self.keys)], dim=3)
        self.values = torch.cat([self.values, torch.zeros_like(self.values)], dim=3)


class Recall(Memory):
    """As `Memory`, in buffers."""

    def __init__(self, keys: Tensor, values: Tensor, capacity: int, heads: int = 1) -> None:
        """Begins with one entry [N, B, size]."""
        n, b, size = keys.shape
        self._buffers = Buffers((n, b, heads, capacity, size // heads), keys.detach())
        self._token = keys.new_zeros((), requires_grad=torch.is_grad_enabled())
        self.size = 0
        self.append(keys, values)

    def append(self, key: Tensor, value: Tensor) -> None:
        """Remembers one more entry [N, B, size]."""
        if self.size == self._buffers.keys.shape[3]:
            self._buffers.grow()
        self._token = _Append.apply(self._token, *self._as_stored(key, value), self._buffers, self.size)  # type: ignore[no-untyped-call]
        self.size += 1

    def replace(self, rows: Tensor, keys: Tensor, values: Tensor) -> None:
        """These agents' entries become others: [N, rows, S, size], S of any length up to the capacity.

        The loss must depend on something attended afterwards, or else the way back never comes here to put
        the old entries in place.
        """
        self._token = _Replace.apply(self._token, *self._as_stored(keys, values), self._buffers, rows)  # type: ignore[no-untyped-call]
        self.size = self._buffers.keys.shape[3]

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

    def attend(self, q: Tensor, exists: Tensor) -> Tensor:
        """Multi-headed attention of one query an agent, [N, B, size], to the entries that exist [B, S]."""
        with torch.autocast(q.device.type, enabled=False):
            self._token, attended = _Attend.apply(self._token, *self._as_stored(q), self._buffers, exists)  # type: ignore[no-untyped-call]
        return attended

    def weights(self, q: Tensor, exists: Tensor) -> Tensor:
        """[N, B, heads, S] how much each head of `attend` takes of each entry; to look at, not to learn."""
        return attention_weights(self._buffers.by_head(self._as_stored(q)[0]), self._buffers.keys, exists)

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
        buffers.keys[..., at, :] = buffers.by_head(key)
        buffers.values[..., at, :] = buffers.by_head(value)
        buffers.used = max(buffers.used, at + 1)
        ctx.buffers, ctx.at = buffers, at
        return token.clone()

    @staticmethod
    def backward(ctx: Any, token: Tensor) -> tuple[Tensor | None, ...]:
        keys, values = (gradient[..., ctx.at, :].flatten(2) for gradient in ctx.buffers.gradients())
        return token, keys, values, None, None


class _Replace(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, token: Tensor, keys: Tensor, values: Tensor, buffers: Buffers, rows: Tensor
    ) -> Tensor:
        length = keys.shape[2]
        if ctx.needs_input_grad[1]:
            ctx.old = buffers.keys[:, rows, :, : buffers.used], buffers.values[:, rows, :, : buffers.used]
            ctx.buffers, ctx.rows, ctx.length, ctx.used = buffers, rows, length, buffers.used
        buffers.keys[:, rows, :, :length] = buffers.table(keys)
        buffers.values[:, rows, :, :length] = buffers.table(values)
        buffers.used = max(buffers.used, length)
        return token.clone()

    @staticmethod
    def backward(ctx: Any, token: Tensor) -> tuple[Tensor | None, ...]:
        buffers, rows = ctx.buffers, ctx.rows
        given = []
        for gradient in buffers.gradients():
            given.append(gradient[:, rows, :, : ctx.length].transpose(2, 3).flatten(3))
            gradient[:, rows, :, : ctx.length] = 0
        buffers.keys[:, rows, :, : ctx.used], buffers.values[:, rows, :, : ctx.used] = ctx.old
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
    """softmax(q K^T / sqrt(d)) V for each head."""

    @staticmethod
    def forward(
        ctx: Any, token: Tensor, q: Tensor, buffers: Buffers, exists: Tensor
    ) -> tuple[Tensor, Tensor]:
        heads, entries = buffers.keys.shape[2], exists.shape[1]
        keys, values = buffers.entries(entries)
        scale = (q.shape[-1] // heads) ** -0.5
        queries = (q * scale).view(len(keys), 1, -1)  # [NB heads, 1, d]
        scores = torch.bmm(queries, keys.mT)  # [NB heads, 1, S]
        scores.view(*q.shape[:2], heads, entries).masked_fill_(~exists[:, None], -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        ctx.saved, ctx.buffers, ctx.scale = (queries, weights), buffers, scale
        return token.clone(), _sum_of(weights, values).view(q.shape)

    @staticmethod
    def backward(ctx: Any, token: Tensor, gradient: Tensor) -> tuple[Tensor | None, ...]:
        queries, weights = ctx.saved
        keys, values = ctx.buffers.entries(weights.shape[2])
        key_gradient, value_gradient = ctx.buffers.entry_gradients(weights.shape[2])
        given = gradient.reshape(queries.shape)
        value_gradient.addcmul_(weights.mT, given)
        d_weights = torch.bmm(given, values.mT)
        d_scores = weights * (d_weights - (d_weights * weights).sum(dim=-1, keepdim=True))
        key_gradient.addcmul_(d_scores.mT, queries)
        d_q = _sum_of(d_scores, keys) * ctx.scale
        return token, d_q.view(gradient.shape), None, None


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
        value_gradient.addcmul_(weights.mT, given)
        d_weights = torch.bmm(given, values.transpose(1, 2))
        d_cosine = similar * (d_weights - (d_weights * weights).sum(dim=-1, keepdim=True)) / total
        key_gradient.addcmul_(d_cosine.mT, queries)
        return token, torch.bmm(d_cosine, keys).view(ctx.shape), None, None


def _sum_of(weights: Tensor, entries: Tensor) -> Tensor:
    """[R, 1, S] times [R, S, d]: the weighted sum of entries [R, 1, d].

    Products below a certain size PyTorch computes number by number: then other ways are faster.
    """
    if entries.shape[1] * entries.shape[2] < _SMALL:
        return (weights.mT * entries).sum(dim=1, keepdim=True)
    return torch.bmm(weights, entries)
