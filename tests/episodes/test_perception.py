"""What agents may know of a split: places by their own walk, and what they see and read."""

from dataclasses import fields, replace

import numpy as np
import pytest
from learners import seen_split, wander

from helpanna.episodes.perception import Perception
from helpanna.errors import InputError
from helpanna.tasks.vocabulary import Vocabulary
from helpanna.tasks.words import words
from helpanna.worlds.words_in_sight import NO_WORD
from helpanna.worlds.words_of_views import find_words

TASKS, STEPS = np.arange(40), 25


@pytest.fixture(scope="module")
def split():
    return seen_split()


@pytest.fixture(scope="module")
def perception(split):
    return Perception(split)


@pytest.fixture(scope="module")
def walk(split):
    """Observations of agents that walk, ask and leave routes at random."""
    return list(wander(split, TASKS, STEPS))


def test_places_are_numbered_by_each_agent_in_the_order_in_which_it_first_sees_them(split, walk):
    again = 0
    for b in range(len(TASKS)):
        number = {}
        for seen in walk:
            if not seen.active[b]:
                break
            for a, v in enumerate(split.atlas.action_location[seen.panorama[b], seen.view[b]].tolist()):
                place = seen.candidates.place[b, a]
                if v < 0:
                    assert place == -1
                    continue
                again += v in number and a > 0
                assert place == number.setdefault(v, len(number))
            assert seen.place[b] == seen.candidates.place[b, 0] == number[seen.panorama[b]]
        assert len(number) > 3
    assert again > 100


def test_the_ways_are_as_long_as_they_are(split, perception, walk):
    atlas = split.atlas
    for seen in walk[::5]:
        ways = perception.ways(seen)
        for b, here in enumerate(seen.panorama):
            leads = atlas.action_location[here, seen.view[b]]
            for a, there in enumerate(leads):
                expected = atlas.position[there] - atlas.position[here] if there >= 0 else np.zeros(3)
                np.testing.assert_array_equal(ways[b, a], expected)


def test_an_object_of_the_requested_type_is_in_sight_where_the_sightings_say(split, perception, walk):
    found = 0
    for seen in walk:
        in_sight = perception.in_sight(seen)
        for b, (task, here) in enumerate(zip(seen.task, seen.panorama, strict=True)):
            kind = split.goal_sets.object_type[split.goal_set[task]]
            objects = split.atlas.sighting[split.atlas.sighting[:, 0] == here, 1]
            assert in_sight[b] == (split.atlas.object_type[objects] == kind).any()
            found += in_sight[b]
    assert 10 < found < len(walk) * len(TASKS) / 2


def test_the_target_is_recognised_where_its_image_was_taken(perception, walk):
    arrived = 0
    for seen in walk:
        at_target = perception.at_target(seen)
        np.testing.assert_array_equal(at_target, seen.panorama == seen.target)
        arrived += at_target.sum()
    assert arrived > 0


def test_views_are_zero_without_a_panorama(split, perception):
    features = split.atlas.views.get()
    views = perception.views(np.array([3, -1, 0]), features.name)
    np.testing.assert_array_equal(views[[0, 2]], features.array[[3, 0]])
    assert not views[1].any() and features.array[0].any()
    assert perception.feature_spaces == {features.name: features.space}


def test_it_shows_nothing_else(split, perception):
    """No public attribute leads to the split, its atlas or its goals."""
    hidden = [split, *(getattr(split, f.name) for f in fields(split) if f.name not in ("name", "texts"))]
    for name in dir(perception):
        if not name.startswith("_"):
            assert not any(getattr(perception, name) is secret for secret in hidden)


def test_two_perceptions_of_one_split_are_equal(split, perception):
    assert Perception(split) == perception
    assert Perception(seen_split.__wrapped__()) != perception


def test_the_words_of_a_text_are_in_sight_where_the_atlas_says(split, perception, walk):
    with pytest.raises(InputError, match="no words in sight"):
        perception.word_ids(["a mug"])
    known = find_words(split.atlas)
    views = replace(split.atlas.views, words=known)
    perception = Perception(replace(split, atlas=replace(split.atlas, views=views)))
    ids = perception.word_ids(split.texts)
    tokens, length = Vocabulary.of(split.texts).tokens(split.texts)
    assert ids.shape == tokens.shape
    found = 0
    for seen in walk[::8]:
        match = perception.words_in_sight(seen.panorama, ids[seen.text])
        for b in range(0, len(TASKS), 7):
            text = words(split.texts[seen.text[b]])
            for view in range(36):
                shown = known.of(int(seen.panorama[b]), view)
                for k in range(length[seen.text[b]]):
                    id_ = known.ids([text[k]])[0]
                    expected = id_ != NO_WORD and known.words[id_] in shown
                    assert match[b, view, k] == expected
                    found += expected
            assert not match[b, :, length[seen.text[b]] :].any()
    assert found > 10
