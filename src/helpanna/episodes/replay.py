"""Replays recorded episodes: from names and locations back to trajectories, checking every step.

The mode, the instruction, the target, the segment and the camera's view follow from where an episode began,
where it went and what it was told: the episode is simply run again, with the record as the agent and as the
assistant.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.assistance.assistants import Answers, Requests
from helpanna.episodes.episodes import STOP, Episodes, Observation
from helpanna.episodes.records import Record, RecordError
from helpanna.episodes.trajectory import Trajectories
from helpanna.tasks.routes import NO_ROUTE
from helpanna.tasks.split import Split

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_UNKNOWN = -2
_ROUNDING = 0.01
"""Metres by which a record's distance may fall short of its walk."""


def replay(
    records: Sequence[Record], split: Split, budget: int | None, notes: Mapping[str, str]
) -> Trajectories:
    """Runs all episodes once more, side by side: the recorded decisions and the recorded answers.

    Args:
        records: the episodes, no task twice.
        split: their split.
        budget: the width of the tables; None for that of the longest episode.
        notes: the number type of every note.

    Raises:
        RecordError: an episode breaks the rules.
    """
    told = _Told(records, split)
    width = int(told.length.max()) if budget is None else budget
    told.check(told.length > width, lambda b: f"it has more steps than the header's budget of {width}.")
    starts = split.start[told.task]
    told.check(
        told.location[:, 0] != starts,
        lambda b: f"task {records[b].task} starts at {split.atlas.location_names[starts[b]]}.",
    )
    columns = {name: _notes(records, name, kind) for name, kind in notes.items()}
    episodes = Episodes(split, told, told.task, width)
    told.check_views(episodes.observe())
    for t in range(int(told.length.max())):
        action = told.actions(episodes.observe())
        episodes.step(told.asked[:, t], action, {name: note[:, t] for name, note in columns.items()})
        told.check_views(episodes.observe())
        episodes.end(told.length == t + 1)  # those without a last stop ran out of time
    trajectories = episodes.trajectories()
    return replace(trajectories, metres=told.metres(trajectories.metres))


