"""Learning that does not begin from nothing: the weights of an agent that has learned before."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import nn

from helpanna.agents.networks.kinds import kind_of
from helpanna.agents.store import load_agent
from helpanna.errors import InputError
from helpanna.learning.word_vectors import word_tables
from helpanna.tasks.vocabulary import UNKNOWN, Vocabulary


def begin_with_agent(
    networks: nn.Module, vocabulary: Vocabulary, space: Mapping[str, Any], folder: Path
) -> int:
    """Networks become those of a trained agent; says how many of their words it knew.

    Words are told by how they are spelled, so the agent may have learned from other texts; words that it did
    not know stay as they are.

    Args:
        networks: whose weights are set.
        vocabulary: their words.
        space: of the view features they see; the agent must see the same.
        folder: of the agent.
    """
    agent: Any = load_agent(folder)
    if dict(agent.space) != dict(space):
        raise InputError(
            f"--start-from {folder}: the agent sees features of another space; add its own to the atlas with "
            "`helpanna worlds add ... --features-like AGENT`, and name them with --features."
        )
    learned, known = agent.networks.state_dict(), agent.vocabulary
    tables = word_tables(networks, len(vocabulary))
    read = word_tables(agent.networks, len(known))
    others = {name: tensor for name, tensor in networks.state_dict().items() if name not in tables}
    if (
        kind_of(networks) != kind_of(agent.networks)
        or tables.keys() != read.keys()
        or any(name not in learned or learned[name].shape != tensor.shape for name, tensor in others.items())
    ):
        config = agent.networks.config
        raise InputError(
            f"--start-from {folder}: its networks are others; give the options of its own, --network "
            f"{kind_of(agent.networks)} --hidden {getattr(config, 'hidden', '...')} and so on "
            f"(`helpanna agents show` lists them)."
        )
    rows = {word: row for row, word in enumerate(known.words, start=UNKNOWN + 1)}
    shared = [(row, word) for row, word in enumerate(vocabulary.words, start=UNKNOWN + 1) if word in rows]
    special = list(range(UNKNOWN + 1))
    here = torch.tensor(special + [row for row, _ in shared])
    there = torch.tensor(special + [rows[word] for _, word in shared])
    with torch.no_grad():
        for name, tensor in others.items():
            tensor.copy_(learned[name])
        for name in tables:
            for table, theirs in zip(tables[name], read[name], strict=True):
                table[here] = theirs[there]
    return len(shared)
