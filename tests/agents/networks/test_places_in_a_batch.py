"""Products of agents that act have the same bits wherever in a batch an agent is, whatever the sizes are."""

import pytest
import torch

from helpanna.agents.networks.attention import DotAttend, dots

AGENTS = 64


def assert_any_order(compute, *inputs):
    order = torch.randperm(AGENTS)
    with torch.no_grad():
        expected, again = compute(*inputs)[order], compute(*(x[order].contiguous() for x in inputs))
    assert torch.equal(again, expected)


@pytest.mark.parametrize("size", [50, 312, 321, 461, 588])
def test_attention_to_views(size):
    torch.manual_seed(0)
    attend = DotAttend(2, 16, size, 16)
    q, views = torch.randn(AGENTS, 2, 16), torch.randn(AGENTS, 36, size)
    assert_any_order(lambda q, views: attend(q.transpose(0, 1), views).transpose(0, 1), q, views)


@pytest.mark.parametrize("size", [50, 321 + 128, 588 + 128])
def test_scores(size):
    torch.manual_seed(0)
    assert_any_order(dots, torch.randn(AGENTS, size), torch.randn(AGENTS, 14, size))


@pytest.mark.parametrize("size", [321, 588])
def test_who_acts_sees_the_same_as_who_learns(size):
    torch.manual_seed(0)
    attend = DotAttend(2, 16, size, 16)
    q, views = torch.randn(2, AGENTS, 16), torch.randn(AGENTS, 36, size)
    learns = attend(q, views)
    with torch.no_grad():
        torch.testing.assert_close(attend(q, views), learns.detach())