class _Told:
    """What the records say, as tables; for the replay it is the assistant, too."""

    def __init__(self, records: Sequence[Record], split: Split) -> None:
        self._records, self._split = records, split
        self.task = np.array([record.task for record in records], dtype=np.int64)
        self.length = np.array([record.steps for record in records], dtype=np.int64)
        self._row = np.zeros(len(split), dtype=np.int64)
        self._row[self.task] = np.arange(len(records))
        self.location = _table([record.locations for record in records])
        self._action = _table([record.actions or [] for record in records], self.location.shape)
        self._view = _table([record.views or [] for record in records], self.location.shape)
        self._message = np.full((*self.location.shape, 4), _UNKNOWN, dtype=np.int64)
        self._words: dict[tuple[int, int], str] = {}
        for b, record in enumerate(records):
            for request in record.requests:
                answer = (request.route, request.instruction, request.departure, request.goal)
                self._message[b, request.step] = answer
                if request.words is not None:
                    self._words[b, request.step] = request.words
        self.asked = self._message[:, :, 0] != _UNKNOWN
        self._can_ask = self._zones()

    def _zones(self) -> Bools:
        """Where the records do not say, help can be requested where some route can be entered.

        And where it was requested and no route was named.
        """
        zones, can_ask = self._split.zones, np.zeros(self.location.shape, dtype=bool)
        if zones.shape[1]:
            can_ask = (zones[self.location, 0] != NO_ROUTE) & (self.location != _UNKNOWN)
        can_ask |= self._message[:, :, 0] == NO_ROUTE
        for b, record in enumerate(self._records):
            if record.can_ask is not None:
                can_ask[b, : record.steps] = record.can_ask
        return can_ask

    def attends(self, requests: Requests) -> Bools:
        """As recorded."""
        return self._can_ask[self._row[requests.task], requests.step]

    def answer(self, requests: Requests) -> Answers:
        """As recorded; what it cost is in the episode's distance and length."""
        rows = self._row[requests.task]
        route, instruction, departure, goal = self._message[rows, requests.step].T
        free = np.zeros(len(rows), dtype=np.int64)
        at = zip(rows.tolist(), requests.step.tolist(), strict=True)
        words = [self._words.get(where) for where in at] if self._words else None
        return Answers(route, instruction, departure, goal, free.astype(np.float64), free, words)

    def actions(self, seen: Observation) -> Ints:
        """The recorded navigation actions of this step, or those that lead to the next recorded location."""
        t, active = seen.step, seen.active
        asks = self.asked[:, t] & active
        there = self.location[:, t + 1]
        leads = self._split.atlas.action_location[seen.panorama, seen.view]
        leads_there = (leads == there[:, None]) & active[:, None]
        inferred = np.argmax(leads_there, axis=1)
        action = np.where(self._action[:, t] == _UNKNOWN, inferred, self._action[:, t])
        self.check(asks & ~seen.can_ask, lambda b: f"step {t} requests help where that is not possible.")
        self.check(
            self._strays(asks, t),
            lambda b: (
                f"the request of step {t} names no route, so the agent stays where it is."
                if self._message[b, t, 0] == NO_ROUTE
                else f"the route of step {t} does not start where the agent then is."
            ),
        )
        rows, exists = np.arange(len(action)), (action >= 0) & (action < leads_there.shape[1])
        right = exists & leads_there[rows, np.where(exists, action, 0)]
        self.check(active & ~asks & ~right, lambda b: f"step {t} does not lead to {self._name(b, t + 1)}.")
        ends = active & ~asks & (action == STOP) & ~seen.on_route
        self.check(
            ends & (t + 1 < self.length),
            lambda b: f"step {t} stops, and so ends the episode, but more locations follow.",
        )
        return np.where(asks, STOP, action)

    def _strays(self, asks: Bools, t: int) -> Bools:
        """[B] who asks, but is told a route that cannot be entered here, or does not go to its start.

        Without a route one stays.
        """
        here, there = self.location[asks, t], self.location[asks, t + 1]
        route = self._message[asks, t, 0]
        enters = route != NO_ROUTE
        end = here.copy()
        end[enters] = self._split.routes.start[route[enters]]
        enterable = (self._split.zones[here] == route[:, None]).any(axis=1)
        strays = np.zeros(len(asks), dtype=bool)
        strays[asks] = (enters & ~enterable) | (end != there)
        return strays

    def check_views(self, seen: Observation) -> None:
        """The camera looks where the record says it does."""
        recorded = self._view[:, seen.step]
        wrong = (recorded != _UNKNOWN) & (recorded != seen.view)
        self.check(wrong, lambda b: f'"views" should be {seen.view[b]} at step {seen.step}.')

    def metres(self, walked: Floats) -> Floats:
        """[B] the recorded distances travelled, else what was walked."""
        recorded = np.array(
            [walked[b] if record.metres is None else record.metres for b, record in enumerate(self._records)]
        )
        self.check(
            recorded < walked - _ROUNDING, lambda b: f'"metres" is less than the {walked[b]:.2f} m walked.'
        )
        return recorded

    def check(self, wrong: Bools, say: Callable[[int], str]) -> None:
        """Refuses the first record that is wrong."""
        if wrong.any():
            b = int(wrong.argmax())
            raise RecordError(say(b), self._records[b].line)

    def _name(self, b: int, t: int) -> str:
        return self._split.atlas.location_names[self.location[b, t]]


def _table(rows: Sequence[Sequence[int]], shape: tuple[int, ...] | None = None) -> Ints:
    """The rows below each other, `_UNKNOWN` after their ends."""
    table = np.full(shape or (len(rows), max(map(len, rows))), _UNKNOWN, dtype=np.int64)
    for b, row in enumerate(rows):
        table[b, : len(row)] = row
    return table


def _notes(records: Sequence[Record], name: str, kind: str) -> NDArray[Any]:
    """[B, T, ...] one note of all episodes, zeros after their ends."""
    entry = records[0].notes[name].shape[1:]
    table = np.zeros((len(records), max(record.steps for record in records), *entry), dtype=kind)
    for b, record in enumerate(records):
        note = record.notes[name]
        if note.shape[1:] != entry:
            raise RecordError(f'the note "{name}" has another shape than in other lines.', record.line)
        table[b, : len(note)] = note
    return table
