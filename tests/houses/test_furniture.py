"""Every type of thing, in every style: sound meshes, exact sizes, tops inside, lamps that shine."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from helpanna.errors import InputError
from helpanna.randomness import generator
from helpanna.worlds.houses.furniture import shapes
from helpanna.worlds.houses.furniture.catalogue import TYPES, make_thing
from helpanna.worlds.houses.layout import Material, Thing
from helpanna.worlds.houses.styles import STYLES, VARIANTS, Style, draw_style

PAINT = Material("paint", (0.5, 0.5, 0.5), (0.5, 0.5, 0.5))


SOME: list[Style] = [
    replace(draw_style(1, f"house {i}", name), variant=(i + k) % VARIANTS)
    for i, name in enumerate(STYLES)
    for k in (0, 1 + i % 3)
]
"""Every style in two families of shapes."""


@cache
def made(type: str) -> list[Thing]:
    return [make_thing(type, style, generator(1, type, i)) for i, style in enumerate(SOME)]


def corners(thing: Thing) -> np.ndarray:
    return thing.mesh.vertices[thing.mesh.triangles].astype(float)


def normals(triangles: np.ndarray) -> np.ndarray:
    return np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])


def solids(triangles: np.ndarray) -> list[np.ndarray]:
    """The triangles in connected groups: the closed surfaces of which a thing is made."""
    _, vertex = np.unique(np.round(triangles.reshape(-1, 3), 5), axis=0, return_inverse=True)
    faces = vertex.reshape(-1, 3)
    group = np.arange(faces.max() + 1)
    while True:
        low = group[faces].min(axis=1, keepdims=True)
        before = group.copy()
        np.minimum.at(group, faces, np.broadcast_to(low, faces.shape))
        group = group[group]
        if (group == before).all():
            return [triangles[group[faces[:, 0]] == g] for g in np.unique(group)]


def test_there_are_more_than_eighty_types():
    assert len(TYPES) == len(set(TYPES)) >= 80


@pytest.mark.parametrize("type", TYPES)
def test_meshes_are_sound(type):
    for thing in made(type):
        mesh, triangles = thing.mesh, corners(thing)
        assert thing.type == type
        assert mesh.triangles.min() >= 0 and mesh.triangles.max() < len(mesh.vertices)
        assert len(mesh.triangles) == len(mesh.uv) == len(mesh.slot) <= 900
        assert set(mesh.slot.tolist()) == set(range(len(thing.materials)))
        assert np.linalg.norm(normals(triangles), axis=1).min() > 1e-9
        assert np.isfinite(mesh.uv).all() and np.abs(mesh.uv).max() < 10


@pytest.mark.parametrize("type", TYPES)
def test_the_size_is_exact_and_the_origin_is_in_the_middle_of_the_footprint(type):
    for thing in made(type):
        low, high = thing.mesh.vertices.min(axis=0), thing.mesh.vertices.max(axis=0)
        width, depth, height = thing.size
        assert np.allclose(low, [-width / 2, -depth / 2, 0], atol=1e-4)
        assert np.allclose(high, [width / 2, depth / 2, height], atol=1e-4)
        assert 0.01 < max(thing.size) < 3.0


@pytest.mark.parametrize("type", TYPES)
def test_triangles_face_outwards(type):
    for thing in made(type):
        for solid in solids(corners(thing)):
            volume = np.einsum("ij,ij->", solid[:, 0], np.cross(solid[:, 1], solid[:, 2])) / 6
            assert volume > 0


@pytest.mark.parametrize("type", TYPES)
def test_tops_are_surfaces_of_the_thing(type):
    for thing in made(type):
        triangles = corners(thing)
        up = normals(triangles)[:, 2] > 0
        for rect, height in thing.tops:
            assert -thing.size[0] / 2 <= rect.x0 < rect.x1 <= thing.size[0] / 2 + 1e-6
            assert -thing.size[1] / 2 <= rect.y0 < rect.y1 <= thing.size[1] / 2 + 1e-6
            # Something looks up close below the height at which others are to stand.
            heights = triangles[up][:, :, 2].max(axis=1)
            assert np.abs(heights - height).min() < 0.03, (type, height)


@pytest.mark.parametrize("type", TYPES)
def test_only_lamps_shine(type):
    for thing in made(type):
        shines = any(material.kind == "light" and material.emission > 0 for material in thing.materials)
        assert shines == (thing.lamp is not None) == ("lamp" in type or type == "chandelier")


def looks(type: str) -> int:
    return len({(thing.size, thing.materials, len(thing.mesh.triangles)) for thing in made(type)})


def test_styles_differ():
    # Washing machines look alike everywhere; most things do not.
    assert min(looks(type) for type in TYPES) >= 2
    assert sum(looks(type) > 0.8 * len(SOME) for type in TYPES) > 0.7 * len(TYPES)


def test_furniture_comes_in_families_of_shapes():
    shaped = (
        "sofa",
        "armchair",
        "dining chair",
        "dining table",
        "bed",
        "floor lamp",
        "wardrobe",
        "washbasin",
    )
    for type in shaped:
        counts = {style.variant: set() for style in SOME}
        for style, thing in zip(SOME, made(type), strict=True):
            counts[style.variant].add(len(thing.mesh.triangles))
        assert len({frozenset(some) for some in counts.values()}) >= 3, type


@pytest.mark.parametrize("type", ["sofa", "plant", "chandelier"])
def test_the_same_chance_makes_the_same_thing(type):
    one, two = (make_thing(type, SOME[0], generator(5, "twice")) for _ in range(2))
    assert one.materials == two.materials and one.size == two.size
    assert (one.mesh.vertices == two.mesh.vertices).all() and (one.mesh.uv == two.mesh.uv).all()


def test_wished_sizes_are_heeded():
    for style in SOME:
        counter = make_thing("kitchen counter", style, generator(1, "wish"), width=0.87)
        assert counter.size[0] == pytest.approx(0.87, abs=0.01)
        curtain = make_thing("curtain", style, generator(1, "wish"), width=1.9, height=2.11)
        assert curtain.size[0] == pytest.approx(1.9, abs=0.02) and curtain.size[2] == pytest.approx(
            2.11, abs=0.02
        )
        lamp = make_thing("pendant lamp", style, generator(1, "wish"), height=0.95)
        assert lamp.size[2] == pytest.approx(0.95, abs=0.01)


def test_an_unknown_type_is_named():
    with pytest.raises(InputError, match="no type of thing 'sofaa'"):
        make_thing("sofaa", SOME[0], generator(1, "x"))


def _volume(part: shapes.Part) -> float:
    c = part.corners
    return float(np.einsum("ij,ij->", c[:, 0], np.cross(c[:, 1], c[:, 2])) / 6)


@pytest.mark.parametrize(
    ("part", "volume"),
    [
        (shapes.box(PAINT, (2, 3, 4)), 24.0),
        (shapes.box(PAINT, (2, 3, 4)).turned(37, "x").moved(1, 2, 3), 24.0),
        (shapes.box(PAINT, (2, 3, 4), (5, 6, 7)).mirrored(), 24.0),
        (shapes.box(PAINT, (2, 3, 4)).scaled(2, 1, 1), 48.0),
        (shapes.cylinder(PAINT, 1, 2, sides=64), 2 * np.pi),
        (shapes.cylinder(PAINT, 1, 3, top=0.0, sides=64), np.pi),
        (shapes.ball(PAINT, 1, sides=48), 4 / 3 * np.pi),
        (shapes.bar(PAINT, (0, 0, 0), (0, 0, 2), 0.5), 0.5),
        (shapes.bar(PAINT, (0, 0, 0), (3, 4, 0), 0.5), 1.25),
        (shapes.tube(PAINT, [(0, 0, 0), (1, 0, 0), (2, 0, 0)], 0.5, sides=48), np.pi / 2),
        (shapes.prism(PAINT, [(0, 0), (2, 0), (2, 1), (1, 0.6), (0, 1)], 2), 3.2),
        (shapes.cushion(PAINT, (1, 1, 1), radius=0.499, steps=10), np.pi / 6),
        (shapes.lathe(PAINT, [(1, 0), (1, 1), (0.5, 1), (0.5, 0.5)], sides=64), np.pi * (1 - 0.25 * 0.5)),
    ],
)
def test_shapes_enclose_what_geometry_says(part, volume):
    assert _volume(part) == pytest.approx(volume, rel=0.03)


def test_bevels_and_cushions_keep_the_size_of_their_boxes():
    for part in (shapes.box(PAINT, (1, 2, 3), bevel=0.1), shapes.cushion(PAINT, (1, 2, 3), radius=0.2)):
        low, high = part.corners.min(axis=(0, 1)), part.corners.max(axis=(0, 1))
        assert np.allclose(low, [-0.5, -1, 0]) and np.allclose(high, [0.5, 1, 3])
        assert 5 < _volume(part) < 6


def test_texture_coordinates_are_metres_and_pictures_show_whole():
    part = shapes.box(PAINT, (0.2, 3.0, 0.5), (7, 8, 9))
    uv = part.uv.reshape(-1, 2)
    assert np.ptp(uv[:, 0]) == pytest.approx(3.0)  # along the grain
    lengths = np.linalg.norm(part.corners - np.roll(part.corners, 1, axis=1), axis=-1)
    assert np.allclose(np.linalg.norm(part.uv - np.roll(part.uv, 1, axis=1), axis=-1), lengths)
    front = shapes.facing(PAINT, 0.8, 0.6, (1, 2, 3))
    shown = front.uv[normals(front.corners)[:, 1] < -1e-6].reshape(-1, 2)
    assert np.allclose([shown.min(axis=0), shown.max(axis=0)], [[0, 0], [1, 1]])


def test_leaves_and_drapes_are_closed_surfaces():
    for part in (
        shapes.leaf(PAINT, (0, 0, 0), (0, 0, 1), 0.2),
        shapes.leaf(PAINT, (0, 0, 0), (1, 1, 0.3), 0.2),
        shapes.drape(PAINT, 1.0, 2.0),
        shapes.basin(PAINT, (1.6, 0.7, 0.5)),
    ):
        assert _volume(part) > 0
        assert np.allclose(normals(part.corners).sum(axis=0), 0, atol=1e-9)
