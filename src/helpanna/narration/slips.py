"""Misspellings of somebody who types fast and does not look back."""

import re

import numpy as np

_HABIT = 0.35
_SLIP = 0.03
_DROPS_FROM = 7
"""Shorter words without a letter may be other words: stairs and stars."""

_HABITS = (
    ("past", "passed"), ("through", "thru"), ("through", "throught"), ("until", "untill"), ("until", "til"),
    ("straight", "strait"), ("forward", "foward"), ("forward", "froward"), ("stairs", "stiars"),
    ("immediately", "immediatly"), ("hallway", "hall way"), ("doorway", "door way"), ("your", "ur"),
    ("entrance", "enterance"), ("into", "in to"), ("toward", "tward"), ("to", "too"), ("then", "than"),
    ("you", "u"), ("until", "unitl"), ("the", "teh"), ("dining", "dinning"), ("upstairs", "up stairs"),
    ("downstairs", "down stairs"), ("bathroom", "bath room"), ("kitchen", "kithcen"), ("with", "wiht"),
    ("pillar", "piller"), ("cabinet", "cabnet"), ("refrigerator", "refridgerator"), ("front", "fornt"),
)  # fmt: skip
"""Mistakes that a person makes again and again."""
_WORD = re.compile(r"\b(?!three\b)[A-Za-z]{5,}")  # three would become there


def misspelt(text: str, rng: np.random.Generator) -> str:
    """The text with a mistake of habit, or with slips of the fingers now and then."""
    if rng.random() < _HABIT:
        right, wrong = _HABITS[rng.integers(len(_HABITS))]
        return re.sub(rf"\b{right}\b", wrong, text)
    return _WORD.sub(lambda match: _slipped(match[0], rng) if rng.random() < _SLIP else match[0], text)


def _slipped(word: str, rng: np.random.Generator) -> str:
    """Two letters in the wrong order, one twice, or one too few; the first and the last stay."""
    i = int(rng.integers(1, len(word) - 2))
    draw = rng.random()
    if draw < 0.5 and word[i] != word[i + 1]:
        return word[:i] + word[i + 1] + word[i] + word[i + 2 :]
    if draw < 0.75 and len(word) >= _DROPS_FROM:
        return word[:i] + word[i + 1 :]
    return word[: i + 1] + word[i:]
