"""The losses: against a plain loop, and what each of them moves."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from lessons import Rehearsal, lesson
from plain_teachers import plain_episodes
from random_episodes import random_trajectories

from helpanna.agents.networks.hierarchical import HELP_REQUEST, NAVIGATION
from helpanna.learning.losses import losses_of
from helpanna.learning.rollout import Rollout
from helpanna.learning.settings import TrainingSettings

TERMS = ("navigation", "curiosity", "ask", "conditions")
TASKS = np.arange(24)


@pytest.fixture(scope="module")
def split():
    return lesson().train


def imagined_rollout(split, seed=0, boldness=1.0, trajectories=None):
    """Random episodes, and random networks' outputs at each of their steps, as leaves of the graph."""
    if trajectories is None:
        trajectories = random_trajectories(split, TASKS, budget=12, seed=seed, ask=0.25, stop=0.2)
    steps, agents = int(trajectories.length.max()), len(trajectories)
    rng = np.random.default_rng(seed)
    scores = boldness * rng.normal(size=(steps, agents, split.atlas.action_count))
    place = np.maximum(trajectories.location[:, :-1], 0), np.maximum(trajectories.view[:, :-1], 0)
    exists = (split.atlas.action_location[place] >= 0).swapaxes(0, 1)[:steps]
    nav = torch.tensor(np.where(exists, scores, -np.inf), dtype=torch.float32)
    ask = torch.tensor(rng.normal(size=(steps, agents, 2)), dtype=torch.float32)
    reasons = torch.tensor(rng.normal(size=(steps, agents, 3)), dtype=torch.float32)
    log_nav, log_ask = torch.log_softmax(nav, dim=-1), torch.log_softmax(ask, dim=-1)
    return Rollout(trajectories, *(leaf.requires_grad_() for leaf in (log_nav, log_ask, reasons)))


def plain_losses(split, rollout, settings):
    """One step of one episode at a time."""
    log_nav, log_ask, reasons = (
        table.tolist() for table in (rollout.log_nav, rollout.log_ask, rollout.reasons)
    )
    can_ask = rollout.trajectories.can_ask
    sums = dict.fromkeys(TERMS, 0.0)
    for t in range(len(log_nav)):
        at_step = {term: [] for term in TERMS}
        for b, episode in enumerate(plain_episodes(split, rollout.trajectories)):
            if t >= episode.length:
                continue
            if not episode.asked[t]:
                at_step["navigation"].append(-log_nav[t][b][episode.reference(t)[1]])
                blame = [max(log_nav[t][b][a], math.log(settings.guard)) for a in episode.tried(t)]
                at_step["curiosity"].append(settings.curiosity * sum(blame) / max(len(blame), 1))
            if can_ask[b, t]:
                at_step["ask"].append(-log_ask[t][b][int(episode.should_ask(t, settings.lost))])
                truth = (episode.lost(t, settings.lost), episode.uncertain_wrong(t), episode.never_asked(t))
                wrong = [r if not true else -r for r, true in zip(reasons[t][b], truth, strict=True)]
                at_step["conditions"].append(sum(math.log1p(math.exp(w)) for w in wrong) / 3)
        for term, values in at_step.items():
            sums[term] += sum(values) / max(len(values), 1)
    return sums


@pytest.mark.parametrize("lost", ["paper", "published"])
@pytest.mark.parametrize(("seed", "boldness", "alpha", "guard"), [(0, 1.0, 1.0, 1e-8), (1, 4.0, 0.5, 0.02)])
def test_as_a_plain_loop_says(split, lost, seed, boldness, alpha, guard):
    rollout = imagined_rollout(split, seed, boldness)
    settings = TrainingSettings(lost=lost, curiosity=alpha, guard=guard)
    losses, expected = losses_of(split, rollout, settings), plain_losses(split, rollout, settings)
    for term in TERMS:
        assert abs(expected[term]) > 0.5
        assert losses.values()[term] == pytest.approx(expected[term], rel=1e-5)
    assert losses.total.item() == pytest.approx(sum(expected.values()), rel=1e-5)
    assert (losses.guarded > 0.1) == (guard == 0.02)


def gradients(losses, term, rollout):
    """What a term wants of (log_nav, log_ask, reasons), as arrays [B, T', ...]."""
    leaves = (rollout.log_nav, rollout.log_ask, rollout.reasons)
    found = torch.autograd.grad(getattr(losses, term), leaves, allow_unused=True, retain_graph=True)
    return [
        np.zeros_like(leaf.detach().numpy()).swapaxes(0, 1) if g is None else g.numpy().swapaxes(0, 1)
        for g, leaf in zip(found, leaves, strict=True)
    ]


def test_each_term_speaks_of_its_own_steps_only(split):
    rollout = imagined_rollout(split)
    losses, done = losses_of(split, rollout, TrainingSettings()), rollout.trajectories
    steps = int(done.length.max())
    asked, can_ask, decided = (table[:, :steps] for table in (done.asked, done.can_ask, done.decided))
    assert asked.any() and (can_ask & ~asked).any() and (decided & ~can_ask).any() and not decided.all()
    navigates = decided & ~asked
    for term in ("navigation", "curiosity"):
        nav, ask, reasons = gradients(losses, term, rollout)
        assert not ask.any() and not reasons.any()
        assert not nav[~navigates].any()
    assert (gradients(losses, "navigation", rollout)[0][navigates].sum(axis=-1) < 0).all()  # each goes up
    assert (gradients(losses, "curiosity", rollout)[0] >= 0).all()  # what was tried goes down
    nav, ask, reasons = gradients(losses, "ask", rollout)
    assert not nav.any() and not reasons.any() and not ask[~can_ask].any()
    assert ask[can_ask].any(axis=-1).all()
    nav, ask, reasons = gradients(losses, "conditions", rollout)
    assert not nav.any() and not ask.any() and not reasons[~can_ask].any()
    assert reasons[can_ask].all()


