"""The ways people put what one does on a walk.

In the tables {side} is left or right, {thing} and {room} come with their articles; what is said often stands
there more than once.
"""
# fmt: off

AHEAD = ("in front of you", "in front of you", "ahead of you", "straight ahead of you")
ON_SIDE = (
    "on your {side}", "on your {side}", "on your {side}", "on the {side}", "on the {side}", "on the {side}",
    "to your {side}", "on the {side} side", "to the {side}", "on your {side} hand side",
)
BESIDE = ("next to {thing}", "by {thing}", "beside {thing}", "near {thing}", "close to {thing}")
"""Of one thing and another."""
LARGE = ("large", "large", "big")

TURNS = {
    "": (
        "turn {side}", "turn {side}", "turn {side}", "turn {side}", "turn {side}", "take a {side}",
        "take a {side}", "make a {side}", "make a {side}", "go {side}", "go {side}", "head {side}",
        "turn to your {side}", "turn to the {side}", "make a {side} turn", "take a {side} turn",
        "hang a {side}", "swing {side}", "go to your {side}", "move to the {side}", "make a {side} hand turn",
    ),
    "slight": (
        "turn slightly {side}", "turn slightly to the {side}", "veer {side}", "veer to the {side}",
        "bear {side}", "make a slight {side}", "take a slight {side}", "go slightly {side}",
        "veer slightly {side}", "turn a little to the {side}", "make a slight {side} turn",
        "angle to the {side}", "turn a bit to your {side}",
    ),
    "sharp": (
        "make a sharp {side}", "take a sharp {side}", "turn sharply to the {side}", "make a hard {side}",
        "take a hard {side}", "make a sharp {side} turn", "turn sharply {side}", "turn hard to the {side}",
    ),
    "around": (
        "turn around", "turn around", "turn around", "turn around", "turn all the way around",
        "turn completely around",
    ),
}
"""By degree."""

VERBS = (
    "walk", "walk", "walk", "walk", "walk", "go", "go", "go", "go", "head", "head", "continue", "continue",
    "proceed", "move", "keep going", "keep walking", "make your way", "travel", "carry on", "go on",
    "continue walking",
)
PLAIN_VERBS = (
    "walk", "walk", "walk", "walk", "go", "go", "continue", "move", "keep going", "keep walking", "proceed",
    "continue walking", "carry on",
)
"""Those that go with "forward" and distances."""
PLAIN_WAYS = ("forward", "straight", "ahead", "about", "roughly", "approximately", "a ", "up to")
UNTIL_VERBS = ("walk", "walk", "walk", "continue", "keep going", "keep walking", "continue walking")
"""Those that go with "until you reach"."""
GOING_ON = frozenset({"continue", "keep going", "keep walking", "carry on", "go on", "continue walking"})
"""Where nobody has walked yet, nobody goes on."""
DIRECT_VERBS = frozenset({"walk", "go", "head", "continue", "keep going", "keep walking", "proceed", "move"})
"""Those that go with "straight"."""
STRAIGHT = ("straight", "straight", "straight", "straight ahead", "straight on")
FORWARD = (
    "forward", "forward", "forward", "straight", "straight", "straight ahead", "straight ahead", "ahead",
    "forwards", "straight on",
)
SHORT_WAY = (
    "a few steps", "a few steps", "a couple of steps", "a little", "a bit", "a little way", "a few feet",
    "a short distance", "a few paces",
)
ABOUT = ("about", "about", "about", "roughly", "approximately")

LEAVE = (
    "exit {room}", "exit {room}", "exit {room}", "leave {room}", "leave {room}", "step out of {room}",
    "get out of {room}", "come out of {room}",
)
ENTER = ("enter {room}", "enter {room}", "enter {room}", "step into {room}", "step inside {room}")
INTO_NEXT = (
    "into the next room", "into the next room", "into the next room", "into the adjoining room",
    "into the adjacent room", "into the neighboring room",
)
ROOM_WITH = ("the room with {thing}", "the room with {thing}", "the room that has {thing}")
DOORWAYS = (
    "doorway", "doorway", "doorway", "doorway", "door", "door", "open door", "opening", "open doorway",
    "entryway", "entrance",
)
COUNTED_DOORWAYS = ("doorway", "doorway", "door", "door", "open door", "entrance")
A_DOORWAY = ("the doorway", "a doorway", "the door", "the open door", "an open door", "an opening")
TAKE = (
    "take", "take", "go through", "go through", "walk through", "head through", "enter", "pass through",
    "step through",
)
PAST = ("past {thing}",)
PASS = ("pass {thing}", "pass {thing}", "pass by {thing}", "go by {thing}", "walk by {thing}")
PAST_BOTH = ("past {thing} and {other}",)
BETWEEN = ("between {thing} and {other}",)
ALONG = ("down {room}", "down {room}", "down {room}", "along {room}", "through {room}", "all along {room}")
ACROSS = ("across {room}", "across {room}", "through {room}")
TOWARDS = ("towards {thing}", "towards {thing}", "toward {thing}", "in the direction of {thing}")
AWAY = ("away from {thing}",)
UNTIL = (
    "until you reach {thing}", "until you reach {thing}", "until you get to {thing}", "up to {thing}",
    "until you get to {thing}", "until you come to {thing}", "to {thing}", "until you are at {thing}",
    "over to {thing}", "until you arrive at {thing}",
)

