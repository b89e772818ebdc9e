"""The navigation graph of a house: where one can stand, and between which places one can walk.

Locations stand about two metres apart in free space, on both sides of every door, and on the stairs. One can
walk between two locations where the straight line between them is clear for feet and eyes.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components, dijkstra
from scipy.spatial.distance import cdist

from helpanna.worlds.houses.ground import CELL, Mask
from helpanna.worlds.houses.layout import House, Opening, Side, Stair
from helpanna.worlds.houses.openings import inwards, sides_of, wall_at
from helpanna.worlds.houses.rays import Caster
from helpanna.worlds.houses.scene import scene_of
from helpanna.worlds.houses.space import Storey
from helpanna.worlds.world import unordered_pairs

EYE_HEIGHT = 1.5
SPACING = 1.25
"""Metres between the locations that fill a room, at least; adjacent ones are 2.3 apart on average."""
REACH = 4.8
"""Metres between adjacent locations, at most."""
_SPACING_IN_NOOKS = 1.6
_ROOMY = 0.4  # metres around a location; nooks have less
_APART = 0.8  # metres between two locations, at least, where the ways allow it
_BEFORE_DOOR = 0.75
_LANDING = 0.6
_MOST_BRIDGES = 6

Floats = NDArray[np.float64]
Pairs = NDArray[np.int32]
Ids = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Navigation:
    """Where one can go.

    Attributes:
        positions: [n, 3] metres, at eye height, ordered by room.
        room_of: [n] index of each location's room.
        edges: [e, 2] pairs one can walk between.
        sight_lines: [s, 2] pairs that see each other.
    """

    positions: Floats
    room_of: NDArray[np.int32]
    edges: Pairs
    sight_lines: Pairs


def connect(house: House, caster: Caster | None = None) -> Navigation:
    """The navigation graph of a furnished house.

    Args:
        house: the house.
        caster: casts rays among all its triangles; made from the house if not given.
    """
    if caster is None:
        scene = scene_of(house)
        caster = Caster(scene.vertices[scene.triangles])
    return _Graph(house, caster).navigation()


class _Graph:
    def __init__(self, house: House, caster: Caster):
        self.house, self.caster = house, caster
        self.storeys = [Storey(house, floor) for floor in range(max(r.floor for r in house.rooms) + 1)]
        self.parts = [storey.parts() for storey in self.storeys]
        # The part of each storey's floor that most of it belongs to.
        self.main = [int(np.bincount(part[part > 0]).argmax()) for part in self.parts]
        self.positions: list[tuple[float, float, float]] = []
        self.rooms: list[int] = []
        self.flights: list[tuple[int, int]] = []  # edges along stairs

    def navigation(self) -> Navigation:
        for stair in self.house.stairs:
            self._add_stair(stair)
        for opening in self.house.openings:
            if opening.other is not None:
                for i, side in sides_of(opening):
                    self._add_before(opening, i, side)
        for i, room in enumerate(self.house.rooms):
            self._fill(i)
            self._bridge(room.floor, i)
        for floor in range(len(self.storeys)):
            self._bridge(floor)
        return self._ordered(self._thinned(self._joined()))

    def _add(self, room: int, x: float, y: float, z: float = 0.0) -> int:
        """A new location, `z` metres above the room's floor."""
        self.positions.append((round(x, 3), round(y, 3), round(self.house.rooms[room].z + z + EYE_HEIGHT, 3)))
        self.rooms.append(room)
        return len(self.rooms) - 1

    def _places(self, room: int) -> Floats:
        """[k, 2] the locations of a room."""
        here = [p[:2] for p, r in zip(self.positions, self.rooms, strict=True) if r == room]
        return np.array(here).reshape(-1, 2)

    def _candidates(self, room: int) -> Floats:
        """[k, 2] where in a room one can stand; in a crowded one, where one can squeeze in."""
        floor = self.house.rooms[room].floor
        storey = self.storeys[floor]
        reachable = (self.parts[floor] == self.main[floor]) & storey.mask(self.house.rooms[room].rect)
        comfortable = reachable & storey.standable
        return storey.points(comfortable if comfortable.any() else reachable)

    def _add_stair(self, stair: Stair) -> None:
        """At the foot, on the flight and at its head."""
        r, house = stair.rect, self.house
        x, y = r.centre
        upright = stair.towards in ("south", "north")
        up = 1 if stair.towards in ("east", "north") else -1
        length = r.depth if upright else r.width
        rise = house.rooms[stair.upper].z - house.rooms[stair.lower].z
        ids = []
        for room, ahead, z in ((stair.lower, -1, 0.0), (stair.lower, 0, rise / 2), (stair.upper, 1, 0.0)):
            s = up * ahead * (length / 2 + _LANDING)
            place = np.array([x, y + s] if upright else [x + s, y])
            if ahead:  # like all others, in the middle of a cell of the grid
                place = self.storeys[house.rooms[room].floor].middle(place)
            ids.append(self._add(room, float(place[0]), float(place[1]), z))
        self.flights += [(ids[0], ids[1]), (ids[1], ids[2])]

    def _add_before(self, opening: Opening, room: int, side: Side) -> None:
        """A location before an opening, unless one is there from which one can walk through."""
        rect = self.house.rooms[room].rect
        storey = self.storeys[self.house.rooms[room].floor]
        across = rect.depth if side in ("south", "north") else rect.width
        depth = min(_BEFORE_DOOR, across / 2)

        def on_axis(metres: float) -> Floats:
            at = wall_at(rect, side) + inwards(side) * metres
            return np.array([opening.centre, at] if side in ("south", "north") else [at, opening.centre])

        wanted, beyond = on_axis(depth), on_axis(-0.5)
        for places, reach in ((self._places(room), 1.1), (self._candidates(room), 0.9)):
            near = np.linalg.norm(places - wanted, axis=1)
            order = near.argsort(kind="stable")
            order = order[near[order] <= reach]
            for some in (order[:40], order[40:]):  # the first few nearly always do
                through = storey.clear(places[some], np.broadcast_to(beyond, (len(some), 2)))
                if through.any():
                    if reach < 1:
                        self._add(room, *places[some[through.argmax()]].tolist())
                    return

    def _fill(self, room: int) -> None:
        """Adds the place farthest from all others until none is far from one; roomy places first."""
        candidates, places = self._candidates(room), self._places(room)
        if not len(candidates):
            return
        floor = self.house.rooms[room].floor
        storey = self.storeys[floor]
        room_around = storey.room[storey.cell(candidates)]
        far = cdist(candidates, places).min(axis=1) if len(places) else np.full(len(candidates), 9.0)
        if not len(places):
            far -= 0.5 * np.linalg.norm(candidates - self.house.rooms[room].rect.centre, axis=1)
        for least_room, spacing in ((_ROOMY, SPACING), (0.0, _SPACING_IN_NOOKS)):
            while (wanted := (far > spacing) & (room_around >= least_room)).any():
                best = int(np.argmax(np.where(wanted, far + 0.5 * np.minimum(room_around, 0.6), 0)))
                self._add(room, *candidates[best].tolist())
                far = np.minimum(far, np.linalg.norm(candidates - candidates[best], axis=1))

    def _sight(self, ids: Ids) -> NDArray[np.bool_]:
        """[k, k] whether two of these locations see each other."""
        at = np.array(self.positions)[ids]
        i, j = np.triu_indices(len(at), 1)
        towards = at[j] - at[i]
        length = np.linalg.norm(towards, axis=1)
        sees = np.zeros((len(at), len(at)), dtype=bool)
        sees[i, j] = self.caster.clear(at[i], towards / length[:, None], length)
        return sees | sees.T

    def _edges(self, ids: Ids, sees: NDArray[np.bool_]) -> Pairs:
        """The pairs one can walk between, as indices into `ids`."""
        at, floors = np.array(self.positions)[ids], self._floors()[ids]
        on_flight = np.isin(ids, [middle for _, middle in self.flights[::2]])
        level = (floors[:, None] == floors) & ~on_flight[:, None] & ~on_flight
        i, j = np.nonzero(np.triu(sees & level & (cdist(at, at) <= REACH), 1))
        clear = np.zeros(len(i), dtype=bool)
        for floor, storey in enumerate(self.storeys):
            here = floors[i] == floor
            clear[here] = storey.clear(at[i[here], :2], at[j[here], :2])
        rank = {location: k for k, location in enumerate(ids.tolist())}
        flights = [(rank[a], rank[b]) for a, b in self.flights if a in rank and b in rank]
        pairs = np.concatenate([np.stack([i[clear], j[clear]], axis=1), np.array(flights).reshape(-1, 2)])
        return unordered_pairs(*pairs.astype(np.int64).T)

    def _floors(self) -> NDArray[np.int64]:
        return np.array([self.house.rooms[room].floor for room in self.rooms])

    def _bridge(self, floor: int, room: int | None = None) -> None:
        """Adds locations along the shortest walks between parts of a room or a storey not joined yet."""
        storey = self.storeys[floor]
        ground = storey.walkable
        if room is not None:
            ground = ground & storey.mask(self.house.rooms[room].rect)
        for _ in range(_MOST_BRIDGES):
            ids = np.flatnonzero(self._floors() == floor if room is None else np.array(self.rooms) == room)
            edges = self._edges(ids, self._sight(ids))
            group = _groups(len(ids), edges)
            places = np.array(self.positions)[ids, :2]
            # A flight's middle is in no part of the floor.
            placed = ground[storey.cell(places)]
            group, places = group[placed], places[placed]
            if not len(group) or np.all(group == group[0]):
                return
            path = _walk(storey, ground, places[group == group[0]], places[group != group[0]])
            if path is None:
                return
            place = _turning_point(storey, ground, path, places)
            if np.linalg.norm(places - place, axis=1).min() < CELL:
                return
            x, y = place.tolist()
            self._add(self._room_at(floor, x, y), x, y)

    def _joined(self) -> Ids:
        """The locations of the largest connected part; the others are in corners that nobody gets into."""
        everyone = np.arange(len(self.rooms))
        group = _groups(len(everyone), self._edges(everyone, self._sight(everyone)))
        return np.flatnonzero(group == np.bincount(group).argmax())

    def _thinned(self, ids: Ids) -> Ids:
        """Without those that stand so close to another of their room that it can do their service as well."""
        on_stairs = {location for flight in self.flights for location in flight}
        edges = self._edges(ids, self._sight(ids))
        adjacent: list[set[int]] = [set() for _ in ids]
        for a, b in edges.tolist():
            adjacent[a].add(b)
            adjacent[b].add(a)
        at, rooms = np.array(self.positions)[ids], np.array(self.rooms)[ids]
        length = np.linalg.norm(at[edges[:, 0]] - at[edges[:, 1]], axis=1)
        close = edges[(length < _APART) & (rooms[edges[:, 0]] == rooms[edges[:, 1]])]
        gone: set[int] = set()
        for near, other in [*close.tolist(), *close[:, ::-1].tolist()]:
            if gone & {near, other} or int(ids[near]) in on_stairs:
                continue
            # Whoever was one step from it must be at most two steps from the other.
            around = adjacent[other] - {near}
            if all(n in around or adjacent[n] & around for n in adjacent[near] - {other}):
                gone.add(near)
                for n in adjacent[near]:
                    adjacent[n].remove(near)
        return np.delete(ids, sorted(gone))

    def _room_at(self, floor: int, x: float, y: float) -> int:
        def away(room: int) -> float:
            r = self.house.rooms[room].rect
            return max(r.x0 - x, x - r.x1, r.y0 - y, y - r.y1)

        return min((i for i, room in enumerate(self.house.rooms) if room.floor == floor), key=away)

    def _ordered(self, ids: Ids) -> Navigation:
        """These locations sorted by room, then from north to south and west to east."""
        at, rooms = np.array(self.positions)[ids], np.array(self.rooms)[ids]
        ids = ids[np.lexsort((at[:, 0], -np.round(at[:, 1]), rooms))]
        sees = self._sight(ids)
        return Navigation(
            positions=np.array(self.positions)[ids],
            room_of=np.array(self.rooms, dtype=np.int32)[ids],
            edges=self._edges(ids, sees),
            sight_lines=unordered_pairs(*np.nonzero(sees)),
        )


