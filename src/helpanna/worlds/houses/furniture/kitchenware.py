"""Small things of kitchens and dining tables."""

import numpy as np

from helpanna.worlds.houses.furniture.shapes import Part, Point, ball, bar, box, cylinder, lathe, tube
from helpanna.worlds.houses.furniture.workshop import BLACK, ENAMEL, GLASS, STEEL, Wish, assemble
from helpanna.worlds.houses.layout import Colour, Material, Thing

_FRUIT: tuple[Colour, ...] = ((0.5, 0.05, 0.03), (0.75, 0.3, 0.03), (0.65, 0.5, 0.06), (0.2, 0.4, 0.05))


def _handle(material: Material, x: float, low: float, high: float, reach: float, thick: float) -> Part:
    """A handle in the x-z plane at radius x."""
    points: list[Point] = [
        (x, 0.0, low),
        (x + reach, 0.0, low + 0.2 * (high - low)),
        (x + reach, 0.0, high - 0.2 * (high - low)),
        (x, 0.0, high),
    ]
    return tube(material, points, thick, sides=4)


def mug(wish: Wish) -> Thing:
    """A mug with its handle at one side."""
    glaze = wish.pick("ceramic", "fabric_accent")
    glaze = Material("ceramic", glaze.colour, glaze.accent, 0.3, 0.5, 0.0, wish.seed())
    radius, height = wish.between(0.038, 0.046), wish.between(0.085, 0.11)
    foot = radius * (0.75, 1.0, 0.85, 0.95)[wish.variant]
    profile = [
        (foot, 0.0),
        (radius, height * 0.4),
        (radius, height),
        (radius - 0.005, height),
        (foot - 0.006, 0.01),
    ]
    parts = [
        lathe(glaze, profile, sides=12),
        _handle(glaze, radius - 0.003, height * 0.2, height * 0.8, 0.028, 0.006),
    ]
    return assemble("mug", parts)


def plate(wish: Wish) -> Thing:
    """A dinner plate."""
    radius = wish.between(0.12, 0.14)
    profile = [(radius * 0.6, 0.0), (radius, 0.02), (radius - 0.004, 0.024), (radius * 0.6, 0.009)]
    return assemble("plate", [lathe(wish.pick("ceramic"), profile, sides=20)])


def bowl(wish: Wish) -> Thing:
    """An empty bowl."""
    return assemble(
        "bowl", [_bowl(wish.pick("ceramic", "wood"), wish.between(0.08, 0.11), wish.between(0.06, 0.08))]
    )


def _bowl(material: Material, radius: float, height: float) -> Part:
    profile = [
        (radius * 0.5, 0.0),
        (radius * 0.88, height * 0.5),
        (radius, height),
        (radius - 0.006, height),
        (radius * 0.84, height * 0.52),
        (radius * 0.45, 0.012),
    ]
    return lathe(material, profile, sides=16)


def fruit_bowl(wish: Wish) -> Thing:
    """A bowl with fruit."""
    radius = wish.between(0.13, 0.16)
    parts = [_bowl(wish.pick("ceramic", "wood"), radius, 0.08)]
    for i in range(5):
        size = wish.between(0.033, 0.042)
        skin = wish.painted(*_FRUIT, gloss=0.3)
        angle = i * 2 * np.pi / 4
        at = (0.06 * np.cos(angle), 0.06 * np.sin(angle), 0.045) if i < 4 else (0.0, 0.0, 0.085)
        parts.append(ball(skin, size, at, sides=8))
    return assemble("fruit bowl", parts)


def bottle(wish: Wish) -> Thing:
    """A bottle of wine, oil or water."""
    glass = wish.painted((0.02, 0.07, 0.03), (0.1, 0.03, 0.01), (0.25, 0.35, 0.36), gloss=0.7)
    height, radius = wish.between(0.27, 0.32), wish.between(0.034, 0.04)
    profile = [(radius, 0.0), (radius, height * 0.6), (0.014, height * 0.76), (0.014, height)]
    label = wish.painted((0.6, 0.55, 0.42), (0.7, 0.7, 0.66))
    return assemble(
        "bottle",
        [lathe(glass, profile), cylinder(label, radius + 0.001, height * 0.25, (0.0, 0.0, height * 0.2))],
    )


