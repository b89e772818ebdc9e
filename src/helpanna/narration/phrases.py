"""The ways people put what one does on a walk.

In the tables {side} is left or right, {thing} and {room} come with their articles. (a|b) is one of them, [a]
may be left out; what is said often stands there more than once.
"""

import re
from functools import cache

_CHOICE = re.compile(r"\(([^()\[\]]*)\)|\[([^()\[\]]*)\]")


@cache
def readings(pattern: str) -> tuple[str, ...]:
    """All that a pattern of a table can be read as."""
    match = _CHOICE.search(pattern)
    if match is None:
        return (" ".join(pattern.split()),)
    options = match[1].split("|") if match[1] is not None else ["", *match[2].split("|")]
    before, after = pattern[: match.start()], pattern[match.end() :]
    return tuple(dict.fromkeys(text for option in options for text in readings(before + option + after)))


# fmt: off

AHEAD = ("(right|just|directly|) in front of you", "in front of you", "[straight|directly|just] ahead of you")
ON_SIDE = (
    "on (your|the) {side}", "on (your|the) {side}", "on (your|the) {side}", "to (your|the) {side}",
    "on (your|the) {side} [hand] side", "to the {side} of you", "on the {side} hand side",
)
BEHIND = ("behind you", "behind you", "at your back", "in back of you")
BESIDE = (
    "(next|close) to {thing}", "(by|beside|near) {thing}", "that is (by|beside|near|next to) {thing}",
    "right next to {thing}", "just beside {thing}",
)
"""Of one thing and another."""
ABOVE = ("(above|over) {thing}", "(above|over) {thing}", "hanging (above|over) {thing}", "up above {thing}")
BELOW = ("(under|below|beneath|underneath) {thing}",)
ON_WALL = ("on the wall", "on the wall", "(hanging|mounted) on the wall", "that hangs on the wall")
LARGE = ("large", "large", "big", "bigger", "larger", "huge", "oversized", "good sized")
SMALL = ("small", "small", "little", "smaller", "tiny")
SPACIOUS = ("large", "big", "spacious")
LONG = ("long", "long", "narrow", "lengthy")
NEAREST = ("nearest", "closest", "nearer", "closer")
FARTHEST = ("far", "farthest", "furthest", "farther", "most distant")
TWO = ("the two", "the (pair|couple) of", "both", "two")
FEW = (
    "the {number}", "the {number}", "a (few|group of|number of)", "the (group|set) of", "several",
    "{number}",
)
SOME = ("some", "some of the")

TURNS = {
    "": (
        "turn {side}", "turn {side}", "turn {side}", "(take|make) a {side}", "(take|make) a {side}",
        "(go|head) {side}", "turn to (your|the) {side}", "(take|make) a {side} [hand] turn",
        "hang a {side}", "(swing|move|cut|step|walk|bear off|go off|peel off) to the {side}",
        "(go|move|head|walk) to your {side}", "(rotate|pivot|swing|wheel|swivel) [to the] {side}",
        "(turn to face|face) {side}", "turn (your body|yourself) to the {side}",
        "turn (off|and go|and head|and walk) to the {side}", "follow the turn to the {side}",
        "turn the corner to (your|the) {side}", "take the turn [that goes] to the {side}",
        "(change direction|branch off|split off) to the {side}",
    ),
    "slight": (
        "turn slightly [to (the|your)] {side}", "veer [off] [to (the|your)] {side}", "bear [to the] {side}",
        "(make|take) a slight {side} [turn]", "(go|move|walk|head|step) slightly [to the] {side}",
        "veer slightly [to the] {side}", "turn a (little|bit|little bit) to (the|your) {side}",
        "angle [slightly] to (the|your) {side}", "(lean|curve) slightly to the {side}",
        "go (ever so|just) slightly {side}", "shift slightly [to (the|your)] {side}",
    ),
    "sharp": (
        "(make|take) a (sharp|hard) {side}", "turn (sharply|hard) [to (the|your)] {side}",
        "(make|take) a (sharp|hard) {side} [hand] turn", "(take|make) a very sharp {side} [turn]",
        "(swing|cut|go|double back) sharply to (the|your) {side}",
    ),
    "around": (
        "turn around", "turn around", "turn [all the way|completely|back|yourself] around",
        "(make|do) a u turn", "(make|do) a 180 [degree turn]", "turn 180 degrees", "(spin|swing) around",
        "turn to face the other way", "turn (so you are|to be) facing the opposite (way|direction)",
        "turn around (and face|to) the other way", "do an about face",
    ),
}
"""By degree."""
SOON = (
    "(take|make) an immediate {side} [turn]", "immediately turn [to the] {side}",
    "(take|make) a quick {side} [turn]", "quickly turn {side}", "(turn|go) {side} (immediately|at once)",
    "immediately (go|head) {side}", "turn {side} almost immediately",
)
QUARTER = (
    "turn [about] (90|ninety) degrees to (the|your) {side}", "turn {side} [about] (90|ninety) degrees",
    "(make|take) a (90|ninety) degree {side} [turn]", "(make|do) a quarter turn to (the|your) {side}",
)

