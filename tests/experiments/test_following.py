"""How well routes are followed: whoever chooses the best place is never further, others are."""

from types import SimpleNamespace

import numpy as np
import pytest
from learners import seen_split, untrained


@pytest.fixture
def following(experiment):
    return experiment("following")


def test_choices_on_routes_are_counted(following, monkeypatch):
    split = seen_split()
    agent, tasks = untrained(split, "map", hidden=16, boldness=2), np.arange(40)
    more = following.further(agent, split, tasks)
    assert len(more) > 20
    assert more.min() == 0 and more.max() > following.NEARLY

    taught = []
    roll_out = following.roll_out_maps

    def remembered(*arguments, **options):
        walked, decisions = roll_out(*arguments, **options)
        taught.extend(decision.place for decision in decisions)
        return walked, decisions

    choose = following.Chooser.choose

    def best(self, survey, active):
        if not active.any():  # on the teacher's own walk nobody is asked
            return choose(self, survey, active)
        return SimpleNamespace(log_place=np.eye(survey.exists.shape[1])[np.maximum(taught.pop(0), 0)])

    monkeypatch.setattr(following, "roll_out_maps", remembered)
    monkeypatch.setattr(following.Chooser, "choose", best)
    assert not following.further(agent, split, tasks).any()
