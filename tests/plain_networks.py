"""The networks once more, one agent, one network, one vector at a time, straight from the paper's equations.

Every function takes the module whose weights it uses and the number n of the network among those that the
module computes side by side. Memories are lists of vectors, and gradients are left to autograd.
"""

import math

import torch

from helpanna.agents.senses import REPEATS
from helpanna.worlds.geometry import SLOTS

SIMILAR = 0.9
NAVIGATION, HELP_REQUEST = 0, 1


def linear(module, n, x):
    y = x @ module.weight[n]
    return y if module.bias is None else y + module.bias[n, 0]


def layer_norm(module, n, x):
    centred = x - x.mean()
    return centred / torch.sqrt((centred**2).mean() + 1e-5) * module.scale[n, 0] + module.shift[n, 0]


def weighted_sum(weights, vectors):
    return sum(w * v for w, v in zip(weights, vectors, strict=True))


def attend(queries, keys, values):
    """Attention of one head."""
    scores = [queries @ key / math.sqrt(len(queries)) for key in keys]
    return weighted_sum(torch.softmax(torch.stack(scores), dim=0), values)


def attend_with_heads(q, keys, values, heads):
    parts = zip(
        q.chunk(heads),
        zip(*(key.chunk(heads) for key in keys), strict=True),
        zip(*(value.chunk(heads) for value in values), strict=True),
        strict=True,
    )
    return torch.cat([attend(*part) for part in parts])


def multi_attend(module, n, q, K, V):
    keys = [linear(module.key, n, k) for k in K]
    values = [linear(module.value, n, v) for v in V]
    attended = attend_with_heads(linear(module.query, n, q), keys, values, module.heads)
    return layer_norm(module.norm, n, q + linear(module.out, n, attended))


def ffn(module, n, x):
    return layer_norm(module.norm, n, x + linear(module.narrow, n, linear(module.wide, n, x).clamp(min=0)))


def dot_attend(module, n, q, M):
    scores = [linear(module.query, n, q) @ linear(module.memory, n, m) for m in M]
    return weighted_sum(torch.softmax(torch.stack(scores), dim=0), M)


def sim_attend(q, K, V):
    """The average of the values by the cosines of their keys, as far as these are above 0.9."""
    found = []
    for k, v in zip(K, V, strict=True):
        lengths = q.norm() * k.norm()
        cosine = q @ k / lengths if lengths > 0 else torch.zeros(())
        if cosine > SIMILAR:
            found.append((cosine, v))
    if not found:
        return torch.zeros_like(q)
    return sum(a * v for a, v in found) / sum(a for a, _ in found)


def inc_time(module, n, x):
    past = x if module.shortcut is None else linear(module.shortcut, n, x)
    return layer_norm(module.norm, n, past + linear(module.linear, n, x).clamp(min=0))


def position_code(position, size):
    code = []
    for i in range(0, size, 2):
        angle = position / 10000 ** (i / size)
        code += [math.sin(angle), math.cos(angle)]
    return torch.tensor(code, dtype=torch.float64)


def word_embedding(module, n, word):
    words = len(module.weight) // len(module.first)  # the embeddings of one network are below the other's
    return module.weight[n * words + word]


def trans_encoder(module, n, words):
    size = module.embedding.weight.shape[1]
    x = [
        word_embedding(module.embedding, n, word) * math.sqrt(size) + position_code(i, size)
        for i, word in enumerate(words)
    ]
    for attention, forward in zip(module.attend, module.ffn, strict=True):
        inputs = [linear(attention.inputs, n, word).chunk(3) for word in x]
        keys, values = [k for _, k, _ in inputs], [v for _, _, v in inputs]
        x = [
            layer_norm(
                attention.norm,
                n,
                word + linear(attention.out, n, attend_with_heads(q, keys, values, attention.heads)),
            )
            for word, (q, _, _) in zip(x, inputs, strict=True)
        ]
        x = [ffn(forward, n, word) for word in x]
    return x


def lstm_cell(module, n, x, h, c):
    forget, write, new, show = linear(module.gates, n, torch.cat([x, h])).chunk(4)
    c = torch.sigmoid(forget) * c + torch.sigmoid(write) * torch.tanh(new)
    return torch.sigmoid(show) * torch.tanh(c), c


