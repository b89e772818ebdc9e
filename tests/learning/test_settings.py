"""Settings: the paper's defaults, the schedules, and what is refused."""

import pytest

from helpanna.errors import InputError
from helpanna.learning.settings import (
    WARM_START,
    TrainingSettings,
    choose_condition_prediction,
    choose_settings,
)


def test_the_defaults_are_the_papers():
    settings = TrainingSettings()
    settings.check()
    paper = {
        "iterations": 30_000,
        "batch_size": 32,
        "budget": 20,
        "learning_rate": 1e-4,
        "weight_decay": 5e-4,
    }
    paper |= {"curiosity": 1, "gamma": 0.25, "clip": 0, "hand_over": 0, "teacher_floor": 0, "decay": False}
    assert {name: getattr(settings, name) for name in paper} == paper
    assert {settings.rate(i) for i in (0, 100, 29_999)} == {1e-4}
    assert {settings.teacher_share(i) for i in (0, 100, 29_999)} == {0}


def test_the_learning_rate_warms_up_and_falls_to_a_tenth():
    settings = TrainingSettings(iterations=1000, learning_rate=2.0, warm_up=10, decay=True)
    rates = [settings.rate(i) for i in range(1001)]
    assert rates[0] == pytest.approx(0.2) and rates[4] == pytest.approx(1.0, rel=1e-3)
    assert max(rates) == rates[9] == pytest.approx(2, rel=1e-3)
    assert rates[9:] == sorted(rates[9:], reverse=True)
    assert rates[500] == pytest.approx(1.1) and rates[1000] == pytest.approx(0.2)
    steady = TrainingSettings(iterations=1000, learning_rate=2.0, warm_up=4)
    assert [steady.rate(i) for i in (0, 1, 2, 3, 4, 999)] == [0.5, 1.0, 1.5, 2.0, 2.0, 2.0]


def test_the_teacher_hands_over_evenly_down_to_its_floor():
    settings = TrainingSettings(hand_over=100, teacher_floor=0.2)
    shares = [settings.teacher_share(i) for i in (0, 25, 50, 80, 90, 10_000)]
    assert shares == pytest.approx([1, 0.75, 0.5, 0.2, 0.2, 0.2])
    assert TrainingSettings(hand_over=100).teacher_share(100) == 0
    assert TrainingSettings(teacher_floor=0.3).teacher_share(0) == 0.3


def test_the_warm_start_is_made_of_settings():
    TrainingSettings(**WARM_START).check()
    assert choose_settings({}, "hierarchical", warm_start=True) == TrainingSettings(**WARM_START)


def test_the_warm_start_leaves_what_was_given_even_if_it_is_the_papers():
    papers = TrainingSettings()
    for name, value in WARM_START.items():
        given = {name: getattr(papers, name)}
        assert given[name] != value
        settings = choose_settings(given, "hierarchical", warm_start=True)
        assert settings == TrainingSettings(**(WARM_START | given))


@pytest.mark.parametrize(
    ("network", "asking", "curiosity"),
    [
        ("hierarchical", "learned", 1.0),
        ("mine:Network", "learned", 1.0),
        ("hierarchical", "no_ask", 0.5),
        ("hierarchical", "random_ask", 0.5),
        ("hierarchical", "ask_every5", 0.5),
        ("lstm", "learned", 0.0),
        ("lstm", "no_ask", 0.0),
    ],
)
@pytest.mark.parametrize("warm_start", [False, True])
def test_the_papers_curiosity_depends_on_the_network_and_on_who_asks(network, asking, curiosity, warm_start):
    given = {"asking": asking}
    assert choose_settings(given, network, warm_start).curiosity == curiosity
    for alpha in (0.0, 0.5, 1.0):
        assert choose_settings(given | {"curiosity": alpha}, network, warm_start).curiosity == alpha


def test_conditions_are_predicted_by_who_learns_to():
    choose = choose_condition_prediction
    assert choose(None, "hierarchical", "learned") and not choose(False, "hierarchical", "learned")
    assert not choose(None, "lstm", "learned") and choose(True, "lstm", "learned")
    assert not choose(None, "hierarchical", "random_ask")
    with pytest.raises(InputError, match=r"--condition-prediction cannot be learned with --asking no_ask; "):
        choose(True, "hierarchical", "no_ask")


@pytest.mark.parametrize(
    ("option", "value", "remedy"),
    [
        *((name, 0, "at least 1") for name in ("iterations", "batch_size", "budget", "evaluate_every")),
        *((name, 0, "at least 1") for name in ("evaluation_tasks", "save_every")),
        *(("learning_rate", value, "a positive number") for value in (0.0, -1.0, float("nan"))),
        *(("guard", value, "above 0, up to 1") for value in (0.0, -1.0, 1.5, float("nan"))),
        *((name, -1, "0 or more") for name in ("weight_decay", "curiosity", "clip", "hand_over", "warm_up")),
        *((name, value, "from 0 to 1") for name in ("gamma", "teacher_floor") for value in (-0.1, 1.1)),
        *((name, value, "to below 1") for name in ("sight_dropout", "average") for value in (-0.1, 1.0)),
        *((name, float("nan"), "give") for name in ("weight_decay", "curiosity", "clip", "gamma")),
        *((name, float("inf"), "give") for name in ("learning_rate", "weight_decay", "curiosity")),
    ],
)
def test_what_cannot_be_is_refused_with_a_remedy(option, value, remedy):
    with pytest.raises(InputError) as refused:
        TrainingSettings(**{option: value}).check()
    message = str(refused.value)
    assert message.startswith(f"--{option.replace('_', '-')} is {value};") and remedy in message