VERBS = (
    "walk", "walk", "walk", "walk", "go", "go", "go", "head", "head", "continue [on|walking|going|moving]",
    "continue", "proceed", "move [on|along]", "keep [on] (going|walking|moving)", "make your way", "travel",
    "carry on", "(go|walk|head) on", "advance", "step", "(walk|go) along",
    "(stroll|march|venture|amble|wander|saunter|trek|journey|stride|navigate|trot|maneuver)",
    "(slowly|carefully|calmly|casually|steadily|gently) (walk|go|move)", "walk", "go", "walk", "go", "head",
)
PLAIN_VERBS = (
    "walk", "walk", "walk", "go", "go", "continue [walking|going|moving]", "move", "proceed", "advance",
    "keep [on] (going|walking|moving)", "carry on", "travel", "make your way",
)
"""Those that go with "forward" and distances."""
PLAIN_WAYS = (
    "forward", "straight", "ahead", "directly", "on straight", "about", "roughly", "approximately", "maybe",
    "some ", "a ", "just a", "up to", "for ",
)
UNTIL_VERBS = ("walk", "walk", "continue [walking|going|moving]", "keep [on] (going|walking|moving)", "go on")
"""Those that go with "until you reach"."""
GOING_ON = ("continue", "keep", "carry on", "go on", "walk on", "head on", "move on", "proceed")
"""Where nobody has walked yet, nobody goes on."""
DIRECT_VERBS = frozenset({
    "walk", "go", "head", "continue", "keep going", "keep walking", "proceed", "move", "continue walking",
    "continue on", "keep moving", "travel",
})
"""Those that go with "straight"."""
STRAIGHT = ("straight", "straight", "straight", "straight (ahead|on|forward)", "directly (ahead|forward)")
FORWARD = (
    "forward", "forward", "straight", "straight", "straight (ahead|on|forward)", "ahead", "forwards",
    "directly ahead", "on straight ahead",
)
SHORT_WAY = (
    "a (few|couple [of]) (steps|feet|paces)", "a (little|bit|little bit|little way)",
    "a short (distance|way)",
    "just a (few|couple of) (steps|feet)", "a few (short|small) steps", "a couple (feet|yards)",
)
ABOUT = ("[for] about", "[for] about", "roughly", "[for] approximately", "maybe", "some", "for roughly")

