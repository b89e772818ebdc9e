"""Words in sight: actions that show what the words of the instruction name (not in the paper).

The navigation state attends to the words; an action's match is the weight of the words that name something in
its view. How much matches count for its score, the state decides:

    a = softmax_l((W_q h) . (W_k k_l) / sqrt(size)),   score_i += (W_g h + b) . sum_l a_l match_il
"""

import torch
from torch import Tensor, nn

from helpanna.agents.networks.attention import dots
from helpanna.agents.networks.fast import Linear
from helpanna.agents.senses import MATCHES
from helpanna.tasks.vocabulary import MAX_WORDS

_SIZE = 32


class WordMatch(nn.Module):
    """Scores of actions by the words in sight, for one network."""

    def __init__(self, query_size: int, key_size: int) -> None:
        super().__init__()
        self.query = Linear(1, query_size, _SIZE)
        self.key = Linear(1, key_size, _SIZE, bias=False)
        self.gain = Linear(1, query_size, MATCHES)
        assert self.gain.bias is not None  # noqa: S101
        with torch.no_grad():  # what is named attracts from the start: attention has something to learn by
            self.gain.bias.copy_(torch.tensor([1.0, 1.0, 0.0]))

    def begin(self, agents: int) -> Tensor:
        """[B, 50, size] the keys of words before anything is read."""
        return self.key.weight.new_zeros(agents, MAX_WORDS, _SIZE)

    def read(self, known: Tensor | None, rows: Tensor, keys: Tensor) -> Tensor:
        """These agents have new texts: the text attention's keys [1, rows, L, H] of the network."""
        assert known is not None  # noqa: S101
        _, n, length, _ = keys.shape
        new = self.key(keys.flatten(1, 2)).view(n, length, _SIZE)
        table = new.new_zeros(n, MAX_WORDS, _SIZE)
        table[:, :length] = new
        return known.index_copy(0, rows, table)

    def forward(self, h: Tensor, known: Tensor, exists: Tensor, match: Tensor) -> Tensor:
        """[B, A] what is added to the scores of actions.

        Args:
            h: [1, B, query_size] the states.
            known: [B, 50, size] the keys of the words.
            exists: [B, 50] which words there are.
            match: [B, A, 3, 50] which words name something in sight of each action, see `Sight`.
        """
        scores = dots(self.query(h)[0], known) * _SIZE**-0.5
        weights = torch.softmax(scores.masked_fill(~exists, -torch.inf), dim=-1)
        kinds = dots(weights, match.flatten(1, 2).to(weights.dtype)).view(match.shape[:3])  # [B, A, 3]
        return dots(self.gain(h)[0], kinds)
