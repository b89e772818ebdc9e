"""What somebody did, done again: the decisions of a trajectory file as an agent, for example a person's."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from helpanna.agents.agent import Decision
from helpanna.episodes.observation import Observation
from helpanna.episodes.perception import Perception
from helpanna.episodes.trajectory_file import read_trajectories
from helpanna.errors import InputError
from helpanna.tasks.split import Split


class Recorded:
    """Decides as the episodes of a file did; it knows their tasks only.

    Where the assistant is another than the recorded one, the decisions may not exist; then it stops.

    Attributes:
        tasks: those of the file, ascending.
    """

    def __init__(self, file: Path, split: Split) -> None:
        self._file = file
        self._told = read_trajectories(file, split)
        self._row = {int(task): row for row, task in enumerate(self._told.task)}
        self.tasks = np.sort(self._told.task)

    def begin(self, perception: Perception, tasks: NDArray[np.int64]) -> None:
        """Nothing to forget: everything is in the file."""
        unknown = [int(task) for task in tasks if int(task) not in self._row]
        if unknown:
            raise InputError(f"{self._file} has no episode of task {unknown[0]}; leave that task out.")

    def act(self, observation: Observation) -> Decision:
        """The recorded decision of this step; a stop after the last."""
        rows = np.array([self._row[int(task)] for task in observation.task])
        step = np.minimum(observation.step, self._told.steps - 1)
        on = observation.step < self._told.length[rows]
        action = np.maximum(np.where(on, self._told.action[rows, step], 0), 0)
        exists = observation.candidates.mask[np.arange(len(rows)), action]
        return Decision(ask=on & self._told.asked[rows, step], action=np.where(exists, action, 0))
