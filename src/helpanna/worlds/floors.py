"""Storeys, estimated from the heights of the locations."""

import numpy as np
from numpy.typing import NDArray

_BANDWIDTH = 0.4
_LEAST_STOREY = 2.0
_LEAST_SHARE = 0.04


def estimate_floors(heights: NDArray[np.float64]) -> NDArray[np.int32]:
    """The storey (0 the lowest) of each of n locations, from its height in metres.

    Storeys are the peaks of the heights' density, at least 2 m apart and with a fair share of the locations;
    places in between (stairs) belong to the nearer one.
    """
    grid = np.arange(heights.min() - 1, heights.max() + 1, 0.1)
    density = np.exp(-0.5 * ((grid[:, None] - heights) / _BANDWIDTH) ** 2).sum(axis=1)
    inner = density[1:-1]
    peaks = 1 + np.flatnonzero((inner >= density[:-2]) & (inner > density[2:]))
    storeys: list[float] = []
    for peak in peaks[np.argsort(-density[peaks], kind="stable")]:
        apart = all(abs(grid[peak] - other) >= _LEAST_STOREY for other in storeys)
        if not storeys or (apart and density[peak] >= _LEAST_SHARE * len(heights)):
            storeys.append(float(grid[peak]))
    nearest = np.abs(heights[:, None] - np.sort(storeys)).argmin(axis=1)
    # A peak may be nobody's nearest: number the storeys that are used.
    return np.unique(nearest, return_inverse=True)[1].astype(np.int32)
