"""A narrator's voice: habits, favourite words, and how things and rooms are called in one instruction."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from helpanna.assistance import nouns, phrases
from helpanna.assistance.claims import Claim, Clause
from helpanna.assistance.facts import Pass, Sight, Walk
from helpanna.assistance.surroundings import Surroundings

_CLOSE = 1.2
_FATIGUE = 0.75
_FEW_LEGS = 2.5
_STRIKING = 0.2

T = TypeVar("T")
Seen = TypeVar("Seen", Sight, Pass)


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
        sloppy: whether capitals, commas and full stops are forgotten.
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
    places: float = 0.2
    joins: float = 0.4
    openers: tuple[str, ...] = ("then",)
    opening: float = 0.15
    begins: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    addressing: float = 0.0
    arriving: float = 0.0
    sloppy: bool = False

    def on(self, walk: Walk) -> "Narrator":
        """The same person with a walk of many legs to tell, which leaves less time for each."""
        haste = min(1.0, _FEW_LEGS / len(walk.legs))
        chances = ("landmarks", "goals", "straight", "idle", "leads", "notes", "slight")
        return replace(self, **{name: haste * getattr(self, name) for name in chances})


@dataclass
class Voice:
    """One narrator who tells one walk, and remembers what has been named."""

    around: Surroundings
    walk: Walk
    narrator: Narrator
    rng: np.random.Generator
    _things: dict[int, str] = field(default_factory=dict)
    _rooms: dict[int, str] = field(default_factory=dict)
    _favourites: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)

    def happens(self, chance: float) -> bool:
        """Whether one does what one does with this chance."""
        return bool(self.rng.random() < chance)

    def pick(self, options: Sequence[T]) -> T:
        """Any of them."""
        return options[int(self.rng.integers(len(options)))]

    def say(self, table: tuple[str, ...], **slots: str) -> str:
        """One of the few ways of putting it that this person has."""
        if table not in self._favourites:
            self._favourites[table] = tuple(self.pick(table) for _ in range(3))
        return self.pick(self._favourites[table]).format(**slots)

    def where(self, side: str) -> str:
        """On your left; behind you."""
        if side == "ahead":
            return self.say(phrases.AHEAD)
        return "behind you" if side == "behind" else self.say(phrases.ON_SIDE, side=side)

    def kind(self, thing: int) -> str:
        """The thing's type."""
        return self.around.world.object_types[thing]

    def rivals(self, step: int, thing: int) -> list[int]:
        """What else could be meant by the thing's name where one stands."""
        seen = self.around.seen[self.walk.path[step]]
        return [i for i in seen if i != thing and nouns.alike(self.kind(i), self.kind(thing))]

    def name(self, thing: int) -> str:
        """What this person calls the thing."""
        return self._things.setdefault(thing, self.pick(nouns.names_of(self.kind(thing))))

    def the(self, step: int, thing: int) -> Clause:
        """The thing with its article, "the" if no other could be meant, and perhaps with more about it."""
        rivals = self.rivals(step, thing)
        name, claims = self.name(thing), []
        if self.happens(0.3) and thing in self.around.large:
            name = f"{self.say(phrases.LARGE)} {name}"
            claims.append(Claim("large", step, thing=thing))
        other = self._beside(step, thing) if self.happens(0.6 if rivals else 0.25) else None
        if other is not None:
            rivals = [i for i in rivals if self.around.apart(i, other) < _CLOSE]
            near = self.say(phrases.BESIDE, thing=nouns.with_article(self.name(other), definite=True))
            name = f"{name} {near}"
            claims.append(Claim("by", step, thing=thing, other=other))
        elif self.kind(thing) in nouns.ON_WALL and self.around.hangs(thing) and self.happens(0.25):
            name += " on the wall"
            claims.append(Claim("wall", step, thing=thing))
        plural = nouns.is_plural(self.name(thing))
        return Clause(nouns.with_article(name, not rivals, plural), tuple(claims))

    def _beside(self, step: int, thing: int) -> int | None:
        """Something next to the thing by which to tell it."""
        seen = self.around.seen[self.walk.path[step]]
        close = [i for i in seen if i != thing and self.around.apart(i, thing) < _CLOSE]
        sight = self.best(Sight(step, i, 0, 0) for i in close if not self.rivals(step, i))
        return sight.thing if sight else None

    def all_of(self, group: Sequence[Pass]) -> str:
        """Several things of one type by one name: the chairs."""
        name = self.name(group[0].thing)
        self._things |= {item.thing: name for item in group}
        more = {i for item in group for i in self.rivals(item.step, item.thing)} - {p.thing for p in group}
        if more:
            return f"some {nouns.several(name)}"
        number = f"{nouns.count(len(group))} " if len(group) < 4 and self.happens(0.4) else ""
        return f"the {number}{nouns.several(name)}"

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
        scored = [(self._telling(item) * float(self.rng.uniform(0.3, 1.0)), item) for item in things]
        score, best = max(scored, key=lambda entry: entry[0], default=(0.0, None))
        return best if score > 0 else None

    def _telling(self, item: Sight | Pass) -> float:
        """How well one knows a thing when one sees it: large, rare, alone, not spoken of yet."""
        kind = self.kind(item.thing)
        if not nouns.names_of(kind) or any(nouns.alike(self.kind(i), kind) for i in self._things):
            return 0.0  # a second chair would be taken for the first
        size = min(max(float(self.around.world.object_radii[item.thing]), 0.1), 1.0)
        rare = self.around.frequency[kind] ** -0.5
        return size**0.5 * rare / (1 + len(self.rivals(item.step, item.thing)))

    def knows(self, room: int) -> bool:
        """Whether the room has a name that can be said."""
        return bool(nouns.room_names(self.room_kind(room)))

    def room_kind(self, room: int) -> str:
        """What the room is for."""
        return self.around.world.rooms[room].kind if room >= 0 else ""

    def room(self, room: int, next_to: int = -1) -> str:
        """A room with its article, by its name if that is known; "the next" if the one before is alike."""
        kind = self.room_kind(room)
        if not self.knows(room):
            return "the room"
        name = self._rooms.setdefault(room, self.pick(nouns.room_names(kind)))
        return f"the next {name}" if next_to >= 0 and self.room_kind(next_to) == kind else f"the {name}"
