"""The ground of a storey or a room as a grid of 5 cm, and what stands on it."""

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt

from helpanna.worlds.houses.layout import WALL, House, Placed, Rect
from helpanna.worlds.houses.openings import inwards, wall_at

CELL = 0.05
WALK = 0.15
"""Metres from the middle of a person who walks to what is beside."""
FLAT = 0.05
"""Metres of what is no obstacle, as a rug."""
STEP_OVER = 0.4
"""Lower things may lie between two locations."""
_OVERHEAD = 1.9  # what hangs higher is no obstacle

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


class Ground:
    """A grid over rectangles and half a metre around them.

    The cells of all grids coincide: what one can walk through in a room, one can walk through in its storey.
    """

    def __init__(self, rects: list[Rect]):
        start = np.array([min(r.x0 for r in rects), min(r.y0 for r in rects)]) - 0.5
        self.corner = np.floor(start / CELL) * CELL
        end = np.array([max(r.x1 for r in rects), max(r.y1 for r in rects)]) + 0.5
        self.shape = tuple(np.ceil((end - self.corner) / CELL).astype(int).tolist())

    def mask(self, *rects: Rect) -> Mask:
        """The cells whose middle is in one of the rectangles."""
        mask = np.zeros(self.shape, dtype=bool)
        for rect in rects:
            low = np.ceil((np.array([rect.x0, rect.y0]) - self.corner) / CELL - 0.5 - 1e-6).astype(int)
            high = np.floor((np.array([rect.x1, rect.y1]) - self.corner) / CELL + 0.5 + 1e-6).astype(int)
            low = np.maximum(low, 0)
            mask[low[0] : max(high[0], 0), low[1] : max(high[1], 0)] = True
        return mask

    def clearance(self, solid: Mask) -> Floats:
        """Metres from each cell to the nearest solid one."""
        if not solid.any():
            return np.full(self.shape, np.inf)
        return np.asarray(distance_transform_edt(~solid)) * CELL - CELL / 2

    def cell(self, points: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The cells [...] of points [..., 2]."""
        index = np.floor((points - self.corner) / CELL).astype(np.int64)
        index = np.clip(index, 0, np.array(self.shape) - 1)
        return index[..., 0], index[..., 1]

    def middle(self, point: Floats) -> Floats:
        """[2] the middle of the cell in which a point is."""
        return self.corner + (np.stack(self.cell(point), axis=-1) + 0.5) * CELL

    def points(self, mask: Mask) -> Floats:
        """[k, 2] the middles of the cells of a mask."""
        return self.corner + (np.argwhere(mask) + 0.5) * CELL


def tunnels(house: House, floor: int) -> list[Rect]:
    """The floor inside the doorways and passages of a storey, from shell to shell."""
    found = []
    for opening in house.openings:
        room = house.rooms[opening.room]
        if opening.other is None or room.floor != floor:
            continue
        at = wall_at(room.rect, opening.side)
        a, b = sorted((at, at - inwards(opening.side) * WALL))
        low, high = opening.centre - opening.width / 2, opening.centre + opening.width / 2
        across = opening.side in ("south", "north")
        found.append(Rect(low, a, high, b) if across else Rect(a, low, b, high))
    return found


def in_the_way(house: House, placed: Placed) -> bool:
    """Whether one cannot stand where this thing is."""
    floor = house.rooms[placed.room].z
    low, high = placed.position[2] - floor, placed.position[2] + placed.thing.size[2] - floor
    return low < _OVERHEAD and high > FLAT


def stops_walkers(house: House, placed: Placed) -> bool:
    """Whether one cannot step over this thing either."""
    top = placed.position[2] + placed.thing.size[2] - house.rooms[placed.room].z
    return in_the_way(house, placed) and top > STEP_OVER
