"""Rigid groups of things, and the space they take wherever they are put."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from helpanna.worlds.houses.layout import Placed, Thing

GAP = 0.02
"""Metres between a wall and what stands at it; skirting needs it."""
OVERHEAD = 2.0
"""What hangs higher is in nobody's way."""
FLAT = 0.03
"""What is lower can be walked on."""
TOUCH = 1e-4
"""Things that share less than this only touch."""

Floats = NDArray[np.float64]
Block = tuple[float, float, float, float, float, float]
"""x0, y0, z0, x1, y1, z1; heights are from the room's floor."""


def spin(x: float, y: float, quarter: int) -> tuple[float, float]:
    """Turned by quarters clockwise, seen from above."""
    return [(x, y), (y, -x), (-x, -y), (-y, x)][quarter % 4]


def meets(a: Floats, b: Floats) -> NDArray[np.bool_]:
    """[N, M] whether blocks a [N, 6] and b [M, 6] share some space."""
    low = np.maximum(a[:, None, :3], b[None, :, :3])
    high = np.minimum(a[:, None, 3:], b[None, :, 3:])
    return np.asarray((low < high - TOUCH).all(axis=-1))


def block_of(placed: Placed, floor: float) -> Block:
    """The space a thing takes, its heights from a floor."""
    r, z = placed.footprint, placed.position[2] - floor
    return r.x0, r.y0, z, r.x1, r.y1, z + placed.thing.size[2]


@dataclass(frozen=True, eq=False)
class Member:
    """A thing in a group, in a frame whose wall is at the top and whose front looks down (-y).

    Attributes:
        thing: what it is.
        x: metres to the right of the group's middle.
        y: metres from the wall to its middle; None if its back is at the wall.
        turn: quarters clockwise it is turned beyond the group.
        z: height of its underside.
        access: metres that must stay free in front of it.
        avoids: what must stay free: of "door", "window", "access".
    """

    thing: Thing
    x: float = 0.0
    y: float | None = None
    turn: int = 0
    z: float = 0.0
    access: float = 0.0
    avoids: tuple[str, ...] = ("door", "window", "access")

    @property
    def distance(self) -> float:
        """From the wall to its middle."""
        return GAP + self.thing.size[1] / 2 if self.y is None else self.y

    @property
    def solid(self) -> bool:
        """Whether it takes space; rugs and mats do not."""
        return self.thing.size[2] > FLAT or self.z > FLAT

    def reach(self, quarter: int) -> tuple[float, float]:
        """From where to where it reaches along the wall of a group turned so."""
        half = self.thing.size[self.turn % 2] / 2
        x = self.x if quarter in (0, 3) else -self.x
        return x - half, x + half

    def blocks(self, quarter: int, anchors: Floats) -> Floats:
        """[N, 6] the space it takes when its group is turned so and anchored at each of the points [N, 2]."""
        width, depth, height = self.thing.size
        return self._boxes(
            quarter, anchors, (self.x, -self.distance), (width, depth), (self.z, self.z + height)
        )

    def front(self, quarter: int, anchors: Floats) -> Floats:
        """[N, 6] what must stay free in front of it."""
        width, depth, _ = self.thing.size
        dx, dy = spin(0.0, -(depth + self.access) / 2, self.turn)
        middle = self.x + dx, dy - self.distance
        return self._boxes(quarter, anchors, middle, (width * 0.9, self.access), (FLAT, OVERHEAD))

    def _boxes(
        self, quarter: int, anchors: Floats, at: tuple[float, float], size: tuple[float, float],
        heights: tuple[float, float],
    ) -> Floats:  # fmt: skip
        middle = anchors + np.array(spin(*at, quarter))
        half = np.array(size if (quarter + self.turn) % 2 == 0 else size[::-1]) / 2
        low, high = (np.full(len(anchors), height) for height in heights)
        return np.column_stack([middle - half, low, middle + half, high])
