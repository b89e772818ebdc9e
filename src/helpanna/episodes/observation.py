"""What agents are given before a decision.

An agent keeps track of where it walks (odometry): within an episode it recognises the places it has been at
or seen. Places are numbered for each agent in the order in which it first sees them, so that the numbers say
what the walk itself tells and nothing more. What a place looks like is behind a handle that only the
`Perception` of the split turns into features or pictures.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.worlds.atlas import Atlas

Ints = NDArray[np.int64]

NO_PLACE = -1


@dataclass(frozen=True, eq=False)
class NavigationActions:
    """The navigation actions of B agents, up to A each: stop first, then moves, straight ahead first.

    Attributes:
        place: [B, A] the number of the place where each action leads (-1 where there is no action).
        view: [B, A] the camera's view afterwards.
        slot: [B, A] the action's static slot, 0..36 (36 is stop).
        mask: [B, A] whether the action exists.
    """

    place: NDArray[np.int32]
    view: NDArray[np.int8]
    slot: NDArray[np.int8]
    mask: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Observation:
    """What B agents are given before a decision: indices, from which features and words are gathered.

    Attributes:
        task: [B] the index of the task in the split; with `step` it addresses draws.
        step: the time step, from 0.
        active: [B] whether the episode goes on; the rest of a finished agent's row means nothing.
        place: [B] the number of the place where it stands, in the order in which this agent first saw them.
        panorama: [B] a handle for what it sees around itself, for a `Perception`. The number itself means
            nothing to an agent.
        view: [B] the camera's view.
        candidates: the navigation actions.
        can_ask: [B] whether help can be requested here.
        text: [B] a number for the current instruction: in a batch the same text has the same number.
        words: [B] its words.
        text_changed: [B] whether the instruction is new: this agent's inter-task state is reset.
        target: [B] a handle for the target image, a panorama likewise, -1 for none.
        on_route: [B] whether the agent is on a subtask.
    """

    task: Ints
    step: int
    active: NDArray[np.bool_]
    place: NDArray[np.int32]
    panorama: Ints
    view: Ints
    candidates: NavigationActions
    can_ask: NDArray[np.bool_]
    text: Ints
    words: NDArray[np.object_]
    text_changed: NDArray[np.bool_]
    target: Ints
    on_route: NDArray[np.bool_]

    def select(self, rows: Ints) -> "Observation":
        """The observation of these agents only, in this order; an agent may come more than once."""
        chosen = {
            f.name: getattr(self, f.name)[rows] for f in fields(self) if f.name not in ("step", "candidates")
        }
        actions = {f.name: getattr(self.candidates, f.name)[rows] for f in fields(self.candidates)}
        return replace(self, **chosen, candidates=NavigationActions(**actions))

    @staticmethod
    def join(parts: "Sequence[Observation]") -> "Observation":
        """The observation of all agents of some observations of the same step."""
        first = parts[0]
        joined: dict[str, Any] = {
            f.name: np.concatenate([getattr(part, f.name) for part in parts])
            for f in fields(first)
            if f.name not in ("step", "candidates")
        }
        actions = {
            f.name: np.concatenate([getattr(part.candidates, f.name) for part in parts])
            for f in fields(first.candidates)
        }
        return replace(first, **joined, candidates=NavigationActions(**actions))


class Places:
    """Numbers the places that each of B agents sees, in the order in which it first sees them."""

    def __init__(self, atlas: Atlas, start: NDArray[np.integer[Any]]) -> None:
        world = atlas.world_of[start]
        first = atlas.world_start[world]
        width = int(np.max(atlas.world_start[world + 1] - first, initial=0))
        # A location v of agent b has its number at `_row[b] + v`; the entry after the last stays empty.
        self._row = np.arange(len(start)) * width - first
        self._number = np.full(len(start) * width + 1, NO_PLACE, dtype=np.int32)
        self._count = np.zeros(len(start), dtype=np.int32)

    def look(self, location: NDArray[np.int32], exists: NDArray[np.bool_]) -> NDArray[np.int32]:
        """[B, A] the numbers of what the agents see now: where each action leads, stop first.

        What is new to an agent is numbered in the order of its actions.
        """
        entry = np.where(exists, self._row[:, None] + location, len(self._number) - 1)
        number = self._number.take(entry)
        new = exists & (number == NO_PLACE)
        if new.any():
            rank = np.cumsum(new, axis=1, dtype=np.int32)
            number = np.where(new, self._count[:, None] + rank - 1, number)
            self._number[entry[new]] = number[new]
            self._count += rank[:, -1]
        return number
