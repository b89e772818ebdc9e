"""What an agent thinks with: the protocol of networks, what they put out, and the shape of the paper's."""

from dataclasses import dataclass
from typing import Any, Protocol

from torch import Tensor

from helpanna.agents.senses import Sight


@dataclass(frozen=True)
class NetworkConfig:
    """The shape of the paper's networks and of its LSTM baseline; the defaults are the paper's.

    Attributes:
        features: numbers a view, from the atlas.
        vocabulary: words known, the unknown and the padding included.
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
        inter_reset: whether the inter-task state is reset with every task (hierarchical only).
        similarity_attention: whether SimAttend's result is subtracted; otherwise beta = 0 (hierarchical
            only).
        words_in_sight: whether actions are also scored by the words in sight (not in the paper).
    """

    features: int
    vocabulary: int
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
        attention: [B, 50] how much the navigation network attends to each word of the text, to look at; None
            unless the networks' attribute `explains` is set, and from networks that do not say.
    """

    log_nav: Tensor
    log_ask: Tensor
    reasons: Tensor | None = None
    attention: Tensor | None = None


class Networks(Protocol):
    """What an agent thinks with: a state that moves on, step by step, for B agents at once.

    Any `torch.nn.Module` with these methods can be trained, saved and evaluated: examples/own_network.py. Its
    class is made of a dataclass, its attribute `Config`, that begins with `features` (numbers a view) and
    `vocabulary` (words known, the unknown and the padding included); its other fields have defaults.

    A state that is a dataclass whose fields say what belongs to which agent (`networks/states.py`) makes
    networks faster: agents whose episodes are finished then leave.

    What is put out for an agent must depend on that agent alone. When agents act, `step` always has the same
    number of them; `read` has as many rows as there are new texts, and the last bits of a matrix product over
    them would depend on that number: `texts.Library` brings such products to one shape.

    Attributes:
        config: what it was made of.
    """

    config: Any

    def begin(self, agents: int, steps: int) -> Any:
        """The state of B agents before their first step; `steps` is the most that may follow."""
        ...

    def read(self, state: Any, rows: Tensor, tokens: Tensor, length: Tensor) -> None:
        """Some agents have new texts, before the step at which they have them.

        Args:
            state: of all agents.
            rows: [n] which agents.
            tokens: [n, 50] word indices, padded with zeros.
            length: [n] numbers of words, at least 1.
        """
        ...

    def step(self, state: Any, sight: Sight) -> Outputs:
        """What it makes of what the agents see; the state moves on one step."""
        ...

    def took(self, state: Any, asked: Tensor, action: Tensor) -> None:
        """What the agents did after a step, whoever decided it.

        Args:
            state: of all agents.
            asked: [B] whether they requested help.
            action: [B] their navigation actions, 0 (stop) where they requested help.
        """
        ...
