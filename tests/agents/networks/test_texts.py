"""Texts written one after the other, and as a table."""

import numpy as np
import pytest
import torch
from imagined import CPU

from helpanna.agents.networks.texts import Texts
from helpanna.tasks.vocabulary import MAX_WORDS

LENGTHS = {"of different lengths": [3, 1, 5], "all of one length": [4, 4], "one word": [1]}


def some(lengths):
    length = np.array(lengths)
    tokens = 1 + np.arange(len(length) * MAX_WORDS).reshape(-1, MAX_WORDS)
    return np.where(np.arange(MAX_WORDS) < length[:, None], tokens, 0), length


@pytest.mark.parametrize("lengths", LENGTHS.values(), ids=LENGTHS)
def test_packed_texts_are_the_words_that_exist(lengths):
    tokens, length = some(lengths)
    texts = Texts.packed(tokens, length, CPU)
    expected = [int(word) for row, n in zip(tokens, length, strict=True) for word in row[:n]]
    assert texts.words.tolist() == expected
    assert texts.position.tolist() == [i for n in length for i in range(n)]
    assert texts.width == max(lengths)
    assert texts.exists.sum(dim=1).tolist() == lengths


@pytest.mark.parametrize("make", [Texts.packed, Texts.padded])
@pytest.mark.parametrize("lengths", LENGTHS.values(), ids=LENGTHS)
def test_a_table_and_back(lengths, make):
    tokens, length = some(lengths)
    texts = make(tokens, length, CPU)
    table = texts.spread(texts.words.float().view(1, -1, 1).expand(2, -1, 3))
    assert table.shape == (2, len(lengths), texts.width, 3)
    np.testing.assert_array_equal(table[1, :, :, 2], tokens[:, : texts.width])
    assert torch.equal(texts.gather(table)[:, :, 0], texts.words.float().expand(2, -1))


def test_padded_texts_have_one_shape():
    for lengths in LENGTHS.values():
        texts = Texts.padded(*some(lengths), CPU)
        assert len(texts.words) == len(lengths) * MAX_WORDS and texts.width == MAX_WORDS
