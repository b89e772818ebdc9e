"""Answers in an assistant's own words, and requests without an answer."""

import json

import numpy as np
import pytest
from random_episodes import corridor, random_trajectories, same_trajectories
from splits import sample_split
from talkers import Talker, Voice

from helpanna.assistance.assistants import Anna
from helpanna.episodes.episodes import Episodes
from helpanna.episodes.texts import OWN_WORDS
from helpanna.episodes.trajectory import join
from helpanna.episodes.trajectory_file import read_trajectories, write_trajectories
from helpanna.errors import InputError
from helpanna.evaluation.answers import answer_progress
from helpanna.evaluation.metrics import evaluate
from helpanna.teachers.help_request import help_request_references
from helpanna.teachers.navigation import navigation_references

TASKS = np.arange(0, 300, 2)


@pytest.fixture(scope="module")
def talked():
    split = sample_split()
    return random_trajectories(split, TASKS, Talker(split), ask=0.5, stop=0.05)


class TestByHand:
    """In the corridor of `random_episodes`: seven locations in a row, a lamp at 6, the task begins at 4."""

    def test_own_words_are_a_subtask_where_the_agent_stands(self):
        episodes = Episodes(corridor(), Voice("two steps on", shown=6, goal=5), [4])
        episodes.step([True], [0])
        seen = episodes.observe()
        assert seen.panorama[0] == 4 and seen.view[0] == 12  # neither moved nor turned
        assert seen.on_route[0] and seen.text_changed[0] and seen.target[0] == 6
        assert seen.words[0] == "two steps on" and seen.text[0] == OWN_WORDS
        episodes.step([False], [0])  # a stop leaves the subtask
        seen = episodes.observe()
        assert not seen.on_route[0] and seen.active[0] and seen.target[0] == 5
        assert seen.words[0] == "find a lamp" and seen.text[0] == 0
        done = episodes.trajectories()
        assert (
            done.route[0, 0] == -1 and done.instruction[0, 0] == OWN_WORDS and done.said == ("two steps on",)
        )
        assert done.segment[0, :2].tolist() == [0, 1] and done.metres[0] == 0

    def test_without_a_picture_the_teacher_walks_to_the_goal(self):
        split = corridor()
        episodes = Episodes(split, Voice("look around"), [4])
        episodes.step([True], [0])
        assert episodes.observe().target[0] == -1
        episodes.step([False], [0])
        done = episodes.trajectories()
        references = navigation_references(split, done)
        assert references.target[0, :2].tolist() == [6, 6]
        assert np.isnan(evaluate(split, done)["subtask_success"].value)  # no place was shown
        assert answer_progress(split, done)["shows_nothing"] == 1

    def test_no_answer_takes_the_step_and_nothing_else(self):
        split = corridor()
        episodes = Episodes(split, Voice(None), [4], budget=2)
        before = episodes.observe()
        episodes.step([True], [0])
        after = episodes.observe()
        for name in ("panorama", "view", "text", "words", "target", "on_route", "active"):
            assert np.array_equal(getattr(before, name), getattr(after, name)), name
        assert not after.text_changed[0]
        episodes.step([True], [0])
        assert not episodes.active[0]  # the time is up
        done = episodes.trajectories()
        assert done.asked[0].all() and not done.answered.any() and (done.segment == 0).all()
        for column in (done.route, done.instruction, done.departure, done.goal, done.action):
            assert (column[0, :2] == -1).all()
        assert answer_progress(split, done)["no_answer"] == 2
        references = help_request_references(split, done)
        assert references.conditions[0, :, 2].tolist() == [True, False]  # it counts as asked here

    def test_words_that_are_stored_have_their_number(self):
        for words, number in (("find a lamp", 0), ("go east", 2), ("go west", OWN_WORDS)):
            episodes = Episodes(corridor(), Voice(words), [4])
            episodes.step([True], [0])
            assert episodes.observe().text[0] == number and episodes.observe().words[0] == words


class TestNumbers:
    def test_the_same_words_have_the_same_number(self, talked):
        assert len(set(talked.said)) == len(talked.said) > 3
        own = talked.instruction[talked.instruction >= OWN_WORDS]
        assert set(own.tolist()) == set(range(OWN_WORDS, OWN_WORDS + len(talked.said)))
        kinds = {
            "own words": own.size,
            "own words for a route": ((talked.instruction >= OWN_WORDS) & (talked.route >= 0)).sum(),
            "stored": ((talked.route >= 0) & (talked.instruction < OWN_WORDS)).sum(),
            "the request again": (
                talked.answered & (talked.route < 0) & (talked.instruction < OWN_WORDS)
            ).sum(),
            "none": (talked.asked & ~talked.answered).sum(),
        }
        assert min(kinds.values()) > 5, kinds

    def test_what_agents_read_is_what_is_recorded(self):
        split = sample_split()
        episodes = Episodes(split, Talker(split), TASKS, 12)
        read = []
        for t in range(12):
            seen = episodes.observe()
            read.append(seen.words)
            episodes.step(np.full(len(TASKS), t % 3 != 2), seen.candidates.mask[:, 1].astype(int))
        done = episodes.trajectories()
        for t, words in enumerate(read):
            for b in np.flatnonzero(done.length > t).tolist():
                assert done.words(split, int(done.text[b, t])) == words[b]

    @pytest.mark.slow
    @pytest.mark.parametrize("size", [1, 7, 64])
    def test_nothing_depends_on_the_batch(self, talked, size):
        split = sample_split()
        parts = [
            random_trajectories(split, TASKS[i : i + size], Talker(split), ask=0.5, stop=0.05)
            for i in range(0, len(TASKS), size)
        ]
        assert same_trajectories(join(parts), talked)

    def test_a_choice_of_episodes_holds_what_they_were_told(self, talked):
        split = sample_split()
        order = np.random.default_rng(1).permutation(len(TASKS))[:40]
        alone = random_trajectories(split, TASKS[order], Talker(split), ask=0.5, stop=0.05)
        assert same_trajectories(talked.select(order), alone)
        assert len(talked.select(np.zeros(len(TASKS), dtype=bool)).said) == 0


