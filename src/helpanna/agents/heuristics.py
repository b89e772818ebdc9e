"""Navigators that learn nothing: the paper's RandomWalk, Forward10 and Shortest, and perfect interpretation.

They never request help; an ask policy (`helpanna.agents.asking`) can be put on top of any of them.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from helpanna.agents.agent import Agent, Decision
from helpanna.episodes.episodes import STOP, Observation
from helpanna.episodes.trajectory import NO_TARGET
from helpanna.randomness import choices
from helpanna.tasks.split import Split
from helpanna.worlds.paths import NO_HOP

Ints = NDArray[np.int64]

_AHEAD = 1


def navigate(action: Ints) -> Decision:
    """The decision to take these navigation actions and not to ask."""
    return Decision(ask=np.zeros(len(action), dtype=bool), action=action)


def action_to(observation: Observation, location: Ints) -> Ints:
    """[B] the navigation action that leads to an adjacent location; stop where none does."""
    leads_there = observation.candidates.location == location[:, None]
    return np.argmax(leads_there, axis=1)  # the first action, stop, where no action leads there


def teacher_action(split: Split, observation: Observation) -> Ints:
    """[B] what the navigation teacher does: the next location on the shortest path, stop at its end.

    It walks to the target panorama's location if there is one, else to the nearest goal.
    """
    here = observation.location
    goal = split.goal_sets.nearest_to(split.goal_set[observation.task], here)
    target = np.where(observation.target != NO_TARGET, observation.target, goal)
    hop = np.where(target >= 0, split.atlas.next_hops(here, np.maximum(target, 0)), NO_HOP)
    return np.where(hop == NO_HOP, STOP, action_to(observation, hop.astype(np.int64)))


@dataclass
class RandomWalk:
    """Takes a navigation action at random at every time step; stop is one of them."""

    seed: int = 0

    def begin(self, split: Split, tasks: Ints) -> None:
        """Nothing is remembered."""

    def act(self, observation: Observation) -> Decision:
        """Any action that exists, each as likely as the others."""
        count = observation.candidates.mask.sum(axis=1)
        return navigate(choices(self.seed, "random walk", count, observation.task, observation.step))


@dataclass
class Forward10:
    """Goes straight ahead for ten time steps, then stops."""

    steps: int = 10

    def begin(self, split: Split, tasks: Ints) -> None:
        """Nothing is remembered."""

    def act(self, observation: Observation) -> Decision:
        """The location closest to the centre of the current view; stop where there is none."""
        walks = observation.candidates.mask[:, _AHEAD:].any(axis=1) & (observation.step < self.steps)
        return navigate(np.where(walks, _AHEAD, STOP))


class Shortest:
    """The navigation teacher itself: a skyline."""

    def begin(self, split: Split, tasks: Ints) -> None:
        """Remembers the split."""
        self._split = split

    def act(self, observation: Observation) -> Decision:
        """The teacher's action."""
        return navigate(teacher_action(self._split, observation))


@dataclass
class PerfectInterpretation:
    """Another agent that understands assistance perfectly: the navigation teacher acts while on a route."""

    agent: Agent

    def begin(self, split: Split, tasks: Ints) -> None:
        """A batch begins for the other agent too."""
        self._split = split
        self.agent.begin(split, tasks)

    def act(self, observation: Observation) -> Decision:
        """The other agent's decision, with the teacher's navigation action on routes."""
        decision = self.agent.act(observation)
        reference = teacher_action(self._split, observation)
        return replace(decision, action=np.where(observation.on_route, reference, decision.action))
