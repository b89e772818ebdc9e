"""Where the walls, doors, windows and stairs of a building are, for those buildings whose maker knows it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Rectangle = tuple[float, float, float, float]
"""x0, y0, x1, y1 in metres."""


@dataclass(frozen=True)
class RoomOutline:
    """The clear floor of a room, from wall to wall: its number in the world, its storey and its rectangle."""

    room: int
    floor: int
    rectangle: Rectangle


@dataclass(frozen=True)
class OpeningOutline:
    """A hole in a wall, as thick as the wall; an open door has a leaf."""

    kind: Literal["door", "passage", "window"]
    floor: int
    rectangle: Rectangle
    leaf: Rectangle | None = None


@dataclass(frozen=True)
class StairOutline:
    """A flight from a storey up to the next; `towards` is the side on which it arrives."""

    floor: int
    rectangle: Rectangle
    towards: Literal["west", "east", "south", "north"]
    steps: int


@dataclass(frozen=True)
class Outline:
    """The walls of a building: all that is between its rooms and not open, and `wall` metres around them."""

    rooms: tuple[RoomOutline, ...]
    openings: tuple[OpeningOutline, ...]
    stairs: tuple[StairOutline, ...]
    wall: float

    def to_json(self) -> dict[str, Any]:
        """As an atlas stores it."""
        return asdict(self)

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> "Outline":
        """What `to_json` gave; other values raise a TypeError, ValueError or KeyError."""
        return Outline(
            rooms=tuple(
                RoomOutline(int(r["room"]), int(r["floor"]), _rectangle(r["rectangle"]))
                for r in value["rooms"]
            ),
            openings=tuple(
                OpeningOutline(
                    o["kind"],
                    int(o["floor"]),
                    _rectangle(o["rectangle"]),
                    None if o["leaf"] is None else _rectangle(o["leaf"]),
                )
                for o in value["openings"]
            ),
            stairs=tuple(
                StairOutline(int(s["floor"]), _rectangle(s["rectangle"]), s["towards"], int(s["steps"]))
                for s in value["stairs"]
            ),
            wall=float(value["wall"]),
        )


def _rectangle(value: Any) -> Rectangle:
    x0, y0, x1, y1 = (float(number) for number in value)
    return x0, y0, x1, y1
