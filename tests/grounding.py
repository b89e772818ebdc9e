"""Checks what route instructions claim against the building, from the raw arrays of its World alone."""

import math
from functools import cached_property
from itertools import pairwise

import numpy as np

from helpanna.narration.nouns import names_of

TURNS = {  # degrees, a little wider than the narrators'
    "left": (-131, -49),
    "right": (49, 131),
    "slight left": (-51, -24),
    "slight right": (24, 51),
    "sharp left": (-156, -129),
    "sharp right": (129, 156),
}
SIDES = {"left": (-147, -33), "right": (33, 147), "ahead": (-37, 37)}
# What makes a room of unknown kind a room of this kind.
MARKS = {
    "bedroom": ["bed", "bunk bed", "nightstand", "bedside table", "headboard"],
    "bathroom": [
        "toilet", "bathtub", "shower", "shower head", "bath cabinet", "bidet", "toilet paper",
        "toilet paper dispenser", "toilet paper holder", "bathroom sink", "bathroom counter",
    ],
    "kitchen": [
        "stove", "oven", "refrigerator", "dishwasher", "kitchen counter", "kitchen cabinet", "kitchen island",
        "range hood",
    ],
    "laundry room": ["washing machine", "clothes dryer"],
    "dining area": ["dining table"],
    "sitting area": ["sofa", "couch"],
    "office area": ["office chair", "desk chair"],
    "game room": ["pool table", "foosball game table"],
    "gym": ["treadmill", "gym machine", "exercise machine", "rack of weights", "weight bench"],
}  # fmt: skip
SURE = ("bedroom", "bathroom", "kitchen")


def wrapped(degrees):
    return (degrees + 180) % 360 - 180


