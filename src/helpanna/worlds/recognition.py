"""Recognition: what pictures show, in words, as far as it can be told from view features of the pictures.

The numbers of a picture network say how a view looks; what it shows has to be learned. Here that is a linear
head, fitted by least squares to buildings whose annotations say which words name something in sight of each
view (`words_of_views.py`). In other buildings it needs the pictures alone. Who looks at a view sees what is
around it too: the head reads the view, those beside it, those above and below, and the whole panorama.

A view becomes two parts side by side: the directions in which views differ most, with length one, to tell
places apart; and a number for each word, 0 where nothing speaks for it, and above a bound where the word is
counted as in sight. Where that begins is chosen in buildings that were left out of a first fit. Words that
cannot be told there are left out. The second part has length one in the mean: views that show different
things are not alike.

All that is fitted is the `space` of the features, so that an agent brings it to other buildings.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.directions import principal_directions
from helpanna.worlds.feature_files import space_like
from helpanna.worlds.geometry import HEADINGS, VIEWS
from helpanna.worlds.packed import Halves, pack, unpack
from helpanna.worlds.storage import load_atlas, new_features, write_words
from helpanna.worlds.views import ViewFeatures
from helpanna.worlds.words_of_views import find_words

NAME = KIND = "recognised"

_DIRECTIONS = 128
_OFTEN = 20
"""A word is looked at if at least this many views of the fitted buildings show it."""
_TOLD = 0.3
"""The least F1 in buildings that were left out with which a word counts as told."""
_LEFT_OUT = 4
"""One building in this many is left out of the first fit."""
_RIDGE = 0.05
"""The penalty on weights, as a share of the features' mean variance times the number of views."""
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


