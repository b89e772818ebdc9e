"""Building blocks of meshes: rectangles parallel to the axes, sheets with holes, boxes, bars."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from helpanna.worlds.houses.layout import Mesh

Span = tuple[float, float]

_PLANES = ((1, 2), (0, 2), (0, 1))
"""The two axes along which a rectangle across each axis extends; also those of its texture coordinates."""


class Sheets:
    """A mesh in the making. Corners are never shared, so that each face has its own texture coordinates."""

    def __init__(self) -> None:
        self._corners: list[NDArray[np.float64]] = []
        self._uv: list[NDArray[np.float64]] = []
        self._slots: list[int] = []

    def rectangle(self, axis: int, at: float, u: Span, v: Span, facing: int, slot: int) -> None:
        """A rectangle across `axis` (0 = x) at the coordinate `at`, seen from its positive or negative side.

        Args:
            axis: the axis it is across.
            at: where on that axis.
            u: its extent along the first of the other two axes.
            v: along the second.
            facing: +1 or -1, the side it is seen from.
            slot: its material.
        """
        if u[1] - u[0] < 1e-6 or v[1] - v[0] < 1e-6:
            return
        first, second = _PLANES[axis]
        uv = np.array([(u[0], v[0]), (u[1], v[0]), (u[1], v[1]), (u[0], v[1])])
        corners = np.empty((4, 3))
        corners[:, axis], corners[:, first], corners[:, second] = at, uv[:, 0], uv[:, 1]
        # (y, z) across x and (x, y) across z run counter-clockwise seen from the positive side, (x, z) across
        # y does not.
        if (facing > 0) == (axis == 1):
            corners, uv = corners[::-1], uv[::-1]
        self._add(corners, uv, slot)

    def sheet(
        self,
        axis: int,
        at: float,
        u: Span,
        v: Span,
        facing: int,
        slot: int,
        holes: Sequence[tuple[Span, Span]] = (),
    ) -> None:
        """A rectangle with rectangular holes.

        It is cut along all edges of the holes, so its parts share whole edges and light goes on smoothly.
        """
        columns = sorted({*u, *(min(max(edge, u[0]), u[1]) for hole, _ in holes for edge in hole)})
        levels = sorted({*v, *(min(max(edge, v[0]), v[1]) for _, hole in holes for edge in hole)})
        for left, right in pairwise(columns):
            for low, high in pairwise(levels):
                x, y = (left + right) / 2, (low + high) / 2
                if not any(a < x < b and c < y < d for (a, b), (c, d) in holes):
                    self.rectangle(axis, at, (left, right), (low, high), facing, slot)

    def box(self, x: Span, y: Span, z: Span, slot: int, without: Sequence[tuple[int, int]] = ()) -> None:
        """A box seen from outside, without the faces (axis, facing) that nobody sees."""
        spans = (x, y, z)
        for axis in range(3):
            u, v = (spans[other] for other in _PLANES[axis])
            for end, facing in ((0, -1), (1, 1)):
                if (axis, facing) not in without:
                    self.rectangle(axis, spans[axis][end], u, v, facing, slot)

    def bar(self, start: ArrayLike, end: ArrayLike, width: float, height: float, slot: int) -> None:
        """A straight bar with upright sides between the middles of its ends, which may differ in height."""
        a, b = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
        ahead = b - a
        side = np.array([-ahead[1], ahead[0], 0.0]) / np.hypot(ahead[0], ahead[1]) * width / 2
        up = np.array([0.0, 0.0, height / 2])
        ring = [-side - up, side - up, side + up, -side + up]
        for i, corner in enumerate(ring):
            following = ring[(i + 1) % 4]
            self.quad([a + corner, a + following, b + following, b + corner], slot)
        self.quad([a + corner for corner in reversed(ring)], slot)
        self.quad([b + corner for corner in ring], slot)

    def quad(self, corners: Sequence[NDArray[np.float64]], slot: int) -> None:
        """A flat parallelogram, corners counter-clockwise seen from outside."""
        p = np.array(corners)
        first, last = p[1] - p[0], p[3] - p[0]
        u = first / np.linalg.norm(first)
        v = last - u * (last @ u)
        self._add(p, (p - p[0]) @ np.stack([u, v / np.linalg.norm(v)], axis=1), slot)

    def _add(self, corners: NDArray[np.float64], uv: NDArray[np.float64], slot: int) -> None:
        self._corners.append(corners)
        self._uv.append(uv)
        self._slots.append(slot)

    def mesh(self) -> Mesh:
        """All faces so far, two triangles each."""
        count = len(self._slots)
        corners, uv = np.array(self._corners).reshape(count, 4, 3), np.array(self._uv).reshape(count, 4, 2)
        halves = np.array([[0, 1, 2], [0, 2, 3]])
        triangles = 4 * np.arange(count)[:, None, None] + halves
        return Mesh(
            vertices=corners.reshape(-1, 3).astype(np.float32),
            triangles=triangles.reshape(-1, 3).astype(np.int32),
            uv=uv[:, halves].reshape(-1, 3, 2).astype(np.float32),
            slot=np.repeat(np.array(self._slots, dtype=np.int32), 2),
        )