def lstm_encoder(module, n, words):
    h = c = module.embedding.weight.new_zeros(module.embedding.weight.shape[1])
    read = []
    for word in words:
        h, c = lstm_cell(module.cell, n, word_embedding(module.embedding, n, word), h, c)
        read.append(h)
    return read


class PlainAgent:
    """One agent: the networks see one row of what a batch of agents sees."""

    def __init__(self, networks):
        self.p = networks
        self.zero = networks.out.weight.new_zeros(networks.config.hidden)
        self.last_action = networks.out.weight.new_zeros(networks.action_embedding.weight.shape[1])
        self.last_ask = 2
        self.t = 0

    def read(self, encoder, words):
        """What each network makes of the text; one encoder may serve both."""
        shared = self.p.config.shared_text
        self.text = [encoder(self.p.text_encoder, 0 if shared else n, words) for n in (0, 1)]

    def word_score(self, h, keys, match):
        """What the words in sight of an action [3, 50] add to its score."""
        module = self.p.word_match
        query = linear(module.query, 0, h)
        weights = [torch.exp(query @ linear(module.key, 0, key) / math.sqrt(len(query))) for key in keys]
        gain = linear(module.gain, 0, h)
        return sum(
            gain[kind] * weight / sum(weights) * match[kind, place]
            for kind in range(len(gain))
            for place, weight in enumerate(weights)
        )

    def action_distribution(self, sight, out, h, keys):
        """The logarithm of P^nav over the actions, -inf where there is none, and P^nav by static slot.

        The latter is a fact to the help-request network: no gradient goes back through it.
        """
        scores = {
            a: out @ linear(self.p.action_embedding, 0, sight.actions[a])
            for a in range(len(sight.exists))
            if sight.exists[a]
        }
        if self.p.config.stop_embedding:
            scores[0] = linear(self.p.stop, 0, out)[0]
        if self.p.config.words_in_sight:
            scores = {a: score + self.word_score(h, keys, sight.words[a]) for a, score in scores.items()}
        total = sum(torch.exp(score) for score in scores.values())
        log_nav = [
            scores[a] - torch.log(total) if a in scores else out.new_tensor(-math.inf)
            for a in range(len(sight.exists))
        ]
        by_slot = [out.new_zeros(()) for _ in range(SLOTS)]
        for a in scores:
            by_slot[sight.slot[a]] = torch.exp(log_nav[a])
        self.actions = sight.actions
        return torch.stack(log_nav), torch.stack(by_slot).detach()

    def ask_distribution(self, h):
        if not self.p.config.condition_prediction:
            return torch.log_softmax(linear(self.p.ask, 0, h), dim=0), None
        reasons = linear(self.p.reasons, 0, h)
        return torch.log_softmax(linear(self.p.ask, 0, reasons), dim=0), reasons

    def took(self, asked, action):
        self.last_action = self.actions[action]
        self.last_ask = int(asked)