LEAVE = (
    "exit {room}", "exit {room}", "exit {room}", "leave {room}", "leave {room}",
    "(step|get|come|walk|go|head|move) out of {room}", "(exit|head|walk) out of {room}",
    "exit {room}", "leave {room}",
    "(vacate|depart|emerge from|slip out of|get yourself out of|retreat from) {room}",
    "make your way out of {room}",
)
ENTER = (
    "enter {room}", "enter {room}", "enter {room}", "(step|go|walk|head|move|come) into {room}",
    "(step|go|walk|head) inside {room}", "enter into {room}", "make your way into {room}",
    "enter {room}", "(pop|duck|slip|venture|cross over|turn|wander) into {room}",
)
CROSS = ("cross {room}", "cross {room}", "walk across {room}", "make your way (across|through) {room}")
INTO_NEXT = (
    "into the next room", "into the next room", "into the (adjoining|adjacent|neighboring|following) room",
    "into the other room", "into (another|a different) room", "into the room (beyond|on the other side)",
    "into the (room that follows|connecting room)",
)
ROOM_WITH = (
    "the room with {thing}", "the room with {thing} [in it]", "the room (that has|containing) {thing}",
    "the (area|space) (with|that has|containing) {thing}", "the room where there is {thing}",
    "the room where you (see|find) {thing}",
)
THIS_ROOM = ("the room", "the room", "this room", "this room", "the room [that] you are in")
DOORWAYS = (
    "doorway", "doorway", "doorway", "door", "door", "open door", "opening", "open doorway", "entryway",
    "entrance", "door frame",
)
COUNTED_DOORWAYS = ("doorway", "door", "door", "open door", "entrance", "opening", "open doorway")
A_DOORWAY = ("(a|the) doorway", "(a|the) door", "(the|an) (open door|open doorway|opening|entrance)")
LEADING = (
    "leading", "leading", "that leads", "which leads", "that goes", "that opens", "going", "that takes you",
)
TAKE = (
    "take", "take", "(go|walk|head|pass|step|move|proceed) through", "go through", "enter", "go in",
    "exit through", "enter through",
)
PAST = ("past {thing}", "past {thing}", "past {thing}", "past {thing}", "by {thing}", "on past {thing}")
PASS = (
    "pass {thing}", "pass {thing}", "pass by {thing}", "(go|walk|move|head) (by|past) {thing}",
    "go on past {thing}", "keep going past {thing}",
)
ON = ("on", "along", "onward")
KEEPING = (
    "keeping {thing} {where}", "with {thing} {where}", "passing {thing} {where}", "leaving {thing} {where}",
)
PAST_BOTH = (
    "past {thing} and {other}", "past both {thing} and {other}",
    "past {thing} and past {other}",
)
BETWEEN = ("between {thing} and {other}", "in between {thing} and {other}")
ALONG = (
    "down {room}", "down {room}", "down {room}", "along {room}", "through {room}", "all along {room}",
    "(further|on) down {room}", "along the length of {room}",
)
ACROSS = ("(across|through) {room}", "across {room}", "over to the other side of {room}")
TOWARDS = (
    "(towards|toward) {thing}", "(towards|toward) {thing}", "in the direction of {thing}",
    "over (toward|towards) {thing}",
    "up (toward|towards) {thing}",
)
AWAY = ("away from {thing}", "away from {thing}", "off away from {thing}")
UNTIL = (
    "until you (reach|get to|come to|hit|arrive at) {thing}", "until you (reach|get to) {thing}",
    "(till|until) you are (at|by|near) {thing}", "(up|over|all the way) to {thing}",
    "to {thing}", "as far as {thing}", "until (reaching|arriving at) {thing}",
    "till you (reach|get to) {thing}",
    "until you approach {thing}", "until you have reached {thing}",
)

