"""Ask policies, and how they combine with any agent."""

from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from helpanna.agents.agent import Agent, Decision
from helpanna.agents.places import PlaceTable
from helpanna.episodes.episodes import STOP, Observation
from helpanna.randomness import uniforms
from helpanna.tasks.split import Split

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


class AskPolicy(Protocol):
    """Decides when to request help. Like an agent, it looks at one episode at a time."""

    def begin(self, split: Split, tasks: Ints) -> None:
        """A batch of episodes begins: forget the last one."""
        ...

    def ask(self, observation: Observation, action: Ints) -> Bools:
        """[B] whether to request help now; never where it cannot be requested.

        Args:
            observation: what the agents are given.
            action: [B] the navigation action that the agent would take instead.
        """
        ...


@dataclass
class Asking:
    """An agent whose help requests are decided by an ask policy instead of by itself."""

    agent: Agent
    policy: AskPolicy

    def begin(self, split: Split, tasks: Ints) -> None:
        """A batch begins for both."""
        self.agent.begin(split, tasks)
        self.policy.begin(split, tasks)

    def act(self, observation: Observation) -> Decision:
        """The agent's navigation action and the policy's request."""
        decision = self.agent.act(observation)
        return replace(decision, ask=self.policy.ask(observation, decision.action))


class NoAsk:
    """Does not request help."""

    def begin(self, split: Split, tasks: Ints) -> None:
        """Nothing is remembered."""

    def ask(self, observation: Observation, action: Ints) -> Bools:
        """Never."""
        return np.zeros(len(observation.task), dtype=bool)


@dataclass
class RandomAsk:
    """Requests help with a fixed probability at every time step at which it can."""

    seed: int = 0
    probability: float = 0.2

    def begin(self, split: Split, tasks: Ints) -> None:
        """Nothing is remembered."""

    def ask(self, observation: Observation, action: Ints) -> Bools:
        """With this probability."""
        drawn = uniforms(self.seed, "random ask", observation.task, observation.step)
        return observation.can_ask & (drawn < self.probability)


@dataclass
class AskEvery5:
    """Requests help as soon as it has walked at least five time steps since the last request."""

    steps: int = 5
    _walked: Ints = field(init=False, repr=False)

    def begin(self, split: Split, tasks: Ints) -> None:
        """Nobody has walked yet."""
        self._walked = np.zeros(len(tasks), dtype=np.int64)

    def ask(self, observation: Observation, action: Ints) -> Bools:
        """After five time steps without a request, wherever help can first be requested then."""
        asks = observation.can_ask & (self._walked >= self.steps)
        self._walked = np.where(asks, 0, self._walked + 1)
        return asks


class AskUntried:
    """Requests help wherever it can and has not asked yet.

    Not on a route, where it listens to what it was told, nor where the navigator stops because it has
    arrived.
    """

    def begin(self, split: Split, tasks: Ints) -> None:
        """No location has been tried."""
        self._tried = PlaceTable(split, tasks, np.array(False))

    def ask(self, observation: Observation, action: Ints) -> Bools:
        """Once at each location, between routes."""
        here = observation.location
        asks = observation.can_ask & ~observation.on_route & ~self._tried[here] & (action != STOP)
        self._tried[here] |= self._tries(asks)
        return asks

    def _tries(self, asks: Bools) -> Bools:
        """[B] whether the location where it stands needs no request from now on."""
        return asks


class AskNew(AskUntried):
    """As `AskUntried`, but only where it has never been: where a route led it, it looks around first."""

    def _tries(self, asks: Bools) -> Bools:
        return np.ones_like(asks)
