"""Word embeddings that begin in the space of captions."""

import numpy as np
import pytest
import torch

from helpanna.agents.mapping.network import MapNetwork, MapNetworkConfig
from helpanna.agents.networks.kinds import make_networks
from helpanna.agents.networks.protocol import NetworkConfig
from helpanna.errors import InputError
from helpanna.learning.word_vectors import begin_with_sight
from helpanna.tasks.vocabulary import UNKNOWN, Vocabulary
from helpanna.worlds.caption_space import CaptionSpace
from helpanna.worlds.captions import Captions

TEXTS = ("a red chair", "a red sofa", "a blue bed", "a bed and a lamp")
VOCABULARY = Vocabulary(("beds", "chair", "lamp", "red", "turn", "zebra"))
KNOWN, OTHERS = [0, 1, 2, 3], [4, 5]  # captions have no turns and no zebras


@pytest.fixture(scope="module")
def space():
    index = np.arange(40 * 24).reshape(40, 3, 8) % len(TEXTS)
    return CaptionSpace.fit(Captions(index.astype(np.int32), lambda: TEXTS), np.arange(40), "words")


def rows(table):
    return table[UNKNOWN + 1 :]


def hierarchical():
    config = NetworkConfig(5, len(VOCABULARY), hidden=8)
    networks = make_networks("hierarchical", config, seed=0)
    return networks, networks.text_encoder.embedding.weight.data.split(len(VOCABULARY))


def mapping():
    network = MapNetwork(MapNetworkConfig(5, len(VOCABULARY), hidden=8))
    return network, (network.words.weight.data,)


@pytest.mark.parametrize("make", [hierarchical, mapping])
def test_words_begin_where_captions_have_them(space, make):
    networks, tables = make()
    before = [table.clone() for table in tables]
    assert begin_with_sight(networks, VOCABULARY, space.to_json()) == len(KNOWN)
    size = min(space.size, 8)
    wanted = torch.nn.functional.normalize(
        torch.from_numpy(space.encode([VOCABULARY.words[i] for i in KNOWN]))[:, :size], dim=1
    )
    for old, table in zip(before, tables, strict=True):
        told = rows(table)[KNOWN]
        assert torch.allclose(torch.nn.functional.normalize(told[:, :size], dim=1), wanted, atol=1e-5)
        assert torch.allclose(told.norm(dim=1), rows(old)[KNOWN].norm(dim=1))
        assert torch.equal(rows(table)[OTHERS], rows(old)[OTHERS])
        assert torch.equal(table[: UNKNOWN + 1], old[: UNKNOWN + 1])


def test_sight_holds_captions(space):
    networks, (table,) = mapping()
    begin_with_sight(networks, VOCABULARY, {"kind": "sight", "captions": space.to_json()})
    alone, (same,) = mapping()
    begin_with_sight(alone, VOCABULARY, space.to_json())
    assert torch.allclose(
        torch.nn.functional.normalize(rows(table)[KNOWN], dim=1),
        torch.nn.functional.normalize(rows(same)[KNOWN], dim=1),
    )


def test_other_features_have_no_words():
    networks, _ = mapping()
    with pytest.raises(InputError, match="--words-from-sight needs captions"):
        begin_with_sight(networks, VOCABULARY, {"kind": "annotations"})
