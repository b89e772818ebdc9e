"""The matrix products that the paper's equations need in one training iteration, each counted once.

Nothing else is here: no sums, no softmax, no features gathered, no autograd. Forward products and those that
give the gradients of inputs belong to a step and have a row for each agent. Gradients of weights are sums
over all steps, so that each weight needs one product at the end. A text is encoded once, at the step that it
is first read in, without padding. Target similarities are needed once for each pair of locations.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from helpanna.agents.networks.hierarchical import NETWORKS
from helpanna.agents.networks.protocol import NetworkConfig
from helpanna.agents.senses import ORIENTATION_SIZE, REPEATS, Senses
from helpanna.episodes.conditions import CONDITIONS
from helpanna.episodes.trajectory import NO_TARGET, Trajectories
from helpanna.worlds.geometry import SLOTS, VIEWS


@dataclass(frozen=True)
class Map:
    """A weight matrix [N, inputs, outputs] that is used at every step, of N networks side by side.

    Attributes:
        networks: N.
        inputs, outputs: its shape.
        leads_back: whether the gradient of its input is needed; features have none.
    """

    networks: int
    inputs: int
    outputs: int
    leads_back: bool = True


@dataclass(frozen=True)
class Amounts:
    """How much there was to do in T steps of B agents.

    Attributes:
        agents, steps: B and T.
        words: [T] words of the texts that are first read at each step.
        texts: [T] how many texts these are.
        pairs: [T] pairs of current and target location that come up for the first time.
        actions: A, the largest number of navigation actions.
        read: words of a text that an agent attends to, on the average.
    """

    agents: int
    steps: int
    words: tuple[int, ...]
    texts: tuple[int, ...]
    pairs: tuple[int, ...]
    actions: int
    read: int

    @staticmethod
    def of(senses: Senses, all_texts: Sequence[str], trajectories: Trajectories, actions: int) -> "Amounts":
        """What these episodes needed; they name texts by their numbers among all."""
        length = senses.vocabulary.tokens(all_texts)[1]
        known_texts: set[int] = set()
        known_pairs: set[tuple[int, int]] = set()
        words, texts, pairs = [], [], []
        for t in range(trajectories.steps):
            new_texts = set(trajectories.text[:, t].tolist()) - known_texts - {-1}
            target = trajectories.target[:, t]
            seen = target != NO_TARGET
            places = zip(trajectories.location[seen, t].tolist(), target[seen].tolist(), strict=True)
            new_pairs = set(places) - known_pairs
            known_texts |= new_texts
            known_pairs |= new_pairs
            words.append(int(length[sorted(new_texts)].sum()) if new_texts else 0)
            texts.append(len(new_texts))
            pairs.append(len(new_pairs))
        read = length[trajectories.text[trajectories.decided]].mean()
        return Amounts(
            len(trajectories), trajectories.steps, tuple(words), tuple(texts), tuple(pairs),
            actions, round(float(read)),
        )  # fmt: skip


def step_maps(config: NetworkConfig) -> list[Map]:
    """The weights of a step, in the order of the equations."""
    n, h, d = NETWORKS, config.hidden, config.features
    act, ask, delta = config.action_embedding, config.ask_embedding, REPEATS * VIEWS
    attend = [Map(n, h, h)] * 4  # W of query, key, value and output
    ffn = [Map(n, h, 4 * h), Map(n, 4 * h, h)]
    dot_attend = [Map(n, h, h), Map(n, h, d)]  # W_q, and W_m^T
    intra = [Map(1, h, h)] * 4 + [Map(1, h, 4 * h), Map(1, 4 * h, h), Map(1, 2 * h, h)]  # with the gate
    return [
        *dot_attend,  # c^inter
        Map(1, d + ORIENTATION_SIZE, act, leads_back=False),  # W^act of the last action
        Map(1, act, h),
        Map(1, ask, h),
        Map(n, d + delta, h),  # q^inter
        *attend,  # h^inter
        *attend[:2], *ffn,  # c^text; keys and values belong to the text
        *dot_attend,  # c^cur
        *dot_attend,  # c^tgt
        Map(n, 2 * h, h), Map(n, 2 * h, h),  # eta^glob and its short cut
        Map(n, h + 2 * d + delta, h),  # q^intra
        *intra,  # h^intra of the navigation network
        Map(1, h, act), Map(1, act, d + ORIENTATION_SIZE),  # W^out, and W^act of the actions
        Map(1, REPEATS * SLOTS, h),  # P^nav
        *intra,  # h^intra of the help-request network
        Map(1, h, len(CONDITIONS)), Map(1, len(CONDITIONS), 2),  # reasons, ask
    ]  # fmt: skip


def text_maps(config: NetworkConfig) -> list[Map]:
    """The weights of TransEncoder, and of the keys and values of M^text."""
    h, n = config.hidden, 1 if config.shared_text else NETWORKS
    layer = [Map(n, h, 3 * h), Map(n, h, h), Map(n, h, 4 * h), Map(n, 4 * h, h)]
    return [*layer * config.text_layers, Map(NETWORKS, h, h), Map(NETWORKS, h, h)]


class BareProducts:
    """All products of an iteration on made-up numbers; `run` does nothing but multiply."""

    def __init__(self, config: NetworkConfig, amounts: Amounts) -> None:
        b, steps = amounts.agents, amounts.steps
        self._forward: list[Callable[[], object]] = []
        self._backward: list[Callable[[], object]] = []
        self._weights: list[Callable[[], object]] = []
        self._scratch: dict[tuple[int, ...], Tensor] = {}
        rows_before = np.cumsum([0, *amounts.words])
        step_maps_ = [_Operands(m, b * steps) for m in step_maps(config)]
        text_maps_ = [_Operands(m, int(rows_before[-1])) for m in text_maps(config)]
        times = _Operands(Map(NETWORKS, config.hidden, config.hidden), steps - 1)  # eta^loc, for all agents
        for t in range(steps - 1):
            self._use([times], slice(t, t + 1))
        for t in range(steps):
            self._use(text_maps_, slice(rows_before[t], rows_before[t + 1]))
            if amounts.texts[t]:
                self._attend_to_words(config, amounts.texts[t], amounts.words[t] // amounts.texts[t])
            if amounts.pairs[t]:
                delta = amounts.pairs[t], VIEWS, config.features
                self._product(self._forward, delta, (delta[0], delta[2], VIEWS))
            self._attend_to_views(config, amounts)
            self._attend_to_memories(config, amounts, entries=t + 1)
            self._use(step_maps_, slice(t * b, (t + 1) * b))
        for operands in [times, *text_maps_, *step_maps_]:
            self._weights.append(operands.weight_gradient)

    def run(self) -> None:
        """Forward, back, and the gradients of the weights."""
        for product in self._forward:
            product()
        for product in reversed(self._backward):
            product()
        for product in self._weights:
            product()

    def _use(self, maps: Sequence["_Operands"], rows: slice) -> None:
        if rows.start == rows.stop:
            return
        for operands in maps:
            x, dy = operands.x[:, rows], operands.dy[:, rows]
            self._add(self._forward, x, operands.weight)
            if operands.map.leads_back:
                self._add(self._backward, dy, operands.weight.transpose(1, 2))

    def _attend_to_words(self, config: NetworkConfig, texts: int, length: int) -> None:
        encoders = 1 if config.shared_text else NETWORKS
        for _ in range(config.text_layers):
            self._attention((encoders * texts * config.heads, length, config.hidden // config.heads), length)

    def _attend_to_views(self, config: NetworkConfig, amounts: Amounts) -> None:
        b, d = amounts.agents, config.features
        for _ in ("c^inter", "c^cur", "c^tgt"):
            for products in (self._forward, self._backward):  # views have no gradients
                self._product(products, (b, NETWORKS, d), (b, d, VIEWS))
                self._product(products, (b, NETWORKS, VIEWS), (b, VIEWS, d))
        embedding = d + ORIENTATION_SIZE
        self._product(self._forward, (b, 1, embedding), (b, embedding, amounts.actions))
        self._product(self._backward, (b, 1, amounts.actions), (b, amounts.actions, embedding))

    def _attend_to_memories(self, config: NetworkConfig, amounts: Amounts, entries: int) -> None:
        # Of a short past, the heads of an agent are the rows of one matrix, with zeros in the columns of the
        # other heads: there PyTorch's products of single heads are slower. Of a text, each head is by itself.
        b, heads, size = amounts.agents, config.heads, config.hidden
        self._attention((NETWORKS * b, heads, size), entries)  # h^inter
        self._attention((NETWORKS * b * heads, 1, size // heads), amounts.read)  # c^text
        for _ in range(NETWORKS):
            self._attention((b, heads, size), entries)  # h^intra: SelfAttend
            self._attention((b, 1, size), entries)  # and SimAttend

    def _attention(self, queries: tuple[int, int, int], entries: int) -> None:
        """Scores and sums, and the gradients of values, weights, queries and keys."""
        n, rows, size = queries
        self._product(self._forward, (n, rows, size), (n, size, entries))
        self._product(self._forward, (n, rows, entries), (n, entries, size))
        self._product(self._backward, (n, entries, rows), (n, rows, size))
        self._product(self._backward, (n, rows, size), (n, size, entries))
        self._product(self._backward, (n, rows, entries), (n, entries, size))
        self._product(self._backward, (n, entries, rows), (n, rows, size))

    def _product(
        self, products: list[Callable[[], object]], a: tuple[int, int, int], b: tuple[int, int, int]
    ) -> None:
        self._add(products, self._numbers(*a), self._numbers(*b))

    def _add(self, products: list[Callable[[], object]], a: Tensor, b: Tensor) -> None:
        out = self._numbers(a.shape[0], a.shape[1], b.shape[2], 0)
        # A column times a row: nothing is summed, and `bmm` would be slow.
        multiply = torch.mul if a.shape[2] == 1 else torch.bmm
        products.append(lambda: multiply(a, b, out=out))

    def _numbers(self, *shape: int) -> Tensor:
        if shape not in self._scratch:
            self._scratch[shape] = torch.rand(shape[:3])
        return self._scratch[shape]


class _Operands:
    """A weight, its inputs and the gradients of its outputs over the whole iteration."""

    def __init__(self, map_: Map, rows: int) -> None:
        n, inputs, outputs = map_.networks, map_.inputs, map_.outputs
        self.map = map_
        self.weight, self._gradient = torch.rand(n, inputs, outputs), torch.empty(n, inputs, outputs)
        self.x, self.dy = torch.rand(n, rows, inputs), torch.rand(n, rows, outputs)

    def weight_gradient(self) -> None:
        torch.bmm(self.x.transpose(1, 2), self.dy, out=self._gradient)
