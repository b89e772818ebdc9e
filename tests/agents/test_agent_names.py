"""Agents by name."""

import pytest
from splits import sample_split

from helpanna.agents.asking import AskEvery5, Asking, AskNew, AskUntried, NoAsk, RandomAsk
from helpanna.agents.explorer import Explorer
from helpanna.agents.heuristics import Forward10, RandomWalk
from helpanna.agents.names import ASK_POLICIES, NAVIGATORS, make_agent
from helpanna.agents.skylines import PerfectInterpretation, PerfectRecognition, Shortest
from helpanna.errors import InputError

SPLIT = sample_split()


def test_navigators_by_name():
    assert make_agent("random_walk", SPLIT, seed=7) == RandomWalk(seed=7)
    assert make_agent("forward10", SPLIT) == Forward10()
    assert make_agent("shortest", SPLIT) == Shortest(SPLIT)
    assert isinstance(make_agent("explorer", SPLIT), Explorer)


def test_ask_policies_by_name():
    assert make_agent("forward10+random_ask", SPLIT, seed=7) == Asking(Forward10(), RandomAsk(seed=7))
    policies = {name: type(make_agent(f"explorer+{name}", SPLIT).policy) for name in ASK_POLICIES}
    assert policies == {
        "no_ask": NoAsk,
        "random_ask": RandomAsk,
        "ask_every5": AskEvery5,
        "ask_untried": AskUntried,
        "ask_new": AskNew,
    }


def test_perfect_interpretation_wraps_all_the_rest():
    agent = make_agent("random_walk+random_ask+perfect", SPLIT, seed=3)
    assert agent == PerfectInterpretation(Asking(RandomWalk(3), RandomAsk(3)), SPLIT)
    assert make_agent("random_walk+perfect", SPLIT) == PerfectInterpretation(RandomWalk(), SPLIT)
    both = make_agent("random_walk+random_ask+recognises+perfect", SPLIT, 3)
    assert both == PerfectInterpretation(
        PerfectRecognition(Asking(RandomWalk(3), RandomAsk(3)), SPLIT, 3), SPLIT
    )


@pytest.mark.parametrize(
    "name",
    ["", "walker", "forward10+", "forward10+ask", "forward10+perfect+random_ask", "+perfect",
     "forward10+no_ask+no_ask", "Forward10", "no/such/folder"],
)  # fmt: skip
def test_an_unknown_name_is_answered_with_those_that_exist(name):
    with pytest.raises(InputError) as error:
        make_agent(name, SPLIT)
    assert repr(name) in str(error.value)
    assert all(known in str(error.value) for known in [*NAVIGATORS, *ASK_POLICIES, "perfect"])


def test_a_folder_that_holds_no_agent_is_named(tmp_path):
    for suffix in ("", "+ask_every5", "+ask_every5+perfect"):
        with pytest.raises(InputError, match=f"{tmp_path} holds no agent"):
            make_agent(f"{tmp_path}{suffix}", SPLIT)
