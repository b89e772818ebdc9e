"""Small buildings made by rule, without pictures: for tests, documentation and first steps.

Rooms lie along both sides of a corridor, each behind a door; some buildings have a second floor, reached by a
stair at the corridor's end. Locations stand about 2.2 m apart, one can walk between neighbours that no wall
parts, and all sight is exact: a straight line that crosses no wall.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from helpanna.randomness import generator
from helpanna.worlds.atlas import Atlas, build_atlas
from helpanna.worlds.sight import view_masks
from helpanna.worlds.world import Room, World, unordered_pairs

SPACING = 2.2
CORRIDOR = 2.0
DOOR = 1.0
EYE_HEIGHT = 1.5
STOREY = 2.8
REACH = 3.0
"""One can walk between locations no further apart than this, in metres."""
SIGHT = 5.0
"""Objects are recognised up to this distance, in metres."""

_MARGIN = 0.7
_JITTER = 0.2

# What stands in a room, by its kind.
_FURNITURE = {
    "kitchen": ("sink", "stove", "refrigerator", "mug", "dining table"),
    "bedroom": ("bed", "wardrobe", "lamp", "pillow", "picture"),
    "bathroom": ("toilet", "sink", "mirror", "towel", "bathtub"),
    "living room": ("sofa", "television", "coffee table", "plant", "picture"),
    "office": ("desk", "chair", "computer", "bookshelf", "lamp"),
    "hallway": ("picture", "plant", "coat rack", "mirror"),
}
_KINDS = tuple(kind for kind in _FURNITURE if kind != "hallway")
# Height of the centre over the floor and half the size, in metres.
_SHAPES = {
    "bathtub": (0.4, 0.7), "bed": (0.4, 0.9), "bookshelf": (1.0, 0.6), "chair": (0.5, 0.3),
    "coat rack": (1.2, 0.3), "coffee table": (0.3, 0.5), "computer": (0.9, 0.3), "desk": (0.6, 0.6),
    "dining table": (0.5, 0.7), "lamp": (1.2, 0.2), "mirror": (1.5, 0.4), "mug": (1.0, 0.1),
    "picture": (1.6, 0.3), "pillow": (0.6, 0.3), "plant": (0.6, 0.3), "refrigerator": (0.9, 0.5),
    "sink": (0.9, 0.3), "sofa": (0.4, 0.9), "stove": (0.8, 0.4), "television": (1.1, 0.5),
    "toilet": (0.4, 0.3), "towel": (1.2, 0.2), "wardrobe": (1.0, 0.7),
}  # fmt: skip

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class _Area:
    """A room's rectangle on its floor: x from `left` to `right`, y from the wall with the door to `far`."""

    kind: str
    floor: int
    left: float
    right: float
    near: float
    far: float
    door: float = 0.0


def sample_atlas(worlds: int = 2, seed: int = 0) -> Atlas:
    """An atlas of small buildings called "house 0", "house 1" and so on, without views."""
    houses = [sample_world(f"house {i}", seed) for i in range(worlds)]
    return build_atlas(houses, source="helpanna sample buildings", licence="MIT")


