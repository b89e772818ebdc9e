"""What captions say of things and directions: read rightly, and told only where it is true."""

import math

import pytest
from grounding import Ground, false_claims
from reading import grammar_faults, text_faults

from helpanna.narration.looks import looks_of, phrase_of
from helpanna.narration.narrators import Writer
from helpanna.narration.surroundings import Surroundings
from helpanna.randomness import generator
from helpanna.worlds.sample import sample_atlas

PIANO = "a black piano with flowers on it"


def panorama(**said):
    """Captions that say "a plain thing" but for the level ones named: h2="..." is at 90 degrees."""
    rows = [["a plain thing"] * 8 for _ in range(3)]
    for name, text in said.items():
        rows[1][int(name[1:])] = text
    return tuple(map(tuple, rows))


def test_looks_are_words_before_the_noun_beside_the_bearing():
    seen = panorama(h2="a red chair and a wooden table", h3="two blue chairs", h6="a green chair")
    assert looks_of(seen, math.radians(95), "chair") == ("red",)
    assert looks_of(seen, math.radians(95), "chairs") == ("blue",)
    assert looks_of(seen, math.radians(60), "chair") == ("red",)
    assert looks_of(seen, math.radians(-85), "chair") == ("green",)
    assert looks_of(seen, math.radians(90), "table") == ("wooden",)
    assert looks_of(seen, math.radians(90), "lamp") == ()


@pytest.mark.parametrize(
    ("caption", "phrase"),
    [
        (PIANO, "a black piano"),
        ("a painting of a fish on a wall", "a painting of a fish"),
        ("two chairs and a table", "two chairs"),
        ("a picture of a wall", ""),
        ("a person is holding a mirror", ""),
        ("a umbrella", ""),
        ("an armchair in a corner", "an armchair"),
        ("a staircase leading up", ""),
        ("the end of a hall", ""),
    ],
)
def test_a_phrase_is_what_a_caption_names_first(caption, phrase):
    assert phrase_of(caption) == phrase


@pytest.fixture(scope="module")
def tales():
    """Walks in a building where pianos are to be seen in one direction, and what narrators say of them."""
    atlas = sample_atlas(1)
    world = atlas.world(0)
    rng = generator(0, "pianos")
    turned = [f"h{h}" for h in rng.integers(8, size=world.location_count)]
    captions = [panorama(**{h: PIANO}) for h in turned]
    writer = Writer(Surroundings(world, captions))
    found = []
    for pair in rng.integers(world.location_count, size=(60, 2)).tolist():
        path = tuple(atlas.path(*pair))
        if len(path) > 3:
            found += [(path, said) for said in writer.write(path, 12)]
    return world, captions, found


def test_what_is_told_of_captions_is_true(tales):
    world, captions, found = tales
    told = 0
    for path, said in found:
        ground = Ground(world, path, 12, captions)
        assert false_claims(ground, said) == [] and text_faults(ground, said) == []
        assert said.narrator == "sloppy" or grammar_faults(said.text) == []
        told += sum(claim.kind == "glimpse" for claim in said.claims)
    assert told > 5


def test_the_check_finds_a_glimpse_in_the_wrong_direction(tales):
    world, captions, found = tales
    wrong = 0
    for path, said in found:
        claims = [claim for claim in said.claims if claim.kind == "glimpse"]
        ground = Ground(world, path, 12, captions)
        ground.headings = [heading + 180 for heading in ground.headings]
        wrong += sum(not ground.glimpse(claim) for claim in claims)
        told = [claim for claim in claims if captions[path[claim.step]][1][int(claim.number)] != PIANO]
        assert not any("piano" in said.text for _ in told)
    assert wrong > 5
