"""Small things on tables, shelves and counters."""

from helpanna.worlds.houses.arrangement.groups import spin
from helpanna.worlds.houses.arrangement.space import Space
from helpanna.worlds.houses.layout import Placed, Rect, Thing

# What people keep on what, and how probably.
HABITS: dict[str, tuple[tuple[str, float], ...]] = {
    "nightstand": (
        ("table lamp", 0.8), ("book", 0.5), ("glass", 0.25), ("photo frame", 0.25), ("tissue box", 0.2),
    ),
    "dresser": (
        ("photo frame", 0.5), ("vase", 0.4), ("box", 0.3), ("jar", 0.2), ("candle", 0.2), ("plant", 0.2),
    ),
    "vanity": (("jar", 0.5), ("tissue box", 0.4), ("box", 0.4), ("flower", 0.3), ("bottle", 0.3)),
    "coffee table": (
        ("book", 0.6), ("flower", 0.35), ("mug", 0.5), ("candle", 0.4), ("tray", 0.2), ("bowl", 0.3),
    ),
    "side table": (("table lamp", 0.7), ("book", 0.3), ("mug", 0.3), ("telephone", 0.15), ("plant", 0.2)),
    "console table": (
        ("vase", 0.4), ("bag", 0.4), ("table lamp", 0.35), ("telephone", 0.35), ("bowl", 0.4),
        ("flower", 0.3),
    ),
    "sideboard": (
        ("vase", 0.5), ("radio", 0.35), ("candlestick", 0.45), ("teapot", 0.3), ("table lamp", 0.3),
        ("tray", 0.25), ("statue", 0.25),
    ),
    "dining table": (
        ("fruit bowl", 0.45), ("flower", 0.4), ("candlestick", 0.3), ("plate", 0.6), ("plate", 0.5),
        ("mug", 0.5), ("glass", 0.5), ("bottle", 0.35), ("teapot", 0.25),
    ),
    "china cabinet": (
        ("plate", 0.7), ("teapot", 0.5), ("glass", 0.6), ("bowl", 0.5), ("vase", 0.4), ("jar", 0.3),
    ),
    "desk": (
        ("desk lamp", 0.7), ("printer", 0.2), ("mug", 0.45), ("book", 0.45), ("telephone", 0.3),
        ("photo frame", 0.25), ("plant", 0.2),
    ),
    "filing cabinet": (("printer", 0.5), ("plant", 0.3), ("box", 0.3)),
    "fireplace": (("candlestick", 0.6), ("photo frame", 0.5), ("vase", 0.4), ("statue", 0.3)),
    "piano": (("photo frame", 0.6), ("vase", 0.4), ("candlestick", 0.3), ("book", 0.3)),
    "tv stand": (("vase", 0.3), ("plant", 0.25), ("candle", 0.2), ("radio", 0.15)),
    "shelf": (
        ("books", 0.5), ("photo frame", 0.5), ("vase", 0.3), ("plant", 0.4), ("candle", 0.3),
        ("statue", 0.2),
    ),
    "kitchen shelf": (
        ("pot", 0.5), ("jar", 0.7), ("jar", 0.5), ("bowl", 0.5), ("bottle", 0.5), ("basket", 0.4),
        ("plate", 0.4),
    ),
    "stove": (("pot", 0.6), ("pan", 0.5)),
    "kitchen island": (
        ("fruit bowl", 0.6), ("cutting board", 0.4), ("mug", 0.4), ("bottle", 0.3), ("bowl", 0.3),
    ),
    "refrigerator": (("basket", 0.15), ("box", 0.2)),
    "washbasin": (("soap dispenser", 0.9), ("glass", 0.3)),
    "toilet": (("tissue box", 0.15), ("candle", 0.15)),
    "washing machine": (("basket", 0.3), ("bottle", 0.5), ("towels", 0.3)),
    "dryer": (("towels", 0.5), ("basket", 0.3), ("box", 0.2)),
    "bed": (("blanket", 0.4), ("teddy bear", 0.15), ("book", 0.15), ("pillow", 0.4)),
    "bunk bed": (("teddy bear", 0.5), ("blanket", 0.4)),
    "crib": (("teddy bear", 0.7),),
    "sofa": (("pillow", 0.85), ("pillow", 0.5), ("blanket", 0.3), ("teddy bear", 0.06)),
    "loveseat": (("pillow", 0.8), ("blanket", 0.3)),
    "armchair": (("pillow", 0.4),),
    "bench": (("bag", 0.35), ("pillow", 0.3), ("box", 0.2)),
    "ottoman": (("tray", 0.4), ("book", 0.3)),
    "chest": (("blanket", 0.4), ("books", 0.2), ("plant", 0.2)),
    "pedestal": (("statue", 0.6), ("plant", 0.5), ("vase", 0.5)),
    "display case": (("statue", 0.7), ("vase", 0.6)),
    "shoe rack": (("bag", 0.3),),
    "ironing board": (("towels", 0.5),),
}  # fmt: skip
_COUNTER = (
    "microwave", "kettle", "toaster", "coffee maker", "knife block", "cutting board", "jar", "mug", "bottle",
    "plate", "bowl", "fruit bowl", "pot", "teapot", "mug", "tray", "plant", "radio",
)  # fmt: skip
_BOARD = 0.035  # metres of a shelf's thickness, and some air
_BACKED = ("microwave", "coffee maker", "television", "monitor", "books", "printer", "radio", "photo frame")
_SHELVED = ("vase", "photo frame", "box", "plant", "statue", "globe", "radio", "basket", "candle", "bowl")


