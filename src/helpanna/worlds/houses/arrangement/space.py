"""The space of one room while it is being furnished.

Things are placed in rigid groups (a bed with its nightstands, a sofa with what it faces). All places along
the walls or on the floor are tried at once; those where nothing meets are taken in order of taste, the first
that leaves the room walkable is the one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import label

from helpanna.worlds.houses.arrangement.groups import (
    FLAT,
    GAP,
    OVERHEAD,
    TOUCH,
    Block,
    Floats,
    Member,
    block_of,
    meets,
    spin,
)
from helpanna.worlds.houses.furniture.catalogue import make_thing
from helpanna.worlds.houses.layout import House, HouseRoom, Opening, Placed, Rect, Side, Thing
from helpanna.worlds.houses.openings import SIDES, along, front_zone, sides_of, wall_at
from helpanna.worlds.houses.styles import Style

DOOR_STRIP = 0.9
"""Metres in front of doors and passages that stay free."""
WALKWAY = 0.7
"""Metres a way through a room is wide, at least."""

QUARTERS: dict[Side, int] = {"north": 0, "east": 1, "south": 2, "west": 3}
"""How things are turned whose backs are to a wall."""

Taste = Mapping[str, float]

_CELL = 0.1
_STEP = 0.05
_TRIES = 25
_CASING = 0.09
_VIEW = 1.0  # metres; furniture lower than this may stand before a low window


class Space:
    """One room and what is in it.

    Attributes:
        room, index: the room and its number.
        style, rng: the style of the house, and chance.
        plenty: scales how probably there is what need not be there.
        windows: the room's windows, with their walls.
        doors: its doors and passages, with their walls.
        placed: what has been placed so far.
    """

    def __init__(self, house: House, index: int, style: Style, rng: np.random.Generator, plenty: float = 1.0):
        self.room: HouseRoom = house.rooms[index]
        self.index, self.style, self.rng, self.plenty = index, style, rng, plenty
        here = [(o, side) for o in house.openings for i, side in sides_of(o) if i == index]
        self.windows: list[tuple[Opening, Side]] = [way for way in here if way[0].kind == "window"]
        self.doors: list[tuple[Opening, Side]] = [way for way in here if way[0].kind != "window"]
        self.placed: list[Placed] = []
        self._solids: list[Block] = []
        self._kept: dict[str, list[Block]] = {"door": [], "window": [], "access": []}
        self._entries: list[tuple[float, float]] = []
        self._keep_openings()
        self._keep_stairs(house)

    def _keep_openings(self) -> None:
        rect = self.room.rect
        for opening, side in self.doors:
            zone = front_zone(rect, opening, side, DOOR_STRIP)
            self._keep("door", zone, 0.0, opening.high + 0.05)
            self._keep("door", front_zone(rect, _cased(opening), side, 0.018), 0.0, opening.high + _CASING)
            middle = front_zone(rect, opening, side, WALKWAY / 2 + 0.08)
            inner = {"west": middle.x1, "east": middle.x0, "south": middle.y1, "north": middle.y0}[side]
            self._entries.append(
                (inner, opening.centre) if side in ("west", "east") else (opening.centre, inner)
            )
        for opening, side in self.windows:
            self._keep("window", front_zone(rect, opening, side, 0.4), max(opening.low, _VIEW), opening.high)
            casing = front_zone(rect, _cased(opening), side, 0.018)
            self._keep("window", casing, opening.low - _CASING, opening.high + _CASING)

    def _keep_stairs(self, house: House) -> None:
        """A flight fills its rectangle, above and below; both its ends need space to step on and off."""
        for stair in house.stairs:
            if self.index in (stair.lower, stair.upper):
                self._solids.append((stair.rect.x0, stair.rect.y0, -1.0, stair.rect.x1, stair.rect.y1, 9.0))
                upright = stair.towards in ("south", "north")
                grow = (0.0, DOOR_STRIP) if upright else (DOOR_STRIP, 0.0)
                r = stair.rect
                zone = Rect(r.x0 - grow[0], r.y0 - grow[1], r.x1 + grow[0], r.y1 + grow[1])
                self._keep("door", zone, 0.0, OVERHEAD)
                ends = [(r.centre[0], y) for y in (zone.y0 + 0.4, zone.y1 - 0.4)]
                if not upright:
                    ends = [(x, r.centre[1]) for x in (zone.x0 + 0.4, zone.x1 - 0.4)]
                self._entries += ends

    def _keep(self, what: str, r: Rect, low: float, high: float) -> None:
        self._kept[what].append((r.x0, r.y0, low, r.x1, r.y1, high))

    def make(self, type: str, **size: float) -> Thing:
        """A thing in the style of the house, to measure where sizes (width, depth, height) are given."""
        return make_thing(type, self.style, self.rng, **size)

    def chance(self, probability: float) -> bool:
        """Whether it happens."""
        return bool(self.rng.random() < probability)

    def wants(self, probability: float) -> bool:
        """Whether the room gets something that it need not have."""
        return self.chance(probability * self.plenty)

    # Placing.

    def at_wall(
        self, *group: Member, sides: Sequence[Side] = SIDES, taste: Taste | None = None
    ) -> list[Placed] | None:
        """Places a group with its back to a wall; None if there is no place for it.

        Args:
            group: what to place.
            sides: which walls may serve.
            taste: how much is liked: "corner", "middle" of the wall, near a "door", below a "window".
        """
        options = []
        for side in sides:
            quarter, (low, high) = QUARTERS[side], along(self.room.rect, side)
            ends = [w for m in group for w in m.reach(quarter)]
            flush = [low + GAP - min(ends), high - GAP - max(ends)]
            places = np.concatenate([flush, np.arange(flush[0], flush[1], _STEP)])
            across = np.full(len(places), wall_at(self.room.rect, side))
            anchors = np.stack([places, across] if side in ("south", "north") else [across, places], axis=-1)
            score = self._score(taste or {}, side, places, anchors, (min(ends), max(ends)))
            options.append((quarter, anchors, score))
        return self.place(group, options)

    def on_floor(
        self, *group: Member, quarters: Sequence[int] = (0, 1), taste: Taste | None = None
    ) -> list[Placed] | None:
        """Places a group anywhere on the floor, with its origin as near to the room's middle as it can be."""
        r = self.room.rect
        xs, ys = (np.concatenate([[c], np.arange(a + 0.3, b - 0.3, 0.1)])
                  for c, a, b in ((r.centre[0], r.x0, r.x1), (r.centre[1], r.y0, r.y1)))  # fmt: skip
        anchors = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        away = np.linalg.norm(anchors - r.centre, axis=-1)
        score = -away * (taste or {}).get("middle", 1.0) + self.rng.uniform(0, 0.3, len(anchors))
        return self.place(group, [(quarter, anchors, score) for quarter in quarters])

    def at(self, member: Member, x: float, y: float, quarter: int) -> Placed | None:
        """Places one thing with its middle exactly there, if it fits."""
        member = Member(member.thing, 0.0, 0.0, 0, member.z, member.access, member.avoids)
        found = self.place([member], [(quarter, np.array([[x, y]]), np.zeros(1))])
        return found[0] if found else None

    def _score(
        self, taste: Taste, side: Side, places: Floats, anchors: Floats, reach: tuple[float, float]
    ) -> Floats:
        low, high = along(self.room.rect, side)
        score = self.rng.uniform(0, 0.5, len(places)) + self.rng.uniform(0, 0.6)
        score -= taste.get("corner", 0.0) * np.minimum(places + reach[0] - low, high - places - reach[1])
        score -= taste.get("middle", 0.0) * np.abs(places - (low + high) / 2)
        doors = np.array(self._entries or [self.room.rect.centre])
        away = np.linalg.norm(anchors[:, None] - doors, axis=-1).min(axis=1)
        score -= taste.get("door", 0.0) * away
        lit = [
            (places > o.centre - o.width / 2) & (places < o.centre + o.width / 2)
            for o, s in self.windows
            if s == side
        ]
        return score + taste.get("window", 0.0) * np.any(lit, axis=0) if lit else score

    def place(
        self, group: Sequence[Member], options: Sequence[tuple[int, Floats, Floats]]
    ) -> list[Placed] | None:
        """Places a group at one of many anchors.

        Args:
            group: what to place.
            options: (quarters the group is turned, anchors [N, 2], how much each is liked [N]).
        """
        scored = []
        for number, (quarter, anchors, score) in enumerate(options):
            free = self.free(group, quarter, anchors)
            scored += [(-score[i], number, i) for i in np.flatnonzero(free).tolist()]
        for _, number, i in sorted(scored)[:_TRIES]:
            quarter, anchors, _ = options[number]
            mark = self.mark()
            for member in group:
                self._commit(member, quarter, anchors[i])
            if self.walkable():
                return self.placed[mark[0] :]
            self.back(mark)
        return None

    def free(self, group: Sequence[Member], quarter: int, anchors: Floats) -> NDArray[np.bool_]:
        """[N] at which anchors a group meets nothing."""
        r = self.room.rect
        free = np.ones(len(anchors), dtype=bool)
        solids = np.array(self._solids).reshape(-1, 6)
        for member in group:
            blocks = member.blocks(quarter, anchors)
            kept = [block for what in member.avoids for block in self._kept[what]]
            hard = blocks if member.solid else blocks[:0]
            for mine, others in ((hard, solids), (blocks, np.array(kept).reshape(-1, 6))):
                if len(mine) and len(others):
                    free &= ~meets(mine, others).any(axis=1)
            zones = [blocks]
            if member.access:
                front = member.front(quarter, anchors)
                zones.append(front)
                if len(solids):
                    free &= ~meets(front, solids).any(axis=1)
            for zone in zones:
                free &= (zone[:, 0] >= r.x0 - TOUCH) & (zone[:, 3] <= r.x1 + TOUCH)
                free &= (zone[:, 1] >= r.y0 - TOUCH) & (zone[:, 4] <= r.y1 + TOUCH)
            free &= blocks[:, 5] <= self.room.height + TOUCH
        return free

    def _commit(self, member: Member, quarter: int, anchor: Floats) -> None:
        dx, dy = spin(member.x, -member.distance, quarter)
        position = (float(anchor[0]) + dx, float(anchor[1]) + dy, self.room.z + member.z)
        placed = Placed(member.thing, self.index, position, (quarter + member.turn) % 4)
        self.add(placed)
        if member.access:
            x0, y0, _, x1, y1, _ = member.front(quarter, anchor[None])[0].tolist()
            self._keep("access", Rect(x0, y0, x1, y1), FLAT, OVERHEAD)

    def add(self, placed: Placed) -> None:
        """Takes in a thing without looking whether it fits."""
        self.placed.append(placed)
        block = block_of(placed, self.room.z)
        if placed.thing.size[2] > FLAT or block[2] > FLAT:
            self._solids.append(block)

    def fits(self, placed: Placed, beside: Placed | None = None) -> bool:
        """Whether a small thing meets nothing but what it stands on."""
        block = np.array([block_of(placed, self.room.z)])
        support = None if beside is None else block_of(beside, self.room.z)
        others = [solid for solid in self._solids if solid != support]
        if not others:
            return True
        return not meets(block, np.array(others)).any()

    def mark(self) -> tuple[int, int, int]:
        """Where to go `back` to."""
        return len(self.placed), len(self._solids), len(self._kept["access"])

    def back(self, mark: tuple[int, int, int]) -> None:
        """Takes away all that was placed since."""
        del self.placed[mark[0] :], self._solids[mark[1] :], self._kept["access"][mark[2] :]

    # Walking.

    def walkable(self) -> bool:
        """Whether all doors, the room's middle and all that is used can be reached on ways 0.7 m wide."""
        r = self.room.rect
        shape = max(1, int(r.width / _CELL)), max(1, int(r.depth / _CELL))
        xs = r.x0 + (np.arange(shape[0]) + 0.5) * r.width / shape[0]
        ys = r.y0 + (np.arange(shape[1]) + 0.5) * r.depth / shape[1]
        half = WALKWAY / 2 - 0.01
        inside_x, inside_y = (xs > r.x0 + half) & (xs < r.x1 - half), (ys > r.y0 + half) & (ys < r.y1 - half)
        free = inside_x[:, None] & inside_y[None, :]
        for x0, y0, low, x1, y1, high in self._solids:
            if low < OVERHEAD and high > FLAT:
                a, b = np.searchsorted(xs, (x0 - half, x1 + half))
                c, d = np.searchsorted(ys, (y0 - half, y1 + half))
                free[a:b, c:d] = False
        if not free.any():
            return False
        parts, _ = label(free)
        cells = np.argwhere(free)
        points = np.stack([xs[cells[:, 0]], ys[cells[:, 1]]], axis=-1)
        names = parts[cells[:, 0], cells[:, 1]]
        entries = np.array([*self._entries, r.centre])
        apart = np.linalg.norm(points[None] - entries[:, None], axis=-1)
        nearest = apart.argmin(axis=1)
        if (apart.min(axis=1)[:-1] > 0.25).any() or len(set(names[nearest].tolist())) > 1:
            return False
        reached = points[names == names[nearest[0]]]
        return all(_touches(reached, zone) for zone in self._kept["access"])

    def things(self, type: str) -> Iterator[Placed]:
        """What has been placed of a type."""
        return (placed for placed in self.placed if placed.thing.type == type)

    def has(self, *types: str) -> bool:
        """Whether something of one of these types is here."""
        return any(placed.thing.type in types for placed in self.placed)


def _cased(opening: Opening) -> Opening:
    """The opening with the boards around it."""
    return replace(opening, width=opening.width + 2 * _CASING)


def _touches(points: Floats, zone: Block) -> bool:
    """Whether one of the points is in a zone or at its edge."""
    x0, y0, _, x1, y1, _ = zone
    near = 0.15
    x, y = points[:, 0], points[:, 1]
    return bool(((x > x0 - near) & (x < x1 + near) & (y > y0 - near) & (y < y1 + near)).any())
