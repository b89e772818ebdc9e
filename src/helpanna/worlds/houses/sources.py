"""Where light comes from: lamps, the sky through the windows, and the sun."""

import numpy as np
from numpy.typing import NDArray

from helpanna.worlds.houses.compiled import compiled
from helpanna.worlds.houses.outdoors import outdoor_light
from helpanna.worlds.houses.places import Places
from helpanna.worlds.houses.rays import Caster, Floats
from helpanna.worlds.houses.scene import Scene, Sky

_FAINTEST = 0.004
"""Light weaker than this, beside rooms whose light is about 1, is left out."""
_LAMP_SAMPLES = 6
_LAMP_RADIUS = 0.10
_SOFT = 0.12
_SUN_SAMPLES = 6
# The cells of a window that rays go through, 4 x 4; the first four lie in different rows and columns.
_FIRST = ((0, 1), (1, 3), (2, 0), (3, 2))
_CELLS = np.array(
    [*_FIRST, *((i, j) for i in range(4) for j in range(4) if (i, j) not in _FIRST)], dtype=np.float32
)


def from_lamps(scene: Scene, places: Places, caster: Caster, random: np.random.Generator) -> Floats:
    """Light of the lamps, each a small ball."""
    light = np.zeros_like(places.position)
    for lamp, power in zip(scene.lamps, scene.lamp_power, strict=True):
        offset = lamp - places.position
        distance = np.sqrt(np.einsum("ij,ij->i", offset, offset))
        facing = np.einsum("ij,ij->i", offset, places.normal) / distance
        # A lampshade spreads the light: no ceiling burns out above it.
        strength = np.maximum(facing, 0) / (distance**2 + _SOFT)
        lit = np.flatnonzero(strength * power.max() > _FAINTEST)
        clear = np.zeros(len(light), np.float32)
        # Two rays to a lamp; where neither or both arrive, the others would most often do the same.
        for samples in (2, _LAMP_SAMPLES):
            ball = random.standard_normal((len(lit), samples, 3), dtype=np.float32)
            ball *= np.float32(_LAMP_RADIUS) / np.sqrt(np.einsum("ijk,ijk->ij", ball, ball))[..., None]
            ways = offset[lit, None] + ball
            length = np.sqrt(np.einsum("ijk,ijk->ij", ways, ways))
            ways /= length[..., None]
            start = np.repeat(places.position[lit], samples, axis=0)
            arrive = caster.clear(start, ways.reshape(-1, 3), length.ravel() - _LAMP_RADIUS / 2)
            clear[lit] = arrive.reshape(-1, samples).mean(axis=1)
            lit = lit[(clear[lit] > 0) & (clear[lit] < 1)]
        light += (clear * strength)[:, None] * power
    return light


def from_windows(scene: Scene, places: Places, caster: Caster, random: np.random.Generator) -> Floats:
    """Light of the sky (and of the ground outside) through the windows."""
    light = np.zeros_like(places.position)
    for window in scene.windows:
        corner, across, up = window
        area = float(np.linalg.norm(np.cross(across, up)))
        size = float(np.linalg.norm(across) + np.linalg.norm(up))
        offset = corner + (across + up) / 2 - places.position
        distance = np.sqrt(np.einsum("ij,ij->i", offset, offset))
        behind = -offset @ np.cross(across, up) / area
        facing = np.einsum("ij,ij->i", offset, places.normal) > -0.5 * size
        strong = area * behind / distance.clip(0.3) ** 3 > _FAINTEST / 2
        lit = np.flatnonzero((behind > 0) & facing & strong)
        # Some rays first: from most places behind a wall none gets out, and the others are spared.
        first = _through_window(window, area, places, lit, _CELLS[:4], caster, random, scene.sky)
        share = len(_CELLS[:4]) / len(_CELLS)
        light[lit] += share * first
        some = first.max(axis=1, initial=0.0) > 0
        rest = _through_window(window, area, places, lit[some], _CELLS[4:], caster, random, scene.sky)
        light[lit[some]] += (1 - share) * rest
    return light


def _through_window(
    window: Floats,
    area: float,
    places: Places,
    lit: NDArray[np.int64],
    cells: Floats,
    caster: Caster,
    random: np.random.Generator,
    sky: Sky,
) -> Floats:
    """[n, 3] the light that reaches the places `lit` through a window, by rays through some of its cells."""
    corner, across, up = window
    jitter = (cells + random.random((len(lit), len(cells), 2), dtype=np.float32)) / np.float32(4)
    ways = corner + jitter[..., :1] * across + jitter[..., 1:] * up - places.position[lit, None]
    square = np.einsum("ijk,ijk->ij", ways, ways)
    ways /= np.sqrt(square)[..., None]
    inner = -(ways @ np.cross(across, up)) / np.float32(area)
    outer = np.einsum("ijk,ik->ij", ways, places.normal[lit])
    weight = np.maximum(inner, 0) * np.maximum(outer, 0) / np.maximum(square, np.float32(0.02))
    ways = ways.reshape(-1, 3)
    clear = caster.clear(np.repeat(places.position[lit], len(cells), axis=0), ways).reshape(weight.shape)
    seen = outdoor_light(ways, sky).reshape(*weight.shape, 3)
    return np.float32(area / len(cells)) * np.einsum("ij,ijk->ik", weight * clear, seen)


def from_sun(scene: Scene, places: Places, caster: Caster, random: np.random.Generator) -> Floats:
    """Direct light of the sun, the mean over the surroundings of each place."""
    light = np.zeros_like(places.position)
    sun = np.array(scene.sky.sun, dtype=np.float32)
    facing = places.normal @ sun
    if max(scene.sky.sunlight) <= 0:
        return light
    through = through_windows(places.position, sun, scene.windows, 0.3)
    lit = np.flatnonzero((facing > 0) & through)
    jitter = random.normal(size=(len(lit), _SUN_SAMPLES, 3))
    jitter -= np.einsum("ijk,ik->ij", jitter, places.normal[lit])[..., None] * places.normal[lit, None]
    start = places.position[lit, None] + 0.5 * places.spread[lit, None, None] * jitter
    start = start.reshape(-1, 3)
    clear = caster.clear(start, np.broadcast_to(sun, start.shape))
    share = clear.reshape(-1, _SUN_SAMPLES).mean(axis=1) * facing[lit]
    light[lit] = share[:, None] * np.array(scene.sky.sunlight)
    return light


@compiled
def through_windows(points: Floats, way: Floats, windows: Floats, margin: float) -> NDArray[np.bool_]:
    """[n] whether the straight line from each point along `way` passes within `margin` metres of a window."""
    through = np.zeros(len(points), np.bool_)
    for k in range(len(windows)):
        corner, across, up = windows[k, 0], windows[k, 1], windows[k, 2]
        normal = np.cross(across, up)
        slope = normal[0] * way[0] + normal[1] * way[1] + normal[2] * way[2]
        if slope >= -1e-6:
            continue
        wide, tall = np.sqrt((across * across).sum()), np.sqrt((up * up).sum())
        for i in range(len(points)):
            x, y, z = corner[0] - points[i, 0], corner[1] - points[i, 1], corner[2] - points[i, 2]
            t = (normal[0] * x + normal[1] * y + normal[2] * z) / slope
            if t < -0.2:
                continue
            x, y, z = t * way[0] - x, t * way[1] - y, t * way[2] - z
            a = (x * across[0] + y * across[1] + z * across[2]) / wide
            b = (x * up[0] + y * up[1] + z * up[2]) / tall
            if -margin <= a <= wide + margin and -margin <= b <= tall + margin:
                through[i] = True
    return through
