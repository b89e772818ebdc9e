"""The average of the weights over the last iterations: an agent that does not sway with the last batches.

An exponential average: a_i = d a_(i-1) + (1 - d) w_i. In the first iterations d is smaller, so that the
weights at the start, which mean nothing, are soon forgotten.
"""

import copy

import torch
from torch import nn


class Average:
    """Networks with averaged weights; without averaging, the networks themselves.

    Attributes:
        networks: what is evaluated and saved as an agent.
        decay: d, the share that the average keeps of itself with each iteration; 0 for no average.
    """

    def __init__(self, networks: nn.Module, decay: float) -> None:
        self._learning = networks
        self.decay = decay
        self.networks = copy.deepcopy(networks) if decay else networks

    def update(self, iteration: int) -> None:
        """The weights have changed in this iteration, the first is 0."""
        if not self.decay:
            return
        share = 1 - min(self.decay, (1 + iteration) / (10 + iteration))
        with torch.no_grad():
            pairs = zip(self.networks.parameters(), self._learning.parameters(), strict=True)
            for average, weight in pairs:
                average.lerp_(weight, share)
