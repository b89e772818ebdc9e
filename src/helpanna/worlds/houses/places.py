"""Where light is computed: places on the surfaces of a scene."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from helpanna.worlds.houses.rays import Floats
from helpanna.worlds.houses.scene import BUILDING
from helpanna.worlds.houses.surfaces import Surfaces
from helpanna.worlds.houses.textures import Palette

_CELL = 0.07
"""Metres: corners of one surface that are closer than this share a place."""


@dataclass(frozen=True, eq=False)
class Places:
    """S places light is computed at; corners closer than a few centimetres share one.

    Attributes:
        position, normal: [S, 3].
        spread: [S] metres between neighbours.
        reflects: [S, 3] the mean colour of the surface.
        of: [V] the place of each corner.
    """

    position: Floats
    normal: Floats
    spread: Floats
    reflects: Floats
    of: NDArray[np.int64]


def places_of(surfaces: Surfaces, palette: Palette) -> Places:
    """The places of all corners of the surfaces."""
    corner = surfaces.triangles.ravel()
    count = len(surfaces.vertices)
    centre = surfaces.vertices[surfaces.triangles].mean(axis=1)
    times = np.bincount(corner, minlength=count)[:, None].clip(1)
    around = np.stack(
        [np.bincount(corner, np.repeat(centre[:, k], 3), minlength=count) for k in range(3)], axis=-1
    )
    # Off the surface, and off its border: there the next wall or a leg stands in the way.
    inward = around / times - surfaces.vertices
    material = np.zeros(count, dtype=np.int64)
    material[corner] = np.repeat(surfaces.material, 3)
    thing = np.zeros(count, dtype=np.int64)
    thing[corner] = np.repeat(surfaces.thing, 3)
    # Walls and floors are lit as if thin things, pictures and rugs, were not there: no teeth around them.
    off = np.where(thing == BUILDING, 0.03, 0.006)[:, None]
    position = surfaces.vertices + 0.25 * inward + off * surfaces.normals

    facing = np.round(surfaces.normals * 2)
    key = np.concatenate([np.stack([thing, material], -1), np.floor(position / _CELL), facing], axis=1)
    _, first, of = np.unique(key.astype(np.int32), axis=0, return_index=True, return_inverse=True)
    material = material[first]
    return Places(
        position=position[first].astype(np.float32),
        normal=surfaces.normals[first],
        spread=np.linalg.norm(inward[first], axis=-1).clip(0.01).astype(np.float32),
        reflects=np.minimum(palette.mean[material], 0.85).astype(np.float32),
        of=of.ravel(),
    )
