"""How recognition is fitted: least squares in some buildings, tried in those that were left out.

The buildings to fit to are divided into a few parts, and each part is read by a head that was fitted to the
others; by that it is judged which words can be told. Agents that learn in these buildings see with the same
heads: one tells more in buildings that it was fitted to than in any other, and agents that learned with such
sight would trust it too much elsewhere. All other buildings are read by a head that was fitted to all parts.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.directions import principal_directions
from helpanna.worlds.recognition import AROUND, Floats, RecognitionSpace
from helpanna.worlds.views import ViewFeatures
from helpanna.worlds.words_of_views import find_words

_DIRECTIONS = 128
_OFTEN = 20
"""A word is looked at if at least this many views of the fitted buildings show it."""
_TOLD = 0.3
"""The least F1 in buildings that were left out with which a word counts as told."""
_PARTS = 4
"""Into so many parts the buildings are divided."""
_RIDGE = 0.05
"""The penalty on weights, as a share of the features' mean variance times the number of views."""
_TINY = 1e-6

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, eq=False)
class Fitted:
    """What was fitted to some buildings of an atlas.

    Attributes:
        space: for all other buildings.
        own: for each of these buildings, by its number, the same without what it taught itself.
    """

    space: RecognitionSpace
    own: Mapping[int, RecognitionSpace]


def fit_recognition(
    atlas: Atlas, worlds: Sequence[int], features: ViewFeatures, on_progress: Progress | None = None
) -> Fitted:
    """Fits recognition to these buildings of an atlas; the others are not looked at.

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
    parts = [range(first, len(worlds), _PARTS) for first in range(min(_PARTS, len(worlds)))]
    moments = [_Moments.of(views, truth, part, on_progress) for part in parts]
    whole = _Moments.sum(moments)
    others = [_Moments.sum([m for m in moments if m is not left_out]) for left_out in moments]
    reader = {i: other for other, part in zip(others, parts, strict=True) for i in part}
    order = sorted(reader)
    told = _Told.of(
        np.concatenate([reader[i].scores(views[i]) for i in order]), np.concatenate([truth[i] for i in order])
    )
    looks = features.size
    centre = whole.mean[:looks]

    def space(fitted: _Moments, scale: float = 1.0) -> RecognitionSpace:
        weights, bias = fitted.head(centre)
        return RecognitionSpace(
            of=dict(features.space),
            words=tuple(shown.words[often[w]] for w in told.words),
            centre=centre.astype(np.float16),
            directions=directions,
            weights=(weights[:, told.words] / told.reach).astype(np.float16),
            bias=((bias[told.words] - told.bound) / told.reach).astype(np.float16),
            scale=scale,
        )

    directions = principal_directions(whole.spread[:looks, :looks], _DIRECTIONS).astype(np.float16)
    lengths = [_lengths(space(reader[i]), views[i]) for i in order]
    scale = float(np.float16(np.concatenate(lengths).mean() ** -0.5))
    return Fitted(space(whole, scale), {worlds[i]: space(reader[i], scale) for i in order})


def _lengths(space: RecognitionSpace, panoramas: NDArray[np.float16]) -> Floats:
    """[n 36] the squared lengths of the numbers of words, of each view."""
    lengths: Floats = np.square(space.encode(panoramas)[..., -len(space.words) :]).sum(axis=-1).ravel()
    return lengths


@dataclass(frozen=True, eq=False)
class _Told:
    """Words that can be told.

    Attributes:
        words: [W] which of those that were looked at.
        bound: [W] the score from which on each counts as in sight.
        reach: [W] how far the scores of views that show it lie above that.
    """

    words: list[int]
    bound: NDArray[np.float64]
    reach: NDArray[np.float64]

    @staticmethod
    def of(scores: NDArray[np.float64], truth: NDArray[np.bool_]) -> "_Told":
        """Judged by the scores of views that no head was fitted to, and what they show; both [n, words]."""
        found = [_bound(scores[:, w], truth[:, w]) for w in range(truth.shape[1])]
        words = [w for w, (f1, _, _) in enumerate(found) if f1 >= _TOLD]
        if not words:
            raise InputError("no word can be told from these features; fit them to more buildings.")
        bound, reach = np.array([found[w][1:] for w in words]).T
        return _Told(words, bound, reach)


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
    return np.concatenate([around @ x for around in AROUND], axis=-1).reshape(-1, len(AROUND) * x.shape[-1])


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
        count, size, words = 0, len(AROUND) * views[0].shape[-1], truth[0].shape[1]
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

    @staticmethod
    def sum(several: "Sequence[_Moments]") -> "_Moments":
        """Those of all their views."""
        return _Moments(*(sum(getattr(one, f.name) for one in several) for f in fields(_Moments)))

    @property
    def mean(self) -> NDArray[np.float64]:
        """[4 F] of what is read."""
        return self.total / self.count

    @property
    def spread(self) -> NDArray[np.float64]:
        """[4 F, 4 F] its covariance."""
        return self.squares / self.count - np.outer(self.mean, self.mean)

    @cached_property
    def _head(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """[4 F, W] and [W]: the weights of the words, and what is added."""
        spread, rate = self.spread, self.shown / self.count
        together = self.together / self.count - np.outer(self.mean, rate)
        penalty = _RIDGE * np.trace(spread) / len(spread)
        weights = np.linalg.solve(spread + penalty * np.eye(len(spread)), together)
        return weights, rate - self.mean @ weights

    def head(self, centre: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The same for features from which this is taken off."""
        weights, bias = self._head
        return weights, bias + np.tile(centre, len(AROUND)) @ weights

    def scores(self, panoramas: NDArray[np.float16]) -> NDArray[np.float64]:
        """[n 36, W] what the head says of views."""
        weights, bias = self._head
        return _around(panoramas) @ weights + bias


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