_AROUND = _surroundings()

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
        scale: what the numbers of words are multiplied by, above which a word is in sight. None in version 1,
            where they lie between -1 and 2: most are -1, and so all views are alike.
    """

    of: Mapping[str, Any]
    words: tuple[str, ...]
    centre: Halves
    directions: Halves
    weights: Halves
    bias: Halves
    scale: float | None = None

    @property
    def size(self) -> int:
        """D + W, the numbers a view."""
        return int(self.directions.shape[1]) + len(self.words)

    @staticmethod
    def fit(
        atlas: Atlas, worlds: Sequence[int], features: ViewFeatures, on_progress: Progress | None = None
    ) -> "RecognitionSpace":
        """The space for these buildings of an atlas; the others are not looked at.

        Raises:
            InputError: there are fewer than two buildings, or no word can be told.
        """
        if len(worlds) < 2:
            raise InputError("recognition is fitted to some buildings and tried in others; name two or more.")
        shown = find_words(atlas)
        views = [_views(atlas, w, features.array) for w in worlds]
        truth = [_truth(atlas, w, shown.bits, len(shown.words)) for w in worlds]
        often = np.flatnonzero(np.sum([t.sum(axis=0) for t in truth], axis=0) >= _OFTEN)
        truth = [t[:, often] for t in truth]
        first = [i for i in range(len(worlds)) if i % _LEFT_OUT]
        rest = [i for i in range(len(worlds)) if not i % _LEFT_OUT]
        tried = _Moments.of(views, truth, first, on_progress)
        scores = np.concatenate([tried.scores(views[i]) for i in rest])
        told = [
            _bound(scores[:, w], column)
            for w, column in enumerate(np.concatenate([truth[i] for i in rest]).T)
        ]
        kept = [w for w, (f1, _, _) in enumerate(told) if f1 >= _TOLD]
        if not kept:
            raise InputError("no word can be told from these features; fit them to more buildings.")
        bound, scale = np.array([told[w][1:] for w in kept]).T
        whole = tried.joined(_Moments.of(views, truth, rest, on_progress))
        weights, bias = whole.head
        looks = features.size
        space = RecognitionSpace(
            of=dict(features.space),
            words=tuple(shown.words[often[w]] for w in kept),
            centre=whole.mean[:looks].astype(np.float16),
            directions=principal_directions(whole.spread[:looks, :looks], _DIRECTIONS).astype(np.float16),
            weights=(weights[:, kept] / scale).astype(np.float16),
            bias=((bias[kept] - bound) / scale).astype(np.float16),
            scale=1.0,
        )
        lengths = [np.square(space.encode(v)[..., -len(kept) :]).sum(axis=-1).ravel() for v in views]
        return replace(space, scale=float(np.float16(np.concatenate(lengths).mean() ** -0.5)))

    def encode(self, panoramas: NDArray[np.float16]) -> Floats:
        """[..., 36, F] features as [..., 36, D + W] numbers."""
        x = panoramas.astype(np.float32) - self.centre.astype(np.float32)
        looks = x @ self.directions.astype(np.float32)
        looks /= np.maximum(np.linalg.norm(looks, axis=-1, keepdims=True), _TINY)
        heads = self.weights.astype(np.float32).reshape(-1, len(self.centre), len(self.words))
        # To read the mean of some views is to take the mean of what is read off each.
        words = sum(around @ (x @ head) for around, head in zip(_AROUND, heads, strict=False))
        words = (words + self.bias.astype(np.float32)).clip(_LOWEST, _HIGHEST)
        if self.scale is not None:
            words = (words - _LOWEST) * np.float32(self.scale)
        return np.concatenate([looks, words], axis=-1)

    def in_sight(self, numbers: NDArray[np.float16]) -> NDArray[np.bool_]:
        """[..., W] which words are counted as in sight of views with these numbers [..., D + W]."""
        bound = 0.0 if self.scale is None else -_LOWEST * self.scale
        return numbers[..., self.size - len(self.words) :] > np.float16(bound)

    def to_json(self) -> dict[str, Any]:
        """As it is stored with the features."""
        parts = {name: pack(getattr(self, name)) for name in ("centre", "directions", "weights", "bias")}
        alone = len(self.weights) == len(self.centre)
        version = {"version": 1} if self.scale is None else {"version": 3 - alone, "scale": self.scale}
        described = {"kind": KIND, **version, "size": self.size, "of": dict(self.of)}
        return described | {"words": list(self.words), **parts}

    @staticmethod
    def from_json(described: Any, whose: str) -> "RecognitionSpace":
        """The space that `to_json` wrote; `whose` begins the sentence that refuses another ("these are")."""
        try:
            words, centre = tuple(described["words"]), unpack(described["centre"])
            directions = unpack(described["directions"]).reshape(len(centre), -1)
            weights = unpack(described["weights"]).reshape(-1, len(words))
            scale = described.get("scale")
            space = RecognitionSpace(
                *(described["of"], words, centre, directions, weights, unpack(described["bias"])),
                None if scale is None else float(scale),
            )
            sound = scale is None or 0 < space.scale < np.inf  # type: ignore[operator]
            sound &= len(space.bias) == len(words) and len(weights) / len(centre) in (1, len(_AROUND))
            sound &= all(np.isfinite(part).all() for part in (centre, directions, weights, space.bias))
            if sound and space.to_json() == dict(described):
                return space
        except (AttributeError, KeyError, TypeError, ValueError):
            pass
        raise InputError(f"{whose} not recognition of version 1, 2 or 3; name another.")


def space_of_agent(folder: Path) -> RecognitionSpace:
    """What a trained agent recognises, or the features of this name in another atlas."""
    return RecognitionSpace.from_json(space_like(folder, NAME)[0], f"what {folder} sees are")


def write_recognised(folder: Path, space: RecognitionSpace, on_progress: Progress | None = None) -> None:
    """Adds the features `recognised` to an atlas, and its words in sight: those that are recognised.

    Killed between the two, it goes on with the words.
    """
    atlas = load_atlas(folder)
    if atlas.views.words is not None:
        raise InputError(f"{folder} has words in sight already; build a new atlas to replace them.")
    there = atlas.views.features.get(NAME)
    if there is None or dict(there.space) != space.to_json():
        _write_features(folder, atlas, space, on_progress)
    shown = space.in_sight(load_atlas(folder).views.get(NAME).array)
    write_words(folder, space.words, np.packbits(shown, axis=-1, bitorder="little"))


def _write_features(
    folder: Path, atlas: Atlas, space: RecognitionSpace, on_progress: Progress | None
) -> None:
    source = _read_features(atlas, space.of)
    with new_features(folder, NAME, space.size, space.to_json()) as array:
        for w in range(atlas.world_count):
            at = slice(*atlas.world_start[w : w + 2])
            array[at] = space.encode(source.array[at])
            if on_progress:
                on_progress("features", w + 1, atlas.world_count)


def _read_features(atlas: Atlas, space: Mapping[str, Any]) -> ViewFeatures:
    """The features of an atlas that are in this space."""
    for features in atlas.views.features.values():
        if dict(features.space) == dict(space):
            return features
    kind = space.get("describes") or space.get("kind")
    raise InputError(f"the atlas lacks the view features that are to be read ({kind}); add them first.")


def _views(atlas: Atlas, world: int, array: NDArray[np.float16]) -> NDArray[np.float16]:
    """[n, 36, F] the panoramas of a building."""
    return np.asarray(array[slice(*atlas.world_start[world : world + 2])])


def _truth(atlas: Atlas, world: int, bits: NDArray[np.uint8], words: int) -> NDArray[np.bool_]:
    """[n, W] which words name something in sight of them."""
    packed = bits[slice(*atlas.world_start[world : world + 2])].reshape(-1, bits.shape[-1])
    return np.unpackbits(packed, axis=1, count=words, bitorder="little").astype(bool)


def _around(panoramas: NDArray[np.float16]) -> Floats:
    """[n 36, 4 F] what the head reads of panoramas [n, 36, F], view by view."""
    x = panoramas.astype(np.float32)
    return np.concatenate([around @ x for around in _AROUND], axis=-1).reshape(-1, len(_AROUND) * x.shape[-1])


@dataclass(frozen=True, eq=False)
class _Moments:
    """Sums over views from which least squares and principal directions follow.

    Attributes:
        count: of the views.
        total: [4 F] sum of what is read.
        squares: [4 F, 4 F] sum of its products.
        shown: [W] how often each word is in sight.
        together: [4 F, W] sum of what is read where it is.
    """

    count: int
    total: NDArray[np.float64]
    squares: NDArray[np.float64]
    shown: NDArray[np.float64]
    together: NDArray[np.float64]

    @staticmethod
    def of(
        views: Sequence[NDArray[np.float16]],
        truth: Sequence[NDArray[np.bool_]],
        which: Sequence[int],
        on_progress: Progress | None,
    ) -> "_Moments":
        """Those of the views of some buildings."""
        count, size, words = 0, len(_AROUND) * views[0].shape[-1], truth[0].shape[1]
        total, shown = np.zeros(size), np.zeros(words)
        squares, together = np.zeros((size, size)), np.zeros((size, words))
        for done, i in enumerate(which, start=1):
            x, y = _around(views[i]), truth[i].astype(np.float32)
            count += len(x)
            total += x.sum(axis=0)
            shown += y.sum(axis=0)
            squares += x.T @ x
            together += x.T @ y
            if on_progress:
                on_progress("fitting", done, len(which))
        return _Moments(count, total, squares, shown, together)

    def joined(self, other: "_Moments") -> "_Moments":
        """Those of the views of both."""
        return _Moments(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def mean(self) -> NDArray[np.float64]:
        """[4 F] of what is read."""
        return self.total / self.count

    @property
    def spread(self) -> NDArray[np.float64]:
        """[4 F, 4 F] its covariance."""
        return self.squares / self.count - np.outer(self.mean, self.mean)

    @cached_property
    def head(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """[4 F, W] and [W]: the weights of the words, and what is added; for views without their mean."""
        spread, rate = self.spread, self.shown / self.count
        together = self.together / self.count - np.outer(self.mean, rate)
        penalty = _RIDGE * np.trace(spread) / len(spread)
        weights = np.linalg.solve(spread + penalty * np.eye(len(spread)), together)
        centre = np.tile(self.mean[: len(spread) // len(_AROUND)], len(_AROUND))
        return weights, rate - (self.mean - centre) @ weights

    def scores(self, panoramas: NDArray[np.float16]) -> NDArray[np.float64]:
        """[n 36, W] what the head says of views."""
        weights, bias = self.head
        centre = np.tile(self.mean[: panoramas.shape[-1]], len(_AROUND))
        return (_around(panoramas) - centre) @ weights + bias


def _bound(scores: NDArray[np.float64], truth: NDArray[np.bool_]) -> tuple[float, float, float]:
    """The best F1 of a word, the score from which on it is reached, and how far true views lie above that."""
    if not truth.any():
        return 0.0, 0.0, 1.0
    order = np.argsort(-scores, kind="stable")
    right = np.cumsum(truth[order])
    f1 = 2 * right / (np.arange(1, len(order) + 1) + truth.sum())
    best = int(f1.argmax())
    bound = float(scores[order[best]])
    above = float(scores[truth].mean()) - bound
    return float(f1[best]), bound, max(above, float(scores.std()), _TINY)
