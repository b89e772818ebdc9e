"""VNLA's adviser: says the next steps of the shortest path, as often as its budget allows.

Nguyen et al. 2019, "Vision-based Navigation with Language-based Assistance via Imitation Learning with
Indirect Intervention". The advice is told on top of the request ("turn 60 degrees right, go forward 2 steps.
find a pillow in the bedroom"): indirect intervention. To carry it out in the agent's place, direct
intervention, is what `+perfect` does.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from helpanna.assistance.assistants import Answers, Bools, Ints, Requests
from helpanna.tasks.room_tasks import room_kinds_of_locations
from helpanna.tasks.split import Split
from helpanna.worlds.geometry import ANGLE_STEP, HEADINGS

ADVISED_STEPS = 4
"""k: how many steps an advice covers."""
HELP_RATIO = 0.4
"""tau: the share of a task's steps that advice may cover."""


def request_budgets(split: Split) -> Ints:
    """[T] how often each task may ask: T tau / k rounded, at least once.

    T is how many steps such a task takes: the mean over the split's tasks that lead from the same kind of
    room to the same kind of room, so that the budget does not tell how far this very goal is.
    """
    goal = split.goal_sets.nearest_to(split.goal_set, split.start)
    steps = split.atlas.path_locations(split.start, goal) - 1
    kinds = room_kinds_of_locations(split.atlas)
    _, alike = np.unique(
        [f"{a}\n{b}" for a, b in zip(kinds[split.start], kinds[goal], strict=True)], return_inverse=True
    )
    mean = np.bincount(alike, steps) / np.bincount(alike)
    return np.maximum(np.rint(mean[alike] * HELP_RATIO / ADVISED_STEPS), 1).astype(np.int64)


@dataclass(frozen=True)
class Adviser:
    """Attends everywhere until the task's budget is used up."""

    split: Split
    steps: int = ADVISED_STEPS

    @cached_property
    def _budgets(self) -> Ints:
        return request_budgets(self.split)

    def attends(self, requests: Requests) -> Bools:
        """While requests are left."""
        return requests.asked < self._budgets[requests.task]

    def answer(self, requests: Requests) -> Answers:
        """The next steps in words, then the request."""
        turns, moves = self._way(requests)
        asked = self.split.text_table[self.split.request[requests.task]]
        words = [
            f"{spoken(turn, move)}. {request}"
            for turn, move, request in zip(turns.tolist(), moves.tolist(), asked, strict=True)
        ]
        return replace(Answers.none(len(requests)), words=words)

    def _way(self, requests: Requests) -> tuple[Ints, NDArray[np.bool_]]:
        """[b, k] by how many views each step turns right (left is negative), and whether it is a move."""
        atlas = self.split.atlas
        location, view = requests.location.astype(np.int64), requests.view.astype(np.int64)
        goal = self.split.goal_sets.nearest_to(requests.goal_set, location).astype(np.int64)
        turns, moves = [], []
        for _ in range(self.steps):
            action = np.maximum(atlas.actions_towards(location, view, goal), 0)
            towards = atlas.action_view[location, view, action].astype(np.int64)
            turn = np.mod(towards - view, HEADINGS)
            turns.append(np.where(turn > HEADINGS // 2, turn - HEADINGS, turn))
            moves.append(action > 0)
            location, view = atlas.action_location[location, view, action].astype(np.int64), towards
        return np.stack(turns, axis=1), np.stack(moves, axis=1)


def spoken(turns: list[int], moves: list[bool]) -> str:
    """Steps in words: "turn 60 degrees right, go forward 2 steps"; "stop" where the way has ended.

    Args:
        turns: by how many views each step turns right before it goes; left is negative.
        moves: whether each step goes on; after the first that does not, the goal is reached.
    """
    said: list[str] = []
    ahead = 0
    for turn, move in [*zip(turns, moves, strict=True), (0, None)]:
        if ahead and (turn or not move):
            said.append(f"go forward {ahead} step{'s' if ahead > 1 else ''}")
            ahead = 0
        if move is False:
            said.append("stop")
            break
        if turn:
            degrees = round(np.degrees(abs(turn) * ANGLE_STEP))
            said.append(f"turn {degrees} degrees {'right' if turn > 0 else 'left'}")
        ahead += bool(move)
    return ", ".join(said)
