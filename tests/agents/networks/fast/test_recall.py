"""Memories written in place, against memories that are copied at every step."""

import numpy as np
import plain_networks as plain
import pytest
import torch
from torch.nn import functional

from helpanna.agents.networks.fast.recall import Recall

N, B, SIZE, HEADS = 2, 3, 4, 2


class Copied:
    """A memory of ordinary tensors: lists of vectors for each network and agent."""

    def __init__(self, key, value):
        self.entries = {(n, b): [(key[n, b], value[n, b])] for n in range(N) for b in range(B)}

    def append(self, key, value):
        for (n, b), entries in self.entries.items():
            entries.append((key[n, b], value[n, b]))

    def replace(self, rows, keys, values):
        for n in range(N):
            for i, b in enumerate(rows.tolist()):
                self.entries[n, b] = list(zip(keys[n, i], values[n, i], strict=True))

    def attend(self, q, exists):
        return self._each(exists, lambda n, b, k, v: plain.attend_with_heads(q[n, b], k, v, HEADS))

    def similar(self, q, exists):
        return self._each(exists, lambda n, b, k, v: plain.sim_attend(q[n, b], k, v))

    def _each(self, exists, look):
        rows = [torch.stack([look(n, b, *self._existing(n, b, exists)) for b in range(B)]) for n in range(N)]
        return torch.stack(rows)

    def _existing(self, n, b, exists):
        kept = [entry for i, entry in enumerate(self.entries[n, b]) if exists[b, i]]
        return [key for key, _ in kept], [value for _, value in kept]


def leaf(rng, *shape):
    return torch.from_numpy(rng.standard_normal(shape)).requires_grad_()


def slopes(total, leaves):
    """The gradients, zero for leaves that nobody read."""
    return torch.autograd.grad(total, leaves, materialize_grads=True)


def some_exist(rng, size):
    exists = torch.from_numpy(rng.random((B, size)) < 0.7)
    exists[:, 0] = True
    return exists


@pytest.mark.parametrize("capacity", [1, 8])  # a memory that is too small grows
@pytest.mark.parametrize("seed", range(3))
def test_appending_and_attending_to_a_growing_past(seed, capacity):
    """Each new entry depends on what was read before, as in a recurrent network."""
    rng = np.random.default_rng(seed)
    steps = 6
    leaves = [leaf(rng, N, B, SIZE) for _ in range(2 * steps + 2)]
    masks = [some_exist(rng, t + 1) for t in range(steps)]

    def total(memory, attend):
        sums = 0
        for t in range(steps):
            key, value = leaves[2 * t + 2], leaves[2 * t + 3]
            read = attend(memory, torch.sin(key), masks[t])
            sums = sums + (read**3).sum() + read.sum()
            memory.append(key * read, value + read)
        return sums

    copied = total(Copied(*leaves[:2]), Copied.attend)
    recall = total(Recall(*leaves[:2], capacity, HEADS), Recall.attend)
    torch.testing.assert_close(recall, copied)
    torch.testing.assert_close(slopes(recall, leaves), slopes(copied, leaves))


@pytest.mark.parametrize("seed", range(3))
def test_replacing_the_entries_of_some_agents(seed):
    rng = np.random.default_rng(seed)
    words, leaves = 5, []

    def new(*shape):
        leaves.append(leaf(rng, *shape))
        return leaves[-1]

    def text(rows):
        """New keys and values, of any length, for some rows; the rest of the table does not exist."""
        length = int(rng.integers(1, words + 1))
        return torch.tensor(rows), new(N, len(rows), length, SIZE), new(N, len(rows), length, SIZE)

    zero = torch.zeros(N, B, SIZE, dtype=torch.float64)
    readings = [text([0, 1, 2]), None, text([1]), text([2, 0]), None, text([1])]
    queries = [new(N, B, SIZE) for _ in readings]

    def total(memory, attend):
        sums, exists = 0, torch.zeros(B, words, dtype=torch.bool)
        for reading, q in zip(readings, queries, strict=True):
            if reading is not None:
                rows, keys, values = reading
                memory.replace(rows, keys, values)
                exists[rows] = torch.arange(words) < keys.shape[2]
            sums = sums + (attend(memory, q, exists.clone()) ** 3).sum()
        return sums

    copied = total(Copied(zero, zero), Copied.attend)
    recall = total(Recall(zero, zero, words, HEADS), Recall.attend)
    torch.testing.assert_close(recall, copied)
    torch.testing.assert_close(slopes(recall, leaves), slopes(copied, leaves))


@pytest.mark.parametrize("seed", range(3))
def test_similar_situations(seed):
    """Queries near earlier keys, far from all, and near keys that may not be taken."""
    rng = np.random.default_rng(seed)
    steps = 8
    centres = [leaf(rng, N, B, SIZE) for _ in range(2)]
    shifts = [leaf(rng, N, B, SIZE) for _ in range(steps)]
    outputs = [leaf(rng, N, B, SIZE) for _ in range(steps)]
    masks = [some_exist(rng, t + 1) for t in range(steps)]
    leaves = [*centres, *shifts, *outputs]
    zero = torch.zeros(N, B, SIZE, dtype=torch.float64)
    found = []

    def total(memory, similar):
        sums = 0
        for t in range(steps):
            q = functional.normalize(centres[t % 2] + 0.3 * shifts[t], dim=-1)
            read = similar(memory, q, masks[t])
            found.append(read.abs().sum(dim=-1) > 0)
            sums = sums + (read**3).sum()
            memory.append(q, outputs[t] + read)
        return sums

    copied = total(Copied(zero, zero), Copied.similar)
    recall = total(Recall(zero, zero, steps + 1), Recall.similar)
    assert 0 < torch.stack(found[:steps]).double().mean() < 1
    torch.testing.assert_close(recall, copied)
    torch.testing.assert_close(slopes(recall, leaves), slopes(copied, leaves))


def test_the_average_of_values_with_similar_keys():
    keys = torch.tensor([[1.0, 0.0], [0.8, 0.6], [0.96, 0.28]]).view(3, 1, 1, 2)
    values = torch.tensor([[1.0, 0.0], [5.0, 5.0], [0.0, 1.0]]).view(3, 1, 1, 2)
    recall = Recall(keys[0], values[0], 3)
    for key, value in zip(keys[1:], values[1:], strict=True):
        recall.append(key, value)
    read = recall.similar(torch.tensor([[[1.0, 0.0]]]), torch.ones(1, 3, dtype=torch.bool))
    # The cosines are 1, 0.8 and 0.96; only those above 0.9 count.
    torch.testing.assert_close(read, torch.tensor([[[1 / 1.96, 0.96 / 1.96]]]))


def test_nothing_is_similar_to_an_empty_past():
    recall = Recall(torch.zeros(1, 2, 3), torch.ones(1, 2, 3), 1)
    query = functional.normalize(torch.ones(1, 2, 3), dim=-1).requires_grad_()
    read = recall.similar(query, torch.zeros(2, 1, dtype=torch.bool))
    read.sum().backward()
    assert not read.any() and not query.grad.any()
