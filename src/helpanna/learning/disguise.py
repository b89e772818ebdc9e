"""Buildings in disguise: what agents with a map learn from, as it would be in a building slightly different.

Mirrored, left is right, in the building as in the words. And with a share of what can be seen hidden for a
whole episode, as in environment dropout (Tan et al., 2019), no landmark can be relied on alone. Agents act
without disguise; only what they learn from wears it.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from helpanna.agents.mapping.survey import Survey
from helpanna.agents.mapping.surveys import FACTS, TO_THE_RIGHT
from helpanna.agents.mirror import in_mirror, mirrored_words
from helpanna.learning.rollout import Batch
from helpanna.learning.settings import TrainingSettings
from helpanna.randomness import uniforms

Ints = NDArray[np.int64]


def disguised(survey: Survey, episodes: Ints, batch: Batch, settings: TrainingSettings) -> Survey:
    """The maps of these episodes of a batch, one a row, in the disguise of their episode."""
    if settings.mirror:
        survey = _mirrored(survey, in_mirror(settings.seed, batch.iteration, batch.place[episodes]))
    if settings.sight_dropout > 0:
        survey = _veiled(survey, episodes, batch, settings)
    return survey


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
    purpose: str, episodes: Ints, batch: Batch, settings: TrainingSettings, what: Ints
) -> NDArray[np.float64]:
    """[n, what] numbers that are the same in all steps of an episode."""
    return uniforms(settings.seed, purpose, batch.iteration, batch.place[episodes][:, None], what)
