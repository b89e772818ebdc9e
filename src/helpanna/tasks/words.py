"""Words: how texts are read."""

import re
from collections import Counter
from collections.abc import Iterable

_WORD = re.compile(r"\w+(?:['’]\w+)*")


def words(text: str) -> list[str]:
    """The words of a text, lower-cased, without punctuation."""
    return _WORD.findall(text.lower())


def vocabulary(texts: Iterable[str]) -> Counter[str]:
    """How often each word occurs in the texts."""
    return Counter(word for text in texts for word in words(text))
