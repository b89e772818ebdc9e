"""A house as a renderer sees it: all triangles in one set of arrays, materials, lamps, windows, sky."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from helpanna.randomness import generator
from helpanna.worlds.geometry import direction
from helpanna.worlds.houses.layout import House, HouseRoom, Material, Mesh, Opening, Placed
from helpanna.worlds.houses.shell import shell_mesh

BUILDING = -1
"""In `Scene.thing`: a triangle of the building itself."""

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]

_WARM = np.array([1.0, 0.83, 0.63])
_LAMP_POWER = {"day": 1.6, "evening": 3.2}
# A lamp lights a small room as a large one does: people hang stronger lamps in larger rooms.
_USUAL_AREA = 14.0


@dataclass(frozen=True)
class Sky:
    """What is outdoors.

    Attributes:
        evening: whether the lamps are what lights the house.
        sun: the direction towards the sun.
        sunlight: irradiance of a surface that faces the sun, RGB.
        zenith, horizon, ground: radiance straight up, at eye level and below it, RGB.
        seed: of the clouds and of what grows outside.
    """

    evening: bool
    sun: tuple[float, float, float]
    sunlight: tuple[float, float, float]
    zenith: tuple[float, float, float]
    horizon: tuple[float, float, float]
    ground: tuple[float, float, float]
    seed: int


@dataclass(frozen=True, eq=False)
class Scene:
    """What there is to see.

    Attributes:
        vertices: [V, 3] metres.
        triangles: [F, 3] vertex indices, counter-clockwise seen from outside.
        uv: [F, 3, 2] texture coordinates.
        material: [F] index into `materials`.
        thing: [F] index into the house's things, `BUILDING` for the building.
        materials: all materials.
        lamps: [L, 3] where light comes from.
        lamp_power: [L, 3] radiant intensity of each, RGB.
        windows: [K, 3, 3] rectangles that see the sky: a corner and two edges, whose cross product points
            into the house.
        sky: what is outdoors.
    """

    vertices: Floats
    triangles: Ints
    uv: Floats
    material: Ints
    thing: Ints
    materials: tuple[Material, ...]
    lamps: Floats
    lamp_power: Floats
    windows: Floats
    sky: Sky


def scene_of(house: House, seed: int = 0) -> Scene:
    """All of a house: its shell and the things in it. The seed decides on the time of day and the weather."""
    sky = sky_of(house.name, seed)
    shell, shell_materials = shell_mesh(house)
    parts = [(shell, tuple(shell_materials))]
    parts += [(_moved(placed), placed.thing.materials) for placed in house.things]
    lamps, power = _lamps(house, sky.evening)
    return joined_scene(parts, lamps, power, _windows(house), sky)


def joined_scene(
    parts: Sequence[tuple[Mesh, tuple[Material, ...]]],
    lamps: NDArray[np.floating],
    lamp_power: NDArray[np.floating],
    windows: NDArray[np.floating],
    sky: Sky,
) -> Scene:
    """Joins meshes, the building's first, into one scene; triangles without area are left out."""
    numbers: dict[Material, int] = {}
    vertices, triangles, uv, material, thing = [], [], [], [], []
    count = 0
    for index, (mesh, materials) in enumerate(parts):
        number = np.array([numbers.setdefault(m, len(numbers)) for m in materials], dtype=np.int32)
        corners = mesh.vertices[mesh.triangles].astype(np.float64)
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        # They show nothing, have no normal, and slow Embree to a crawl.
        kept = np.linalg.norm(normal, axis=-1) > 1e-9
        vertices.append(mesh.vertices)
        triangles.append(mesh.triangles[kept] + count)
        uv.append(mesh.uv[kept])
        material.append(number[mesh.slot[kept]])
        thing.append(np.full(int(kept.sum()), index - 1))
        count += len(mesh.vertices)
    return Scene(
        vertices=np.concatenate(vertices).astype(np.float32),
        triangles=np.concatenate(triangles).astype(np.int32),
        uv=np.concatenate(uv).astype(np.float32),
        material=np.concatenate(material).astype(np.int32),
        thing=np.concatenate(thing).astype(np.int32),
        materials=tuple(numbers),
        lamps=np.asarray(lamps, dtype=np.float32).reshape(-1, 3),
        lamp_power=np.asarray(lamp_power, dtype=np.float32).reshape(-1, 3),
        windows=np.asarray(windows, dtype=np.float32).reshape(-1, 3, 3),
        sky=sky,
    )


