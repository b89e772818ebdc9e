"""Instructions on the paths of Room-to-Room: all true, and in numbers like what people said of them."""

import re
from pathlib import Path

import pytest
from grounding import Ground, false_claims
from reading import grammar_faults, text_faults

from helpanna.assistance.route_systems import random_routes
from helpanna.narration.narrators import Instruction, Writer
from helpanna.narration.surroundings import surroundings_of
from helpanna.tasks.room_to_room import build_routes, read_room_to_room
from helpanna.tasks.routes import NO_ROUTE, Routes, check_routes, zones_of_attention
from helpanna.tasks.wording import compare_wording
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.room_kinds import room_kinds

pytestmark = pytest.mark.slow

EVERY = 12
"""One path in this number is told, to save time."""


@pytest.fixture(scope="module")
def room_to_room(real_atlas: Atlas, real_data: Path) -> Routes:
    files = [real_data / "R2R_train.json", real_data / "R2R_val_seen.json"]
    return build_routes(real_atlas, read_room_to_room(files))


@pytest.fixture(scope="module")
def told(real_atlas: Atlas, room_to_room: Routes) -> list[tuple[int, Instruction]]:
    """Pairs of a route and an instruction for it, three a route."""
    writers: dict[int, Writer] = {}
    said = []
    for route in range(0, len(room_to_room), EVERY):
        world, path = local_path(real_atlas, room_to_room, route)
        if world not in writers:
            writers[world] = Writer(surroundings_of(real_atlas, world))
        said += [(route, text) for text in writers[world].write(path, int(room_to_room.view[route]))]
    return said


def local_path(atlas: Atlas, routes: Routes, route: int) -> tuple[int, tuple[int, ...]]:
    places = routes.path[route][routes.path[route] >= 0]
    world = int(atlas.world_of[places[0]])
    return world, tuple((places - atlas.world_start[world]).tolist())


def test_all_that_is_said_is_true(
    real_atlas: Atlas, room_to_room: Routes, told: list[tuple[int, Instruction]]
) -> None:
    worlds = {w: real_atlas.world(w) for w in range(real_atlas.world_count)}
    captions, looks = real_atlas.views.captions, 0
    assert captions is not None
    for route, said in told:
        world, path = local_path(real_atlas, room_to_room, route)
        said_there = [captions.of(place) for place in real_atlas.locations(world)]
        ground = Ground(worlds[world], path, int(room_to_room.view[route]), said_there)
        looks += sum(claim.kind in ("looks", "glimpse") for claim in said.claims)
        assert false_claims(ground, said) == []
        assert text_faults(ground, said) == []
        assert said.narrator == "sloppy" or grammar_faults(said.text) == []
    assert looks > 100  # what captions say is told too, and all of it is true


def test_rooms_get_the_names_that_people_give_them(real_atlas: Atlas, room_to_room: Routes) -> None:
    """The kinds of rooms are not given; where we tell them, people who end their walk there should agree."""
    agree: dict[str, list[bool]] = {}
    kinds = {w: room_kinds(real_atlas.world(w)) for w in range(real_atlas.world_count)}
    rooms = {w: real_atlas.world(w).room_of for w in kinds}
    starts = room_to_room.instruction_start
    for route in range(len(room_to_room)):
        world, path = local_path(real_atlas, room_to_room, route)
        kind = kinds[world][rooms[world][path[-1]]] if rooms[world][path[-1]] >= 0 else ""
        said = " ".join(room_to_room.instructions[starts[route] : starts[route + 1]]).lower()
        if kind in NAMES:
            agree.setdefault(kind, []).append(bool(re.search(NAMES[kind], said)))
    shares = {kind: sum(found) / len(found) for kind, found in agree.items()}
    print({kind: f"{share:.0%} of {len(agree[kind])}" for kind, share in shares.items()})
    assert set(shares) == set(NAMES)
    assert min(shares.values()) > 0.6


NAMES = {
    "bedroom": r"bed",
    "bathroom": r"bath|toilet|restroom|shower|sink|washroom|tub",
    "kitchen": r"kitchen|stove|oven|fridge|refrigerator|counter|island",
    "hallway": r"hall|corridor|passage",
    "laundry room": r"laundry|washer|washing|dryer",
}


def test_the_figures_are_in_the_range_of_peoples(
    room_to_room: Routes, told: list[tuple[int, Instruction]]
) -> None:
    starts = room_to_room.instruction_start
    texts = [room_to_room.instructions[starts[r] : starts[r + 1]][:3] for r, _ in told[::3]]
    figures = compare_wording([text for said in texts for text in said], [said.text for _, said in told])
    people, ours = figures["people"], figures["narrators"]
    for name in ours:
        print(f"{name:18} people {people[name]:9}   narrators {ours[name]:9}")
    assert 24 <= ours["mean length"] <= 31
    assert 0.6 <= ours["spread of length"] / people["spread of length"] <= 1.4
    for name in ("different words", "type/token ratio", "different pairs", "different triples"):
        assert 0.6 <= ours[name] / people[name] <= 1.2, name


def test_random_routes_are_like_room_to_rooms(real_atlas: Atlas, room_to_room: Routes) -> None:
    routes = random_routes(real_atlas, instructions=0)
    check_routes(real_atlas, routes)
    covered = (zones_of_attention(real_atlas, routes)[:, 0] != NO_ROUTE).mean()
    edges = [((r.path >= 0).sum(axis=1) - 1).mean() for r in (routes, room_to_room)]
    print(f"{len(routes)} routes ({len(room_to_room)} in Room-to-Room), {covered:.1%} covered, {edges} edges")
    assert 0.77 <= covered <= 0.82
    assert 0.7 <= len(routes) / len(room_to_room) <= 1.4
    assert edges[0] == pytest.approx(edges[1], abs=0.3)
