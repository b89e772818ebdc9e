"""What happens on a walk: the facts from which instructions are worded.

A walk is cut into legs, each of which begins with a turn that one would speak of or with a stair; each leg
knows the rooms it enters and leaves, the things it passes and those that one sees. Bearings are degrees
clockwise from where the walker looks.
"""

from dataclasses import dataclass

STRAIGHT = 25.0
"""A smaller change of heading is no turn."""
SLIGHT = 50.0
SHARP = 130.0
AROUND = 155.0


@dataclass(frozen=True)
class Turn:
    """A change of heading at location `step` of the path; a bend begins at an earlier one, `first`."""

    first: int
    step: int
    angle: float

    @property
    def kind(self) -> str:
        """straight, around, or left and right, perhaps slight or sharp."""
        return turn_kind(self.angle)


@dataclass(frozen=True)
class SeenThing:
    """A thing seen from location `step` of the path: its direction and its metres away on the plan."""

    step: int
    thing: int
    bearing: float
    distance: float

    @property
    def side(self) -> str:
        """left, right, ahead or behind."""
        return side_of(self.bearing)


@dataclass(frozen=True)
class Pass:
    """A thing passed on edge `edge` of the path (a fraction says where), seen from location `step`."""

    step: int
    thing: int
    edge: float
    side: str


@dataclass(frozen=True)
class Crossing:
    """The edge from location `edge` leads from one room into another.

    Attributes:
        edge: which edge of the path.
        left, entered: the rooms.
        doorway: whether the way is narrow; rooms of an open plan have none.
        ordinal: the doorway's number on its side since the last turn; 0 where that is unclear.
    """

    edge: int
    left: int
    entered: int
    doorway: bool
    ordinal: int = 0


@dataclass(frozen=True)
class Door:
    """A way into a room beside location `step` of the path, in this direction; narrow if it is a doorway."""

    step: int
    room: int
    bearing: float
    narrow: bool

    @property
    def side(self) -> str:
        """left, right, ahead or behind."""
        return side_of(self.bearing)


@dataclass(frozen=True)
class Flight:
    """A stair, climbed or descended.

    Attributes:
        up: whether one climbs.
        rise: metres.
        begins, ends: whether the walk has the stair from its beginning, and to its end.
        landing: whether a level way leads on from where the walk leaves the stair.
    """

    up: bool
    rise: float
    begins: bool
    ends: bool
    landing: bool


@dataclass(frozen=True)
class Leg:
    """A stretch of the path from location `first` to location `last` without a turn to speak of.

    Attributes:
        first, last: indices into the path.
        turn: how it begins.
        metres: how long it is.
        flight: the stair it climbs or descends.
        crossings: where it changes rooms.
        passes: what it passes.
        doors: doorways it passes and those where it ends, into rooms that the walk does not enter.
        ends_room: whether the leg follows a room to its end: one cannot go on straight there.
        ahead: what one sees at its beginning once one has turned.
        reached: what one is at in the end, seen as one arrives.
    """

    first: int
    last: int
    turn: Turn
    metres: float
    flight: Flight | None
    crossings: tuple[Crossing, ...]
    passes: tuple[Pass, ...]
    doors: tuple[Door, ...]
    ends_room: bool
    ahead: tuple[SeenThing, ...]
    reached: tuple[SeenThing, ...]


@dataclass(frozen=True, eq=False)
class Walk:
    """A path of locations, told as legs.

    Attributes:
        path: location indices of the world.
        legs: what happens, in order.
        start: what is seen before the first turn, relative to the camera.
    """

    path: tuple[int, ...]
    legs: tuple[Leg, ...]
    start: tuple[SeenThing, ...]


def turn_kind(angle: float) -> str:
    """What a change of heading in degrees (clockwise, -180 to 180) is called."""
    size, side = abs(angle), "left" if angle < 0 else "right"
    if size < STRAIGHT:
        return "straight"
    if size < SLIGHT:
        return f"slight {side}"
    if size < SHARP:
        return side
    return f"sharp {side}" if size < AROUND else "around"


def side_of(bearing: float) -> str:
    """Where something in this direction is: ahead, behind, left or right."""
    if abs(bearing) < 35:
        return "ahead"
    if abs(bearing) > 145:
        return "behind"
    return "left" if bearing < 0 else "right"


def wrapped(degrees: float) -> float:
    """The same angle between -180 (included) and 180."""
    return (degrees + 180) % 360 - 180
