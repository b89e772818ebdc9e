"""Laws of the annotation features."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from helpanna.errors import InputError
from helpanna.worlds.annotations import (
    NAME,
    SIZE,
    AnnotationSpace,
    annotation_features,
    head_word,
    write_annotation_features,
)
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.geometry import ANGLE_STEP, ELEVATIONS, HEADINGS, VIEWS
from helpanna.worlds.sample import sample_atlas, sample_world
from helpanna.worlds.storage import load_atlas, save_atlas
from helpanna.worlds.world import World


@pytest.fixture(scope="module")
def world() -> World:
    return sample_world("house", seed=3)


@pytest.fixture(scope="module")
def space(world: World) -> AnnotationSpace:
    return AnnotationSpace.choose(build_atlas([world], "test", "none"))


def turned(world: World) -> World:
    """The same building turned clockwise by 30 degrees."""
    c, s = np.cos(ANGLE_STEP), np.sin(ANGLE_STEP)
    turn = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    bits = world.sighting_views[:, None] >> np.arange(VIEWS, dtype=np.uint64) & np.uint64(1)
    bits = np.roll(bits.reshape(-1, ELEVATIONS, HEADINGS), 1, axis=2).reshape(-1, VIEWS)
    return replace(
        world,
        positions=world.positions @ turn.T,
        object_positions=world.object_positions @ turn.T,
        sighting_views=(bits << np.arange(VIEWS, dtype=np.uint64)).sum(axis=1, dtype=np.uint64),
    )


def test_turning_the_building_turns_the_views(world: World, space: AnnotationSpace) -> None:
    before = annotation_features(world, space).reshape(-1, ELEVATIONS, HEADINGS, SIZE)
    after = annotation_features(turned(world), space).reshape(-1, ELEVATIONS, HEADINGS, SIZE)
    np.testing.assert_allclose(after, np.roll(before, 1, axis=2), atol=1e-5)


def test_an_object_shows_in_the_views_that_show_it(world: World, space: AnnotationSpace) -> None:
    features = annotation_features(world, space)
    for (location, thing), mask in zip(world.sightings[:50], world.sighting_views[:50], strict=True):
        channel = space.channels(world.object_types[thing])[0][0]
        shown = [view for view in range(VIEWS) if int(mask) >> view & 1]
        assert (features[location, shown, channel] > 0).all()


def test_an_object_only_a_neighbour_sees_is_fainter(world: World, space: AnnotationSpace) -> None:
    alone = replace(world, sightings=world.sightings[:1], sighting_views=world.sighting_views[:1])
    location, thing = alone.sightings[0]
    channel = space.channels(world.object_types[thing])[0][0]
    strongest = annotation_features(alone, space)[:, :, channel].max(axis=1)
    adjacent = {int(j if i == location else i) for i, j in world.edges if location in (i, j)}
    assert set(np.flatnonzero(strongest)) == {int(location), *adjacent}
    assert all(strongest[v] < strongest[location] for v in adjacent)


def test_no_two_places_and_no_view_is_all_zeros(world: World, space: AnnotationSpace) -> None:
    features = annotation_features(world, space)
    assert (np.linalg.norm(features, axis=-1) > 0).all()
    assert len(np.unique(features.reshape(len(features), -1), axis=0)) == world.location_count
    assert np.isfinite(features).all()
    assert features.min() >= 0


def test_a_type_never_seen_looks_like_its_kind(world: World) -> None:
    space = AnnotationSpace(("chair", "table"))
    assert head_word("dining chairs") == "chair"
    assert head_word("bowl of fruit") == "bowl"
    assert head_word("glass") == "glass"
    bucket, head = space.channels("barber chair")
    assert bucket[0] >= 256
    assert bucket[1] > head[1]
    assert head[0] == 0
    assert space.channels("table") == [(1, 1.0)]


def test_a_building_without_objects_edges_and_rooms(space: AnnotationSpace) -> None:
    bare = World("bare", ("a", "b"), [[0, 0, 0], [1, 1, 0]], [1, 1], [0, 0], [], [], (), [-1, -1],
                 (), (), [], [], [], [], [])  # fmt: skip
    features = annotation_features(bare, space)
    assert features.shape == (2, VIEWS, SIZE)
    np.testing.assert_array_equal(features[0], features[1])


def test_the_space_is_stored_and_shared(tmp_path: Path) -> None:
    save_atlas(sample_atlas(2, seed=0), tmp_path / "a")
    save_atlas(sample_atlas(1, seed=9), tmp_path / "b")
    with pytest.raises(InputError, match="no view features"):
        write_annotation_features(tmp_path / "b", like=tmp_path / "a")
    write_annotation_features(tmp_path / "a")
    seen: list[tuple[int, int]] = []
    write_annotation_features(tmp_path / "b", like=tmp_path / "a", on_progress=lambda *n: seen.append(n))
    a, b = (load_atlas(tmp_path / name).views.get(NAME) for name in "ab")
    assert a.space == b.space
    assert a.space["terms"] == sorted(a.space["terms"])
    assert seen == [(1, 1)]


def test_other_features_are_no_space(tmp_path: Path, sample_with_features: object) -> None:
    save_atlas(sample_with_features, tmp_path / "a")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="numbers"):
        AnnotationSpace.of(load_atlas(tmp_path / "a").views.get("numbers"))
