"""What agents with networks think at a step, for those who look on: the page asks, evaluation does not."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.agents.agent import Agent

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class KnownPlaces:
    """The maps of B agents, with room for P places; a place's number is the one of the observation.

    Attributes:
        exists: [B, P] which places each agent knows.
        visited: [B, P] where it has been.
        asked: [B, P] where it has requested help.
        preference: [B, P] the probability of each place, to go there; of the one where it stands: stop.
    """

    exists: Bools
    visited: Bools
    asked: Bools
    preference: Floats


@dataclass(frozen=True, eq=False)
class Thoughts:
    """What B agents think at a step; rows of finished episodes mean nothing.

    Attributes:
        actions: [B, A] the probability of each navigation action, stop first.
        ask: [B] the probability of request_help, wherever the agent is.
        reasons: [B, 3] the probabilities of lost, uncertain_wrong and never_asked; None if not predicted.
        attention: [B, 50] how much each word of the current instruction is attended to, in the order of the
            words; None where the networks do not say.
        known: the maps, of agents that draw one.
    """

    actions: Floats
    ask: Floats
    reasons: Floats | None = None
    attention: Floats | None = None
    known: KnownPlaces | None = None


def listen(agent: Agent, hear: Callable[[Thoughts], None] | None) -> bool:
    """From now on `hear` is called with an agent's thoughts at every `act`; None ends that.

    An agent inside others (an ask policy, perfect interpretation) is found by their attribute `agent`.

    Returns:
        whether the agent has thoughts to tell: heuristics have none.
    """
    inner: Any = agent
    while hasattr(inner, "agent"):
        inner = inner.agent
    if not hasattr(inner, "hear"):
        return False
    inner.hear = hear
    inner.networks.explains = hear is not None
    return True
