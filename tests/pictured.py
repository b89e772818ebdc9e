"""An atlas of sample buildings with features as a picture network would give them."""

from pathlib import Path

import numpy as np

from helpanna.randomness import generator
from helpanna.worlds.atlas import Atlas, build_atlas
from helpanna.worlds.geometry import VIEWS
from helpanna.worlds.sample import sample_world
from helpanna.worlds.storage import new_features, save_atlas
from helpanna.worlds.words_of_views import find_words

SIZE = 96
FITTED = (0, 1, 2, 3, 4)
UNSEEN = 5


def looks(atlas: Atlas, noise: float) -> np.ndarray:
    """Features as a picture network would give: every word in sight adds its own look, and there is noise."""
    found = find_words(atlas)
    shown = np.unpackbits(found.bits, axis=-1, count=len(found.words), bitorder="little")
    each = [generator(1, "look of a word", *word.encode()).standard_normal(SIZE) for word in found.words]
    noisy = generator(2, "noise").standard_normal((atlas.location_count, VIEWS, SIZE)) * noise
    return shown @ np.array(each) + noisy + 3


def pictured(folder: Path, noise: float = 0.5) -> Path:
    worlds = [sample_world(f"b{seed}", seed=seed) for seed in range(UNSEEN + 1)]
    atlas = build_atlas(worlds, "test", "none")
    save_atlas(atlas, folder)
    with new_features(folder, "efficientnet", SIZE, {"kind": "test", "size": SIZE}) as array:
        array[:] = looks(atlas, noise)
    return folder
