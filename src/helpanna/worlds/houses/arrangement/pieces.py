"""Habits that many rooms share: pieces at walls, lamps, windows, pictures."""

from collections.abc import Sequence

from helpanna.worlds.houses.arrangement.groups import Member, spin
from helpanna.worlds.houses.arrangement.space import QUARTERS, Space, Taste
from helpanna.worlds.houses.layout import Opening, Placed, Rect, Side, Thing
from helpanna.worlds.houses.openings import along, front_zone, inwards, wall_at

ON_WALL = 0.004
"""Metres between a wall and what hangs on it."""
EYE = 1.55
"""Metres: pictures hang with their middles at this height."""
HUNG = ("door", "window")


class NoSpaceError(Exception):
    """Something the room must have found no place; another arrangement must be tried."""


def piece(
    space: Space,
    type: str,
    widths: Sequence[float] = (),
    access: float = 0.6,
    taste: Taste | None = None,
    need: bool = False,
) -> Placed | None:
    """One thing with its back to a wall.

    Args:
        space: the room.
        type: what it is.
        widths: how wide it may be; the first that finds a place is taken.
        access: metres that must stay free in front of it.
        taste: where it is liked, as `Space.at_wall` has it.
        need: whether the room must have it.

    Raises:
        NoSpaceError: it is needed and there is no place.
    """
    made = (space.make(type, width=width) for width in widths) if widths else iter([space.make(type)])
    for thing in made:
        placed = space.at_wall(Member(thing, access=access), taste=taste)
        if placed:
            return placed[0]
    if need:
        raise NoSpaceError(f"no place for a {type}")
    return None


def hang(space: Space, thing: Thing, z: float, taste: Taste | None = None) -> Placed | None:
    """Hangs a thing on a wall, its underside at a height."""
    found = space.at_wall(Member(thing, y=ON_WALL + thing.size[1] / 2, z=z, avoids=HUNG), taste=taste)
    return found[0] if found else None


def hang_over(space: Space, thing: Thing, below: Placed, z: float) -> Placed | None:
    """Hangs a thing on the wall behind another one, above it."""
    side = next(side for side, quarter in QUARTERS.items() if quarter == below.quarter)
    offset = ON_WALL + thing.size[1] / 2
    at = wall_at(space.room.rect, side) + inwards(side) * offset
    x, y = (below.position[0], at) if side in ("south", "north") else (at, below.position[1])
    if abs(at - below.position[1 if side in ("south", "north") else 0]) > 0.7:
        return None  # it stands away from the wall
    return space.at(Member(thing, z=z, avoids=HUNG), x, y, below.quarter)


def picture_over(space: Space, below: Placed, type: str = "picture") -> None:
    """Hangs a picture or a mirror above a piece of furniture."""
    width = min(1.1, max(0.4, below.thing.size[0] * float(space.rng.uniform(0.4, 0.65))))
    height = width * float(space.rng.uniform(0.6, 0.95))
    thing = space.make(type, width=width, height=min(height, 0.8))
    top = below.position[2] - space.room.z + below.thing.size[2]
    hang_over(space, thing, below, max(top + 0.2, EYE - thing.size[2] / 2))


def pictures(space: Space, count: int, *types: str) -> None:
    """Hangs up to `count` things where walls are free, their middles at eye level."""
    for i in range(count):
        if not space.wants(1.2):
            continue
        thing = space.make(types[i % len(types)])
        hang(space, thing, EYE - thing.size[2] / 2 + float(space.rng.uniform(0, 0.1)), {"middle": 0.2})


def ceiling(space: Space, thing: Thing, x: float, y: float) -> Placed | None:
    """Hangs a thing from the ceiling as near to a point as it can be."""
    z = space.room.height - thing.size[2]
    for away in (0.0, 0.3, 0.6, 0.9, 1.2):
        for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)):
            placed = space.at(Member(thing, z=z, avoids=("door",)), x + dx * away, y + dy * away, 0)
            if placed:
                return placed
    return None


def light(space: Space, type: str = "ceiling lamp") -> None:
    """A lamp in the middle of the ceiling, more in long rooms; low ones where nobody walks into them."""
    r = space.room.rect
    long, short = max(r.width, r.depth), min(r.width, r.depth)
    count = 1 if type == "chandelier" or (long < 5.5 and long < 3.5 * short) else 2
    for i in range(count):
        share = (i + 0.5) / count
        x, y = (
            (r.x0 + share * r.width, r.centre[1])
            if r.width > r.depth
            else (r.centre[0], r.y0 + share * r.depth)
        )
        hanging = min(space.room.height - 2.05, 0.75)
        thing = space.make(type) if type == "ceiling lamp" else space.make(type, height=hanging)
        if not ceiling(space, thing, x, y):
            raise NoSpaceError("no place for a lamp")


