from dataclasses import replace

import numpy as np
import pytest
from by_hand import NORTH, corridor, house
from grounding import Ground, false_claims
from hypothesis import assume, given
from hypothesis import strategies as st
from reading import grammar_faults, text_faults
from splits import random_routes
from strategies import worlds

from helpanna.errors import InputError
from helpanna.narration import nouns
from helpanna.narration.facts import side_of, turn_kind
from helpanna.narration.narrators import NARRATORS, Writer, write_instructions
from helpanna.narration.path_facts import narrate
from helpanna.narration.surroundings import Surroundings
from helpanna.tasks.words import words
from helpanna.worlds.sample import sample_atlas


def walk(world, path, view=NORTH):
    return narrate(Surroundings(world), tuple(path), view)


def chain(*positions):
    return house(positions, [(i, i + 1) for i in range(len(positions) - 1)])


# The facts.


@pytest.mark.parametrize(
    ("angle", "kind"),
    [
        (0, "straight"), (-24, "straight"), (-30, "slight left"), (30, "slight right"), (-90, "left"),
        (90, "right"), (-140, "sharp left"), (140, "sharp right"), (180, "around"), (-170, "around"),
    ],
)  # fmt: skip
def test_turns_are_called_by_their_angle(angle, kind):
    assert turn_kind(angle) == kind


@pytest.mark.parametrize(
    ("bearing", "side"), [(0, "ahead"), (-90, "left"), (90, "right"), (180, "behind"), (-150, "behind")]
)
def test_sides(bearing, side):
    assert side_of(bearing) == side


def test_a_corner_is_a_turn():
    legs = walk(chain((0, 0), (0, 2), (0, 4), (-2, 4)), [0, 1, 2, 3]).legs
    assert [leg.turn.kind for leg in legs] == ["straight", "left"]
    assert [(leg.first, leg.last) for leg in legs] == [(0, 2), (2, 3)]
    assert legs[0].metres == pytest.approx(4)


def test_the_first_turn_is_seen_from_the_camera():
    world = chain((0, 0), (2, 0))
    kinds = [walk(world, [0, 1], 12 + heading).legs[0].turn.kind for heading in (3, 0, 6, 9, 2)]
    assert kinds == ["straight", "right", "left", "around", "slight right"]


def test_small_changes_one_after_another_are_a_bend():
    points = [(np.sin(a) * 4, 4 - np.cos(a) * 4) for a in np.radians([0, 20, 40, 60, 80, 100])]
    world = chain(*[(x, y) for x, y in points])
    legs = walk(world, range(6), 15).legs
    told = [leg.turn for leg in legs if leg.turn.kind != "straight"]
    assert [turn.kind.split()[-1] for turn in told] == ["left"] * len(told) and told
    assert told[0].first < told[0].step


def test_a_swerve_is_no_turn():
    legs = walk(chain((0, 0), (0, 2), (1, 4), (1, 6)), range(4)).legs
    assert len(legs) == 1 and legs[0].turn.kind == "straight"


def test_a_stair_is_a_leg_of_its_own_whatever_its_turns():
    world = chain((0, 0), (0, 2), (0, 4, 1), (2, 4, 2), (2, 2, 3), (2, 0, 3))
    legs = walk(world, range(6)).legs
    assert [bool(leg.flight) for leg in legs] == [False, True, False]
    flight = legs[1].flight
    assert flight.up and flight.begins and flight.ends and flight.rise == pytest.approx(3)
    back = walk(world, range(5, -1, -1)).legs
    assert [leg.flight.up for leg in back if leg.flight] == [False]
    half = walk(world, [2, 3]).legs[0].flight
    assert not half.begins and not half.ends


def test_things_are_passed_on_their_side():
    things = [("sofa", -1, 2), ("bed", 1, 3), ("sink", 0.5, 9), ("lamp", 1, -1), ("desk", 5, 2)]
    world = house([(0, 0), (0, 4)], [(0, 1)], things=things, sightings=[(0, i) for i in range(5)])
    passes = walk(world, [0, 1]).legs[0].passes
    assert [(p.thing, p.side) for p in passes] == [(0, "left"), (1, "right")]
    back = walk(world, [1, 0], 18).legs[0].passes
    assert [(p.thing, p.side) for p in back] == [(1, "left"), (0, "right")]


