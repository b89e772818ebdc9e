"""What can be wrong with a house; a house without a problem is one that people could live in."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from helpanna.worlds.houses.archetypes import CIRCULATION, PUBLIC, SHORTEST
from helpanna.worlds.houses.connect import Navigation, connect
from helpanna.worlds.houses.doors import door_leaves
from helpanna.worlds.houses.ground import FLAT, in_the_way
from helpanna.worlds.houses.layout import House, Opening, Placed, Rect, RoomKind
from helpanna.worlds.houses.openings import CORNER, along, front_zone, shared_wall, sides_of
from helpanna.worlds.houses.plan import AREAS
from helpanna.worlds.houses.rays import Caster
from helpanna.worlds.houses.scene import turned

_TOLERANCE = 0.005
_BEFORE_DOOR = 0.5
_LIT: frozenset[RoomKind] = frozenset({"living room", "bedroom", "kitchen", "dining room", "office"})


def check_house(house: House) -> list[str]:
    """Everything that is wrong with a house, one sentence each; nothing if all is well."""
    return [
        f"{house.name}: {problem}"
        for check in (_rooms, _reachable, _openings, _stairs, _placed, _apart, _ways)
        for problem in check(house)
    ]


def _rooms(house: House) -> Iterator[str]:
    for room in house.rooms:
        least, most = AREAS[room.kind]
        if not least <= room.rect.area <= most:
            yield f"the {room.name} has {room.rect.area:.1f} m2"
        if min(room.rect.width, room.rect.depth) < SHORTEST[room.kind] - _TOLERANCE:
            yield f"the {room.name} is too narrow"
        if not 2.5 <= room.height <= 3.0:
            yield f"the ceiling of the {room.name} is {room.height} m high"
    for a, b in combinations(house.rooms, 2):
        if a.floor == b.floor and a.rect.grown(0.05).meets(b.rect):
            yield f"the {a.name} and the {b.name} are in the same place"
    lit = {opening.room for opening in house.openings if opening.kind == "window"}
    for i, room in enumerate(house.rooms):
        if room.kind in _LIT and i not in lit:
            yield f"the {room.name} has no window"
    kinds = {room.kind for room in house.rooms}
    for kind in ("hall", "living room", "kitchen", "bedroom", "bathroom"):
        if kind not in kinds:
            yield f"there is no {kind}"


def _reachable(house: House) -> Iterator[str]:
    """From the entrance to every room, and through private rooms only to a bathroom of their own."""
    entrances = [o.room for o in house.openings if o.kind == "door" and o.other is None]
    if len(entrances) != 1 or house.rooms[entrances[0]].kind != "hall":
        yield "the entrance does not lead into the hall"
        return
    ways: dict[int, set[int]] = {i: set() for i in range(len(house.rooms))}
    for opening in house.openings:
        if opening.other is not None:
            ways[opening.room].add(opening.other)
            ways[opening.other].add(opening.room)
    for stair in house.stairs:
        ways[stair.lower].add(stair.upper)
        ways[stair.upper].add(stair.lower)
    reached, ahead = set(entrances), list(entrances)
    while ahead:
        here = ahead.pop()
        kind = house.rooms[here].kind
        for there in sorted(ways[here] - reached):
            own = kind == "bedroom" and house.rooms[there].kind == "bathroom"
            if kind in CIRCULATION or kind in PUBLIC or own:
                reached.add(there)
                ahead.append(there)
    for i in sorted(set(ways) - reached):
        yield f"the {house.rooms[i].name} cannot be reached as it should be"


def _openings(house: House) -> Iterator[str]:
    for opening, leaf in zip(house.openings, door_leaves(house), strict=True):
        room = house.rooms[opening.room]
        low, high = opening.centre - opening.width / 2, opening.centre + opening.width / 2
        what = f"a {opening.kind} of the {room.name}"
        widths = {"door": (0.8, 1.0), "passage": (0.8, 2.5), "window": (0.5, 2.7)}[opening.kind]
        if not widths[0] - _TOLERANCE <= opening.width <= widths[1] + _TOLERANCE:
            yield f"{what} is {opening.width} m wide"
        if not 0 <= opening.low < opening.high <= room.height - 0.1:
            yield f"{what} is as high as the ceiling"
        for i, side in sides_of(opening):
            start, end = along(house.rooms[i].rect, side)
            if low < start + CORNER - _TOLERANCE or high > end - CORNER + _TOLERANCE:
                yield f"{what} is too near to a corner"
        if opening.other is not None:
            wall = shared_wall(room.rect, house.rooms[opening.other].rect)
            if wall is None or wall[0] != opening.side or low < wall[1][0] or high > wall[1][1]:
                yield f"{what} does not lead to the {house.rooms[opening.other].name}"
        yield from (f"{what} is blocked by a {thing}" for thing in _blockers(house, opening, leaf))
    walls: dict[tuple[int, str], list[tuple[float, float]]] = {}
    for opening in house.openings:
        for i, side in sides_of(opening):
            span = opening.centre - opening.width / 2, opening.centre + opening.width / 2
            walls.setdefault((i, side), []).append(span)
    for (i, wall_side), spans in walls.items():
        for a, b in combinations(spans, 2):
            if a[0] < b[1] and b[0] < a[1]:
                yield f"two openings overlap in the {wall_side} wall of the {house.rooms[i].name}"


def _blockers(house: House, opening: Opening, leaf: Rect | None) -> Iterator[str]:
    """Things that stand before a door, or in its open leaf."""
    if opening.kind == "window":
        return
    for i, side in sides_of(opening):
        zone = front_zone(house.rooms[i].rect, opening, side, _BEFORE_DOOR).grown(-_TOLERANCE)
        for placed in house.things:
            if placed.room == i and in_the_way(house, placed):
                meets_leaf = leaf is not None and i == opening.room and placed.footprint.meets(leaf)
                if meets_leaf or placed.footprint.meets(zone):
                    yield placed.thing.type


def _stairs(house: House) -> Iterator[str]:
    for stair in house.stairs:
        for i in (stair.lower, stair.upper):
            if not house.rooms[i].rect.grown(_TOLERANCE).contains(stair.rect):
                yield f"the stairs leave the {house.rooms[i].name}"
        for placed in house.things:
            # Pictures may hang beside a flight; nothing may stand in it.
            if placed.room in (stair.lower, stair.upper) and placed.footprint.meets(stair.rect):
                above = placed.position[2] - house.rooms[placed.room].z
                if above < 1.0:
                    yield f"a {placed.thing.type} stands in the stairs"


def _placed(house: House) -> Iterator[str]:
    """Things are in their rooms."""
    for placed in house.things:
        room = house.rooms[placed.room]
        low, high = placed.position[2], placed.position[2] + placed.thing.size[2]
        inside = room.rect.grown(_TOLERANCE).contains(placed.footprint)
        upright = room.z - _TOLERANCE <= low and high <= room.z + room.height + _TOLERANCE
        if not (inside and upright):
            yield f"a {placed.thing.type} sticks out of the {room.name}"


def _apart(house: House) -> Iterator[str]:
    """No two things intersect: where their boxes do, their surfaces must not."""
    by_room: dict[int, list[Placed]] = {}
    for placed in house.things:
        if placed.thing.size[2] > FLAT:  # the legs of a table press into the rug
            by_room.setdefault(placed.room, []).append(placed)
    for members in by_room.values():
        for a, b in combinations(members, 2):
            if _boxes_meet(a, b) and _surfaces_meet(a, b):
                room = house.rooms[a.room].name
                yield f"a {a.thing.type} and a {b.thing.type} intersect in the {room}"


def _boxes_meet(a: Placed, b: Placed) -> bool:
    low = max(a.position[2], b.position[2])
    high = min(a.position[2] + a.thing.size[2], b.position[2] + b.thing.size[2])
    return high - low > _TOLERANCE and a.footprint.grown(-_TOLERANCE).meets(b.footprint)


def _surfaces_meet(a: Placed, b: Placed) -> bool:
    """Whether an edge of one goes through a surface of the other, more than by touching it."""
    small, large = sorted((a, b), key=lambda placed: float(np.prod(placed.thing.size)))
    corners, other = placed_corners(small), placed_corners(large)
    # The smaller one is shrunk a little: what only stands on the other is then clear of it.
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    shrink = np.maximum(1 - 2 * _TOLERANCE / np.maximum(high - low, 1e-6), 0.1)
    corners = (low + high) / 2 + (corners - (low + high) / 2) * shrink
    return _pierces(corners, other) or _pierces(other, corners)


def placed_corners(placed: Placed) -> NDArray[np.float64]:
    """[F, 3, 3] the triangles of a placed thing."""
    vertices = turned(placed.thing.mesh.vertices.astype(np.float64), placed.quarter) + placed.position
    return vertices[placed.thing.mesh.triangles].astype(np.float64)


def _pierces(edged: NDArray[np.float64], surface: NDArray[np.float64]) -> bool:
    start, end = edged.reshape(-1, 3), np.roll(edged, -1, axis=1).reshape(-1, 3)
    length = np.linalg.norm(end - start, axis=1)
    long = length > _TOLERANCE
    start, end, length = start[long], end[long], length[long]
    return bool(not Caster(surface).clear(start, (end - start) / length[:, None], length).all())


def _ways(house: House) -> Iterator[str]:
    """One can walk from every location to every other, and every room has one."""
    navigation = connect(house)
    for i, room in enumerate(house.rooms):
        if i not in navigation.room_of:
            yield f"one cannot stand in the {room.name}"
    parts = _parts(navigation)
    for part in np.unique(parts[parts != parts[0]]):
        lost = navigation.room_of[np.flatnonzero(parts == part)[0]]
        yield f"part of the {house.rooms[lost].name} cannot be walked to"
    for x, y, z in navigation.positions:
        point = Rect(x, y, x, y)
        for placed in house.things:
            below = placed.position[2] < z < placed.position[2] + placed.thing.size[2]
            if below and placed.footprint.contains(point):
                yield f"a location is inside a {placed.thing.type}"


def _parts(navigation: Navigation) -> NDArray[np.int32]:
    """The number of the connected part each location belongs to."""
    count = len(navigation.positions)
    links = csr_matrix((np.ones(len(navigation.edges)), navigation.edges.T), shape=(count, count))
    return np.asarray(connected_components(links, directed=False)[1])