def _groups(count: int, edges: Pairs) -> NDArray[np.int32]:
    """[count] the number of the connected part each of `count` locations is in."""
    links = csr_matrix((np.ones(len(edges)), edges.T), shape=(count, count))
    return np.asarray(connected_components(links, directed=False)[1])


def _walk(storey: Storey, ground: Mask, starts: Floats, ends: Floats) -> Floats | None:
    """[k, 2] the shortest walk from one of the starts to one of the ends; None if there is none."""
    number = np.full(storey.shape, -1)
    number[ground] = np.arange(ground.sum())
    corners = number[:-1, :-1], number[1:, :-1], number[:-1, 1:], number[1:, 1:]
    whole = np.logical_and.reduce([corner >= 0 for corner in corners])  # one does not squeeze past corners
    links = [
        (number[:-1], number[1:], (number[:-1] >= 0) & (number[1:] >= 0), CELL),
        (number[:, :-1], number[:, 1:], (number[:, :-1] >= 0) & (number[:, 1:] >= 0), CELL),
        (corners[0], corners[3], whole, CELL * np.sqrt(2)),
        (corners[1], corners[2], whole, CELL * np.sqrt(2)),
    ]
    i, j = (np.concatenate([link[end][link[2]] for link in links]) for end in (0, 1))
    length = np.concatenate([np.full(int(both.sum()), far) for _, _, both, far in links])
    count = int(ground.sum())
    graph = csr_matrix((length, (i, j)), shape=(count, count))
    from_cells, to_cells = (number[storey.cell(places)] for places in (starts, ends))
    from_cells, to_cells = from_cells[from_cells >= 0], to_cells[to_cells >= 0]
    if not len(from_cells) or not len(to_cells):
        return None
    far, back, _ = dijkstra(
        graph, directed=False, indices=from_cells, return_predecessors=True, min_only=True
    )
    cell = int(to_cells[far[to_cells].argmin()])
    if not np.isfinite(far[cell]):
        return None
    cells = []
    while cell >= 0:
        cells.append(cell)
        cell = int(back[cell])
    return storey.points(ground)[cells]