class TestFiles:
    def test_what_is_written_is_read_back_bit_for_bit(self, talked, tmp_path):
        split, file = sample_split(), tmp_path / "t.jsonl"
        write_trajectories(file, talked, split, {})
        assert same_trajectories(read_trajectories(file, split), talked)
        requests = [r for line in file.read_text().splitlines()[1:] for r in json.loads(line)["requests"]]
        assert {frozenset(r) for r in requests} == {
            frozenset({"step", "route"}),  # no answer
            frozenset({"step", "route", "words", "departure", "goal"}),
            frozenset({"step", "route", "instruction", "departure", "goal"}),
        }

    def read(self, tmp_path, request, there=4):
        file = tmp_path / "t.jsonl"
        lines = [
            {"schema": "helpanna.trajectories/1", "split": "val_seen"},
            {"task": 4, "locations": ["at 4", f"at {there}", "at 5"], "requests": [{"step": 0, **request}]},
        ]
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return read_trajectories(file, corridor())

    def test_own_words_of_other_people(self, tmp_path):
        told = self.read(tmp_path, {"route": None, "words": "to the lamp", "departure": "at 6"})
        assert told.said == ("to the lamp",) and told.target[0].tolist() == [-1, 6] and told.goal[0, 0] == 6
        assert told.can_ask[0].tolist() == [True, False]  # where it was asked, it could be
        told = self.read(tmp_path, {"route": None, "words": "to the lamp"})
        assert told.target[0].tolist() == [-1, -1] and told.goal[0, 0] == -1
        assert not self.read(tmp_path, {"route": None}).answered.any()

    @pytest.mark.parametrize(
        ("request_", "message"),
        [
            ({}, 'must name its "route", or say null'),
            ({"route": None, "words": 3}, '"words" of a request are one text'),
            ({"route": None, "words": "a", "instruction": "b"}, 'in place of "instruction"'),
            ({"route": None, "departure": "at 5"}, "has no answer, so it shows nothing"),
            ({"route": None, "words": "a", "departure": "x"}, "'x' is no location"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, tmp_path, request_, message):
        with pytest.raises(InputError, match="line 2: ") as caught:
            self.read(tmp_path, request_)
        assert message in str(caught.value)

    def test_without_a_route_one_stays(self, tmp_path):
        with pytest.raises(
            InputError, match="line 2: the request of step 0 names no route, so the agent stays"
        ):
            self.read(tmp_path, {"route": None, "words": "a"}, there=5)

    def test_a_route_that_shows_nothing_is_read_back_so(self, tmp_path):
        split, file = corridor(), tmp_path / "t.jsonl"

        class Blind(Anna):
            def answer(self, requests):
                answers = super().answer(requests)
                answers.departure[:] = answers.goal[:] = -1
                return answers

        episodes = Episodes(split, Blind(split), [2], budget=2)
        episodes.step([True], [0])
        episodes.step([False], [0])
        write_trajectories(file, episodes.trajectories(), split, {})
        read = read_trajectories(file, split)
        assert same_trajectories(read, episodes.trajectories()) and read.departure[0, 0] == -1


def test_teachers_and_metrics_take_such_episodes(talked):
    split = sample_split()
    references = navigation_references(split, talked)
    assert references.tried.any()
    figures = evaluate(split, talked)
    assert 0 < figures["subtask_success"].value < 1
    counts = answer_progress(split, talked)
    assert counts["answers"] == talked.asked.sum() == sum(list(counts.values())[1:])
    assert counts["no_answer"] > 0 and counts["shows_nothing"] > 0


def test_curiosity_remembers_what_was_tried_under_own_words():
    """The same words twice, with other words between: the wrong way taken under the first is in A(x)."""
    split = corridor()

    class Turns(Voice):
        def answer(self, requests):
            words = "this way" if requests.step[0] != 3 else "that way"
            return Voice(words, shown=6).answer(requests)

    episodes = Episodes(split, Turns("", shown=6), [4], budget=9)
    for ask, place in [(True, 4), (False, 3), (False, 4), (True, 4), (True, 4), (False, 5)]:
        seen = episodes.observe()
        places = split.atlas.action_location[seen.panorama[0], seen.view[0]].tolist()
        episodes.step([ask], [places.index(place)])
    done = episodes.trajectories()
    assert done.said == ("this way", "that way")
    tried = navigation_references(split, done).tried[0]
    west = split.atlas.action_location[4, done.view[0, 5]].tolist().index(3)
    assert np.flatnonzero(tried[5]).tolist() == [west]  # under "this way" again
    assert not tried[4].any()  # under "that way"
