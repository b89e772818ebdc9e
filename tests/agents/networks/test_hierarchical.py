"""The hierarchical networks against the same equations for one agent at a time."""

from dataclasses import replace

import numpy as np
import plain_networks as plain
import pytest
import torch
from imagined import CPU, SMALL, assert_same, gradients, imagine, numbers, run, run_plainly

from helpanna.agents.networks.fast.linear import gather_gradients
from helpanna.agents.networks.hierarchical import HierarchicalNetworks
from helpanna.agents.networks.protocol import NetworkConfig
from helpanna.agents.networks.texts import Texts
from helpanna.tasks.vocabulary import MAX_WORDS


def made(config=SMALL, seed=0):
    torch.manual_seed(seed)
    return HierarchicalNetworks(config).double()


VARIANTS = {
    "as in the paper": SMALL,
    "no inter-task reset": replace(SMALL, inter_reset=False),
    "no similarity attention": replace(SMALL, similarity_attention=False),
    "one text encoder": replace(SMALL, shared_text=True),
    "no condition prediction": replace(SMALL, condition_prediction=False),
    "a vector for stop": replace(SMALL, stop_embedding=True),
    "words in sight": replace(SMALL, words_in_sight=True),
}


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_values_and_gradients_over_several_steps(variant):
    networks, moments = made(VARIANTS[variant], seed=2), imagine(seed=1)
    changed = torch.stack([moment.sight.changed for moment in moments])
    assert {1, 2} <= set(changed[1:].sum(dim=1).tolist())  # single agents are reset, others go on
    agents = [plain.PlainHierarchical(networks) for _ in range(3)]
    expected = run_plainly(agents, moments)
    if networks.config.similarity_attention:
        found = np.sum([agent.similar for agent in agents], axis=0)
        assert (found > 0).all() and (found < 15).all()
    assert_same(networks, moments, expected)


def test_more_steps_than_foreseen():
    networks, moments = made(), imagine(seed=1)
    gather_gradients(networks)
    foreseen = run(networks, moments)
    expected = gradients(networks, foreseen)
    gather_gradients(networks)
    surprised = run(networks, moments, foreseen=2)
    torch.testing.assert_close(numbers(surprised), numbers(foreseen))
    torch.testing.assert_close(gradients(networks, surprised), expected)


def texts(seed=0, count=4):
    rng = np.random.default_rng(seed)
    length = np.array([1, 7, 3, MAX_WORDS])[:count]
    tokens = np.where(np.arange(MAX_WORDS) < length[:, None], rng.integers(1, 11, (count, MAX_WORDS)), 0)
    return tokens, length


def test_text_encoder():
    networks = made()
    tokens, length = texts(count=3)
    found = networks.text_encoder(Texts.packed(tokens, length, CPU))
    for n in (0, 1):
        expected = [
            word
            for row, words in zip(tokens, length, strict=True)
            for word in plain.trans_encoder(networks.text_encoder, n, row[:words].tolist())
        ]
        torch.testing.assert_close(found[n], torch.stack(expected))
    assert not torch.allclose(found[0], found[1])


def test_packed_and_padded_texts_are_encoded_alike():
    networks = made()
    tokens, length = texts()
    packed, padded = Texts.packed(tokens, length, CPU), Texts.padded(tokens, length, CPU)
    assert torch.equal(packed.exists, padded.exists)
    exists = packed.exists
    for a, b in zip(networks.encode(packed), networks.encode(padded), strict=True):
        torch.testing.assert_close(a[:, exists], b[:, exists])


def test_about_fifteen_million_parameters_with_the_papers_sizes():
    networks = HierarchicalNetworks(NetworkConfig(features=2048, vocabulary=2500))
    assert 14.9e6 < sum(parameter.numel() for parameter in networks.parameters()) < 15.5e6


def outputs_with(config, changed):
    """What the networks put out if the text of the third step counts as new or not; it is the same text."""
    networks, moments = made(config), imagine(seed=2, steps=4)
    for t in (1, 2, 3):
        sight = moments[t].sight
        moments[t] = replace(
            moments[t],
            tokens=moments[0].tokens,
            length=moments[0].length,
            sight=replace(sight, changed=torch.full_like(sight.changed, changed and t == 2)),
        )
    return run(networks, moments)


@pytest.mark.parametrize("inter_reset", [True, False])
def test_a_new_task_resets_the_inter_task_state_unless_switched_off(inter_reset):
    config = replace(SMALL, inter_reset=inter_reset)
    anew, going_on = outputs_with(config, changed=True), outputs_with(config, changed=False)
    same = [torch.allclose(a.log_nav, b.log_nav, rtol=1e-9) for a, b in zip(anew, going_on, strict=True)]
    assert same == [True, True, not inter_reset, not inter_reset]


def test_without_similarity_attention_there_is_no_gate_and_nothing_is_subtracted():
    with_it, without = made(), made(VARIANTS["no similarity attention"])
    lost = with_it.state_dict().keys() - without.state_dict().keys()
    assert lost == {f"{n}.gate.{p}" for n in ("navigation", "help_request") for p in ("weight", "bias")}
    # A gate that never opens is the same: beta = 0.
    with torch.no_grad():
        for component in (with_it.navigation, with_it.help_request):
            component.gate.weight.zero_()
            component.gate.bias.fill_(-1000)
    without.load_state_dict({k: v for k, v in with_it.state_dict().items() if k not in lost})
    moments = imagine(seed=1)
    torch.testing.assert_close(numbers(run(with_it, moments)), numbers(run(without, moments)))
