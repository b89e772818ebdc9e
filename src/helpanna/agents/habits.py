"""How a trained agent uses its networks, whatever these are."""

from dataclasses import dataclass
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from helpanna.agents.agent import Agent
from helpanna.episodes.conditions import USUAL_LOST, Lost

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Habits:
    """What belongs to an agent and not to its networks; stored with it.

    Attributes:
        language: whether assistants' instructions are read; otherwise help is the target image only,
            and the text on a route is empty.
        picture: whether the target image is seen; otherwise help is words only, on a route and after it.
        ask_once: whether the agent is kept from requesting help twice at a location (not in the paper).
        patience: how many time steps a route is tried before help may be requested again (not in the paper).
        ask_above: the probability of request_help above which a greedy agent requests it; 0.5 is the paper's.
            That is the price of a request: asking in vain costs so much, and not asking where help was
            wanted the rest to 1.
        ask_scale, ask_offset: correct the log odds of that probability (`helpanna agents calibrate`).
        set_above: if given, help is requested where not exactly one action has at least this probability,
            that is, where the conformal set is not of one action; whatever the probability of request_help.
        lost: the reading of the condition `lost` by which it was taught, and by which it is to be scored.
    """

    language: bool = True
    picture: bool = True
    ask_once: bool = False
    patience: int = 0
    ask_above: float = 0.5
    ask_scale: float = 1.0
    ask_offset: float = 0.0
    set_above: float | None = None
    lost: Lost = USUAL_LOST

    def wants_help(self, ask: Floats, actions: Floats | None) -> Bools:
        """[B] whether greedy agents would request help.

        Args:
            ask: [B] the probability of request_help, as the networks put it out.
            actions: [B, A] the probability of each action; needed with `set_above` only.
        """
        if self.set_above is None or actions is None:
            return ask > self.asks_from
        return (actions >= self.set_above).sum(axis=1) != 1

    @property
    def asks_from(self) -> float:
        """The networks' own probability of request_help above which the corrected one is above the price.

        One number is corrected instead of all: so no agent's last bits depend on its neighbours.
        """
        if self.ask_above in (0, 1):
            return self.ask_above
        odds = log(self.ask_above / (1 - self.ask_above))
        return 1 / (1 + exp(-(odds - self.ask_offset) / self.ask_scale))


def lost_of(agent: Agent) -> Lost:
    """The reading of `lost` by which an agent was taught; the usual one for agents that were taught nothing.

    An agent inside others (an ask policy, perfect interpretation) is found by their attribute `agent`.
    """
    inner: object = agent
    while hasattr(inner, "agent"):
        inner = inner.agent
    lost: Lost = getattr(inner, "lost", USUAL_LOST)
    return lost
