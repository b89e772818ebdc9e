"""Recognition: a head that reads words off features, fitted to some buildings and used in others."""

from dataclasses import replace
from pathlib import Path
from shutil import copytree

import numpy as np
import pytest
from pictured import FITTED, UNSEEN, pictured

from helpanna.agents.names import MODELS
from helpanna.errors import InputError
from helpanna.worlds.atlas import Atlas, build_atlas
from helpanna.worlds.recognition import RecognitionSpace, space_of_agent, write_recognised
from helpanna.worlds.recognition_fit import Fitted, fit_recognition
from helpanna.worlds.sample import sample_world
from helpanna.worlds.storage import check_atlas, load_atlas, save_atlas
from helpanna.worlds.words_of_views import find_words


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pictured(tmp_path_factory.mktemp("recognition") / "atlas")


@pytest.fixture(scope="module")
def fitted(folder: Path) -> Fitted:
    atlas = load_atlas(folder)
    return fit_recognition(atlas, FITTED, atlas.views.get("efficientnet"))


@pytest.fixture(scope="module")
def space(fitted: Fitted) -> RecognitionSpace:
    return fitted.space


def f1_of_unseen(atlas: Atlas, space: RecognitionSpace) -> dict[str, float]:
    """How well each word is told in the building that nothing was fitted to."""
    at = slice(*atlas.world_start[UNSEEN : UNSEEN + 2])
    counted = space.in_sight(space.encode(atlas.views.get("efficientnet").array[at]).astype(np.float16))
    found = find_words(atlas)
    shown = np.unpackbits(found.bits[at], axis=-1, count=len(found.words), bitorder="little").astype(bool)
    told = {}
    for w, word in enumerate(space.words):
        truth, said = shown[..., found.words.index(word)], counted[..., w]
        if truth.any():
            told[word] = 2 * (truth & said).sum() / (truth.sum() + said.sum())
    return told


def test_words_are_told_in_a_building_never_seen(folder: Path, space: RecognitionSpace) -> None:
    told = f1_of_unseen(load_atlas(folder), space)
    assert len(told) >= 10 and np.mean(list(told.values())) > 0.6


def test_nothing_is_told_where_features_say_nothing(tmp_path: Path) -> None:
    atlas = load_atlas(pictured(tmp_path / "atlas", noise=1e4))
    try:
        space = fit_recognition(atlas, FITTED, atlas.views.get("efficientnet")).space
    except InputError as refused:
        assert "no word can be told" in str(refused)
    else:  # only words that nearly every view shows
        assert len(space.words) < len(find_words(atlas).words) / 4


def test_only_the_fitted_buildings_are_looked_at(
    folder: Path, space: RecognitionSpace, tmp_path: Path
) -> None:
    atlas = load_atlas(folder)
    changed = np.array(atlas.views.get("efficientnet").array)
    changed[slice(*atlas.world_start[UNSEEN : UNSEEN + 2])] = 7
    features = atlas.views.get("efficientnet")
    other = fit_recognition(atlas, FITTED, type(features)(features.name, changed, features.space))
    assert other.space.to_json() == space.to_json()


def test_an_atlas_gets_features_and_words(folder: Path, space: RecognitionSpace, tmp_path: Path) -> None:
    copy = Path(copytree(folder, tmp_path / "atlas"))
    write_recognised(copy, space)
    atlas = check_atlas(copy)
    features, words = atlas.views.get("recognised"), atlas.views.words
    assert words is not None and words.words == space.words
    assert features.size == space.size and dict(features.space) == space.to_json()
    counted = space.in_sight(features.array)
    for location, view in ((0, 0), (3, 17), (atlas.location_count - 1, 35)):
        assert words.of(location, view) == [
            word for word, there in zip(words.words, counted[location, view], strict=True) if there
        ]
    assert space_of_agent(copy).to_json() == space.to_json()
    with pytest.raises(InputError, match="has words in sight already"):
        write_recognised(copy, space)


def test_fitted_buildings_are_read_by_a_head_that_did_not_see_them(
    folder: Path, fitted: Fitted, tmp_path: Path
) -> None:
    assert set(fitted.own) == set(FITTED)
    atlas = load_atlas(folder)
    features = atlas.views.get("efficientnet")
    changed = np.array(features.array)
    first, last = slice(*atlas.world_start[:2]), slice(*atlas.world_start[4:6])
    changed[first] = changed[first][::-1]  # the pictures of other places
    other = fit_recognition(atlas, FITTED, type(features)(features.name, changed, features.space))
    assert same_heads(fitted.own[0], other.own[0]) > 0.9999  # it was not among those who taught it
    assert same_heads(fitted.own[1], other.own[1]) < 0.99
    copy = Path(copytree(folder, tmp_path / "atlas"))
    write_recognised(copy, fitted.space, own=fitted.own)
    written = load_atlas(copy).views.get("recognised").array
    assert np.array_equal(written[last], fitted.own[4].encode(features.array[last]).astype(np.float16))
    unseen = slice(*atlas.world_start[UNSEEN : UNSEEN + 2])
    assert np.array_equal(written[unseen], fitted.space.encode(features.array[unseen]).astype(np.float16))