def sample_world(name: str = "house 0", seed: int = 0) -> World:
    """A building of 20 to 60 locations and 10 to 40 objects; the same for the same name and seed."""
    rng = generator(seed, f"sample world {name}")
    storeys = 1 + int(rng.random() < 0.4)
    length = SPACING * int(rng.integers(6, 9) if storeys == 1 else rng.integers(4, 6))
    areas = [area for floor in range(storeys) for area in _plan(rng, floor, length)]
    walls = [_walls(areas, floor, length, stair=storeys > 1) for floor in range(storeys)]

    spots = [(i, x, y, 0.0) for i, area in enumerate(areas) for x, y in _spots(rng, area)]
    if storeys > 1:  # the foot of the stair, its landing and its head, which belong to the corridors
        upstairs = next(i for i, area in enumerate(areas) if area.floor == 1)
        spots += [(0, length + 0.9, 0.5, 0.0), (0, length + 2.6, 1.0, STOREY / 2)]
        spots += [(upstairs, length + 0.9, 1.5, 0.0)]
    room_of = np.array([spot[0] for spot in spots])
    floor_of = np.array([areas[i].floor for i in room_of])
    places = np.array([spot[1:] for spot in spots])
    places[:, 2] += floor_of * STOREY + EYE_HEIGHT

    things = [(i, *thing) for i, area in enumerate(areas) for thing in _furniture(rng, area)]
    things_room = np.array([thing[0] for thing in things])
    things_floor = np.array([areas[i].floor for i in things_room])
    heights = np.array([_SHAPES[thing[1]][0] for thing in things])
    things_places = np.column_stack([[thing[2:] for thing in things], things_floor * STOREY + heights])

    sight = _clear(places, floor_of, places, floor_of, walls)
    if storeys > 1:
        sight[-2, -1] = True  # from the landing up to the head of the stair
    edges = np.argwhere(sight & (_distances(places, places) <= REACH))

    views = np.where(
        _clear(places, floor_of, things_places, things_floor, walls),
        view_masks(things_places - places[:, None]),
        0,
    )
    apart = _distances(places, things_places)
    views[apart > SIGHT] = 0
    apart[(views == 0) | (room_of[:, None] != things_room)] = np.inf
    kept = np.isfinite(apart.min(axis=0))  # an object that nobody in its room sees is not there
    sightings = np.argwhere(views[:, kept])

    rooms = _numbered([area.kind for area in areas])
    types = tuple(thing[1] for thing, keep in zip(things, kept, strict=True) if keep)
    return World(
        name=name,
        location_names=_numbered([rooms[i] for i in room_of], always=True),
        positions=places,
        eye_heights=np.full(len(places), EYE_HEIGHT),
        floors=floor_of.astype(np.int32),
        edges=unordered_pairs(*edges.T),
        sight_lines=unordered_pairs(*np.argwhere(sight).T),
        rooms=tuple(Room(room, area.kind) for room, area in zip(rooms, areas, strict=True)),
        room_of=room_of.astype(np.int32),
        object_names=_numbered(types, always=True),
        object_types=types,
        object_positions=things_places[kept],
        object_radii=np.array([_SHAPES[kind][1] for kind in types]),
        delegates=apart[:, kept].argmin(axis=0).astype(np.int32),
        sightings=sightings.astype(np.int32),
        sighting_views=views[:, kept][tuple(sightings.T)],
    )


