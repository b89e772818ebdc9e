"""Target images: what they show, and how much the places of a map look like them."""

import numpy as np
import torch
from numpy.typing import NDArray

from helpanna.agents.mapping.episode_map import EpisodeMap
from helpanna.episodes.observation import Observation
from helpanna.episodes.perception import Perception
from helpanna.episodes.trajectory import NO_TARGET
from helpanna.worlds.geometry import VIEWS

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

_TINY = 1e-6


class Aims:
    """The target images of B agents, with room for P places each.

    Attributes:
        target: [B] the panorama that is shown, -1 for none.
        look: [B, D] of what it shows each feature's largest value over its 36 views; zeros for none.
        likeness: [B, P] how much a place looks like it: 1 at the place itself, 0 without a target. One that
            was visited is compared as a whole, another one by the view towards it with the most similar view.
        aligned: [B, P] likewise, but each view is compared with the one of the same direction: what lies far
            ahead of both is seen from both.
    """

    def __init__(self, perception: Perception, features: str | None, agents: int, capacity: int) -> None:
        self._perception, self._features = perception, features
        size = perception.views(np.array([-1]), features).shape[-1]
        self.target = np.full(agents, NO_TARGET, dtype=np.int64)
        self.look = np.zeros((agents, size), dtype=np.float32)
        self.likeness, self.aligned = np.zeros((2, agents, capacity), dtype=np.float32)
        self._views = np.zeros((agents, VIEWS, size), dtype=np.float32)

    def take(self, agents: Ints, observation: Observation) -> None:
        """These agents are shown another target image."""
        self.target[agents] = observation.target[agents]
        views = as_floats(self._perception.views(observation.target[agents], self._features))
        self._views[agents] = _unit(views)
        self.look[agents] = views.max(axis=1)

    def compare(self, agents: Ints, places: Ints, looks: Floats, known: EpisodeMap) -> None:
        """How much k places, one of each agent named, look like its target.

        Args:
            agents: [k] whose.
            places: [k] which.
            looks: [k, D] what they look like.
            known: the maps.
        """
        look, been = _unit(looks), known.visited[agents, places]
        whole = np.einsum("kd,kd->k", look, _unit(self.look[agents]))
        part, same = np.zeros((2, len(look)), dtype=np.float32)
        glimpses = np.flatnonzero(~been)
        who = agents[glimpses]
        by_view = np.einsum("kd,kvd->kv", look[glimpses], self._views[who])
        part[glimpses] = by_view.max(axis=1, initial=-1)
        same[glimpses] = by_view[np.arange(len(who)), known.glimpse_view[who, places[glimpses]]]
        aimed = np.flatnonzero(been & (self.target[agents] != NO_TARGET))
        who = agents[aimed]
        views = self._perception.views(known.panorama[who, places[aimed]], self._features)
        # View by view: a sum over views and features at once is rounded otherwise when k is 1.
        by_view = np.einsum("kvd,kvd->kv", _unit(as_floats(views)), self._views[who])
        same[aimed] = by_view.mean(axis=1)
        aims = self.target[agents] != NO_TARGET
        self.likeness[agents, places] = np.where(been, whole, part) * aims
        self.aligned[agents, places] = same * aims

    def make_room(self, missing: int) -> None:
        """Room for this many places more."""
        self.likeness, self.aligned = (
            np.pad(table, [(0, 0), (0, missing)]) for table in (self.likeness, self.aligned)
        )


def as_floats(x: NDArray[np.float16]) -> Floats:
    """The same numbers in single precision; torch does that several times as fast as NumPy."""
    return torch.from_numpy(x).float().numpy()


def _unit(x: Floats) -> Floats:
    return x / (np.linalg.norm(x, axis=-1, keepdims=True) + _TINY)
