"""Ask policies, by when they request help."""

import numpy as np
import pytest
from splits import sample_split

from helpanna.agents.agent import Decision
from helpanna.agents.asking import AskEvery5, Asking, AskNew, AskUntried, NoAsk, RandomAsk
from helpanna.agents.explorer import Explorer
from helpanna.agents.heuristics import Forward10, RandomWalk, navigate
from helpanna.assistance.assistants import Anna
from helpanna.evaluation.runner import run_episodes

TASKS = np.arange(300)


class Wanderer:
    """Never stops: goes to the last location of its list."""

    def begin(self, perception, tasks):
        pass

    def act(self, observation):
        return navigate(observation.candidates.mask.sum(axis=1) - 1)


@pytest.fixture(scope="module")
def split():
    return sample_split(routes_per_world=30)


def test_no_ask_silences_an_agent_that_would_ask(split):
    always = Asking(Wanderer(), RandomAsk(probability=1.0))
    assert run_episodes(split, always, Anna(split), TASKS).asked.any()
    assert not run_episodes(split, Asking(always, NoAsk()), Anna(split), TASKS).asked.any()


def test_random_ask_asks_at_a_fifth_of_the_steps_at_which_it_can(split):
    done = run_episodes(split, Asking(Wanderer(), RandomAsk()), Anna(split), TASKS)
    assert done.can_ask.sum() > 1000
    share = done.asked.sum() / done.can_ask.sum()
    assert abs(share - 0.2) < 4 * np.sqrt(0.16 / done.can_ask.sum())


def test_random_ask_draws_apart_from_the_random_walk(split):
    done = run_episodes(split, Asking(RandomWalk(), RandomAsk()), Anna(split), TASKS)
    first = done.can_ask[:, 0] & ~done.asked[:, 0]
    count = (split.atlas.action_location[done.location[:, 0], 0] >= 0).sum(axis=1)
    high = (done.action[:, 0] >= count / 2)[first]  # were the draws the same, all would be high
    assert 0.25 < high.mean() < 0.75


def test_ask_every5_asks_five_time_steps_after_the_last_request_or_as_soon_as_it_can_then(split):
    done = run_episodes(split, Asking(Wanderer(), AskEvery5()), Anna(split), TASKS)
    apart = []
    for b in range(len(done)):
        last = -1
        for t in range(done.length[b]):
            assert done.asked[b, t] == (t - last >= 5 and done.can_ask[b, t])
            if done.asked[b, t]:
                apart.append(t - last)
                last = t
    assert len(apart) > 500 and min(apart) == 5 < max(apart)


@pytest.mark.parametrize("policy", [AskUntried(), AskNew()])
def test_once_at_a_place_between_routes_unless_the_navigator_stops(split, policy):
    done = run_episodes(split, Asking(Explorer(), policy), Anna(split), TASKS)
    new_only = isinstance(policy, AskNew)
    left_out, led_there = {"tried": 0, "on route": 0, "stops": 0}, 0
    for b in range(len(done)):
        asked, visited = set(), set()
        for t in range(done.length[b]):
            here = int(done.location[b, t])
            tried = here in (visited if new_only else asked)
            if done.asked[b, t]:
                assert not tried and not done.on_route[b, t]
                led_there += here in visited
                asked.add(here)
            elif done.can_ask[b, t]:
                why = "tried" if tried else "on route" if done.on_route[b, t] else "stops"
                left_out[why] += 1
                assert why != "stops" or done.action[b, t] == 0
            visited.add(here)
    assert done.asked.sum() > 100 and min(left_out.values()) > 10
    assert (led_there == 0) == new_only


def test_the_navigator_keeps_its_notes(split):
    class Noting(Forward10):
        def act(self, observation):
            decision = super().act(observation)
            return Decision(decision.ask, decision.action, {"guess": decision.action})

    done = run_episodes(split, Asking(Noting(), AskEvery5()), Anna(split), TASKS[:20])
    walks = done.decided & ~done.asked
    assert np.array_equal(done.notes["guess"][walks], done.action[walks])
