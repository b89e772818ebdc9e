"""The baseline LSTM-EncDec: an LSTM encoder-decoder in the manner of Wang et al. (2018).

An LSTM encodes the words; two decoders side by side (N = 2, navigation first) attend to the words, to the
current view and, as the paper adds, to the target view. All that a decoder remembers of its past is the state
of its LSTM, which runs through the whole episode.
"""

from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from helpanna.agents.networks.attention import DotAttend, Dropout, WordEmbedding, dots
from helpanna.agents.networks.fast import Linear, new_memory
from helpanna.agents.networks.hierarchical import HELP_REQUEST, NAVIGATION, NETWORKS, NOTHING_YET
from helpanna.agents.networks.plain import Memory
from helpanna.agents.networks.protocol import NetworkConfig, Outputs
from helpanna.agents.networks.states import AGENTS_FIRST, AGENTS_SECOND
from helpanna.agents.networks.texts import Library, Shelf, Texts
from helpanna.agents.networks.word_match import WordMatch
from helpanna.agents.senses import ORIENTATION_SIZE, REPEATS, Sight
from helpanna.episodes.conditions import CONDITIONS
from helpanna.tasks.vocabulary import MAX_WORDS
from helpanna.worlds.geometry import SLOTS, VIEWS

CellState = tuple[Tensor, Tensor]


@dataclass(eq=False)
class LSTMState:
    """What the networks remember of B episodes."""

    library: Library  # texts that were encoded
    cell: CellState = field(metadata=AGENTS_SECOND)  # h and c of the decoders, [2, B, H] each
    text: Memory = field(metadata=AGENTS_FIRST)  # the encoded words, of 50
    text_exists: Tensor = field(metadata=AGENTS_FIRST)  # [B, 50]
    last_action: Tensor = field(metadata=AGENTS_FIRST)  # [B, D + 128] the embedding, before W^act
    last_ask: Tensor = field(metadata=AGENTS_FIRST)  # [B]
    actions: Tensor | None = field(default=None, metadata=AGENTS_FIRST)  # [B, A, D + 128] of the last step
    words: Tensor | None = field(default=None, metadata=AGENTS_FIRST)  # [B, 50, size] keys for `WordMatch`


class LSTMCell(nn.Module):
    """N LSTM cells side by side."""

    def __init__(self, networks: int, inputs: int, size: int) -> None:
        super().__init__()
        self.gates = Linear(networks, inputs + size, 4 * size)

    def forward(self, x: Tensor, state: CellState) -> CellState:
        """The next h and c [N, B, size] from an input [N, B, inputs] and the last ones."""
        h, c = state
        keep, write, new, show = self.gates(torch.cat([x, h], dim=-1)).chunk(4, dim=-1)
        c = torch.sigmoid(keep) * c + torch.sigmoid(write) * torch.tanh(new)
        return torch.sigmoid(show) * torch.tanh(c), c


class TextEncoder(nn.Module):
    """LSTMs that read the words from the first to the last: no word's state depends on the padding."""

    def __init__(self, networks: int, config: NetworkConfig) -> None:
        super().__init__()
        self.embedding = WordEmbedding(networks, config.vocabulary, config.hidden)
        self.dropout = Dropout(config.dropout)
        self.cell = LSTMCell(networks, config.hidden, config.hidden)

    def forward(self, texts: Texts) -> Tensor:
        """[N, n, L, H], whatever the words, also where there is none."""
        words = texts.spread(self.dropout(self.embedding(texts.words)))
        zero = words.new_zeros(words[:, :, 0].shape)
        state, read = (zero, zero), []
        for word in words.unbind(2):
            state = self.cell(word, state)
            read.append(state[0])
        return self.dropout(torch.stack(read, dim=2))


