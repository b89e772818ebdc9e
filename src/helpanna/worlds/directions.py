"""The directions in which vectors differ most."""

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]


def principal_directions(spread: Doubles, count: int) -> Doubles:
    """[E, D] the directions of the largest variance, as columns, the largest first.

    Args:
        spread: [E, E] the covariance of the vectors.
        count: how many directions at most.
    """
    values, vectors = np.linalg.eigh(spread)
    vectors = vectors[:, np.argsort(-values, kind="stable")[:count]]
    # A direction and its opposite are equally good: the larger part of it shall be positive.
    largest = np.take_along_axis(vectors, np.abs(vectors).argmax(axis=0)[None], axis=0)
    return vectors * np.sign(largest)
