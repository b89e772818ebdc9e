"""Assistants with words of their own, for tests."""

from dataclasses import dataclass, replace

import numpy as np

from helpanna.assistance.assistants import NONE, Anna, Answers
from helpanna.randomness import choices
from helpanna.tasks.routes import NO_ROUTE


@dataclass(frozen=True)
class Talker:
    """Attends everywhere and answers in every legal way, drawn by task and step.

    As ANNA does; ANNA's route in its own words; own words where the agent stands, with a picture or without;
    an empty text; words that a stored text has already; or not at all.
    """

    split: object
    seed: int = 0

    def attends(self, requests):
        return np.ones(len(requests), dtype=bool)

    def answer(self, requests):
        split, count = self.split, len(requests)

        def draw(purpose, options):
            return choices(self.seed, purpose, options, requests.task, requests.step)

        anna, kind = Anna(split), draw("kind", 7)
        zone = anna.attends(requests)
        kind = np.where(zone, kind, np.maximum(kind, 2))
        answers = Answers.none(count)
        if zone.any():
            told = anna.answer(requests.select(zone))
            columns = {}
            for name in ("route", "instruction", "departure", "goal"):
                column = getattr(answers, name).copy()
                column[zone] = getattr(told, name)
                columns[name] = np.where(kind < 2, column, NONE)
            columns["instruction"] = np.where(kind == 1, NONE, columns["instruction"])
            answers = replace(answers, **columns)
        first = np.array([split.atlas.locations(w).start for w in split.atlas.world_of[requests.location]])
        place = first + draw("place", 5)
        speaks = (kind >= 2) & (kind <= 5)
        requested = [split.texts[g] for g in requests.goal_set]
        words = [
            {1: f"this way ({w})", 2: f"go to {w}", 3: f"go on {w}", 4: "", 5: own}.get(k)
            for k, w, own in zip(kind.tolist(), draw("words", 3).tolist(), requested, strict=True)
        ]
        return replace(
            answers,
            departure=np.where(speaks & (kind != 3), place, answers.departure),
            goal=np.where(speaks & (kind != 4), place, answers.goal),
            metres=np.where(kind == 2, 0.5, 0.0),
            steps=np.where(kind == 3, 1, 0),
            words=words,
        )


@dataclass(frozen=True)
class Says:
    """Always gives the answer that a function makes of ANNA's and of the requests."""

    split: object
    change: object

    def attends(self, requests):
        return Anna(self.split).attends(requests)

    def answer(self, requests):
        return self.change(Anna(self.split).answer(requests), requests)


@dataclass(frozen=True)
class Voice:
    """Says one thing to everybody, wherever they are, and shows one location (-1 for none)."""

    words: str | None
    shown: int = NONE
    goal: int = NONE

    def attends(self, requests):
        return np.ones(len(requests), dtype=bool)

    def answer(self, requests):
        every = np.ones(len(requests), dtype=np.int64)
        nothing = Answers.none(len(requests))
        assert (nothing.route == NO_ROUTE).all()
        if self.words is None:
            return nothing
        return replace(
            nothing, departure=self.shown * every, goal=self.goal * every, words=[self.words] * len(every)
        )
