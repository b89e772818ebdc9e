"""The triangles of a scene cut fine enough that light can be kept at their corners.

Corners are shared where a surface goes on smoothly, so light interpolates over it without seams, and split at
edges and where materials meet. Triangles are cut at the middle of their long edges; whether an edge is cut
depends on the edge alone, so neighbours always fit.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from helpanna.worlds.houses.compiled import compiled
from helpanna.worlds.houses.scene import BUILDING, Floats, Ints, Scene

Limit = Callable[[NDArray[np.float32]], NDArray[np.float64]]
"""How long edges may be at places [n, 3]."""

CREASE = 0.7
"""Faces whose normals have at least this cosine are one smooth surface."""

_BUILDING_EDGE = 0.36
_THING_EDGE = 0.24
_FINEST = 0.17
# Edges of the building grow with the distance from the nearest thing, so contact shadows have room.
_NEAR = 1.2
_NARROW = 0.1
"""Metres: along strips narrower than this, edges may be twice as long."""


@dataclass(frozen=True, eq=False)
class Surfaces:
    """Fine triangles: V corners, F triangles.

    Attributes:
        vertices: [V, 3] metres.
        normals: [V, 3] unit vectors, smooth over curved surfaces.
        triangles: [F, 3] corners.
        uv: [F, 3, 2] texture coordinates.
        material, thing: [F] as in `Scene`.
    """

    vertices: Floats
    normals: Floats
    triangles: Ints
    uv: Floats
    material: Ints
    thing: Ints

    @property
    def edges(self) -> NDArray[np.int64]:
        """[E, 2] pairs of corners, each once."""
        return _edges(self.triangles)[0]


def surfaces_of(scene: Scene) -> Surfaces:
    """Welds and cuts the triangles of a scene."""
    surfaces = _cut(_welded(scene), scene.thing != BUILDING, lambda places: np.full(len(places), _THING_EDGE))
    of_things = np.unique(surfaces.triangles[surfaces.thing != BUILDING])
    tree = cKDTree(surfaces.vertices[of_things]) if len(of_things) else None

    def limit(places: NDArray[np.float32]) -> NDArray[np.float64]:
        if tree is None:
            return np.full(len(places), _BUILDING_EDGE)
        distance, _ = tree.query(places, distance_upper_bound=_BUILDING_EDGE / _NEAR)
        return np.clip(distance * _NEAR, _FINEST, _BUILDING_EDGE)

    return _cut(surfaces, surfaces.thing == BUILDING, limit)


def _welded(scene: Scene) -> Surfaces:
    """One corner for each place of a smooth surface of one material."""
    corners = scene.vertices[scene.triangles].astype(np.float64)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(normal, axis=-1, keepdims=True)
    place = np.round(corners.reshape(-1, 3) / 0.0005).astype(np.int64)
    owner = np.repeat(np.stack([scene.thing, scene.material], axis=-1), 3, axis=0)
    _, group = np.unique(np.concatenate([owner, place], axis=1), axis=0, return_inverse=True)
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(group.max() + 2))
    smooth = _smooth_normals(normal / area, area[:, 0], order, starts)
    kind = np.round(smooth * 64).astype(np.int64)
    _, first, vertex = np.unique(
        np.concatenate([group[:, None], kind], axis=1), axis=0, return_index=True, return_inverse=True
    )
    return Surfaces(
        vertices=corners.reshape(-1, 3)[first].astype(np.float32),
        normals=smooth[first].astype(np.float32),
        triangles=vertex.reshape(-1, 3).astype(np.int32),
        uv=scene.uv,
        material=scene.material,
        thing=scene.thing,
    )


@compiled
def _smooth_normals(
    normal: NDArray[np.float64],
    area: NDArray[np.float64],
    order: NDArray[np.int64],
    starts: NDArray[np.int64],
) -> NDArray[np.float64]:
    """[3 F, 3] for every corner the mean normal of the faces around it that go on smoothly."""
    smooth = np.empty((len(order), 3))
    for g in range(len(starts) - 1):
        for i in range(starts[g], starts[g + 1]):
            own = normal[order[i] // 3]
            x = y = z = 0.0
            for j in range(starts[g], starts[g + 1]):
                other = normal[order[j] // 3]
                if own[0] * other[0] + own[1] * other[1] + own[2] * other[2] >= CREASE:
                    weight = area[order[j] // 3]
                    x += weight * other[0]
                    y += weight * other[1]
                    z += weight * other[2]
            length = np.sqrt(x * x + y * y + z * z)
            smooth[order[i], 0] = x / length
            smooth[order[i], 1] = y / length
            smooth[order[i], 2] = z / length
    return smooth


def _edges(triangles: Ints) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The edges [E, 2], and for each triangle [F, 3] the numbers of its edges 01, 12, 20."""
    pairs = np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=-1).astype(np.int64)
    low, high = pairs.min(axis=-1), pairs.max(axis=-1)
    size = int(triangles.max()) + 1
    key, number = np.unique(low * size + high, return_inverse=True)
    return np.stack([key // size, key % size], axis=-1), number.reshape(-1, 3)


def _cut(surfaces: Surfaces, which: NDArray[np.bool_], limit: Limit) -> Surfaces:
    """Halves the edges of the chosen triangles until none is longer than the limit at its middle."""
    vertices, normals = surfaces.vertices, surfaces.normals
    done = {key: [getattr(surfaces, key)[~which]] for key in ("triangles", "uv", "material", "thing")}
    parts = {key: getattr(surfaces, key)[which] for key in done}
    narrow = _narrow(vertices[parts["triangles"]])
    while len(parts["triangles"]):
        edges, number = _edges(parts["triangles"])
        ends = vertices[edges]
        length = np.linalg.norm(ends[:, 0] - ends[:, 1], axis=-1)
        slack = np.full(len(edges), 2.0)
        slack[number[~narrow].ravel()] = 1.0
        long = np.flatnonzero(length > _FINEST * slack)
        long = long[length[long] > limit(ends[long].mean(axis=1)) * slack[long]]
        middle = np.full(len(edges), -1)
        middle[long] = len(vertices) + np.arange(len(long))
        normal = normals[edges[long]].sum(axis=1)
        vertices = np.concatenate([vertices, ends[long].mean(axis=1)])
        normals = np.concatenate([normals, normal / np.linalg.norm(normal, axis=-1, keepdims=True)])
        cuts = middle[number]
        whole = (cuts < 0).all(axis=1)
        for key in done:
            done[key].append(parts[key][whole])
        cut = ~whole
        triangles, uv, source = _pieces(parts["triangles"][cut], parts["uv"][cut], cuts[cut])
        parts = {
            "triangles": triangles,
            "uv": uv,
            "material": parts["material"][cut][source],
            "thing": parts["thing"][cut][source],
        }
        narrow = narrow[cut][source]
    return Surfaces(vertices, normals, **{key: np.concatenate(value) for key, value in done.items()})


def _narrow(corners: Floats) -> NDArray[np.bool_]:
    """[F] whether triangles [F, 3, 3] belong to narrow strips."""
    sides = corners - np.roll(corners, 1, axis=1)
    twice = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=-1)
    return twice < _NARROW * np.linalg.norm(sides, axis=-1).max(axis=1)


@compiled
def _pieces(triangles: Ints, uv: Floats, cuts: NDArray[np.int64]) -> tuple[Ints, Floats, NDArray[np.int64]]:
    """Cuts triangles at the middles of their edges (`cuts`: -1 where an edge stays whole)."""
    corner = np.empty((4 * len(triangles), 3), np.int32)
    texture = np.empty((4 * len(triangles), 3, 2), np.float32)
    source = np.empty(4 * len(triangles), np.int64)
    name = np.empty(6, np.int32)
    place = np.empty((6, 2), np.float32)
    count = 0
    for f in range(len(triangles)):
        marks = (cuts[f, 0] >= 0) + (cuts[f, 1] >= 0) + (cuts[f, 2] >= 0)
        # Turned so that edge 01 is cut, and where two are, 01 and 12.
        turn = 0
        for k in range(3):
            if cuts[f, k] >= 0 and (marks != 2 or cuts[f, (k + 1) % 3] >= 0):
                turn = k
                break
        for k in range(3):
            a, b = (turn + k) % 3, (turn + k + 1) % 3
            name[k] = triangles[f, a]
            name[3 + k] = cuts[f, a]
            place[k] = uv[f, a]
            place[3 + k] = (uv[f, a] + uv[f, b]) / 2
        if marks == 1:
            shape = ((0, 3, 2), (3, 1, 2), (0, 0, 0), (0, 0, 0))
        elif marks == 2:
            shape = ((3, 1, 4), (0, 3, 4), (0, 4, 2), (0, 0, 0))
        else:
            shape = ((0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5))
        for k in range(marks + 1):
            for i in range(3):
                corner[count, i] = name[shape[k][i]]
                texture[count, i] = place[shape[k][i]]
            source[count] = f
            count += 1
    return corner[:count], texture[:count], source[:count]
