"""The same step as `helpanna.episodes.Poses`, written plainly: one agent at a time, lists and math only."""

import math
from dataclasses import dataclass

from helpanna.worlds.atlas import Atlas

_STEP = math.radians(30)
_TURN = math.radians(360)
_CENTRES = [
    (
        math.sin(view % 12 * _STEP) * math.cos((view // 12 - 1) * _STEP),
        math.cos(view % 12 * _STEP) * math.cos((view // 12 - 1) * _STEP),
        math.sin((view // 12 - 1) * _STEP),
    )
    for view in range(36)
]


@dataclass(frozen=True)
class PlainWorlds:
    """Positions and neighbours of all locations, as lists."""

    positions: list[list[float]]
    neighbours: list[list[int]]

    @classmethod
    def of(cls, atlas: Atlas) -> "PlainWorlds":
        """The graphs of an atlas."""
        neighbours: list[list[int]] = [[] for _ in range(atlas.location_count)]
        for i, j in atlas.edge.tolist():
            neighbours[i].append(j)
            neighbours[j].append(i)
        return cls(atlas.position.tolist(), [sorted(near) for near in neighbours])


class PlainAgent:
    """One agent at a location with a camera view."""

    def __init__(self, worlds: PlainWorlds, location: int, view: int) -> None:
        self.worlds = worlds
        self.location = location
        self.view = view

    def candidates(self) -> list[tuple[int, int, int]]:
        """(location, view, slot) of each action: stop first, then the neighbours by angle from the view."""
        x, y, z = self.worlds.positions[self.location]
        ahead_x, ahead_y, ahead_z = _CENTRES[self.view]
        heading = self.view % 12
        moves = []
        for neighbour in self.worlds.neighbours[self.location]:
            to_x, to_y, to_z = self.worlds.positions[neighbour]
            to_x, to_y, to_z = to_x - x, to_y - y, to_z - z
            length = math.sqrt(to_x * to_x + to_y * to_y + to_z * to_z)
            cosine = round((to_x * ahead_x + to_y * ahead_y + to_z * ahead_z) / length, 9)
            turn = round((math.atan2(to_x, to_y) - heading * _STEP) / _TURN, 9) % 1
            order = (-cosine, turn, round(length, 9), round(-to_z, 9), neighbour)
            moves.append((order, _view_towards(to_x, to_y, to_z)))
        moves.sort()
        return [
            (self.location, self.view, 36),
            *[(order[-1], view, view // 12 * 12 + (view - heading) % 12) for order, view in moves],
        ]

    def step(self, action: tuple[int, int, int]) -> None:
        """Takes one of the candidates."""
        self.location, self.view, _ = action


def _view_towards(x: float, y: float, z: float) -> int:
    """The view whose centre is closest in angle: at any elevation that of the nearest heading."""
    heading = round(math.atan2(x, y) / _STEP) % 12
    views = (heading, heading + 12, heading + 24)
    return max(views, key=lambda view: x * _CENTRES[view][0] + y * _CENTRES[view][1] + z * _CENTRES[view][2])
