"""Adverbs of place: into the kitchen, past the sofa, down the hallway, until you reach the table."""

from helpanna.narration import nouns, phrases
from helpanna.narration.claims import Claim, Clause
from helpanna.narration.facts import Crossing, Door, Leg, Pass, SeenThing
from helpanna.narration.voice import Voice

Event = Crossing | Door | list[Pass]
"""What can be told on the way: a room changed, a doorway passed, a thing or several alike passed."""

_CLEARLY_AHEAD = 25.0
_LONG = 3.0
_YARD = 0.9144
_UNITS = (("feet", _YARD / 3), ("steps", 0.75), ("meters", 1.0), ("feet", _YARD / 3), ("yards", _YARD))


def chosen_events(voice: Voice, leg: Leg) -> list[Event]:
    """What this narrator tells of a leg, in order; often a room changed if there is nothing else."""
    events: list[Event] = [c for c in leg.crossings if voice.happens(_worth(voice, c))]
    left = list(leg.passes)
    for again in (1.0, 0.5):
        best = voice.landmark(voice.narrator.landmarks * again, left)
        if best is None:
            break
        like = [item for item in left if voice.kind(item.thing) == voice.kind(best.thing)]
        left = [item for item in left if item not in like]
        voice.name(best.thing)
        events.append([p for p in like if p.side == best.side and abs(p.edge - best.edge) < 1.5])
    doors = [d for d in leg.doors if d.step < leg.last and d.side in ("left", "right")]
    if doors and voice.happens(voice.narrator.landmarks * 0.6):
        events.append(voice.pick(doors))
    if not events:
        events = [c for c in leg.crossings if voice.happens(max(0.5, _worth(voice, c)))]
    return sorted(events, key=_place)


def _worth(voice: Voice, crossing: Crossing) -> float:
    """The chance to tell that a room is changed; there is less to say of rooms whose kind is not known."""
    known = voice.knows(crossing.entered) or voice.knows(crossing.left)
    return voice.narrator.rooms * (1.0 if known else 0.4)


def _place(event: Event) -> float:
    """Where on the path it happens."""
    if isinstance(event, Crossing):
        return event.edge + 0.5
    return event.step if isinstance(event, Door) else event[0].edge


def ways_of(voice: Voice, events: list[Event], first: bool) -> list[Clause]:
    """The events as adverbs; `first` says whether nothing comes before them."""
    ways: list[Clause] = []
    left = list(events)
    while left:
        event, following = left.pop(0), left[0] if left else None
        if isinstance(event, Door):
            ways.append(_past_door(voice, event))
        elif isinstance(event, Crossing):
            ways += _crossing(voice, event, following, first and not ways)
        elif isinstance(following, list) and len(event) == len(following) == 1 and voice.happens(0.7):
            ways.append(_past_both(voice, event[0], following[0]))
            left.pop(0)
        else:
            ways.append(_past(voice, event, alone=len(events) == 1))
    return ways


def _crossing(voice: Voice, crossing: Crossing, following: Event | None, first: bool) -> list[Clause]:
    """Out of the bedroom; through the doorway; into the hallway; some of that."""
    if isinstance(following, Crossing) and following.left == crossing.entered and voice.happens(0.8):
        room = voice.room(crossing.entered) if voice.knows(crossing.entered) else "the next room"
        enter = Claim("enter", crossing.edge, room=crossing.entered)
        return [Clause(f"through {room}", (enter, Claim("leave", following.edge, room=crossing.entered)))]
    starts = crossing.left == voice.around.room[voice.walk.path[0]]
    if first and voice.happens(0.7 if starts else 0.15):
        leave = Claim("leave", crossing.edge, room=crossing.left)
        here = voice.described(crossing.edge, crossing.left)
        name = voice.say(phrases.THIS_ROOM) if here.text == "the room" else here.text
        out = Clause(f"out of {name}", (leave, *here.claims))
        more = voice.happens(0.3 if voice.knows(crossing.entered) else 0.15)
        return [out, entering(voice, crossing)] if more else [out]
    if crossing.doorway and voice.happens(0.35 if voice.knows(crossing.entered) else 0.6):
        door = Clause(f"through the {voice.say(phrases.DOORWAYS)}", (Claim("doorway", crossing.edge),))
        if voice.happens(0.5 if voice.knows(crossing.entered) else 0.7):
            return [door]
        inside = entering(voice, crossing)
        if voice.happens(0.4):
            return [door.then(Clause(voice.say(phrases.LEADING)), inside)]
        return [door, inside]
    return [entering(voice, crossing)]


def entering(voice: Voice, crossing: Crossing) -> Clause:
    """Into the kitchen; where the room's kind is not known, into the next room or that with the bed."""
    room, after = crossing.entered, crossing.edge + 1
    claim = Claim("enter", crossing.edge, room=room)
    if voice.knows(room):
        into = nouns.into(voice.room_kind(room))
        if voice.room_kind(room) == voice.room_kind(crossing.left):
            return Clause(f"{into} {voice.room(room, next_to=crossing.left)}", (claim,))
        seen = voice.described(after, room)
        return Clause(f"{into} {seen.text}", (claim, *seen.claims))
    inside = [
        SeenThing(after, thing, 0, 0)
        for thing in voice.around.seen[voice.walk.path[after]]
        if voice.around.here(thing, voice.walk.path[after])
    ]
    sight = voice.landmark(0.3 + voice.narrator.goals, inside)
    if sight is None:
        return Clause(voice.say(phrases.INTO_NEXT), (claim,))
    thing = voice.the(after, sight.thing)
    beyond = Claim("beyond", crossing.edge, thing=sight.thing, room=room)
    claims = (claim, beyond, *thing.claims)
    text, other = thing.text, voice.landmark(0.25, inside)
    if other:
        more = voice.the(after, other.thing)
        claims += (Claim("beyond", crossing.edge, thing=other.thing, room=room), *more.claims)
        text += f" and {more.text}"
    return Clause(f"into {voice.say(phrases.ROOM_WITH, thing=text)}", claims)


