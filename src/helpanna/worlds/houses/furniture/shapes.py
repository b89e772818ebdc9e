"""Shapes that furniture is made of: closed surfaces with outward triangles.

Everything is built by `loft`, a skin over a row of rings. A shape stands with the middle of its underside
at `at`; texture coordinates are metres on the surface, the first one along the shape's longer side, as the
grain of wood runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from helpanna.worlds.houses.layout import Material

Floats = NDArray[np.float64]
Point = tuple[float, float, float]
ORIGIN: Point = (0.0, 0.0, 0.0)

_SMALLEST = 1e-8
"""Square metres; smaller triangles are left out."""


@dataclass(frozen=True, eq=False)
class Part:
    """A closed surface of one material.

    Attributes:
        material: what it is made of.
        corners: [F, 3, 3] the corners of its triangles, counter-clockwise seen from outside.
        uv: [F, 3, 2] texture coordinates in metres.
    """

    material: Material
    corners: Floats
    uv: Floats

    def moved(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> "Part":
        """Somewhere else."""
        return replace(self, corners=self.corners + np.array([x, y, z]))

    def turned(self, degrees: float, axis: str = "z", about: Point = ORIGIN) -> "Part":
        """Turned about an axis through a point, counter-clockwise seen from the axis' tip."""
        first, second = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        turn = np.eye(3)
        turn[[first, first, second, second], [first, second, first, second]] = c, -s, s, c
        return replace(self, corners=(self.corners - about) @ turn.T + about)

    def scaled(self, x: float = 1.0, y: float = 1.0, z: float = 1.0) -> "Part":
        """Stretched from the origin by positive factors."""
        return replace(self, corners=self.corners * np.array([x, y, z]))

    def mirrored(self) -> "Part":
        """Its counterpart on the other side of x = 0."""
        return replace(self, corners=(self.corners * [-1, 1, 1])[:, ::-1], uv=self.uv[:, ::-1])


def both(*parts: Part) -> list[Part]:
    """The parts and their counterparts on the other side of x = 0."""
    return [*parts, *(part.mirrored() for part in parts)]


def loft(material: Material, rings: ArrayLike, starlike: bool = False) -> Part:
    """A skin over rings of points [R, N, 3], closed by a lid at each end.

    Args:
        material: what it is made of.
        rings: the rings, all with their points in the same sense of turning.
        starlike: whether the lids are seen whole from their middles only; otherwise they must be convex.
    """
    rings = np.asarray(rings, dtype=np.float64)
    following = np.roll(rings, -1, axis=1)
    a, b, c, d = rings[:-1], following[:-1], following[1:], rings[1:]
    sides = np.stack([np.stack([a, b, c], axis=2), np.stack([a, c, d], axis=2)], axis=2)
    corners = np.concatenate(
        [sides.reshape(-1, 3, 3), _lid(rings[0][::-1], starlike), _lid(rings[-1], starlike)]
    )
    normal = _normals(corners)
    solid = np.linalg.norm(normal, axis=-1) > 2 * _SMALLEST
    corners, normal = corners[solid], normal[solid]
    if volume(corners, normal) < 0:
        corners = corners[:, ::-1]
    return Part(material, corners, _surface_metres(corners, np.abs(normal).argmax(axis=1)))


def volume(corners: Floats, normal: Floats) -> float:
    """What a closed surface encloses; negative if its triangles face inwards."""
    return float((corners[:, 0] * normal).sum() / 6)


def _normals(corners: Floats) -> Floats:
    """[F, 3] the normals of triangles, twice as long as their areas."""
    (ax, ay, az), (bx, by, bz) = (corners[:, 1] - corners[:, 0]).T, (corners[:, 2] - corners[:, 0]).T
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def _lid(ring: Floats, starlike: bool) -> Floats:
    if starlike:
        middle = np.broadcast_to(ring.mean(axis=0), ring.shape)
        return np.stack([middle, ring, np.roll(ring, -1, axis=0)], axis=1)
    # A strip rather than a fan: no slivers. Corners 0, 1, N-1; 1, N-2, N-1; 1, 2, N-2; ...
    low, high, strip = 0, len(ring) - 1, []
    while high - low > 1:
        strip.append([low, low + 1, high])
        if high - low > 2:
            strip.append([low + 1, high - 1, high])
        low, high = low + 1, high - 1
    return ring[np.array(strip)]


