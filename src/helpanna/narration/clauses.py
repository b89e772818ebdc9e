"""From facts to clauses: what a narrator says of each leg of a walk."""

from dataclasses import dataclass, replace
from itertools import pairwise

from helpanna.narration import nouns, phrases
from helpanna.narration.claims import Claim, Clause, Unit
from helpanna.narration.facts import Crossing, Flight, Leg
from helpanna.narration.stopping import stop_unit
from helpanna.narration.voice import Voice
from helpanna.narration.ways import Event, along, chosen_events, entering, forward, goal, metres, ways_of

_MODIFIERS = (
    "beyond",
    "by",
    "above",
    "below",
    "between",
    "large",
    "small",
    "looks",
    "nearest",
    "farthest",
    "wall",
    "spacious",
    "long",
    "soon",
)
"""Claims about things, not about the walk."""
_SOON = 2.2
_SQUARE = 12.0


def tell(voice: Voice) -> list[Unit]:
    """All that is said of the walk, in order; the last unit names the stopping place."""
    return _Teller(voice).units()


@dataclass
class _Teller:
    """Who tells, and what they must remember from one leg to the next."""

    voice: Voice
    moved: bool = False
    """Whether a step has been told: only then one can go on."""
    last: str = ""
    """What was told last of the leg: nothing, the turn, or the kind of a claim."""
    bare: bool = False
    """Whether the leg before was told as a turn without a step."""
    verb: str = ""
    """The verb of the turn."""
    turned: str = ""
    """The kind of the turn told last."""

    def units(self) -> list[Unit]:
        legs = self.voice.walk.legs
        said = self._leg(legs[0], None)
        for before, leg in pairwise(legs):
            said += self._leg(leg, before)
        if not said:  # there is always a way to where one stops
            straight = legs[0].turn.kind == "straight"
            way = self._going(legs[0], [forward(self.voice, legs[0])], straight)
            said = [Unit((way if straight else self._turn(legs[0], None),))]
        return [*said, stop_unit(self.voice, legs[-1], self.last)]

    def _leg(self, leg: Leg, before: Leg | None) -> list[Unit]:
        told = self._tells_turn(leg)
        lead = self._lead(leg, before) if told or before is None else None
        known, self.last = self.last, "turn" if told else ""
        recent = before if known else None
        turning: list[Clause] = []
        events: list[Event] = []
        if leg.flight:
            turning = [self._turn(leg, recent)] if told else []
            moves = [self._stair(leg, leg.flight)]
        else:
            events = chosen_events(self.voice, leg)
            if told:
                turning, events = self._turning(leg, events, recent)
            moves = []
        if len(turning) == 1 and self._is_turn(turning[0]):
            again = turning[0].claims[0].side == self.turned
            self.turned = turning[0].claims[0].side
            if again and self.voice.happens(0.4):
                turning = [replace(turning[0], text=f"{turning[0].text} again")]
        elif turning:
            self.turned = ""
        if lead and before and len(turning) == 1 and self._is_turn(turning[0]) and self.voice.happens(0.4):
            turning, lead = [turning[0].then(lead)], None  # "turn left at the sofa"
        units: list[Unit] = []
        note = self._note(leg) if not leg.flight else None
        if note:
            units += [Unit(tuple(turning), lead), note] if turning else [note]
            turning, lead = [], None if turning else lead
        if not leg.flight:
            self.verb = turning[0].text.split()[0] if turning else ""
            moves = self._moves(leg, events, told)
        self.bare = told and self.last == "turn"
        if turning or moves:
            units.append(Unit((*turning, *moves), lead))
        return units

    @staticmethod
    def _is_turn(clause: Clause) -> bool:
        """Whether the clause tells a turn and nothing else."""
        return [claim.kind for claim in clause.claims] == ["turn"]

    def _tells_turn(self, leg: Leg) -> bool:
        narrator = self.voice.narrator
        if leg.turn.kind.startswith("slight"):
            return self.voice.happens(narrator.slight)
        aims = leg.turn.kind in ("left", "right") and (leg.crossings or leg.flight or leg.reached)
        return leg.turn.kind != "straight" and (not aims or self.voice.happens(narrator.turns))

    def _lead(self, leg: Leg, before: Leg | None) -> Clause | None:
        """Where one is when one turns, said before it."""
        voice = self.voice
        if before is None:
            return self._standing()
        if not voice.happens(voice.narrator.leads):
            return None
        room = voice.around.room[voice.walk.path[leg.first]]
        if before.flight:
            return self._landing(leg, before.flight)
        crossing = before.crossings[-1] if before.crossings else None
        if self.last in ("enter", "doorway") and crossing and crossing.edge == leg.first - 1:
            table = phrases.HAVING_ENTERED if self.last == "enter" else phrases.HAVING_CROSSED
            return Clause(voice.say(table), (Claim("inside", leg.first, room=room),))
        if before.ends_room and voice.room_kind(room) in nouns.PASSAGES:
            text = voice.say(phrases.END_OF, room=voice.room(room))
            return Clause(text, (Claim("end", leg.first, room=room),))
        sight = voice.landmark(1.0, before.reached, unique=True)
        if sight is None:
            return None
        thing = voice.the(leg.first, sight.thing)
        text = voice.say(phrases.HAVING_REACHED, thing=thing.text)
        return Clause(text, (Claim("reach", leg.first, thing=sight.thing), *thing.claims))

    def _landing(self, leg: Leg, flight: Flight) -> Clause | None:
        """At the top of the stairs."""
        if not flight.ends and not flight.landing:
            return None
        end = "landing" if not flight.ends else "top" if flight.up else "bottom"
        text = self.voice.say(phrases.HAVING_CLIMBED if flight.ends else phrases.ON_LANDING, end=end)
        return Clause(text, (Claim("landing", leg.first, side=end),))

    def _standing(self) -> Clause | None:
        """With the bed behind you."""
        sight = self.voice.landmark(self.voice.narrator.start, self.voice.walk.start, unique=True)
        if sight is None:
            return None
        thing, where = self.voice.the(0, sight.thing), self.voice.where(sight.side)
        tables = {"behind": phrases.STANDING_BACK, "ahead": phrases.STANDING_FACE}
        table = tables.get(sight.side) if self.voice.happens(0.5) else None
        text = self.voice.say(table or phrases.STANDING, thing=thing.text, where=where)
        return Clause(text, (Claim("start", 0, thing=sight.thing, side=sight.side), *thing.claims))

    def _note(self, leg: Leg) -> Unit | None:
        """You'll see a lamp on your right; you are now in the kitchen."""
        voice = self.voice
        room = voice.around.room[voice.walk.path[leg.first]]
        if self.moved and voice.knows(room) and voice.happens(voice.narrator.notes / 2):
            where = f"{nouns.within(voice.room_kind(room))} {voice.room(room)}"
            inside = Claim("inside", leg.first, room=room)
            return Unit((Clause(voice.say(phrases.NOW_IN, room=where), (inside,)),), statement=True)
        if (glimpse := voice.glimpse(leg.first)) is not None:
            return Unit((glimpse,), statement=True)
        sight = voice.landmark(voice.narrator.notes, [s for s in leg.ahead if s.side != "behind"])
        if sight is None:
            return None
        name = voice.name(sight.thing)
        thing = nouns.with_article(name, definite=False, plural=nouns.is_plural(name))
        text = voice.say(phrases.SEE, thing=thing, where=voice.where(sight.side))
        claim = Claim("see", leg.first, thing=sight.thing, side=sight.side)
        return Unit((Clause(text, (claim,)),), statement=True)

    def _turn(self, leg: Leg, before: Leg | None) -> Clause:
        """Turn left; in some cases an immediate left, or 90 degrees."""
        turn = leg.turn
        claim = Claim("turn", turn.first, until=turn.step, side=turn.kind)
        *degree, side = turn.kind.split(" ")
        if before and not degree and side != "around" and before.metres < _SOON and self.voice.happens(0.3):
            soon = Claim("soon", before.first, until=turn.step)
            return Clause(self.voice.say(phrases.SOON, side=side), (claim, soon))
        if abs(abs(turn.angle) - 90) < _SQUARE and self.voice.happens(0.08):
            return Clause(self.voice.say(phrases.QUARTER, side=side), (claim,))
        table = phrases.TURNS[" ".join(degree) if side != "around" else side]
        return Clause(self.voice.say(table, side=side), (claim,))

    def _stair(self, leg: Leg, flight: Flight) -> Clause:
        voice = self.voice
        way = "up" if flight.up else "down"
        tall = flight.rise > phrases.STAIR_RISE
        stairs = voice.say(phrases.STAIRS if tall else phrases.FEW_STEPS)
        if not flight.begins and voice.happens(0.6):
            text = voice.say(phrases.GO_ON_STAIRS, way=way, stairs=stairs)
        elif flight.begins and flight.ends and flight.rise > phrases.STOREY_RISE and voice.happens(0.4):
            text = voice.say(phrases.CLIMB_ALL if flight.up else phrases.DESCEND_ALL, stairs=stairs)
        else:
            text = voice.say(phrases.CLIMB if flight.up else phrases.DESCEND, stairs=stairs)
        self.last, self.moved = "stairs", True
        return Clause(text, (Claim(way, leg.first, until=leg.last),))

    def _turning(self, leg: Leg, events: list[Event], before: Leg | None) -> tuple[list[Clause], list[Event]]:
        """The turn, perhaps with the door it leads through: "turn left into the kitchen"."""
        voice, turn = self.voice, self._turn(leg, before)
        first = events[0] if events else None
        if not isinstance(first, Crossing) or first.edge != leg.first or leg.turn.first != leg.first:
            return [turn], events
        if leg.turn.kind in ("left", "right") and first.doorway and voice.happens(0.5):
            return [self._door(first, leg.turn.kind)], events[1:]
        if leg.turn.kind != "around" and voice.happens(0.5):
            self.last, self.moved = "enter", True
            return [turn.then(entering(voice, first))], events[1:]
        return [turn], events

    def _door(self, crossing: Crossing, side: str) -> Clause:
        """Take the second door on your left into the kitchen: the side tells the turn."""
        voice = self.voice
        claims = [Claim("doorway", crossing.edge, side=side)]
        counted = crossing.ordinal > 1 or (crossing.ordinal == 1 and voice.happens(0.4))
        door = voice.say(phrases.COUNTED_DOORWAYS if counted else phrases.DOORWAYS)
        if counted:
            door = f"{nouns.ordinal(crossing.ordinal, voice.happens(0.2))} {door}"
            claims.append(Claim("ordinal", crossing.edge, side=side, number=crossing.ordinal))
        text = f"{voice.say(phrases.TAKE)} the {door} {voice.say(phrases.ON_SIDE, side=side)}"
        clause = Clause(text, tuple(claims))
        self.last, self.moved = "doorway", True
        if voice.knows(crossing.entered) and voice.happens(0.5):
            self.last = "enter"
            return clause.then(entering(voice, crossing))
        return clause

    def _moves(self, leg: Leg, events: list[Event], told: bool) -> list[Clause]:
        """What one does on a leg once one has turned."""
        voice = self.voice
        down = along(voice, leg) if not events or voice.happens(0.3) else None
        ways = [down] if down else []
        ways += ways_of(voice, events, first=not ways)
        end = goal(voice, leg, busy=bool(events))
        if not ways:
            ways, end = [end] if end else self._onward(leg, told), None
        if not ways:
            return []
        claims = (end or ways[-1]).claims
        self.last = [claim.kind for claim in claims if claim.kind not in _MODIFIERS][-1]
        clauses: list[Clause] = []
        first, rest = ways[0], ways[1:]
        if first.text.startswith("out of ") and voice.happens(0.75):
            clauses.append(_with_verb(voice, phrases.LEAVE, first, "out of "))
            if len(rest) == 1 and rest[0].text.startswith("into ") and voice.happens(0.6):
                clauses = [clauses[0].then(rest.pop())]
            ways = rest
        elif len(ways) == 1 and first.text.startswith("into ") and voice.happens(0.5):
            clauses, ways = [_with_verb(voice, phrases.ENTER, first, "into ")], []
        elif first.text.startswith("past ") and voice.happens(0.2):
            clauses, ways = [_with_verb(voice, phrases.PASS, first, "past ")], rest
        self.moved = self.moved or bool(clauses)
        if end:
            # "Past the sofa until you reach the table", without an "and".
            ways = [*ways[:-1], ways[-1].then(end)] if ways else [end]
        return [*clauses, self._going(leg, ways, told)] if ways else clauses

    def _onward(self, leg: Leg, told: bool) -> list[Clause]:
        """Where nothing is to be said of a leg: forward, how far, or nothing."""
        voice = self.voice
        if leg.metres > 1.5 and voice.happens(voice.narrator.metres * 2):
            return [metres(voice, leg)]
        if not told and leg.turn.kind != "straight":
            return []
        needed = 0.7 if self.bare else 0.4 if not told or leg is voice.walk.legs[-1] else 0.0
        return [forward(voice, leg)] if voice.happens(max(voice.narrator.idle, needed)) else []

    def _going(self, leg: Leg, ways: list[Clause], told: bool) -> Clause:
        """A verb, and where one goes."""
        voice, start = self.voice, ways[0].text
        table = phrases.PLAIN_VERBS if start.startswith(phrases.PLAIN_WAYS) else phrases.VERBS
        verb = voice.say(phrases.UNTIL_VERBS if start.startswith(("until", "till")) else table)
        early = not self.moved and verb.startswith(phrases.GOING_ON)
        if verb.split()[0] == self.verb or start.startswith(("away", "off away")) or early:
            verb = "walk"
        if verb.endswith((" on", " along")) and start.startswith(("on", "along")):
            verb = "walk"
        self.moved = True
        claims = [claim for way in ways for claim in way.claims]
        direct = told or leg.turn.kind == "straight"
        direct = direct and not any(claim.kind == "straight" for claim in claims)
        if (
            direct
            and verb in phrases.DIRECT_VERBS
            and not start.startswith("on")
            and voice.happens(voice.narrator.straight)
        ):
            verb += f" {voice.say(phrases.STRAIGHT)}"
            claims.append(Claim("straight", leg.first, until=leg.last))
        return Clause(f"{verb} {_listed([way.text for way in ways])}", tuple(claims))


def _with_verb(voice: Voice, table: tuple[str, ...], way: Clause, preposition: str) -> Clause:
    """An adverb's place as a verb's object: enter the kitchen."""
    place = way.text.removeprefix(preposition)
    return replace(way, text=voice.say(table, room=place, thing=place))


def _listed(texts: list[str]) -> str:
    """Words in a row: past the sofa, through the doorway and into the kitchen."""
    return texts[0] if len(texts) == 1 else ", ".join(texts[:-1]) + f" and {texts[-1]}"
