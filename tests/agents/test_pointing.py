"""Trained agents name an object in REVERIE's tasks, by a rule on the words of the request."""

import pytest
from learners import seen_split, untrained

from helpanna.agents.pointing import Pointing
from helpanna.assistance.assistants import Absent
from helpanna.episodes.perception import Perception
from helpanna.evaluation.metrics import evaluate
from helpanna.evaluation.runner import run_episodes
from helpanna.tasks.errands import Errand, errand_split
from helpanna.tasks.kinds import R2R, REVERIE

ATLAS = seen_split().atlas


def in_sight(location):
    """The names of the objects that a location sees, each with the first object of that name."""
    found = {}
    for thing in ATLAS.sighting[ATLAS.sighting[:, 0] == location, 1].tolist():
        found.setdefault(ATLAS.type_names[ATLAS.object_type[thing]], thing)
    return found


HERE = max(range(ATLAS.location_count), key=lambda location: len(in_sight(location)))
ONE, OTHER = [name for name in in_sight(HERE) if " " not in name and not name.endswith("s")][:2]


def split_of(texts, kind=REVERIE):
    thing = in_sight(HERE)[ONE]
    errands = [Errand(f"{i}_0", text, 12, (HERE,), (HERE,), thing) for i, text in enumerate(texts)]
    return errand_split("train", kind, ATLAS, errands)


def test_the_object_that_is_named_first_is_meant():
    names = in_sight(HERE)
    texts = [
        f"wipe the {ONE} on the {OTHER}",
        f"wipe the {OTHER.upper()}, not the {ONE}",
        f"count the {ONE}s",
        "go upstairs",
        "",
    ]
    pointing = Pointing(Perception(split_of(texts)))
    meant = [pointing._meant(HERE, text) for text in texts]
    assert meant == [names[ONE], names[OTHER], names[ONE], -1, -1]


@pytest.mark.parametrize("kind", ["hierarchical", "map"])
def test_trained_agents_point_and_are_scored_for_it(kind):
    agent = untrained(split_of([f"wipe the {ONE}"]), kind)
    for text, points in ((f"wipe the {ONE}", ONE), (f"wipe the {OTHER}", OTHER), ("go upstairs", None)):
        split = split_of([text])
        done = run_episodes(split, agent, Absent(), [0], budget=1)
        assert done.notes["object"][0, 0] == (in_sight(HERE)[points] if points else -1)
        assert evaluate(split, done)["rgs"].value == float(points == ONE)
    done = run_episodes(split_of(["go upstairs"], R2R), agent, Absent(), [0], budget=1)
    assert "object" not in done.notes
