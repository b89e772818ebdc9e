"""The ways people say where to stop, how they begin a sentence and how they tie two together."""
# fmt: off

STOP = (
    "stop", "stop", "stop", "stop", "stop", "stop", "wait", "wait", "wait", "wait", "wait [there]",
    "stop and wait", "come to a (stop|halt)", "stand [still|there]", "pause", "halt", "stay", "stop walking",
    "stop and stand", "finish", "end", "stand and wait", "stop moving", "stop", "stop", "wait", "wait",
    "(wait for me|remain|linger|freeze|park yourself|hold|hold up|hang out)",
    "(plant yourself|position yourself|settle|wait patiently|stop briefly|await further instructions)",
    "wait for (further|more) (instructions|directions)",
    "(conclude|end your walk|end your journey|cease walking|take a break)",
)
STOP_THERE = (
    "stop [there|here]", "wait [there|here]", "stop and wait [there]", "stop at that point", "halt there",
)
NO_STATE = (
    "with", "before", "after", "as soon", "once", "when", "just before", "just after", "upon", "so that",
    "where",
)
"""Places that say when or how, not where: one cannot "be" there."""
ARRIVED = (
    "(you're|you are|you'll be) (there|done|finished) (when|once) you are",
    "(you have|you've|you will have) (arrived|made it|gotten there) (when|once) you are",
    "you have reached (your|the) (destination|goal) (when|once) you are",
    "(your|the) (destination|end point|stopping point|goal|stop) is",
    "you (should|will) end up", "you should [now|then] be",
    "that's it (when|once) you are", "you can stop (when|once) you are",
    "this is where you stop when you are",
)
IN_FRONT = (
    "[right|directly|just] in front of {thing}", "in front of {thing}", "[directly] facing {thing}",
    "before {thing}", "looking at {thing}", "[just] short of {thing}",
)
NEXT_TO = (
    "[right] next to {thing}", "next to {thing}", "[right] beside {thing}", "right by {thing}", "at {thing}",
    "(when|once) you are (next to|beside|right by) {thing}", "alongside {thing}", "at the side of {thing}",
    "over by {thing}",
)
NEAR = (
    "[right|somewhere] near {thing}", "near {thing}", "[over] by {thing}", "by {thing}", "close to {thing}",
    "(when|once|after|as soon as) you (reach|get to|arrive at|come to) {thing}", "not far from {thing}",
    "in the (vicinity|area) of {thing}", "within (reach|a few steps) of {thing}", "upon reaching {thing}",
    "(just|only) a (few steps|step or two) from {thing}",
)
WITH_ON_SIDE = (
    "with {thing} {where}", "with {thing} {where}", "when {thing} is {where}", "so that {thing} is {where}",
    "once {thing} is {where}", "where {thing} is {where}",
)
WITH_SEVERAL = ("with {thing} {where}",)
BETWEEN_BOTH = (
    "[in] between {thing} and {other}", "between {thing} and {other}",
    "in the space between {thing} and {other}",
    "(when|once) you are between {thing} and {other}", "with {thing} and {other} on either side of you",
)
JUST_PAST = (
    "[just] past {thing}", "just past {thing}", "[just] after [you pass|passing] {thing}",
    "once you (pass|are past|have passed|get past) {thing}", "a (bit|little|little bit) past {thing}",
    "as soon as you (pass|are past) {thing}", "on the other side of {thing}", "beyond {thing}",
)
JUST_INSIDE = (
    "[just|right] inside {room}", "just inside {room}", "as soon as you are inside", "when you are inside",
    "(once|when|after|as soon as) you (enter|are in|get into|step into) {room}",
    "upon entering {room}", "[just] inside of {room}", "at the beginning of {room}",
)
INSIDE_DOOR = (
    "(just|right) inside the (door|doorway|entrance)", "just past the (doorway|door)",
    "in the doorway", "[just] inside the doorway", "just (through|beyond) the (doorway|door)",
    "a step inside the door",
)
JUST_OUTSIDE = (
    "[just|right] outside [of] {room}", "just outside the (door|doorway)",
    "(once|when) you are out of {room}",
    "as soon as you (exit|leave) {room}", "after (exiting|leaving) {room}",
)
THRESHOLD = (
    "in front of the next (doorway|door)", "just before the next (doorway|door)",
    "before you enter the next room",
    "at the (entrance|doorway|entry) to the next room", "before the doorway",
    "before (going|walking) through the doorway",
    "facing the (next|) doorway", "at the threshold of the next room",
)
BEFORE_ROOM = (
    "in front of the (door|doorway|entrance) to {room}", "[just] before [you enter|entering] {room}",
    "[just|right] outside [of] {room}", "at the (entrance|doorway|door) (to|of) {room}", "in front of {room}",
    "before you (go|walk|get) into {room}", "at the threshold of {room}", "without entering {room}",
)
BY_ROOM = (
    "(by|near|at|beside) the (door|doorway|entrance) (to|of) {room}", "next to the (door|doorway) to {room}",
    "[just|right] outside [of] {room}", "by the (door|doorway|opening) (leading|that leads) to {room}",
)
BY_DOORWAY = (
    "(by|at|near|beside|next to) the (doorway|door|opening)", "(by|near|beside) the (entrance|open door)",
)
ON_STAIRS = (
    "on the (stairs|steps|staircase)", "while still on the (stairs|steps)", "partway along the stairs",
)
STAIR_END = (
    "at the [very] {end} of {stairs}", "at the {end} of {stairs}",
    "(when|once) you (reach|get to) the {end} of {stairs}",
)
IN_ROOM = (
    "{within} {room}", "{within} {room}", "(once|when) you are {within} {room}", "inside {room}",
)

PLAIN_JOINS = (
    " and", " and", " and", " and", " and", " and", " and", " and", " and then", " and then", ", then",
    ", then",
    ", and then", ", and", " then",
)
JOINS = (
    *PLAIN_JOINS, ", after which you", ", and from there", " and after that", " and afterwards",
    ", and at that point",
)
BEFORE = (" before", " before", ", before")
"""With a gerund behind it."""
DONE = ("exit", "leave", "enter", "pass", "turn", "climb", "descend", "ascend", "take the", "go through")
"""How what may be put as done begins."""
AFTER = (
    "after {gerund}", "after {gerund}", "upon {gerund}", "after you {clause}",
    "once you {clause}", "once you {clause}", "when you {clause}", "as soon as you {clause}",
)
