"""Styles: which materials a house and its furniture are made of.

A style is a recipe of colours; each house draws one recipe and shifts its colours a little, so that two
houses of one style are relatives, not twins.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from helpanna.errors import InputError
from helpanna.randomness import generator
from helpanna.worlds.houses.layout import Colour, Material, RoomKind
from helpanna.worlds.houses.palettes import RECIPES, Recipe

Finish = Literal[
    "wood", "wood_dark", "fabric", "fabric_accent", "metal", "ceramic", "stone", "leather", "paint"
]
"""What furniture is made of; "paint" is lacquered wood, as of cupboards."""

WET: frozenset[RoomKind] = frozenset({"bathroom", "laundry room"})
VARIANTS = 4
"""The number of families of shapes that furniture comes in."""


@dataclass(frozen=True)
class Style:
    """The materials of one house.

    Attributes:
        name: the recipe's name.
        variant: 0 to `VARIANTS` - 1, the family of furniture shapes.
        finishes: the materials of furniture, the most typical first.
        floors, walls, ceilings: of each kind of room.
        trim: of door frames, skirting and stairs.
        window_low, window_high: metres of a usual window's lower and upper edge above the floor.
        window_share: how much of an outer wall is window, 0 to 1.
    """

    name: str
    variant: int
    finishes: Mapping[Finish, tuple[Material, ...]]
    floors: Mapping[RoomKind, Material]
    walls: Mapping[RoomKind, Material]
    ceilings: Mapping[RoomKind, Material]
    trim: Material
    window_low: float
    window_high: float
    window_share: float

    def pick(self, rng: np.random.Generator, finish: Finish) -> Material:
        """One of the style's materials of this finish, with a pattern of its own."""
        some = self.finishes[finish]
        return replace(some[int(rng.integers(len(some)))], seed=int(rng.integers(1 << 30)))

    @property
    def wood(self) -> Material:
        """The usual wood of furniture."""
        return self.finishes["wood"][0]

    @property
    def wood_dark(self) -> Material:
        """The darker wood beside it."""
        return self.finishes["wood_dark"][0]

    @property
    def fabric(self) -> Material:
        """What sofas and beds are covered with."""
        return self.finishes["fabric"][0]

    @property
    def fabric_accent(self) -> Material:
        """The bolder fabric of cushions, rugs and curtains."""
        return self.finishes["fabric_accent"][0]

    @property
    def metal(self) -> Material:
        """Legs, taps, handles, lamps."""
        return self.finishes["metal"][0]

    @property
    def ceramic(self) -> Material:
        """Sinks, toilets, plates, vases."""
        return self.finishes["ceramic"][0]

    @property
    def stone(self) -> Material:
        """Worktops and table tops."""
        return self.finishes["stone"][0]

    @property
    def leather(self) -> Material:
        """Of armchairs and stools."""
        return self.finishes["leather"][0]

    @property
    def paint(self) -> Material:
        """Lacquered fronts of cupboards and shelves."""
        return self.finishes["paint"][0]


STYLES: tuple[str, ...] = tuple(RECIPES)


def draw_style(seed: int, house: str, name: str | None = None) -> Style:
    """The style of a house: the same for the same seed and house.

    Args:
        seed: the seed of the set of houses.
        house: the house's name.
        name: one of `STYLES`; drawn where it is not given.
    """
    if name is not None and name not in RECIPES:
        raise InputError(f"there is no style {name!r}; choose one of {', '.join(STYLES)}.")
    rng = generator(seed, f"style of house {house}")
    drawn = STYLES[int(rng.integers(len(STYLES)))]
    return _Painter(RECIPES[name or drawn], rng).style(name or drawn)


