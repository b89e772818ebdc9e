import numpy as np
import pytest

from helpanna.worlds.houses.layout import Material
from helpanna.worlds.houses.noise import chance, line, noise
from helpanna.worlds.houses.textures import KINDS, palette, pattern, swatch


def material(kind, seed=5, **more):
    return Material(kind, (0.5, 0.4, 0.3), (0.2, 0.15, 0.1), seed=seed, **more)


def colours(kind, foot, seed=5, count=2000):
    rng = np.random.default_rng(1)
    number = KINDS.index(kind)
    one, two = (0.5, 0.4, 0.3), (0.2, 0.15, 0.1)
    return np.array(
        [pattern(number, u, v, foot, one, two, 0.12, 0.0, seed) for u, v in rng.random((count, 2)) * 4]
    )


@pytest.mark.parametrize("kind", KINDS)
def test_patterns_are_colours_and_belong_to_their_seed(kind):
    found = colours(kind, 0.001)
    assert found.min() >= 0
    assert found.max() <= 1
    np.testing.assert_array_equal(found, colours(kind, 0.001))


@pytest.mark.parametrize(
    "kind", ["wood", "planks", "tile", "carpet", "fabric", "leather", "stone", "leaves", "books"]
)
def test_patterns_fade_to_their_mean_with_distance(kind):
    near, far = colours(kind, 0.001), colours(kind, 2.0)
    assert near.std(axis=0).max() > 0.01
    assert far.std(axis=0).max() < 0.5 * near.std(axis=0).max()
    np.testing.assert_allclose(far.mean(axis=0), near.mean(axis=0), atol=0.12)


@pytest.mark.parametrize("kind", ["wood", "planks", "tile", "fabric", "stone", "picture", "books"])
def test_two_seeds_are_two_patterns(kind):
    assert not np.array_equal(colours(kind, 0.001, seed=1), colours(kind, 0.001, seed=2))


def test_chance_is_uniform_and_unrelated_between_neighbours():
    drawn = np.array([[chance(x, y, 7) for x in range(-60, 60)] for y in range(-60, 60)])
    counts = np.histogram(drawn, bins=10, range=(0, 1))[0]
    assert counts.min() > 0.9 * drawn.size / 10
    assert abs(np.corrcoef(drawn[:, 1:].ravel(), drawn[:, :-1].ravel())[0, 1]) < 0.03
    assert abs(np.corrcoef(drawn[1:].ravel(), drawn[:-1].ravel())[0, 1]) < 0.03


def test_noise_is_continuous():
    x = np.linspace(-3, 3, 4001)
    values = np.array([noise(a, 0.3, 2) for a in x])
    assert np.abs(np.diff(values)).max() < 0.01


def test_lines_cover_their_share_at_every_distance():
    x = np.linspace(0, 10, 20001)
    for foot in (0.001, 0.05, 0.3, 5.0):
        assert np.mean([line(a, 0.5, 0.02, foot) for a in x]) == pytest.approx(0.04, rel=0.05)


def test_a_palette_knows_mean_colours():
    found = palette([material("paint"), material("picture", seed=3), Material("light", (1, 1, 1), (0, 0, 0))])
    np.testing.assert_allclose(found.mean[0], [0.5, 0.4, 0.3], rtol=0.05)
    np.testing.assert_allclose(found.mean[2], 1.0)


def test_a_swatch_is_a_picture_of_the_pattern():
    found = swatch(palette([material("tile", scale=0.5)]), 0, 1.0, 64)
    assert found.shape == (64, 64, 3)
    assert found.std() > 1
    joints = found[:, 16].astype(int).sum(axis=-1)
    assert joints[32] < joints[16] - 20  # the joint between two rows of tiles
