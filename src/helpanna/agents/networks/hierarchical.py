"""The hierarchical recurrent agent: the navigation network and the help-request network of the paper.

The appendix's sections "Features" and "Model", equation by equation, in `HierarchicalNetworks.step`. Both
networks have the same shape and are computed side by side (N = 2, navigation first) up to the point where the
help-request network needs the navigation distribution. `Linear` and `new_memory` come from `fast/`; they mean
matrix products and `plain.Memory`.
"""

from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.nn import functional

from helpanna.agents.networks.attention import (
    FFN,
    DotAttend,
    Dropout,
    IncTime,
    LayerNorm,
    MultiAttend,
    WordEmbedding,
    dots,
    sinusoids,
)
from helpanna.agents.networks.fast import Linear, new_memory
from helpanna.agents.networks.plain import Memory
from helpanna.agents.networks.protocol import NetworkConfig, Outputs
from helpanna.agents.networks.states import AGENTS_FIRST, AGENTS_SECOND
from helpanna.agents.networks.texts import Library, Shelf, Texts
from helpanna.agents.networks.word_match import WordMatch
from helpanna.agents.senses import ORIENTATION_SIZE, REPEATS, Sight
from helpanna.episodes.conditions import CONDITIONS
from helpanna.tasks.vocabulary import MAX_WORDS
from helpanna.worlds.geometry import SLOTS, VIEWS

NETWORKS = 2
NAVIGATION, HELP_REQUEST = slice(0, 1), slice(1, 2)
NOTHING_YET = 2
"""The last help-request action before the first step; 0 is do_nothing, 1 is request_help."""


@dataclass(eq=False)
class HierarchicalState:
    """What the networks remember of B episodes."""

    step: int
    local_times: Tensor  # [2, T, H] the local-time embedding by the number of steps since the last reset
    library: Library  # texts that were encoded
    since: Tensor = field(metadata=AGENTS_FIRST)  # [B] the step of the last reset
    h_inter: Tensor = field(metadata=AGENTS_SECOND)  # [2, B, H]
    inter: Memory = field(metadata=AGENTS_FIRST)
    global_time: Tensor = field(metadata=AGENTS_SECOND)  # [2, B, H]
    text: Memory = field(metadata=AGENTS_FIRST)  # M^text, of 50 words
    text_exists: Tensor = field(metadata=AGENTS_FIRST)  # [B, 50]
    intra: tuple["IntraState", "IntraState"] = field(metadata=AGENTS_FIRST)
    last_action: Tensor = field(metadata=AGENTS_FIRST)  # [B, D + 128] the embedding, before W^act
    last_ask: Tensor = field(metadata=AGENTS_FIRST)  # [B]
    text_width: int = MAX_WORDS  # how many words are attended to
    actions: Tensor | None = field(default=None, metadata=AGENTS_FIRST)  # [B, A, D + 128] of the last step
    words: Tensor | None = field(default=None, metadata=AGENTS_FIRST)  # [B, 50, size] keys for `WordMatch`


@dataclass(eq=False)
class IntraState:
    """The intra-task memories of one network, and which of their entries SimAttend may take."""

    memory: Memory = field(metadata=AGENTS_FIRST)  # what SelfAttend attends to
    similar: Memory = field(metadata=AGENTS_FIRST)  # of SimAttend: inputs q of length one, outputs h
    comparable: list[Tensor] = field(metadata=AGENTS_FIRST)  # [B] for each entry


class TransEncoder(nn.Module):
    """TransEncoder(l), N side by side: word embeddings and sinusoids through Transformer layers."""

    def __init__(self, networks: int, config: NetworkConfig) -> None:
        super().__init__()
        size = config.hidden
        self.embedding = WordEmbedding(networks, config.vocabulary, size)
        nn.init.normal_(self.embedding.weight, std=size**-0.5)
        self.scale = size**0.5
        self.register_buffer("positions", sinusoids(MAX_WORDS, size), persistent=False)
        self.positions: Tensor
        self.dropout = Dropout(config.dropout)
        self.attend = nn.ModuleList(
            _SelfAttention(networks, size, config.heads, config.dropout) for _ in range(config.text_layers)
        )
        self.ffn = nn.ModuleList(FFN(networks, size, config.dropout) for _ in range(config.text_layers))

    def forward(self, texts: Texts) -> Tensor:
        """[N, W, size] for the W words of all texts."""
        x = self.dropout(self.embedding(texts.words) * self.scale + self.positions[texts.position])
        for attend, ffn in zip(self.attend, self.ffn, strict=True):
            x = ffn(attend(x, texts))
        return x


