from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from random_splits import splits
from reference import PlainSplit
from splits import sample_split
from tiny import tiny_routes, tiny_world

from helpanna.assistance.assistants import (
    NONE,
    Absent,
    Anna,
    Answers,
    Limited,
    Noisy,
    Priced,
    Requests,
    Shuffled,
    reseeded,
)
from helpanna.tasks.goals import build_goal_sets
from helpanna.tasks.routes import Routes
from helpanna.tasks.split import Split
from helpanna.worlds.atlas import build_atlas

COLUMNS = ("route", "instruction", "departure", "goal", "metres", "steps")


def requests_everywhere(split, step=0, asked=0):
    """A request for every goal set from every location of its building that is attended to."""
    goals = split.goal_sets
    pairs = [
        (g, v)
        for g, w in enumerate(goals.world)
        for v in split.atlas.locations(w)
        if np.isfinite(goals.distance_from(g, v))
    ]
    goal_set, location = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    count = len(pairs)
    view = np.arange(count) % 36
    task, step, asked = np.arange(count), np.full(count, step), np.full(count, asked)
    requests = Requests(location, view, goal_set, task, step, asked)
    return requests.select(Anna(split).attends(requests))


def repeated(requests, which, times):
    """The same request by several tasks."""
    return replace(requests.select(np.full(times, which)), task=np.arange(times))


def best_by_brute_force(plain, v, goal_set):
    """All (distance, route, place on it, goal) from v, best first."""
    return sorted(
        (plain.distance(g, u), route, place, g)
        for route in plain.enterable(v)
        for place, u in enumerate(plain.paths[route])
        for g in plain.goals[goal_set]
    )


def assert_brute_force_agrees(split):
    plain = PlainSplit(split)
    requests = requests_everywhere(split)
    if len(requests.location) == 0:
        return 0
    answers = Anna(split).answer(requests)
    for b, (v, goal_set) in enumerate(
        zip(requests.location.tolist(), requests.goal_set.tolist(), strict=True)
    ):
        # Sorting puts the first route, the first place on it and the lowest goal among equals first.
        _, route, place, goal = best_by_brute_force(plain, v, goal_set)[0]
        assert answers.route[b] == route
        assert answers.instruction[b] == plain.instructions[route][0]
        assert answers.departure[b] == plain.paths[route][place]
        assert answers.goal[b] == goal
    return len(requests.location)


def with_twins(split, copies):
    """The split with every route repeated several times, each under its own name and in its own words."""
    routes = split.routes
    kept = np.repeat(np.arange(len(routes)), copies)
    return replace(
        split,
        routes=Routes(
            names=tuple(f"{r}" for r in range(len(kept))),
            path=routes.path[kept],
            view=routes.view[kept],
            instructions=tuple(f"words {r}" for r in range(len(kept))),
            route_of=np.arange(len(kept), dtype=np.int32),
        ),
        texts=split.texts[: len(split.goal_sets)] + tuple(f"words {r}" for r in range(len(kept))),
    )


class TestAnna:
    @pytest.mark.slow
    @settings(max_examples=100)
    @given(splits())
    def test_brute_force_on_any_graph(self, split):
        assert_brute_force_agrees(split)

    def test_brute_force_in_the_sample_buildings(self):
        assert assert_brute_force_agrees(sample_split()) > 500

    def test_attends_in_zones_only(self):
        split = sample_split()
        everywhere = np.arange(split.atlas.location_count)
        nobody = np.zeros_like(everywhere)
        attended = Anna(split).attends(Requests(everywhere, nobody, nobody, nobody, nobody, nobody))
        plain = PlainSplit(split)
        assert attended.tolist() == [bool(plain.enterable(v)) for v in everywhere.tolist()]
        assert 0 < attended.sum() < len(attended)

    def test_in_the_last_of_many_buildings(self):
        """The only goals are in a small building behind larger ones, and its routes differ in length."""
        large = [tiny_world([(i, 0) for i in range(9)], [(0, 1)], name=f"large {k}") for k in range(3)]
        small = tiny_world([(0, 0), (1, 0), (2, 0)], [(0, 1), (1, 2)], [("mug", 2)], name="small")
        atlas = build_atlas([*large, small], source="test", licence="")
        routes = tiny_routes((0, 1), (9, 10), (27, 28), (28, 27, 28, 29))
        goals = build_goal_sets(atlas, [(3, 0)])
        nothing = np.zeros(0, dtype=np.int32)
        split = Split("train", atlas, routes, goals, nothing, nothing, nothing, routes.instructions)
        answers = Anna(split).answer(requests_everywhere(split))
        assert answers.route.tolist() == [3, 3, 3]  # can be entered from all three places
        assert answers.departure.tolist() == [29, 29, 29]

    def test_help_is_free(self):
        answers = Anna(sample_split()).answer(requests_everywhere(sample_split()))
        assert not answers.metres.any()
        assert not answers.steps.any()

    def test_an_answer_does_not_depend_on_who_else_asks(self):
        split = sample_split()
        anna = Anna(split, seed=4, random_ties=True)
        requests = requests_everywhere(split, step=2)
        together = anna.answer(requests)
        some = np.random.default_rng(0).random(len(requests.location)) < 0.1
        apart = anna.answer(requests.select(some))
        for column in COLUMNS:
            assert np.array_equal(getattr(together, column)[some], getattr(apart, column))


