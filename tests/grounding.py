"""Checks route instructions against the building, from the raw arrays of its World and the text alone."""

import math
import re
from itertools import pairwise

import numpy as np

from helpanna.assistance.nouns import names_of, room_names
from helpanna.tasks.words import words

TURNS = {  # degrees, a little wider than the narrators'
    "left": (-131, -49),
    "right": (49, 131),
    "slight left": (-51, -24),
    "slight right": (24, 51),
    "sharp left": (-156, -129),
    "sharp right": (129, 156),
}
SIDES = {"left": (-147, -33), "right": (33, 147), "ahead": (-37, 37)}
NUMBERS = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
]  # fmt: skip


def wrapped(degrees):
    return (degrees + 180) % 360 - 180


class Ground:
    """One walk, measured anew."""

    def __init__(self, world, path, view):
        self.world, self.path = world, list(path)
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
    checks = [(c, getattr(ground, "passes" if c.kind == "pass" else c.kind)) for c in instruction.claims]
    return [claim for claim, check in checks if not check(claim)]


# Reading the text.

NEUTRAL = re.compile(r"\bright (?=in front|next to|by|inside|outside)")


def directions(text):
    """The direction words of a clause, as the kinds and sides that must be claimed."""
    text = NEUTRAL.sub("", text)
    found = {("side", side) for side in ("left", "right") if re.search(rf"\b{side}\b", text)}
    if re.search(
        r"\bslight|\bveer\b|(?<!teddy )\bbear (left|right|to)\b|\bangle to|\bturn a (little|bit) to", text
    ):
        found.add(("degree", "slight"))
    if re.search(r"\bsharp|\bhard\b", text):
        found.add(("degree", "sharp"))
    if re.search(r"\baround\b", text):
        found.add(("degree", "around"))
    if re.search(r"\bstraight\b(?! ahead of you)|\bforwards?\b|(?<!straight )\bahead\b(?! of you)", text):
        found.add(("straight", ""))
    stairs = r"(the )?(few )?(stairs|staircase|steps|stairway|flight of stairs|set of stairs)"
    if re.search(rf"\bup {stairs}|\bupstairs\b|\bclimb|\bascend|{stairs} up\b", text):
        found.add(("stairs", "up"))
    if re.search(rf"\bdown {stairs}|\bdownstairs\b|\bdescend|{stairs} down\b", text):
        found.add(("stairs", "down"))
    return found


def claimed_directions(claims):
    found = set()
    for c in claims:
        if c.kind == "turn":
            *degree, side = c.side.split(" ")
            found |= {("degree", d) for d in degree}
            found.add(("degree", "around") if side == "around" else ("side", side))
        elif c.side in ("left", "right"):
            found.add(("side", c.side))
        elif c.kind == "straight":
            found.add(("straight", ""))
        elif c.kind in ("up", "down"):
            found.add(("stairs", c.kind))
    return found


def text_faults(ground, instruction):
    """What the text says and the claims do not, or the other way round."""
    faults = []
    spoken = words(instruction.text)
    place = 0
    for clause in instruction.clauses:
        said = words(clause.text)
        span = next((i for i in range(place, len(spoken)) if _is_at(spoken[i : i + len(said)], said)), None)
        assert span is not None, (clause.text, instruction.text)
        place = span + len(said)
        if directions(clause.text) != claimed_directions(clause.claims):
            faults.append(("directions", clause))
        faults += [("number", clause)] if not _number_fits(clause) else []
        faults += _unclaimed_names(ground.world, clause)
    if instruction.clauses[-1].claims == () or not any(
        c.kind == "stop" for c in instruction.clauses[-1].claims
    ):
        faults.append(("no stopping place", instruction.clauses[-1]))
    if place != len(spoken):
        faults.append(("words after the end", instruction.clauses[-1]))
    last = words(re.split(r"\.\s+", instruction.text.strip())[-1])
    if not set(words(instruction.clauses[-1].text)) <= set(last):
        faults.append(("last sentence", instruction.clauses[-1]))
    return faults


def _is_at(spoken, said):
    """Whether the clause is spoken here, perhaps as in "start by turning"."""
    verb = spoken[0] == said[0] or spoken[0] in (said[0] + "ing", said[0][:-1] + "ing", "stepping")
    return verb and spoken[1:] == said[1:]


def _number_fits(clause):
    found = re.search(r"(?:about|roughly|approximately) (\w+) (meters|feet)", clause.text)
    if not found:
        return True
    number = NUMBERS.index(found[1]) if found[1] in NUMBERS else int(found[1])
    metres = number * (1 if found[2] == "meters" else 0.3048)
    return any(c.kind == "metres" and abs(metres - c.number) < 0.8 for c in clause.claims)


def _unclaimed_names(world, clause):
    """Things and rooms that the clause names but does not claim."""
    text = clause.text
    things = [t for c in clause.claims for t in (c.thing, c.other) if t >= 0]
    named = {name for t in things for name in names_of(world.object_types[t])}
    # What is claimed goes first, the longest name first: a "kitchen cabinet" is no kitchen.
    for name in sorted(named, key=len, reverse=True):
        text = re.sub(rf"\b{name}(e?s)?\b|\b{name[:-1]}(ies|ves)\b", "", text)
    kinds = {world.rooms[c.room].kind for c in clause.claims if c.room >= 0}
    known = {name for kind in kinds for name in room_names(kind)} | {"entrance"}
    for name in sorted(known, key=len, reverse=True):
        text = re.sub(rf"\b{name}\b", "", text)
    unclaimed = [
        *(
            rf"\b(the|a|an|some) (large |big )?{n}\b"
            for kind in set(world.object_types)
            for n in names_of(kind)
        ),
        *(rf"\bthe (next )?{n}\b" for room in world.rooms for n in room_names(room.kind) if n not in known),
    ]
    return [(f"{pattern} is not claimed", clause) for pattern in unclaimed if re.search(pattern, text)]


def grammar_faults(text):
    """Mistakes that no careful narrator makes."""
    lower = text.lower()
    patterns = [
        r"\ba [aeo]", r"\ban [^aeiou]", r"\b(\w+) \1\b", r"  ", r" [.,]", r"[.,]{2}", r"\{|\}", r",$",
        r"\b(a|an|the) (a|an|the|some)\b", r"\band (and|until|towards?|away)\b", r"\bthen (then|and)\b",
        r"\bone (meters|feet)\b",
    ]  # fmt: skip
    return [pattern for pattern in patterns if re.search(pattern, lower)]