def _plan(rng: np.random.Generator, floor: int, length: float) -> list[_Area]:
    """The areas of one floor: its corridor first, then the rooms on both sides."""
    areas = [_Area("hallway", floor, 0.0, length, 0.0, CORRIDOR)]
    kinds = [*rng.permutation(_KINDS[:4]), *rng.permutation(_KINDS), *_KINDS]
    for near, side in ((CORRIDOR, 1), (0.0, -1)):
        far = near + side * rng.uniform(4.0, 5.0)
        bounds = np.linspace(0.0, length, int(length // 4.2) + 1)
        bounds[1:-1] += rng.uniform(-0.3, 0.3, len(bounds) - 2)
        for left, right in pairwise(bounds.tolist()):
            # A door is opposite a location of the corridor.
            opposite = np.arange(SPACING / 2, length, SPACING)
            door = rng.choice(opposite[(opposite > left + _MARGIN) & (opposite < right - _MARGIN)])
            areas.append(_Area(str(kinds[len(areas) - 1]), floor, left, right, near, far, float(door)))
    return areas


def _walls(areas: list[_Area], floor: int, length: float, stair: bool) -> Floats:
    """[k, 2, 2] the ends of the walls of one floor, with gaps where the doors are."""
    end = length + 3.4 if stair else length
    walls = [(0.0, 0.0, 0.0, CORRIDOR), (end, 0.0, end, CORRIDOR)]
    walls += [(length, 0.0, end, 0.0), (length, CORRIDOR, end, CORRIDOR)] if stair else []
    for area in (area for area in areas if area.floor == floor and area.kind != "hallway"):
        walls += [(x, area.near, x, area.far) for x in (area.left, area.right)]
        walls += [(area.left, area.far, area.right, area.far)]
        walls += [(area.left, area.near, area.door - DOOR / 2, area.near)]
        walls += [(area.door + DOOR / 2, area.near, area.right, area.near)]
    return np.array(walls).reshape(-1, 2, 2)


def _spots(rng: np.random.Generator, area: _Area) -> Floats:
    """[n, 2] where one can stand: a loose grid behind the door, or a row along the corridor."""
    if area.kind == "hallway":
        x, y = np.arange(SPACING / 2, area.right, SPACING), np.array([CORRIDOR / 2])
    else:
        columns = area.door + SPACING * np.arange(-9, 10)
        x = columns[(columns > area.left + _MARGIN) & (columns < area.right - _MARGIN)]
        rows = np.arange(SPACING / 2, abs(area.far - area.near) - _MARGIN, SPACING)
        y = area.near + np.sign(area.far - area.near) * rows
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    return grid + rng.uniform(-_JITTER, _JITTER, grid.shape)


def _furniture(rng: np.random.Generator, area: _Area) -> list[tuple[str, float, float]]:
    """Objects of the room's kind along the walls without a door: (type, x, y)."""
    depth, width = abs(area.far - area.near), area.right - area.left
    kinds = rng.permutation(_FURNITURE[area.kind])[: rng.integers(2, 5)]
    around = 2 * depth + width
    if area.kind == "hallway":
        kinds, around = kinds[:2], depth  # at the end without a stair
    along = (np.arange(len(kinds)) + rng.uniform(0.2, 0.8, len(kinds))) * around / len(kinds)
    # From the door's wall up the left side, along the far one, down the right side; a step off the wall.
    x = area.left + np.clip(along - depth, 0.4, width - 0.4)
    up = np.clip(np.minimum(along, around - along), 0.4, depth - 0.4)
    y = area.near + np.sign(area.far - area.near) * up
    return list(zip(kinds.tolist(), x.tolist(), y.tolist(), strict=True))


def _clear(a: Floats, a_floor: Ints, b: Floats, b_floor: Ints, walls: list[Floats]) -> NDArray[np.bool_]:
    """[n, m] whether the places share a floor and the straight line between them crosses no wall."""
    start, end = a[:, None, None, :2], b[None, :, None, :2]
    clear = np.zeros((len(a), len(b)), dtype=bool)
    for floor, segments in enumerate(walls):
        here = (a_floor[:, None] == floor) & (b_floor == floor)
        c, d = segments[:, 0], segments[:, 1]
        crossed = (_side(start, end, c) * _side(start, end, d) <= 0) & (
            _side(c, d, start) * _side(c, d, end) <= 0
        )
        clear |= here & ~crossed.any(axis=-1)
    return clear


def _side(a: Floats, b: Floats, point: Floats) -> Floats:
    """On which side of the line from a to b the point lies, by sign."""
    ab, ap = b - a, point - a
    return ab[..., 0] * ap[..., 1] - ab[..., 1] * ap[..., 0]


def _distances(a: Floats, b: Floats) -> Floats:
    return np.linalg.norm(a[:, None] - b, axis=-1)


def _numbered(names: Sequence[str], always: bool = False) -> tuple[str, ...]:
    """The names made unique: numbered from the second of a name on, or from the first."""
    seen: Counter[str] = Counter()
    unique = []
    for name in names:
        seen[name] += 1
        unique.append(f"{name} {seen[name]}" if always or seen[name] > 1 else name)
    return tuple(unique)
