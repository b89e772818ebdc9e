"""The trajectory: the one record of what happened, which teachers, metrics and the viewer read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.episodes.texts import OWN_WORDS, in_order_of_use, words_of
from helpanna.tasks.split import Split

LONGEST_BUDGET = 2_000
"""Time steps of an episode at most: tables have a column for each."""

NO_ACTION_TAKEN = -1
NO_TARGET = -1
NO_ANSWER = -1


@dataclass(frozen=True, eq=False)
class Trajectories:
    """B episodes of at most T decisions each; entries after an episode's `length` are -1 or 0.

    A request without an answer is recorded as asked, with no route, instruction, departure or goal; it is no
    task switch. An answer in an assistant's own words has an instruction from `OWN_WORDS` on, and a route
    only if it named one.

    Attributes:
        task: [B] the task of the split.
        length: [B] how many decisions were made.
        location: [B, T + 1] where the agent was before each decision, and at the end.
        view: [B, T + 1] the camera's view likewise.
        on_route: [B, T] the mode before the decision: True for sub_task, False for main_task.
        text: [B, T] the number of the current instruction, see `words`.
        target: [B, T] the location of the target panorama, -1 for none.
        segment: [B, T] counts the task switches (answers and departures) before this decision.
        can_ask: [B, T] whether help could be requested.
        asked: [B, T] whether it was.
        action: [B, T] the navigation action's index, -1 where help was requested.
        route: [B, T] the route that was named where help was requested, else -1.
        instruction: [B, T] the number of the text that was given then, else -1.
        departure: [B, T] v_d, whose panorama was shown: where that route is to be left; else -1.
        goal: [B, T] g*, whose panorama is shown on leaving that route, else -1.
        metres: [B] the distance travelled, prices included.
        notes: what an agent wrote down of itself, each [B, T, ...]: "entropy" of its navigation distribution
            in base 37, "guess" (that distribution's argmax, an action index), "reasons" (its three predicted
            conditions lost, uncertain_wrong and never_asked, as probabilities), "object" (what it points at).
        said: what assistants said in their own words, in the order in which the episodes hold it; its first
            has the number `OWN_WORDS`.
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
    said: tuple[str, ...] = ()

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

    @property
    def answered(self) -> NDArray[np.bool_]:
        """[B, T] whether help was requested and an answer given."""
        return self.instruction != NO_ANSWER

    def words(self, split: Split, text: int) -> str:
        """The words of a text, by its number in `text` or `instruction`."""
        return words_of(split, self.said, text)

    def select(self, episodes: NDArray[Any]) -> "Trajectories":
        """Only these episodes (indices or a mask)."""
        columns = {name: getattr(self, name)[episodes] for name in _COLUMNS}
        return _numbered(columns, {name: note[episodes] for name, note in self.notes.items()}, self.said)


_COLUMNS = tuple(f.name for f in fields(Trajectories) if f.name not in ("notes", "said"))


def join(parts: Sequence[Trajectories]) -> Trajectories:
    """The episodes of all parts, one after the other; the tables must be equally wide."""
    columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _COLUMNS}
    notes = {name: np.concatenate([part.notes[name] for part in parts]) for name in parts[0].notes}
    said = list(dict.fromkeys(words for part in parts for words in part.said))
    if said:
        numbers = {words: OWN_WORDS + i for i, words in enumerate(said)}
        for name in ("text", "instruction"):
            columns[name] = np.concatenate(
                [_shifted(getattr(part, name), part.said, numbers) for part in parts]
            )
    return _numbered(columns, notes, said)


def _shifted(column: NDArray[np.int64], said: Sequence[str], numbers: Mapping[str, int]) -> NDArray[np.int64]:
    """A part's texts with other numbers for own words."""
    if not said:
        return column
    new = np.array([numbers[words] for words in said])
    return np.where(column >= OWN_WORDS, new[np.maximum(column - OWN_WORDS, 0)], column)


def _numbered(
    columns: dict[str, NDArray[Any]], notes: Mapping[str, NDArray[Any]], said: Sequence[str]
) -> Trajectories:
    instruction, text, used = in_order_of_use(columns["instruction"], columns["text"], said)
    return Trajectories(**columns | {"instruction": instruction, "text": text}, notes=notes, said=used)