class _Painter:
    """Mixes one house's materials from a recipe."""

    def __init__(self, recipe: Recipe, rng: np.random.Generator):
        self.recipe, self.rng = recipe, rng
        self.light = float(np.exp(rng.normal(0, 0.05)))  # this house is a little lighter or darker
        self.warmth = float(rng.normal(0, 0.03))

    def style(self, name: str) -> Style:
        recipe, rng = self.recipe, self.rng
        kinds: tuple[RoomKind, ...] = get_args(RoomKind)
        low, high, share = recipe.window
        floors, walls, ceilings = self._floors(kinds), self._walls(kinds), self._ceilings(kinds)
        return Style(
            name=name,
            variant=int(rng.integers(VARIANTS)),
            finishes=self._finishes(),
            floors=floors,
            walls=walls,
            ceilings=ceilings,
            trim=self._material("paint", self._choice(recipe.trims), gloss=0.3),
            window_low=round(low + float(rng.uniform(-0.1, 0.1)), 2),
            window_high=round(high + float(rng.uniform(-0.05, 0.05)), 2),
            window_share=round(share * float(rng.uniform(0.85, 1.15)), 3),
        )

    def _floors(self, kinds: tuple[RoomKind, ...]) -> dict[RoomKind, Material]:
        recipe = self.recipe
        scale = {"planks": recipe.plank, "tile": recipe.tile, "stone": 0.8, "carpet": 0.25}
        gloss = {"planks": recipe.gloss, "tile": 0.4, "stone": 0.25, "carpet": 0.0}
        usual = self._material(
            recipe.floor, self._choice(recipe.floors), scale[recipe.floor], gloss[recipe.floor]
        )
        sleeping = self._material(
            recipe.bed_floor,
            self._choice(recipe.bed_floors),
            scale[recipe.bed_floor],
            gloss[recipe.bed_floor],
        )
        kitchen = self._tile(recipe.tile) if self.rng.random() < 0.5 else usual
        floors: dict[RoomKind, Material] = dict.fromkeys(kinds, usual)
        floors["bedroom"] = sleeping
        floors["office"] = sleeping if self.rng.random() < 0.5 else usual
        floors["kitchen"] = kitchen
        for kind in sorted(WET):
            floors[kind] = self._tile(recipe.tile)
        return floors

    def _walls(self, kinds: tuple[RoomKind, ...]) -> dict[RoomKind, Material]:
        recipe, rng = self.recipe, self.rng
        usual = self._material("paint", self._choice(recipe.walls), 1.0)
        walls: dict[RoomKind, Material] = dict.fromkeys(kinds, usual)
        for kind in kinds:
            if kind not in ("hall", "corridor", "stairs") and rng.random() < 0.4:
                words = recipe.bold_walls if rng.random() < 0.5 else recipe.walls
                walls[kind] = self._material("paint", self._choice(words), 1.0)
        if rng.random() < 0.7:
            walls["bathroom"] = self._tile(recipe.tile * 0.5)
        return walls

    def _ceilings(self, kinds: tuple[RoomKind, ...]) -> dict[RoomKind, Material]:
        ceiling = self._material("paint", self.recipe.ceiling, 1.0)
        return dict.fromkeys(kinds, ceiling)

    def _finishes(self) -> dict[Finish, tuple[Material, ...]]:
        recipe = self.recipe
        return {
            "wood": self._all("wood", recipe.woods, 0.5, recipe.gloss),
            "wood_dark": self._all("wood", recipe.dark_woods, 0.5, recipe.gloss),
            "fabric": self._all("fabric", recipe.fabrics, 0.02),
            "fabric_accent": self._all("fabric", recipe.accents, 0.03),
            "metal": self._all("metal", recipe.metals, 0.2, 0.7),
            "ceramic": self._all("ceramic", recipe.ceramics, 0.3, 0.6),
            "stone": self._all("stone", recipe.stones, 0.4, 0.4),
            "leather": self._all("leather", recipe.leathers, 0.05, 0.25),
            "paint": self._all("paint", recipe.paints, 1.0, 0.25),
        }

    def _all(self, kind: str, words: str, scale: float, gloss: float = 0.0) -> tuple[Material, ...]:
        """All colours of a line, begun anywhere, so that houses differ in what is most typical too."""
        colours = words.split()
        first = int(self.rng.integers(len(colours)))
        return tuple(
            self._material(kind, colour, scale, gloss) for colour in colours[first:] + colours[:first]
        )

    def _tile(self, scale: float) -> Material:
        return self._material("tile", self._choice(self.recipe.tiles), scale, 0.5)

    def _choice(self, words: str) -> str:
        """One word of a line, the first ones more often."""
        some = words.split()
        chance = 1 / np.arange(1, len(some) + 1)
        return some[int(self.rng.choice(len(some), p=chance / chance.sum()))]

    def _material(self, kind: str, colour: str, scale: float = 0.3, gloss: float = 0.0) -> Material:
        main = self._shifted(_linear(colour))
        # Joints and grain are darker than what they part, weaves only a little.
        depth = {"tile": 0.55, "planks": 0.6, "wood": 0.65, "stone": 0.75, "fabric": 0.8, "carpet": 0.85}
        darker = depth.get(kind, 0.9)
        accent = (main[0] * darker, main[1] * darker, main[2] * darker)
        seed = int(self.rng.integers(1 << 30))
        return Material(kind, main, accent, scale, gloss, 0.0, seed)  # type: ignore[arg-type]

    def _shifted(self, colour: Colour) -> Colour:
        """The colour, moved a little by the house and a little by chance."""
        bright = self.light * float(np.exp(self.rng.normal(0, 0.06)))
        tint = np.array([1 + self.warmth, 1, 1 - self.warmth]) * np.exp(self.rng.normal(0, 0.03, 3))
        red, green, blue = np.clip(np.array(colour) * bright * tint, 0.01, 0.9).tolist()
        return red, green, blue


def _linear(colour: str) -> Colour:
    """Linear light of an sRGB colour in hexadecimal."""
    values = np.array([int(colour[i : i + 2], 16) for i in (0, 2, 4)]) / 255
    red, green, blue = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4).tolist()
    return red, green, blue
