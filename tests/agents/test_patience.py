"""Patience: a route is tried for some steps before help is requested again."""

import numpy as np
import pytest
from learners import seen_split, untrained
from lessons import Rehearsal, lesson

from helpanna.agents.habits import Habits
from helpanna.assistance.assistants import Anna
from helpanna.evaluation.runner import run_episodes

TASKS = np.arange(40)
STEPS = 4


def steps_on_a_route_before_asking(done):
    """Of each request that was made on a route, how many steps that route had been tried."""
    tried = []
    for b, t in np.argwhere(done.asked & done.on_route):
        last = np.flatnonzero(done.asked[b, :t])[-1]
        tried.append(t - last - 1)
    return np.array(tried)


@pytest.mark.parametrize("kind", ["hierarchical", "map"])
def test_agents_who_always_ask_wait_on_routes(kind):
    split = seen_split()

    def walk(patience):
        agent = untrained(split, kind, hidden=16, boldness=2, ask_above=0.0, patience=patience)
        return run_episodes(split, agent, Anna(split), TASKS, budget=20)

    eager, patient = walk(0), walk(STEPS)
    assert steps_on_a_route_before_asking(eager).min() == 0
    assert steps_on_a_route_before_asking(patient).min() == STEPS
    between = patient.can_ask & ~patient.on_route & patient.decided
    assert patient.asked[between].all()


@pytest.mark.parametrize("kind", ["hierarchical", "lstm"])
def test_they_learn_that_way_too(kind):
    """Also after others have left the batch."""
    habits = Habits(patience=STEPS)
    rehearsal = Rehearsal(lesson(), hidden=8, boldness=1.5, kind=kind, habits=habits)
    done = rehearsal.roll_out(TASKS, budget=20, asking="learned").trajectories
    tried = steps_on_a_route_before_asking(done)
    assert len(tried) > 3 and tried.min() >= STEPS
