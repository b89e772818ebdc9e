"""Ray casting: what a ray hits first, and whether a way is clear."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from helpanna.worlds.houses.compiled import needed

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]

_STEP = 1e-3
"""Rays start this many metres ahead, off the surface they leave."""


@dataclass(frozen=True, eq=False)
class Hits:
    """What n rays hit: the triangle (-1 for none), the distance, and the place in the triangle."""

    triangle: Ints
    distance: Floats
    u: Floats
    v: Floats


class Caster:
    """Casts rays among triangles [F, 3, 3]."""

    def __init__(self, triangles: NDArray[np.floating]):
        scene = needed("embreex.rtcore_scene").EmbreeScene()
        # The mesh lives as long as the scene it is in.
        self._mesh = needed("embreex.mesh_construction").TriangleMesh(scene, triangles.astype(np.float32))
        self._scene = scene

    def hits(self, origins: NDArray[np.floating], directions: NDArray[np.floating]) -> Hits:
        """What rays from origins [n, 3] along unit directions [n, 3] hit first."""
        start, along = self._rays(origins, directions)
        found = self._scene.run(start, along, output=True)
        return Hits(found["primID"], found["tfar"] + np.float32(_STEP), found["u"], found["v"])

    def clear(
        self,
        origins: NDArray[np.floating],
        directions: NDArray[np.floating],
        distances: NDArray[np.floating] | None = None,
    ) -> NDArray[np.bool_]:
        """[n] whether rays go as far as the distances [n] (without them, for ever) and hit nothing."""
        start, along = self._rays(origins, directions)
        far = None if distances is None else (distances - 2 * _STEP).astype(np.float32)
        return self._scene.run(start, along, dists=far, query="OCCLUDED") < 0

    def _rays(self, origins: NDArray[np.floating], directions: NDArray[np.floating]) -> tuple[Floats, Floats]:
        along = np.ascontiguousarray(directions, dtype=np.float32)
        return np.ascontiguousarray(origins + _STEP * along, dtype=np.float32), along
