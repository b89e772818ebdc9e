"""A house as a world: its navigation graph, its rooms, its things as objects, and who sees what."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from helpanna.worlds.geometry import VIEWS, project
from helpanna.worlds.houses.connect import EYE_HEIGHT, Navigation, connect
from helpanna.worlds.houses.layout import House
from helpanna.worlds.houses.rays import Caster
from helpanna.worlds.houses.scene import Scene, scene_of
from helpanna.worlds.world import Room, World

SIGHT = 3.0
"""Objects are recognised up to this distance, in metres, like those annotated in real buildings."""
_FARTHEST = 6.0
"""What nobody comes so near to is recognised from the nearest location, up to this distance."""
_SMALLEST = 0.015  # half an object's size over its distance: what is smaller is not recognised
_SAMPLES = 32
_SHARE = 0.12
"""So much of an object must show."""

Floats = NDArray[np.float64]


def house_world(house: House) -> World:
    """The world of a furnished house; what nobody in its room can see is no object of it."""
    scene = scene_of(house)
    corners = scene.vertices[scene.triangles].astype(np.float64)
    caster = Caster(corners)
    navigation = connect(house, caster)
    centres, radii = _boxes(house, scene, corners)
    views = _views(house, scene, corners, caster, navigation.positions, centres, radii)

    rooms = np.array([placed.room for placed in house.things], dtype=np.int64)
    apart = np.linalg.norm(navigation.positions[:, None] - centres, axis=-1)
    near = apart <= SIGHT
    apart[(views == 0) | (navigation.room_of[:, None] != rooms)] = np.inf
    kept = np.flatnonzero(np.isfinite(apart).any(axis=0))
    near[apart[:, kept].argmin(axis=0), kept] = True
    views[~near] = 0
    sightings = np.argwhere(views[:, kept])
    types = tuple(house.things[i].thing.type for i in kept)
    return World(
        name=house.name,
        location_names=_numbered([house.rooms[i].name for i in navigation.room_of]),
        positions=navigation.positions,
        eye_heights=np.full(len(navigation.positions), EYE_HEIGHT),
        floors=_floors(house, navigation),
        edges=navigation.edges,
        sight_lines=navigation.sight_lines,
        rooms=tuple(Room(room.name, room.kind) for room in house.rooms),
        room_of=navigation.room_of,
        object_names=_numbered(types),
        object_types=types,
        object_positions=centres[kept],
        object_radii=radii[kept],
        delegates=apart[:, kept].argmin(axis=0).astype(np.int32),
        sightings=sightings.astype(np.int32),
        sighting_views=views[:, kept][tuple(sightings.T)],
    )


def _floors(house: House, navigation: Navigation) -> NDArray[np.int32]:
    return np.array([house.rooms[i].floor for i in navigation.room_of], dtype=np.int32)


def _boxes(house: House, scene: Scene, corners: Floats) -> tuple[Floats, Floats]:
    """The middle of each thing's box, and half its largest extent."""
    count = len(house.things)
    low, high = np.full((count, 3), np.inf), np.full((count, 3), -np.inf)
    owned = scene.thing >= 0
    np.minimum.at(low, scene.thing[owned], corners[owned].min(axis=1))
    np.maximum.at(high, scene.thing[owned], corners[owned].max(axis=1))
    return np.round((low + high) / 2, 4), np.round((high - low).max(axis=1, initial=0) / 2, 4)


def _samples(scene: Scene, corners: Floats, thing: int) -> Floats:
    """[s, 3] points spread evenly over a thing's surface."""
    mine = corners[scene.thing == thing]
    sides = mine[:, 1] - mine[:, 0], mine[:, 2] - mine[:, 0]
    area = np.cumsum(np.linalg.norm(np.cross(*sides), axis=1))
    # Additive recurrences fill the surface more evenly than chance does, and are the same each time.
    k = np.arange(1, _SAMPLES + 1)
    at = np.searchsorted(area, (k - 0.5) / _SAMPLES * area[-1])
    u, v = np.mod(k * 0.7548776662, 1), np.mod(k * 0.5698402910, 1)
    u, v = np.where(u + v > 1, 1 - u, u)[:, None], np.where(u + v > 1, 1 - v, v)[:, None]
    return mine[at, 0] + u * sides[0][at] + v * sides[1][at]


def _views(
    house: House,
    scene: Scene,
    corners: Floats,
    caster: Caster,
    eyes: Floats,
    centres: Floats,
    radii: Floats,
) -> NDArray[np.uint64]:
    """[n, m] the views (36 bits) of each location in which each thing shows; 0 where it is not seen."""
    views = np.zeros((len(eyes), len(house.things)), dtype=np.uint64)
    bits = np.uint64(1) << np.arange(VIEWS, dtype=np.uint64)
    for thing in range(len(house.things)):
        apart = np.linalg.norm(eyes - centres[thing], axis=1)
        near = np.flatnonzero((apart <= _FARTHEST) & (radii[thing] >= _SMALLEST * apart))
        if not len(near):
            continue
        towards = _samples(scene, corners, thing) - eyes[near][:, None]  # [k, s, 3]
        flat = towards.reshape(-1, 3)
        starts = np.repeat(eyes[near], _SAMPLES, axis=0)
        hit = caster.hits(starts, flat / np.linalg.norm(flat, axis=1, keepdims=True)).triangle
        shows = ((hit >= 0) & (scene.thing[hit] == thing)).reshape(len(near), _SAMPLES)
        seen = shows.mean(axis=1) >= _SHARE
        _, _, inside = project(towards[seen][:, :, None], np.arange(VIEWS))
        showing = (inside & shows[seen][:, :, None]).any(axis=1)  # [k, 36]
        views[near[seen], thing] = np.where(showing, bits, np.uint64(0)).sum(axis=-1, dtype=np.uint64)
    return views


def _numbered(names: Sequence[str]) -> tuple[str, ...]:
    """The names made unique by a number."""
    seen: Counter[str] = Counter()
    unique = []
    for name in names:
        seen[name] += 1
        unique.append(f"{name} {seen[name]}")
    return tuple(unique)
