"""Navigators that learn nothing: the paper's RandomWalk and Forward10, and Room-to-Room's Random.

They never request help; an ask policy (`helpanna.agents.asking`) can be put on top of any of them.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from helpanna.agents.agent import Decision
from helpanna.episodes.observation import Observation
from helpanna.episodes.perception import Perception
from helpanna.episodes.states import STOP
from helpanna.randomness import choices
from helpanna.worlds.geometry import ANGLE_STEP, HEADINGS, angles

Ints = NDArray[np.int64]

_AHEAD = 1
_HALF_WIDTH = math.radians(40)
"""How far to either side of its centre a picture shows ways on, in the simulator of Room-to-Room."""


def navigate(action: Ints) -> Decision:
    """The decision to take these navigation actions and not to ask."""
    return Decision(ask=np.zeros(len(action), dtype=bool), action=action)


@dataclass
class RandomWalk:
    """Takes a navigation action at random at every time step; stop is one of them."""

    seed: int = 0

    def begin(self, perception: Perception, tasks: Ints) -> None:
        """Nothing is remembered."""

    def act(self, observation: Observation) -> Decision:
        """Any action that exists, each as likely as the others."""
        count = observation.candidates.mask.sum(axis=1)
        return navigate(choices(self.seed, "random walk", count, observation.task, observation.step))


@dataclass
class Forward10:
    """Goes straight ahead for ten time steps, then stops."""

    steps: int = 10

    def begin(self, perception: Perception, tasks: Ints) -> None:
        """Nothing is remembered."""

    def act(self, observation: Observation) -> Decision:
        """The location closest to the centre of the current view; stop where there is none."""
        walks = observation.candidates.mask[:, _AHEAD:].any(axis=1) & (observation.step < self.steps)
        return navigate(np.where(walks, _AHEAD, STOP))


class RandomHeading:
    """Room-to-Room's Random agent: turns to a random heading, goes straight ahead five times and stops.

    As in its published code the agent keeps its heading while it goes: straight ahead is the way closest to
    the centre of what a camera 80 degrees wide sees, and where it sees none, the agent turns right by 30
    degrees until it does.
    """

    def __init__(self, seed: int = 0, steps: int = 5) -> None:
        self.seed, self.steps = seed, steps

    def begin(self, perception: Perception, tasks: Ints) -> None:
        """Nobody has turned yet."""
        self._perception = perception
        self._heading: Ints | None = None

    def act(self, observation: Observation) -> Decision:
        """The way ahead; stop after five of them, or where there is none at all."""
        if self._heading is None:
            turned = choices(self.seed, "random heading", HEADINGS, observation.task)
            self._heading = (observation.view + turned) % HEADINGS
        heading, elevation = angles(self._perception.ways(observation))  # [B, A]
        moves = observation.candidates.mask.copy()
        moves[:, STOP] = False
        # What is ahead after 0, 1, 2, ... turns to the right: [B, A, 12].
        turns = self._heading[:, None, None] + np.arange(HEADINGS)
        off_centre = heading[:, :, None] - turns * ANGLE_STEP
        aside = np.abs(np.mod(off_centre + np.pi, 2 * np.pi) - np.pi)
        seen = moves[:, :, None] & (aside <= _HALF_WIDTH)
        turn = np.argmax(seen.any(axis=1), axis=1)  # the first at which something is seen
        rows = np.arange(len(turn))
        off = np.hypot(aside[rows, :, turn], elevation)
        action = np.argmin(np.where(seen[rows, :, turn], off, np.inf), axis=1)
        walks = seen.any(axis=(1, 2)) & (observation.step < self.steps)
        self._heading = np.where(walks & observation.active, (self._heading + turn) % HEADINGS, self._heading)
        return navigate(np.where(walks, action, STOP))
