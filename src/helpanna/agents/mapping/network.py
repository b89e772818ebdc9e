"""The network that chooses among the places of a map.

Places attend to each other (with a bias by the metres between them) and to the words of the instruction (with
a bias towards words that name something in sight there). Every known place gets a score: where to go. The
place where the agent stands means stop. One network serves both modes, finding the object and following a
route; a second head says from the state of the place here why help may be needed, and whether to request it.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from helpanna.agents.mapping.surveys import FACTS, FEWER_FACTS
from helpanna.agents.networks.attention import Dropout
from helpanna.tasks.vocabulary import MAX_WORDS

CONDITIONS = 3

_HIDDEN_SCORE = -1e9


@dataclass(frozen=True)
class MapNetworkConfig:
    """The shape of the network.

    Attributes:
        features: numbers a view, from the atlas.
        vocabulary: words known, the unknown and the padding included.
        hidden: size of all states.
        heads: of the attention.
        layers: how often places attend to each other and to the words.
        dropout: ratio in training.
        look_dropout: ratio of hidden features in training.
        words_in_sight: whether it is told which words of the instruction name something in sight.
        sees_target: whether it sees what the target image shows, not only how much places look like it.
        place_attention: whether places attend to each other.
    """

    features: int
    vocabulary: int
    hidden: int = 128
    heads: int = 4
    layers: int = 2
    dropout: float = 0.2
    look_dropout: float = 0.3
    words_in_sight: bool = False
    sees_target: bool = False
    place_attention: bool = True


@dataclass(frozen=True, eq=False)
class Places:
    """A survey as tensors; see `Survey`."""

    here: Tensor
    exists: Tensor
    visited: Tensor
    looks: Tensor
    match: Tensor
    things: Tensor
    named: Tensor
    aim: Tensor
    aim_words: Tensor
    facts: Tensor
    metres: Tensor


@dataclass(frozen=True, eq=False)
class Choices:
    """What the network puts out for B agents.

    Attributes:
        log_place: [B, P] the logarithm of the probability of each place; of the one here: stop.
        log_ask: [B, 2] do_nothing, request_help.
        reasons: [B, 3] logits of the conditions lost, uncertain_wrong and never_asked.
        attention: [B, L] how much the place with the highest score attends to each word, to look at; None
            unless the network's attribute `explains` is set.
    """

    log_place: Tensor
    log_ask: Tensor
    reasons: Tensor
    attention: Tensor | None = None


class Attention(nn.Module):
    """Multi-headed attention with a bias, residual connection; normalised before."""

    def __init__(self, size: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(size)
        self.query = nn.Linear(size, size)
        self.key_value = nn.Linear(size, 2 * size)
        self.out = nn.Linear(size, size)
        self.dropout = Dropout(dropout)

    def forward(self, x: Tensor, bias: Tensor, memory: Tensor | None = None) -> Tensor:
        """[B, P, H] attends to itself or to a memory, with a bias [B, heads or 1, P or 1, M].

        A memory is [B, M, 2 H]: keys and values, made once by `remember`, however often they are used.
        """
        normal = self.norm(x)
        key, value = (self.remember(normal) if memory is None else memory).chunk(2, dim=-1)
        q, k, v = (self._by_head(part) for part in (self.query(normal), key, value))
        attended = functional.scaled_dot_product_attention(q, k, v, bias)
        return x + self.dropout(self.out(attended.transpose(1, 2).flatten(2)))

    def weights(self, x: Tensor, bias: Tensor, memory: Tensor) -> Tensor:
        """[B, P, M] how much is taken of each entry of a memory, the mean over the heads."""
        q, k = (self._by_head(part) for part in (self.query(self.norm(x)), memory.chunk(2, dim=-1)[0]))
        scores = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5 + bias
        return torch.softmax(scores, dim=-1).mean(dim=1)

    def remember(self, x: Tensor) -> Tensor:
        """[B, M, H] as keys and values [B, M, 2 H]."""
        key_value: Tensor = self.key_value(x)
        return key_value

    def _by_head(self, x: Tensor) -> Tensor:
        return x.view(*x.shape[:2], self.heads, -1).transpose(1, 2)


class FeedForward(nn.Module):
    """Two linear maps, residual connection; normalised before."""

    def __init__(self, size: int, wide: int, dropout: float) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(size)
        self.wide = nn.Linear(size, wide)
        self.narrow = nn.Linear(wide, size)
        self.dropout = Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """[..., H] to the same."""
        return x + self.dropout(self.narrow(functional.gelu(self.wide(self.norm(x)))))


class MapNetwork(nn.Module):
    """Scores the places of maps; it remembers nothing between two calls."""

    Config = MapNetworkConfig
    explains = False

    def __init__(self, config: MapNetworkConfig) -> None:
        super().__init__()
        self.config = config
        size, heads, dropout = config.hidden, config.heads, config.dropout
        self.words = nn.Embedding(config.vocabulary, size)
        self.positions = nn.Parameter(torch.randn(MAX_WORDS, size) * 0.3)
        nn.init.normal_(self.words.weight, std=0.3)
        self.text_attend = Attention(size, heads, dropout)
        self.text_ffn = FeedForward(size, 4 * size, dropout)
        self.look = nn.Linear(config.features, size)
        # A glimpse is one view, a visited place the largest values of all: each has its own scale.
        self.glimpse_scale, self.visited_scale = (nn.Parameter(torch.ones(size)) for _ in range(2))
        self._facts = FACTS if config.sees_target else FEWER_FACTS
        self.facts = nn.Sequential(nn.Linear(self._facts, size), nn.GELU(), nn.Linear(size, size))
        self.matches = nn.Linear(6, size) if config.words_in_sight else None
        if config.sees_target:
            self.aim, self.meet = nn.Linear(config.features, size, bias=False), nn.Linear(size, size)
        if config.sees_target and config.words_in_sight:
            self.aim_words = nn.Parameter(torch.zeros(config.layers, 1, 2 * size))
        self.dropout, self.look_dropout = Dropout(dropout), Dropout(config.look_dropout)
        between = config.layers if config.place_attention else 0
        self.place_attend = nn.ModuleList(Attention(size, heads, dropout) for _ in range(between))
        self.word_attend = nn.ModuleList(Attention(size, heads, dropout) for _ in range(config.layers))
        self.ffn = nn.ModuleList(FeedForward(size, 2 * size, dropout) for _ in range(config.layers))
        near = -(torch.linspace(0, 1, heads) ** 2) / 2  # some heads look far, others at what is near
        self.nearness = nn.Parameter(near.repeat(between, 1))
        if config.words_in_sight:
            self.matching = nn.Parameter(torch.full((2, config.layers, heads), 2.0))
        self.norm = nn.LayerNorm(size)
        self.score = nn.Linear(size, 1)
        self.reasons = nn.Sequential(nn.Linear(size, size), nn.GELU(), nn.Linear(size, CONDITIONS))
        self.ask = nn.Linear(CONDITIONS, 2)

    def encode(self, tokens: Tensor, length: Tensor) -> tuple[Tensor, Tensor]:
        """[n, layers, L, 2 H] the words of n texts, and [n, 1, 1, L] a bias that hides what is no word."""
        exists = torch.arange(tokens.shape[1], device=tokens.device) < length[:, None]
        hidden = hiding(exists)[:, None, None]
        x = self.dropout(self.words(tokens) + self.positions[: tokens.shape[1]])
        x = self.text_ffn(self.text_attend(x, hidden))
        return torch.stack([attend.remember(x) for attend in self.word_attend], dim=1), hidden  # type: ignore[operator]

    def forward(self, places: Places, words: Tensor, hidden_words: Tensor) -> Choices:
        """Where to go, and whether to ask.

        Args:
            places: what B agents know.
            words: [B, layers, L, 2 H] of `encode`.
            hidden_words: [B, 1, 1, L] likewise.
        """
        x = self.look(self.look_dropout(places.looks))
        x = x * torch.where(places.visited[..., None], self.visited_scale, self.glimpse_scale)
        if self.config.sees_target:
            aim = self.aim(self.look_dropout(places.aim))[:, None]
            x = x + aim + self.meet(x * aim)
        if self.config.sees_target and self.config.words_in_sight:
            at_target = places.aim_words[:, : words.shape[2]].to(x.dtype)
            words = words + at_target[:, None, :, None] * self.aim_words
        x = x + self.facts(places.facts[..., : self._facts])
        match, things = (m[:, :, : words.shape[2]].to(x.dtype) for m in (places.match, places.things))
        if self.matches is not None:
            figures = [_match_figures(m, n) for m, n in zip((match, things), places.named.T, strict=True)]
            x = x + self.matches(torch.cat(figures, dim=-1))
        x = self.dropout(x)
        hidden_places = hiding(places.exists)[:, None, None]
        metres = places.metres[:, None] / 2
        for layer, (read, ffn) in enumerate(zip(self.word_attend, self.ffn, strict=True)):
            if self.config.place_attention:
                near = self.nearness[layer].view(1, -1, 1, 1) * metres
                x = self.place_attend[layer](x, hidden_places + near)
            bias = hidden_words
            if self.matches is not None:
                in_sight, named = (scale[layer].view(1, -1, 1, 1) for scale in self.matching)
                bias = bias + in_sight * match[:, None] + named * things[:, None]
            if self.explains:  # of the last layer
                attention = read.weights(x, bias, words[:, layer])  # type: ignore[operator]
            x = ffn(read(x, bias, words[:, layer]))
        x = self.norm(x)
        scores = self.score(x).squeeze(-1).masked_fill(~places.exists, -torch.inf)
        agents = torch.arange(len(x))
        here = x[agents, places.here]
        reasons = self.reasons(here)
        return Choices(
            log_place=torch.log_softmax(scores, dim=-1),
            log_ask=torch.log_softmax(self.ask(reasons), dim=-1),
            reasons=reasons,
            attention=attention[agents, scores.argmax(dim=1)] if self.explains else None,
        )


def _match_figures(match: Tensor, named: Tensor) -> Tensor:
    """[B, P, 3] how many words are in sight, whether any is, and which share of those that name something."""
    count = match.sum(dim=-1)
    return torch.stack([count / 3, match.amax(dim=-1), count / named.clamp(min=1)[:, None]], dim=-1)


def hiding(exists: Tensor) -> Tensor:
    """A bias that keeps attention from what does not exist."""
    return torch.zeros(exists.shape, device=exists.device).masked_fill(~exists, _HIDDEN_SCORE)
