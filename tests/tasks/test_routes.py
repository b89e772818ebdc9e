import numpy as np
import pytest
from hypothesis import given, settings
from random_splits import splits
from reference import PlainSplit
from splits import sample_split
from tiny import tiny_routes, tiny_world

from helpanna.errors import InputError
from helpanna.tasks.routes import NO_ROUTE, Routes, check_routes, zones_of_attention
from helpanna.worlds.atlas import build_atlas


def line(*x):
    """An atlas with one building: locations along the x axis, each joined to the next."""
    world = tiny_world([(metres, 0) for metres in x], [(i, i + 1) for i in range(len(x) - 1)])
    return build_atlas([world], source="test", licence="")


class TestZonesOfAttention:
    def test_start_and_neighbours_within_two_metres(self):
        #  0 ---2.0--- 1 ---2.1--- 2 ---1.0--- 3 ---1.0--- 4
        atlas = line(0, 2, 4.1, 5.1, 6.1)
        zones = zones_of_attention(atlas, tiny_routes((1, 2), (3, 2), (1, 0), (4, 3)))
        assert zones.tolist() == [
            [0, 2],  # exactly 2 m from where routes 0 and 2 start
            [0, 2],  # they start here
            [1, -1],  # 1 m from route 1, but 2.1 m from routes 0 and 2; route 4 is 2 m away, not adjacent
            [1, 3],
            [1, 3],
        ]

    def test_without_routes_nobody_attends(self):
        none = Routes((), np.zeros((0, 5), np.int32), np.zeros(0, np.int32), (), np.zeros(0, np.int32))
        assert zones_of_attention(line(0, 1), none).shape == (2, 0)

    @pytest.mark.slow
    @settings(max_examples=100)
    @given(splits())
    def test_by_definition(self, split):
        plain = PlainSplit(split)
        for v, row in enumerate(split.zones.tolist()):
            there = [route for route in row if route != NO_ROUTE]
            assert there == plain.enterable(v)
            assert row[: len(there)] == there

    def test_in_the_sample_buildings(self):
        split = sample_split()
        plain = PlainSplit(split)
        for v, row in enumerate(split.zones.tolist()):
            assert [route for route in row if route != NO_ROUTE] == plain.enterable(v)


class TestRoutes:
    def test_where_they_start_and_end(self):
        routes = tiny_routes((4, 3, 2), (0, 1))
        assert len(routes) == 2
        assert routes.start.tolist() == [4, 0]
        assert routes.last.tolist() == [2, 1]

    def test_instructions_by_route(self):
        routes = tiny_routes((0, 1), (1, 2), (2, 3), instructions=[3, 0, 2])
        assert routes.instruction_start.tolist() == [0, 3, 3, 5]

    def test_some_instructions_keep_only_their_routes(self):
        routes = tiny_routes((0, 1, 2), (1, 2), (2, 3), instructions=[3, 2, 2])
        some = routes.select(np.array([1, 5, 6]))
        assert some.names == ("r0", "r2")
        assert some.path.tolist() == [[0, 1, 2], [2, 3, -1]]
        assert some.instructions == ("r0 in words 1", "r2 in words 0", "r2 in words 1")
        assert some.route_of.tolist() == [0, 1, 1]


class TestCheckRoutes:
    def test_walks_are_fine(self):
        check_routes(line(0, 1, 2, 3), tiny_routes((0, 1, 2), (3, 2), (1, 0, 1)))
        check_routes(sample_split().atlas, sample_split().routes)

    @pytest.mark.parametrize("path", [(0, 2), (0, 1, 3), (3,), (3, 4), (1, 1), (2, 1, 0, 2)])
    def test_what_is_no_walk_is_named(self, path):
        with pytest.raises(InputError, match="route r1 "):
            check_routes(line(0, 1, 2, 3), tiny_routes((0, 1), path))

    def test_a_view_that_does_not_exist_is_named(self):
        routes = tiny_routes((0, 1))
        routes.view[0] = 36
        with pytest.raises(InputError, match="route r0 "):
            check_routes(line(0, 1), routes)
