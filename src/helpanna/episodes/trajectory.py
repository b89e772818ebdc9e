"""The trajectory: the one record of what happened, which teachers, metrics and the viewer read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

NO_ACTION_TAKEN = -1
NO_TARGET = -1


@dataclass(frozen=True, eq=False)
class Trajectories:
    """B episodes of at most T decisions each; entries behind an episode's `length` are -1 or 0.

    Attributes:
        task: [B] the task of the split.
        length: [B] how many decisions were made.
        location: [B, T + 1] where the agent was before each decision, and at the end.
        view: [B, T + 1] the camera's view likewise.
        on_route: [B, T] the mode before the decision: True for sub_task, False for main_task.
        text: [B, T] the current instruction, an index into the split's texts.
        target: [B, T] the location of the target panorama, -1 for none.
        segment: [B, T] counts the task switches (requests and departures) before this decision.
        can_ask: [B, T] whether help could be requested.
        asked: [B, T] whether it was.
        action: [B, T] the navigation action's index, -1 where help was requested.
        route: [B, T] the route that was named where help was requested, else -1.
        instruction: [B, T] the instruction given with it, an index into the split's texts, else -1.
        departure: [B, T] v_d, where that route is to be left, else -1.
        goal: [B, T] g*, whose panorama is shown on leaving that route, else -1.
        metres: [B] the distance travelled, prices included.
        notes: what an agent wrote down of itself, each [B, T, ...]: "entropy" of its navigation distribution
            in base 37, "guess" (that distribution's argmax, an action index), "reasons" (its three predicted
            conditions lost, uncertain_wrong and never_asked, as probabilities).
    """

    task: NDArray[np.int64]
    length: NDArray[np.int64]
    location: NDArray[np.int64]
    view: NDArray[np.int64]
    on_route: NDArray[np.bool_]
    text: NDArray[np.int64]
    target: NDArray[np.int64]
    segment: NDArray[np.int64]
    can_ask: NDArray[np.bool_]
    asked: NDArray[np.bool_]
    action: NDArray[np.int64]
    route: NDArray[np.int64]
    instruction: NDArray[np.int64]
    departure: NDArray[np.int64]
    goal: NDArray[np.int64]
    metres: NDArray[np.float64]
    notes: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.task)

    @property
    def steps(self) -> int:
        """T, the width of the tables."""
        return self.asked.shape[1]

    @property
    def decided(self) -> NDArray[np.bool_]:
        """[B, T] whether a decision was made at this step."""
        return np.arange(self.steps) < self.length[:, None]

    @property
    def final(self) -> NDArray[np.int64]:
        """[B] where the agent was at the end."""
        return self.location[np.arange(len(self)), self.length]

    def select(self, episodes: NDArray[Any]) -> "Trajectories":
        """Only these episodes (indices or a mask)."""
        columns = {f.name: getattr(self, f.name)[episodes] for f in fields(self) if f.name != "notes"}
        return Trajectories(**columns, notes={name: note[episodes] for name, note in self.notes.items()})


def join(parts: Sequence[Trajectories]) -> Trajectories:
    """The episodes of all parts, one behind the other; the tables must be equally wide."""

    def joined(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(part, name) for part in parts])

    notes = {name: np.concatenate([part.notes[name] for part in parts]) for name in parts[0].notes}
    return Trajectories(
        **{f.name: joined(f.name) for f in fields(Trajectories) if f.name != "notes"}, notes=notes
    )