class TestTies:
    def test_the_first_of_equal_routes(self):
        split = sample_split()
        twins = with_twins(split, 4)
        once = Anna(split).answer(requests_everywhere(split))
        assert np.array_equal(Anna(twins).answer(requests_everywhere(twins)).route, once.route * 4)

    def test_drawn_routes_are_all_the_equal_ones_equally_often(self):
        split = with_twins(sample_split(), 4)
        plain = PlainSplit(split)
        requests = requests_everywhere(split)
        times = 2000
        for which in range(0, len(requests.location), 200):
            choices = best_by_brute_force(plain, requests.location[which], requests.goal_set[which])
            best = sorted({route for distance, route, *_ in choices if distance == choices[0][0]})
            assert len(best) % 4 == 0
            asked = repeated(requests, which, times)
            answers = Anna(split, seed=1, random_ties=True).answer(asked)
            found, counts = np.unique(answers.route, return_counts=True)
            assert found.tolist() == best
            # Five standard deviations of a binomial count.
            expected = times / len(best)
            assert np.abs(counts - expected).max() < 5 * np.sqrt(expected)

    def test_drawn_instructions_are_all_those_of_the_route_equally_often(self):
        split = sample_split()
        requests = requests_everywhere(split)
        first = Anna(split).answer(requests)
        plain = PlainSplit(split)
        which = next(b for b, r in enumerate(first.route.tolist()) if len(plain.instructions[r]) == 3)
        answers = Anna(split, random_ties=True).answer(repeated(requests, which, 3000))
        for route in np.unique(answers.route):
            mine = answers.instruction[answers.route == route]
            found, counts = np.unique(mine, return_counts=True)
            assert found.tolist() == plain.instructions[route]
            expected = len(mine) / len(found)
            assert np.abs(counts - expected).max() < 5 * np.sqrt(expected)

    def test_draws_differ_by_seed_and_step_and_repeat_otherwise(self):
        split = with_twins(sample_split(), 4)
        answer = {
            (seed, step): Anna(split, seed, random_ties=True).answer(requests_everywhere(split, step)).route
            for seed in (1, 2)
            for step in (0, 1)
        }
        assert not np.array_equal(answer[1, 0], answer[2, 0])
        assert not np.array_equal(answer[1, 0], answer[1, 1])
        again = Anna(split, 1, random_ties=True).answer(requests_everywhere(split, 0)).route
        assert np.array_equal(answer[1, 0], again)

    def test_drawing_changes_nothing_about_how_good_the_answer_is(self):
        split = with_twins(sample_split(), 2)
        requests = requests_everywhere(split)
        goals = split.goal_sets
        first, drawn = (Anna(split, 1, random_ties=ties).answer(requests) for ties in (False, True))
        left = [goals.distance_from(requests.goal_set, answers.departure) for answers in (first, drawn)]
        assert np.array_equal(*left)
        assert np.array_equal(drawn.goal, goals.nearest_to(requests.goal_set, drawn.departure))


class TestNoisy:
    def answers(self, p):
        split = sample_split()
        requests = requests_everywhere(split)
        return split, requests, Anna(split).answer(requests), Noisy(Anna(split), p, seed=8).answer(requests)

    def test_never(self):
        _, _, right, noisy = self.answers(0.0)
        for column in COLUMNS:
            assert np.array_equal(getattr(right, column), getattr(noisy, column))

    def test_always_where_there_is_another_route(self):
        split, requests, right, noisy = self.answers(1.0)
        choice = (split.zones[requests.location] >= 0).sum(axis=1) > 1
        assert choice.any()
        assert not choice.all()
        assert np.array_equal(noisy.route != right.route, choice)

    def test_the_rate_and_what_a_wrong_answer_is(self):
        split, requests, right, noisy = self.answers(0.3)
        plain = PlainSplit(split)
        choice = (split.zones[requests.location] >= 0).sum(axis=1) > 1
        wrong = noisy.route != right.route
        count = choice.sum()
        assert abs(wrong[choice].mean() - 0.3) < 5 * np.sqrt(0.21 / count)
        for b in range(len(wrong)):
            route = int(noisy.route[b])
            assert route in plain.enterable(int(requests.location[b]))
            if wrong[b]:
                assert noisy.departure[b] == plain.paths[route][-1]
                assert noisy.goal[b] == plain.nearest_goal(int(requests.goal_set[b]), int(noisy.departure[b]))
                assert noisy.instruction[b] == plain.instructions[route][0]
            else:
                assert noisy.departure[b] == right.departure[b]
                assert noisy.goal[b] == right.goal[b]

    def test_every_other_route_is_named(self):
        split = sample_split()
        requests = requests_everywhere(split)
        which = int(np.argmax((split.zones[requests.location] >= 0).sum(axis=1)))
        asked = repeated(requests, which, 2000)
        right = Anna(split).answer(asked).route[0]
        others = set(PlainSplit(split).enterable(int(requests.location[which]))) - {int(right)}
        named = Noisy(Anna(split), 1.0).answer(asked).route
        assert set(named.tolist()) == others
        expected = 2000 / len(others)
        assert np.abs(np.bincount(named)[sorted(others)] - expected).max() < 5 * np.sqrt(expected)

    def test_attends_as_anna_does(self):
        split = sample_split()
        requests = requests_everywhere(split)
        assert Noisy(Anna(split), 0.5).attends(requests).all()


