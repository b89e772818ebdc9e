"""Made-up episodes for networks: what agents might see, read and do, without a building around them."""

import os
from dataclasses import dataclass, fields
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import torch

from helpanna.agents.networks.fast import gather_gradients
from helpanna.agents.networks.protocol import NetworkConfig, Outputs
from helpanna.agents.senses import MATCHES, ORIENTATION_SIZE, Sight
from helpanna.tasks.vocabulary import MAX_WORDS
from helpanna.worlds.geometry import SLOTS, VIEWS

CPU = torch.device("cpu")
SMALL = NetworkConfig(
    features=5,
    vocabulary=11,
    hidden=8,
    heads=2,
    action_embedding=6,
    ask_embedding=4,
    text_layers=2,
    dropout=0,
)


@dataclass
class Moment:
    """A step of B agents.

    Attributes:
        sight: what they see.
        tokens, length: [B, 50] and [B], what they would read; who reads anew is in `sight.changed`.
        asked, action: [B] what they do then.
    """

    sight: Sight
    tokens: np.ndarray
    length: np.ndarray
    asked: torch.Tensor
    action: torch.Tensor


def imagine(config=SMALL, agents=3, steps=6, seed=0, actions=4, scenes=2, dtype=torch.float64):
    """Episodes in which each agent comes to few different scenes, so that situations repeat."""
    rng = np.random.default_rng(seed)
    pool = [_scene(config, rng, actions, dtype) for _ in range(scenes)]
    named = np.random.default_rng(seed + 100).random((scenes, actions, MATCHES, MAX_WORDS)) < 0.3
    for scene, words in zip(pool, named, strict=True):
        scene["words"] = torch.from_numpy(words).to(dtype)
    moments = []
    for t in range(steps):
        changed = rng.random(agents) < 0.3 if t else np.ones(agents, dtype=bool)
        seen = [pool[i] for i in rng.integers(0, scenes, agents)]
        columns = {name: torch.stack([scene[name] for scene in seen]) for name in pool[0]}
        length = rng.integers(1, 6, agents)
        tokens = rng.integers(1, config.vocabulary, (agents, MAX_WORDS))
        tokens[np.arange(MAX_WORDS) >= length[:, None]] = 0
        asked = rng.random(agents) < 0.4
        action = np.where(asked, 0, [rng.integers(int(scene["exists"].sum())) for scene in seen])
        moments.append(
            Moment(
                sight=Sight(**columns, changed=torch.from_numpy(changed)),
                tokens=tokens,
                length=length,
                asked=torch.from_numpy(asked),
                action=torch.from_numpy(action),
            )
        )
    return moments


def _scene(config, rng, actions, dtype):
    def some(*shape):
        return torch.from_numpy(rng.standard_normal(shape)).to(dtype)

    embeddings = some(actions, config.features + ORIENTATION_SIZE)
    embeddings[0] = 0
    has_target = torch.tensor(bool(rng.random() < 0.5))
    return {
        "views": some(VIEWS, config.features),
        "target": some(VIEWS, config.features) * has_target,
        "has_target": has_target,
        "similarity": some(VIEWS),
        "actions": embeddings,
        "exists": torch.arange(actions) < int(rng.integers(2, actions + 1)),
        "slot": torch.from_numpy(np.r_[SLOTS - 1, rng.permutation(VIEWS)[: actions - 1]]),
    }


def run(networks, moments, foreseen=None):
    """The outputs of the networks at each moment."""
    state = networks.begin(len(moments[0].length), foreseen or len(moments))
    outputs = []
    for t, moment in enumerate(moments):
        if t:
            networks.took(state, moments[t - 1].asked, moments[t - 1].action)
        rows = np.flatnonzero(moment.sight.changed)
        if len(rows):
            words = (moment.tokens[rows], moment.length[rows])
            networks.read(state, torch.from_numpy(rows), *map(torch.from_numpy, words))
        outputs.append(networks.step(state, moment.sight))
    return outputs


def run_plainly(agents, moments):
    """The outputs of plain agents, each of which lives alone."""
    outputs = [[] for _ in moments]
    for b, agent in enumerate(agents):
        for t, moment in enumerate(moments):
            if t:
                agent.took(moments[t - 1].asked[b], moments[t - 1].action[b])
            row = SimpleNamespace(**{f.name: getattr(moment.sight, f.name)[b] for f in fields(Sight)})
            words = moment.tokens[b, : moment.length[b]].tolist() if row.changed else None
            outputs[t].append(agent.step(words, row))
    return [Outputs(*map(_stacked, zip(*rows, strict=True))) for rows in outputs]


def _stacked(rows):
    return None if rows[0] is None else torch.stack(rows)


def numbers(outputs):
    """All finite outputs of all steps in one vector."""
    tables = [getattr(o, f.name) for o in outputs for f in fields(Outputs)]
    found = torch.cat([table.flatten() for table in tables if table is not None])
    return found[found.isfinite()]


def gradients(networks, outputs, seed=0):
    """The gradient of every parameter for a loss in which each output has a weight of its own."""
    found = numbers(outputs)
    weights = np.random.default_rng(seed).standard_normal(len(found))
    networks.zero_grad()
    (found * torch.from_numpy(weights)).sum().backward()
    return {name: p.grad.clone() for name, p in networks.named_parameters() if p.grad is not None}


def assert_same(networks, moments, expected):
    """The networks put out what is expected, with its gradients, however they are computed.

    Plainly, with memories written in place, and with gathered weight gradients besides.
    """
    expected_slopes = gradients(networks, expected)
    assert expected_slopes.keys() == dict(networks.named_parameters()).keys()
    for how in ("plainly", "in place", "gathered"):
        with patch.dict(os.environ, {"HELPANNA_PLAIN": "1" if how == "plainly" else "0"}):
            if how == "gathered":
                gather_gradients(networks)
            outputs = run(networks, moments)
            torch.testing.assert_close(numbers(outputs), numbers(expected))
            torch.testing.assert_close(gradients(networks, outputs), expected_slopes)
