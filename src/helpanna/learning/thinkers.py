"""Those of a batch whom networks still think for: agents whose episodes are finished leave it."""

from dataclasses import fields, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from helpanna.agents.mind import Mind
from helpanna.agents.networks.protocol import Outputs
from helpanna.episodes.observation import Observation

CROWDED = 0.8
"""Below this share of agents that go on, the others leave: that costs a copy of all that is remembered."""


class Thinkers:
    """A mind of B agents, of which ever fewer think.

    Networks that cannot let agents go (see `Networks`) think for all to the end.
    """

    def __init__(self, mind: Mind) -> None:
        self._mind = mind
        self._rows: NDArray[np.int64] | None = None  # who thinks; None for all
        self._seen: Observation | None = None

    def think(self, observation: Observation) -> Outputs:
        """What the networks put out for all B agents; zeros for those who have left."""
        self._let_go(observation.active)
        self._seen = observation if self._rows is None else observation.select(self._rows)
        outputs = self._mind.think(self._seen)
        if self._rows is None:
            return outputs
        rows, agents = torch.from_numpy(self._rows).to(outputs.log_nav.device), len(observation.active)
        told = {f.name: getattr(outputs, f.name) for f in fields(outputs)}
        spread = {name: _spread(x, rows, agents) for name, x in told.items() if x is not None}
        return replace(outputs, **spread)

    def may_ask(self, observation: Observation) -> NDArray[np.bool_]:
        """[B] whether the agents may request help; who has left may not."""
        assert self._seen is not None  # noqa: S101  # they have thought before
        may = self._mind.may_ask(self._seen)
        if self._rows is None:
            return may
        of_all = np.zeros(len(observation.active), dtype=bool)
        of_all[self._rows] = may
        return of_all

    def _let_go(self, active: NDArray[np.bool_]) -> None:
        going_on = active if self._rows is None else active[self._rows]
        if np.mean(going_on) >= CROWDED or not self._mind.can_part:
            return
        kept = np.flatnonzero(going_on)
        self._mind = self._mind.select(kept)
        self._rows = kept if self._rows is None else self._rows[kept]


def _spread(x: Tensor, rows: Tensor, agents: int) -> Tensor:
    return x.new_zeros(agents, *x.shape[1:]).index_copy(0, rows, x)