class PlainHierarchical(PlainAgent):
    """The appendix's section "Model". `similar` counts how often SimAttend found something, by network."""

    def __init__(self, networks):
        super().__init__(networks)
        self.h_inter = [self.zero, self.zero]
        self.local_time = [self.zero, self.zero]
        self.global_time = [self.zero, self.zero]
        self.inter_in, self.inter_out = [[self.zero], [self.zero]], [[self.zero], [self.zero]]
        self.intra_in, self.intra_out = [[self.zero], [self.zero]], [[self.zero], [self.zero]]
        self.asked = []
        self.similar = [0, 0]

    def step(self, words, sight):
        p = self.p
        if words is not None:
            self.read(trans_encoder, words)
        if self.t > 0 and not (sight.changed and p.config.inter_reset):
            self.local_time = [inc_time(p.local_time, n, self.local_time[n]) for n in (0, 1)]
        else:
            self.local_time = [self.zero, self.zero]
            self.h_inter = [self.zero, self.zero]
            self.inter_in, self.inter_out = [[self.zero], [self.zero]], [[self.zero], [self.zero]]
        q_nav = self.intra_input(NAVIGATION, sight)
        q_ask = self.intra_input(HELP_REQUEST, sight)

        h_nav = self.intra_task(NAVIGATION, p.navigation, q_nav)
        keys = [linear(p.text_attend.key, 0, word) for word in self.text[0]]
        log_nav, p_nav = self.action_distribution(sight, linear(p.out, 0, h_nav), h_nav, keys)
        q_ask = q_ask + linear(p.distribution_input, 0, torch.cat([p_nav] * REPEATS))
        h_ask = self.intra_task(HELP_REQUEST, p.help_request, q_ask)
        self.t += 1
        return log_nav, *self.ask_distribution(h_ask)

    def intra_input(self, n, sight):
        """q^intra, for which the inter-task component is computed first."""
        p = self.p
        delta = torch.cat([sight.similarity] * REPEATS)
        c_inter = dot_attend(p.inter_look, n, self.h_inter[n], sight.views)
        if n == NAVIGATION:
            last = linear(p.action_input, 0, linear(p.action_embedding, 0, self.last_action))
        else:
            last = linear(p.ask_input, 0, p.ask_embedding.weight[self.last_ask])
        q_inter = linear(p.inter_input, n, torch.cat([c_inter, delta])) + last + self.local_time[n]
        h_inter = multi_attend(p.inter_attend, n, q_inter, self.inter_in[n], self.inter_out[n])
        self.inter_in[n].append(q_inter)
        self.inter_out[n].append(h_inter)
        self.h_inter[n] = h_inter

        c_text = ffn(p.text_ffn, n, multi_attend(p.text_attend, n, h_inter, self.text[n], self.text[n]))
        c_cur = dot_attend(p.look, n, c_text, sight.views)
        c_tgt = torch.zeros_like(c_cur)
        if sight.has_target:
            c_tgt = dot_attend(p.compare, n, c_text, sight.target)
        self.global_time[n] = inc_time(p.global_time, n, torch.cat([self.local_time[n], self.global_time[n]]))
        return linear(p.intra_input, n, torch.cat([c_text, c_cur, c_tgt, delta])) + self.global_time[n]

    def intra_task(self, n, module, q):
        K, V = self.intra_in[n], self.intra_out[n]
        h = ffn(module.ffn, 0, multi_attend(module.self_attend, 0, q, K, V))
        if self.p.config.similarity_attention:
            # The help-request network compares with the steps at which help was requested only.
            taken = [i for i in range(1, len(K)) if n == NAVIGATION or self.asked[i - 1]]
            found = sim_attend(q, [K[i] for i in taken], [V[i] for i in taken])
            self.similar[n] += bool(found.any())
            h = h - torch.sigmoid(linear(module.gate, 0, torch.cat([h, found]))) * found
        K.append(q)
        V.append(h)
        return h

    def took(self, asked, action):
        super().took(asked, action)
        self.asked.append(bool(asked))


class PlainLSTM(PlainAgent):
    """The baseline."""

    def __init__(self, networks):
        super().__init__(networks)
        self.h, self.c = [self.zero, self.zero], [self.zero, self.zero]

    def step(self, words, sight):
        p = self.p
        if words is not None:
            self.read(lstm_encoder, words)
        nav, ask = self.context(NAVIGATION, sight), self.context(HELP_REQUEST, sight)
        keys = [linear(p.text_key, 0, word) for word in self.text[0]]
        log_nav, p_nav = self.action_distribution(sight, linear(p.out, 0, nav), nav, keys)
        h_ask = torch.tanh(linear(p.ask_out, 0, torch.cat([ask, *[p_nav] * REPEATS])))
        return log_nav, *self.ask_distribution(h_ask)

    def context(self, n, sight):
        p = self.p
        x = torch.cat(
            [
                dot_attend(p.look_around, n, self.h[n], sight.views),
                linear(p.action_embedding, 0, self.last_action),
                p.ask_embedding.weight[self.last_ask],
                *[sight.similarity] * REPEATS,
            ]
        )
        self.h[n], self.c[n] = lstm_cell(p.decoder, n, x, self.h[n], self.c[n])
        keys = [linear(p.text_key, n, word) for word in self.text[n]]
        c_text = attend(linear(p.text_query, n, self.h[n]), keys, self.text[n])
        c_cur = dot_attend(p.look, n, c_text, sight.views)
        c_tgt = torch.zeros_like(c_cur)
        if sight.has_target:
            c_tgt = dot_attend(p.compare, n, c_text, sight.target)
        return torch.cat([self.h[n], c_text, c_cur, c_tgt])
