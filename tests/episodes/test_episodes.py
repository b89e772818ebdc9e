"""The batched Algorithm 1, teachers and metrics against the plain ones of tests/reference*.py."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_splits import splits
from reference import PlainAssistant, PlainSplit, run
from reference_teachers import score, teach
from splits import sample_split

from helpanna.assistance.assistants import Absent, Anna, Limited, Noisy, Priced
from helpanna.episodes.episodes import STOP, Episodes
from helpanna.episodes.trajectory import Trajectories, join
from helpanna.evaluation.metrics import evaluate
from helpanna.randomness import choices, uniforms
from helpanna.teachers.help_request import help_request_references
from helpanna.teachers.navigation import navigation_references

ASKS = 0.25


def assistants(split, plain, seed):
    """Pairs of an assistant and its plain counterpart."""
    anna, drawing = Anna(split, seed), Anna(split, seed, random_ties=True)
    return {
        "anna": (anna, PlainAssistant(plain, seed)),
        "drawing": (drawing, PlainAssistant(plain, seed, random_ties=True)),
        "noisy": (Noisy(drawing, 0.5, seed), PlainAssistant(plain, seed, random_ties=True, noise=0.5)),
        "limited": (Limited(anna, 2), PlainAssistant(plain, seed, limit=2)),
        "priced": (Priced(anna, 1.5, 3), PlainAssistant(plain, seed, metres=1.5, steps=3)),
        "all": (
            Priced(Limited(Noisy(anna, 0.3, seed), 3), 0.5, 1),
            PlainAssistant(plain, seed, noise=0.3, limit=3, metres=0.5, steps=1),
        ),
        "absent": (Absent(), None),
    }


NAMES = tuple(assistants(sample_split(), None, 0))


def decide(seed, key, step, count):
    """Decisions addressed by (seed, an episode's key, step): mostly moves, sometimes requests and stops."""
    ask = uniforms(seed, "test ask", key, step) < ASKS
    stop = uniforms(seed, "test stop", key, step) < 0.08
    move = 1 + choices(seed, "test move", np.maximum(np.asarray(count) - 1, 1), key, step)
    return ask, np.where(stop | (np.asarray(count) == 1), STOP, move)


def notes(seed, key, step, count):
    """What the agents write down: an entropy around the threshold, and any navigation action as a guess."""
    entropy = choices(seed, "test entropy", 3, key, step) * 0.25
    return {"entropy": entropy, "guess": choices(seed, "test guess", count, key, step)}


def run_batch(split, assistant, tasks, keys, seed, budget):
    """Trajectories, and the observations' `text_changed` as a list of [B]."""
    episodes = Episodes(split, assistant, tasks, budget)
    changed = []
    while episodes.active.any():
        seen = episodes.observe()
        changed.append(seen.text_changed)
        address = seed, keys, seen.step, seen.candidates.mask.sum(axis=1)
        episodes.step(*decide(*address), notes(*address))
    return episodes.trajectories(), changed


def run_plain(plain, assistant, task, key, seed, budget):
    def policy(step, count):
        ask, action = decide(seed, key, step, count)
        return bool(ask[0]), int(action[0])

    return run(plain, assistant, task, budget, policy)


def assert_same(batch: Trajectories, b: int, alone, changed) -> None:
    """Episode b of the batch is this episode in every field, and nothing is written after its end."""
    steps = batch.steps
    assert batch.task[b] == alone.task
    assert batch.length[b] == alone.length
    assert batch.metres[b] == pytest.approx(alone.metres, rel=1e-6)
    for name in ("location", "view"):
        values = getattr(alone, name)
        assert getattr(batch, name)[b].tolist() == values + [-1] * (steps + 1 - len(values)), name
    for name in ("text", "target", "segment", "action", "route", "instruction", "departure", "goal"):
        values = [-1 if value is None else value for value in getattr(alone, name)]
        assert getattr(batch, name)[b].tolist() == values + [-1] * (steps - len(values)), name
    for name in ("on_route", "can_ask", "asked"):
        values = getattr(alone, name)
        assert getattr(batch, name)[b].tolist() == values + [False] * (steps - len(values)), name
    assert [bool(changed[t][b]) for t in range(alone.length)] == alone.text_changed


def assert_taught_the_same(split, plain, batch: Trajectories, episodes, seed, keys) -> None:
    """The vectorised teachers say what the plain ones say, of every step."""
    steps = batch.steps
    navigation = navigation_references(split, batch)
    asking = {reading: help_request_references(split, batch, reading) for reading in ("paper", "published")}
    for b, (episode, key) in enumerate(zip(episodes, keys, strict=True)):
        counts = [len(plain.actions(*pose)) for pose in zip(episode.location, episode.view, strict=True)]
        written = [notes(seed, key, t, counts[t]) for t in range(episode.length)]
        entropy, guess = ([note[name][0] for note in written] for name in ("entropy", "guess"))
        lesson = teach(plain, episode, entropy, guess)
        none = [-1] * (steps - episode.length)
        false = [False] * (steps - episode.length)
        assert navigation.target[b].tolist() == lesson.target + none
        assert navigation.action[b].tolist() == lesson.action + none
        assert navigation.counts[b].tolist() == lesson.nav_counts + false
        tried = [set(np.flatnonzero(row).tolist()) for row in navigation.tried[b]]
        assert tried == lesson.tried + [set()] * len(none)
        for reading, said in asking.items():
            lost, uncertain_wrong, never_asked = said.conditions[b].T.tolist()
            assert lost == lesson.lost[reading] + false
            assert uncertain_wrong == lesson.uncertain_wrong + false
            assert never_asked == lesson.never_asked + false
            assert said.ask[b].tolist() == lesson.ask(reading) + false
            assert said.counts[b].tolist() == lesson.ask_counts + false


def assert_scored_the_same(split, plain, batch: Trajectories, episodes) -> None:
    figures = {name: figure.value for name, figure in evaluate(split, batch).items()}
    expected = score(plain, episodes)
    assert {name: figures[name] for name in expected} == pytest.approx(expected, rel=1e-5)
    if not batch.asked.any():
        assert math.isnan(figures["help_request_repeat"])


def assert_equal(a: Trajectories, b: Trajectories) -> None:
    for f in dataclasses.fields(Trajectories):
        if f.name != "notes":
            assert np.array_equal(getattr(a, f.name), getattr(b, f.name)), f.name


class TestAgainstThePlainOne:
    @pytest.mark.slow
    @settings(max_examples=150)
    @given(splits(), st.sampled_from(NAMES), st.integers(0, 2**31), st.integers(1, 12))
    def test_on_any_graph(self, split, name, seed, budget):
        plain = PlainSplit(split)
        assistant, plain_assistant = assistants(split, plain, seed)[name]
        tasks = np.arange(16) % len(split)
        keys = np.arange(16)
        batch, changed = run_batch(split, assistant, tasks, keys, seed, budget)
        episodes = [
            run_plain(plain, plain_assistant, task, key, seed, budget)
            for task, key in zip(tasks.tolist(), keys.tolist(), strict=True)
        ]
        for b, alone in enumerate(episodes):
            assert_same(batch, b, alone, changed)
        assert_taught_the_same(split, plain, batch, episodes, seed, keys.tolist())
        assert_scored_the_same(split, plain, batch, episodes)

    @pytest.mark.slow
    @pytest.mark.parametrize("name", NAMES)
    def test_in_the_sample_buildings(self, name):
        split = sample_split()
        plain = PlainSplit(split)
        assistant, plain_assistant = assistants(split, plain, 3)[name]
        tasks = np.arange(150) % len(split)
        batch, changed = run_batch(split, assistant, tasks, np.arange(150), 3, 50)
        episodes = [
            run_plain(plain, plain_assistant, task, b, 3, 50) for b, task in enumerate(tasks.tolist())
        ]
        for b, alone in enumerate(episodes):
            assert_same(batch, b, alone, changed)
        assert_taught_the_same(split, plain, batch, episodes, 3, range(150))
        assert_scored_the_same(split, plain, batch, episodes)
        # The comparison has met what it is about.
        asked = batch.asked.sum(axis=1)
        assert asked.any() == (name != "absent")
        assert batch.on_route.any() == (name != "absent")
        assert asked.max() <= plain_assistant.limit if plain_assistant else True
        assert (batch.length < 50).any()


class TestBatches:
    @pytest.mark.slow
    @pytest.mark.parametrize("name", NAMES)
    def test_an_episode_does_not_depend_on_the_batch(self, name):
        split = sample_split()
        assistant, _ = assistants(split, None, 5)[name]
        keys = np.arange(60)
        tasks = keys * 7 % len(split)
        whole, _ = run_batch(split, assistant, tasks, keys, 5, 30)
        ones = [run_batch(split, assistant, tasks[[i]], keys[[i]], 5, 30)[0] for i in keys]
        assert_equal(whole, join(ones))
        order = np.random.default_rng(0).permutation(60)
        shuffled, _ = run_batch(split, assistant, tasks[order], keys[order], 5, 30)
        assert_equal(whole.select(order), shuffled)

    @pytest.mark.slow
    @settings(max_examples=25)
    @given(splits(), st.sampled_from(NAMES), st.integers(0, 2**31))
    def test_on_any_graph(self, split, name, seed):
        assistant, _ = assistants(split, None, seed)[name]
        keys = np.arange(8)
        tasks = keys % len(split)
        whole, _ = run_batch(split, assistant, tasks, keys, seed, 8)
        ones = [run_batch(split, assistant, tasks[[i]], keys[[i]], seed, 8)[0] for i in keys]
        assert_equal(whole, join(ones))


class TestEpisodes:
    def test_the_first_observation(self):
        split = sample_split()
        tasks = np.array([4, 2, 4])
        seen = Episodes(split, Anna(split), tasks).observe()
        assert seen.step == 0
        assert seen.active.all()
        assert seen.text_changed.all()
        assert not seen.on_route.any()
        assert seen.panorama.tolist() == split.start[tasks].tolist()
        assert seen.view.tolist() == split.view[tasks].tolist()
        assert [split.texts[t] for t in seen.text] == [split.texts[split.goal_set[t]] for t in tasks]
        assert seen.target.tolist() == [-1, -1, -1]

    def test_observing_again_changes_nothing(self):
        split = sample_split()
        episodes = Episodes(split, Anna(split), np.arange(9))
        assert episodes.observe() is episodes.observe()

    def test_what_was_observed_never_changes(self):
        split = sample_split()
        episodes = Episodes(split, Anna(split), np.arange(40), budget=15)
        kept = []
        while episodes.active.any():
            seen = episodes.observe()
            columns = {f.name: getattr(seen, f.name) for f in dataclasses.fields(seen)}
            arrays = {name: column for name, column in columns.items() if isinstance(column, np.ndarray)}
            kept.append((arrays, {name: array.copy() for name, array in arrays.items()}))
            episodes.step(*decide(0, np.arange(40), seen.step, seen.candidates.mask.sum(axis=1)))
        for arrays, copies in kept:
            assert all(np.array_equal(arrays[name], copies[name]) for name in arrays)

    def test_finished_agents_are_left_alone(self):
        split = sample_split()
        episodes = Episodes(split, Anna(split), np.arange(3), budget=4)
        episodes.step([False] * 3, [STOP, 1, 1])
        assert episodes.active.tolist() == [False, True, True]
        # What is decided for a finished agent is ignored, even what does not exist.
        episodes.step([True, False, False], [99, 1, 1])
        batch = episodes.trajectories()
        assert batch.length.tolist() == [1, 2, 2]
        assert batch.metres[0] == 0
        assert batch.final[0] == split.start[0]

    def test_a_move_that_does_not_exist_is_refused(self):
        split = sample_split()
        episodes = Episodes(split, Absent(), np.arange(3))
        with pytest.raises(ValueError, match="action"):
            episodes.step([False] * 3, [1, 99, 1])

    def test_notes_are_kept_where_an_episode_lives(self):
        split = sample_split()
        episodes = Episodes(split, Absent(), np.arange(2), budget=3)
        episodes.step([False] * 2, [STOP, 1], {"entropy": [0.5, 0.25]})
        episodes.step([False] * 2, [0, 1], {"entropy": [0.75, 0.125], "reasons": [[1, 1, 1], [0.5, 0.25, 1]]})
        notes = episodes.trajectories().notes
        assert notes["entropy"].tolist() == [[0.5, 0, 0], [0.25, 0.125, 0]]
        assert notes["reasons"].tolist() == [[[0] * 3] * 3, [[0] * 3, [0.5, 0.25, 1], [0] * 3]]

    def test_nothing_is_recorded_before_the_first_step(self):
        split = sample_split()
        with pytest.raises(ValueError, match="no step"):
            Episodes(split, Absent(), [0]).trajectories()

    def test_the_price_in_steps_can_end_the_episode(self):
        split = sample_split()
        somewhere = next(t for t in range(len(split)) if split.zones[split.start[t], 0] >= 0)
        episodes = Episodes(split, Priced(Anna(split), steps=9), [somewhere], budget=10)
        episodes.step([True], [STOP])
        assert not episodes.active.any()
        assert episodes.trajectories().length.tolist() == [1]
        assert math.isfinite(episodes.trajectories().metres[0])
