"""Pure geometry: the facts of a walk, measured in the building."""

import math
from itertools import pairwise

from helpanna.errors import InputError
from helpanna.narration.facts import (
    STRAIGHT,
    Crossing,
    Door,
    Flight,
    Leg,
    Pass,
    SeenThing,
    Turn,
    Walk,
    wrapped,
)
from helpanna.narration.surroundings import Surroundings
from helpanna.worlds.geometry import view_heading

BEND = 45.0
"""Several small changes that add up to this are a turn."""

NEAR = 2.2
"""Metres: what one is at."""
ASIDE = 2.5
"""Metres: what one passes."""
_LANDING = 2.5


def narrate(around: Surroundings, path: tuple[int, ...], view: int) -> Walk:
    """The walk along these locations of the building, the camera at first at `view`."""
    if len(path) < 2 or any(j not in around.neighbours[i] for i, j in pairwise(path)):
        name = around.world.name
        raise InputError(f"{list(path)} is not a walk in world {name}; name adjacent locations.")
    return _Walker(around, path, math.degrees(float(view_heading(view)))).walk()


def sight_from(around: Surroundings, step: int, location: int, thing: int, heading: float) -> SeenThing:
    """The thing as seen from a location by somebody who looks along `heading`."""
    x, y, _ = around.position[location]
    a, b, _ = around.thing_position[thing]
    bearing = wrapped(math.degrees(math.atan2(a - x, b - y)) - heading)
    return SeenThing(step, thing, bearing, math.hypot(a - x, b - y))