def sky_of(name: str, seed: int, evening: bool | None = None) -> Sky:
    """The sky over the house called `name`: two of three see it by day, one in the evening."""
    rng = generator(seed, f"sky of {name}")
    drawn = bool(rng.random() < 1 / 3)
    evening = drawn if evening is None else evening
    sun = direction(rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(22, 48)))
    overcast = rng.uniform(0.0, 0.6)
    if evening:
        colours = np.array([[0.08, 0.13, 0.32], [0.42, 0.36, 0.42], [0.05, 0.06, 0.06], [0, 0, 0]])
    else:
        clear = np.array([[2.6, 4.2, 7.6], [6.2, 7.0, 7.8], [1.3, 1.6, 1.0], [26.0, 22.5, 17.5]])
        cloudy = np.array([[5.6, 6.0, 6.6], [6.6, 6.9, 7.2], [1.2, 1.4, 1.0], [3.0, 2.9, 2.8]])
        colours = clear + (cloudy - clear) * overcast
    zenith, horizon, ground, sunlight = map(_three, colours)
    seed = int(rng.integers(1 << 30))
    return Sky(evening, _three(sun), sunlight, zenith, horizon, ground, seed)


def _three(numbers: NDArray[np.floating]) -> tuple[float, float, float]:
    x, y, z = numbers.tolist()
    return x, y, z


def turned(points: NDArray[np.floating], quarter: int) -> NDArray[np.floating]:
    """Points [..., 3] turned about the z axis by `quarter` x 90 degrees clockwise seen from above."""
    x, y, z = np.moveaxis(points, -1, 0)
    x, y = [(x, y), (y, -x), (-x, -y), (-y, x)][quarter % 4]
    return np.stack([x, y, z], axis=-1)


def _moved(placed: Placed) -> Mesh:
    mesh = placed.thing.mesh
    vertices = turned(mesh.vertices, placed.quarter) + np.asarray(placed.position, dtype=np.float32)
    return Mesh(vertices.astype(np.float32), mesh.triangles, mesh.uv, mesh.slot)


def _lamps(house: House, evening: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Positions and powers of the lamps. A room without a lamp gets light from below its ceiling."""
    strength = _LAMP_POWER["evening" if evening else "day"]
    shining = [placed for placed in house.things if placed.thing.lamp is not None]
    positions, powers = [], []
    for number, room in enumerate(house.rooms):
        places = [
            np.asarray(placed.position)
            + turned(np.asarray(placed.thing.lamp, dtype=np.float64), placed.quarter)
            for placed in shining
            if placed.room == number
        ]
        places = places or [np.array([*room.rect.centre, room.z + room.height - 0.3])]
        positions += places
        share = max(0.5, room.rect.area / _USUAL_AREA) / len(places) ** 0.7
        powers += [strength * share * _WARM] * len(places)
    return np.array(positions), np.array(powers)


def _windows(house: House) -> NDArray[np.float64]:
    """[K, 3, 3] the windows as rectangles in the inner wall: corner, edge, edge."""
    windows = [
        _rectangle(house.rooms[opening.room], opening)
        for opening in house.openings
        if opening.other is None and opening.kind == "window"
    ]
    return np.array(windows).reshape(-1, 3, 3)


def _rectangle(room: HouseRoom, opening: Opening) -> NDArray[np.float64]:
    low, tall = room.z + opening.low, opening.high - opening.low
    near, far = opening.centre - opening.width / 2, opening.centre + opening.width / 2
    across, up = far - near, [0, 0, tall]
    # The first edge runs so that (edge x up) points into the room.
    match opening.side:
        case "south":
            return np.array([[far, room.rect.y0, low], [-across, 0, 0], up])
        case "north":
            return np.array([[near, room.rect.y1, low], [across, 0, 0], up])
        case "west":
            return np.array([[room.rect.x0, near, low], [0, across, 0], up])
        case "east":
            return np.array([[room.rect.x1, far, low], [0, -across, 0], up])
