"""What networks perceive: observations are indices, and here they become tensors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from helpanna.agents.veil import Veil
from helpanna.episodes.observation import Observation
from helpanna.episodes.perception import Perception
from helpanna.tasks.vocabulary import Vocabulary
from helpanna.worlds.geometry import HEADINGS, VIEWS, view_elevation, view_heading

ORIENTATION_SIZE = 128
REPEATS = 4
"""How often the target similarity and the navigation distribution are repeated as inputs."""
MATCHES = 3
"""How many kinds of matches there are between words and what is in sight, see `Sight.words`."""

Ints = NDArray[np.int64]

_TINY = 1e-12
_UNKNOWN_PAIR = -1
_FIRST_PAIRS = 4096


@dataclass(frozen=True, eq=False)
class Sight:
    """What B agents perceive at a step.

    Attributes:
        views: [B, 36, D] I^cur, the current panoramic view.
        target: [B, 36, D] I^tgt, the target's panoramic view, zeros where there is none. Of agents that act
            without learning it is one tensor that changes from step to step: who keeps it makes a copy.
        has_target: [B] whether there is one.
        similarity: [B, 36] delta: to each view, beginning with the heading ahead, the most similar target
            view's cosine.
        actions: [B, A, D + 128] E^nav, the embeddings of the navigation actions; stop is zero.
        exists: [B, A] which actions there are.
        slot: [B, A] the static index of each action.
        changed: [B] whether the instruction is new.
        words: [B, A, 3, 50] which words of the text name something in sight: in the view that an action looks
            at; at its heading, up or down; and for stop, anywhere here. None where networks do not ask.
    """

    views: Tensor
    target: Tensor
    has_target: Tensor
    similarity: Tensor
    actions: Tensor
    exists: Tensor
    slot: Tensor
    changed: Tensor
    words: Tensor | None = None


class Targets:
    """What B agents see of their targets; these change seldom, and are only looked at again when they do."""

    def __init__(self) -> None:
        self._panorama: Ints | None = None
        self._views = torch.empty(0)

    def views(self, panorama: Ints, look: Callable[[Ints], Tensor]) -> Tensor:
        """[B, 36, D] what is seen from these panoramas [B], see `Sight.target`."""
        # While it is learned from, what was seen stays as it was.
        if self._panorama is None or torch.is_grad_enabled():
            self._views = look(panorama)
        elif len(new := np.flatnonzero(panorama != self._panorama)):
            self._views[torch.from_numpy(new).to(self._views.device)] = look(panorama[new])
        self._panorama = panorama.copy()
        return self._views


class Senses:
    """Turns the observations of one split into what networks perceive.

    Attributes:
        perception: what can be seen there.
        features: the name of the view features that they see with.
        vocabulary: the words that they know.
        device: where the tensors are put.
    """

    def __init__(
        self, perception: Perception, features: str, known: Vocabulary, device: torch.device | None = None
    ) -> None:
        self.perception, self.features = perception, features
        self.device = device or torch.device("cpu")
        self.vocabulary = known
        self._similarity = _Similarity(perception)
        self._orientation = _orientations()

    def perceive(
        self,
        observation: Observation,
        word_ids: Ints | None = None,
        veil: Veil | None = None,
        targets: Targets | None = None,
    ) -> Sight:
        """What the agents see, in the order of the observation.

        Args:
            observation: where they are.
            word_ids: [B, 50] which words they look for, see `Perception.word_ids`; None for those who do not.
            veil: what they cannot see. The similarity to the target is judged without it.
            targets: what they saw of their targets before.
        """
        here, view, target = observation.panorama, observation.view, observation.target
        candidates = observation.candidates
        views, sought = self._views(here), (targets or Targets()).views(target, self._views)
        similarity = self._put(self._similarity.ahead(here, target, view % HEADINGS, views, sought))
        if veil is not None:
            views, sought = veil.views(views), veil.views(sought)
        towards = np.where(candidates.mask, candidates.view, 0)
        orientation = torch.from_numpy(self._orientation[view[:, None], towards]).to(self.device)
        seen = torch.from_numpy(towards + VIEWS * np.arange(len(here))[:, None]).to(self.device)
        towards_views = views.flatten(0, 1).index_select(0, seen.flatten())
        actions = torch.cat([towards_views.view(*towards.shape, -1), orientation], dim=-1)
        actions[:, 0] = 0  # stop
        return Sight(
            views=views,
            target=sought,
            has_target=self._put(target >= 0),
            similarity=similarity,
            actions=actions,
            exists=self._put(candidates.mask),
            slot=self._put(np.where(candidates.mask, candidates.slot, 0).astype(np.int64)),
            changed=self._put(observation.text_changed),
            words=None if word_ids is None else self._words(observation, word_ids, towards),
        )

    def tokens(self, texts: Sequence[str]) -> tuple[Tensor, Tensor]:
        """[n, 50] the words of these texts, and [n] how many there are."""
        tokens, length = self.vocabulary.tokens(texts)
        return self._put(tokens), self._put(length)

    def _words(self, observation: Observation, word_ids: Ints, towards: Ints) -> Tensor:
        """[B, A, 3, 50], see `Sight.words`; `towards` are the views [B, A] that actions look at."""
        shown = self.perception.words_in_sight(observation.panorama, word_ids)
        at_heading = np.any(shown.reshape(len(shown), -1, HEADINGS, shown.shape[-1]), axis=1)
        rows = np.arange(len(shown))[:, None]
        match = np.zeros((*towards.shape, MATCHES, shown.shape[-1]), dtype=np.float32)
        match[:, :, 0] = shown[rows, towards]
        match[:, :, 1] = at_heading[rows, towards % HEADINGS]
        match *= observation.candidates.mask[:, :, None, None]
        match[:, 0] = 0
        match[:, 0, 2] = np.any(shown, axis=1)
        return self._put(match)

    def _views(self, panorama: Ints) -> Tensor:
        """[B, 36, D] zeros where there is none (-1)."""
        return self._put(self.perception.views(panorama, self.features)).float()

    def _put(self, array: NDArray[np.generic]) -> Tensor:
        return torch.from_numpy(array).to(self.device)


def _orientations() -> NDArray[np.float32]:
    """[36, 36, 128] what turning from one view to another feels like.

    The four numbers [sin dpsi, cos dpsi, sin domega, cos domega] are repeated 32 times each.
    """
    views = np.arange(VIEWS)
    turn = view_heading(views)[None, :] - view_heading(views)[:, None]
    tilt = view_elevation(views)[None, :] - view_elevation(views)[:, None]
    four = np.stack([np.sin(turn), np.cos(turn), np.sin(tilt), np.cos(tilt)], axis=-1)
    return np.repeat(four, ORIENTATION_SIZE // 4, axis=-1).astype(np.float32)


class _Similarity:
    """delta: for each current view the cosine of the most similar target view.

    It depends on the two panoramas alone, so every pair is computed once and remembered.
    """

    def __init__(self, perception: Perception) -> None:
        self._perception = perception
        self._row = np.full(perception.pair_count, _UNKNOWN_PAIR, dtype=np.int32)
        self._table = np.zeros((_FIRST_PAIRS, VIEWS), dtype=np.float16)
        self._count = 0

    def ahead(
        self, here: Ints, target: Ints, heading: Ints, views: Tensor, sought: Tensor
    ) -> NDArray[np.float32]:
        """[B, 36] with the views in order from the heading ahead; zeros without a target.

        Args:
            here: [B] panoramas.
            target: [B] the targets' panoramas, -1 without a target.
            heading: [B] the heading ahead.
            views: [B, 36, D] what is seen here.
            sought: [B, 36, D] what is seen from the targets.
        """
        exists = np.flatnonzero(target >= 0)
        pair = self._perception.pair_index(here[exists], target[exists])
        new, first = np.unique(pair, return_index=True)
        unknown = self._row[new] == _UNKNOWN_PAIR
        if unknown.any():
            self._remember(new[unknown], _most_similar(views, sought, exists[first[unknown]]))
        delta = np.zeros((len(here), 3, HEADINGS), dtype=np.float32)
        delta[exists] = self._table[self._row[pair]].reshape(-1, 3, HEADINGS)
        order = (np.arange(HEADINGS) + heading[:, None]) % HEADINGS
        return np.take_along_axis(delta, order[:, None, :], axis=2).reshape(-1, VIEWS)

    def _remember(self, pairs: Ints, delta: NDArray[np.float16]) -> None:
        end = self._count + len(pairs)
        while end > len(self._table):
            self._table = np.concatenate([self._table, np.zeros_like(self._table)])
        self._table[self._count : end] = delta
        self._row[pairs] = np.arange(self._count, end)
        self._count = end


def _most_similar(views: Tensor, sought: Tensor, rows: Ints) -> NDArray[np.float16]:
    """[n, 36] for each view in n rows of [B, 36, D] the cosine of the most similar one that is sought.

    A zero vector is similar to nothing.
    """
    products = views.new_empty(len(rows), VIEWS, VIEWS)
    lengths = views.new_empty(2, len(rows), VIEWS)
    # Always of one shape and in one place: the last bits of a product depend on both, and the result must not
    # depend on who else is in the batch.
    here, there = torch.empty_like(views[0]), torch.empty_like(views[0])
    for i, row in enumerate(rows.tolist()):
        torch.mm(here.copy_(views[row]), there.copy_(sought[row]).T, out=products[i])
        torch.linalg.vector_norm(here, dim=-1, out=lengths[0, i])
        torch.linalg.vector_norm(there, dim=-1, out=lengths[1, i])
    of_here, of_there = lengths.clamp_(min=_TINY)
    cosine = (products / of_there.unsqueeze(1)).amax(dim=2) / of_here
    return cosine.half().cpu().numpy()