def radiators(space: Space, probability: float = 0.7) -> None:
    """A radiator below each window where there is room for it."""
    for opening, side in space.windows:
        tall = min(0.6, opening.low - 0.2)
        if tall >= 0.35 and space.chance(probability):
            thing = space.make("radiator", width=min(max(opening.width * 0.8, 0.5), 1.3), height=tall)
            before_opening(space, thing, opening, side, 0.1, 0.03, ("door", "window", "access"))


def window_cloths(space: Space, type: str) -> None:
    """Curtains or blinds at all windows: long curtains where nothing stands below."""
    for opening, side in space.windows:
        top = min(opening.high + 0.12, space.room.height - 0.04)
        if type == "curtain":
            lows = [0.03, opening.low - 0.12] if space.chance(0.7) else [opening.low - 0.12]
            done = any(
                before_opening(
                    space,
                    space.make("curtain", width=width, height=top - low),
                    opening,
                    side,
                    low,
                    0.03,
                    ("door",),
                )
                for low in lows
                for width in _widths(space, opening, side)
            )
            if done:
                continue
        height = (opening.high - opening.low) * float(space.rng.uniform(0.25, 0.45))
        thing = space.make("blinds", width=opening.width + 0.1, height=height)
        before_opening(space, thing, opening, side, opening.high + 0.04 - height, 0.02, ("door",))


def _widths(space: Space, opening: Opening, side: Side) -> list[float]:
    low, high = along(space.room.rect, side)
    room = 2 * min(opening.centre - low, high - opening.centre) - 0.04
    return [min(opening.width + more, room) for more in (0.6, 0.3) if room > opening.width + 0.1]


def before_opening(
    space: Space, thing: Thing, opening: Opening, side: Side, z: float, gap: float, avoids: tuple[str, ...]
) -> bool:
    """Puts a thing at the middle of a door or a window, that far from the wall."""
    at = wall_at(space.room.rect, side) + inwards(side) * (gap + thing.size[1] / 2)
    x, y = (opening.centre, at) if side in ("south", "north") else (at, opening.centre)
    return space.at(Member(thing, z=z, avoids=avoids), x, y, QUARTERS[side]) is not None


def switches(space: Space) -> None:
    """A light switch beside the first door that has wall for it, a smoke detector under some ceilings."""
    for opening, side in space.doors:
        for way in (1, -1):
            place = opening.centre + way * (opening.width / 2 + 0.18)
            thing = space.make("light switch")
            at = wall_at(space.room.rect, side) + inwards(side) * (ON_WALL + thing.size[1] / 2)
            x, y = (place, at) if side in ("south", "north") else (at, place)
            if opening.kind == "door" and space.at(Member(thing, z=1.08, avoids=HUNG), x, y, QUARTERS[side]):
                return


def smoke_detector(space: Space) -> None:
    """On the ceiling between the room's middle and its door."""
    if space.doors:
        opening, side = space.doors[0]
        zone = front_zone(space.room.rect, opening, side, 1.6)
        x, y = ((a + b) / 2 for a, b in zip(zone.centre, space.room.rect.centre, strict=True))
        ceiling(space, space.make("smoke detector"), x, y)


def rug_under(space: Space, things: Sequence[Placed], margin: float) -> None:
    """A rug beneath a group of things, as far as the floor is free of doors."""
    x0, y0 = min(p.footprint.x0 for p in things), min(p.footprint.y0 for p in things)
    x1, y1 = max(p.footprint.x1 for p in things), max(p.footprint.y1 for p in things)
    for grow in (margin, margin / 2, 0.0, -0.15):
        r = Rect(x0, y0, x1, y1).grown(grow)
        if r.width > 0.6 and r.depth > 0.6:
            rug = space.make("rug", width=r.width, depth=r.depth)
            if space.at(Member(rug, avoids=("door",)), *r.centre, 0):
                return


def in_front(space: Space, placed: Placed, thing: Thing, gap: float, avoids: tuple[str, ...]) -> None:
    """Puts a thing on the floor before another one, if it fits."""
    dx, dy = spin(0.0, -(placed.thing.size[1] + thing.size[1]) / 2 - gap, placed.quarter)
    space.at(Member(thing, avoids=avoids), placed.position[0] + dx, placed.position[1] + dy, placed.quarter)


def plant(space: Space, probability: float) -> None:
    """Perhaps a tall plant in a corner."""
    if space.chance(probability):
        thing = space.make("plant", height=float(space.rng.uniform(0.9, 1.5)))
        space.at_wall(Member(thing), taste={"corner": 1.0, "window": 0.3})
