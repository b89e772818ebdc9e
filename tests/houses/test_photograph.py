from pathlib import Path

import cv2
import numpy as np
import pytest
import torch
from handmade_house import house
from torch.nn import functional

from helpanna.engines import Engine
from helpanna.errors import InputError
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.geometry import view_elevation, view_heading
from helpanna.worlds.houses import photograph as module
from helpanna.worlds.houses.network import (
    FEATURES,
    MEAN,
    SPREAD,
    STAGES,
    Extractor,
    feature_network,
    load_weights,
)
from helpanna.worlds.houses.photograph import NAME, add_pictures, photograph, square_views
from helpanna.worlds.panoramas import panorama_rays
from helpanna.worlds.storage import check_atlas, save_atlas
from helpanna.worlds.world import Room, World

WIDTH = 128


@pytest.fixture(scope="module")
def weights():
    return load_weights()


@pytest.fixture(scope="module")
def extractor(weights):
    return Extractor(feature_network(weights))


def plain_network(pictures, weights):
    """The network in plain torch, batch normalisation and padding spelled out."""
    weights = {name: torch.tensor(array) for name, array in weights.items()}

    def conv(x, name, stride=1, groups=1):
        kernel = weights[name].shape[-1]
        pad = []
        for size in (x.shape[3], x.shape[2]):
            total = max((-(-size // stride) - 1) * stride + kernel - size, 0)
            pad += [total // 2, total - total // 2]
        return functional.conv2d(functional.pad(x, pad), weights[name], stride=stride, groups=groups)

    def norm(x, name):
        parts = [weights[f"{name}.{part}"] for part in ("running_mean", "running_var", "weight", "bias")]
        return functional.batch_norm(x, *parts, eps=1e-3)

    x = (torch.tensor(pictures).permute(0, 3, 1, 2).float() - MEAN) / SPREAD
    x = functional.relu6(norm(conv(x, "_conv_stem.weight", 2), "_bn0"))
    strides = [stride if i == 0 else 1 for _, stride, count in STAGES for i in range(count)]
    for k, stride in enumerate(strides):
        start, block = x, f"_blocks.{k}."
        if f"{block}_expand_conv.weight" in weights:
            x = functional.relu6(norm(conv(x, f"{block}_expand_conv.weight"), f"{block}_bn0"))
        x = conv(x, f"{block}_depthwise_conv.weight", stride, groups=x.shape[1])
        x = norm(
            conv(functional.relu6(norm(x, f"{block}_bn1")), f"{block}_project_conv.weight"), f"{block}_bn2"
        )
        if x.shape == start.shape and stride == 1:
            x = x + start
    return functional.relu6(norm(conv(x, "_conv_head.weight"), "_bn1")).mean(dim=(2, 3)).numpy()


def test_the_network_is_the_published_one(weights, extractor):
    pictures = np.random.default_rng(0).integers(0, 256, (2, 224, 224, 3), dtype=np.uint8)
    pictures[1] = cv2.GaussianBlur(pictures[1], (31, 31), 8)
    found = extractor.features(pictures)
    assert found.shape == (2, FEATURES)
    np.testing.assert_allclose(found, plain_network(pictures, weights), atol=1e-3, rtol=1e-3)


def test_the_network_recognises_a_photograph(weights, extractor):
    matplotlib = pytest.importorskip("matplotlib")
    path = Path(matplotlib.get_data_path()) / "sample_data" / "grace_hopper.jpg"
    if not path.exists():
        pytest.skip("Matplotlib came without its sample photograph")
    photo = cv2.imread(str(path))[20:532, :, ::-1]
    features = extractor.features(cv2.resize(photo, (224, 224), interpolation=cv2.INTER_AREA)[None])
    scores = features @ weights["_fc.weight"].T + weights["_fc.bias"]
    assert scores.argmax() == 652  # "military uniform"


def test_square_views_are_the_middle_of_the_views():
    height, width = 512, 1024
    rays = panorama_rays(width, height)
    panorama = np.round((rays + 1) * 127.5).astype(np.uint8)  # each pixel's colour is its direction
    views = square_views(panorama)
    assert views.shape == (36, 224, 224, 3)
    for view in (0, 5, 17, 30):
        heading, elevation = view_heading(view), view_elevation(view)
        ahead = [np.sin(heading) * np.cos(elevation), np.cos(heading) * np.cos(elevation), np.sin(elevation)]
        centre = views[view, 111:113, 111:113].reshape(-1, 3).mean(axis=0) / 127.5 - 1
        np.testing.assert_allclose(centre, ahead, atol=0.02)
    top = views[12, 0, 112] / 127.5 - 1  # straight ahead at elevation 0, the upper edge is 30 degrees up
    np.testing.assert_allclose(np.degrees(np.arcsin(top[2])), 30, atol=1)


def atlas_of_houses(names=("one", "two")):
    """Two houses of the same shape with three locations each."""
    places = np.array([[1.0, 1.0, 1.5], [2.0, 2.0, 1.5], [4.6, 1.5, 1.5]])
    worlds = [
        World(
            name=name,
            location_names=("a", "b", "c"),
            positions=places,
            eye_heights=np.full(3, 1.5),
            floors=np.zeros(3, np.int32),
            edges=np.array([[0, 1], [1, 2]], np.int32),
            sight_lines=np.array([[0, 1], [1, 2]], np.int32),
            rooms=(Room("living room"), Room("bedroom")),
            room_of=np.array([0, 0, 1], np.int32),
            object_names=("crate",),
            object_types=("crate",),
            object_positions=np.array([[0.5, 2.5, 0.2]]),
            object_radii=np.array([0.3]),
            delegates=np.array([0], np.int32),
            sightings=np.array([[0, 0]], np.int32),
            sighting_views=np.array([1], np.uint64),
        )
        for name in names
    ]
    return build_atlas(worlds, "handmade", "MIT")


def houses(names=("one", "two")):
    from dataclasses import replace

    return [replace(house(), name=name) for name in names]


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    work = tmp_path_factory.mktemp("work") / "work"
    photograph(houses(), atlas_of_houses(), work, seed=3, width=WIDTH, workers=2)
    return work


def test_every_location_has_its_panorama_and_features(finished, tmp_path):
    save_atlas(atlas_of_houses(), tmp_path / "atlas")
    add_pictures(tmp_path / "atlas", finished, WIDTH)
    atlas = check_atlas(tmp_path / "atlas")
    assert atlas.views.panorama(5).shape == (WIDTH // 2, WIDTH, 3)
    assert atlas.views.get(NAME).array.shape == (6, 36, FEATURES)
    assert np.asarray(atlas.views.get(NAME).array).std() > 0.1


def test_features_tell_rooms_apart(finished):
    one, other, elsewhere = (np.load(finished / f"{i}.npy").astype(float).mean(axis=0) for i in (0, 1, 2))

    def cosine(a, b):
        return a @ b / np.linalg.norm(a) / np.linalg.norm(b)

    assert cosine(one, other) > cosine(one, elsewhere)


def test_a_killed_run_goes_on_and_its_result_is_the_same_to_the_bit(finished, tmp_path, monkeypatch):
    work, seen = tmp_path / "work", []

    def killed(done, total):
        seen.append((done, total))
        if done == 2:
            raise KeyboardInterrupt

    arguments = (houses(), atlas_of_houses(), work)
    with pytest.raises(KeyboardInterrupt):
        photograph(*arguments, seed=3, width=WIDTH, workers=1, on_progress=killed)
    assert seen == [(1, 6), (2, 6)]
    kept = (work / "0.jpg").stat().st_mtime_ns
    photograph(*arguments, seed=3, width=WIDTH, workers=1, on_progress=lambda *n: seen.append(n))
    assert seen[2:] == [(3, 6), (4, 6), (5, 6), (6, 6)]
    assert (work / "0.jpg").stat().st_mtime_ns == kept
    assert contents(work) == contents(finished)

    def never(*_):
        raise AssertionError("all is done")

    monkeypatch.setattr(module, "studio_of", never)
    photograph(*arguments, seed=3, width=WIDTH, workers=2)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_a_cluster_makes_the_same_pictures_to_the_bit(cluster, finished, tmp_path):
    work, told = tmp_path / "work", []
    options = {"seed": 3, "width": WIDTH, "workers": 2, "on_progress": lambda *n: told.append(n)}
    photograph(houses(), atlas_of_houses(), work, **options, engine=Engine("ray"))
    assert contents(work) == contents(finished) and told[-1] == (6, 6)


def test_work_of_another_run_is_not_mixed_in(finished):
    with pytest.raises(InputError, match="another run"):
        photograph(houses(), atlas_of_houses(), finished, seed=4, width=WIDTH)
