"""Free space: where on a storey one can stand and walk."""

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import label

from helpanna.worlds.houses.doors import door_leaves
from helpanna.worlds.houses.ground import WALK, Floats, Ground, Mask, in_the_way, stops_walkers, tunnels
from helpanna.worlds.houses.layout import House

STAND = 0.25
"""Metres from a location to furniture."""
FROM_WALL = 0.35
"""Metres from a location to a wall."""
_SAMPLES = 121  # along a line; enough for lines of 5 m and more


class Storey(Ground):
    """The free space of one storey.

    Attributes:
        walkable: the cells through which one can walk.
        standable: the cells where a location can be.
        room: metres from each cell to the nearest wall or thing.
    """

    def __init__(self, house: House, floor: int):
        rooms = [room.rect for room in house.rooms if room.floor == floor]
        super().__init__(rooms)
        flights = [
            stair.rect
            for stair in house.stairs
            if floor in (house.rooms[stair.lower].floor, house.rooms[stair.upper].floor)
        ]
        things = [
            placed
            for placed in house.things
            if house.rooms[placed.room].floor == floor and in_the_way(house, placed)
        ]
        leaves = [
            leaf
            for opening, leaf in zip(house.openings, door_leaves(house), strict=True)
            if leaf and house.rooms[opening.room].floor == floor
        ]
        floor_here = self.mask(*rooms, *tunnels(house, floor)) & ~self.mask(*flights)
        tall = self.mask(*leaves, *(thing.footprint for thing in things if stops_walkers(house, thing)))
        from_wall = self.clearance(~floor_here)
        from_things = self.clearance(tall | self.mask(*(thing.footprint for thing in things)))
        self.room: Floats = np.minimum(from_wall, from_things)
        self.walkable: Mask = np.minimum(from_wall, self.clearance(tall)) >= WALK
        self.standable: Mask = (from_wall >= FROM_WALL) & (from_things >= STAND)

    def parts(self) -> NDArray[np.int32]:
        """The cells numbered by the connected part of the walkable floor they are in; 0 for none."""
        return label(self.walkable)[0]

    def clear(self, a: Floats, b: Floats) -> Mask:
        """[k] whether one can walk straight from points a [k, 2] to b [k, 2]."""
        # The same points between the same two, whichever comes first, so that rounding decides nothing.
        swap = ((a[:, 0] > b[:, 0]) | ((a[:, 0] == b[:, 0]) & (a[:, 1] > b[:, 1])))[:, None]
        start, end = np.where(swap, b, a), np.where(swap, a, b)
        between = start[:, None] + np.linspace(0, 1, _SAMPLES)[:, None] * (end - start)[:, None]
        return np.asarray(self.walkable[self.cell(between)].all(axis=1))