def on_top(
    space: Space, support: Placed, thing: Thing, level: int | None = None, middle: bool = False
) -> Placed | None:
    """Puts a thing on one of the tops of another; None if there is no place.

    Args:
        space: the room.
        support: what it is put on.
        thing: what is put there.
        level: which of the tops; any if None.
        middle: whether it belongs in the middle.
    """
    tops = support.thing.tops if level is None else support.thing.tops[level : level + 1]
    order = space.rng.permutation(len(tops)).tolist()
    for rect, height in (tops[i] for i in order):
        narrow = rect.width < thing.size[0] or rect.depth < thing.size[1]
        if narrow or thing.size[2] > headroom(support.thing, rect, height):
            continue
        for attempt in range(10):
            across, deep = space.rng.uniform(0, 1, 2).tolist()
            if thing.type in _BACKED or thing.size[2] > 0.25:
                deep = 0.8 + 0.2 * deep
            if middle:
                across, deep = 0.5 + (across - 0.5) * attempt / 10, 0.5 + (deep - 0.5) * attempt / 10
            placed = _standing(space, support, thing, rect, (across, deep), height)
            if space.fits(placed, support):
                space.add(placed)
                return placed
    return None


def headroom(support: Thing, rect: Rect, height: float) -> float:
    """Metres above a top up to the board of the next one over it."""
    above = [z for other, z in support.tops if z > height and other.meets(rect)]
    return min(above, default=float("inf")) - height - _BOARD


def _standing(
    space: Space, support: Placed, thing: Thing, rect: Rect, share: tuple[float, float], height: float
) -> Placed:
    x = rect.x0 + thing.size[0] / 2 + share[0] * (rect.width - thing.size[0])
    y = rect.y0 + thing.size[1] / 2 + share[1] * (rect.depth - thing.size[1])
    dx, dy = spin(x, y, support.quarter)
    at = (support.position[0] + dx, support.position[1] + dy, support.position[2] + height)
    return Placed(thing, space.index, at, support.quarter)


def small_things(space: Space) -> None:
    """Puts small things on all that stands in the room."""
    for support in list(space.placed):
        if support.thing.type == "bookshelf":
            _fill_shelves(space, support)
        for type, probability in HABITS.get(support.thing.type, ()):
            if space.wants(probability):
                on_top(space, support, space.make(type), middle=type in ("fruit bowl", "tray"))
    _counters(space)


def _counters(space: Space) -> None:
    """What stands on the worktops of a kitchen: most machines once, cups and bowls anywhere."""
    counters = [
        p for p in space.placed if p.thing.type in ("kitchen counter", "dishwasher", "kitchen island", "sink")
    ]
    for type in _COUNTER if counters else ():
        if space.wants(0.8):
            thing = space.make(type)
            for i in space.rng.permutation(len(counters)).tolist():
                if on_top(space, counters[i], thing):
                    break


def _fill_shelves(space: Space, shelf: Placed) -> None:
    """Rows of books on most boards, other things on some."""
    for level, (rect, height) in enumerate(shelf.thing.tops):
        above = headroom(shelf.thing, rect, height)
        draw = float(space.rng.random())
        if draw < 0.5 * space.plenty + 0.1 and above < 1.0:
            width = rect.width * float(space.rng.uniform(0.35, 0.85))
            on_top(space, shelf, space.make("books", width=width, height=min(0.27, above)), level)
        elif draw < 0.9 * space.plenty:
            on_top(space, shelf, space.make(_SHELVED[int(space.rng.integers(len(_SHELVED)))]), level)
