"""A narrator's voice: habits, favourite words, and how things and rooms are called in one instruction."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from helpanna.narration import nouns, phrases
from helpanna.narration.claims import Claim, Clause
from helpanna.narration.facts import Pass, SeenThing, Walk
from helpanna.narration.looks import phrase_of
from helpanna.narration.surroundings import Surroundings

_LOOKS = 0.6
_GLIMPSES = 0.35
_A_STEP = 0.5
_CLOSE = 1.2
_HABITS = 3
_WORTH = 0.7
_FATIGUE = 0.85
_STRIKING = 0.2
_PLAIN_NAME = 0.2
_SPACIOUS, _LONG = 25.0, 7.0
_ATOP, _OVERHANG = 0.5, 0.8
_NEARER = 0.75

T = TypeVar("T")
Seen = TypeVar("Seen", SeenThing, Pass)


@dataclass(frozen=True)
class Narrator:
    """Somebody's habits; numbers are chances.

    Attributes:
        name: addresses the narrator's random draws.
        landmarks: to name a thing that is passed.
        goals: to name a thing that one walks towards or reaches.
        rooms: to tell that a room is left or entered.
        slight: to tell slight turns.
        turns: to tell other turns where one also tells of the room or thing one goes to.
        straight: to say straight.
        idle: to say that one walks where there is nothing else to say.
        metres: to give a distance.
        leads: to say where one is before a turn ("once inside, ...").
        notes: to say what one sees.
        start: to say how one stands at first.
        places: to name a second mark of the stopping place.
        joins: to tie what is said to what was said before.
        openers, opening: ways to begin a sentence that goes on, and to use one.
        begins: ways to begin the first sentence ("start by").
        addresses, addressing: ways to begin what one is told to do, and to use one.
        arriving: to end with "you're there when you are ...".
        ends: ways to begin the last sentence.
        after: to put the first of several things to do as done ("once you leave the kitchen, ...").
        patience: how many words they like to say at most, about.
        sloppy: whether capitals, commas and full stops are forgotten, and words misspelt.
    """

    name: str
    landmarks: float = 0.4
    goals: float = 0.3
    rooms: float = 0.85
    slight: float = 0.15
    turns: float = 0.75
    straight: float = 0.2
    idle: float = 0.15
    metres: float = 0.05
    leads: float = 0.2
    notes: float = 0.0
    start: float = 0.05
    places: float = 0.3
    joins: float = 0.4
    openers: tuple[str, ...] = ("then",)
    opening: float = 0.15
    begins: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    addressing: float = 0.0
    arriving: float = 0.0
    ends: tuple[str, ...] = ("then",)
    after: float = 0.08
    patience: float = 33
    sloppy: bool = False

    def in_haste(self, share: float) -> "Narrator":
        """The same person with less time, which leaves this share of the chance for what can be left out."""
        chances = (
            "landmarks",
            "goals",
            "rooms",
            "turns",
            "straight",
            "idle",
            "leads",
            "notes",
            "slight",
            "places",
        )
        return replace(self, **{name: share * getattr(self, name) for name in chances})


@dataclass
class Voice:
    """One narrator who tells one walk, and remembers what has been named."""

    around: Surroundings
    walk: Walk
    narrator: Narrator
    rng: np.random.Generator
    _things: dict[int, str] = field(default_factory=dict)
    _rooms: dict[int, str] = field(default_factory=dict)
    _favourites: dict[tuple[tuple[str, ...], int], str] = field(default_factory=dict)

    def happens(self, chance: float) -> bool:
        """Whether one does what one does with this chance."""
        return bool(self.rng.random() < chance)

    def pick(self, options: Sequence[T]) -> T:
        """Any of them."""
        return options[int(self.rng.random() * len(options))]

    def say(self, table: tuple[str, ...], **slots: str) -> str:
        """One of the few ways of putting it that this person has."""
        which = table, int(self.rng.random() * _HABITS)
        if which not in self._favourites:
            self._favourites[which] = self.pick(phrases.readings(self.pick(table)))
        return self._favourites[which].format(**slots)

    def where(self, side: str) -> str:
        """On your left; behind you."""
        if side == "ahead":
            return self.say(phrases.AHEAD)
        if side == "behind":
            return self.say(phrases.BEHIND)
        return self.say(phrases.ON_SIDE, side=side)

    def kind(self, thing: int) -> str:
        """The thing's type."""
        return self.around.world.object_types[thing]

    def rivals(self, step: int, thing: int) -> list[int]:
        """What else could be meant by the thing's name where one stands."""
        return list(self.around.rivals(self.walk.path[step], thing))

    def name(self, thing: int) -> str:
        """What this person calls the thing."""
        if thing not in self._things:
            names = nouns.names_of(self.kind(thing))
            self._things[thing] = names[0] if self.happens(_PLAIN_NAME) else self.pick(names)
        return self._things[thing]

    def the(self, step: int, thing: int) -> Clause:
        """The thing with its article, "the" if no other could be meant, and perhaps with more about it."""
        rivals = self.rivals(step, thing)
        name, claims = self.name(thing), []
        plural = nouns.is_plural(name)
        size = self._size(thing) if self.happens(0.4) else ""
        if size:
            name = f"{self.say(phrases.LARGE if size == 'large' else phrases.SMALL)} {name}"
            claims.append(Claim(size, step, thing=thing))
        look = self._look(step, thing, name) if not size else ""
        if look:
            name = f"{look} {name}"
            claims.append(Claim("looks", step, thing=thing, side=look))
        extreme = self._extreme(step, thing, rivals) if rivals and not plural and self.happens(0.5) else ""
        if extreme:
            name = f"{self.say(phrases.NEAREST if extreme == 'nearest' else phrases.FARTHEST)} {name}"
            claims.append(Claim(extreme, step, thing=thing))
            return Clause(f"the {name}", tuple(claims))
        other = self._beside(step, thing) if self.happens(0.6 if rivals else 0.25) else None
        if other is not None:
            rivals = [i for i in rivals if self.around.apart(i, other) < _CLOSE]
            relation, table = self._relation(thing, other)
            near = self.say(table, thing=nouns.with_article(self.name(other), definite=True))
            if " is " in near and plural:
                near = near.replace(" is ", " are ")
            name = f"{name} {near}"
            claims.append(Claim(relation, step, thing=thing, other=other))
        elif self.kind(thing) in nouns.ON_WALL and self.around.hangs(thing) and self.happens(0.3):
            name = f"{name} {self.say(phrases.ON_WALL)}"
            claims.append(Claim("wall", step, thing=thing))
        return Clause(nouns.with_article(name, not rivals, plural), tuple(claims))

    def _look(self, step: int, thing: int, name: str) -> str:
        """The thing's colour or material, if it is known and this person mentions it."""
        noun = nouns.head(name)
        looks = [look for look in self.around.looks(self.walk.path[step], thing, noun) if look not in name]
        return self.pick(looks) if looks and self.happens(_LOOKS) else ""

    def glimpse(self, step: int) -> Clause | None:
        """Something that a caption names in a direction as one sets out from this step: a grand piano."""
        captions = self.around.captions
        if captions is None or step + 1 >= len(self.walk.path):
            return None
        if not self.happens(_GLIMPSES * self.narrator.landmarks * _FATIGUE ** len(self._things)):
            return None
        here, there = (self.around.position[self.walk.path[i]] for i in (step, step + 1))
        if math.dist(here[:2], there[:2]) < _A_STEP:
            return None  # on a steep stair there is no direction to speak of
        ahead = math.degrees(math.atan2(there[0] - here[0], there[1] - here[1]))
        level = captions[self.walk.path[step]][1]
        seen = [
            (phrase, side, h)
            for h, text in enumerate(level)
            if (phrase := phrase_of(text)) and (side := _side_of(45 * h - ahead))
        ]
        if not seen:
            return None
        phrase, side, h = self.pick(seen)
        text = self.say(phrases.SEE, thing=phrase, where=self.where(side))
        return Clause(text, (Claim("glimpse", step, side=side, number=h),))

    def _size(self, thing: int) -> str:
        """Whether the thing is larger or smaller than most of its type."""
        return "large" if thing in self.around.large else "small" if thing in self.around.small else ""

    def _extreme(self, step: int, thing: int, rivals: list[int]) -> str:
        """Whether the thing is clearly the nearest or the farthest of those that could be meant."""
        here = self.walk.path[step]
        own = self.around.reach(here, thing)
        others = [self.around.reach(here, i) for i in rivals]
        if own < _NEARER * min(others):
            return "nearest"
        return "farthest" if max(others) < _NEARER * own else ""

    def _relation(self, thing: int, other: int) -> tuple[str, tuple[str, ...]]:
        """Whether the thing is above, below or beside the other, and the ways to say so."""
        (x, y, z), (a, b, c) = self.around.thing_position[thing], self.around.thing_position[other]
        if abs(z - c) < _ATOP or math.hypot(x - a, y - b) > _OVERHANG:
            return "by", phrases.BESIDE
        return ("above", phrases.ABOVE) if z > c else ("below", phrases.BELOW)

    def _beside(self, step: int, thing: int) -> int | None:
        """Something next to the thing by which to tell it."""
        seen = self.around.seen[self.walk.path[step]]
        sizes = self.around.world.object_radii
        close = [
            i
            for i in seen
            if i != thing and self.around.apart(i, thing) < _CLOSE and sizes[i] > _WORTH * sizes[thing]
        ]
        sight = self.best(SeenThing(step, i, 0, 0) for i in close if not self.rivals(step, i))
        return sight.thing if sight else None

    def all_of(self, group: Sequence[Pass]) -> str:
        """Several things of one type by one name: the chairs."""
        name = self.name(group[0].thing)
        self._things |= {item.thing: name for item in group}
        more = {i for item in group for i in self.rivals(item.step, item.thing)} - {p.thing for p in group}
        several = nouns.several(name)
        if more:
            return f"{self.say(phrases.SOME)} {several}"
        if self.happens(0.5):
            return f"the {several}"
        number = nouns.count(len(group))
        return f"{self.say(phrases.TWO if len(group) == 2 else phrases.FEW, number=number)} {several}"

    def landmark(self, chance: float, things: Iterable[Seen], unique: bool = False) -> Seen | None:
        """The best of some things to find the way by, or none.

        Args:
            chance: to name one; the more has been named and the less it stands out, the less likely.
            things: what there is.
            unique: only those that are alone of their kind where they are seen.
        """
        if not self.happens(chance * _FATIGUE ** len(self._things)):
            return None
        if unique:
            things = [item for item in things if not self.rivals(item.step, item.thing)]
        best = self.best(things)
        return best if best and self.happens(self._telling(best) / _STRIKING) else None

    def best(self, things: Iterable[Seen]) -> Seen | None:
        """The most telling of some things, at times another; none if all are named already or unspeakable."""
        items = [(score, item) for item in things if (score := self._telling(item))]
        if not items:
            return None
        draws = self.rng.random(len(items)).tolist()
        return max(zip(items, draws, strict=True), key=lambda entry: entry[0][0] ** 0.5 * (0.1 + entry[1]))[
            0
        ][1]

    def _telling(self, item: SeenThing | Pass) -> float:
        """How well one knows a thing when one sees it; a second chair would be taken for the first."""
        score = self.around.telling(self.walk.path[item.step], item.thing)
        if score and any(nouns.alike(self.kind(i), self.kind(item.thing)) for i in self._things):
            return 0.0
        return score

    def knows(self, room: int) -> bool:
        """Whether the room has a name that can be said."""
        return bool(nouns.room_names(self.room_kind(room)))

    def room_kind(self, room: int) -> str:
        """What the room is for."""
        return self.around.kinds[room] if room >= 0 else ""

    def room(self, room: int, next_to: int = -1) -> str:
        """A room with its article, by its name if that is known.

        "The next" if the one before is alike, "the other" if another of its kind has been spoken of.
        """
        kind = self.room_kind(room)
        if not self.knows(room):
            return "the room"
        name = self._rooms.setdefault(room, self.pick(nouns.room_names(kind)))
        if next_to >= 0 and self.room_kind(next_to) == kind:
            return f"the next {name}"
        first = next(iter(other for other in self._rooms if self.room_kind(other) == kind))
        return f"the {name}" if first == room else f"the other {name}"

    def described(self, step: int, room: int) -> Clause:
        """A room as one sees it at this step: with its article, its name, and perhaps its size."""
        name = self.room(room)
        length, width = self.around.spans[room]
        if length * width > _SPACIOUS and self.happens(0.3):
            name = f"the {self.say(phrases.SPACIOUS)} {name.removeprefix('the ')}"
            return Clause(name, (Claim("spacious", step, room=room),))
        if self.room_kind(room) in nouns.PASSAGES and length > _LONG > 4 * width and self.happens(0.3):
            name = f"the {self.say(phrases.LONG)} {name.removeprefix('the ')}"
            return Clause(name, (Claim("long", step, room=room),))
        return Clause(name)


def _side_of(degrees: float) -> str:
    """Where a direction is for somebody who looks along 0 degrees; nothing between two sides."""
    turn = math.remainder(degrees, 360)
    if abs(turn) <= 25:
        return "ahead"
    return ("right" if turn > 0 else "left") if 50 <= abs(turn) <= 130 else ""
