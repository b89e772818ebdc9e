"""What things and rooms are called, with articles, plurals and numbers."""

import re
from functools import cache

from helpanna.narration.lexicon import HEADS, MISSPELT, ROOMS, SYNONYMS, UNTOLD, UNTOLD_HEADS

_SAYABLE = re.compile(r"[a-zA-Z]+(?: [a-zA-Z]+)*")

# Names that end like plurals and are none, and plurals that do not end like one.
_SINGULAR = frozenset({"canvas", "compass", "cactus", "chess", "atlas", "iris", "christmas"})
_PLURAL = frozenset({"clothes", "people", "children"})
_MASS = frozenset({
    "art", "bread", "drapery", "equipment", "fencing", "firewood", "food", "fruit", "grass", "laundry",
    "luggage", "shampoo", "shelving", "shrubbery", "soap", "stationery", "trash", "ventilation",
})  # fmt: skip
_EMPTY_HEADS = frozenset({"piece", "set", "work"})
_IRREGULAR = {"shelf": "shelves", "bookshelf": "bookshelves", "person": "people", "knife": "knives"}

ON_WALL = frozenset({"picture", "painting", "mirror", "clock", "photo", "poster", "whiteboard", "portrait"})
"""Types of things that hang on walls."""

PASSAGES = frozenset({"hall", "hallway", "corridor", "entryway"})
"""Kinds of rooms that one walks down."""
_OPEN_AIR = frozenset({"balcony", "porch"})

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_GERUNDS = {
    verb: f"{verb.removesuffix('e')}ing"
    for verb in (
        "turn", "take", "make", "go", "head", "walk", "exit", "leave", "enter", "pass", "climb", "descend",
        "ascend", "move", "proceed", "swing", "veer", "bear", "cross",
    )
} | {"step": "stepping", "get": "getting"}  # fmt: skip


@cache
def names_of(kind: str) -> tuple[str, ...]:
    """What people call an object of this type; nothing if they would not speak of it."""
    kind = MISSPELT.get(kind.lower(), kind.lower())
    if not _SAYABLE.fullmatch(kind) or kind in UNTOLD:
        return ()
    word = head(kind)
    if {word, _singular(word)} & UNTOLD_HEADS:
        return ()
    short = (word,) if word in HEADS and " of " not in kind else ()
    return tuple(dict.fromkeys((kind, *SYNONYMS.get(kind, ()), *short)))


@cache
def alike(kind: str, other: str) -> bool:
    """Whether a listener could take one type for the other: a name in common, or the same head noun."""
    heads = ({_singular(head(name)) for name in (one, *names_of(one))} for one in (kind, other))
    return kind == other or bool(set.intersection(*heads) - _EMPTY_HEADS)


def head(name: str) -> str:
    """The noun itself: chair of "dining chair", bowl of "bowl of fruit"."""
    return name.split(" of ")[0].split(" ")[-1]


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and word not in _SINGULAR else word


def room_names(kind: str) -> tuple[str, ...]:
    """What people call a room of this kind; nothing if it is not known or cannot be said."""
    if kind in ROOMS:
        return ROOMS[kind]
    return (kind,) if _SAYABLE.fullmatch(kind) else ()


def into(kind: str) -> str:
    """The preposition with which one enters a room of this kind."""
    return "onto" if kind in _OPEN_AIR else "into"


def within(kind: str) -> str:
    """The preposition with which one is in a room of this kind."""
    return "on" if kind in _OPEN_AIR else "in"


def is_plural(name: str) -> bool:
    """Whether a name has no "a": "curtains" and "soap" have none, "basket of towels" has."""
    word = head(name)
    return word in _PLURAL or word in _MASS or _singular(word) != word


def with_article(name: str, definite: bool, plural: bool = False) -> str:
    """The name with the, a, an, or some for several."""
    if definite:
        return f"the {name}"
    if plural:
        return f"some {name}"
    vowel = name[0] in "aeiou" and not name.startswith(("uni", "use", "uri", "one", "eu"))
    return f"an {name}" if vowel else f"a {name}"


def several(name: str) -> str:
    """The plural of a name."""
    if is_plural(name):
        return name
    first, of, rest = name.partition(" of ")
    *before, word = first.split(" ")
    if word in _IRREGULAR:
        word = _IRREGULAR[word]
    elif word.endswith(("s", "x", "ch", "sh", "z")):
        word += "es"
    elif word.endswith("y") and word[-2:-1] not in "aeiou":
        word = word[:-1] + "ies"
    else:
        word += "s"
    return " ".join([*before, word]) + of + rest


def ordinal(number: int, short: bool = False) -> str:
    """First to tenth, or 1st to 10th."""
    if short:
        return f"{number}{('st', 'nd', 'rd')[number - 1] if number < 4 else 'th'}"
    return _ORDINALS[number - 1]


def count(number: int) -> str:
    """A number in words, in digits if it is large."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def gerund(text: str) -> str:
    """The clause with its verb as in "start by turning left"; nothing if its verb has none here."""
    verb, _, rest = text.partition(" ")
    return f"{_GERUNDS[verb]} {rest}" if verb in _GERUNDS else ""