def _surface_metres(corners: Floats, across: NDArray[np.int64]) -> Floats:
    """Texture coordinates of triangles that lie across an axis each: the other axes, the longer one first."""
    extent = corners.max(axis=(0, 1)) - corners.min(axis=(0, 1))
    by_length = np.argsort(-extent, kind="stable").tolist()
    axes = np.array([[axis for axis in by_length if axis != one] for one in range(3)])[across]
    return corners[np.arange(len(corners))[:, None, None], np.arange(3)[:, None], axes[:, None]]


_CUBE = loft(
    Material("paint", (0.5, 0.5, 0.5), (0.5, 0.5, 0.5)),
    [[[x, y, z] for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))] for z in (0.0, 1.0)],
).corners
_CUBE_ACROSS = np.abs(_normals(_CUBE)).argmax(axis=1)


def box(material: Material, size: Point, at: Point = ORIGIN, bevel: float = 0.0) -> Part:
    """A box; with a bevel its edges are cut off."""
    if bevel > 0:
        return cushion(material, size, at, bevel, steps=1)
    corners = _CUBE * np.array(size)
    return Part(material, corners + np.array(at), _surface_metres(corners, _CUBE_ACROSS))


def cushion(
    material: Material, size: Point, at: Point = ORIGIN, radius: float = 0.06, steps: int = 2
) -> Part:
    """A box with rounded edges."""
    radius = min(radius, *(0.499 * extent for extent in size))
    rise = np.linspace(0, np.pi / 2, steps + 1)
    rings = []
    for angle, middle in [(a, radius) for a in rise - np.pi / 2] + [(a, size[2] - radius) for a in rise]:
        inset = radius * (1 - np.cos(angle))
        outline = rounded(size[0] - 2 * inset, size[1] - 2 * inset, radius - inset, steps)
        rings.append(_level(outline, middle + radius * np.sin(angle)))
    return loft(material, rings).moved(*at)


def rounded(width: float, depth: float, radius: float, steps: int = 2) -> Floats:
    """[N, 2] a rectangle about the origin with rounded corners, counter-clockwise."""
    turn = np.linspace(0, np.pi / 2, steps + 1)
    x, y = width / 2 - radius, depth / 2 - radius
    corners = [(x, -y, -np.pi / 2), (x, y, 0.0), (-x, y, np.pi / 2), (-x, -y, np.pi)]
    return np.concatenate(
        [
            np.stack([cx + radius * np.cos(a + turn), cy + radius * np.sin(a + turn)], axis=-1)
            for cx, cy, a in corners
        ]
    )


def _level(outline: Floats, z: float) -> Floats:
    return np.column_stack([outline, np.full(len(outline), z)])


def lathe(
    material: Material, profile: Sequence[tuple[float, float]], at: Point = ORIGIN, sides: int = 12
) -> Part:
    """What a turner makes: a profile of (radius, height) turned about the z axis."""
    around = np.arange(sides) * 2 * np.pi / sides
    circle = np.stack([np.cos(around), np.sin(around)], axis=-1)
    return loft(material, [_level(radius * circle, z) for radius, z in profile]).moved(*at)


def cylinder(
    material: Material,
    radius: float,
    height: float,
    at: Point = ORIGIN,
    top: float | None = None,
    sides: int = 12,
) -> Part:
    """A cylinder, or with another radius at the top a piece of a cone."""
    return lathe(material, [(radius, 0.0), (radius if top is None else top, height)], at, sides)


