"""Recognition: what pictures show, in words, as far as it can be told from view features of the pictures.

The numbers of a picture network say how a view looks; what it shows has to be learned. Here that is a linear
head, fitted by least squares to buildings whose annotations say which words name something in sight of each
view (`words_of_views.py`). In other buildings it needs the pictures alone. Who looks at a view sees what is
around it too: the head reads the view, those beside it, those above and below, and the whole panorama.

A view becomes two parts side by side: the directions in which views differ most, with length one, to tell
places apart; and a number for each word, 0 where nothing speaks for it, and above a bound where the word is
counted as in sight; words that cannot be told are left out (`recognition_fit.py`). The second part has length
one in the mean: views that show different things are not alike.

All that is fitted is the `space` of the features, so that an agent brings it to other buildings.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.feature_files import space_like
from helpanna.worlds.geometry import HEADINGS, VIEWS
from helpanna.worlds.packed import Halves, pack, unpack
from helpanna.worlds.storage import load_atlas, new_features, write_words
from helpanna.worlds.views import ViewFeatures

NAME = KIND = "recognised"

_LOWEST, _HIGHEST = -1.0, 2.0
_TINY = 1e-6

Floats = NDArray[np.float32]


def _surroundings() -> Floats:
    """[4, 36, 36] whose mean is taken for each view: itself, those beside it, its column, all level ones."""
    elevation, heading = np.divmod(np.arange(VIEWS), HEADINGS)
    apart = (heading[:, None] - heading) % HEADINGS
    level = np.broadcast_to(elevation == 1, (VIEWS, VIEWS))
    beside = (elevation[:, None] == elevation) & ((apart == 1) | (apart == HEADINGS - 1))
    means = np.stack([np.eye(VIEWS, dtype=bool), beside, apart == 0, level]).astype(np.float32)
    return means / means.sum(axis=2, keepdims=True)


AROUND = _surroundings()
"""What the head reads of each view of a panorama."""

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, eq=False)
class RecognitionSpace:
    """What the numbers mean.

    Attributes:
        of: the space of the features that are read.
        words: [W] what can be recognised.
        centre: [F] the mean of those features, which is taken off.
        directions: [F, D] the columns that are kept of them.
        weights: [4 F, W] of the head: for a view, those beside it, its column, and the panorama. Until
            version 2 [F, W], for a view alone.
        bias: [W] likewise.
        scale: what the numbers of words are multiplied by; above it a word is in sight.
    """

    of: Mapping[str, Any]
    words: tuple[str, ...]
    centre: Halves
    directions: Halves
    weights: Halves
    bias: Halves
    scale: float

    @property
    def size(self) -> int:
        """D + W, the numbers a view."""
        return int(self.directions.shape[1]) + len(self.words)

    def encode(self, panoramas: NDArray[np.float16]) -> Floats:
        """[..., 36, F] features as [..., 36, D + W] numbers."""
        x = panoramas.astype(np.float32) - self.centre.astype(np.float32)
        looks = x @ self.directions.astype(np.float32)
        looks /= np.maximum(np.linalg.norm(looks, axis=-1, keepdims=True), _TINY)
        heads = self.weights.astype(np.float32).reshape(-1, len(self.centre), len(self.words))
        # To read the mean of some views is to take the mean of what is read off each.
        words = sum(around @ (x @ head) for around, head in zip(AROUND, heads, strict=False))
        words = (words + self.bias.astype(np.float32)).clip(_LOWEST, _HIGHEST)
        return np.concatenate([looks, (words - _LOWEST) * np.float32(self.scale)], axis=-1)

    def in_sight(self, numbers: NDArray[np.float16]) -> NDArray[np.bool_]:
        """[..., W] which words are counted as in sight of views with these numbers [..., D + W]."""
        return numbers[..., self.size - len(self.words) :] > np.float16(-_LOWEST * self.scale)

    def to_json(self) -> dict[str, Any]:
        """As it is stored with the features."""
        parts = {name: pack(getattr(self, name)) for name in ("centre", "directions", "weights", "bias")}
        version = 2 if len(self.weights) == len(self.centre) else 3
        described = {
            "kind": KIND,
            "version": version,
            "scale": self.scale,
            "size": self.size,
            "of": dict(self.of),
        }
        return described | {"words": list(self.words), **parts}

    @staticmethod
    def from_json(described: Any, whose: str) -> "RecognitionSpace":
        """The space that `to_json` wrote; `whose` begins the sentence that refuses another ("these are")."""
        try:
            words, centre = tuple(described["words"]), unpack(described["centre"])
            directions = unpack(described["directions"]).reshape(len(centre), -1)
            weights = unpack(described["weights"]).reshape(-1, len(words))
            space = RecognitionSpace(
                *(described["of"], words, centre, directions, weights, unpack(described["bias"])),
                float(described["scale"]),
            )
            sound = 0 < space.scale < np.inf
            sound &= len(space.bias) == len(words) and len(weights) / len(centre) in (1, len(AROUND))
            sound &= all(np.isfinite(part).all() for part in (centre, directions, weights, space.bias))
            if sound and space.to_json() == dict(described):
                return space
        except (AttributeError, KeyError, TypeError, ValueError):
            pass
        raise InputError(f"{whose} not recognition of version 2 or 3; name another.")


def space_of_agent(folder: Path) -> RecognitionSpace:
    """What a trained agent recognises, or the features of this name in another atlas."""
    return RecognitionSpace.from_json(space_like(folder, NAME)[0], f"what {folder} sees are")


def write_recognised(
    folder: Path,
    space: RecognitionSpace,
    on_progress: Progress | None = None,
    own: Mapping[int, RecognitionSpace] | None = None,
) -> None:
    """Adds the features `recognised` to an atlas, and its words in sight: those that are recognised.

    Killed between the two, it goes on with the words.

    Args:
        folder: the atlas.
        space: what is recognised.
        on_progress: told how far it is.
        own: for the buildings that the space was fitted to, by number, what reads them in its place.
    """
    atlas = load_atlas(folder)
    if atlas.views.words is not None:
        raise InputError(f"{folder} has words in sight already; build a new atlas to replace them.")
    there = atlas.views.features.get(NAME)
    if there is None or dict(there.space) != space.to_json():
        _write_features(folder, atlas, space, own or {}, on_progress)
    shown = space.in_sight(load_atlas(folder).views.get(NAME).array)
    write_words(folder, space.words, np.packbits(shown, axis=-1, bitorder="little"))


def _write_features(
    folder: Path,
    atlas: Atlas,
    space: RecognitionSpace,
    own: Mapping[int, RecognitionSpace],
    on_progress: Progress | None,
) -> None:
    source = _read_features(atlas, space.of)
    with new_features(folder, NAME, space.size, space.to_json()) as array:
        for w in range(atlas.world_count):
            at = slice(*atlas.world_start[w : w + 2])
            array[at] = own.get(w, space).encode(source.array[at])
            if on_progress:
                on_progress("features", w + 1, atlas.world_count)


def _read_features(atlas: Atlas, space: Mapping[str, Any]) -> ViewFeatures:
    """The features of an atlas that are in this space."""
    for features in atlas.views.features.values():
        if dict(features.space) == dict(space):
            return features
    kind = space.get("describes") or space.get("kind")
    raise InputError(f"the atlas lacks the view features that are to be read ({kind}); add them first.")
