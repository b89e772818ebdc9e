"""What a generated house is made of: rooms, openings, materials, meshes, things.

Lengths are metres, x to the right (east), y ahead (north), z up; all is built of axis-parallel rectangles. A
room is a closed shell of inner surfaces; openings are tunnels from shell to shell. No solids overlap, so no
light leaks at joints.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

RoomKind = Literal[
    "hall",
    "corridor",
    "stairs",
    "living room",
    "dining room",
    "kitchen",
    "bedroom",
    "bathroom",
    "office",
    "laundry room",
]
Side = Literal["west", "east", "south", "north"]
Colour = tuple[float, float, float]
"""Linear RGB, 0 to 1."""

WALL = 0.14
"""Metres between the shells of two rooms."""


@dataclass(frozen=True)
class Rect:
    """An axis-parallel rectangle."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """Its extent along x."""
        return self.x1 - self.x0

    @property
    def depth(self) -> float:
        """Its extent along y."""
        return self.y1 - self.y0

    @property
    def area(self) -> float:
        """In square metres."""
        return self.width * self.depth

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def grown(self, by: float) -> "Rect":
        """Larger by so much on every side; smaller if negative."""
        return Rect(self.x0 - by, self.y0 - by, self.x1 + by, self.y1 + by)

    def meets(self, other: "Rect") -> bool:
        """Whether the two share some area."""
        return self.x0 < other.x1 and other.x0 < self.x1 and self.y0 < other.y1 and other.y0 < self.y1

    def contains(self, other: "Rect") -> bool:
        """Whether the other lies inside."""
        return self.x0 <= other.x0 and other.x1 <= self.x1 and self.y0 <= other.y0 and other.y1 <= self.y1


@dataclass(frozen=True)
class HouseRoom:
    """A room: `rect` is its clear floor, from shell to shell."""

    name: str
    kind: RoomKind
    floor: int
    rect: Rect
    z: float
    """Height of its floor."""
    height: float
    """From floor to ceiling."""


@dataclass(frozen=True)
class Opening:
    """A door, a passage without a door, or a window: a hole in the `side` wall of `room`.

    Attributes:
        kind: what it is.
        room: the room whose wall it is in.
        other: the room on the other side, None for outdoors; the tunnel ends in that room's shell.
        side: the wall of `room`.
        centre: along the wall: x of a south or north wall, y of a west or east one.
        width: metres.
        low: metres of its lower edge above the floor (0 for doors).
        high: metres of its upper edge above the floor.
    """

    kind: Literal["door", "passage", "window"]
    room: int
    other: int | None
    side: Side
    centre: float
    width: float
    low: float
    high: float


@dataclass(frozen=True)
class Stair:
    """A straight flight from the floor of room `lower` up to the floor of room `upper`, above it.

    Attributes:
        lower, upper: the rooms; both have the same rectangle.
        rect: the flight's rectangle, which is also the hole in the upper floor.
        towards: the side on which it arrives upstairs.
        steps: how many steps it has.
    """

    lower: int
    upper: int
    rect: Rect
    towards: Side
    steps: int


@dataclass(frozen=True)
class Material:
    """What a surface is made of; textures are computed from it, there are no image files.

    Attributes:
        kind: how the pattern is made.
        colour: the main colour.
        accent: the second colour of the pattern (grain, joints, weave, spines).
        scale: metres of one repeat of the pattern (a plank's width, a tile's side).
        gloss: 0 matt to 1 mirror-like.
        emission: light given off, in units of a lit lampshade; 0 for most things.
        seed: makes two patterns of one kind differ.
    """

    kind: Literal[
        "paint", "wood", "planks", "tile", "carpet", "fabric", "leather", "stone", "metal", "ceramic",
        "glass", "paper", "leaves", "picture", "books", "screen", "light",
    ]  # fmt: skip
    colour: Colour
    accent: Colour
    scale: float = 0.3
    gloss: float = 0.0
    emission: float = 0.0
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles.

    Attributes:
        vertices: [V, 3] metres.
        triangles: [F, 3] vertex indices, counter-clockwise seen from outside.
        uv: [F, 3, 2] texture coordinates in metres on the surface (0 to 1 for "picture" and "screen").
        slot: [F] which material each triangle has.
    """

    vertices: NDArray[np.float32]
    triangles: NDArray[np.int32]
    uv: NDArray[np.float32]
    slot: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Thing:
    """A piece of furniture or a small object, in a frame of its own.

    The origin is the middle of its footprint at its lowest point; its front faces -y (south), its back
    is at +y.

    Attributes:
        type: what people call it ("coffee table").
        mesh: its triangles.
        materials: one for each slot of the mesh.
        size: its extents along x, y and z.
        tops: surfaces others can stand on: rectangles in its frame, with their height.
        lamp: where its light comes from, in its frame; None if it gives none.
    """

    type: str
    mesh: Mesh
    materials: tuple[Material, ...]
    size: tuple[float, float, float]
    tops: tuple[tuple[Rect, float], ...] = ()
    lamp: tuple[float, float, float] | None = None


@dataclass(frozen=True, eq=False)
class Placed:
    """A thing in a room: turned by `quarter` x 90 degrees clockwise seen from above, then moved.

    With quarter = 0 its front faces south, 1 west, 2 north, 3 east.
    """

    thing: Thing
    room: int
    position: tuple[float, float, float]
    quarter: int

    @property
    def footprint(self) -> Rect:
        """The floor area under it."""
        width, depth = self.thing.size[:2] if self.quarter % 2 == 0 else self.thing.size[1::-1]
        x, y, _ = self.position
        return Rect(x - width / 2, y - depth / 2, x + width / 2, y + depth / 2)


@dataclass(frozen=True, eq=False)
class House:
    """A whole house.

    Attributes:
        name: unique in an atlas.
        style: the name of its style.
        rooms, openings, stairs: the building.
        floors, walls, ceilings: the material of each room's surfaces.
        trim: the material of door frames, skirting and stairs.
        things: what stands and hangs in it.
    """

    name: str
    style: str
    rooms: tuple[HouseRoom, ...]
    openings: tuple[Opening, ...]
    stairs: tuple[Stair, ...]
    floors: tuple[Material, ...]
    walls: tuple[Material, ...]
    ceilings: tuple[Material, ...]
    trim: Material
    things: tuple[Placed, ...] = ()
