"""Algorithm 1 of the paper: task episodes, for a batch of agents at once."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from helpanna.assistance.assistants import Assistant
from helpanna.episodes.observation import NavigationActions, Observation, Places
from helpanna.episodes.states import STOP, States, Taken
from helpanna.episodes.texts import in_order_of_use
from helpanna.episodes.trajectory import Trajectories
from helpanna.tasks.split import Split

__all__ = ["EVALUATION_BUDGET", "STOP", "TRAINING_BUDGET", "Episodes", "Observation"]

TRAINING_BUDGET = 20
EVALUATION_BUDGET = 50

_MESSAGE = ("route", "instruction", "departure", "goal")


class Episodes:
    """Runs B episodes side by side; none depends on its neighbours.

    Call `observe`, decide, `step`, until `active` is all False; then read `trajectories`.
    """

    def __init__(
        self, split: Split, assistant: Assistant, tasks: ArrayLike, budget: int = EVALUATION_BUDGET
    ) -> None:
        self.split, self.budget = split, budget
        self.task = np.array(tasks, dtype=np.int64, ndmin=1)
        self.step_number = 0
        self._states = States(split, assistant, len(self.task), budget)
        self._states.begin(np.arange(len(self.task)), self.task)
        self._places = Places(split.atlas, split.start[self.task])
        self._record = _Record(self._states)
        self._observation: Observation | None = None

    @property
    def active(self) -> NDArray[np.bool_]:
        """[B] which episodes go on."""
        return self._states.active

    def observe(self) -> Observation:
        """What the agents are given now."""
        if self._observation is None:
            states = self._states
            candidates = states.poses.candidates()
            place = self._places.look(candidates.location, candidates.mask)
            self._observation = Observation(
                task=self.task,
                step=self.step_number,
                active=states.active.copy(),
                place=place[:, 0],
                panorama=states.poses.location,
                view=states.poses.view,
                candidates=NavigationActions(place, candidates.view, candidates.slot, candidates.mask),
                can_ask=states.can_ask(),
                text=states.text.copy(),
                words=states.words.copy(),
                text_changed=states.text_changed,
                target=states.target.copy(),
                on_route=states.on_route.copy(),
            )
        return self._observation

    def step(self, ask: ArrayLike, action: ArrayLike, notes: Mapping[str, ArrayLike] | None = None) -> None:
        """Carries out one decision of every active agent.

        Args:
            ask: [B] whether to request help; ignored where it cannot be requested.
            action: [B] the navigation action's index; ignored where help is requested.
            notes: what the agents write down of themselves, see `Trajectories`.
        """
        seen = self.observe()
        segment = self._states.segment.copy()
        asks = np.asarray(ask, dtype=bool) & seen.can_ask
        taken = self._states.step(seen.active, asks, np.asarray(action, dtype=np.int64))
        self._record.add(seen, segment, taken, self._states, notes or {})
        self.step_number += 1
        self._observation = None

    def end(self, who: NDArray[np.bool_]) -> None:
        """The time of some agents is up."""
        self._states.active &= ~who
        self._observation = None

    def trajectories(self) -> Trajectories:
        """What has happened so far."""
        return self._record.trajectories(self._states.texts.said)


class _Record:
    """Collects what `Trajectories` holds: tables [T, B], so that a step writes one row of each."""

    def __init__(self, states: States) -> None:
        self._shape = shape = (states.budget, len(states.task))
        self._task = states.task.copy()
        self._length = np.zeros(len(self._task), dtype=np.int64)
        self._metres = np.zeros(len(self._task))
        self._tables: dict[str, NDArray[Any]] = {
            **{name: np.full((shape[0] + 1, shape[1]), -1) for name in ("location", "view")},
            **{name: np.zeros(shape, dtype=bool) for name in ("on_route", "can_ask", "asked")},
            **{name: np.full(shape, -1) for name in ("text", "target", "segment", "action", *_MESSAGE)},
        }
        self._tables["location"][0] = states.poses.location
        self._tables["view"][0] = states.poses.view
        self._notes: dict[str, NDArray[Any]] = {}

    def add(
        self,
        seen: Observation,
        segment: NDArray[np.int64],
        taken: Taken,
        after: States,
        notes: Mapping[str, ArrayLike],
    ) -> None:
        active, t = seen.active, seen.step
        columns = {
            "on_route": seen.on_route, "text": seen.text, "target": seen.target, "segment": segment,
            "can_ask": seen.can_ask, "asked": taken.asked, "action": taken.action,
            **{name: getattr(taken, name) for name in _MESSAGE},
        }  # fmt: skip
        for name, column in columns.items():
            np.copyto(self._tables[name][t], column, where=active)
        np.copyto(self._tables["location"][t + 1], after.poses.location, where=active)
        np.copyto(self._tables["view"][t + 1], after.poses.view, where=active)
        for name, note in notes.items():
            values = np.asarray(note)
            if name not in self._notes:
                self._notes[name] = np.zeros((*self._shape, *values.shape[1:]), dtype=values.dtype)
            self._notes[name][t, active] = values[active]
        self._length += active
        self._metres += taken.metres

    def trajectories(self, said: Sequence[str]) -> Trajectories:
        if not self._length.any():
            raise ValueError("no step has been taken yet.")
        tables = {name: table.T.copy() for name, table in self._tables.items()}
        tables["instruction"], tables["text"], said = in_order_of_use(
            tables["instruction"], tables["text"], said
        )
        return Trajectories(
            task=self._task.copy(),
            length=self._length.copy(),
            metres=self._metres.copy(),
            notes={name: note.swapaxes(0, 1).copy() for name, note in self._notes.items()},
            said=said,
            **tables,
        )