def test_doorways_are_crossed_passed_and_counted():
    legs = walk(corridor(), [0, 1, 2, 3, 6]).legs
    assert [(door.room, door.side) for door in legs[0].doors] == [(1, "left"), (3, "right")]
    (crossing,) = legs[1].crossings
    assert (crossing.left, crossing.entered, crossing.doorway, crossing.ordinal) == (0, 2, True, 2)


def test_rooms_of_an_open_plan_have_no_doorway():
    places = [(x, y) for y in (0, 2, 4, 6) for x in (0, 2)]
    edges = [(i, i + 2) for i in range(6)] + [(i, i + 1) for i in range(0, 8, 2)]
    lines = [(i, j) for i in range(8) for j in range(i + 1, 8)]
    world = house(places, edges, [0] * 4 + [1] * 4, ("kitchen", "living room"), sight_lines=lines)
    (crossing,) = walk(world, [0, 2, 4]).legs[0].crossings
    assert not crossing.doorway
    closed = replace(world, sight_lines=world.edges)
    assert walk(closed, [0, 2, 4]).legs[0].crossings[0].doorway


def test_a_corridor_ends_where_one_cannot_go_on():
    assert walk(corridor(), [0, 1, 2, 3, 4]).legs[-1].ends_room
    assert not walk(corridor(), [0, 1, 2, 3]).legs[-1].ends_room


@pytest.mark.parametrize("path", [(), (0,), (0, 2), (0, 0)])
def test_only_walks_are_told(path):
    with pytest.raises(InputError, match="not a walk in world by hand"):
        write_instructions(corridor(), path, NORTH)


# The words.


@pytest.mark.parametrize(
    ("name", "plural", "article"),
    [
        ("chair", "chairs", "a chair"), ("shelf", "shelves", "a shelf"), ("bench", "benches", "a bench"),
        ("armchair", "armchairs", "an armchair"), ("box", "boxes", "a box"), ("toy", "toys", "a toy"),
        ("ottoman", "ottomans", "an ottoman"), ("bowl of fruit", "bowls of fruit", "a bowl of fruit"),
        ("vanity", "vanities", "a vanity"), ("urinal", "urinals", "a urinal"), ("urn", "urns", "an urn"),
    ],
)  # fmt: skip
def test_articles_and_plurals(name, plural, article):
    assert nouns.several(name) == plural
    assert nouns.with_article(name, definite=False) == article
    assert not nouns.is_plural(name)


def test_what_is_plural_stays_so():
    assert nouns.several("curtains") == "curtains"
    assert nouns.with_article("curtains", definite=False, plural=True) == "some curtains"
    assert nouns.is_plural("clothes") and not nouns.is_plural("glass") and not nouns.is_plural("canvas")


@pytest.mark.parametrize("kind", ["wall \\other room", "unknown object", "t.v", "stairs", "hole", ""])
def test_nobody_speaks_of_these(kind):
    assert nouns.names_of(kind) == ()


def test_rooms_of_unknown_kind_have_no_name():
    assert nouns.room_names("") == ()
    assert nouns.room_names("pantry") == ("pantry",)
    assert {"kitchen", "kitchen area"} == set(nouns.room_names("kitchen"))


ALL = len(NARRATORS)


def faults(world, path, view, seed=0, count=ALL):
    ground = Ground(world, path, view)
    found = []
    for said in Writer(Surroundings(world), seed).write(tuple(path), view, count):
        wrong = [*false_claims(ground, said), *text_faults(ground, said)]
        wrong += grammar_faults(said.text) if said.narrator != "sloppy" else []
        found += [(said.narrator, said.text, fault) for fault in wrong]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_all_that_is_said_is_true_in_sample_buildings(seed):
    atlas = sample_atlas(4, seed)
    routes = random_routes(atlas, 25, seed)
    for path, view in zip(routes.path, routes.view, strict=True):
        places = path[path >= 0]
        world = int(atlas.world_of[places[0]])
        local = (places - atlas.world_start[world]).tolist()
        assert faults(atlas.world(world), local, int(view), seed) == []


