"""Panoramas of a house: rays from an eye, patterns, baked light, sunlight, glass and mirrors.

A `Studio` holds what all panoramas of one house share. Every pixel gets one ray; pixels where the picture
changes sharply get three more. Their mean is taken after tone mapping, so that a bright window does not fray.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from helpanna.worlds.houses.film import coded, contrasts, developed, exposure_of
from helpanna.worlds.houses.light import bake
from helpanna.worlds.houses.outdoors import outdoor_view
from helpanna.worlds.houses.rays import Caster, Floats
from helpanna.worlds.houses.scene import Scene
from helpanna.worlds.houses.shading import shaded
from helpanna.worlds.houses.sources import through_windows
from helpanna.worlds.houses.surfaces import Surfaces, surfaces_of
from helpanna.worlds.houses.textures import GLASS, METAL, Palette, palette
from helpanna.worlds.panoramas import Picture

_LAYERS, _MIRRORS = 8, 2
"""How often a ray goes on through glass, and off a mirror."""
_OUTSIDE = 0.08
"""Windows show the outdoors darker than it is, as a photographer has it who masks them."""
_SAMPLES = ((0.05, -0.38), (0.33, 0.19), (-0.33, 0.19))
"""Where in a pixel the further rays of an edge go, around the first one in its middle."""


@dataclass(frozen=True, eq=False)
class Studio:
    """A house ready to be photographed.

    Attributes:
        scene: the house.
        surfaces: its triangles, cut fine.
        palette: its materials.
        light: [V, 3] the baked light on the corners of the surfaces.
        caster: finds what a ray sees.
        shadows: finds what stands in the sun's way.
    """

    scene: Scene
    surfaces: Surfaces
    palette: Palette
    light: Floats
    caster: Caster
    shadows: Caster


def studio_of(scene: Scene, seed: int = 0) -> Studio:
    """Cuts the surfaces of a scene and bakes its light."""
    surfaces = surfaces_of(scene)
    colours = palette(scene.materials)
    opaque = colours.kind[scene.material] != GLASS
    return Studio(
        scene=scene,
        surfaces=surfaces,
        palette=colours,
        light=bake(scene, surfaces, colours, seed),
        caster=Caster(surfaces.vertices[surfaces.triangles]),
        shadows=Caster(scene.vertices[scene.triangles[opaque]]),
    )


def render_panorama(studio: Studio, position: NDArray[np.floating], width: int, height: int) -> Picture:
    """The panorama [height, width, 3] seen from a position, in RGB."""
    eye = np.asarray(position, dtype=np.float32)
    foot = np.pi / height
    x, y, source = _samples(width, height)
    radiance = _look(studio, eye, _directions(x, y, width, height), foot)
    exposure = exposure_of(radiance[source])
    picture = developed(radiance, exposure)[source]
    rows, columns = np.nonzero(contrasts(picture))
    total = picture[rows, columns]
    x, y = columns.astype(np.float32), rows.astype(np.float32)
    for across, down in _SAMPLES:
        ways = _directions(x + np.float32(across), y + np.float32(down), width, height)
        total += developed(_look(studio, eye, ways, foot / 2), exposure)
    picture[rows, columns] = total / (1 + len(_SAMPLES))
    return coded(picture)


@lru_cache(maxsize=2)
def _samples(width: int, height: int) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Where the first rays go (x and y), and for each pixel [height, width] which of them is its own.

    Towards the poles an equirectangular picture is stretched: there two or four pixels share a ray.
    """
    level = np.cos((0.5 - (np.arange(height) + 0.5) / height) * np.pi)
    shared = np.where((level > 0.5) | (width % 4 > 0), 1, np.where(level > 0.25, 2, 4))
    counts = width // shared
    row = np.repeat(np.arange(height), counts)
    column = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
    x = column * shared[row] + (shared[row] - 1) / 2
    source = (np.cumsum(counts) - counts)[:, None] + np.arange(width) // shared[:, None]
    return x.astype(np.float32), row.astype(np.float32), source


