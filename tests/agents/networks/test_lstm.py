"""The baseline's networks against the same equations for one agent at a time."""

from dataclasses import replace

import plain_networks as plain
import pytest
import torch
from imagined import CPU, SMALL, assert_same, imagine, numbers, run, run_plainly

from helpanna.agents.networks.lstm import LSTMCell, LSTMNetworks
from helpanna.agents.networks.protocol import NetworkConfig
from helpanna.agents.networks.texts import Texts

CONFIG = SMALL


def made(seed=0, config=CONFIG):
    torch.manual_seed(seed)
    return LSTMNetworks(config).double()


@pytest.mark.slow
@pytest.mark.parametrize("words", [False, True])
def test_values_and_gradients_over_several_steps(words):
    networks, moments = made(config=replace(CONFIG, words_in_sight=words)), imagine(CONFIG, seed=1)
    assert_same(networks, moments, run_plainly([plain.PlainLSTM(networks) for _ in range(3)], moments))


def test_the_cell_is_that_of_torch():
    torch.manual_seed(0)
    ours, theirs = LSTMCell(1, 5, 4), torch.nn.LSTMCell(5, 4)
    with torch.no_grad():
        forget, write, new, show = ours.gates.weight[0].T.chunk(4)
        weight = torch.cat([write, forget, new, show])
        theirs.weight_ih.copy_(weight[:, :5])
        theirs.weight_hh.copy_(weight[:, 5:])
        forget, write, new, show = ours.gates.bias[0, 0].chunk(4)
        theirs.bias_ih.copy_(torch.cat([write, forget, new, show]))
        theirs.bias_hh.zero_()
    x, h, c = torch.randn(3, 5), torch.randn(3, 4), torch.randn(3, 4)
    found = ours(x[None], (h[None], c[None]))
    torch.testing.assert_close((found[0][0], found[1][0]), theirs(x, (h, c)))


def test_packed_and_padded_texts_are_encoded_alike():
    networks, moment = made(), imagine(CONFIG)[0]
    packed = Texts.packed(moment.tokens, moment.length, CPU)
    padded = Texts.padded(moment.tokens, moment.length, CPU)
    for a, b in zip(networks.encode(packed), networks.encode(padded), strict=True):
        torch.testing.assert_close(a[:, packed.exists[:, : packed.width]], b[:, padded.exists])


def test_a_new_task_changes_the_text_and_nothing_else():
    """The state runs through the whole episode."""
    networks, moments = made(), imagine(CONFIG, seed=2, steps=3)
    sight = moments[2].sight
    moments[2] = replace(moments[2], tokens=moments[0].tokens, length=moments[0].length)
    moments[1] = replace(moments[1], sight=replace(moments[1].sight, changed=torch.zeros_like(sight.changed)))
    outputs = []
    for changed in (True, False):
        changed_sight = replace(sight, changed=torch.full_like(sight.changed, changed))
        outputs.append(run(networks, [*moments[:2], replace(moments[2], sight=changed_sight)]))
    torch.testing.assert_close(numbers(outputs[0]), numbers(outputs[1]))


def test_as_many_parameters_as_the_hierarchical_networks_with_the_papers_sizes():
    networks = LSTMNetworks(NetworkConfig(features=2048, vocabulary=2500))
    assert 13e6 < sum(parameter.numel() for parameter in networks.parameters()) < 16e6
