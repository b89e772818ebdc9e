"""Networks that begin as those of an agent that has learned before."""

import pytest
import torch

from helpanna.agents.habits import Habits
from helpanna.agents.mapping.network import MapNetworkConfig
from helpanna.agents.networks.kinds import make_networks
from helpanna.agents.networks.protocol import NetworkConfig
from helpanna.agents.store import save_agent
from helpanna.errors import InputError
from helpanna.learning.beginnings import begin_with_agent
from helpanna.learning.word_vectors import word_tables
from helpanna.tasks.vocabulary import UNKNOWN, Vocabulary

SPACE = {"kind": "annotations", "size": 5}
THEIRS, OURS = Vocabulary(("bed", "chair", "lamp")), Vocabulary(("bath", "bed", "lamp", "sofa", "zebra"))
CONFIGS = {"hierarchical": NetworkConfig, "map": MapNetworkConfig}


def networks(kind, vocabulary, seed, hidden=8):
    return make_networks(kind, CONFIGS[kind](5, len(vocabulary), hidden=hidden), seed)


@pytest.fixture(params=sorted(CONFIGS))
def kind(request):
    return request.param


@pytest.fixture
def agent(kind, tmp_path):
    made = networks(kind, THEIRS, seed=1)
    save_agent(tmp_path / "agent", made, Habits(), THEIRS, SPACE, {})
    return tmp_path / "agent", made


def row(vocabulary, word):
    return vocabulary.words.index(word) + UNKNOWN + 1


def test_all_weights_are_the_agents_and_words_are_told_by_their_spelling(kind, agent):
    folder, learned = agent
    mine, fresh = networks(kind, OURS, seed=2), networks(kind, OURS, seed=2)
    assert begin_with_agent(mine, OURS, SPACE, folder) == 2
    tables, read = word_tables(mine, len(OURS)), word_tables(learned, len(THEIRS))
    untouched = word_tables(fresh, len(OURS))
    assert tables.keys() == read.keys() and tables
    for name, tensor in mine.state_dict().items():
        if name not in tables:
            assert torch.equal(tensor, learned.state_dict()[name]), name
    for name in tables:
        for table, theirs, before in zip(tables[name], read[name], untouched[name], strict=True):
            assert torch.equal(table[: UNKNOWN + 1], theirs[: UNKNOWN + 1])
            for word in ("bed", "lamp"):
                assert torch.equal(table[row(OURS, word)], theirs[row(THEIRS, word)])
            for word in ("bath", "sofa", "zebra"):
                assert torch.equal(table[row(OURS, word)], before[row(OURS, word)])


def test_other_networks_and_other_sight_are_refused(kind, agent):
    folder, _ = agent
    with pytest.raises(InputError, match=r"--start-from .* sees features of another space"):
        begin_with_agent(networks(kind, OURS, 2), OURS, {**SPACE, "version": 2}, folder)
    with pytest.raises(InputError, match=f"its networks are others.*--network {kind} --hidden 8"):
        begin_with_agent(networks(kind, OURS, 2, hidden=16), OURS, SPACE, folder)
    other = next(name for name in CONFIGS if name != kind)
    with pytest.raises(InputError, match="its networks are others"):
        begin_with_agent(networks(other, OURS, 2), OURS, SPACE, folder)