def pan(wish: Wish) -> Thing:
    """A frying pan, its handle towards the front."""
    metal = wish.choice((BLACK, STEEL))
    profile = [(0.09, 0.0), (0.12, 0.045), (0.116, 0.045), (0.088, 0.006)]
    return assemble(
        "pan", [lathe(metal, profile, sides=16), bar(BLACK, (0.0, -0.11, 0.035), (0.0, -0.28, 0.055), 0.022)]
    )


def pot(wish: Wish) -> Thing:
    """A cooking pot with a lid."""
    metal = wish.choice((STEEL, wish.painted((0.4, 0.04, 0.03), (0.05, 0.1, 0.2), gloss=0.5)))
    height = wish.between(0.11, 0.15)
    profile = [(0.1, 0.0), (0.105, 0.01), (0.105, height), (0.1, height + 0.012), (0.02, height + 0.028)]
    parts = [lathe(metal, profile, sides=16), ball(BLACK, 0.016, (0.0, 0.0, height + 0.024), sides=6)]
    parts += [
        _handle(BLACK, 0.1, height - 0.05, height - 0.015, 0.03, 0.008).turned(turn) for turn in (0, 180)
    ]
    return assemble("pot", parts)


def kettle(wish: Wish) -> Thing:
    """An electric kettle."""
    body = wish.choice((STEEL, ENAMEL, BLACK))
    profile = [(0.08, 0.0), (0.085, 0.02), (0.065, 0.17), (0.05, 0.19), (0.012, 0.2)]
    parts = [lathe(body, profile, (0.0, 0.0, 0.02), 12), cylinder(BLACK, 0.085, 0.02)]
    parts.append(_handle(BLACK, 0.066, 0.07, 0.19, 0.055, 0.011))
    parts.append(bar(body, (-0.06, 0.0, 0.14), (-0.1, 0.0, 0.18), 0.035, 0.02))
    return assemble("kettle", parts)


def teapot(wish: Wish) -> Thing:
    """A china teapot."""
    china = wish.pick("ceramic")
    profile = [(0.05, 0.0), (0.08, 0.05), (0.08, 0.08), (0.045, 0.12), (0.015, 0.13)]
    parts = [
        lathe(china, profile),
        ball(china, 0.014, (0.0, 0.0, 0.125), sides=6),
        _handle(china, 0.065, 0.035, 0.11, 0.05, 0.008),
    ]
    parts.append(
        tube(china, [(-0.07, 0.0, 0.05), (-0.11, 0.0, 0.08), (-0.13, 0.0, 0.125)], [0.018, 0.013, 0.009])
    )
    return assemble("teapot", parts)


def coffee_maker(wish: Wish) -> Thing:
    """A filter machine with its jug."""
    body = wish.choice((BLACK, STEEL, wish.painted((0.4, 0.05, 0.04))))
    parts = [
        box(body, (0.2, 0.26, 0.04), bevel=0.01),
        box(body, (0.2, 0.1, 0.3), (0.0, 0.08, 0.03), bevel=0.01),
        box(body, (0.2, 0.25, 0.09), (0.0, 0.005, 0.26), bevel=0.015),
        lathe(GLASS, [(0.05, 0.0), (0.065, 0.05), (0.045, 0.13), (0.03, 0.14)], (0.0, -0.05, 0.045), 10),
        _handle(BLACK, 0.055, 0.02, 0.11, 0.035, 0.007).turned(-90).moved(0.0, -0.05, 0.045),
    ]
    return assemble("coffee maker", parts)


