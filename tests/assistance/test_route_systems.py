import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import atlases

from helpanna.assistance.construction import construct_paths
from helpanna.assistance.route_systems import lemma_routes, make_routes, random_routes
from helpanna.cli.main import main
from helpanna.errors import InputError
from helpanna.tasks.check import check_dataset
from helpanna.tasks.routes import NO_ROUTE, check_routes, zones_of_attention
from helpanna.tasks.words import words
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.geometry import HEADINGS
from helpanna.worlds.sample import sample_atlas
from helpanna.worlds.storage import save_atlas


@pytest.fixture(scope="module")
def atlas():
    return sample_atlas(3)


@pytest.fixture(scope="module")
def routes(atlas):
    return random_routes(atlas, seed=1)


def coverage(atlas, routes):
    """[W] the share of each building's locations from which help can be requested."""
    can_ask = zones_of_attention(atlas, routes)[:, 0] != NO_ROUTE
    return [can_ask[slice(*atlas.world_start[w : w + 2])].mean() for w in range(atlas.world_count)]


def same(a, b):
    arrays = all(np.array_equal(getattr(a, name), getattr(b, name)) for name in ("path", "view", "route_of"))
    return arrays and a.names == b.names and a.instructions == b.instructions


def test_random_routes_are_shortest_paths_of_four_to_six_edges(atlas, routes):
    check_routes(atlas, routes)
    edges = (routes.path >= 0).sum(axis=1) - 1
    assert set(edges) <= {4, 5, 6} and len(set(edges)) > 1
    for path in routes.path:
        places = path[path >= 0]
        walked = atlas.distances(places[:-1], places[1:]).sum()
        assert walked == pytest.approx(float(atlas.distances(places[0], places[-1])), rel=1e-5)
    assert len({tuple(path) for path in routes.path.tolist()}) == len(routes)


@pytest.mark.slow
def test_help_is_as_common_as_asked_for(atlas, routes):
    places = np.diff(atlas.world_start)
    for share, n in zip(coverage(atlas, routes), places, strict=True):
        # The last route may bring its start and what is near it.
        assert 0.77 <= share <= 0.77 + 6 / n
    few, all_places = random_routes(atlas, 1, coverage=0.3), random_routes(atlas, 1, coverage=1.0)
    assert len(few) < len(routes) < len(all_places)
    assert min(coverage(atlas, all_places)) == 1.0


def test_routes_are_numbered_building_by_building(atlas, routes):
    worlds = atlas.world_of[routes.start]
    assert (np.diff(worlds) >= 0).all() and set(worlds) == {0, 1, 2}
    assert len(set(routes.names)) == len(routes)


def test_every_route_has_three_instructions_and_a_level_view(routes):
    assert np.diff(routes.instruction_start).tolist() == [3] * len(routes)
    assert all(len(words(text)) > 3 for text in routes.instructions)
    assert set(routes.view) <= set(range(HEADINGS, 2 * HEADINGS)) and len(set(routes.view)) > 6
    assert len(random_routes(sample_atlas(1), instructions=1).instructions) < 100


@pytest.mark.slow
def test_the_same_seed_gives_the_same_routes(atlas, routes):
    assert same(random_routes(atlas, seed=1), routes)
    assert not same(random_routes(atlas, seed=2), routes)


def test_a_buildings_routes_do_not_depend_on_the_others(atlas, routes):
    second = build_atlas([atlas.world(1)], "one", "none")
    alone = random_routes(second, seed=1)
    here = atlas.world_of[routes.start] == 1
    shared = routes.path[here]
    assert np.array_equal(np.where(shared >= 0, shared - atlas.world_start[1], -1), alone.path)
    texts = [text for text, r in zip(routes.instructions, routes.route_of, strict=True) if here[r]]
    assert texts == list(alone.instructions)