def same_heads(one: RecognitionSpace, other: RecognitionSpace) -> float:
    """The least cosine of the weights of a word; how far they reach depends on bounds, chosen with all."""
    words = sorted(set(one.words) & set(other.words))
    a, b = (s.weights.astype(np.float64)[:, [s.words.index(word) for word in words]] for s in (one, other))
    return float(((a * b).sum(axis=0) / np.linalg.norm(a, axis=0) / np.linalg.norm(b, axis=0)).min())


def test_after_a_kill_it_goes_on_with_the_words(
    folder: Path, space: RecognitionSpace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = Path(copytree(folder, tmp_path / "atlas"))

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr("helpanna.worlds.recognition.write_words", killed)
        write_recognised(copy, space)
    assert load_atlas(copy).views.words is None
    write_recognised(copy, space)
    assert check_atlas(copy).views.words is not None


def test_a_space_survives_json_and_refuses_others(space: RecognitionSpace) -> None:
    described = space.to_json()
    assert RecognitionSpace.from_json(described, "these are").to_json() == described
    wrong = ({"words": ["a"]}, {"bias": "AAAA"}, {"size": 1}, {"weights": "?"}, {"kind": "other"})
    for change in (*wrong, {"scale": -1.0}, {"version": 2}):
        with pytest.raises(InputError, match="these are not recognition"):
            RecognitionSpace.from_json(described | change, "these are")


def test_words_that_nothing_speaks_for_make_no_views_alike(folder: Path, space: RecognitionSpace) -> None:
    atlas = load_atlas(folder)
    views = atlas.views.get("efficientnet").array
    numbers = space.encode(views)
    words = numbers[..., -len(space.words) :]
    assert words.min() == 0
    fitted = np.concatenate([np.arange(*atlas.world_start[w : w + 2]) for w in FITTED])
    assert np.square(words[fitted]).sum(axis=-1).mean() == pytest.approx(1, rel=0.1)
    # As in the first version, where most numbers were -1.
    lowered = np.concatenate([numbers[..., : -len(space.words)], words / space.scale - 1], axis=-1)
    assert alike(numbers) < alike(lowered) / 2


def alike(numbers: np.ndarray) -> float:
    """The mean cosine of views."""
    views = numbers.reshape(-1, numbers.shape[-1]).astype(np.float64)
    views /= np.linalg.norm(views, axis=1, keepdims=True)
    return float((views @ views.mean(axis=0)).mean())


def test_agents_of_version_2_recognise_by_the_view_alone(folder: Path, space: RecognitionSpace) -> None:
    """As `paper-houses-recognised`, which comes with the package."""
    before = replace(space, weights=space.weights[: len(space.centre)])
    assert RecognitionSpace.from_json(before.to_json(), "these are").to_json()["version"] == 2
    panorama = np.array(load_atlas(folder).views.get("efficientnet").array[5])
    whole, numbers = space.encode(panorama), before.encode(panorama)
    panorama[1:] = 0
    assert np.array_equal(before.encode(panorama)[0], numbers[0])
    assert not np.allclose(space.encode(panorama)[0], whole[0])


def test_what_it_reads_must_be_there(space: RecognitionSpace, tmp_path: Path) -> None:
    save_atlas(build_atlas([sample_world("b0", seed=0)], "test", "none"), tmp_path / "atlas")
    with pytest.raises(InputError, match="lacks the view features"):
        write_recognised(tmp_path / "atlas", space)
    with pytest.raises(InputError, match="name two or more"):
        atlas = load_atlas(tmp_path / "atlas")
        fit_recognition(atlas, [0], None)  # type: ignore[arg-type]


def test_a_head_reads_what_is_around_a_view(folder: Path, space: RecognitionSpace) -> None:
    """By a loop over views: the view itself, the two beside it, its column, the level views."""
    panorama = load_atlas(folder).views.get("efficientnet").array[5]
    said = space.encode(panorama)[:, -len(space.words) :]
    x = panorama.astype(np.float64) - space.centre
    for view in (0, 11, 17, 35):
        row, heading = divmod(view, 12)
        beside = x[[12 * row + (heading + 1) % 12, 12 * row + (heading - 1) % 12]]
        read = [x[view], beside.mean(axis=0), x[heading::12].mean(axis=0), x[12:24].mean(axis=0)]
        words = np.concatenate(read) @ space.weights.astype(np.float64) + space.bias
        assert said[view] == pytest.approx((words.clip(-1, 2) + 1) * space.scale, abs=1e-4)


@pytest.mark.parametrize(("name", "version"), [("houses", 3), ("paper-houses-recognised", 2)])
def test_what_agents_of_the_package_recognise(name: str, version: int) -> None:
    space = space_of_agent(MODELS / name)
    assert space.to_json()["version"] == version and {"bed", "kitchen"} <= set(space.words)