class LSTMNetworks(nn.Module):
    """Both networks of the baseline."""

    Config = NetworkConfig
    explains = False

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        self._shelf = Shelf()
        size, features = config.hidden, config.features
        last = config.action_embedding + config.ask_embedding
        self.text_encoder = TextEncoder(1 if config.shared_text else NETWORKS, config)
        self.look_around = DotAttend(NETWORKS, size, features, size)
        self.decoder = LSTMCell(NETWORKS, features + last + REPEATS * VIEWS, size)
        self.text_query = Linear(NETWORKS, size, size, bias=False)
        self.text_key = Linear(NETWORKS, size, size, bias=False)
        self.look = DotAttend(NETWORKS, size, features, size)
        self.compare = DotAttend(NETWORKS, size, features, size)
        self.dropout = Dropout(config.dropout)
        # Heads
        outputs = 2 * size + 2 * features
        self.action_embedding = Linear(1, features + ORIENTATION_SIZE, config.action_embedding, bias=False)
        self.ask_embedding = nn.Embedding(NOTHING_YET + 1, config.ask_embedding)
        self.out = Linear(1, outputs, config.action_embedding)
        self.ask_out = Linear(1, outputs + REPEATS * SLOTS, config.ask_embedding)
        self.stop = Linear(1, config.action_embedding, 1, bias=False) if config.stop_embedding else None
        self.word_match = WordMatch(outputs, size) if config.words_in_sight else None
        self.reasons = (
            Linear(1, config.ask_embedding, len(CONDITIONS)) if config.condition_prediction else None
        )
        self.ask = Linear(1, len(CONDITIONS) if config.condition_prediction else config.ask_embedding, 2)

    def begin(self, agents: int, steps: int) -> LSTMState:
        """The state of B agents before their first step."""
        config, parameter = self.config, self.out.weight
        zero = parameter.new_zeros(NETWORKS, agents, config.hidden)
        return LSTMState(
            cell=(zero, zero),
            text=new_memory(zero, zero, MAX_WORDS),
            text_exists=torch.zeros(agents, MAX_WORDS, dtype=torch.bool, device=parameter.device),
            library=self._shelf.library(self, self.encode),
            last_action=parameter.new_zeros(agents, config.features + ORIENTATION_SIZE),
            last_ask=torch.full((agents,), NOTHING_YET, device=parameter.device),
            words=None if self.word_match is None else self.word_match.begin(agents),
        )

    def encode(self, texts: Texts) -> tuple[Tensor, Tensor]:
        """The encoded words as keys, projected, and as values, raw: [2, n, L, H] each."""
        words = self.text_encoder(texts).expand(NETWORKS, -1, -1, -1)
        keys = self.text_key(words.flatten(1, 2)).view(words.shape)
        return keys, words

    def read(self, state: LSTMState, rows: Tensor, tokens: Tensor, length: Tensor) -> None:
        """These agents have new texts: [n, 50] words, and [n] how many there are."""
        keys, values, exists = state.library.lookup(tokens, length)
        state.text.replace(rows, keys, values)
        state.text_exists = state.text_exists.index_copy(0, rows, exists)
        if self.word_match is not None:
            state.words = self.word_match.read(state.words, rows, keys[NAVIGATION])

    def step(self, state: LSTMState, sight: Sight) -> Outputs:
        """What both networks make of what they see; the state moves on one step."""
        c_view = self.look_around(state.cell[0], sight.views)
        last_action = self.action_embedding(state.last_action.unsqueeze(0))[0]
        known = torch.cat(
            [last_action, self.ask_embedding(state.last_ask), sight.similarity.repeat(1, REPEATS)], dim=-1
        )
        seen = torch.cat([c_view, known.expand(NETWORKS, -1, -1)], dim=-1)
        state.cell = self.decoder(self.dropout(seen), state.cell)
        h = self.dropout(state.cell[0])

        q_text = self.text_query(h)
        c_text = state.text.attend(q_text, state.text_exists)
        attention = state.text.weights(q_text, state.text_exists)[0, :, 0] if self.explains else None
        c_cur = self.look(c_text, sight.views)
        c_tgt = self.compare(c_text, sight.target) * sight.has_target[:, None]
        context = torch.cat([h, c_text, c_cur, c_tgt], dim=-1)

        # P^nav = softmax((W^out [...]) . (W^act E)): the state is brought to the actions, not they to it.
        out = self.out(context[NAVIGATION])
        query = self.action_embedding.transposed(out)[0]
        scores = dots(query, sight.actions)
        if self.stop is not None:  # otherwise the score of stop is 0, like its embedding
            scores = torch.cat([self.stop(out)[0], scores[:, 1:]], dim=1)
        if self.word_match is not None:
            scores = scores + self.word_match(
                context[NAVIGATION], state.words, state.text_exists, sight.words
            )
        log_nav = torch.log_softmax(scores.masked_fill(~sight.exists, -torch.inf), dim=-1)

        # A fact to the help-request network: its losses do not teach the other network to navigate.
        p_nav = log_nav.new_zeros(len(log_nav), SLOTS).scatter_add(1, sight.slot, log_nav.detach().exp())
        extra = p_nav.repeat(1, REPEATS).unsqueeze(0)
        h_ask = torch.tanh(self.ask_out(torch.cat([context[HELP_REQUEST], extra], dim=-1)))
        reasons = None if self.reasons is None else self.reasons(h_ask)
        log_ask = torch.log_softmax(self.ask(h_ask if reasons is None else reasons)[0], dim=-1)

        state.actions = sight.actions
        why = None if reasons is None else reasons[0]
        return Outputs(log_nav=log_nav, log_ask=log_ask, reasons=why, attention=attention)

    def took(self, state: LSTMState, asked: Tensor, action: Tensor) -> None:
        """What the agents did: [B] whether help was requested, [B] the navigation action (0 where it was)."""
        assert state.actions is not None  # noqa: S101  # a step came before
        state.last_action = state.actions[torch.arange(len(action)), action]
        state.last_ask = asked.long()
