"""Instructions in generated houses: all true, and as long as people's."""

import pytest
from grounding import Ground, false_claims
from reading import grammar_faults, text_faults

from helpanna.assistance.route_systems import random_routes
from helpanna.narration.narrators import NARRATORS, Writer
from helpanna.narration.surroundings import Surroundings
from helpanna.tasks.wording import wording_figures
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.houses.build import house_world
from helpanna.worlds.houses.generate import make_house


@pytest.fixture(scope="module")
def houses():
    names = ("small-1-0", "small-1-1", "small-1-2", "town-1-0")
    return build_atlas([house_world(make_house(name)) for name in names], "houses", "none")


@pytest.fixture(scope="module")
def told(houses):
    """For each walk its ground and what all narrators say of it."""
    routes = random_routes(houses, seed=1, instructions=0)
    worlds = [houses.world(w) for w in range(houses.world_count)]
    writers = [Writer(Surroundings(world), seed=1) for world in worlds]
    found = []
    for path, view in zip(routes.path, routes.view.tolist(), strict=True):
        places = path[path >= 0]
        world = int(houses.world_of[places[0]])
        local = tuple((places - houses.world_start[world]).tolist())
        found.append((Ground(worlds[world], local, view), writers[world].write(local, view, len(NARRATORS))))
    return found


@pytest.mark.slow
def test_all_that_is_said_is_true(told):
    for ground, instructions in told:
        for said in instructions:
            assert false_claims(ground, said) == [], said.text
            assert text_faults(ground, said) == [], said.text
            assert said.narrator == "sloppy" or grammar_faults(said.text) == [], said.text


def test_they_are_as_long_as_peoples(told):
    texts = [said.text for _, instructions in told for said in instructions]
    figures = wording_figures(texts)
    assert len(texts) > 400
    assert 24 <= figures["mean length"] <= 31
    assert 7 <= figures["spread of length"] <= 16
    assert figures["different words"] > 450
