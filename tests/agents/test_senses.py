"""What networks perceive, against the definitions, one agent and one view at a time."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import torch
from learners import seen_split, wander

from helpanna.agents.senses import Senses, Targets
from helpanna.episodes.perception import Perception
from helpanna.tasks.vocabulary import Vocabulary
from helpanna.tasks.words import words
from helpanna.worlds.annotations import NAME
from helpanna.worlds.geometry import HEADINGS, VIEWS
from helpanna.worlds.views import Views
from helpanna.worlds.words_of_views import find_words


@pytest.fixture(scope="module")
def split():
    return seen_split()


@pytest.fixture(scope="module")
def senses(split):
    return Senses(Perception(split), NAME, Vocabulary.of(split.texts))


@pytest.fixture(scope="module")
def moments(split, senses):
    """Some observations and what is perceived of them."""
    return [(seen, senses.perceive(seen)) for seen in wander(split, np.arange(12), 8)]


def view_of(split, location, view):
    return split.atlas.views.get().array[location, view].astype(np.float64)


def test_the_36_views_of_here_and_of_the_target(split, moments):
    targets = 0
    for seen, sight in moments:
        for b, (here, target) in enumerate(zip(seen.panorama, seen.target, strict=True)):
            for view in range(VIEWS):
                np.testing.assert_array_equal(sight.views[b, view], view_of(split, here, view))
            assert sight.has_target[b] == (target >= 0)
            if target >= 0:
                targets += 1
                np.testing.assert_array_equal(sight.target[b, 5], view_of(split, target, 5))
            else:
                assert not sight.target[b].any()
    assert 0 < targets < len(moments) * 12


@pytest.mark.parametrize("learns", [True, False])
def test_targets_that_stay_are_not_looked_at_again(senses, moments, learns):
    looked, kept, targets = [], [], Targets()

    def look(panorama):
        looked.append(len(panorama))
        return senses._views(panorama)

    with torch.set_grad_enabled(learns):
        for seen, sight in moments:
            kept.append(targets.views(seen.target, look))
            assert torch.equal(kept[-1], sight.target)
    everybody = len(moments) * len(moments[0][0].target)
    changes = sum((a.target != b.target).sum() for (a, _), (b, _) in pairwise(moments))
    assert 0 < changes < everybody / 2
    if learns:  # what was seen is still needed as it was
        assert all(torch.equal(views, sight.target) for views, (_, sight) in zip(kept, moments, strict=True))
        assert sum(looked) == everybody
    else:
        assert sum(looked) == len(moments[0][0].target) + changes


def cosine(a, b):
    lengths = np.linalg.norm(a) * np.linalg.norm(b)
    return a @ b / lengths if lengths else 0


def test_delta_is_each_views_most_similar_target_view_from_the_heading_ahead(split, moments):
    headings = set()
    for seen, sight in moments:
        for b, (here, target) in enumerate(zip(seen.panorama, seen.target, strict=True)):
            if target < 0:
                assert not sight.similarity[b].any()
                continue
            ahead = int(seen.view[b]) % HEADINGS
            headings.add(ahead)
            for place in range(0, VIEWS, 5):
                elevation, turn = divmod(place, HEADINGS)
                view = view_of(split, here, elevation * HEADINGS + (ahead + turn) % HEADINGS)
                best = max(cosine(view, view_of(split, target, other)) for other in range(VIEWS))
                assert abs(float(sight.similarity[b, place]) - best) < 1e-3
    assert len(headings) > 4


def test_at_the_target_delta_is_one_and_a_blank_view_is_similar_to_nothing(split):
    features = split.atlas.views.get()
    array = features.array.copy()
    seen = next(wander(split, [0], 1))
    here = int(seen.panorama[0])
    array[here, 3] = 0
    views = Views({NAME: replace(features, array=array)})
    blank = replace(split, atlas=replace(split.atlas, views=views))
    there = replace(seen, target=seen.panorama, view=np.array([HEADINGS]))
    delta = Senses(Perception(blank), NAME, Vocabulary.of(split.texts)).perceive(there).similarity[0].numpy()
    assert delta[3] == 0
    np.testing.assert_allclose(np.delete(delta, 3), 1, atol=1e-3)


def test_delta_does_not_depend_on_what_was_looked_at_before(split, moments):
    """Pairs are remembered; a second look, and a look in another company, find the same bits."""
    fresh = Senses(Perception(split), NAME, Vocabulary.of(split.texts))
    for seen, sight in reversed(moments):
        assert torch.equal(fresh.perceive(seen).similarity, sight.similarity)
        assert torch.equal(fresh.perceive(seen).similarity, sight.similarity)


def test_an_action_is_the_view_it_leads_through_and_the_turn_towards_it(split, moments):
    turns = set()
    for seen, sight in moments:
        candidates = seen.candidates
        np.testing.assert_array_equal(sight.exists, candidates.mask)
        for b, here in enumerate(seen.panorama):
            for a in np.flatnonzero(candidates.mask[b]):
                embedding = sight.actions[b, a].numpy()
                assert sight.slot[b, a] == candidates.slot[b, a]
                if a == 0:
                    assert not embedding.any()  # stop
                    continue
                now, then = int(seen.view[b]), int(candidates.view[b, a])
                np.testing.assert_array_equal(embedding[:-128], view_of(split, here, then))
                turn = math.radians(30 * (then % 12 - now % 12))
                tilt = math.radians(30 * (then // 12 - now // 12))
                turns.add((round(turn, 3), round(tilt, 3)))
                four = [math.sin(turn), math.cos(turn), math.sin(tilt), math.cos(tilt)]
                expected = [number for number in four for _ in range(32)]
                np.testing.assert_allclose(embedding[-128:], expected, atol=1e-6)
    assert len(turns) > 10


def test_new_instructions_are_told(moments):
    changes = [sight.changed.tolist() for _, sight in moments]
    assert changes == [seen.text_changed.tolist() for seen, _ in moments]
    assert all(changes[0]) and any(any(row) and not all(row) for row in changes[1:])


def test_words_in_sight_of_actions(split):
    known = find_words(split.atlas)
    views = replace(split.atlas.views, words=known)
    perception = Perception(replace(split, atlas=replace(split.atlas, views=views)))
    senses = Senses(perception, NAME, Vocabulary.of(split.texts))
    found = 0
    for seen in wander(split, np.arange(12), 8):
        texts = seen.words.tolist()
        match = senses.perceive(seen, perception.word_ids(texts)).words
        assert senses.perceive(seen).words is None
        for b, a in np.argwhere(seen.candidates.mask):
            here, view = int(seen.panorama[b]), int(seen.candidates.view[b, a])
            in_view, heading = set(known.of(here, view)), set()
            for level in range(view % HEADINGS, VIEWS, HEADINGS):
                heading |= set(known.of(here, level))
            anywhere = {word for v in range(VIEWS) for word in known.of(here, v)}
            expected = (set(), set(), anywhere) if a == 0 else (in_view, heading, set())
            for place, word in enumerate(words(texts[b])[:50]):
                (number,) = known.ids([word])
                named = known.words[number] if number >= 0 else None
                got = match[b, a, :, place].bool().tolist()
                assert got == [named in shown for shown in expected]
                found += sum(got)
        assert not match[torch.from_numpy(~seen.candidates.mask)].any()
    assert found > 20
