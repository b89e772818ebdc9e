"""RandomWalk, Forward10, Shortest and perfect interpretation, by what they do."""

import numpy as np
import pytest
from random_episodes import corridor, same_trajectories
from splits import sample_split

from helpanna.agents.asking import Asking, RandomAsk
from helpanna.agents.heuristics import Forward10, RandomWalk
from helpanna.agents.skylines import PerfectInterpretation, PerfectRecognition, Shortest
from helpanna.assistance.assistants import Absent, Anna, Limited
from helpanna.episodes.outcomes import outcomes_of
from helpanna.evaluation.runner import run_episodes

TASKS = np.arange(300)


def test_random_walk_takes_every_action_equally_often_and_stop_is_one_of_them():
    split = sample_split()
    done = run_episodes(split, RandomWalk(), Absent(), TASKS, budget=20)
    count = (split.atlas.action_location[done.location[:, :-1], 0] >= 0).sum(axis=-1)
    for choices in np.unique(count[done.decided]):
        taken = done.action[done.decided & (count == choices)]
        shares = np.bincount(taken, minlength=choices) / len(taken)
        assert len(shares) == choices
        assert np.abs(shares - 1 / choices).max() < 4 * np.sqrt(1 / choices / len(taken))


def test_random_walk_walks_elsewhere_with_another_seed():
    split = sample_split()
    walks = [run_episodes(split, RandomWalk(seed), Absent(), TASKS) for seed in (0, 0, 1)]
    assert same_trajectories(walks[0], walks[1])
    assert not same_trajectories(walks[0], walks[2])


def test_forward10_goes_straight_ahead_ten_times_and_stops():
    split = sample_split()
    done = run_episodes(split, Forward10(), Anna(split), TASKS)
    assert (done.length == 11).all()
    assert (done.action[:, :10] == 1).all() and (done.action[:, 10] == 0).all()
    here, view, there = done.location[:, :10], done.view[:, :10], done.location[:, 1:11]
    assert np.array_equal(split.atlas.action_location[here, view, 1], there)


def test_forward10_stays_within_a_short_budget():
    split = sample_split()
    assert (run_episodes(split, Forward10(), Absent(), TASKS, budget=4).length == 4).all()


def test_shortest_walks_a_shortest_path_to_the_nearest_goal_and_stops_there():
    split = sample_split()
    done = run_episodes(split, Shortest(split), Anna(split), TASKS)
    goal_set = split.goal_set[TASKS]
    assert (split.goal_sets.distance_from(goal_set, done.final) == 0).all()
    assert done.metres == pytest.approx(split.goal_sets.distance_from(goal_set, split.start[TASKS]), abs=1e-3)
    assert (done.action[TASKS, done.length - 1] == 0).all()


def test_shortest_with_a_request_walks_to_the_target_it_is_shown_then_to_the_goal():
    split = corridor()
    agent = Asking(Shortest(split), RandomAsk(probability=1.0))
    done = run_episodes(split, agent, Limited(Anna(split), 1), [0])
    # To 1, where the assistant at 2 hears it; along the route to 5, which it leaves; to 6, where it stops.
    assert done.location[0, :9].tolist() == [0, 1, 2, 3, 4, 5, 5, 6, 6]
    assert done.asked[0, :8].tolist() == [False, True, *[False] * 6]
    assert done.target[0, :8].tolist() == [-1, -1, 5, 5, 5, 5, 6, 6]
    assert done.length[0] == 8


@pytest.mark.parametrize("agent", [RandomWalk(), Forward10()])
def test_with_perfect_interpretation_every_route_is_left_at_its_target(agent):
    split = sample_split()
    perfect = PerfectInterpretation(Asking(agent, RandomAsk()), split)
    done = run_episodes(split, perfect, Anna(split), TASKS)
    assert done.asked.sum() > 100
    left = done.on_route & (done.action == 0)
    here = done.location[:, :-1]
    assert left.any() and np.array_equal(here[left], done.target[left])
    walked = done.on_route & (done.action > 0)
    before = split.atlas.distances(here[walked], done.target[walked])
    after = split.atlas.distances(done.location[:, 1:][walked], done.target[walked])
    way = split.atlas.distances(here[walked], done.location[:, 1:][walked])
    assert before == pytest.approx(after + way, abs=1e-3)


def test_perfect_interpretation_changes_nothing_where_nobody_asks():
    split = sample_split()
    plain = run_episodes(split, RandomWalk(), Anna(split), TASKS)
    assert same_trajectories(
        plain, run_episodes(split, PerfectInterpretation(RandomWalk(), split), Anna(split), TASKS)
    )


def test_with_perfect_recognition_one_stops_at_goals_and_nowhere_else():
    split = sample_split()
    agent = PerfectRecognition(Asking(Forward10(), RandomAsk()), split, seed=1)
    done = run_episodes(split, agent, Anna(split), TASKS)
    metres = split.goal_sets.distance_from(
        split.goal_set[done.task][:, None], np.where(done.location >= 0, done.location, done.location[:, :1])
    )
    steps = np.arange(done.steps) < done.length[:, None]
    searches = steps & ~done.on_route
    at_goal = metres[:, :-1] <= split.kind.success_metres
    stopped = searches & (done.action == 0) & ~done.asked
    assert stopped.any() and at_goal[stopped].all()
    assert np.array_equal(stopped, searches & at_goal)
    on_routes = done.on_route & steps
    assert (on_routes & at_goal & (done.action != 0)).any()  # there the route counts
    plain = run_episodes(split, Asking(Forward10(), RandomAsk()), Anna(split), TASKS)
    assert (metres[np.arange(len(done)), done.length] <= 2).mean() > outcomes_of(split, plain).success.mean()
