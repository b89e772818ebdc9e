"""Learned agents: no neighbour in the batch changes what they do or think, in any bit."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from learners import seen_at_random, seen_split, untrained, wander
from random_episodes import same_trajectories

from helpanna.agents.asking import Asking, RandomAsk
from helpanna.agents.habits import lost_of
from helpanna.agents.heuristics import RandomWalk
from helpanna.agents.learned import BLOCK, features_in_space, notes_of
from helpanna.agents.mind import Mind
from helpanna.agents.names import MODELS, packaged_agents
from helpanna.agents.networks.protocol import Outputs
from helpanna.agents.skylines import PerfectInterpretation
from helpanna.agents.store import load_agent
from helpanna.assistance.assistants import Anna
from helpanna.episodes.conditions import USUAL_LOST
from helpanna.episodes.perception import Perception
from helpanna.errors import InputError
from helpanna.evaluation.metrics import evaluate
from helpanna.evaluation.runner import run_episodes
from helpanna.worlds.geometry import SLOTS
from helpanna.worlds.views import Views
from helpanna.worlds.words_of_views import find_words

KINDS = ["hierarchical", "lstm"]


@pytest.fixture(scope="module")
def split():
    return seen_split()


def assert_no_neighbour_matters(split, agent, count, budget, batches):
    """However the tasks are batched and ordered, trajectories and notes are the same, bit for bit.

    Args:
        batches: batch sizes, each with the number of tasks to try it on.
    """
    tasks = np.random.default_rng(1).permutation(len(split))[:count]

    def run(which, batch_size):
        return run_episodes(split, agent, Anna(split), tasks[which], budget, batch_size)

    everything = run(np.arange(count), count)
    assert everything.asked.any() and (everything.length == budget).sum() >= 5
    assert everything.notes.keys() == {"entropy", "guess", "reasons"}  # it would predict conditions
    shuffled = np.random.default_rng(2).permutation(count)
    assert same_trajectories(run(shuffled, count), everything.select(shuffled))
    for batch_size, tried in batches.items():
        which = shuffled[:tried]
        assert same_trajectories(run(which, batch_size), everything.select(which)), batch_size


def with_words(split):
    """The same split, whose atlas knows the words in sight."""
    views = replace(split.atlas.views, words=find_words(split.atlas))
    return replace(split, atlas=replace(split.atlas, views=views))


@pytest.mark.slow
def test_who_scores_by_words_in_sight_is_not_disturbed_either(split):
    wordy = with_words(split)
    agent = Asking(untrained(wordy, words_in_sight=True), RandomAsk(probability=0.3))
    assert_no_neighbour_matters(wordy, agent, count=BLOCK + 6, budget=4, batches={1: 2, 32: 20})
    with pytest.raises(InputError, match="add them with `helpanna worlds add words`"):
        run_episodes(split, agent, Anna(split), np.arange(4), 4)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_neighbour_matters(split, kind):
    agent = Asking(untrained(split, kind), RandomAsk(probability=0.3))
    assert_no_neighbour_matters(split, agent, count=BLOCK + 6, budget=4, batches={1: 2, 3: 4, 32: 40})


@pytest.mark.slow
@pytest.mark.parametrize("hidden", [32, 256])
@pytest.mark.parametrize("kind", KINDS)
def test_no_neighbour_matters_in_long_episodes(split, kind, hidden):
    agent = Asking(untrained(split, kind, hidden), RandomAsk(probability=0.3))
    assert_no_neighbour_matters(split, agent, count=256, budget=20, batches={1: 3, 3: 9, 32: 96})


@pytest.mark.slow
@pytest.mark.parametrize("name", packaged_agents())
def test_no_neighbour_matters_to_trained_agents(split, name):
    trained = load_agent(MODELS / name)
    seen = seen_at_random(split, trained)
    agent = Asking(trained, RandomAsk(probability=0.3))  # in what means nothing to it, it may not ask
    assert_no_neighbour_matters(seen, agent, count=256, budget=15, batches={1: 3, 3: 9, 32: 64})


def test_an_agent_begins_every_batch_afresh(split):
    agent = untrained(split, hidden=8, boldness=2)
    tasks = np.arange(20)
    first, again = (run_episodes(split, agent, Anna(split), tasks, 6) for _ in range(2))
    assert same_trajectories(first, again)


@pytest.mark.parametrize("kind", KINDS)
def test_agents_that_go_on_come_together_in_fewer_blocks(split, kind, monkeypatch):
    agent = untrained(split, kind, hidden=8, boldness=4)
    tasks, thoughts, think = np.arange(4 * BLOCK), [], Mind.think

    def noted(mind, seen):
        thoughts.append(seen.step)
        return think(mind, seen)

    monkeypatch.setattr(Mind, "think", noted)
    done = run_episodes(split, agent, Anna(split), tasks, 12, batch_size=len(tasks))
    going_on = (done.length[:, None] > np.arange(12)).sum(axis=0)
    needed = -(-going_on // BLOCK)
    np.testing.assert_array_equal(np.bincount(thoughts, minlength=12), needed)
    assert needed[0] == 4 and 0 < needed[-1] < 4


def test_it_takes_the_most_probable_decision_and_asks_only_where_it_can(split):
    agent = untrained(split, hidden=8, seed=3, boldness=2)
    tasks = np.arange(BLOCK)
    outputs, think = [], None
    agent.begin(Perception(split), tasks)
    think = agent._blocks[0].mind.think
    agent._blocks[0].mind.think = lambda seen: outputs.append(think(seen)) or outputs[-1]
    refused = 0
    for seen in wander(split, tasks, 5, ask=0.5):
        decision = agent.act(seen)
        log_nav, log_ask = outputs[-1].log_nav.numpy(), outputs[-1].log_ask.numpy()
        np.testing.assert_array_equal(decision.action, log_nav.argmax(axis=1))
        assert seen.candidates.mask[np.arange(BLOCK), decision.action].all()
        wants = log_ask[:, 1] > log_ask[:, 0]
        np.testing.assert_array_equal(decision.ask, wants & seen.can_ask)
        refused += (wants & ~seen.can_ask).sum()
        np.testing.assert_array_equal(decision.notes["guess"], decision.action)
    assert refused > 0


def test_who_asks_only_when_sure_asks_less(split):
    tasks, counts = np.arange(BLOCK), []
    for ask_above in (0.0, 0.5, 0.6):
        agent = untrained(split, hidden=8, seed=3, boldness=2, ask_above=ask_above)
        done = run_episodes(split, agent, Anna(split), tasks, 8)
        counts.append(int(done.asked.sum()))
        if ask_above == 0:
            np.testing.assert_array_equal(done.asked, done.can_ask & done.decided)
    assert counts[0] > counts[1] > counts[2]


def test_notes():
    third = np.log(1 / 3)
    outputs = Outputs(
        log_nav=torch.tensor([[third, third, third], [-torch.inf, 0.0, -torch.inf]]),
        log_ask=torch.zeros(2, 2),
        reasons=torch.tensor([[0.0, 50.0, -50.0], [0.0, 0.0, 0.0]]),
    )
    notes = notes_of(outputs)
    np.testing.assert_allclose(notes["entropy"], [np.log(3) / np.log(SLOTS), 0], rtol=1e-6)
    assert notes["guess"].tolist() == [0, 1]
    np.testing.assert_allclose(notes["reasons"], [[0.5, 1, 0], [0.5, 0.5, 0.5]], atol=1e-6)


def test_who_does_not_predict_conditions_notes_no_reasons(split):
    agent = untrained(split, hidden=8, condition_prediction=False)
    done = run_episodes(split, Asking(agent, RandomAsk(probability=0.3)), Anna(split), np.arange(5), 3)
    assert done.notes.keys() == {"entropy", "guess"}
    assert "lost_true" in (scored := evaluate(split, done)) and "lost_predicted" not in scored


@pytest.mark.parametrize("lost", ["paper", "published"])
def test_the_reading_of_lost_is_known_however_the_agent_is_wrapped(split, lost):
    agent = untrained(split, hidden=8, lost=lost)
    asking = Asking(agent, RandomAsk())
    for wrapped in (agent, asking, PerfectInterpretation(asking, split)):
        assert lost_of(wrapped) == lost
    assert lost_of(RandomWalk(0)) == USUAL_LOST


def test_rows_of_an_observation(split):
    *_, seen = wander(split, np.arange(5), 3)
    chosen = seen.select(np.array([4, 0, 0]))
    assert chosen.step == seen.step
    assert chosen.task.tolist() == [4, 0, 0]
    np.testing.assert_array_equal(chosen.place, seen.place[[4, 0, 0]])
    np.testing.assert_array_equal(chosen.candidates.slot, seen.candidates.slot[[4, 0, 0]])


def seeing(split, views):
    return Perception(replace(split, atlas=replace(split.atlas, views=views)))


def test_features_are_found_by_their_space_not_by_their_name(split):
    features = split.atlas.views.get()
    assert features_in_space(seeing(split, Views({"mine": features})), dict(features.space)) == "mine"


def test_features_of_another_space_are_refused(split):
    space = {**split.atlas.views.get().space, "terms": ["mug"]}
    with pytest.raises(InputError) as error:
        features_in_space(Perception(split), space)
    assert str(error.value).startswith(
        "the agent sees annotations features of its own space, but the atlas has"
    )
    with pytest.raises(InputError, match="the atlas has none"):
        features_in_space(seeing(split, Views()), space)


def test_what_is_missing_can_be_made(split):
    for kind, command in (("sight", "add captions ATLAS"), ("recognised", "add recognised ATLAS")):
        with pytest.raises(InputError, match=command):
            features_in_space(Perception(split), {"kind": kind})
