"""Agents that know what no honest agent may know: the map and the goals. They are given the split when made.

They show what is possible: `Shortest` for navigation, `PerfectInterpretation` for understanding assistance,
`PerfectRecognition` for knowing what one looks for.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from helpanna.agents.agent import Agent, Decision
from helpanna.agents.heuristics import navigate
from helpanna.assistance.adviser import ADVISED_STEPS
from helpanna.episodes.observation import Observation
from helpanna.episodes.perception import Perception
from helpanna.episodes.states import STOP
from helpanna.episodes.trajectory import NO_TARGET
from helpanna.randomness import choices
from helpanna.tasks.kinds import REVERIE
from helpanna.tasks.split import Split

Ints = NDArray[np.int64]


def teacher_action(split: Split, observation: Observation) -> Ints:
    """[B] what the navigation teacher does: the next location on the shortest path, stop at its end.

    It walks to the target image's location if there is one, else to the nearest goal. To those who know the
    split, the handle of a panorama is its location.
    """
    here = observation.panorama
    goal = split.goal_sets.nearest_to(split.goal_set[observation.task], here)
    target = np.where(observation.target != NO_TARGET, observation.target, goal)
    return np.maximum(split.atlas.actions_towards(here, observation.view, target), STOP)


@dataclass
class Shortest:
    """The navigation teacher itself."""

    split: Split

    def begin(self, perception: Perception, tasks: Ints) -> None:
        """Nothing is remembered."""

    def act(self, observation: Observation) -> Decision:
        """The teacher's action."""
        decision = navigate(teacher_action(self.split, observation))
        if self.split.kind is REVERIE and self.split.references is not None:
            things = self.split.references.thing[observation.task].astype(np.int64)
            return replace(decision, notes={"object": things})
        return decision


@dataclass
class PerfectInterpretation:
    """Another agent that understands assistance perfectly: the navigation teacher acts while on a route.

    Where advice is no route (VNLA), the teacher acts for the steps that an advice covers.
    """

    agent: Agent
    split: Split

    def begin(self, perception: Perception, tasks: Ints) -> None:
        """A batch begins for the other agent."""
        self.agent.begin(perception, tasks)
        self._advised = np.zeros(len(tasks), dtype=np.int64)

    def act(self, observation: Observation) -> Decision:
        """The other agent's decision, with the teacher's navigation action on routes."""
        decision = self.agent.act(observation)
        reference = teacher_action(self.split, observation)
        follows = observation.on_route
        if not self.split.kind.subtasks:
            told = observation.text_changed & (observation.step > 0)
            self._advised = np.where(told, ADVISED_STEPS, self._advised)
            follows = self._advised > 0
            self._advised = np.maximum(self._advised - 1, 0)
        return replace(decision, action=np.where(follows, reference, decision.action))


@dataclass
class PerfectRecognition:
    """Another agent that knows a goal when it is at one.

    Off routes it stops where that is a success, and nowhere else: where the other agent would, it goes on to
    any neighbouring place.
    """

    agent: Agent
    split: Split
    seed: int = 0

    def begin(self, perception: Perception, tasks: Ints) -> None:
        """A batch begins for the other agent."""
        self.agent.begin(perception, tasks)

    def act(self, observation: Observation) -> Decision:
        """The other agent's decision, but for where to stop."""
        decision = self.agent.act(observation)
        split, here = self.split, observation.panorama
        metres = split.goal_sets.distance_from(split.goal_set[observation.task], here)
        searches = ~observation.on_route
        arrived = searches & (metres <= split.kind.success_metres)
        ways = observation.candidates.mask.sum(axis=1) - 1
        any_way = 1 + choices(self.seed, "walk on", np.maximum(ways, 1), observation.task, observation.step)
        goes_on = searches & (decision.action == STOP) & (ways > 0)
        action = np.where(goes_on, any_way, decision.action)
        return replace(decision, ask=decision.ask & ~arrived, action=np.where(arrived, STOP, action))
