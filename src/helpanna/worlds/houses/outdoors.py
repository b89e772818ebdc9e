"""What one sees through a window: sky, clouds, a line of trees, and the ground."""

import numpy as np
from numpy.typing import NDArray

from helpanna.worlds.houses.compiled import compiled
from helpanna.worlds.houses.noise import clouds, mix, noise, scaled
from helpanna.worlds.houses.scene import Sky

Floats = NDArray[np.float32]


def outdoor_light(ways: NDArray[np.floating], sky: Sky) -> Floats:
    """Radiance [n, 3] from the directions [n, 3] outdoors, without detail: what lights rooms."""
    return _outdoors(
        np.ascontiguousarray(ways, np.float32), sky.zenith, sky.horizon, sky.ground, sky.seed, False, 1.5
    )


def outdoor_view(ways: NDArray[np.floating], sky: Sky, height: float) -> Floats:
    """Radiance [n, 3] from the directions [n, 3] outdoors, as seen from this many metres above the ground."""
    return _outdoors(
        np.ascontiguousarray(ways, np.float32), sky.zenith, sky.horizon, sky.ground, sky.seed, True, height
    )


@compiled
def _outdoors(
    ways: Floats,
    zenith: tuple[float, float, float],
    horizon: tuple[float, float, float],
    ground: tuple[float, float, float],
    seed: int,
    detailed: bool,
    height: float,
) -> Floats:
    light = np.empty((len(ways), 3), np.float32)
    for i in range(len(ways)):
        x, y, z = float(ways[i, 0]), float(ways[i, 1]), float(ways[i, 2])
        up = max(z, 0.0)
        seen = mix(horizon, zenith, up**0.5)
        if not detailed:
            if z < 0:
                seen = ground
        else:
            grass = ground[0] * 0.8, ground[1], ground[2] * 0.5
            heading = np.arctan2(x, y)
            crest = 0.05 + 0.09 * (noise(heading * 5, 0.0, seed) + 0.5 * noise(heading * 21, 0.0, seed + 1))
            crest += 0.02 * noise(heading * 90, z * 60, seed + 2)
            if z < 0:
                # Grass, less of it seen the farther it is.
                far = height / max(-z, 0.01)
                detail = 1 / (1 + 0.2 * far)
                blade = clouds(x / -z * height, y / -z * height, 1.2, 3, 0.05 * far, seed + 5)
                seen = scaled(
                    mix(scaled(horizon, 0.4), grass, 0.75 + 0.25 * detail), 0.8 + 0.7 * detail * blade
                )
            elif z < crest:
                leaf = 0.6 + 0.7 * noise(heading * 60, z * 80, seed + 3)
                seen = mix(scaled(grass, 0.4 * leaf), horizon, 0.08)
            else:
                puff = clouds(x / (z + 0.15), y / (z + 0.15), 1.3, 5, 0.01, seed + 4)
                seen = mix(seen, scaled(horizon, 1.15), min(0.8, max(0.0, 2.2 * puff)))
        for c in range(3):
            light[i, c] = seen[c]
    return light
