"""The building blocks, each against its equation written with loops."""

import numpy as np
import plain_networks as plain
import pytest
import torch

from helpanna.agents.networks.attention import (
    FFN,
    DotAttend,
    Dropout,
    IncTime,
    LayerNorm,
    MultiAttend,
    reseed,
    sinusoids,
)

N, B, SIZE = 2, 3, 8


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


def some(*shape):
    return torch.randn(shape, dtype=torch.float64)


def made(module):
    """In double precision, with no parameter at a special value."""
    module = module.double().eval()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter += 0.1 * torch.randn_like(parameter)
    return module


def assert_same(module, found, look):
    """Values and gradients of [N, B, size] are those of look(n, b) for every network and agent."""
    expected = torch.stack([torch.stack([look(n, b) for b in range(B)]) for n in range(len(found))])
    torch.testing.assert_close(found, expected)
    weights = torch.randn_like(found)
    slopes = [
        torch.autograd.grad((y * weights).sum(), list(module.parameters()), materialize_grads=True)
        for y in (found, expected)
    ]
    torch.testing.assert_close(*slopes)


@pytest.mark.parametrize("networks", [1, 2])
def test_layer_norm(networks):
    module, x = made(LayerNorm(networks, SIZE)), some(networks, B, SIZE)
    assert_same(module, module(x), lambda n, b: plain.layer_norm(module, n, x[n, b]))


def test_ffn():
    module, x = made(FFN(N, SIZE, 0.3)), some(N, B, SIZE)
    assert module.wide.weight.shape == (N, SIZE, 4 * SIZE)
    assert_same(module, module(x), lambda n, b: plain.ffn(module, n, x[n, b]))


@pytest.mark.parametrize("inputs", [SIZE, 2 * SIZE])
def test_inc_time(inputs):
    module, x = made(IncTime(N, inputs, SIZE)), some(N, B, inputs)
    assert (module.shortcut is None) == (inputs == SIZE)
    assert_same(module, module(x), lambda n, b: plain.inc_time(module, n, x[n, b]))


def test_dot_attend():
    module, q, memory = made(DotAttend(N, SIZE, 5, 6)), some(N, B, SIZE), some(B, 7, 5)
    assert_same(module, module(q, memory), lambda n, b: plain.dot_attend(module, n, q[n, b], memory[b]))


@pytest.mark.parametrize("heads", [1, 4])
def test_multi_attend_to_a_past_of_pairs(heads):
    module = made(MultiAttend(N, SIZE, heads, 0.3))
    zero = torch.zeros(N, B, SIZE, dtype=torch.float64)
    inputs, outputs, q = some(4, N, B, SIZE), some(4, N, B, SIZE), some(N, B, SIZE)
    recall = module.begin(zero, 5)
    for entry_in, entry_out in zip(inputs, outputs, strict=True):
        module.remember(recall, entry_in, entry_out)
    exists = torch.tensor([[True] * 5, [True, False, False, True, True], [True] + [False] * 4])

    def look(n, b):
        K, V = torch.cat([zero[None], inputs])[:, n, b], torch.cat([zero[None], outputs])[:, n, b]
        return plain.multi_attend(module, n, q[n, b], K[exists[b]], V[exists[b]])

    assert_same(module, module(q, recall, exists), look)


def test_sinusoids():
    found = sinusoids(50, 16)
    for position in (0, 1, 7, 49):
        expected = plain.position_code(position, 16).float()
        torch.testing.assert_close(found[position], expected, rtol=0, atol=1e-5)


def test_dropout_drops_the_ratio_and_keeps_the_mean():
    module, x = Dropout(0.3), torch.ones(400, 500)
    reseed(module, np.random.default_rng(0))
    y = module(x)
    assert abs((y == 0).double().mean() - 0.3) < 0.005
    assert abs(y.double().mean() - 1) < 0.01
    assert len(y.unique()) == 2


def test_dropout_masks_come_from_the_given_generator_alone():
    parts = torch.nn.ModuleList([Dropout(0.3), Dropout(0.5)])
    x = torch.ones(40, 50)

    def masks(seed):
        reseed(parts, np.random.default_rng(seed))
        return torch.stack([part(x) for part in parts])

    first = masks(1)
    torch.manual_seed(3)
    assert torch.equal(masks(1), first) and not torch.equal(masks(2), first)
    assert not torch.equal(first[0] == 0, first[1] == 0)


def test_dropout_is_for_training_only():
    module, x = Dropout(0.3), torch.ones(10, 10)
    assert torch.equal(module(x), x)  # nobody has given it a generator
    reseed(module, np.random.default_rng(0))
    assert torch.equal(module.eval()(x), x)
    reseed(none := Dropout(0.0), np.random.default_rng(0))
    assert torch.equal(none(x), x)
