"""What an instruction is made of: clauses, and what each of them claims about the walk.

A claim can be checked against the building without reading the text.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Claim:
    """Something that an instruction says.

    Attributes:
        kind: what is claimed; the other attributes that it uses are named in brackets.
            turn: one turns (side: the turn's kind) from `step` to `until`.
            straight: one goes straight from `step` to `until`.
            up, down: a stair from `step` to `until`.
            soon: the way from `step` to `until`, where one turns, is short.
            landing: a stair ends at `step` (side: top or bottom).
            metres: how long the way from `step` to `until` is (number).
            pass: a thing on one's side on the edge from `until`, seen from `step` (thing, perhaps side).
            between: two things passed at once, one on each side (thing, other).
            toward, away: a thing seen from `step`, ahead or behind as one sets out (thing).
            reach: a thing one is at (thing).
            see: a thing and where it is as one sets out (thing, side).
            by: two things next to each other, both seen from `step` (thing, other).
            above, below: the same for two things one over the other (thing, other).
            large, small: a thing larger or smaller than most of its type (thing).
            looks: captions of what is seen from `step` give the thing this colour or material (thing, side).
            nearest, farthest: a thing nearer or farther than all that could be meant (thing).
            wall: a thing that hangs on a wall (thing).
            glimpse: what the level caption at 45 x `number` degrees names, and where that is as one sets out
                (side, number).
            start: the same for the camera's first direction (thing, side).
            leave, enter: the edge from `step` changes rooms (room).
            doorway: the edge from `step` is a doorway (perhaps side).
            ordinal: its number on this side since the last turn (side, number).
            beyond: a thing in the room that the edge from `step` enters, seen from there (thing, room).
            spacious, long: the room one is in at `step` is large, or long and narrow (room).
            along: the way from `step` to `until` stays in one room (room).
            inside: one is in the room at `step` (room).
            passdoor: a doorway into a room that one passes at `step` (room, side).
            end: at `step` the room does not go on straight ahead (room).
            stop: `step` is the last location. The side says how it is marked: near, next, front, left, right
                (thing), past (thing), between (thing, other), room, inside, outside, door or end
                (room), top, bottom, stairs,
                metres.
        step, until: locations of the path, as indices.
        thing, other, room: indices of the world.
        side: left, right, ahead, behind, or as above.
        number: metres, or which doorway.
    """

    kind: str
    step: int
    until: int = -1
    thing: int = -1
    other: int = -1
    room: int = -1
    side: str = ""
    number: float = 0


@dataclass(frozen=True)
class Clause:
    """A piece of text, and what it claims."""

    text: str
    claims: tuple[Claim, ...] = ()

    def then(self, *others: "Clause") -> "Clause":
        """This and others, one behind the other."""
        pieces = (self, *others)
        text = " ".join(piece.text for piece in pieces)
        return Clause(text, tuple(claim for piece in pieces for claim in piece.claims))


@dataclass(frozen=True)
class Unit:
    """Clauses that belong together: perhaps "once inside", then one to three things to do.

    Attributes:
        clauses: what to do.
        lead: where one is then.
        statement: whether it says how things are instead of what to do.
    """

    clauses: tuple[Clause, ...]
    lead: Clause | None = None
    statement: bool = False
