"""What networks have in common: their configuration, what they read and what they put out."""

from dataclasses import dataclass
from typing import Any, Literal, Protocol

import torch
from torch import Tensor

from helpanna.agents.senses import Ints, Sight
from helpanna.tasks.vocabulary import MAX_WORDS

Kind = Literal["hierarchical", "lstm"]


@dataclass(frozen=True)
class NetworkConfig:
    """The shape of an agent's networks; the defaults are the paper's.

    Attributes:
        features: numbers a view, from the atlas.
        vocabulary: words known, the unknown and the padding included.
        kind: "hierarchical", or the LSTM encoder-decoder baseline.
        hidden: size of all states.
        heads: of the multi-headed attention.
        action_embedding, ask_embedding: sizes of the embedded navigation and help-request actions.
        text_layers: Transformer layers of the text encoder.
        dropout: ratio in training.
        shared_text: whether one text encoder serves both networks; the paper's have one each.
        condition_prediction: whether the request is decided from predicted conditions, or directly from the
            state.
        stop_embedding: whether the action scorer knows stop by a learned vector; otherwise stop is a zero
            vector, as in the paper, and its score is always 0.
        inter_reset: whether the inter-task state starts afresh with every task (hierarchical only).
        similarity_attention: whether SimAttend's result is subtracted; otherwise beta = 0 (hierarchical
            only).
        words_in_sight: whether actions are also scored by the words in sight (not in the paper).
    """

    features: int
    vocabulary: int
    kind: Kind = "hierarchical"
    hidden: int = 256
    heads: int = 8
    action_embedding: int = 256
    ask_embedding: int = 128
    text_layers: int = 1
    dropout: float = 0.3
    shared_text: bool = False
    condition_prediction: bool = True
    stop_embedding: bool = False
    inter_reset: bool = True
    similarity_attention: bool = True
    words_in_sight: bool = False


@dataclass(frozen=True, eq=False)
class Outputs:
    """What the networks put out for B agents.

    Attributes:
        log_nav: [B, A] the logarithm of the navigation distribution; -inf where there is no action.
        log_ask: [B, 2] of the help-request distribution: do_nothing, request_help.
        reasons: [B, 3] logits of the conditions lost, uncertain_wrong and never_asked; None if they are
            not predicted.
    """

    log_nav: Tensor
    log_ask: Tensor
    reasons: Tensor | None = None


@dataclass(frozen=True, eq=False)
class Texts:
    """n texts of W words in all, written one behind the other so that no padding is computed.

    Attributes:
        words: [W] word indices.
        position: [W] each word's place in its text.
        place: [W] each word's place in the table [n * L].
        exists: [n, 50] which places of the table, widened to 50, have a word.
        width: L, the longest text's length.
    """

    words: Tensor
    position: Tensor
    place: Tensor
    exists: Tensor
    width: int

    @staticmethod
    def packed(tokens: Ints, length: Ints, device: torch.device) -> "Texts":
        """Only the words that exist."""
        return Texts._of(tokens, length, device, int(length.max()), packed=True)

    @staticmethod
    def padded(tokens: Ints, length: Ints, device: torch.device) -> "Texts":
        """All places, so that texts of any length have one shape, and their result is one."""
        return Texts._of(tokens, length, device, MAX_WORDS, packed=False)

    @staticmethod
    def _of(tokens: Ints, length: Ints, device: torch.device, width: int, packed: bool) -> "Texts":
        table = torch.from_numpy(tokens[:, :width]).to(device)
        positions = torch.arange(MAX_WORDS, device=device)
        exists = positions < torch.from_numpy(length).to(device)[:, None]
        kept = exists[:, :width] if packed else torch.ones_like(exists[:, :width])
        place = kept.flatten().nonzero().squeeze(1)
        return Texts(table.flatten()[place], place % width, place, exists, width)

    def spread(self, x: Tensor) -> Tensor:
        """[N, W, size] to the table [N, n, L, size], zeros where there is no word."""
        n, size = len(x), x.shape[-1]
        if len(self.place) == len(self.exists) * self.width:
            return x.view(n, len(self.exists), self.width, size)
        table = x.new_zeros(n, len(self.exists) * self.width, size)
        return table.index_copy(1, self.place, x).view(n, len(self.exists), self.width, size)

    def gather(self, table: Tensor) -> Tensor:
        """[N, n, L, size] to [N, W, size]."""
        return table.flatten(1, 2)[:, self.place]


class Networks(Protocol):
    """An agent's networks: a state that they move on, step by step, for B agents at once."""

    config: NetworkConfig

    def begin(self, agents: int, steps: int) -> Any:
        """The state of so many agents before the first of at most so many steps."""
        ...

    def encode(self, texts: Texts) -> tuple[Tensor, Tensor]:
        """Two tables [N, n, L, H]: what is kept of the texts."""
        ...

    def read(self, state: Any, rows: Tensor, keys: Tensor, values: Tensor, exists: Tensor) -> None:
        """These agents have new texts."""
        ...

    def step(self, state: Any, sight: Sight) -> Outputs:
        """What the networks make of what they see; the state moves on one step."""
        ...

    def took(self, state: Any, asked: Tensor, action: Tensor) -> None:
        """What the agents did."""
        ...