STAIR_RISE = 0.8
"""Metres: what rises less is a few steps."""
STAIRS = (
    "the stairs", "the stairs", "the stairs", "the stairs", "the staircase", "the steps",
    "the flight of stairs", "the stairway", "the set of stairs",
)
FEW_STEPS = ("the steps", "the steps", "the few steps")
CLIMB = (
    "walk up {stairs}", "walk up {stairs}", "go up {stairs}", "go up {stairs}", "go up {stairs}",
    "head up {stairs}", "climb {stairs}", "climb up {stairs}", "ascend {stairs}", "take {stairs} up",
    "proceed up {stairs}",
)
DESCEND = (
    "walk down {stairs}", "walk down {stairs}", "go down {stairs}", "go down {stairs}", "go down {stairs}",
    "head down {stairs}", "descend {stairs}", "take {stairs} down", "come down {stairs}",
    "proceed down {stairs}",
)
CLIMB_ALL = ("go upstairs", "walk upstairs", "head upstairs", "go all the way up {stairs}")
DESCEND_ALL = ("go downstairs", "walk downstairs", "head downstairs", "go all the way down {stairs}")

STANDING = (
    "with {thing} {where}", "with {thing} {where}", "standing with {thing} {where}",
    "starting with {thing} {where}",
)
HAVING_ENTERED = (
    "once inside", "once you are inside", "once you're in", "when you get inside", "upon entering",
    "as soon as you are inside", "after you enter",
)
HAVING_CROSSED = (
    "once you're through", "once through", "after the doorway", "on the other side", "after you go through",
    "once you get through the door",
)
HAVING_CLIMBED = (
    "at the {end}", "at the {end} of the stairs", "once you are at the {end}", "when you reach the {end}",
    "once you reach the {end} of the stairs", "when you get to the {end}",
)
ON_LANDING = ("on the landing", "when you reach the landing", "at the landing", "once you are on the landing")
HAVING_REACHED = (
    "at {thing}", "at {thing}", "at {thing}", "when you reach {thing}", "once you get to {thing}",
    "when you get to {thing}", "when you come to {thing}", "once you reach {thing}", "as you reach {thing}",
    "upon reaching {thing}", "when you are at {thing}",
)
END_OF = ("at the end of {room}", "at the end of {room}", "at the very end of {room}", "where {room} ends")
SEE = (
    "you'll see {thing} {where}", "you will see {thing} {where}", "you should see {thing} {where}",
    "there will be {thing} {where}", "notice {thing} {where}", "you will notice {thing} {where}",
    "there should be {thing} {where}",
)

STOP = (
    "stop", "stop", "stop", "stop", "stop", "stop", "stop", "wait", "wait", "wait", "wait", "wait",
    "stop and wait", "come to a stop", "stand", "stand", "pause",
)
STOP_THERE = ("stop", "stop there", "stop there", "wait there")
NO_STATE = ("with", "before", "after", "as soon", "once", "when", "just before you", "just after")
"""Places that say when or how, not where: one cannot "be" there."""
ARRIVED = (
    "you're there when you are", "you have arrived when you are", "you're done when you are",
    "you'll be there when you are", "you have reached your destination when you are",
)
IN_FRONT = (
    "in front of {thing}", "in front of {thing}", "in front of {thing}", "right in front of {thing}",
    "facing {thing}", "directly in front of {thing}", "just in front of {thing}",
)
NEXT_TO = (
    "next to {thing}", "next to {thing}", "beside {thing}", "right by {thing}", "right next to {thing}",
    "at {thing}", "when you are next to {thing}",
)
NEAR = (
    "near {thing}", "near {thing}", "by {thing}", "by {thing}", "close to {thing}", "when you reach {thing}",
    "when you get to {thing}", "once you reach {thing}", "not far from {thing}",
)
WITH_ON_SIDE = ("with {thing} {where}",)
BETWEEN_BOTH = ("between {thing} and {other}",)
JUST_PAST = (
    "just past {thing}", "just past {thing}", "just after you pass {thing}",
    "once you pass {thing}", "after {thing}", "once you are past {thing}",
)
JUST_INSIDE = (
    "just inside {room}", "just inside {room}", "right inside {room}", "as soon as you are inside",
    "once you are inside {room}", "once you enter {room}", "when you enter {room}",
    "as soon as you enter {room}",
)
INSIDE_DOOR = (
    "just inside the door", "just inside the doorway", "right inside the doorway", "just past the doorway",
    "in the doorway",
)
JUST_OUTSIDE = ("just outside {room}", "right outside {room}", "just outside the door", "outside of {room}")
THRESHOLD = (
    "in front of the next doorway", "just before the next doorway", "before you enter the next room",
    "at the entrance to the next room", "in front of the next door", "before the doorway",
)
BEFORE_ROOM = (
    "in front of the door to {room}", "before you enter {room}", "just outside {room}",
    "at the entrance to {room}", "in front of {room}", "before entering {room}",
)
BY_ROOM = (
    "by the door to {room}", "next to the door to {room}", "at the doorway to {room}", "just outside {room}",
    "near the entrance to {room}", "beside the doorway of {room}",
)
BY_DOORWAY = ("by the doorway", "next to the doorway", "at the door", "near the doorway", "beside the door")
