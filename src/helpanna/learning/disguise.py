"""Buildings in disguise: what agents with a map learn from, as it would be in a building slightly different.

Mirrored, left is right, in the building as in the words. And with a share of what can be seen hidden for a
whole episode, as in environment dropout (Tan et al., 2019), no landmark can be relied on alone. Agents act
without disguise; only what they learn from wears it.
"""

import re
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from helpanna.agents.mapping.survey import Survey
from helpanna.agents.mapping.surveys import FACTS, TO_THE_RIGHT
from helpanna.learning.rollout import Batch
from helpanna.learning.settings import TrainingSettings
from helpanna.randomness import uniforms

Ints = NDArray[np.int64]

_SIDE = re.compile(
    r"\bleft(?=(?:most|hand|side)?\b)|\bright(?=(?:most|hand|side)?\b)"
    r"(?! (?:after|past|behind|in front|inside|outside|next|there|here|where|above|below)\b)",
    re.IGNORECASE,
)
"""The words for sides; but not "right after the door", which is so on both sides of a mirror."""


def disguised(survey: Survey, episodes: Ints, batch: Batch, settings: TrainingSettings) -> Survey:
    """The maps of these episodes of a batch, one a row, in the disguise of their episode."""
    if settings.mirror:
        survey = _mirrored(survey, _drawn("mirror", episodes, batch, settings) < 0.5)
    if settings.sight_dropout > 0:
        survey = _veiled(survey, episodes, batch, settings)
    return survey


@lru_cache(maxsize=1 << 16)
def mirrored_words(text: str) -> str:
    """A text with its sides exchanged: "turn left" for "turn right"."""
    return _SIDE.sub(lambda side: "left" if side[0].lower() == "right" else "right", text)


def _mirrored(survey: Survey, rows: NDArray[np.bool_]) -> Survey:
    text, sides = survey.text.copy(), np.ones(FACTS, dtype=np.float32)
    text[rows] = [mirrored_words(words) for words in text[rows]]
    sides[list(TO_THE_RIGHT)] = -1
    return replace(survey, facts=survey.facts * np.where(rows[:, None, None], sides, 1), text=text)


def _veiled(survey: Survey, episodes: Ints, batch: Batch, settings: TrainingSettings) -> Survey:
    """Some channels of the features and some words in sight hidden, at all places of a map alike."""
    ratio = settings.sight_dropout
    channels, words = np.arange(survey.looks.shape[-1]), np.arange(survey.match.shape[-1])
    shows = _drawn("hidden channels", episodes, batch, settings, channels) >= ratio
    named = _drawn("hidden words", episodes, batch, settings, words) >= ratio
    factor = (shows / (1 - ratio)).astype(np.float32)
    return replace(
        survey,
        looks=survey.looks * factor[:, None],
        aim=survey.aim * factor,
        aim_words=survey.aim_words & named,
        match=survey.match & named[:, None],
        things=survey.things & named[:, None],
    )


def _drawn(
    purpose: str, episodes: Ints, batch: Batch, settings: TrainingSettings, what: Ints | None = None
) -> NDArray[np.float64]:
    """[n] or [n, what] numbers that are the same in all steps of an episode."""
    place = batch.place[episodes]
    if what is None:
        return uniforms(settings.seed, purpose, batch.iteration, place)
    return uniforms(settings.seed, purpose, batch.iteration, place[:, None], what)
