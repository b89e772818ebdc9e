"""Hypothesis strategies for small random worlds and atlases.

Any graph, connected or not, with or without rooms, objects and sightings. Few draws make a world, so that
examples are cheap.
"""

from itertools import combinations, product

import numpy as np
from hypothesis import strategies as st

from helpanna.worlds.atlas import Atlas, build_atlas
from helpanna.worlds.geometry import VIEWS
from helpanna.worlds.world import Room, World

names = st.text(min_size=1, max_size=4)
object_types = st.sampled_from(["mug", "bed", "sink", "coffee table", "Blumentöpfe"])
rooms = st.builds(Room, names, st.sampled_from(["", "kitchen", "bedroom"]))

_coarse = st.integers(-3, 3).map(float)
_fine = st.floats(-6, 6, allow_subnormal=False).map(lambda metres: round(metres, 3))
_height = st.sampled_from([0.0, 0.0, 0.0, 1.5, 3.0])
points = st.one_of(st.tuples(_coarse, _coarse, _height), st.tuples(_fine, _fine, _height))
"""Places in metres: on a coarse grid, where angles and lengths often tie, or anywhere."""


def subsets(items):
    """Some of the items, in their order: about half, a quarter or three quarters of them, or any few."""
    items = list(items)
    bits = st.integers(0, 2 ** len(items) - 1)
    chosen = st.one_of(bits, st.builds(int.__and__, bits, bits), st.builds(int.__or__, bits, bits))
    return chosen.map(lambda choice: [item for i, item in enumerate(items) if choice >> i & 1])


def many(elements, size):
    """As many as `size` of the elements."""
    return st.lists(elements, min_size=size, max_size=size)


@st.composite
def worlds(draw, name=None, min_locations=1, max_locations=8, max_objects=4):
    """A World; no two of its locations are at the same place."""
    n = draw(st.integers(min_locations, max_locations))
    pairs = list(combinations(range(n), 2))
    world_rooms = draw(st.lists(rooms, max_size=3))
    m = draw(st.integers(0, max_objects))
    sightings = draw(subsets(product(range(n), range(m))))
    location_name, object_name = draw(names), draw(names)
    return World(
        name=draw(names) if name is None else name,
        location_names=tuple(f"{location_name}{i}" for i in range(n)),
        positions=np.array(draw(st.lists(points, min_size=n, max_size=n, unique=True))),
        eye_heights=draw(st.floats(0.5, 2)) + 0.1 * np.arange(n),
        floors=np.array(draw(many(st.integers(0, n - 1), n))),
        edges=np.array(draw(subsets(pairs))),
        sight_lines=np.array(draw(subsets(pairs))),
        rooms=tuple(world_rooms),
        room_of=np.array(draw(many(st.integers(-1, len(world_rooms) - 1), n))),
        object_names=tuple(f"{object_name}{i}" for i in range(m)),
        object_types=tuple(draw(many(object_types, m))),
        object_positions=np.array(draw(many(points, m))),
        object_radii=draw(st.floats(0.01, 3)) + 0.1 * np.arange(m),
        delegates=np.array(draw(many(st.integers(0, n - 1), m))),
        sightings=np.array(sightings),
        sighting_views=np.array(draw(many(st.integers(0, 2**VIEWS - 1), len(sightings))), dtype=np.uint64),
    )


@st.composite
def atlases(draw, max_worlds=3, **world_settings) -> Atlas:
    """An Atlas of up to `max_worlds` worlds, without views; `world_settings` go to `worlds`."""
    several = st.lists(
        worlds(**world_settings), min_size=1, max_size=max_worlds, unique_by=lambda world: world.name
    )
    return build_atlas(draw(several), source=draw(names), licence=draw(names))