STAIR_RISE = 0.8
"""Metres: what rises less is a few steps."""
STOREY_RISE = 2.4
STAIRS = (
    "the stairs", "the stairs", "the stairs", "the staircase", "the steps",
    "the (flight|set) of (stairs|steps)",
    "the stairway", "the stair case", "this (staircase|set of stairs|flight of stairs)", "these stairs",
)
FEW_STEPS = ("the steps", "the steps", "the (few|short set of) steps")
CLIMB = (
    "(walk|go|head|climb|proceed|travel|move|step|run) up {stairs}", "(walk|go) up {stairs}",
    "climb {stairs}",
    "(ascend|mount|scale) {stairs}", "take {stairs} up", "(jog|trot|hike) up {stairs}",
    "make your way up {stairs}", "go on up {stairs}",
)
DESCEND = (
    "(walk|go|head|climb|proceed|travel|move|step|come) down {stairs}", "(walk|go) down {stairs}",
    "descend {stairs}", "take {stairs} down", "(jog|trot) down {stairs}", "make your way down {stairs}",
    "go on down {stairs}",
)
GO_ON_STAIRS = (
    "(continue|keep [going]|carry on|proceed|keep on|go on) {way} {stairs}",
    "continue (walking|going) {way} {stairs}",
)
CLIMB_ALL = (
    "(go|walk|head) upstairs", "(go|walk|climb) all the way up {stairs}", "go up {stairs} to the top",
    "(take|climb) {stairs} to the upper (floor|level)", "(go|walk) up {stairs} to the floor above",
    "go up (one|a) (floor|level)", "(climb|ascend) {stairs} to the (very|) top", "go up a flight [of stairs]",
)
DESCEND_ALL = (
    "(go|walk|head) downstairs", "(go|walk) all the way down {stairs}", "go down {stairs} to the bottom",
    "(take|descend) {stairs} to the lower (floor|level)", "(go|walk) down {stairs} to the floor below",
    "go down (one|a) (floor|level)", "go down a flight [of stairs]",
)

STANDING = (
    "with {thing} {where}", "with {thing} {where}", "(standing|starting|starting out) with {thing} {where}",
)
STANDING_BACK = (
    "with your back to {thing}", "(starting|standing) with your back to {thing}", "facing away from {thing}",
)
STANDING_FACE = ("facing {thing}", "looking at {thing}", "(starting [out]|standing) facing {thing}")
HAVING_ENTERED = (
    "once [you are|you're|you get] inside", "once you're in [there]", "when you (get|are) inside",
    "upon entering",
    "as soon as you are inside", "after (you enter|entering)", "after you (go|get|step) in", "when you enter",
    "as you enter", "once in there", "having entered", "on entering",
)
HAVING_CROSSED = (
    "once [you're|you are|you get] through", "after the (doorway|door|opening)", "on the other side",
    "after you (go|get|walk|pass) through", "once (you get|you are|) through the (door|doorway)",
    "after (going|walking|passing) through", "once past the door", "having gone through",
)
HAVING_CLIMBED = (
    "at the {end} [of the (stairs|steps|staircase)]", "once you (are at|reach|get to) the {end}",
    "when you (reach|get to|are at) the {end} [of the (stairs|steps|staircase)]", "upon reaching the {end}",
    "from the {end} of the stairs", "after you reach the {end}", "as soon as you reach the {end}",
)
ON_LANDING = (
    "on the landing", "when you (reach|get to) the landing", "at the landing",
    "once you (are on|reach|get to) the landing",
)
HAVING_REACHED = (
    "at {thing}", "at {thing}", "(when|once|after|as) you (reach|get to|come to|arrive at) {thing}",
    "when you (reach|get to) {thing}", "(upon|after) reaching {thing}", "when you are (at|by|near) {thing}",
    "once you (hit|approach|have reached) {thing}", "as you (approach|near) {thing}", "once at {thing}",
)
END_OF = (
    "at the [very|far] end of {room}", "at the end of {room}", "where {room} ends",
    "(when|once) you (reach|get to) the end of {room}", "at the end of {room}",
)
SEE = (
    "(you'll|you will|you should|you can) see {thing} {where}", "there (will|should) be {thing} {where}",
    "(notice|note|look for) {thing} {where}", "you (will|should) notice {thing} {where}",
    "you (should|will) have {thing} {where}", "{thing} (will|should) be {where}",
    "you will (find|spot) {thing} {where}", "you are going to see {thing} {where}",
)
NOW_IN = (
    "you (will|should) [now] be {room}", "you are now {room}", "now you are {room}", "this puts you {room}",
    "you'll find yourself {room}", "that puts you {room}",
)