@pytest.mark.slow
@given(worlds(min_locations=2), st.data())
def test_all_that_is_said_is_true_anywhere(world, data):
    around = Surroundings(world)
    starts = [i for i in range(world.location_count) if around.neighbours[i]]
    assume(starts)
    path = [data.draw(st.sampled_from(starts))]
    for _ in range(data.draw(st.integers(1, 6))):
        path.append(data.draw(st.sampled_from(around.neighbours[path[-1]])))
    assert faults(world, path, data.draw(st.integers(0, 35)), count=4) == []


def test_the_same_seed_gives_the_same_words():
    world = sample_atlas().world(0)
    path = (0, 1, 2, 3)
    first = write_instructions(world, path, NORTH, 3, seed=5)
    assert first == write_instructions(world, path, NORTH, 3, seed=5)
    # A writer who has told other walks before says the same.
    writer = Writer(Surroundings(world), 5)
    writer.write((3, 2, 1), NORTH)
    assert [said.text for said in writer.write(path, NORTH)] == first
    assert first != write_instructions(world, path, NORTH, 3, seed=6)
    assert first[:2] == write_instructions(world, path, NORTH, 2, seed=5)


@pytest.mark.slow
def test_three_people_say_three_things():
    atlas = sample_atlas(3)
    routes = random_routes(atlas, 30)
    shares, told = [], set()
    for path, view in zip(routes.path, routes.view, strict=True):
        places = path[path >= 0]
        world = int(atlas.world_of[places[0]])
        writer = Writer(Surroundings(atlas.world(world)))
        said = writer.write(tuple((places - atlas.world_start[world]).tolist()), int(view))
        assert len({instruction.narrator for instruction in said}) == 3
        told |= {instruction.narrator for instruction in said}
        sets = [set(words(instruction.text)) for instruction in said]
        shares += [len(a & b) / len(a | b) for a, b in ((sets[0], sets[1]), (sets[1], sets[2]))]
    assert told == {narrator.name for narrator in NARRATORS}
    assert np.mean(shares) < 0.5  # people's: 0.25


@pytest.mark.slow
def test_narrators_keep_their_habits():
    atlas = sample_atlas(3)
    routes = random_routes(atlas, 30)
    texts = {narrator.name: [] for narrator in NARRATORS}
    for path, view in zip(routes.path, routes.view, strict=True):
        places = path[path >= 0]
        world = int(atlas.world_of[places[0]])
        writer = Writer(Surroundings(atlas.world(world)))
        local = tuple((places - atlas.world_start[world]).tolist())
        for said in writer.write(local, int(view), len(NARRATORS)):
            texts[said.narrator].append(said)
    length = {name: np.mean([len(words(s.text)) for s in said]) for name, said in texts.items()}
    assert length["terse"] == min(length.values()) and length["chatty"] == max(length.values())

    def share(name, kinds):
        claims = [claim.kind in kinds for said in texts[name] for claim in said.claims]
        return np.mean(claims)

    landmarks = ("pass", "toward", "reach", "start", "see")
    assert share("landmarks", landmarks) > 2 * share("directions", landmarks)
    assert share("directions", ("turn", "straight", "metres")) > share(
        "landmarks", ("turn", "straight", "metres")
    )
    assert all(said.text[0].isupper() and said.text.endswith(".") for said in texts["plain"])
    assert not all(said.text.endswith(".") for said in texts["sloppy"])
    you = {
        name: np.mean(["you" in words(s.text) or "you'll" in s.text for s in texts[name]]) for name in texts
    }
    assert you["chatty"] > you["terse"]


def test_no_more_instructions_than_narrators():
    with pytest.raises(InputError, match="narrators"):
        write_instructions(corridor(), (0, 1), NORTH, len(NARRATORS) + 1)
    assert write_instructions(corridor(), (0, 1), NORTH, 0) == []