@pytest.mark.parametrize("guard", [1e-8, 1e-3])
def test_the_guard_keeps_what_is_improbable_from_becoming_more_so(split, guard):
    rollout, settings = imagined_rollout(split, boldness=1.0), TrainingSettings(guard=guard)
    losses = losses_of(split, rollout, settings)
    assert losses.guarded == 0  # inactive where no action is that improbable
    wanted = gradients(losses, "curiosity", rollout)[0]
    t, b, a = np.argwhere(wanted.swapaxes(0, 1) > 0)[0]

    def curiosity_if(log_p):
        changed = rollout.log_nav.detach().clone()
        changed[t, b, a] = log_p
        other = replace(rollout, log_nav=changed.requires_grad_())
        losses = losses_of(split, other, settings)
        return losses, gradients(losses, "curiosity", other)[0][b, t, a]

    above, pull_above = curiosity_if(math.log(guard) + 0.01)
    assert pull_above == pytest.approx(wanted[b, t, a]) and above.guarded == 0
    below, pull_below = curiosity_if(math.log(guard) - 0.01)
    assert pull_below == 0 and below.guarded == pytest.approx(1 / (wanted > 0).sum())
    far_below, _ = curiosity_if(-1e4)
    assert far_below.curiosity.item() == pytest.approx(below.curiosity.item())


def test_no_curiosity_where_nothing_wrong_was_tried(split):
    rollout = imagined_rollout(split)
    first_steps = replace(
        rollout, log_nav=rollout.log_nav[:1], log_ask=rollout.log_ask[:1], reasons=rollout.reasons[:1]
    )
    losses = losses_of(split, first_steps, TrainingSettings())
    assert losses.curiosity.item() == 0 and losses.guarded == 0 and losses.navigation.item() > 0
    assert losses_of(split, rollout, TrainingSettings()).curiosity.item() < 0
    assert losses_of(split, rollout, TrainingSettings(curiosity=0)).curiosity.item() == 0


@pytest.mark.parametrize("asking", ["no_ask", "random_ask", "ask_every5"])
def test_what_a_heuristic_decides_is_not_learned(split, asking):
    rollout = imagined_rollout(split)
    losses = losses_of(split, rollout, TrainingSettings(asking=asking))
    assert losses.ask.item() == losses.conditions.item() == 0
    assert losses.navigation.item() == losses_of(split, rollout, TrainingSettings()).navigation.item() > 0


def test_without_condition_prediction_only_the_request_is_learned(split):
    rollout = imagined_rollout(split)
    losses = losses_of(split, replace(rollout, reasons=None), TrainingSettings())
    assert losses.conditions.item() == 0
    assert losses.ask.item() == losses_of(split, rollout, TrainingSettings()).ask.item() > 0


def test_nobody_can_ask_nobody_learns_to(split):
    done = imagined_rollout(split).trajectories
    nowhere = replace(done, can_ask=np.zeros_like(done.can_ask))
    losses = losses_of(split, imagined_rollout(split, trajectories=nowhere), TrainingSettings())
    assert losses.ask.item() == losses.conditions.item() == 0


# What the terms do to real networks: each is followed downhill for a few steps, over the same episodes.

BOTH = ("local_time", "global_time", "inter_look", "inter_input", "inter_attend", "text_attend", "text_ffn")
BOTH += ("look", "compare", "intra_input")
BOTH += ("text_encoder",)
NAVIGATES = ("navigation", "action_input", "action_embedding", "out")
REQUESTS = ("help_request", "ask_input", "ask_embedding", "distribution_input", "reasons", "ask")


def pull(networks, own_parts, own_half):
    """The largest gradient of one network's parameters: its own parts, and its half of those side by side."""
    largest = 0.0
    for name, parameter in networks.named_parameters():
        part = name.split(".")[0]
        assert part in (*BOTH, *NAVIGATES, *REQUESTS)
        if parameter.grad is not None and part in (*BOTH, *own_parts):
            own = parameter.grad
            if part in BOTH:  # the words' embeddings are one network's below the other's
                own = own.reshape(2, -1, own.shape[-1])[own_half]
            largest = max(largest, float(own.abs().max()))
    return largest


@pytest.mark.slow
@pytest.mark.parametrize("term", TERMS)
def test_each_term_alone_moves_what_it_should(term):
    rehearsal = Rehearsal(lesson(), hidden=8)
    rollout = rehearsal.roll_out(np.arange(12))
    adam = torch.optim.Adam(rehearsal.networks.parameters(), lr=0.003)
    values = []
    for _ in range(4):
        losses = losses_of(rehearsal.split, rehearsal.replay(rollout), TrainingSettings())
        values.append(losses.values()[term])
        adam.zero_grad()
        getattr(losses, term).backward()
        navigation = pull(rehearsal.networks, NAVIGATES, NAVIGATION)
        help_request = pull(rehearsal.networks, REQUESTS, HELP_REQUEST)
        own, other = (navigation, help_request)[:: 1 if term in ("navigation", "curiosity") else -1]
        assert own > 1e-3 and other == 0
        adam.step()
    assert values == sorted(values, reverse=True) and values[0] - values[-1] > 0.05
