"""Words in sight: of captions, objects and rooms, by a plain reading of each; and asked for quickly."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from publishers import write_source

from helpanna.errors import InputError
from helpanna.randomness import generator
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.content_words import content_words
from helpanna.worlds.geometry import VIEWS, nearest_view
from helpanna.worlds.matterport.importer import import_matterport
from helpanna.worlds.room_kinds import room_kinds
from helpanna.worlds.sample import sample_atlas, sample_world
from helpanna.worlds.storage import check_atlas, load_atlas, save_atlas
from helpanna.worlds.words_in_sight import NO_WORD, WordsInSight, thing_word
from helpanna.worlds.words_of_views import write_words_in_sight


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    folder = tmp_path_factory.mktemp("words")
    source = write_source(folder / "source", replace(sample_world("scan1", seed=1), name="scan1"))
    import_matterport(source, folder / "atlas", annotations=False)
    count = write_words_in_sight(folder / "atlas")
    loaded = check_atlas(folder / "atlas")
    assert count == len(words_of(loaded).words)
    return loaded


def words_of(atlas: Atlas) -> WordsInSight:
    assert atlas.views.words is not None
    return atlas.views.words


def expected(atlas: Atlas, location: int, view: int) -> set[str]:
    """What a plain reading finds in a view of the only building."""
    world, found, named = atlas.world(0), [], set()
    if atlas.views.captions is not None:
        degrees, row = view % 12 * 30, atlas.views.captions.of(location)[view // 12]
        for h, text in enumerate(row):
            if min((degrees - 45 * h) % 360, (45 * h - degrees) % 360) < 45:
                found.append(text)
    for (place, thing), mask in zip(world.sightings.tolist(), world.sighting_views.tolist(), strict=True):
        if place == location and mask >> view & 1:
            found.append(world.object_types[thing])
            named |= {thing_word(word) for word in content_words(world.object_types[thing])}
    kinds = room_kinds(world)
    room = world.room_of[location]
    found.append(kinds[room] if room >= 0 else "")
    for a, b in world.edges.tolist():
        for i, j in ((a, b), (b, a)):
            if i == location and nearest_view(world.positions[j] - world.positions[i]) == view:
                found.append(kinds[world.room_of[j]] if world.room_of[j] >= 0 else "")
    return ({word for text in found for word in content_words(text)} | named) & set(words_of(atlas).words)


def test_things_are_in_sight_where_an_annotation_names_them(atlas: Atlas) -> None:
    words, world = words_of(atlas), atlas.world(0)
    ids = np.array([words.ids(["refrigerator", "the", "hall"])])
    things = words.thing_ids(ids)
    assert things[0, 0] != ids[0, 0] and (things[0, 1:] == NO_WORD).all()
    for location in range(world.location_count):
        seen = {world.object_types[thing] for place, thing in world.sightings.tolist() if place == location}
        in_sight = words.match(np.array([location]), things)[0, :, 0].any()
        assert in_sight == any("refrigerator" in content_words(name) for name in seen)


def test_each_view_shows_what_a_plain_reading_finds(atlas: Atlas) -> None:
    words = words_of(atlas)
    shown = 0
    for location in (0, 3, 7):
        for view in range(VIEWS):
            assert set(words.of(location, view)) == expected(atlas, location, view)
            shown += len(words.of(location, view))
    assert shown > 100


def test_without_captions_there_are_objects_and_rooms(tmp_path: Path) -> None:
    save_atlas(sample_atlas(), tmp_path / "atlas")
    write_words_in_sight(tmp_path / "atlas")
    atlas = check_atlas(tmp_path / "atlas")
    for view in range(VIEWS):
        assert set(words_of(atlas).of(2, view)) == expected(atlas, 2, view)
    with pytest.raises(InputError, match="has words in sight already"):
        write_words_in_sight(tmp_path / "atlas")
    save_atlas(atlas, tmp_path / "copy")
    assert (words_of(load_atlas(tmp_path / "copy")).bits == words_of(atlas).bits).all()


def test_many_are_asked_at_once(atlas: Atlas) -> None:
    words = words_of(atlas)
    rng = generator(0, "words in sight")
    location = rng.integers(atlas.location_count, size=5)
    ids = rng.integers(-1, len(words.words), size=(5, 9))
    ids[0, 0] = NO_WORD
    got = words.match(location, ids)
    view = np.arange(len(location)) % got.shape[1]
    np.testing.assert_array_equal(words.match_anywhere(location, ids), got.any(axis=1))
    by_view = words.match_view(location, view, ids)
    np.testing.assert_array_equal(by_view, got[np.arange(len(location)), view])
    assert got.shape == (5, VIEWS, 9) and got.any()
    for b, view, k in np.ndindex(got.shape):
        asked = ids[b, k]
        inside = asked != NO_WORD and words.words[asked] in words.of(int(location[b]), view)
        assert got[b, view, k] == inside


def test_words_are_asked_for_in_any_form(atlas: Atlas) -> None:
    words = words_of(atlas)
    lamp = words.words.index("lamp")
    assert words.ids(["lamp", "Lamps", "the", "nowhere", ""]) == [lamp, lamp, NO_WORD, NO_WORD, NO_WORD]


def test_where_there_are_no_words_none_is_in_sight() -> None:
    nothing = WordsInSight(np.zeros((3, VIEWS, 0), dtype=np.uint8), lambda: ())
    assert not nothing.match(np.array([0, 2]), np.full((2, 4), NO_WORD)).any()
