"""What things look like, where captions of the photographs say so: the red chair, the wooden table."""

import math
import re

LOOKS = frozenset(
    """
    white black brown red blue green yellow grey gray gold golden silver pink purple orange beige tan
    wooden wood metal glass marble brick stone leather wicker wrought iron stained carpeted tiled
    round circular square curved ornate antique modern old vintage
    """.split()  # noqa: SIM905
)
"""Colours, materials and shapes that one sees at once."""

_BESIDE = math.radians(45)

Panorama = tuple[tuple[str, ...], ...]
"""[3][8]: the captions of one location by elevation and heading."""


def looks_of(captions: Panorama, bearing: float, noun: str) -> tuple[str, ...]:
    """The words that captions beside a bearing put before a noun: ("red",) where one says "a red chair".

    Args:
        captions: what is said of the place where one stands.
        bearing: the direction of the thing, in radians, 0 along +y, clockwise.
        noun: what it is called, one word.
    """
    found: dict[str, None] = {}
    for h in range(len(captions[0])):
        apart = math.remainder(bearing - h * math.tau / len(captions[0]), math.tau)
        if abs(apart) >= _BESIDE:
            continue
        for row in captions:
            said = row[h].replace(",", " ").split()
            for i, word in enumerate(said):
                if i and word == noun and said[i - 1] in LOOKS:  # a cabinet is not the cabinets
                    found[said[i - 1]] = None
    return tuple(found)


_PHRASE = re.compile(r"(?:a|an|two)(?: [a-z]+){1,5}")
_CUT = re.compile(r" (?:with|and|is|are|in|on|has|that|next|hanging|sitting|leading|above|from|at|of it)\b")
_UNSAID = frozenset(
    """
    view picture image photo photograph close room wall background ceiling floor person man woman people
    left right straight forward ahead up down top bottom end around side front back behind slight sharp
    first second third door doorway hallway hall stairs staircase steps large big huge small long
    """.split()  # noqa: SIM905
)
"""Words of captions that say little, or that mean something else in an instruction."""


def phrase_of(caption: str) -> str:
    """What a caption names first, if one can say so: "a blue couch" of "a blue couch with pillows"."""
    phrase = _CUT.split(caption, maxsplit=1)[0]
    plain = _PHRASE.fullmatch(phrase) and not _UNSAID.intersection(phrase.split())
    article = phrase.split(" ")[0]
    fits = article == "two" or (phrase.partition(" ")[2][:1] in "aeiou") == (article == "an")
    return phrase if plain and fits else ""