def ball(material: Material, radius: float, at: Point = ORIGIN, sides: int = 10) -> Part:
    """A ball."""
    angles = np.linspace(-np.pi / 2, np.pi / 2, sides // 2 + 1)
    return lathe(material, [(radius * np.cos(a), radius * (1 + np.sin(a))) for a in angles], at, sides)


def prism(material: Material, outline: ArrayLike, height: float, at: Point = ORIGIN) -> Part:
    """An outline [N, 2], all of it seen from its middle, made as thick as `height`."""
    outline = np.asarray(outline, dtype=np.float64)
    return loft(material, [_level(outline, 0.0), _level(outline, height)], starlike=True).moved(*at)


def basin(
    material: Material, size: Point, at: Point = ORIGIN, wall: float = 0.04, floor: float = 0.04,
    radius: float = 0.05, steps: int = 2, foot: float = 0.0,
) -> Part:  # fmt: skip
    """A box open at the top: walls and a floor of some thickness, narrower by `foot` at its foot."""
    x, y, z = size
    outer = _level(rounded(x, y, radius, steps), z)
    low = _level(rounded(x - 2 * foot, y - 2 * foot, radius, steps), 0.0)
    small = max(radius - wall, 0.01)
    rim = _level(rounded(x - 2 * wall, y - 2 * wall, small, steps), z)
    inset = wall + foot + 0.3 * min(wall, z - floor)
    bottom = _level(rounded(x - 2 * inset, y - 2 * inset, small, steps), floor)
    return loft(material, [low, outer, rim, bottom]).moved(*at)


def tube(
    material: Material, points: Sequence[Point], radius: float | Sequence[float], sides: int = 6
) -> Part:
    """A tube along a line of points, as thick at each as its radius says."""
    line = np.array(points, dtype=np.float64)
    radii = np.broadcast_to(np.asarray(radius, dtype=np.float64), len(line))
    ahead = np.gradient(line, axis=0)
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    # One reference for the whole line keeps the tube from twisting: the axis it runs along least.
    reference = np.eye(3)[np.argmin(np.abs(ahead).sum(axis=0))]
    right = np.cross(ahead, reference)
    right /= np.linalg.norm(right, axis=1, keepdims=True)
    up = np.cross(right, ahead)
    around = (np.arange(sides) + 0.5) * 2 * np.pi / sides
    offsets = np.cos(around)[:, None, None] * right + np.sin(around)[:, None, None] * up
    return loft(material, np.moveaxis(line + offsets * radii[:, None], 0, 1))


def bar(material: Material, start: Point, end: Point, thick: float, end_thick: float | None = None) -> Part:
    """A square bar between two points, as legs and rails are; it may taper."""
    ends = np.array([thick, thick if end_thick is None else end_thick]) / np.sqrt(2)
    return tube(material, [start, end], ends.tolist(), sides=4)


def facing(material: Material, width: float, height: float, at: Point = ORIGIN, thick: float = 0.01) -> Part:
    """A thin panel that faces -y and shows the whole of a picture or a screen."""
    part = box(material, (width, thick, height))
    uv = part.corners[..., [0, 2]] / [width, height] + [0.5, 0.0]
    return replace(part, uv=uv).moved(*at)


def drape(
    material: Material, width: float, height: float, at: Point = ORIGIN, depth: float = 0.08, folds: int = 4
) -> Part:
    """Cloth that hangs in folds."""
    along = np.linspace(0, 1, 4 * folds + 1)
    x, y = (along - 0.5) * width, (depth - 0.02) / 2 * np.sin(along * folds * 2 * np.pi)
    rings = [[[a, b - 0.01, 0], [a, b + 0.01, 0], [a, b + 0.01, height], [a, b - 0.01, height]]
             for a, b in zip(x, y, strict=True)]  # fmt: skip
    return loft(material, rings).moved(*at)


def leaf(material: Material, stem: Point, tip: Point, width: float) -> Part:
    """A leaf from its stem to its tip, folded along the middle."""
    a, b = np.array(stem), np.array(tip)
    ahead = (b - a) / np.linalg.norm(b - a)
    aside = np.array([ahead[1], -ahead[0], 0.0])
    if np.linalg.norm(aside) < 0.1:
        aside = np.array([0.0, 1.0, 0.0])
    aside *= width / 2 / np.linalg.norm(aside)
    up = np.cross(aside, ahead) * 0.35
    middle = a + 0.45 * (b - a)
    left, right = middle - aside + up, middle + aside + up
    corners = np.array([[a, right, left], [b, left, right], [a, left, b], [a, b, right]])
    normal = _normals(corners)
    if volume(corners, normal) < 0:
        corners = corners[:, ::-1]
    return Part(material, corners, _surface_metres(corners, np.abs(normal).argmax(axis=1)))
