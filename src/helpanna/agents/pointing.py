"""Pointing: which object in sight a request speaks of, by a rule on names.

REVERIE's agents are to name an object where they stop. Trained networks here learn to get there; which of the
objects in sight is meant is then read off the request. Of those whose names it says, it is the one it names
first: people say what they want before where it is ("the pillow on the bed").
"""

import numpy as np
from numpy.typing import NDArray

from helpanna.episodes.observation import Observation
from helpanna.episodes.perception import Perception
from helpanna.tasks.references import NOTHING
from helpanna.tasks.words import words
from helpanna.worlds.content_words import stem

Ints = NDArray[np.int64]


class Pointing:
    """Points at objects of one split; the answers are remembered."""

    def __init__(self, perception: Perception) -> None:
        self._perception = perception
        self._names: dict[int, tuple[str, ...]] = {}
        self._said: dict[tuple[int, str], int] = {}

    def notes(self, observation: Observation) -> dict[str, Ints]:
        """The note "object" of a decision, see `Perception.points`; nothing in tasks without pointing."""
        if not self._perception.points:
            return {}
        asked = zip(observation.panorama.tolist(), observation.words, observation.active, strict=True)
        pointed = [self._meant(place, text) if active else NOTHING for place, text, active in asked]
        return {"object": np.array(pointed, dtype=np.int64)}

    def _meant(self, panorama: int, text: str) -> int:
        """The object in sight that the text names first, -1 where it names none of them.

        Of two that begin at the same word it is the one with the longer name; of two of the same name, the
        first in sight.
        """
        key = panorama, text
        if key not in self._said:
            said = tuple(map(stem, words(text)))
            best = (len(said), 0, NOTHING)
            for thing in self._perception.things(np.array([panorama]))[0].tolist():
                name = self._name(thing)
                at = next((i for i in range(len(said)) if name and said[i : i + len(name)] == name), None)
                if at is not None and (at, -len(name)) < best[:2]:
                    best = (at, -len(name), thing)
            self._said[key] = best[2]
        return self._said[key]

    def _name(self, thing: int) -> tuple[str, ...]:
        if thing == NOTHING:
            return ()
        if thing not in self._names:
            self._names[thing] = tuple(map(stem, words(self._perception.thing_name(thing))))
        return self._names[thing]
