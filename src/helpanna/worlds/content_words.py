"""The words of a text that name something: no "with" or "there", and "chairs" as "chair"."""

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")

_EMPTY = frozenset(
    """
    a an the this that these those some any all each both other another it its he she him his her they them
    their i you your we our us me my there here who which what where when while and or but if then than so
    as of on in at to from with without for by into onto over under up down out off through between near
    next beside behind along around across about above below towards toward until before after past is are
    was be been being has have had do does can will would should not no very just also too only like don
    isn won doesn
    """.split()  # noqa: SIM905
)
_IRREGULAR = {
    "shelves": "shelf",
    "bookshelves": "bookshelf",
    "knives": "knife",
    "leaves": "leaf",
    "people": "person",
    "men": "man",
    "women": "woman",
    "children": "child",
    "staircase": "stair",
    "stairway": "stair",
    "stairwell": "stair",
    "hallway": "hall",
    "corridor": "hall",
    "television": "tv",
    "sofa": "couch",
    "fridge": "refrigerator",
    "washroom": "bathroom",
    "restroom": "bathroom",
}
"""Plurals that no rule makes, and words of one meaning that people and captions choose between."""


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The form under which a word is known: singular, and one of a few words of one meaning."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) > 4 and word.endswith("ies"):
        single = word[:-3] + "y"
    elif len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes", "zes")):
        single = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        single = word[:-1]
    else:
        single = word
    return _IRREGULAR.get(single, single)


def content_words(text: str) -> list[str]:
    """The stems of the words that name something, in order."""
    found = (word.partition("'")[0] for word in _WORD.findall(text.lower().replace("’", "'")))
    return [stem(word) for word in found if word not in _EMPTY]
