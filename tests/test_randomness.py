"""Draws depend on their address and on nothing else, and are uniform."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from helpanna.randomness import choices, generator, uniforms

integers = st.integers(-(2**63), 2**63 - 1)
addresses = st.lists(st.tuples(integers, integers), min_size=1, max_size=8)


@given(st.integers(0, 2**40), addresses)
def test_a_draw_does_not_depend_on_the_batch_around_it(seed, several):
    episode, step = (np.array(part, dtype=np.int64) for part in zip(*several, strict=True))
    together = uniforms(seed, "purpose", episode, step)
    alone = [uniforms(seed, "purpose", e, s).item() for e, s in several]
    assert together.tolist() == alone


@given(addresses, st.randoms(use_true_random=False))
def test_a_draw_does_not_depend_on_the_order(several, shuffle):
    mixed = list(range(len(several)))
    shuffle.shuffle(mixed)
    table = np.array(several, dtype=np.int64)
    there = uniforms(0, "purpose", *table.T)
    assert np.array_equal(uniforms(0, "purpose", *table[mixed].T), there[mixed])


def test_addresses_broadcast():
    grid = uniforms(3, "purpose", np.arange(4)[:, None], np.arange(5))
    assert grid.shape == (4, 5)
    assert grid[2, 3] == uniforms(3, "purpose", 2, 3).item()
    assert len(np.unique(grid)) == 20


@given(integers, integers)
def test_draws_lie_between_zero_and_one(first, second):
    assert 0 <= uniforms(0, "purpose", first, second).item() < 1


def test_every_part_of_an_address_matters():
    draws = [
        uniforms(0, "purpose", 1, 2).item(),
        uniforms(1, "purpose", 1, 2).item(),
        uniforms(-1, "purpose", 1, 2).item(),
        uniforms(0, "other", 1, 2).item(),
        uniforms(0, "", 1, 2).item(),
        uniforms(0, "purpose", 2, 1).item(),
        uniforms(0, "purpose", 1, -2).item(),
        uniforms(0, "purpose", 1, 2, 0).item(),
        uniforms(0, "purpose", 1).item(),
        uniforms(0, "purpose", 1, 2 + 2**32).item(),
    ]
    assert len(set(draws)) == len(draws)


def assert_uniform(counts):
    """That such counts come of equal chances (the draws are fixed: this holds or does not)."""
    assert chisquare(np.ravel(counts)).pvalue > 1e-3


@pytest.mark.parametrize("seed", [0, 1, 2019])
def test_draws_are_uniform_along_each_part_of_the_address(seed):
    many = np.arange(100_000)
    for address in ((many,), (many, 0), (0, many), (many // 50, many % 50), (many * 2**20, -many)):
        assert_uniform(np.histogram(uniforms(seed, "purpose", *address), bins=64, range=(0, 1))[0])


@pytest.mark.parametrize("apart", [1, 2, 50, 2**32])
def test_draws_at_neighbouring_addresses_are_independent(apart):
    many = np.arange(100_000)
    here, there = (uniforms(0, "purpose", 7, address) for address in (many, many + apart))
    assert_uniform(np.histogram2d(here, there, bins=16, range=[(0, 1), (0, 1)])[0])


def test_draws_of_neighbouring_seeds_and_other_purposes_are_independent():
    many = np.arange(100_000)
    here = uniforms(0, "purpose", many)
    for there in (uniforms(1, "purpose", many), uniforms(0, "purposes", many)):
        assert_uniform(np.histogram2d(here, there, bins=16, range=[(0, 1), (0, 1)])[0])


def test_low_bits_are_random_too():
    bits = (uniforms(0, "purpose", np.arange(100_000)) * 2**53).astype(np.int64)
    for bit in range(53):
        assert_uniform(np.bincount(bits >> bit & 1, minlength=2))


@pytest.mark.parametrize("count", [2, 7, 37])
def test_choices_are_uniform_over_their_range(count):
    drawn = choices(0, "purpose", count, np.arange(50_000))
    assert set(drawn.tolist()) == set(range(count))
    assert_uniform(np.bincount(drawn))


def test_each_choice_has_its_own_range():
    count = np.array([1, 2, 3, 1000] * 1000)
    drawn = choices(0, "purpose", count, np.arange(len(count)))
    assert drawn.dtype == np.int64
    assert (drawn >= 0).all() and (drawn < count).all()
    assert drawn.reshape(-1, 4).max(axis=0)[:3].tolist() == [0, 1, 2]


def test_a_generator_depends_on_its_address_alone():
    first = generator(0, "purpose", 1, 2).random(4)
    generator(0, "purpose", 1, 3).random(9)
    assert np.array_equal(generator(0, "purpose", 1, 2).random(4), first)


def test_generators_of_different_addresses_differ():
    draws = [
        generator(*address).random()
        for address in (
            (0, "purpose"),
            (1, "purpose"),
            (-1, "purpose"),
            (2**80, "purpose"),
            (0, "other"),
            (0, "purpose", 0),
            (0, "purpose", 0, 0),
            (0, "purpose", 1),
            (0, "purpose", -1),
            (0, "purpose", 256),
            (0, "purpose", 2**63 - 1),
            (0, "purpose", -(2**63)),
        )
    ]
    assert len(set(draws)) == len(draws)


def test_addresses_beyond_64_bits_are_refused():
    with pytest.raises(OverflowError):
        generator(0, "purpose", 2**63)
    with pytest.raises(OverflowError):
        uniforms(0, "purpose", 2**63)


def test_draws_are_the_same_on_every_machine():
    """Written down once: results of the same seed must not change between versions."""
    assert uniforms(0, "purpose", 1, 2).tolist() == [0.09334662220669487]
    assert choices(7, "route", 10, np.arange(6), 3).tolist() == [9, 6, 0, 1, 6, 8]
    assert generator(0, "purpose", 1, 2).integers(0, 1000, 4).tolist() == [180, 194, 85, 148]
