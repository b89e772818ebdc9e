"""Episodes run again with an agent that looks on: what it thinks, and what it does where it takes over.

The recorded decisions and answers are carried out once more. The agent observes every step as always, and its
own decision counts only from the step on at which the walk is handed to it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.agents.agent import Agent, Decision
from helpanna.agents.thoughts import KnownPlaces, Thoughts, listen
from helpanna.assistance.assistants import Answers, Assistant, Requests
from helpanna.episodes.episodes import Episodes
from helpanna.episodes.observation import Observation
from helpanna.episodes.perception import Perception
from helpanna.episodes.trajectory import Trajectories
from helpanna.tasks.split import Split
from helpanna.tasks.words import words

Ints = NDArray[np.int64]
Json = dict[str, Any]


def thoughts_of(split: Split, agent: Agent, told: Trajectories) -> list[list[Json]] | None:
    """What an agent thinks at every step of these episodes, whoever decided in them.

    Returns:
        for each episode one entry a step, see `_Thinker.entry`; None for agents that tell no thoughts.
    """
    thinker = _Thinker(split, agent)
    if not thinker.tells:
        return None
    episodes = Episodes(split, _Recorded(split, told, told.length), told.task, told.steps)

    def ends(t: int) -> None:
        episodes.end(told.length == t + 1)  # those without a last stop ran out of time

    return thinker.run(episodes, told, told.length, ends)


@dataclass(frozen=True)
class Setting:
    """Where an agent is to act: a task of a split, who helps, and for how many steps at most."""

    split: Split
    task: int
    assistant: Assistant
    budget: int


def run_on(
    agent: Agent, setting: Setting, told: Trajectories | None = None, step: int = 0
) -> tuple[Trajectories, list[Json] | None]:
    """One episode: as recorded up to a step, then as the agent decides.

    Args:
        agent: who takes over.
        setting: where.
        told: the recorded episode of that task, one row; None to let the agent begin.
        step: the first step that the agent decides.

    Returns:
        what happened, and what the agent thought at each step, None if it tells no thoughts.
    """
    until = np.array([0 if told is None else min(step, int(told.length[0]))])
    assistant = setting.assistant
    if told is not None:
        assistant = _Recorded(setting.split, told, until, assistant)
    episodes = Episodes(setting.split, assistant, [setting.task], setting.budget)
    thinker = _Thinker(setting.split, agent)
    thoughts = thinker.run(episodes, told, until)
    return episodes.trajectories(), thoughts[0] if thinker.tells else None


class _Thinker:
    """An agent on its way through episodes, and what it thinks there.

    Attributes:
        tells: whether it tells its thoughts.
    """

    def __init__(self, split: Split, agent: Agent) -> None:
        self._split, self._agent = split, agent
        self._heard: Thoughts | None = None
        self.tells = listen(agent, self._hear)
        listen(agent, None)

    def _hear(self, thoughts: Thoughts) -> None:
        self._heard = thoughts

    def run(
        self,
        episodes: Episodes,
        told: Trajectories | None,
        until: Ints,
        after_step: Callable[[int], None] = lambda t: None,
    ) -> list[list[Json]]:
        """Runs to the end; recorded decisions count for the first steps, `until` [B] of them."""
        thoughts: list[list[Json]] = [[] for _ in until]
        listen(self._agent, self._hear)
        try:
            self._agent.begin(Perception(self._split), episodes.task)
            places = _Locations(self._split, len(until))
            while episodes.active.any():
                seen, t = episodes.observe(), episodes.step_number
                self._heard = None
                decision = self._agent.act(seen)
                places.look(seen)
                ask, action = decision.ask & seen.can_ask, decision.action
                if told is not None and t < told.steps:
                    recorded = t < until
                    ask = np.where(recorded, told.asked[:, t], ask)
                    action = np.where(recorded, np.maximum(told.action[:, t], 0), action)
                for b in np.flatnonzero(seen.active).tolist():
                    agrees = _agrees(decision, seen, b, bool(ask[b]), int(action[b]))
                    thoughts[b].append(self.entry(seen, b, places) | {"agrees": agrees})
                episodes.step(ask, action, decision.notes)
                after_step(t)
        finally:
            listen(self._agent, None)
        return thoughts

    def entry(self, seen: Observation, b: int, places: "_Locations") -> Json:
        """What one agent thinks now.

        Returns:
            actions: the probability of each navigation action, stop first.
            ask: the probability of requesting help.
            reasons: those of the three conditions, or null.
            attention: one weight a word of the current instruction, or null.
            map: [[place, visited, asked, preference], ...], or null; places count from the building's first.
            All are missing from agents that tell no thoughts.
        """
        heard = self._heard
        if heard is None:
            return {}
        exists = seen.candidates.mask[b]
        length = len(words(str(seen.words[b])))
        return {
            "actions": _rounded(heard.actions[b][: len(exists)][exists]),
            "ask": round(float(heard.ask[b]), 4),
            "reasons": None if heard.reasons is None else _rounded(heard.reasons[b]),
            "attention": None if heard.attention is None else _rounded(heard.attention[b, :length]),
            "map": None if heard.known is None else _map(heard.known, b, places),
        }


class _Locations:
    """Which locations the places are that B agents have seen; the agents themselves do not know."""

    def __init__(self, split: Split, agents: int) -> None:
        self._atlas = split.atlas
        self._location: list[dict[int, int]] = [{} for _ in range(agents)]

    def look(self, seen: Observation) -> None:
        """The agents see these places now."""
        there = self._atlas.action_location[seen.panorama, seen.view]
        for b in np.flatnonzero(seen.active).tolist():
            exists = seen.candidates.mask[b]
            numbers = seen.candidates.place[b][exists].tolist()
            self._location[b].update(zip(numbers, there[b][exists].tolist(), strict=True))

    def place(self, b: int, number: int) -> int:
        """The place in its building."""
        location = self._location[b][number]
        return int(location - self._atlas.world_start[self._atlas.world_of[location]])


class _Recorded:
    """The assistant of recorded episodes: for their first steps it says what was said, then another answers.

    Attributes:
        until: [B] how many steps are as recorded.
    """

    def __init__(self, split: Split, told: Trajectories, until: Ints, after: Assistant | None = None) -> None:
        self._split, self._told, self.until, self._after = split, told, until, after
        self._row = {int(task): row for row, task in enumerate(told.task)}

    def attends(self, requests: Requests) -> NDArray[np.bool_]:
        """As recorded, then as the other."""
        rows, past = self._rows(requests)
        attends = self._told.can_ask[rows, np.minimum(requests.step, self._told.steps - 1)] & past
        if self._after is not None and not past.all():
            attends |= self._after.attends(requests) & ~past
        return attends

    def answer(self, requests: Requests) -> Answers:
        """What was said, in the same words; what it costs is up to the other."""
        rows, past = self._rows(requests)
        if not past.all():
            assert self._after is not None  # noqa: S101  # without another, all is recorded
            return self._after.answer(requests)
        told, at = self._told, (rows, requests.step)
        text = told.instruction[at]
        given = text >= 0
        price = Answers.none(len(rows)) if self._after is None else self._after.answer(requests)
        return Answers(
            route=told.route[at],
            instruction=np.full(len(rows), -1),
            departure=told.departure[at],
            goal=told.goal[at],
            metres=np.where(given, price.metres, 0.0),
            steps=np.where(given, price.steps, 0),
            words=[told.words(self._split, int(t)) if t >= 0 else None for t in text],
        )

    def _rows(self, requests: Requests) -> tuple[Ints, NDArray[np.bool_]]:
        rows = np.array([self._row[int(task)] for task in requests.task], dtype=np.int64)
        return rows, requests.step < self.until[rows]


def _agrees(decision: Decision, seen: Observation, b: int, asked: bool, action: int) -> bool:
    """Whether the agent would have done what was done."""
    wants = bool(decision.ask[b] and seen.can_ask[b])
    return wants == asked and (asked or int(decision.action[b]) == action)


def _map(known: KnownPlaces, b: int, places: _Locations) -> list[list[Any]]:
    return [
        [
            places.place(b, number),
            int(known.visited[b, number]),
            int(known.asked[b, number]),
            round(float(known.preference[b, number]), 4),
        ]
        for number in np.flatnonzero(known.exists[b]).tolist()
    ]


def _rounded(values: NDArray[Any]) -> list[float]:
    return [round(float(value), 4) for value in values]
