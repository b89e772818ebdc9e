"""Instructions on the paths of Room-to-Room: all true, and in numbers like what people said of them."""

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from grounding import Ground, false_claims, grammar_faults, text_faults

from helpanna.assistance.narrators import Instruction, Writer
from helpanna.assistance.room_to_room import build_routes, read_room_to_room
from helpanna.assistance.route_systems import random_routes
from helpanna.assistance.routes import NO_ROUTE, Routes, check_routes, zones_of_attention
from helpanna.assistance.surroundings import Surroundings
from helpanna.tasks.words import vocabulary, words
from helpanna.worlds.atlas import Atlas

pytestmark = pytest.mark.slow

EVERY = 12
"""Every so-manieth path is told, to save time."""


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
            writers[world] = Writer(Surroundings(real_atlas.world(world)))
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
    for route, said in told:
        world, path = local_path(real_atlas, room_to_room, route)
        ground = Ground(worlds[world], path, int(room_to_room.view[route]))
        assert false_claims(ground, said) == []
        assert text_faults(ground, said) == []
        assert said.narrator == "sloppy" or grammar_faults(said.text) == []


def test_rooms_of_unknown_kind_get_no_names(told: list[tuple[int, Instruction]]) -> None:
    names = re.compile(r"\b(into|in|exit|leave|enter) the (kitchen|bedroom|bathroom|hallway|living room)\b")
    assert not [said.text for _, said in told if names.search(said.text.lower())]


def figures(texts: list[str]) -> dict[str, float]:
    tokens = [words(text) for text in texts]
    pairs = [pair for said in tokens for pair in pairwise(said)]
    triples = [triple for said in tokens for triple in zip(said, said[1:], said[2:], strict=False)]
    total = sum(map(len, tokens))
    return {
        "instructions": len(texts),
        "words": total / len(texts),
        "spread of words": float(np.std([len(said) for said in tokens])),
        "vocabulary": len(vocabulary(texts)),
        "type/token": len(vocabulary(texts)) / total,
        "distinct pairs": len(set(pairs)) / len(pairs),
        "distinct triples": len(set(triples)) / len(triples),
    }


def test_the_figures_are_in_the_range_of_peoples(
    room_to_room: Routes, told: list[tuple[int, Instruction]]
) -> None:
    ours = figures([said.text for _, said in told])
    starts = room_to_room.instruction_start
    texts = [room_to_room.instructions[starts[r] : starts[r + 1]][:3] for r, _ in told[::3]]
    people = figures([text for said in texts for text in said])
    for name in ours:
        print(f"{name:18} people {people[name]:9.3f}   narrators {ours[name]:9.3f}")
    assert 20 <= ours["words"] <= 38
    assert 0.6 <= ours["spread of words"] / people["spread of words"] <= 1.4
    # Narrators see types only, no colours and materials, and they make no spelling mistakes.
    for name in ("vocabulary", "distinct pairs", "distinct triples"):
        assert 1 / 3 <= ours[name] / people[name] <= 1.2, name


def test_random_routes_are_like_room_to_rooms(real_atlas: Atlas, room_to_room: Routes) -> None:
    routes = random_routes(real_atlas, instructions=0)
    check_routes(real_atlas, routes)
    covered = (zones_of_attention(real_atlas, routes)[:, 0] != NO_ROUTE).mean()
    edges = [((r.path >= 0).sum(axis=1) - 1).mean() for r in (routes, room_to_room)]
    print(f"{len(routes)} routes ({len(room_to_room)} in Room-to-Room), {covered:.1%} covered, {edges} edges")
    assert 0.77 <= covered <= 0.82
    assert 0.7 <= len(routes) / len(room_to_room) <= 1.4
    assert edges[0] == pytest.approx(edges[1], abs=0.3)
