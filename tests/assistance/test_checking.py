"""A wrong answer is refused before anything changes."""

from dataclasses import replace

import numpy as np
import pytest
from random_episodes import corridor
from splits import sample_split
from talkers import Says, Talker

from helpanna.assistance.assistants import Anna, Answers
from helpanna.assistance.checking import AnswerError, checked_answers
from helpanna.episodes.episodes import Episodes
from helpanna.errors import InputError


def with_column(name, value):
    return lambda answers, requests: replace(answers, **{name: np.full(len(requests), value)})


def with_words(*words):
    return lambda answers, requests: replace(answers, instruction=np.full(len(requests), -1), words=words)


def arrays_of(states):
    """Copies of all that States keep of their agents."""
    kept = vars(states) | {f"poses {name}": value for name, value in vars(states.poses).items()}
    return {name: value.copy() for name, value in kept.items() if isinstance(value, np.ndarray)}


FAULTS = {
    "a route before the first": (with_column("route", -2), "the route -2, which cannot be entered"),
    "a route that does not exist": (with_column("route", 99), "the route 99, which cannot be entered"),
    "an instruction before the first": (with_column("instruction", -1), "the instruction -1 of the route 0"),
    "another route's instruction": (with_column("instruction", 2), "the instruction 2 of the route 0"),
    "an instruction without a route": (with_column("route", -1), "the instruction 0 without a route"),
    "an instruction besides words": (
        lambda answers, requests: replace(answers, words=["hello"]),
        "the instruction 0 besides own words",
    ),
    "a departure nowhere": (with_column("departure", 7), "the departure location 7, which is none of its"),
    "a departure below": (with_column("departure", -2), "the departure location -2"),
    "a goal nowhere": (with_column("goal", 70), "the goal location 70, which is none of its building"),
    "a negative price": (with_column("metres", -1.0), r"a price of -1.0 metres"),
    "no price": (with_column("metres", np.nan), "a price of nan metres"),
    "an endless price": (with_column("metres", np.inf), "a price of inf metres"),
    "a negative time": (with_column("steps", -1), "a price of -1 steps"),
    "a picture without an answer": (
        lambda answers, requests: replace(Answers.none(1), departure=np.array([3])),
        "a picture or a price, but no answer",
    ),
    "a price without an answer": (
        lambda answers, requests: replace(Answers.none(1), steps=np.array([3])),
        "a picture or a price, but no answer",
    ),
    "fractions": (with_column("route", 0.0), r"with float64 \(1,\) as `route`; give 1 whole numbers"),
    "truths": (with_column("goal", True), "with bool"),
    "text for a number": (with_column("metres", "1"), "as `metres`; give 1 numbers"),
    "too many": (lambda answers, requests: Answers.none(2), r"int64 \(2,\) as `route`"),
    "too many words": (with_words("a", "b"), "with 2 `words`"),
    "no words": (with_words(3), "with 1 `words`; give a text"),
    "words that cannot be written": (with_words("\ud800"), "UTF-8"),
    "nothing": (lambda answers, requests: None, "answers with None; return `Answers`"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_answer_is_named_and_changes_nothing(fault):
    change, message = FAULTS[fault]
    split = corridor()
    episodes = Episodes(split, Says(split, change), [2], budget=9)
    before = arrays_of(episodes._states)
    with pytest.raises(AnswerError, match=f"the assistant Says .*{message}") as caught:
        episodes.step([True], [0])
    assert isinstance(caught.value, InputError) and "\n" not in str(caught.value)
    after = arrays_of(episodes._states)
    assert len(before) > 10 and before.keys() == after.keys()
    for name, array in before.items():
        assert np.array_equal(array, after[name]), name
    assert episodes.step_number == 0
    episodes.step([False], [1])  # the episode can go on
    assert not episodes.trajectories().asked.any()


def test_the_agent_and_the_step_are_named():
    split = corridor()

    def lies_to_task_3(answers, requests):
        return replace(answers, route=np.where(requests.task == 3, 5, answers.route))

    episodes = Episodes(split, Says(split, lies_to_task_3), [2, 3, 1], budget=9)
    seen = episodes.observe()
    leads = split.atlas.action_location[seen.panorama, seen.view].tolist()
    episodes.step([False] * 3, [0, leads[1].index(2), leads[2].index(2)])  # one stops, the others meet
    with pytest.raises(AnswerError, match="gave task 3 at step 1 the route 5"):
        episodes.step([False, True, True], [0, 0, 0])


def test_places_of_other_buildings_are_refused():
    split = sample_split()
    far = int(split.atlas.locations(split.atlas.world_count - 1).start)
    tasks = np.flatnonzero(
        Anna(split).attends(Episodes(split, Anna(split), range(len(split)))._states._requests())
    )
    task = next(t for t in tasks if split.goal_sets.world[split.goal_set[t]] == 0)
    episodes = Episodes(split, Says(split, with_column("departure", far)), [task])
    with pytest.raises(AnswerError, match=f"the departure location {far}, which is none of its building"):
        episodes.step([True], [0])


@pytest.mark.parametrize("attends", [[True, False], [1], None, [[True]]])
def test_attention_is_one_boolean_an_agent(attends):
    class Odd:
        def attends(self, requests):
            return attends

    with pytest.raises(AnswerError, match=r"the assistant Odd attends to 1 agents .* one boolean for each"):
        Episodes(corridor(), Odd(), [2]).observe()


def test_whatever_is_legal_passes():
    split = sample_split()
    states = Episodes(split, Talker(split), range(len(split)))._states
    answers = checked_answers(Talker(split), split, states._requests())
    assert (~answers.given).any() and answers.own.any() and (answers.route >= 0).any()
