"""Linear maps side by side, and their gathered gradients."""

import pytest
import torch

from helpanna.agents.networks.fast.linear import Linear, gather_gradients, release_gradients


def some(*shape):
    return torch.randn(shape, dtype=torch.float64)


@pytest.fixture
def layer():
    torch.manual_seed(0)
    return Linear(2, 5, 3).double()


@pytest.mark.slow
def test_each_network_has_weights_of_its_own(layer):
    x = some(2, 4, 5)
    for n in range(2):
        for b in range(4):
            expected = x[n, b] @ layer.weight[n] + layer.bias[n, 0]
            torch.testing.assert_close(layer(x)[n, b], expected)


def test_transposed_has_no_bias(layer):
    y = some(2, 4, 3)
    torch.testing.assert_close(layer.transposed(y), y @ layer.weight.transpose(1, 2))


def recurrence(layer, x):
    """Uses the weight many times, in both directions, and once for nothing."""
    total = 0
    for _ in range(4):
        y = torch.tanh(layer(x))
        x = torch.sin(x + layer.transposed(y))
        total = total + (y**3).sum()
    layer(x)
    return total + (x**2).sum()


def test_gathered_gradients_are_those_of_autograd(layer):
    x = some(2, 4, 5).requires_grad_()
    inputs = (layer.weight, layer.bias, x)
    expected = torch.autograd.grad(recurrence(layer, x), inputs)
    for _ in range(2):  # a second iteration starts afresh
        gather_gradients(layer)
        found = torch.autograd.grad(recurrence(layer, x), inputs)
        torch.testing.assert_close(found, expected)
    release_gradients(layer)
    torch.testing.assert_close(torch.autograd.grad(recurrence(layer, x), inputs), expected)


def test_a_tapped_map_whose_input_needs_no_gradient_still_learns(layer):
    x = some(2, 4, 5)
    expected = torch.autograd.grad((layer(x) ** 2).sum(), layer.weight)
    gather_gradients(layer)
    torch.testing.assert_close(torch.autograd.grad((layer(x) ** 2).sum(), layer.weight), expected)


def test_what_is_computed_without_gradients_leaves_no_trace(layer):
    x = some(2, 4, 5)
    expected = torch.autograd.grad((layer(x) ** 2).sum(), layer.weight)
    gather_gradients(layer)
    with torch.no_grad():
        assert not layer(x).requires_grad
    torch.testing.assert_close(torch.autograd.grad((layer(x) ** 2).sum(), layer.weight), expected)


def test_weights_move_between_two_iterations(layer):
    """The products use the weights of their own time, not of the time of tapping."""
    x = some(2, 4, 5)
    gather_gradients(layer)
    before = layer(x)
    with torch.no_grad():
        layer.weight += 1
    gather_gradients(layer)
    expected = before + x.sum(dim=-1, keepdim=True)
    torch.testing.assert_close(layer(x), expected)
