"""What makers of furniture share: the wish they are given, common materials, putting parts together."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from helpanna.worlds.houses.furniture.shapes import Part, Point
from helpanna.worlds.houses.layout import Colour, Material, Mesh, Rect, Thing
from helpanna.worlds.houses.styles import Finish, Style

T = TypeVar("T")
Top = tuple[Rect, float]

_SPINES: tuple[Colour, ...] = (
    (0.35, 0.05, 0.05), (0.05, 0.12, 0.3), (0.06, 0.22, 0.12), (0.5, 0.36, 0.1), (0.6, 0.55, 0.45),
    (0.12, 0.1, 0.1), (0.4, 0.16, 0.05), (0.2, 0.28, 0.32),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Wish:
    """What a maker is asked for: a style, chance, and sizes where they matter.

    Attributes:
        style: the style of the house.
        rng: where chance comes from.
        width, depth, height: metres; None leaves it to the maker. Makers respect the sizes that such a thing
            is made to.
    """

    style: Style
    rng: np.random.Generator
    width: float | None = None
    depth: float | None = None
    height: float | None = None

    @property
    def variant(self) -> int:
        """The family of shapes of the house."""
        return self.style.variant

    def wide(self, low: float, high: float) -> float:
        """The width wished for, or one in this range."""
        return self.between(low, high) if self.width is None else self.width

    def deep(self, low: float, high: float) -> float:
        """The depth wished for, or one in this range."""
        return self.between(low, high) if self.depth is None else self.depth

    def high(self, low: float, high: float) -> float:
        """The height wished for, or one in this range."""
        return self.between(low, high) if self.height is None else self.height

    def between(self, low: float, high: float) -> float:
        """A number in this range."""
        return round(float(self.rng.uniform(low, high)), 3)

    def chance(self, probability: float) -> bool:
        """Whether it happens."""
        return bool(self.rng.random() < probability)

    def choice(self, some: Sequence[T]) -> T:
        """One of some."""
        return some[int(self.rng.integers(len(some)))]

    def pick(self, *finishes: Finish) -> Material:
        """A material of the style of one of these finishes."""
        return self.style.pick(self.rng, self.choice(finishes))

    def seed(self) -> int:
        """The seed of a pattern."""
        return int(self.rng.integers(1 << 30))

    def painted(self, *colours: Colour, gloss: float = 0.2) -> Material:
        """Paint or plastic in one of these colours."""
        colour = self.choice(colours)
        return Material("paint", colour, colour, 0.3, gloss, 0.0, self.seed())

    def picture(self) -> Material:
        """Something to look at, in colours of the style."""
        first, second = self.pick("fabric_accent", "ceramic").colour, self.pick("fabric", "paint").colour
        return Material("picture", first, second, 1.0, 0.1, 0.0, self.seed())

    def spines(self) -> Material:
        """Backs of books side by side."""
        return Material("books", self.choice(_SPINES), self.choice(_SPINES), 0.035, 0.1, 0.0, self.seed())

    def cover(self) -> Material:
        """The cover of one book."""
        return self.painted(*_SPINES, gloss=0.1)

    def leaves(self) -> Material:
        """Green, of one kind or another."""
        green = (self.between(0.03, 0.1), self.between(0.12, 0.24), self.between(0.02, 0.07))
        dark = (green[0] * 0.6, green[1] * 0.6, green[2] * 0.6)
        return Material("leaves", green, dark, 0.1, 0.1, 0.0, self.seed())


LIGHT = Material("light", (1.0, 0.83, 0.6), (1.0, 0.83, 0.6), emission=1.0)
GLASS = Material("glass", (0.75, 0.85, 0.85), (0.75, 0.85, 0.85), gloss=0.8)
MIRROR = Material("metal", (0.86, 0.88, 0.88), (0.86, 0.88, 0.88), gloss=0.95)
STEEL = Material("metal", (0.5, 0.51, 0.52), (0.4, 0.41, 0.42), 0.2, 0.2)
ENAMEL = Material("ceramic", (0.78, 0.78, 0.76), (0.74, 0.74, 0.72), 0.3, 0.5)
BLACK = Material("paint", (0.012, 0.012, 0.014), (0.012, 0.012, 0.014), gloss=0.5)
PAPER = Material("paper", (0.78, 0.76, 0.7), (0.7, 0.68, 0.62), 0.2)
WHITE = Material("paint", (0.8, 0.8, 0.78), (0.8, 0.8, 0.78), gloss=0.3)
EARTH = Material("stone", (0.06, 0.035, 0.02), (0.03, 0.02, 0.01), 0.1)


def top(width: float, depth: float, z: float, x: float = 0.0, y: float = 0.0) -> Top:
    """A surface others can stand on, by its size, height and middle."""
    return Rect(x - width / 2, y - depth / 2, x + width / 2, y + depth / 2), z


def assemble(name: str, parts: Iterable[Part], tops: Iterable[Top] = (), lamp: Point | None = None) -> Thing:
    """The thing made of these parts, moved so that its origin is the middle of its footprint."""
    parts = list(parts)
    corners = np.concatenate([part.corners for part in parts])
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    x, y, z = float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2, float(low[2])
    numbers: dict[Material, int] = {}
    slots = [numbers.setdefault(part.material, len(numbers)) for part in parts]
    moved = np.round((corners - [x, y, z]).reshape(-1, 3), 6).astype(np.float32)
    vertices, index = np.unique(moved, axis=0, return_inverse=True)
    width, depth, height = (high - low).tolist()
    return Thing(
        type=name,
        mesh=Mesh(
            vertices=vertices,
            triangles=index.reshape(-1, 3).astype(np.int32),
            uv=np.concatenate([part.uv for part in parts]).astype(np.float32),
            slot=np.repeat(slots, [len(part.corners) for part in parts]).astype(np.int32),
        ),
        materials=tuple(numbers),
        size=(width, depth, height),
        tops=tuple((Rect(r.x0 - x, r.y0 - y, r.x1 - x, r.y1 - y), height - z) for r, height in tops),
        lamp=None if lamp is None else (lamp[0] - x, lamp[1] - y, lamp[2] - z),
    )