def _turning_point(storey: Storey, ground: Mask, path: Floats, places: Floats) -> Floats:
    """[2] where to go straight from the beginning of a walk, to be able to go on as far as possible.

    It is apart from the places where there are locations already, as far as that can be.
    """
    stops = path[::4]
    thinned = np.zeros(storey.shape, dtype=bool)
    thinned[::3, ::3] = True
    masks = (ground & storey.standable & thinned, ground & thinned, ground)
    for apart, mask in product((_APART, _APART / 2), masks):
        found = storey.points(mask)
        away = np.linalg.norm(found - path[0], axis=1)
        found = found[(away < REACH - 0.5) & (cdist(found, places).min(axis=1) > apart)]
        found = found[storey.clear(found, np.broadcast_to(path[0], found.shape))]
        i, j = (grid.ravel() for grid in np.mgrid[: len(found), : len(stops)])
        ahead = storey.clear(found[i], stops[j]).reshape(len(found), len(stops)) * np.arange(len(stops))
        reached = ahead.max(axis=1, initial=0)
        if reached.max(initial=0) > 0:
            onwards = np.linalg.norm(found - stops[reached.max()], axis=1)
            return np.asarray(found[np.where(reached == reached.max(), onwards, np.inf).argmin()])
    straight = storey.clear(path, np.broadcast_to(path[0], path.shape))
    return np.asarray(path[np.flatnonzero(straight)[-1]])
