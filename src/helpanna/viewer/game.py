"""One episode on the page: a person or an agent decides, ANNA or a person answers requests for help."""

from collections.abc import Mapping
from dataclasses import replace
from threading import RLock
from typing import Any

import numpy as np

from helpanna.agents.agent import Agent, Decision
from helpanna.assistance.assistants import NONE, Answers, Assistant, Bools, Requests
from helpanna.assistance.names import make_assistant
from helpanna.episodes.episodes import EVALUATION_BUDGET, STOP, Episodes
from helpanna.episodes.perception import Perception
from helpanna.errors import InputError
from helpanna.tasks.split import Split
from helpanna.viewer.library import NotThereError
from helpanna.viewer.store import GameRow, RequestRow
from helpanna.worlds.geometry import angles, view_elevation, view_heading


class Person:
    """An assistant who says what a person has written: it is known before the agent's step is carried out.

    Whoever asks stays where they are, is told the words, and is shown the picture, if there is one; on
    leaving the subtask, that of the nearest goal, as by ANNA.
    """

    def __init__(self, split: Split) -> None:
        self._split = split
        self._usual: Assistant = make_assistant(None, split)
        self.said: RequestRow | None = None

    def attends(self, requests: Requests) -> Bools:
        """Where who usually helps in such tasks would."""
        return self._usual.attends(requests)

    def answer(self, requests: Requests) -> Answers:
        """What was written; no answer where nothing was."""
        nothing = Answers.none(len(requests))
        if self.said is None or self.said.words is None:
            return nothing
        picture = NONE if self.said.picture is None else self.said.picture
        there = requests.location if picture == NONE else np.array([picture])
        goal = self._split.goal_sets.nearest_to(requests.goal_set, there).astype(np.int64)
        return replace(nothing, words=[self.said.words], departure=np.array([picture]), goal=goal)


class Game:
    """An episode that goes on step by step.

    Attributes:
        row: what is stored of it.
        number: of its source in the library.
        split, task: what is to be done.
        agent: who decides; None for a person.
        waiting: the request that a person has yet to answer.
        ended: None before the end; then whether the attempt counts, or the follower arrived.
        lock: to be held by whoever looks at it or changes it.
    """

    def __init__(self, row: GameRow, number: int, split: Split, agent: Agent | None = None) -> None:
        self.row, self.number, self.split, self.task = row, number, split, row.task
        self.agent = agent
        self.waiting: RequestRow | None = None
        self.ended = row.ended
        self.lock = RLock()
        self.perception = Perception(split)
        self._person = Person(split)
        assistant = self._person if row.by_person else make_assistant(None, split)
        self.episodes = Episodes(split, assistant, [self.task], EVALUATION_BUDGET)
        self._decision: Decision | None = None
        if agent is not None:
            agent.begin(self.perception, self.episodes.task)

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return not self.episodes.active[0]

    def check(self, ask: bool, action: int) -> None:
        """Refuses a decision that is not possible here."""
        seen = self.episodes.observe()
        if ask and not seen.can_ask[0]:
            raise InputError("nobody can be asked here.")
        if not ask and not (0 <= action < seen.candidates.mask.shape[1] and seen.candidates.mask[0, action]):
            raise InputError("there is no such way here.")

    def take(self, answer: RequestRow) -> None:
        """Help is requested, and this is the answer."""
        notes = self._decision.notes if self._decision is not None else None
        self._person.said = answer
        self.episodes.step([True], [STOP], notes)
        self._decision = self.waiting = None

    def walk_on(self) -> bool:
        """Lets the agent decide until it asks a person or its episode ends; whether it asks."""
        while self.agent is not None and not self.over:
            seen = self.episodes.observe()
            decision = self._decision or self.agent.act(seen)
            if self.row.by_person and bool(decision.ask[0]) and bool(seen.can_ask[0]):
                self._decision = decision
                return True
            self.episodes.step(decision.ask, decision.action, decision.notes)
        return False

    def again(self, moves: Mapping[int, tuple[bool, int]], requests: Mapping[int, RequestRow]) -> None:
        """Does again what a person did, as far as it is known."""
        while not self.over:
            step = self.episodes.step_number
            if step in moves:
                ask, action = moves[step]
                self.check(ask, action)
                self.episodes.step([ask], [action])
            elif step in requests and requests[step].answered:
                self.take(requests[step])
            else:
                self.waiting = requests.get(step)
                return

    def state(self, seconds: float | None) -> dict[str, Any]:
        """What the person is shown: what agents are given, and nothing of the map or the goals.

        Args:
            seconds: how long an answer may still take; None where none is awaited.
        """
        seen = self.episodes.observe()
        view = int(seen.view[0])
        ways = self.perception.ways(seen)[0]
        heading, elevation = angles(ways)
        metres = np.linalg.norm(ways, axis=1)
        return {
            "source": self.number,
            "step": self.episodes.step_number,
            "budget": EVALUATION_BUDGET,
            "over": self.over,
            "follow": self.row.instruction is not None,
            "by_person": self.row.by_person,
            "waiting": None if seconds is None else round(seconds),
            "request": self.split.texts[int(self.split.request[self.task])],
            "words": str(seen.words[0]),
            "on_route": bool(seen.on_route[0]),
            "can_ask": bool(seen.can_ask[0]),
            "target": bool(seen.target[0] >= 0),
            "place": int(seen.place[0]),
            "heading": round(float(view_heading(view)), 4),
            "elevation": round(float(view_elevation(view)), 4),
            "ways": [
                [a, round(float(heading[a]), 4), round(float(elevation[a]), 4), round(float(metres[a]), 2)]
                for a in np.flatnonzero(seen.candidates.mask[0]).tolist()
                if a != STOP
            ],
            "pictures": self.split.atlas.views.has_panoramas,
        }

    def sight(self, target: bool) -> int:
        """The location that is seen: where the person stands, or the target image's."""
        seen = self.episodes.observe()
        location = int(seen.target[0] if target else seen.panorama[0])
        if location < 0:
            raise NotThereError
        return location