@pytest.mark.slow
def test_lemma_routes_are_those_of_the_lemma(atlas):
    routes = lemma_routes(atlas, seed=1)
    check_routes(atlas, routes)
    paths = [path.tolist() for w in range(atlas.world_count) for path in construct_paths(atlas, w)]
    assert [path[path >= 0].tolist() for path in routes.path] == paths
    assert coverage(atlas, routes) == [1.0] * atlas.world_count
    assert same(lemma_routes(atlas, seed=1), routes)
    assert same(make_routes("lemma", atlas, 1), routes)


@pytest.mark.slow
def test_progress_is_reported(atlas):
    done = []
    routes = make_routes("random", atlas, 1, on_progress=lambda *n: done.append(n))
    assert done == [(1, 3), (2, 3), (3, 3)]
    assert same(routes, random_routes(atlas, 1))


@pytest.mark.slow
@settings(max_examples=40)
@given(atlases(), st.integers(0, 2))
def test_any_buildings_have_routes_if_one_can_walk_in_them(atlas, seed):
    for routes in (random_routes(atlas, seed), lemma_routes(atlas, seed)):
        check_routes(atlas, routes)
        walked = {int(w) for w in atlas.world_of[routes.start]}
        assert walked == {int(w) for w in atlas.world_of[atlas.edge[:, 0]]}


@pytest.mark.parametrize("wrong", [{"coverage": 1.5}, {"edges": (5, 4)}, {"edges": (0, 3)}])
def test_what_cannot_be_is_refused(atlas, wrong):
    with pytest.raises(InputError, match="cannot be"):
        random_routes(atlas, **wrong)


@pytest.mark.slow
@pytest.mark.parametrize("system", ["random", "lemma"])
def test_a_dataset_without_room_to_room_files(tmp_path, atlas, system):
    save_atlas(atlas, tmp_path / "atlas")
    arguments = ["--worlds", str(tmp_path / "atlas"), "--out", str(tmp_path / "data"), "--seed", "3"]
    main(["tasks", "build", *arguments, "--unseen-count", "1", "--route-system", system])
    dataset = check_dataset(tmp_path / "data")
    assert dataset.manifest["settings"]["route_system"] == system
    made = set(make_routes(system, atlas, 3).instructions)
    heard = [set(dataset.split(name).routes.instructions) for name in ("train", "val_seen", "val_unseen")]
    assert set.union(*heard) == made


@pytest.mark.slow
def test_narrated_routes_are_added_to_training_only(tmp_path, atlas):
    save_atlas(atlas, tmp_path / "atlas")
    sizes = ("--sizes", "train", "30", "val_seen", "6", "test_seen", "6", "val_unseen", "6")
    build = ("tasks", "build", "--worlds", str(tmp_path / "atlas"), "--unseen-count", "1", *sizes)
    main([*build, "--out", str(tmp_path / "plain")])
    main([*build, "--out", str(tmp_path / "more"), "--narrated", "5"])
    plain, more = (check_dataset(tmp_path / name) for name in ("plain", "more"))
    for name in plain.names:
        for file in (tmp_path / "plain" / name).iterdir():
            if name != "train" or not (
                file.stem == "texts" or file.stem.startswith(("route", "instruction"))
            ):
                other = tmp_path / "more" / name / file.name
                assert file.read_bytes() == other.read_bytes(), (name, file.name)
    before, after = plain.split("train").routes, more.split("train").routes
    told = [r for r, name in enumerate(after.names) if name.startswith("narrated")]
    worlds = plain.split("train").atlas.world_of[after.start[told]]
    assert np.bincount(worlds)[np.unique(worlds)].tolist() == [5, 5]
    paths = {tuple(path[path >= 0]) for path in before.path}
    assert all(tuple(after.path[r][after.path[r] >= 0]) not in paths for r in told)
    assert [name for name in after.names if not name.startswith("narrated")] == list(before.names)
    said = {
        r: [after.instructions[i] for i in np.flatnonzero(after.route_of == r)] for r in range(len(after))
    }
    kept = [text for r in range(len(after)) if r not in told for text in said[r]]
    assert kept == list(before.instructions)
    assert all(1 <= len(said[r]) <= 3 for r in told)
