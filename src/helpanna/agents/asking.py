"""Ask policies, and how they combine with any agent."""

from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from helpanna.agents.agent import Agent, Decision
from helpanna.agents.places import PlaceTable
from helpanna.episodes.observation import Observation
from helpanna.episodes.perception import Perception
from helpanna.episodes.states import STOP
from helpanna.randomness import uniforms

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


class AskPolicy(Protocol):
    """Decides when to request help. Like an agent, it looks at one episode at a time."""

    def begin(self, perception: Perception, tasks: Ints) -> None:
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

    def begin(self, perception: Perception, tasks: Ints) -> None:
        """A batch begins for both."""
        self.agent.begin(perception, tasks)
        self.policy.begin(perception, tasks)

    def act(self, observation: Observation) -> Decision:
        """The agent's navigation action and the policy's request."""
        decision = self.agent.act(observation)
        return replace(decision, ask=self.policy.ask(observation, decision.action))


class NoAsk:
    """Does not request help."""

    def begin(self, perception: Perception, tasks: Ints) -> None:
        """Nothing is remembered."""

    def ask(self, observation: Observation, action: Ints) -> Bools:
        """Never."""
        return np.zeros(len(observation.task), dtype=bool)


@dataclass
class RandomAsk:
    """Requests help with a fixed probability at every time step at which it can."""

    seed: int = 0
    probability: float = 0.2

    def begin(self, perception: Perception, tasks: Ints) -> None:
        """Nothing is remembered."""

    def ask(self, observation: Observation, action: Ints) -> Bools:
        """With this probability."""
        drawn = uniforms(self.seed, "random ask", observation.task, observation.step)
        return observation.can_ask & (drawn < self.probability)


@dataclass
class AskEvery5:
    """Requests help five time steps after the last request, or as soon after that as it can.

    As in the published code the first request is counted from the step before the first.
    """

    steps: int = 5
    _last: Ints = field(init=False, repr=False)

    def begin(self, perception: Perception, tasks: Ints) -> None:
        """As if everybody had just made a request."""
        self._last = np.full(len(tasks), -1)

    def ask(self, observation: Observation, action: Ints) -> Bools:
        """Where the last request was at least five time steps ago, and help can be requested."""
        asks = observation.can_ask & (observation.step - self._last >= self.steps)
        self._last = np.where(asks, observation.step, self._last)
        return asks


class AskUntried:
    """Requests help wherever it can and has not asked yet.

    Not on a route, where it listens to what it was told, nor where the navigator stops because it has
    arrived.
    """

    def begin(self, perception: Perception, tasks: Ints) -> None:
        """No place has been tried."""
        self._tried = PlaceTable(len(tasks), np.array(False))

    def ask(self, observation: Observation, action: Ints) -> Bools:
        """Once at each place, between routes."""
        here = observation.place
        asks = observation.can_ask & ~observation.on_route & ~self._tried[here] & (action != STOP)
        self._tried[here] |= self._tries(asks)
        return asks

    def _tries(self, asks: Bools) -> Bools:
        """[B] whether the place where it stands needs no request from now on."""
        return asks


class AskNew(AskUntried):
    """As `AskUntried`, but only where it has never been: where a route led it, it looks around first."""

    def _tries(self, asks: Bools) -> Bools:
        return np.ones_like(asks)