class Ground:
    """One walk, measured anew."""

    def __init__(self, world, path, view, captions=None):
        self.world, self.path, self.captions = world, list(path), captions
        self.at = world.positions[self.path]
        self.looks = (view % 12) * 30.0
        self.headings = []
        for here, there in pairwise(self.at):
            dx, dy, _ = there - here
            before = self.headings[-1] if self.headings else self.looks
            self.headings.append(math.degrees(math.atan2(dx, dy)) if math.hypot(dx, dy) > 0.2 else before)
        before = [self.looks, *self.headings[:-1]]
        self.changes = [wrapped(b - a) for a, b in zip(before, self.headings, strict=True)]
        self.last = len(self.path) - 1
        self.sightings = set(map(tuple, world.sightings.tolist()))
        self.edges = {frozenset(edge) for edge in world.edges.tolist()}
        self.room = world.room_of.tolist()

    @cached_property
    def kinds(self):
        return [self._kind(room) for room in range(len(self.world.rooms))]

    def _kind(self, room):
        """What the room is called for: as given, by what stands in it, or by its shape; else nothing."""
        world = self.world
        if world.rooms[room].kind:
            return world.rooms[room].kind
        inside = {world.object_types[t] for t, at in enumerate(world.delegates) if world.room_of[at] == room}
        found = [kind for kind, marks in MARKS.items() if inside.intersection(marks)]
        found = [kind for kind in found if kind in SURE] or found
        if found:
            return found[0] if len(found) == 1 else ""
        beside = set()
        for i, j in world.edges.tolist():
            if room in (self.room[i], self.room[j]):
                beside |= {self.room[i], self.room[j]}
        places = world.positions[world.room_of == room]
        length, width = self.extent(room)
        level = len(places) > 2 and places[:, 2].max() - places[:, 2].min() < 0.41
        return "hallway" if level and len(beside - {room, -1}) >= 4 and length > 5 and width < 1.6 else ""

    def extent(self, room):
        """How long and wide a room is between its locations: along the axes of their inertia."""
        at = self.world.positions[self.world.room_of == room][:, :2]
        if len(at) < 2:
            return 0, 0
        vectors = np.linalg.eigh(np.cov(at.T, bias=True))[1]
        spread = [float(np.ptp(at @ vector)) for vector in vectors.T[::-1]]
        return spread[0], spread[1]

    def sees(self, step, thing):
        return (self.path[step], thing) in self.sightings

    def bearing(self, step, thing, looks):
        dx, dy = (self.world.object_positions[thing] - self.at[step])[:2]
        return wrapped(math.degrees(math.atan2(dx, dy)) - looks)

    def plan_distance(self, step, thing):
        return math.dist(self.world.object_positions[thing][:2], self.at[step][:2])

    def is_on(self, side, bearing):
        if side == "behind":
            return abs(bearing) > 143
        low, high = SIDES[side]
        return low < bearing < high

    def neighbours(self, step):
        here = self.path[step]
        return [i for i in range(self.world.location_count) if frozenset((here, i)) in self.edges]

    def way(self, step, neighbour, looks):
        """The bearing of a neighbour."""
        dx, dy = (self.world.positions[neighbour] - self.at[step])[:2]
        return wrapped(math.degrees(math.atan2(dx, dy)) - looks)

    def arriving(self, step):
        return self.headings[step - 1]

    def length(self, first, last):
        return sum(math.dist(a, b) for a, b in pairwise(self.at[first : last + 1].tolist()))

    def beside(self, edge, thing):
        """How far along an edge a thing is (0 to 1) and how far to the right of it."""
        start, end = self.at[edge][:2], self.at[edge + 1][:2]
        along = (end - start) / (np.linalg.norm(end - start) or 1e-9)
        off = self.world.object_positions[thing][:2] - start
        share = float(off @ along) / (np.linalg.norm(end - start) or 1e-9)
        return share, float(off[0] * along[1] - off[1] * along[0])

    def doors_to(self, step, room):
        return [i for i in self.neighbours(step) if self.room[i] == room != self.room[self.path[step]]]

    # One method for each kind of claim.

    def turn(self, c):
        total = sum(self.changes[c.step : c.until + 1])
        if c.side == "around":
            return abs(wrapped(total)) > 154
        low, high = TURNS[c.side]
        return low < wrapped(total) < high

    def straight(self, c):
        return all(abs(wrapped(h - self.headings[c.step])) < 46 for h in self.headings[c.step : c.until])

    def up(self, c):
        return self.at[c.until][2] - self.at[c.step][2] >= 0.3

    def down(self, c):
        return self.at[c.step][2] - self.at[c.until][2] >= 0.3

    def landing(self, c):
        return self._is_landing(c.step) if c.side == "landing" else self._stair_ends(c.step, c.side)

    def _is_landing(self, step):
        """Whether a way leads on that is not a stair."""
        for i in self.neighbours(step):
            dx, dy, dz = self.world.positions[i] - self.at[step]
            if abs(dz) < max(0.3, 0.25 * math.hypot(dx, dy)):
                return True
        return False

    def _stair_ends(self, step, side):
        sign = 1 if side == "top" else -1
        for i in self.neighbours(step):
            dx, dy, dz = self.world.positions[i] - self.at[step]
            if i not in self.path and sign * dz >= max(0.3, 0.25 * math.hypot(dx, dy)):
                return False
        return sign * (self.at[step][2] - self.at[step - 1][2]) > -0.1

    def metres(self, c):
        return math.isclose(self.length(c.step, c.until), c.number, abs_tol=1e-6)

    def passes(self, c):
        share, aside = self.beside(c.until, c.thing)
        side = "right" if aside > 0 else "left"
        near = 0 < share < 1 and abs(aside) < 3 and c.step in (c.until, c.until + 1)
        return self.sees(c.step, c.thing) and near and c.side in ("", side)

    def between(self, c):
        sides = []
        for thing in (c.thing, c.other):
            edges = [e for e in range(self.last) if 0 < self.beside(e, thing)[0] < 1]
            sides.append({self.beside(e, thing)[1] > 0 for e in edges})
        return any(a != b for a in sides[0] for b in sides[1])

    def toward(self, c):
        ahead = abs(self.bearing(c.step, c.thing, self.headings[c.step])) < 26
        return self.sees(c.step, c.thing) and ahead

    def away(self, c):
        return self.sees(c.step, c.thing) and abs(self.bearing(c.step, c.thing, self.headings[c.step])) > 154

    def reach(self, c):
        return self.sees(c.step, c.thing) and self.plan_distance(c.step, c.thing) < 2.3

    def see(self, c):
        return self.sees(c.step, c.thing) and self.is_on(
            c.side, self.bearing(c.step, c.thing, self.headings[c.step])
        )

    def start(self, c):
        return self.sees(0, c.thing) and self.is_on(c.side, self.bearing(0, c.thing, self.looks))

    def by(self, c):
        a, b = self.world.object_positions[[c.thing, c.other]]
        return self.sees(c.step, c.thing) and self.sees(c.step, c.other) and math.dist(a, b) < 1.3

    def large(self, c):
        kind = self.world.object_types[c.thing]
        same = [i for i, other in enumerate(self.world.object_types) if other == kind]
        return self.world.object_radii[c.thing] > 1.3 * np.median(self.world.object_radii[same])

    def looks_so(self, c):
        """A caption within 45 degrees of the thing names it with this word before; no other can be meant."""
        bearing = self.bearing(c.step, c.thing, 0)
        rows = self.captions[self.path[c.step]]
        near = [text for row in rows for h, text in enumerate(row) if abs(wrapped(bearing - 45 * h)) < 45.1]
        said = any(f"{c.side} {noun}" in text for text in near for noun in self._heads(c.thing))
        alone = not self._others(c)[1]
        return said and alone and self.sees(c.step, c.thing)

    def glimpse(self, c):
        return self.is_on(c.side, wrapped(45 * c.number - self.headings[c.step]))

    def _heads(self, thing):
        """The nouns by which a thing may be called."""
        names = names_of(self.world.object_types[thing])
        return {word for name in names for word in [name.split(" of ")[0].split()[-1]]}

    def small(self, c):
        kind = self.world.object_types[c.thing]
        same = [i for i, other in enumerate(self.world.object_types) if other == kind]
        return self.world.object_radii[c.thing] < 0.75 * np.median(self.world.object_radii[same])

    def _others(self, c):
        """Metres to the thing, and to each thing in sight of the same type."""
        kind = self.world.object_types[c.thing]
        same = [t for t, other in enumerate(self.world.object_types) if other == kind and t != c.thing]
        others = [self.plan_distance(c.step, t) for t in same if self.sees(c.step, t)]
        return self.plan_distance(c.step, c.thing), others

    def nearest(self, c):
        own, others = self._others(c)
        return self.sees(c.step, c.thing) and all(own < other for other in others)

    def farthest(self, c):
        own, others = self._others(c)
        return self.sees(c.step, c.thing) and all(own > other for other in others)

    def above(self, c):
        high, low = self.world.object_positions[[c.thing, c.other]]
        return self.by(c) and high[2] - low[2] > 0.45 and math.dist(high[:2], low[:2]) < 0.85

    def below(self, c):
        low, high = self.world.object_positions[[c.thing, c.other]]
        return self.by(c) and high[2] - low[2] > 0.45 and math.dist(high[:2], low[:2]) < 0.85

    def spacious(self, c):
        length, width = self.extent(c.room)
        return length * width > 24 and self._at_room(c)

    def long(self, c):
        length, width = self.extent(c.room)
        return length > 6.9 and length > 3.9 * width and self._at_room(c)

    def _at_room(self, c):
        return self.room[self.path[c.step]] == c.room

    def soon(self, c):
        return 0 <= c.step < c.until and self.length(c.step, c.until) < 2.3

    def wall(self, c):
        seen_from = self.world.delegates[c.thing]
        floor = self.world.positions[seen_from][2] - self.world.eye_heights[seen_from]
        return self.world.object_positions[c.thing][2] - floor > 0.9

    def leave(self, c):
        here, there = self.path[c.step], self.path[c.step + 1]
        return self.room[here] == c.room != self.room[there] and self.room[there] >= 0

    def enter(self, c):
        here, there = self.path[c.step], self.path[c.step + 1]
        return self.room[there] == c.room != self.room[here] and self.room[here] >= 0

    def doorway(self, c):
        low, high = TURNS.get(c.side, (-181, 181))
        change = self.room[self.path[c.step]] != self.room[self.path[c.step + 1]]
        return change and low < self.changes[c.step] < high

    def ordinal(self, c):
        """Counted from the start of the straight stretch before, wherever one says that it begins."""
        entered = self.room[self.path[c.step + 1]]
        counts = set()
        for first in range(c.step):
            rooms = []
            for step in range(first, c.step + 1):
                looks = self.arriving(step) if step > first else self.headings[step]
                for i in self.neighbours(step):
                    if -1 != self.room[i] != self.room[self.path[step]] and self.room[i] not in rooms:
                        bearing = self.way(step, i, looks)
                        beside = 35 <= abs(bearing) <= 145 and (bearing < 0) == (c.side == "left")
                        rooms += [self.room[i]] if beside else []
            counts.add(rooms.index(entered) + 1 if entered in rooms else 0)
        return c.number in counts

    def beyond(self, c):
        there = self.path[c.step + 1]
        home = self.room[self.world.delegates[c.thing]]
        return self.room[there] == c.room and home in (c.room, -1) and self.sees(c.step + 1, c.thing)

    def along(self, c):
        return {self.room[i] for i in self.path[c.step : c.until + 1]} == {c.room}

    def inside(self, c):
        return self.room[self.path[c.step]] == c.room

    def passdoor(self, c):
        looks = self.arriving(c.step)
        return any(self.is_on(c.side, self.way(c.step, i, looks)) for i in self.doors_to(c.step, c.room))

    def end(self, c):
        looks, here = self.arriving(c.step), self.path[c.step]
        ahead = [i for i in self.neighbours(c.step) if self.room[i] == self.room[here]]
        return self.room[here] == c.room and not any(abs(self.way(c.step, i, looks)) < 45 for i in ahead)

    def stop(self, c):
        if c.step != self.last:
            return False
        room = self.room[self.path[-1]]
        if c.side in ("near", "next", "front", "left", "right", "between"):
            things = [c.thing] + ([c.other] if c.side == "between" else [])
            bearings = [self.bearing(self.last, t, self.headings[-1]) for t in things]
            close = 1.7 if c.side == "next" else 2.3
            if not all(self.sees(self.last, t) and self.plan_distance(self.last, t) < close for t in things):
                return False
            if c.side == "between":
                return bearings[0] * bearings[1] < 0
            if c.side in ("near", "next"):
                return True
            return self.is_on({"front": "ahead"}.get(c.side, c.side), bearings[0])
        before = self.room[self.path[-2]]
        return {
            "past": lambda: 0 < self.beside(self.last - 1, c.thing)[0] < 1,
            "room": lambda: room == c.room,
            "inside": lambda: room == c.room != before,
            "outside": lambda: before == c.room != room,
            "door": lambda: bool(self.doors_to(self.last, c.room)),
            "end": lambda: self.end(c),
            "top": lambda: self._stair_ends(self.last, "top"),
            "bottom": lambda: self._stair_ends(self.last, "bottom"),
            "landing": lambda: self._is_landing(self.last),
            "stairs": lambda: abs(self.at[-1][2] - self.at[-2][2]) > 0.1,
            "metres": lambda: True,
        }[c.side]()


def false_claims(ground, instruction):
    """The claims that the building does not bear out."""
    methods = {"pass": "passes", "looks": "looks_so"}
    checks = [(c, getattr(ground, methods.get(c.kind, c.kind))) for c in instruction.claims]
    return [claim for claim, check in checks if not check(claim)]
