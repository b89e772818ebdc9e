"""What things and rooms are called, with articles, plurals and numbers."""

import re

_SAYABLE = re.compile(r"[a-zA-Z]+(?: [a-zA-Z]+)*")

# Nobody finds the way by these, or their names say too little; stairs and doorways are told as such.
_UNTOLD = frozenset({
    "access", "accessory", "appliance", "arc", "area", "billow", "bottom", "button", "case", "casing",
    "ceiling", "channel", "cloth", "clutter", "control", "cubby", "deco", "decor", "decoration", "detector",
    "device", "door", "doorway", "edge", "flood", "floor", "frame", "furniture", "glass", "ground",
    "handle", "hanger", "hole", "hook", "item", "knickknack", "knob", "landing", "ledge", "misc", "molding",
    "mount", "nob", "object", "opening", "outlet", "outside", "pad", "panel", "part", "partition",
    "pathway", "portal", "post", "rod", "roof", "room", "sheet", "sill", "skirt", "skirting", "slab",
    "soffet", "stair", "staircase", "stairs", "step", "steps", "stopper", "storage", "stuff", "support",
    "surface", "tap", "thing", "tissue", "toiletry", "top", "trim", "trinket", "unit", "unknown", "unkown",
    "valence", "wainscoting", "wainscotting", "wall", "windowframe", "windowsill", "wire", "wood",
})  # fmt: skip
_UNTOLD_WHOLE = frozenset({"paper", "paper towel", "tissue paper", "toilet paper", "lamb", "softer", "lion"})
# Names that end like plurals and are none, and plurals that do not end like one.
_SINGULAR = frozenset({"canvas", "compass", "cactus", "chess", "atlas", "iris", "christmas"})
_PLURAL = frozenset({"clothes", "people", "children"})
_IRREGULAR = {"shelf": "shelves", "bookshelf": "bookshelves", "person": "people", "knife": "knives"}

_SYNONYMS = (
    ("sofa", "couch"),
    ("tv", "television"),
    ("refrigerator", "fridge"),
    ("bathtub", "tub"),
    ("trash can", "garbage can", "trashcan", "waste bin"),
    ("bookshelf", "bookcase"),
    ("washing machine", "washer"),
    ("nightstand", "night table"),
    ("painting", "picture"),
    ("potted plant", "plant"),
    ("carpet", "rug"),
    ("dresser", "chest of drawers"),
)
_GROUP = {name: group for group in _SYNONYMS for name in group}
# These are not called by the other names of their group: not every picture is a painting.
_ONLY_ITSELF = frozenset({"picture", "plant", "rug"})
# What a "sofa chair" or "kitchen cabinet" may be called as well.
_HEADS = frozenset({
    "basket", "bed", "bench", "box", "cabinet", "chair", "counter", "curtain", "desk", "fan", "lamp",
    "mirror", "plant", "rug", "shelf", "sink", "sofa", "stool", "table",
})  # fmt: skip
ON_WALL = frozenset({"picture", "painting", "mirror", "clock", "photo", "poster", "whiteboard", "portrait"})
"""Types of things that hang on walls."""

_ROOM_NAMES = {
    "hall": ("hall", "entrance hall", "foyer"),
    "entryway": ("entryway", "foyer", "entrance"),
    "hallway": ("hallway", "hallway", "hall", "corridor"),
    "corridor": ("hallway", "corridor"),
    "stairs": ("stairwell", "stairwell", "stair hall", "hall with the stairs"),
    "living room": ("living room", "living room", "lounge", "sitting room"),
    "dining room": ("dining room", "dining room", "dining area"),
    "office": ("office", "office", "study"),
    "toilet": ("restroom",),
    "laundry room": ("laundry room", "laundry room", "laundry"),
    "gym": ("gym", "exercise room"),
}
PASSAGES = frozenset({"hall", "hallway", "corridor", "entryway"})
"""Kinds of rooms that one walks down."""
_OPEN_AIR = frozenset({"balcony", "porch"})

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_GERUNDS = {
    "turn": "turning", "take": "taking", "make": "making", "go": "going", "head": "heading",
    "walk": "walking", "exit": "exiting", "leave": "leaving", "enter": "entering", "step": "stepping",
}  # fmt: skip


def names_of(kind: str) -> tuple[str, ...]:
    """What people call an object of this type; nothing if they would not speak of it."""
    kind = kind.lower()
    if not _SAYABLE.fullmatch(kind) or kind in _UNTOLD_WHOLE:
        return ()
    word = _head(kind)
    if {word, _singular(word)} & _UNTOLD:
        return ()
    others = () if kind in _ONLY_ITSELF else _GROUP.get(kind, ())
    short = (word,) if word in _HEADS and " of " not in kind else ()
    return tuple(dict.fromkeys((kind, *others, *short)))


def alike(kind: str, other: str) -> bool:
    """Whether a listener could take one type for the other: the same name, or the same head noun."""
    return kind == other or kind in _GROUP.get(other, ()) or _singular(_head(kind)) == _singular(_head(other))


def _head(name: str) -> str:
    """The noun itself: chair of "dining chair", bowl of "bowl of fruit"."""
    return name.split(" of ")[0].split(" ")[-1]


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and word not in _SINGULAR else word


def room_names(kind: str) -> tuple[str, ...]:
    """What people call a room of this kind; nothing if it is not known or cannot be said."""
    if kind in _ROOM_NAMES:
        return _ROOM_NAMES[kind]
    return (kind,) if _SAYABLE.fullmatch(kind) else ()


def into(kind: str) -> str:
    """The preposition with which one enters a room of this kind."""
    return "onto" if kind in _OPEN_AIR else "into"


def within(kind: str) -> str:
    """The preposition with which one is in a room of this kind."""
    return "on" if kind in _OPEN_AIR else "in"


def is_plural(name: str) -> bool:
    """Whether a name stands for several things: "curtains" does, "basket of towels" does not."""
    word = _head(name)
    return word in _PLURAL or _singular(word) != word


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


def ordinal(number: int) -> str:
    """First to tenth."""
    return _ORDINALS[number - 1]


def count(number: int) -> str:
    """A number in words, in digits if it is large."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def gerund(text: str) -> str:
    """The clause with its verb as in "start by turning left"; nothing if its verb has none here."""
    verb, _, rest = text.partition(" ")
    return f"{_GERUNDS[verb]} {rest}" if verb in _GERUNDS else ""