class TestShuffled:
    def test_the_route_and_the_picture_are_right_the_words_are_anyones(self):
        split = with_twins(sample_split(), 5)
        requests = requests_everywhere(split)
        right, told = Anna(split).answer(requests), Shuffled(Anna(split), 3).answer(requests)
        for column in ("route", "departure", "goal"):
            assert np.array_equal(getattr(told, column), getattr(right, column))
        assert (told.instruction == NONE).all() and told.own.all()
        assert set(told.words) <= set(split.routes.instructions)
        own = [split.routes.instructions[i] for i in right.instruction]
        assert np.mean([said == true for said, true in zip(told.words, own, strict=True)]) < 0.1

    def test_what_is_said_depends_on_the_request_and_the_seed(self):
        split = with_twins(sample_split(), 5)
        requests = requests_everywhere(split)
        told = Shuffled(Anna(split), 3).answer(requests).words
        some = np.arange(0, len(requests), 2)
        assert Shuffled(Anna(split), 3).answer(requests.select(some)).words == [told[i] for i in some]
        assert Shuffled(Anna(split), 3).reseeded(4).answer(requests).words != told


class TestOthers:
    def test_nobody_there(self):
        requests = requests_everywhere(sample_split())
        assert not Absent().attends(requests).any()
        none = Absent().answer(requests.select(np.zeros(len(requests.location), dtype=bool)))
        assert all(len(getattr(none, column)) == 0 for column in COLUMNS)

    @pytest.mark.parametrize(("asked", "attends"), [(0, True), (1, True), (2, False), (3, False)])
    def test_a_limited_number_of_answers(self, asked, attends):
        split = sample_split()
        requests = requests_everywhere(split, asked=asked)
        limited = Limited(Anna(split), 2)
        assert (limited.attends(requests) == attends).all()
        assert np.array_equal(limited.answer(requests).route, Anna(split).answer(requests).route)

    def test_a_price(self):
        split = sample_split()
        requests = requests_everywhere(split)
        free, priced = (
            assistant.answer(requests)
            for assistant in (Anna(split), Priced(Priced(Anna(split), metres=2.5), metres=0.25, steps=2))
        )
        assert set(priced.metres) == {2.75}
        assert set(priced.steps) == {2}
        for column in COLUMNS[:4]:
            assert np.array_equal(getattr(free, column), getattr(priced, column))
        assert Priced(Anna(split), 1.0).attends(requests).all()

    def test_columns_are_the_fields(self):
        assert tuple(Answers.__dataclass_fields__) == (*COLUMNS, "words")

    def test_no_answer_has_no_price(self):
        class Silent(Absent):
            def attends(self, requests):
                return np.ones(len(requests), dtype=bool)

        requests = requests_everywhere(sample_split())
        answers = Priced(Silent(), metres=2.0, steps=3).answer(requests)
        assert not answers.given.any() and not answers.metres.any() and not answers.steps.any()


class TestReseeded:
    def stacked(self, seed):
        anna = Anna(with_twins(sample_split(), 4), seed, random_ties=True)
        return Priced(Limited(Noisy(anna, 0.5, seed), 3), steps=1)

    def test_is_as_made_with_the_seed(self):
        requests = requests_everywhere(with_twins(sample_split(), 4))
        mine, theirs = (a.answer(requests) for a in (reseeded(self.stacked(1), 2), self.stacked(2)))
        other = self.stacked(1).answer(requests)
        for column in COLUMNS:
            assert np.array_equal(getattr(mine, column), getattr(theirs, column))
        assert not np.array_equal(mine.route, other.route)

    def test_shares_what_is_known_of_the_routes(self):
        first = self.stacked(1)
        second = reseeded(first, 2)
        assert second.assistant.assistant.anna._closest is first.assistant.assistant.anna._closest

    def test_who_draws_nothing_stays(self):
        nobody = Absent()
        assert reseeded(nobody, 5) is nobody
