"""What is learned in a mirror is what would be learned in the mirrored building, and hidden stays hidden."""

from dataclasses import replace

import numpy as np
import pytest
from learners import in_a_mirror, seen_split

from helpanna.agents.mapping.surveys import Surveyor
from helpanna.assistance.assistants import Anna
from helpanna.episodes.episodes import Episodes
from helpanna.episodes.perception import Perception
from helpanna.learning.disguise import disguised
from helpanna.learning.rollout import Batch
from helpanna.learning.settings import TrainingSettings
from helpanna.randomness import uniforms
from helpanna.teachers.mapping import MapTeacher, best_places

TASKS = np.arange(24)


def surveys(split, steps=6):
    """What agents know while they walk to their goals, and which location each place is."""
    episodes, perception = Episodes(split, Anna(split), TASKS), Perception(split)
    surveyor, teacher = Surveyor(perception, None, len(TASKS)), MapTeacher(split, len(TASKS))
    for _ in range(steps):
        seen = episodes.observe()
        text = np.array(split.texts, dtype=object)[seen.text]
        ways = surveyor.observe(seen, text)
        best = best_places(teacher.metres(surveyor.map, seen))
        yield surveyor.survey(seen, text), teacher._location.copy(), seen.active
        goes = surveyor.map.action_towards(np.where(seen.active, best, surveyor.map.here), seen, ways)
        episodes.step(np.zeros(len(TASKS), dtype=bool), goes)


def by_location(column, location, exists):
    """What is said of each location, whatever its number on the map."""
    return {int(v): column[p] for p, v in enumerate(location) if p < len(exists) and exists[p]}


def test_a_mirrored_map_is_the_map_of_the_mirrored_building():
    split = seen_split()
    batch = Batch(0, TASKS, np.arange(len(TASKS)))
    settings = TrainingSettings(mirror=True)
    turned = np.flatnonzero(uniforms(settings.seed, "mirror", 0, batch.place) < 0.5)
    compared = 0
    for (survey, place, active), (other, there, _) in zip(
        surveys(split), surveys(in_a_mirror(split)), strict=True
    ):
        shown = disguised(survey, TASKS, batch, settings)
        for row in turned[active[turned]]:
            ours = by_location(shown.facts[row], place[row], shown.exists[row])
            theirs = by_location(other.facts[row], there[row], other.exists[row])
            assert ours.keys() == theirs.keys()
            assert all(np.allclose(ours[v], theirs[v], atol=1e-4) for v in ours)
            assert not np.allclose(survey.facts[row], shown.facts[row])
            compared += 1
    assert compared > 12


def test_half_of_the_episodes_are_mirrored_in_all_their_steps():
    batch = Batch(3, TASKS, np.arange(len(TASKS)))
    settings = TrainingSettings(mirror=True)
    turned = []
    for survey, _, _ in surveys(seen_split(), steps=3):
        shown = disguised(survey, TASKS, batch, settings)
        turned.append([not np.array_equal(a, b) for a, b in zip(survey.facts, shown.facts, strict=True)])
    assert turned[1] == turned[2]
    assert 6 <= sum(turned[1]) <= 18


def test_what_is_hidden_is_hidden_everywhere_in_an_episode():
    batch = Batch(0, TASKS, np.arange(len(TASKS)))
    settings = TrainingSettings(sight_dropout=0.4)
    hidden = []
    for survey, _, _ in surveys(seen_split(), steps=4):
        seen = replace(
            survey,
            looks=np.ones_like(survey.looks),
            aim=np.ones_like(survey.aim),
            aim_words=np.ones((len(survey), 5), dtype=bool),
            match=np.ones((*survey.exists.shape, 5), dtype=bool),
            things=np.ones((*survey.exists.shape, 5), dtype=bool),
        )
        shown = disguised(seen, TASKS, batch, settings)
        assert (shown.looks == shown.looks[:, :1]).all()
        assert np.array_equal(shown.match, shown.things)
        assert np.array_equal(shown.looks[:, 0], shown.aim)
        assert np.array_equal(shown.match[:, 0], shown.aim_words)
        assert (shown.match == shown.match[:, :1]).all()
        hidden.append((shown.looks[:, 0] == 0, shown.match[:, 0]))
        assert shown.looks.mean() == pytest.approx(1, abs=0.05)
    assert all(np.array_equal(a, b) for one in hidden[1:] for a, b in zip(hidden[0], one, strict=True))
    channels = hidden[0][0]
    assert channels.mean() == pytest.approx(0.4, abs=0.05)
    assert not np.array_equal(channels[0], channels[1])


def test_without_these_settings_nothing_changes():
    for survey, _, _ in surveys(seen_split(), steps=2):
        assert disguised(survey, TASKS, Batch(0, TASKS, TASKS), TrainingSettings()) is survey