def _past_door(voice: Voice, door: Door) -> Clause:
    room = voice.room(door.room) if voice.knows(door.room) else voice.say(phrases.A_DOORWAY)
    claim = Claim("passdoor", door.step, room=door.room, side=door.side)
    return Clause(f"past {room} {voice.where(door.side)}", (claim,))


def _past(voice: Voice, group: list[Pass], alone: bool) -> Clause:
    """Past the lamp; on the left of it if nothing else is told: on, keeping the lamp on your right."""
    if len(group) > 1 and not nouns.is_plural(voice.name(group[0].thing)):
        things = Clause(voice.all_of(group))
    else:
        group = group[:1]
        things = voice.the(group[0].step, group[0].thing)
    side = group[0].side if voice.happens(0.35) else ""
    claims = [Claim("pass", p.step, until=int(p.edge), thing=p.thing, side=side) for p in group]
    text = things.text
    if side and text.endswith("on the wall"):
        text = f"{text.removesuffix('wall')}{side} wall"
    elif side and alone and voice.happens(0.3):
        text = voice.say(phrases.KEEPING, thing=text, where=voice.where(side))
        return Clause(f"{voice.pick(phrases.ON)} {text}", (*claims, *things.claims))
    elif side:
        text = f"{text} {voice.where(side)}"
    return Clause(voice.say(phrases.PAST, thing=text), (*claims, *things.claims))


def _past_both(voice: Voice, one: Pass, other: Pass) -> Clause:
    """Past the sofa and the table; between them if they are on both sides."""
    flank = one.side != other.side and abs(one.edge - other.edge) < 0.5
    claims = [Claim("pass", p.step, until=int(p.edge), thing=p.thing) for p in (one, other)]
    claims += [Claim("between", one.step, thing=one.thing, other=other.thing)] if flank else []
    first, second = (voice.the(p.step, p.thing) for p in (one, other))
    table = phrases.BETWEEN if flank else phrases.PAST_BOTH
    text = voice.say(table, thing=first.text, other=second.text)
    return Clause(text, (*claims, *first.claims, *second.claims))


def along(voice: Voice, leg: Leg) -> Clause | None:
    """Down the hallway, or across the room."""
    rooms = [voice.around.room[i] for i in voice.walk.path[leg.first : leg.last + 1]]
    room = rooms[0]
    stays = next((i for i, other in enumerate(rooms) if other != room), len(rooms)) - 1
    if stays < 1 or leg.metres < _LONG or not voice.knows(room):
        return None
    claim = Claim("along", leg.first, until=leg.first + stays, room=room)
    if voice.room_kind(room) in nouns.PASSAGES:
        return Clause(voice.say(phrases.ALONG, room=voice.room(room)), (claim,))
    if stays == len(rooms) - 1 and leg.metres > 1.3 * _LONG and voice.room_kind(room) != "stairs":
        return Clause(voice.say(phrases.ACROSS, room=voice.room(room)), (claim,))
    return None


def goal(voice: Voice, leg: Leg, busy: bool) -> Clause | None:
    """Until you reach the table; where no more is told of the leg, also towards the window."""
    chance, sight = voice.narrator.goals * (0.5 if busy else 1.4), None
    if leg is not voice.walk.legs[-1]:
        sight = voice.landmark(chance, [s for s in leg.reached if s.side != "behind"], unique=True)
    if sight:
        thing = voice.the(leg.last, sight.thing)
        text = voice.say(phrases.UNTIL, thing=thing.text)
        return Clause(text, (Claim("reach", leg.last, thing=sight.thing), *thing.claims))
    if busy:
        return None
    for kind, table, off in (("toward", phrases.TOWARDS, 0), ("away", phrases.AWAY, 180)):
        line = [s for s in leg.ahead if abs(abs(s.bearing) - off) < _CLEARLY_AHEAD and s.distance > 0.8]
        sight = voice.landmark(chance * (0.25 if off else 1), line, unique=True)
        if sight:
            thing = voice.the(leg.first, sight.thing)
            text = voice.say(table, thing=thing.text)
            return Clause(text, (Claim(kind, leg.first, thing=sight.thing), *thing.claims))
    return None


def forward(voice: Voice, leg: Leg) -> Clause:
    """Where there is nothing else to say of a leg."""
    text = voice.say(phrases.FORWARD)
    if leg.metres < _LONG and voice.happens(0.4):
        text = f"forward {voice.say(phrases.SHORT_WAY)}"
    return Clause(text, (Claim("straight", leg.first, until=leg.last),))


def metres(voice: Voice, leg: Leg) -> Clause:
    """About five meters; in feet, or a few steps."""
    claim = Claim("metres", leg.first, until=leg.last, number=leg.metres)
    if leg.metres < _LONG and (leg.metres < 1 or voice.happens(0.7)):
        return Clause(voice.say(phrases.SHORT_WAY), (claim,))
    unit, size = voice.pick([unit for unit in _UNITS if leg.metres > 1.5 * unit[1]] or _UNITS[:1])
    count = leg.metres / size
    number = 5 * round(count / 5) if unit == "feet" and count > 10 else round(count)
    amount = nouns.count(number) if voice.happens(0.6) else str(number)
    return Clause(f"{voice.say(phrases.ABOUT)} {amount} {unit}", (claim,))
