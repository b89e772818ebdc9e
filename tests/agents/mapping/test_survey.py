"""Surveys in a pile: as if all had been one survey from the start."""

from dataclasses import fields, replace

import numpy as np
from learners import seen_split

from helpanna.agents.mapping.survey import FAR, Pile, Survey
from helpanna.agents.mapping.surveys import Surveyor
from helpanna.assistance.assistants import Anna
from helpanna.episodes.episodes import Episodes
from helpanna.episodes.perception import Perception


def surveys(agents=8, steps=4):
    """Those of a walk straight ahead: maps that grow."""
    split = seen_split()
    episodes, perception = Episodes(split, Anna(split), np.arange(agents)), Perception(split)
    surveyor, found = Surveyor(perception, None, agents), []
    text = np.array([f"words {agent}" for agent in range(agents)], dtype=object)
    for _ in range(steps):
        seen = episodes.observe()
        surveyor.observe(seen, text)
        found.append(surveyor.survey(seen, text))
        episodes.step(np.zeros(agents, dtype=bool), np.ones(agents, dtype=np.int64))
    return found


def test_a_pile_gives_every_map_as_its_survey_has_it():
    parts = surveys()
    assert parts[0].exists.shape[1] < parts[-1].exists.shape[1]
    pile, room = Pile(parts), parts[-1].exists.shape[1] + 3
    assert len(pile) == sum(map(len, parts)) and len(pile.text) == len(pile)
    rows = np.random.default_rng(0).permutation(len(pile))
    taken = pile.select(rows, room)
    np.testing.assert_array_equal(taken.places(), pile.places()[rows])
    for at, row in enumerate(rows):
        part, agent = parts[row // 8], row % 8
        known = int(part.places()[agent])
        for field in fields(Survey):
            ours, theirs = getattr(taken, field.name)[at], getattr(part, field.name)[agent]
            if field.name in ("here", "named", "aim", "aim_words", "text"):
                np.testing.assert_array_equal(ours, theirs)
            elif field.name == "metres":
                np.testing.assert_array_equal(ours[:known, :known], theirs[:known, :known])
                assert (ours[part.exists.shape[1] :] == FAR).all()
            else:
                np.testing.assert_array_equal(ours[:known], theirs[:known])
                assert not ours[part.exists.shape[1] :].any()


def test_a_selection_is_a_copy_of_its_own():
    [part] = surveys(steps=1)
    before = replace(part, looks=part.looks.copy())
    taken = part.select(np.arange(len(part)), part.exists.shape[1])
    taken.looks[:] = -1
    np.testing.assert_array_equal(part.looks, before.looks)
    assert all(getattr(taken, field.name).flags.c_contiguous for field in fields(Survey))
