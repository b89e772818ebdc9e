"""One space for words and sight: word embeddings that begin as what the agent sees where the word is said.

Captions are numbers in a space of their own (`worlds/caption_space.py`), and so is a caption of one word. A
network whose word embeddings begin there knows from the start which words are alike, also those that its
training instructions hardly use.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from helpanna.errors import InputError
from helpanna.tasks.vocabulary import UNKNOWN, Vocabulary
from helpanna.worlds.caption_space import KIND, CaptionSpace
from helpanna.worlds.content_words import content_words


def begin_with_sight(networks: nn.Module, vocabulary: Vocabulary, space: Mapping[str, Any]) -> int:
    """Word embeddings become the words' places in the space of what is seen; says how many words have one.

    The others stay as they are. Every vector keeps its length; where a network's vectors are shorter than the
    space's, they hold the directions in which captions differ most.

    Args:
        networks: whose embeddings of this vocabulary are set.
        vocabulary: their words.
        space: of the view features; `captions`, or `sight`, which holds them.
    """
    captions = CaptionSpace.from_json(
        space.get(KIND, space), "--words-from-sight needs captions, and these features are"
    )
    known = _known(captions, vocabulary.words)
    vectors = torch.from_numpy(captions.encode([vocabulary.words[i] for i in known]))
    rows = torch.from_numpy(known) + UNKNOWN + 1
    tables = [table for tables in word_tables(networks, len(vocabulary)).values() for table in tables]
    if not tables:
        raise InputError("--words-from-sight: the networks have no embedding of words; leave it out.")
    for table in tables:
        size = min(table.shape[1], vectors.shape[1])
        with torch.no_grad():
            length = table[rows].norm(dim=1, keepdim=True)
            table[rows] = 0
            table[rows, :size] = nn.functional.normalize(vectors[:, :size], dim=1) * length
    return len(known)


def _known(captions: CaptionSpace, words: Sequence[str]) -> NDArray[np.int64]:
    """Which words have a place in the space: a sentence encoder reads all words."""
    if captions.encoder != "words":
        return np.arange(len(words))
    there = set(captions.words)
    return np.flatnonzero([bool(there & set(content_words(word))) for word in words])


def word_tables(networks: nn.Module, words: int) -> dict[str, tuple[torch.Tensor, ...]]:
    """[words, size] the embeddings of networks by the names of their weights, as views of them.

    Networks side by side have theirs in one, one below the other.
    """
    return {
        f"{name}.weight": torch.split(module.weight.data, words)
        for name, module in networks.named_modules()
        if isinstance(module, nn.Embedding) and module.num_embeddings % words == 0
    }
