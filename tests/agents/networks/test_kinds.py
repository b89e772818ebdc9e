"""Networks by name: the paper's, and anybody's own."""

import sys
from dataclasses import dataclass

import numpy as np
import pytest
import torch
from learners import seen_split, untrained
from torch import nn

from helpanna.agents.habits import Habits
from helpanna.agents.networks.kinds import (
    BUILT_IN,
    choose_network_settings,
    kind_of,
    make_networks,
    network_class,
)
from helpanna.agents.networks.protocol import NetworkConfig
from helpanna.agents.store import load_agent, save_agent
from helpanna.assistance.assistants import Anna
from helpanna.errors import InputError
from helpanna.evaluation.runner import run_episodes

OWN = """
from dataclasses import dataclass
from torch import nn
from helpanna.agents.networks.hierarchical import HierarchicalNetworks
from helpanna.agents.networks.protocol import NetworkConfig

class Mine(HierarchicalNetworks):
    pass

class Half(nn.Module):
    def begin(self): ...

class Sizeless(HierarchicalNetworks):
    Config = dict

NUMBER = 3
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A module of somebody's own in the current folder; its name is new for each test."""
    name = f"own_{abs(hash(str(tmp_path)))}"
    (tmp_path / f"{name}.py").write_text(OWN)
    (tmp_path / "broken.py").write_text("1 / 0")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry not in ("", str(tmp_path))])
    yield name
    sys.modules.pop(name, None)


def test_the_papers_networks_have_names():
    for kind in ("hierarchical", "lstm"):
        networks = make_networks(kind, NetworkConfig(3, 9, hidden=8), seed=5)
        assert type(networks) is BUILT_IN[kind] and kind_of(networks) == kind
        again = make_networks(kind, NetworkConfig(3, 9, hidden=8), seed=5)
        assert all(map(torch.equal, networks.parameters(), again.parameters()))


def test_networks_of_the_current_folder(own):
    before = list(sys.path)
    made = network_class(f"{own}:Mine")
    assert sys.path == before
    assert kind_of(made(NetworkConfig(3, 9, hidden=8))) == f"{own}:Mine"


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("quantum", "there is no network 'quantum'; give hierarchical, lstm, map or your own, MODULE:CLASS"),
        (":Mine", "there is no network"),
        ("nowhere_at_all:Mine", "nowhere_at_all:Mine cannot be imported .* in the folder of that module"),
        ("broken:Mine", r"broken:Mine cannot be imported \(division by zero\)"),
        ("{own}:Yours", "has no torch.nn.Module Yours"),
        ("{own}:NUMBER", "has no torch.nn.Module NUMBER"),
        ("{own}:Half", "has no method read; networks have begin, read, step, took"),
        ("{own}:Sizeless", "has no Config, a dataclass that begins with features and vocabulary"),
    ],
)
def test_what_is_no_network_is_refused_with_one_sentence(own, kind, message):
    with pytest.raises(InputError, match=message) as refused:
        network_class(kind.format(own=own))
    assert "\n" not in str(refused.value)


@dataclass
class Sizes:
    features: int
    vocabulary: int
    width: int = 5


class Simple(nn.Module):
    Config = Sizes


def test_a_setting_that_networks_do_not_have_is_refused_if_somebody_gave_it():
    usual = {"condition_prediction": False}
    assert choose_network_settings(Simple, {"width": 7}, usual) == {"width": 7}
    assert choose_network_settings(BUILT_IN["lstm"], {}, usual) == usual
    with pytest.raises(InputError, match="the networks Simple have no setting hidden; leave it out"):
        choose_network_settings(Simple, {"hidden": 7}, usual)


def test_an_agent_with_networks_of_somebodys_own(own, tmp_path, monkeypatch):
    split, theirs = seen_split(), network_class(f"{own}:Mine")
    agent = untrained(split, hidden=8)
    mine = theirs(agent.networks.config)
    mine.load_state_dict(agent.networks.state_dict())
    save_agent(tmp_path / "agent", mine, Habits(), agent.vocabulary, agent.space, {})
    done = [
        run_episodes(split, who, Anna(split), np.arange(4), 3)
        for who in (load_agent(tmp_path / "agent"), agent)
    ]
    np.testing.assert_array_equal(done[0].location, done[1].location)
    # Elsewhere it cannot be found; and in the agent's own folder no code is executed.
    sys.modules.pop(own)
    (tmp_path / f"{own}.py").rename(tmp_path / "agent" / f"{own}.py")
    with pytest.raises(InputError, match=f"the network {own}:Mine cannot be imported"):
        load_agent(tmp_path / "agent")
    monkeypatch.chdir(tmp_path / "agent")
    with pytest.raises(InputError, match="lies in the agent's folder, whose code is not executed"):
        load_agent(tmp_path / "agent")
    assert own not in sys.modules
