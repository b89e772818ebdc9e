"""What a map tells a network: of each known place what it looks like, which words it answers, where it is."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

FAR = 40.0
"""Metres that stand for more than that."""
_OF_AGENTS = ("here", "named", "aim", "aim_words", "text")
"""What a survey has once for each agent, not for each place."""


@dataclass(frozen=True, eq=False)
class Survey:
    """What B agents know of up to P places each.

    Attributes:
        here: [B] the place where each stands.
        exists: [B, P] which places it knows.
        visited: [B, P] where it has been.
        looks: [B, P, D] what a place looks like: of a visited one each feature's largest value over its 36
            views, of another one the view towards it.
        match: [B, P, L] which words of the instruction name something in sight there; L is 0 for agents that
            are not told.
        things: [B, P, L] which of them name an annotated object in sight there.
        named: [B, 2] how many words of the instruction can match anywhere, and how many as things.
        aim: [B, D] what the target image shows: each feature's largest value; zeros where there is none.
        aim_words: [B, L] which words of the instruction name something in sight there.
        facts: [B, P, 27] where the place lies, and what happened there.
        metres: [B, P, P] along known ways.
        text: [B] the instruction, in words.
    """

    here: Ints
    exists: Bools
    visited: Bools
    looks: Floats
    match: Bools
    things: Bools
    named: Ints
    aim: Floats
    aim_words: Bools
    facts: Floats
    metres: Floats
    text: NDArray[np.object_]

    def __len__(self) -> int:
        return len(self.here)

    def places(self) -> Ints:
        """[B] how many places each agent knows."""
        return self.exists.sum(axis=1)

    def select(self, rows: Ints, places: int) -> "Survey":
        """These agents only, with room for this many places, of which those beyond P are unknown."""
        return Pile([self]).select(rows, places)


class Pile:
    """Several surveys one below the other, as if they were one.

    Most maps are small and some are large: arrays with room for the largest are not made for all, but only
    for those that are selected.

    Attributes:
        text: of all agents.
    """

    def __init__(self, surveys: Sequence[Survey]) -> None:
        self._surveys = surveys
        self._first = np.cumsum([0, *(len(survey) for survey in surveys)])
        self.text = np.concatenate([survey.text for survey in surveys])

    def __len__(self) -> int:
        return int(self._first[-1])

    def places(self) -> Ints:
        """How many places each agent knows."""
        return np.concatenate([survey.places() for survey in self._surveys])

    def select(self, rows: Ints, places: int) -> Survey:
        """These agents only, with room for this many places, of which those beyond P are unknown."""
        which = np.searchsorted(self._first, rows, side="right") - 1
        # Where in the result, from which survey, and from which rows of it.
        parts = [
            (to, self._surveys[part], rows[to] - self._first[part])
            for part in np.unique(which)
            for to in [np.flatnonzero(which == part)]
        ]

        def column(name: str) -> NDArray[np.generic]:
            like = getattr(self._surveys[0], name)
            axes = 0 if name in _OF_AGENTS else 2 if name == "metres" else 1  # of places
            shape = (len(rows), *[places] * axes, *like.shape[1 + axes :])
            table = np.full(shape, FAR if name == "metres" else 0, dtype=like.dtype)
            for to, survey, row in parts:
                room = (slice(min(places, survey.exists.shape[1])),) * axes
                there: tuple[Ints | slice, ...] = (to, *room)
                table[there] = getattr(survey, name)[(slice(None), *room)][row]
            return table

        return Survey(**{f.name: column(f.name) for f in fields(Survey)})  # type: ignore[arg-type]