def _directions(x: Floats, y: Floats, width: int, height: int) -> Floats:
    """Unit vectors through points of a panorama; a pixel's centre has whole numbers."""
    heading = ((x + np.float32(0.5)) / width - np.float32(0.5)) * np.float32(2 * np.pi)
    elevation = (np.float32(0.5) - (y + np.float32(0.5)) / height) * np.float32(np.pi)
    level = np.cos(elevation)
    return np.stack([np.sin(heading) * level, np.cos(heading) * level, np.sin(elevation)], axis=-1)


def _look(studio: Studio, eye: Floats, ways: Floats, foot: float) -> Floats:
    """The radiance [n, 3] that an eye sees along directions [n, 3]; `foot`: radians between samples."""
    starts = np.ascontiguousarray(np.broadcast_to(eye, ways.shape))
    return _follow(studio, starts, ways, np.zeros(len(ways), np.float32), foot, _LAYERS, _MIRRORS)


def _follow(
    studio: Studio,
    starts: Floats,
    ways: Floats,
    travelled: Floats,
    foot: float,
    layers: int,
    mirrors: int,
) -> Floats:
    """What rays see; where they meet glass or a mirror they are followed on."""
    hits = studio.caster.hits(starts, ways)
    seen = np.zeros((len(ways), 3), np.float32)
    outside = np.flatnonzero(hits.triangle < 0)
    if len(outside):
        height = float(starts[0, 2] - studio.scene.vertices[:, 2].min())
        seen[outside] = outdoor_view(ways[outside], studio.scene.sky, height) * np.float32(_OUTSIDE)
    surfaces, colours = studio.surfaces, studio.palette
    points, normals, colour, light, mirror, kind = shaded(
        starts, ways, hits.triangle, hits.distance, hits.u, hits.v, travelled, foot,
        surfaces.vertices, surfaces.normals, surfaces.triangles, surfaces.uv, surfaces.material, studio.light,
        colours.kind, colours.colour, colours.accent, colours.scale, colours.gloss, colours.emission,
        colours.seed,
    )  # fmt: skip
    _add_sun(studio, points, normals, light)
    travelled = travelled + hits.distance

    glass = np.flatnonzero(kind == GLASS) if layers else np.zeros(0, np.int64)
    shiny = np.flatnonzero(mirror > 0) if mirrors else np.zeros(0, np.int64)
    own = np.ones(len(ways), np.float32)
    own[shiny] -= mirror[shiny]
    through = own[glass, None] * np.maximum(colour[glass], 0.5)
    own[glass] = 0
    light *= colour
    light *= own[:, None]
    seen += light
    if len(glass):
        far = points[glass], ways[glass], travelled[glass]
        seen[glass] += through * _follow(studio, *far, foot, layers - 1, mirrors)
    if len(shiny):
        tint = np.where(kind[shiny, None] == METAL, colour[shiny], 1) * mirror[shiny, None]
        away = ways[shiny] - 2 * np.einsum("ij,ij->i", ways[shiny], normals[shiny])[:, None] * normals[shiny]
        seen[shiny] += tint * _follow(
            studio, points[shiny], away, travelled[shiny], foot, layers, mirrors - 1
        )
    return seen


def _add_sun(studio: Studio, points: Floats, normals: Floats, light: Floats) -> None:
    """Adds the sun's radiance to what lights the points it shines on."""
    sky = studio.scene.sky
    if max(sky.sunlight) <= 0:
        return
    sun = np.array(sky.sun, dtype=np.float32)
    facing = normals @ sun
    may = np.flatnonzero(facing > 0.02)
    may = may[through_windows(points[may], sun, studio.scene.windows, 0.0)]
    start = points[may] + np.float32(0.002) * normals[may]
    lit = may[studio.shadows.clear(start, np.broadcast_to(sun, start.shape))]
    light[lit] += facing[lit, None] * np.array(sky.sunlight, np.float32) / np.float32(np.pi)
