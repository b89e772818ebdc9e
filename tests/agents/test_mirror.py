"""What an agent sees and reads in a mirror is what it would see and read in the mirrored building."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from learners import in_a_mirror, seen_split
from lessons import Rehearsal, lesson

from helpanna.agents.mind import Mind
from helpanna.agents.mirror import Mirror, in_mirror, mirrored_words
from helpanna.agents.senses import Senses
from helpanna.assistance.assistants import Anna
from helpanna.episodes.episodes import Episodes
from helpanna.episodes.perception import Perception
from helpanna.tasks.vocabulary import Vocabulary

TASKS = np.arange(24)
EVERYBODY = np.ones(len(TASKS), dtype=bool)


def sights(split, steps=8):
    """What agents see on the way to their goals, with help, and where their ways lead."""
    senses = Senses(Perception(split), "annotations", Vocabulary.of(split.texts))
    episodes = Episodes(split, Anna(split), TASKS)
    for t in range(steps):
        observation = episodes.observe()
        there, ways = observation.candidates.mask, observation.candidates.place
        yield senses.perceive(observation), np.where(there, ways, -1), observation.active
        # The way with the lowest number, so that walks do not depend on the order of actions.
        first = np.where(there, ways, np.iinfo(ways.dtype).max)
        first[:, 0] = np.iinfo(ways.dtype).max
        episodes.step(np.full(len(TASKS), t % 3 == 1), np.argmin(first, axis=1))


def test_sight_in_a_mirror_is_that_of_the_mirrored_building():
    split = seen_split()
    mirror, targets = Mirror(EVERYBODY), 0
    for (seen, ways, active), (other, other_ways, _) in zip(
        sights(split), sights(in_a_mirror(split)), strict=True
    ):
        shown = mirror.sight(seen)
        for row in np.flatnonzero(active):
            for name in ("views", "target", "has_target"):
                assert torch.equal(getattr(shown, name)[row], getattr(other, name)[row]), name
            assert torch.allclose(shown.similarity[row], other.similarity[row], atol=2e-3)  # kept as float16
            targets += int(seen.has_target[row])
            # Ways at equal angles may stand in another order.
            mine = {int(v): a for a, v in enumerate(ways[row]) if v >= 0}
            theirs = {int(v): a for a, v in enumerate(other_ways[row]) if v >= 0}
            assert mine.keys() == theirs.keys()
            for place, action in mine.items():
                there = theirs[place]
                assert torch.allclose(shown.actions[row, action], other.actions[row, there], atol=1e-5)
                assert shown.slot[row, action] == other.slot[row, there]
    assert targets > 20


def test_only_those_who_look_into_it_see_otherwise():
    seen = next(sights(seen_split()))[0]
    looks = TASKS % 2 == 0
    shown = Mirror(looks).sight(seen)
    for name in ("views", "actions", "slot"):
        before, after = getattr(seen, name), getattr(shown, name)
        assert torch.equal(before[~looks], after[~looks])
        assert not torch.equal(before[looks], after[looks])
    some = np.array([4, 1, 2])
    theirs = Mirror(looks).select(some)
    assert theirs.texts(np.arange(3), ["go left"] * 3) == ["go right", "go left", "go right"]


def test_training_episodes_are_mirrored_by_their_address(monkeypatch):
    minds, think = [], Mind.think

    def watch(mind, observation):
        minds.append(mind)
        return think(mind, observation)

    monkeypatch.setattr(Mind, "think", watch)
    rehearsal = Rehearsal(lesson(tasks=12))
    plain = rehearsal.roll_out(np.arange(8), iteration=3)
    assert all(mind.mirror is None for mind in minds)
    minds.clear()
    both = rehearsal.roll_out(np.arange(8), iteration=3, mirror=True)
    looks = minds[0].mirror.looks
    np.testing.assert_array_equal(looks, in_mirror(0, 3, np.arange(8)))
    apart = (plain.log_nav[0].exp() - both.log_nav[0].exp()).abs().amax(dim=1)
    changed = apart.detach().numpy() > 1e-6
    np.testing.assert_array_equal(changed, looks)
    few = rehearsal.roll_out(np.array([5, 2]), iteration=3, place=np.array([5, 2]), mirror=True)
    assert torch.allclose(few.log_nav[0].exp(), both.log_nav[0][[5, 2]].exp(), atol=1e-6)


@pytest.mark.parametrize(
    ("said", "mirrored"),
    [
        ("Turn left at the sofa", "Turn right at the sofa"),
        ("the leftmost door, right after the stairs", "the rightmost door, right after the stairs"),
        ("go right, then veer slightly left and stop.", "go left, then veer slightly right and stop."),
        ("on your righthand side is a bright lamp", "on your lefthand side is a bright lamp"),
    ],
)
def test_left_is_right_in_a_mirror(said, mirrored):
    assert mirrored_words(said) == mirrored


@given(st.lists(st.sampled_from(["left", "right", "turn", "the", "door", ",", "leftmost"])).map(" ".join))
def test_a_mirror_in_a_mirror_shows_what_is_there(text):
    assert mirrored_words(mirrored_words(text)) == text