class _Walker:
    """One walk in the making."""

    def __init__(self, around: Surroundings, path: tuple[int, ...], looks: float) -> None:
        self.around, self.path = around, path
        self.last = len(path) - 1
        self.slopes = self._slopes()
        self.headings: list[float] = []
        for i, j in pairwise(path):
            # On a ladder one goes on looking where one looked.
            before = self.headings[-1] if self.headings else looks
            level = math.dist(around.position[i][:2], around.position[j][:2])
            self.headings.append(around.heading(i, j) if level > 0.2 else before)
        self.looks = looks
        arriving = [looks, *self.headings[:-1]]
        self.changes = [wrapped(out - back) for out, back in zip(self.headings, arriving, strict=True)]

    def walk(self) -> Walk:
        turns = self._turns()
        ends = [turn.step for turn in turns[1:]] + [self.last]
        legs: list[Leg] = []
        for turn, end in zip(turns, ends, strict=True):
            legs.append(self._leg(turn, end, legs[-1] if legs else None))
        here = self.path[0]
        start = tuple(sight_from(self.around, 0, here, thing, self.looks) for thing in self.around.seen[here])
        return Walk(self.path, tuple(legs), start)

    def _slopes(self) -> list[int]:
        """The slope of each edge; a level landing between two flights belongs to the stair."""
        slopes = [self.around.slope(i, j) for i, j in pairwise(self.path)]
        for e in range(1, len(slopes) - 1):
            metres = math.dist(*(self.around.position[i] for i in self.path[e : e + 2]))
            if slopes[e] == 0 and slopes[e - 1] == slopes[e + 1] and metres < _LANDING:
                slopes[e] = slopes[e - 1]
        return slopes

    def _turns(self) -> list[Turn]:
        """Where legs begin: at turns to speak of, and where a stair begins or ends."""
        turns = [Turn(0, 0, self.changes[0])]
        drift, bend = 0.0, 1
        for i in range(1, self.last):
            change, stair = self.changes[i], self.slopes[i] or self.slopes[i - 1]
            total = drift + change
            after = self.changes[i + 1] if i + 1 < self.last else 0.0
            if self.slopes[i] and self.slopes[i] == self.slopes[i - 1]:
                continue  # nobody speaks of the turns of a stair
            if stair or abs(change) >= BEND:
                told = Turn(i, i, change)
            elif abs(total) >= BEND:
                told = Turn(bend, i, wrapped(total))
            elif min(abs(change), abs(total), abs(total + after)) >= STRAIGHT:  # no swerve
                told = Turn(i, i, change)
            else:
                bend = i if drift == 0 else bend
                drift = total
                continue
            turns.append(told)
            drift = 0.0
        return turns

    def _leg(self, turn: Turn, last: int, before: Leg | None) -> Leg:
        first = turn.step
        path, around = self.path, self.around
        edges = range(first, last)
        here, there = path[first], path[last]
        ahead = [sight_from(around, first, here, thing, self.headings[first]) for thing in around.seen[here]]
        arrived = [
            sight_from(around, last, there, thing, self.headings[last - 1]) for thing in around.seen[there]
        ]
        return Leg(
            first=first,
            last=last,
            turn=turn,
            metres=sum(math.dist(around.position[path[e]], around.position[path[e + 1]]) for e in edges),
            flight=self._flight(first, last),
            crossings=tuple(crossing for e in edges if (crossing := self._crossing(e, turn, before))),
            passes=() if self.slopes[first] else tuple(self._passes(edges)),
            doors=tuple(
                door
                for step in range(first + 1, last + 1)
                for door in self._openings(step, first)
                if door.narrow and door.room not in [around.room[i] for i in path]
            ),
            ends_room=self._ends_room(first, last),
            ahead=tuple(ahead),
            reached=tuple(s for s in arrived if s.distance <= NEAR and around.here(s.thing, there)),
        )

    def _flight(self, first: int, last: int) -> Flight | None:
        slope = self.slopes[first]
        if not slope:
            return None
        rise = self.around.position[self.path[last]][2] - self.around.position[self.path[first]][2]
        below = any(self.around.slope(i, self.path[first]) == slope for i in self._off(first))
        above = any(self.around.slope(self.path[last], i) == slope for i in self._off(last))
        level = any(self.around.slope(self.path[last], i) == 0 for i in self._off(last))
        landing = level or (last < self.last and self.slopes[last] == 0)
        return Flight(slope > 0, abs(rise), begins=not below, ends=not above, landing=landing)

    def _off(self, step: int) -> list[int]:
        """The neighbours of a location of the path that are not on the path."""
        return [i for i in self.around.neighbours[self.path[step]] if i not in self.path]

    def _crossing(self, edge: int, turn: Turn, before: Leg | None) -> Crossing | None:
        i, j = self.path[edge], self.path[edge + 1]
        if (i, j) not in self.around.doorways:
            return None
        ordinal = 0
        if before and edge == turn.step and turn.first == turn.step and turn.kind in ("left", "right"):
            ordinal = self._ordinal(edge, turn.kind, before)
        rooms = self.around.room
        return Crossing(edge, rooms[i], rooms[j], self.around.doorways[i, j], ordinal)

    def _ordinal(self, edge: int, side: str, before: Leg) -> int:
        """Which doorway on this side it is, counted from the beginning of the leg before; 0 if unclear."""
        steps = range(before.first, before.last + 1)
        places = {i for step in steps for i in (self.path[step], *self.around.neighbours[self.path[step]])}
        if before.flight or before.crossings or any(self.around.room[i] < 0 for i in places):
            return 0
        openings = [
            door for step in steps for door in self._openings(step, before.first) if door.side == side
        ]
        rooms = list(dict.fromkeys(door.room for door in openings))
        entered = self.around.room[self.path[edge + 1]]
        # What is wide open may count or not, and another way into the room makes it ambiguous.
        clear = all(d.narrow for d in openings) and [d.step for d in openings if d.room == entered] == [edge]
        return rooms.index(entered) + 1 if clear else 0

    def _openings(self, step: int, first: int) -> list[Door]:
        """The ways into other rooms, as somebody sees them who walks the leg from `first` on."""
        here, looks = self.path[step], self.headings[max(step - 1, first)]
        around = self.around
        return [
            Door(step, around.room[i], wrapped(around.heading(here, i) - looks), around.doorways[here, i])
            for i in around.neighbours[here]
            if (here, i) in around.doorways
        ]

    def _passes(self, edges: range) -> list[Pass]:
        """What is beside the way, neither before its beginning nor beyond its end."""
        found: dict[int, Pass] = {}
        for e in edges:
            i, j = self.path[e], self.path[e + 1]
            for step, location in ((e, i), (e + 1, j)):
                for thing in self.around.seen[location]:
                    along, aside = self.around.beside(thing, i, j)
                    height = self.around.thing_position[thing][2] - self.around.position[i][2]
                    level = -2.2 < height < 1.2
                    level = level and (self.around.here(thing, i) or self.around.here(thing, j))
                    if thing not in found and level and 0.15 < along < 0.95 and 0.2 < abs(aside) < ASIDE:
                        found[thing] = Pass(step, thing, e + along, "right" if aside > 0 else "left")
        return sorted(found.values(), key=lambda item: item.edge)

    def _ends_room(self, first: int, last: int) -> bool:
        """Whether the last two edges are in one room, and no way leads on straight in it."""
        here, looks = self.path[last], self.headings[last - 1]
        if last - first < 2 or len({self.around.room[i] for i in self.path[last - 2 : last + 1]}) > 1:
            return False
        return not any(
            abs(wrapped(self.around.heading(here, i) - looks)) < BEND
            for i in self.around.neighbours[here]
            if self.around.room[i] == self.around.room[here]
        )