class _SelfAttention(nn.Module):
    """The Transformer's: every word attends to all words of its text."""

    def __init__(self, networks: int, size: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.inputs = Linear(networks, size, 3 * size)
        self.out = Linear(networks, size, size)
        self.dropout = Dropout(dropout)
        self.norm = LayerNorm(networks, size)

    def forward(self, x: Tensor, texts: Texts) -> Tensor:
        size = x.shape[-1]
        table = texts.spread(self.inputs(x))  # [N, n, L, 3 size]
        networks, n, length, _ = table.shape
        split = (networks * n, length, 3, self.heads, size // self.heads)
        q, k, v = table.reshape(split).permute(2, 0, 3, 1, 4)  # [Nn, heads, L, size / heads] each
        exists = texts.exists[:, None, None, :length].repeat(networks, 1, 1, 1)
        attended = functional.scaled_dot_product_attention(q, k, v, exists)
        words = texts.gather(attended.transpose(1, 2).reshape(networks, n, length, size))
        return self.norm(x + self.dropout(self.out(words)))


class IntraTask(nn.Module):
    """The intra-task component of one network: the state of the entire episode."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        size = config.hidden
        self.self_attend = MultiAttend(1, size, config.heads, config.dropout)
        self.ffn = FFN(1, size, config.dropout)
        self.gate = Linear(1, 2 * size, size) if config.similarity_attention else None

    def begin(self, zero: Tensor, capacity: int) -> IntraState:
        """Memories that hold a zero pair [1, B, size]."""
        return IntraState(
            memory=self.self_attend.begin(zero, capacity),
            similar=new_memory(zero, zero, capacity),
            comparable=[zero.new_zeros(zero.shape[1], dtype=torch.bool)],
        )

    def forward(self, q: Tensor, state: IntraState) -> Tensor:
        """h^intra [1, B, size] of the input q^intra; remembers both."""
        everything = torch.ones(q.shape[1], state.memory.size, dtype=torch.bool, device=q.device)
        h = self.ffn(self.self_attend(q, state.memory, everything))  # tentative: h-bar of the paper
        if self.gate is not None:
            unit = functional.normalize(q, dim=-1)
            similar = state.similar.similar(unit, torch.stack(state.comparable, dim=1))
            # h = h-bar - beta * h-tilde, beta = sigmoid(W_gate [h-bar; h-tilde]) (section 5)
            beta = torch.sigmoid(self.gate(torch.cat([h, similar], dim=-1)))
            h = h - beta * similar
            state.similar.append(unit, h)
        self.self_attend.remember(state.memory, q, h)
        return h


class HierarchicalNetworks(nn.Module):
    """Both networks of the paper's agent."""

    Config = NetworkConfig
    explains = False

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        self._shelf = Shelf()
        size, features = config.hidden, config.features
        self.text_encoder = TransEncoder(1 if config.shared_text else NETWORKS, config)
        self.local_time = IncTime(NETWORKS, size, size)
        self.global_time = IncTime(NETWORKS, 2 * size, size)
        # Inter-task component
        self.inter_look = DotAttend(NETWORKS, size, features, size)
        self.inter_input = Linear(NETWORKS, features + REPEATS * VIEWS, size)
        self.action_input = Linear(1, config.action_embedding, size, bias=False)
        self.ask_input = Linear(1, config.ask_embedding, size, bias=False)
        self.inter_attend = MultiAttend(NETWORKS, size, config.heads, config.dropout)
        self.text_attend = MultiAttend(NETWORKS, size, config.heads, config.dropout)
        self.text_ffn = FFN(NETWORKS, size, config.dropout)
        self.look = DotAttend(NETWORKS, size, features, size)
        self.compare = DotAttend(NETWORKS, size, features, size)
        # Intra-task component
        self.intra_input = Linear(NETWORKS, size + 2 * features + REPEATS * VIEWS, size)
        self.distribution_input = Linear(1, REPEATS * SLOTS, size, bias=False)
        self.navigation = IntraTask(config)
        self.help_request = IntraTask(config)
        # Heads
        self.action_embedding = Linear(1, features + ORIENTATION_SIZE, config.action_embedding, bias=False)
        self.ask_embedding = nn.Embedding(3, config.ask_embedding)
        self.out = Linear(1, size, config.action_embedding)
        self.stop = Linear(1, config.action_embedding, 1, bias=False) if config.stop_embedding else None
        self.word_match = WordMatch(size, size) if config.words_in_sight else None
        self.reasons = Linear(1, size, len(CONDITIONS)) if config.condition_prediction else None
        self.ask = Linear(1, len(CONDITIONS) if config.condition_prediction else size, 2)

    def begin(self, agents: int, steps: int) -> HierarchicalState:
        """The state of B agents before their first step; `steps` is the most that may follow."""
        config = self.config
        parameter = self.out.weight
        zero = parameter.new_zeros(NETWORKS, agents, config.hidden)
        capacity = steps + 1
        return HierarchicalState(
            step=0,
            since=torch.zeros(agents, dtype=torch.long, device=parameter.device),
            h_inter=zero,
            inter=self.inter_attend.begin(zero, capacity),
            local_times=self._local_times(steps),
            global_time=zero,
            text=new_memory(zero, zero, MAX_WORDS, config.heads),
            text_exists=torch.zeros(agents, MAX_WORDS, dtype=torch.bool, device=parameter.device),
            library=self._shelf.library(self, self.encode),
            intra=(
                self.navigation.begin(zero[NAVIGATION], capacity),
                self.help_request.begin(zero[HELP_REQUEST], capacity),
            ),
            last_action=parameter.new_zeros(agents, config.features + ORIENTATION_SIZE),
            last_ask=torch.full((agents,), NOTHING_YET, device=parameter.device),
            words=None if self.word_match is None else self.word_match.begin(agents),
        )

    def _local_times(self, steps: int) -> Tensor:
        """eta^loc depends on the number of steps since the last reset alone: computed once for all agents."""
        times = [self.out.weight.new_zeros(NETWORKS, 1, self.config.hidden)]
        for _ in range(steps - 1):
            times.append(self.local_time(times[-1]))
        return torch.cat(times, dim=1)

    def encode(self, texts: Texts) -> tuple[Tensor, Tensor]:
        """M^text of these texts, as keys and values [2, n, L, H] of the text attention."""
        words = self.text_encoder(texts).expand(NETWORKS, -1, -1)
        attend = self.text_attend
        return texts.spread(attend.key(words)), texts.spread(attend.value(words))

    def read(self, state: HierarchicalState, rows: Tensor, tokens: Tensor, length: Tensor) -> None:
        """These agents have new texts: [n, 50] words, and [n] how many there are."""
        keys, values, exists = state.library.lookup(tokens, length)
        state.text.replace(rows, keys, values)
        state.text_exists = state.text_exists.index_copy(0, rows, exists)
        if self.word_match is not None:
            state.words = self.word_match.read(state.words, rows, keys[NAVIGATION])
        state.text_width = _longest(state.text_exists) if torch.is_grad_enabled() else MAX_WORDS

    def step(self, state: HierarchicalState, sight: Sight) -> Outputs:
        """What both networks make of what they see; the state moves on one step."""
        t = state.step
        similarity = sight.similarity.repeat(1, REPEATS).expand(NETWORKS, -1, -1)
        h_inter = state.h_inter
        if self.config.inter_reset:
            state.since = torch.where(sight.changed, t, state.since)
            h_inter = h_inter * ~sight.changed[:, None]
        if t >= state.local_times.shape[1]:  # longer than was foreseen
            state.local_times = self._local_times(2 * t)
        local_time = state.local_times[:, t - state.since]

        # Appendix, Model, "Inter-task component": the execution of the current task.
        # c^inter = DotAttend(h^inter_(t-1), I^cur)
        c_inter = self.inter_look(h_inter, sight.views)
        last = torch.cat(
            [
                self.action_input(self.action_embedding(state.last_action.unsqueeze(0))),
                self.ask_input(self.ask_embedding(state.last_ask).unsqueeze(0)),
            ]
        )
        # q^inter = W_inter [c^inter; a_(t-1); delta] + eta^loc, with W_inter cut into its parts
        q_inter = self.inter_input(torch.cat([c_inter, similarity], dim=-1)) + last + local_time
        entries = torch.arange(t + 1, device=state.since.device)
        remembered = (entries == 0) | (entries > state.since[:, None])  # the zero pair, and since the reset
        # h^inter = SelfAttend(q^inter, M^inter_in, M^inter_out)
        h_inter = self.inter_attend(q_inter, state.inter, remembered)
        self.inter_attend.remember(state.inter, q_inter, h_inter)
        state.h_inter = h_inter

        # c^text = FFN(MultiAttend(h^inter, M^text, M^text)), then c^cur and c^tgt by DotAttend(c^text, I)
        in_text = state.text_exists[:, : state.text_width]
        c_text = self.text_ffn(self.text_attend(h_inter, state.text, in_text))
        attention = self.text_attend.weights(h_inter, state.text, in_text)[0] if self.explains else None
        c_cur = self.look(c_text, sight.views)
        c_tgt = self.compare(c_text, sight.target) * sight.has_target[:, None]

        # Appendix, Model, "Intra-task component": the state of the entire episode.
        # eta^glob = IncTime([eta^loc; eta^glob_(t-1)]) (Features, "Time features")
        state.global_time = self.global_time(torch.cat([local_time, state.global_time], dim=-1))
        # q^intra = W_intra [c^text; c^cur; c^tgt; delta] + eta^glob, and for the help-request network P^nav
        q_intra = self.intra_input(torch.cat([c_text, c_cur, c_tgt, similarity], dim=-1)) + state.global_time
        h_nav = self.navigation(q_intra[NAVIGATION], state.intra[0])

        # P^nav = softmax((W^out h) . (W^act E)): the state is brought to the actions, not they to it.
        out = self.out(h_nav)
        query = self.action_embedding.transposed(out)[0]
        scores = dots(query, sight.actions)
        if self.stop is not None:  # otherwise the score of stop is 0, like its embedding
            scores = torch.cat([self.stop(out)[0], scores[:, 1:]], dim=1)
        if self.word_match is not None:
            scores = scores + self.word_match(h_nav, state.words, state.text_exists, sight.words)
        log_nav = torch.log_softmax(scores.masked_fill(~sight.exists, -torch.inf), dim=-1)

        # A fact to the help-request network: its losses do not teach the other network to navigate.
        p_nav = log_nav.new_zeros(len(log_nav), SLOTS).scatter_add(1, sight.slot, log_nav.detach().exp())
        extra = self.distribution_input(p_nav.repeat(1, REPEATS).unsqueeze(0))
        h_ask = self.help_request(q_intra[HELP_REQUEST] + extra, state.intra[1])
        # P^reason from E^reason h, P^ask = Softmax(E^ask E^reason h)
        reasons = None if self.reasons is None else self.reasons(h_ask)
        log_ask = torch.log_softmax(self.ask(h_ask if reasons is None else reasons)[0], dim=-1)

        state.step, state.actions = t + 1, sight.actions
        why = None if reasons is None else reasons[0]
        return Outputs(log_nav=log_nav, log_ask=log_ask, reasons=why, attention=attention)

    def took(self, state: HierarchicalState, asked: Tensor, action: Tensor) -> None:
        """What the agents did: [B] whether help was requested, [B] the navigation action (0 where it was)."""
        assert state.actions is not None  # noqa: S101  # a step came before
        state.last_action = state.actions[torch.arange(len(action)), action]
        state.last_ask = asked.long()
        state.intra[0].comparable.append(torch.ones_like(asked))
        state.intra[1].comparable.append(asked)


def _longest(exists: Tensor) -> int:
    """The length of the longest of the texts whose words exist [B, 50].

    Learning needs no more than that; acting takes all 50, so that its products always have one shape.
    """
    return int(exists.any(dim=0).sum())
