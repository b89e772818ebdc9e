"""Numbers from captions: what they mean, what they are fitted to, and that they can be shared."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from publishers import write_source

from helpanna.errors import InputError
from helpanna.randomness import generator
from helpanna.worlds.annotations import SIZE, view_blur, write_annotation_features
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.caption_space import CaptionSpace
from helpanna.worlds.content_words import content_words
from helpanna.worlds.geometry import VIEWS
from helpanna.worlds.matterport.importer import import_matterport
from helpanna.worlds.room_kinds import room_kinds
from helpanna.worlds.sample import sample_atlas, sample_world
from helpanna.worlds.sight_features import (
    SightSpace,
    caption_features,
    captions_of,
    room_features,
    spaces_like,
    write_sight,
)
from helpanna.worlds.storage import check_atlas, load_atlas, save_atlas

SCANS = ("scan1", "scan2", "scan3")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return publish(tmp_path_factory.mktemp("source"))


def publish(folder: Path) -> Path:
    regions: dict[str, object] = {}
    for seed, scan in enumerate(SCANS):
        write_source(folder, replace(sample_world(scan, seed=seed), name=scan))
        regions |= json.loads((folder / "house_region_to_panorama.json").read_text())
    (folder / "house_region_to_panorama.json").write_text(json.dumps(regions))
    return folder


@pytest.fixture(scope="module")
def imported(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("imported") / "atlas"
    import_matterport(source, folder, annotations=False)
    return folder


@pytest.fixture
def folder(imported: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(imported, tmp_path / "atlas"))


def fit(folder: Path, *worlds: int) -> SightSpace:
    return SightSpace.fit(load_atlas(folder), worlds or (0, 1, 2), "words")


def same(a: SightSpace | CaptionSpace, b: SightSpace | CaptionSpace) -> bool:
    return a.to_json() == b.to_json()


def test_content_words() -> None:
    said = "A living room with two chairs and the woman's glass shelves, next to a Staircase"
    assert content_words(said) == ["living", "room", "two", "chair", "woman", "glass", "shelf", "stair"]
    assert content_words("boxes benches glasses dishes bus tables") == [
        "box",
        "bench",
        "glass",
        "dish",
        "bus",
        "table",
    ]


def test_both_kinds_are_added_and_sound(folder: Path) -> None:
    space = fit(folder)
    assert write_sight(folder, space) == ["captions", "sight"]
    views = check_atlas(folder).views
    captions, sight = views.get("captions").array, views.get("sight").array
    assert sight.shape[-1] == space.size == captions.shape[-1] + SIZE + 2 * len(space.rooms)
    np.testing.assert_array_equal(sight[..., : captions.shape[-1]], captions)
    np.testing.assert_allclose(np.linalg.norm(captions.astype(float), axis=-1), 1, atol=2e-3)


def test_a_view_looks_like_the_captions_around_its_heading(folder: Path) -> None:
    atlas, space = load_atlas(folder), fit(folder).captions
    said = captions_of(atlas)
    numbers = space.encode(said.texts)
    features = caption_features(atlas, 1, numbers)
    first = int(atlas.world_start[1])
    for local, elevation in ((0, 1), (3, 0), (5, 2)):
        around = [numbers[said.texts.index(text)] for text in said.of(first + local)[elevation]]
        for heading, mixed in ((0, around[0]), (1, around[0] / 3 + around[1] * 2 / 3), (9, around[6])):
            view = features[local, elevation * 12 + heading]
            np.testing.assert_allclose(view, mixed / np.linalg.norm(mixed), atol=1e-4)


def test_captions_that_share_rare_words_are_alike(folder: Path) -> None:
    space = fit(folder).captions
    usual = {"ceiling", "lamp", "white", "wall", "wooden", "floor"}
    rare, *_, other = [word for word in space.words if len(word) > 3 and word not in usual]
    a, b, c = space.encode([f"a {rare} and a {other}", f"the {other} with {rare}s", "a white wall"])
    cosine = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
    assert cosine > 0.99 and a @ c < 0.3


def test_only_the_named_buildings_are_looked_at(source: Path, folder: Path, tmp_path: Path) -> None:
    """Other captions and things in the third building: the space fitted to the first two is the same."""
    changed = Path(shutil.copytree(source, tmp_path / "changed"))
    path = changed / "captions" / "scan3.json"
    path.write_text(path.read_text().replace("a wooden floor", "a zebra and a lion"))
    for box in (changed / "BBox").glob("scan3_*.json"):
        box.write_text(box.read_text().replace('"name": "', '"name": "odd#'))
    import_matterport(changed, tmp_path / "other", annotations=False)
    assert same(fit(folder, 0, 1), fit(tmp_path / "other", 0, 1))
    assert not same(fit(folder, 0, 1, 2), fit(tmp_path / "other", 0, 1, 2))
    assert "zebra" in fit(tmp_path / "other", 0, 1, 2).captions.words


def test_other_buildings_in_the_same_space(source: Path, folder: Path, tmp_path: Path) -> None:
    write_sight(folder, fit(folder, 0, 1))
    write_annotation_features(folder)
    import_matterport(source, tmp_path / "one", worlds=["scan3"], features_like=folder)
    whole, one = load_atlas(folder), load_atlas(tmp_path / "one")
    at = slice(*whole.world_start[2:4])
    for name in ("captions", "sight"):
        assert dict(one.views.get(name).space) == dict(whole.views.get(name).space)
        # Products of other sizes differ in their last bits.
        np.testing.assert_allclose(one.views.get(name).array, whole.views.get(name).array[at], atol=1e-6)


def test_what_an_agent_sees_can_be_made_again(folder: Path, tmp_path: Path) -> None:
    space = fit(folder)
    agent = tmp_path / "agent"
    agent.mkdir()
    for described in (space.to_json(), space.captions.to_json(), {"kind": "annotations"}):
        content = {"space": described, "network": {"features": 9}}
        (agent / "config.json").write_text(json.dumps(content))
        if described["kind"] != "annotations":
            (again,) = spaces_like(agent)
            assert again.to_json() == described
    assert spaces_like(agent) == []


def test_a_space_holds_no_caption(folder: Path) -> None:
    """What an agent carries: single words and numbers."""
    described = json.dumps(fit(folder).to_json())
    said = [text for text in captions_of(load_atlas(folder)).texts if " " in text]
    assert len(said) > 20 and not any(text in described for text in said)


def test_damaged_spaces_are_refused(folder: Path) -> None:
    described = fit(folder).to_json()
    refused = 0
    for k in range(300):
        rng = generator(0, "damaged space", k)
        copy = json.loads(json.dumps(described))
        part = copy if rng.random() < 0.3 else copy["captions"]
        key = sorted(part)[int(rng.integers(len(part)))]
        strange = [None, "", "AAAA", 7, [], ["a"], {}, "\ud800", float("nan")][int(rng.integers(9))]
        if part[key] == strange:
            continue
        part[key] = strange
        with pytest.raises(InputError, match="these are not"):
            SightSpace.from_json(copy, "these are")
        refused += 1
    assert refused > 250
    assert same(SightSpace.from_json(described, "these are"), SightSpace.from_json(described, "these are"))


def test_rooms_as_a_plain_loop_has_them(folder: Path) -> None:
    atlas: Atlas = load_atlas(folder)
    world = atlas.world(0)
    world = replace(world, rooms=tuple(replace(r, kind=f"kind {i % 3}") for i, r in enumerate(world.rooms)))
    kinds = ("kind 0", "kind 2")
    expected = np.zeros((world.location_count, VIEWS, 2, 2))
    named = room_kinds(world)
    for i in range(world.location_count):
        own = named[world.room_of[i]] if world.room_of[i] >= 0 else ""
        if own in kinds:
            expected[i, :, 0, kinds.index(own)] = 1
        for a, b in world.edges.tolist():
            if i not in (a, b):
                continue
            j = a + b - i
            kind = named[world.room_of[j]] if world.room_of[j] >= 0 else ""
            if kind in kinds:
                blur = view_blur((world.positions[j] - world.positions[i])[None])[0]
                k = kinds.index(kind)
                expected[i, :, 1, k] = np.maximum(expected[i, :, 1, k], blur)
    got = room_features(world, kinds).reshape(expected.shape)
    assert expected.any()
    np.testing.assert_allclose(got, expected, atol=1e-6)


def test_an_atlas_without_captions_says_so(tmp_path: Path) -> None:
    save_atlas(sample_atlas(), tmp_path / "atlas")
    with pytest.raises(InputError, match="no captions"):
        fit(tmp_path / "atlas", 0)
