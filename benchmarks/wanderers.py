"""What the benchmarks of learning share: random view features, and untrained agents that never stop."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from helpanna.agents.networks.hierarchical import HierarchicalNetworks
from helpanna.agents.senses import ORIENTATION_SIZE
from helpanna.randomness import generator
from helpanna.tasks.split import Split
from helpanna.worlds.geometry import VIEWS
from helpanna.worlds.views import ViewFeatures, Views

_AT_ONCE = 100


def with_random_features(split: Split, size: int, folder: Path, locations: int | None = None) -> Split:
    """The same split with features of this size in a memory-mapped file, of at least this many locations."""
    count = max(locations or 0, split.atlas.location_count)
    path = folder / f"random{size}.npy"
    file = np.lib.format.open_memmap(path, "w+", np.float16, (count, VIEWS, size))
    rng = generator(0, "benchmark-features", size)
    for first in range(0, count, _AT_ONCE):
        part = file[first : first + _AT_ONCE]
        bits = rng.integers(0, 2**16, part.shape, dtype=np.uint16)
        part[:] = ((bits & 0x83FF) | 0x3800).view(np.float16)  # +-[0.5, 1)
    file.flush()
    return with_features(split, path)


def with_features(split: Split, path: Path) -> Split:
    """The same split with the features of a file that was made so."""
    numbers = np.load(path, mmap_mode="r")
    features = ViewFeatures("random", numbers, {"kind": "random", "size": numbers.shape[2]})
    return replace(split, atlas=replace(split.atlas, views=Views({"random": features})))


def never_stop(networks: HierarchicalNetworks) -> None:
    """Untrained agents would stop within a few steps. These walk on, and seldom request help.

    The cosine of the tilt, 32 times in the embedding of every action but stop, is positive: the first number
    that actions are scored by counts nothing else, and counts a lot.
    """
    cosine = ORIENTATION_SIZE // 4
    with torch.no_grad():
        networks.action_embedding.weight[0, :, 0] = 0
        networks.action_embedding.weight[0, -cosine:, 0] = 1
        networks.out.weight[0, :, 0] = 0
        networks.out.bias[0, 0, 0] = 1
        networks.ask.bias[0, 0] = torch.tensor([1.5, 0.0])