def toaster(wish: Wish) -> Thing:
    """Two slots."""
    body = wish.choice((STEEL, ENAMEL, wish.painted((0.4, 0.05, 0.04), (0.25, 0.42, 0.4), gloss=0.5)))
    parts = [box(body, (0.28, 0.17, 0.17), (0.0, 0.0, 0.015), bevel=0.03), box(BLACK, (0.26, 0.15, 0.02))]
    parts += [box(BLACK, (0.2, 0.025, 0.002), (0.0, y, 0.185)) for y in (-0.03, 0.03)]
    parts.append(box(BLACK, (0.02, 0.03, 0.02), (0.148, 0.0, 0.12)))
    return assemble("toaster", parts)


def microwave(wish: Wish) -> Thing:
    """A microwave oven."""
    body = wish.choice((STEEL, ENAMEL, BLACK))
    width, depth, height = wish.wide(0.46, 0.52), 0.36, 0.28
    y = 0.02 - depth / 2
    parts = [
        box(body, (width, depth - 0.02, height - 0.01), (0.0, 0.01, 0.01), bevel=0.006),
        box(BLACK, (width * 0.68, 0.012, height - 0.07), (-width * 0.13, y - 0.006, 0.045)),
        box(STEEL, (0.016, 0.02, height - 0.08), (width * 0.24, y - 0.01, 0.05)),
        box(BLACK, (width * 0.18, 0.006, 0.05), (width * 0.38, y - 0.003, height - 0.08)),
        cylinder(STEEL if body is not STEEL else BLACK, 0.022, 0.015, sides=10)
        .turned(90, "x")
        .moved(width * 0.38, y, 0.08),
        box(BLACK, (width - 0.06, depth - 0.08, 0.012)),
    ]
    return assemble("microwave", parts)


def cutting_board(wish: Wish) -> Thing:
    """A wooden board."""
    return assemble(
        "cutting board",
        [box(wish.pick("wood"), (wish.between(0.32, 0.42), wish.between(0.22, 0.28), 0.022), bevel=0.006)],
    )


def knife_block(wish: Wish) -> Thing:
    """A slanted block with five knives."""
    wood = wish.pick("wood", "wood_dark")
    parts = [box(wood, (0.11, 0.12, 0.22)).turned(15, "x")]
    for i in range(5):
        x, y = (i % 3 - 1) * 0.033, (0.03, -0.025)[i // 3]
        parts.append(box(BLACK, (0.016, 0.026, 0.09), (x, y, 0.215)).turned(15, "x"))
    return assemble("knife block", parts)


def jar(wish: Wish) -> Thing:
    """A storage jar with a lid."""
    height = wish.between(0.14, 0.22)
    parts = [
        lathe(
            wish.pick("ceramic"), [(0.05, 0.0), (0.06, 0.02), (0.06, height - 0.03), (0.045, height - 0.01)]
        ),
        cylinder(wish.pick("wood", "metal"), 0.05, 0.02, (0.0, 0.0, height - 0.01)),
    ]
    return assemble("jar", parts)


def tray(wish: Wish) -> Thing:
    """A tray with a low rim."""
    wood = wish.pick("wood", "wood_dark", "metal")
    width, depth = 0.4, 0.28
    parts = [box(wood, (width, depth, 0.01))]
    parts += [box(wood, (width, 0.012, 0.035), (0.0, s * (depth / 2 - 0.006), 0.01)) for s in (-1, 1)]
    parts += [box(wood, (0.012, depth - 0.024, 0.035), (s * (width / 2 - 0.006), 0.0, 0.01)) for s in (-1, 1)]
    return assemble("tray", parts)


def glass(wish: Wish) -> Thing:
    """A drinking glass."""
    height = wish.between(0.1, 0.14)
    profile = [(0.028, 0.0), (0.036, height), (0.033, height), (0.026, 0.012)]
    return assemble("glass", [lathe(GLASS, profile, sides=10)])
