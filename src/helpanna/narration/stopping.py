"""Where to stop: beside something, in a room, at a door or a stair's end, after some way."""

from helpanna.narration import endings, nouns, phrases
from helpanna.narration.claims import Claim, Clause, Unit
from helpanna.narration.facts import Leg, SeenThing
from helpanna.narration.voice import Voice
from helpanna.narration.ways import metres

_BESIDE = 1.6


def stop_unit(voice: Voice, leg: Leg, told: str) -> Unit:
    """What is said at the end of the last leg.

    Args:
        voice: who speaks.
        leg: the last leg.
        told: what was told of it last; nothing, the turn, or the kind of a claim.
    """
    place = _place(voice, leg, told)
    verb = voice.say(endings.STOP)
    if place is None:
        way, stop = metres(voice, leg), (Claim("stop", leg.last, side="metres"),)
        if told in ("", "turn"):
            return Unit((Clause("walk").then(way), Clause(voice.say(endings.STOP_THERE), stop)))
        return Unit((Clause("stop after", stop).then(way),))
    state = not place.text.startswith(endings.NO_STATE)
    if state and voice.happens(voice.narrator.arriving):
        return Unit((Clause(voice.say(endings.ARRIVED)).then(place),), statement=True)
    return Unit((Clause(verb if state else "stop").then(place),))


def _place(voice: Voice, leg: Leg, told: str) -> Clause | None:
    """How the last location is marked; None if nothing is there."""
    thing = _beside(voice, leg)
    spot = _stair_end(voice, leg) or _just_inside(voice, leg, told)
    if spot:
        if thing and _fit(spot, thing) and voice.happens(0.2 + voice.narrator.places):
            return spot.then(thing)
        nameless = not voice.knows(voice.around.room[voice.walk.path[-1]])
        return thing if thing and voice.happens(0.85 if nameless else 0.6) else spot
    room = _in_room(voice, leg)
    if thing:
        both = room and _fit(room, thing) and voice.happens(voice.narrator.places)
        return room.then(thing) if room and both else thing
    return _past(voice, leg) or _at_door(voice, leg) or room


def _fit(spot: Clause, thing: Clause) -> bool:
    """Whether one can say both: just inside the kitchen with the sink on your left."""
    late = tuple(start for start in endings.NO_STATE if start != "with")
    return not spot.text.startswith(endings.NO_STATE) and not thing.text.startswith(late)


def _beside(voice: Voice, leg: Leg) -> Clause | None:
    """Next to the bed; in front of the sink; with the lamp on your left."""
    sight = voice.best(leg.reached)
    if sight is None:
        return None
    opposite = {"left": "right", "right": "left"}.get(sight.side)
    voice.name(sight.thing)
    other = voice.best(s for s in leg.reached if s.side == opposite)
    if other and voice.happens(0.4):
        return _between(voice, leg, sight, other)
    tables: dict[str, tuple[str, ...]] = {"near": endings.NEAR}
    if sight.side == "ahead":
        tables["front"] = endings.IN_FRONT
    if sight.distance <= _BESIDE:
        tables["next"] = endings.NEXT_TO
    if sight.side in ("left", "right"):
        plural = nouns.is_plural(voice.name(sight.thing))
        tables[sight.side] = endings.WITH_SEVERAL if plural else endings.WITH_ON_SIDE
    relation = voice.pick(sorted(tables))
    thing, where = voice.the(sight.step, sight.thing), voice.where(sight.side)
    text = voice.say(tables[relation], thing=thing.text, where=where)
    return Clause(text, (Claim("stop", leg.last, thing=sight.thing, side=relation), *thing.claims))


def _between(voice: Voice, leg: Leg, one: SeenThing, other: SeenThing) -> Clause:
    first, second = (voice.the(leg.last, sight.thing) for sight in (one, other))
    text = voice.say(endings.BETWEEN_BOTH, thing=first.text, other=second.text)
    claim = Claim("stop", leg.last, thing=one.thing, other=other.thing, side="between")
    return Clause(text, (claim, *first.claims, *second.claims))


def _stair_end(voice: Voice, leg: Leg) -> Clause | None:
    if leg.flight is None:
        return None
    if leg.flight.landing and not leg.flight.ends:
        return Clause(voice.say(phrases.ON_LANDING), (Claim("stop", leg.last, side="landing"),))
    if not leg.flight.ends:
        return Clause(voice.say(endings.ON_STAIRS), (Claim("stop", leg.last, side="stairs"),))
    end = "top" if leg.flight.up else "bottom"
    stairs = voice.say(phrases.STAIRS if leg.flight.rise > phrases.STAIR_RISE else phrases.FEW_STEPS)
    text = voice.say(endings.STAIR_END, end=end, stairs=stairs)
    return Clause(text, (Claim("stop", leg.last, side=end),))


def _just_inside(voice: Voice, leg: Leg, told: str) -> Clause | None:
    if not leg.crossings or leg.crossings[-1].edge != leg.last - 1:
        return None
    crossing = leg.crossings[-1]
    if told == "leave":
        text = voice.say(endings.JUST_OUTSIDE, room=voice.room(crossing.left))
        return Clause(text, (Claim("stop", leg.last, room=crossing.left, side="outside"),))
    text = voice.say(endings.JUST_INSIDE, room=voice.room(crossing.entered))
    if crossing.doorway and voice.happens(0.4 if voice.knows(crossing.entered) else 0.7):
        text = voice.say(endings.INSIDE_DOOR)
    return Clause(text, (Claim("stop", leg.last, room=crossing.entered, side="inside"),))


def _in_room(voice: Voice, leg: Leg) -> Clause | None:
    room = voice.around.room[voice.walk.path[-1]]
    if not voice.knows(room):
        return None
    if leg.ends_room and voice.room_kind(room) in nouns.PASSAGES:
        text = voice.say(phrases.END_OF, room=voice.room(room))
        return Clause(text, (Claim("stop", leg.last, room=room, side="end"),))
    within = nouns.within(voice.room_kind(room))
    table = endings.IN_ROOM if within == "in" else ("{within} {room}",)
    text = voice.say(table, within=within, room=voice.room(room))
    return Clause(text, (Claim("stop", leg.last, room=room, side="room"),))


def _past(voice: Voice, leg: Leg) -> Clause | None:
    passed = voice.best(item for item in leg.passes if item.edge > leg.last - 1)
    if passed is None:
        return None
    thing = voice.the(passed.step, passed.thing)
    claim = Claim("pass", passed.step, until=int(passed.edge), thing=passed.thing)
    stop = Claim("stop", leg.last, thing=passed.thing, side="past")
    return Clause(voice.say(endings.JUST_PAST, thing=thing.text), (claim, stop, *thing.claims))


def _at_door(voice: Voice, leg: Leg) -> Clause | None:
    """By the door to the kitchen; in front of the next doorway; next to the doorway on your left."""
    doors = [door for door in leg.doors if door.step == leg.last and door.side != "behind"]
    if not doors:
        return None
    door = voice.pick(doors)
    claims = [Claim("stop", leg.last, room=door.room, side="door")]
    if voice.knows(door.room):
        table = endings.BEFORE_ROOM if door.side == "ahead" else endings.BY_ROOM
        return Clause(voice.say(table, room=voice.room(door.room)), tuple(claims))
    if door.side == "ahead":
        return Clause(voice.say(endings.THRESHOLD), tuple(claims))
    claims.append(Claim("passdoor", leg.last, room=door.room, side=door.side))
    return Clause(f"{voice.say(endings.BY_DOORWAY)} {voice.where(door.side)}", tuple(claims))
