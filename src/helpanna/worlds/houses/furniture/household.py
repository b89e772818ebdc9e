"""Everything else a household has: fireplaces, bins, coats, bags, machines for exercise."""

import numpy as np

from helpanna.worlds.houses.furniture.shapes import (
    Point,
    bar,
    both,
    box,
    cushion,
    cylinder,
    drape,
    lathe,
    tube,
)
from helpanna.worlds.houses.furniture.workshop import BLACK, ENAMEL, STEEL, Wish, assemble, top
from helpanna.worlds.houses.layout import Material, Thing

_BRICK = Material("tile", (0.28, 0.09, 0.05), (0.35, 0.32, 0.28), 0.12)
_SOOT = Material("stone", (0.02, 0.018, 0.016), (0.01, 0.01, 0.01), 0.2)


def fireplace(wish: Wish) -> Thing:
    """A hearth with a mantel shelf."""
    stone = _BRICK if wish.variant == 1 else wish.pick("stone")
    mantel = wish.pick("wood", "wood_dark") if wish.variant in (0, 1) else wish.pick("stone", "paint")
    width, depth, height = wish.wide(1.25, 1.5), 0.4, wish.between(1.1, 1.2)
    hole, tall = width * 0.5, height * 0.55
    side = (width - hole) / 2
    parts = both(box(stone, (side, depth - 0.06, height - 0.06), ((width - side) / 2, 0.03, 0.0)))
    parts += [
        box(stone, (hole, depth - 0.06, height - 0.06 - tall), (0.0, 0.03, tall)),
        box(_SOOT, (hole, 0.06, tall), (0.0, depth / 2 - 0.03, 0.0)),
        box(_SOOT, (hole, depth - 0.06, 0.04), (0.0, 0.0, 0.0)),
        box(mantel, (width + 0.12, depth, 0.06), (0.0, 0.0, height - 0.06), bevel=0.01),
    ]
    bark = Material("wood", (0.12, 0.07, 0.04), (0.05, 0.03, 0.02), 0.1)
    logs: tuple[Point, ...] = ((0.0, -0.02, 0.08), (0.0, 0.1, 0.08), (0.0, 0.04, 0.16))
    parts += [
        cylinder(bark, 0.05, hole * 0.7, sides=8).turned(90, "y").moved(x - hole * 0.35, y, z)
        for x, y, z in logs
    ]
    return assemble("fireplace", parts, [top(width, depth - 0.12, height, y=0.04)])


def trash_can(wish: Wish) -> Thing:
    """With a pedal and a lid, or an open bin."""
    height = wish.high(0.3, 0.6)
    body = wish.choice((STEEL, BLACK, ENAMEL))
    if height < 0.4:
        radius = height * 0.38
        profile = [
            (radius * 0.8, 0.0),
            (radius, height),
            (radius - 0.008, height),
            (radius * 0.8 - 0.01, 0.02),
        ]
        return assemble("trash can", [lathe(body, profile, sides=14)])
    parts = [lathe(body, [(0.15, 0.0), (0.15, height - 0.09)], sides=16)]
    parts.append(lathe(BLACK, [(0.155, height - 0.09), (0.15, height - 0.04), (0.05, height)], sides=16))
    parts.append(box(BLACK, (0.08, 0.05, 0.015), (0.0, -0.165, 0.015)))
    return assemble("trash can", parts)


def coat_rack(wish: Wish) -> Thing:
    """A stand with hooks and a coat or two, or pegs on a board for the wall."""
    wood = wish.pick("wood", "wood_dark", "metal")
    coats = [wish.pick("fabric", "fabric_accent") for _ in range(2)]
    if wish.variant in (1, 3) or wish.width is not None:
        width = wish.wide(0.7, 1.0)
        parts = [box(wood, (width, 0.025, 0.14), (0.0, 0.1, 0.85), bevel=0.004)]
        pegs = 5
        for i in range(pegs):
            x = (i - 2) * width / pegs
            parts.append(tube(STEEL, [(x, 0.09, 0.9), (x, 0.03, 0.92)], [0.008, 0.012]))
        for i, coat in zip((0, 3), coats, strict=True):
            parts.append(drape(coat, 0.26, 0.88, ((i - 2) * width / pegs, 0.02, 0.0), 0.16, 2))
        return assemble("coat rack", parts)
    height = wish.between(1.7, 1.8)
    parts = [cylinder(wood, 0.022, height - 0.05, (0.0, 0.0, 0.05), sides=8)]
    parts += [bar(wood, (0.0, 0.0, 0.1), (0.0, -0.24, 0.0), 0.03).turned(90 * i) for i in range(4)]
    parts += [
        tube(
            wood, [(0.0, 0.0, height - 0.18), (0.0, -0.14, height - 0.08), (0.0, -0.17, height)], 0.012, 5
        ).turned(90 * i + 45)
        for i in range(4)
    ]
    parts += [
        drape(coat, 0.26, 0.95, (0.0, -0.1, height - 1.06), 0.15, 2).turned(turn)
        for coat, turn in zip(coats, (45, 225), strict=True)
    ]
    return assemble("coat rack", parts)


def umbrella_stand(wish: Wish) -> Thing:
    """With two umbrellas in it."""
    parts = [
        lathe(wish.pick("metal", "ceramic"), [(0.11, 0.0), (0.12, 0.45), (0.11, 0.45), (0.1, 0.03)], sides=12)
    ]
    for x, y in ((-0.04, 0.02), (0.05, -0.02)):
        cloth = wish.pick("fabric_accent", "fabric")
        parts.append(
            tube(cloth, [(x, y, 0.04), (x * 1.3, y, 0.5), (x * 1.45, y, 0.66)], [0.012, 0.032, 0.014])
        )
        hook = [(x * 1.45, y, 0.65), (x * 1.6, y, 0.76), (x * 1.6 + 0.03, y, 0.8), (x * 1.6 + 0.05, y, 0.75)]
        parts.append(tube(wish.pick("wood_dark"), hook, 0.008, 5))
    return assemble("umbrella stand", parts)


def bag(wish: Wish) -> Thing:
    """A handbag or a shopping bag."""
    leather = wish.pick("leather", "fabric_accent")
    width, depth, height = wish.between(0.28, 0.36), wish.between(0.12, 0.16), wish.between(0.22, 0.3)
    parts = [cushion(leather, (width, depth, height), radius=0.03)]
    for y in (-depth * 0.35, depth * 0.35):
        arc = [
            (-width * 0.25 * np.cos(a), y * (1 - 0.4 * np.sin(a)), height - 0.015 + 0.13 * np.sin(a))
            for a in np.linspace(0, np.pi, 6)
        ]
        parts.append(tube(leather, arc, 0.008, 4))
    return assemble("bag", parts)


def suitcase(wish: Wish) -> Thing:
    """It stands upright on its wheels."""
    shell = wish.choice((wish.pick("leather"), wish.pick("fabric_accent"), BLACK))
    width, depth, height = 0.44, 0.26, wish.between(0.58, 0.7)
    parts = [cushion(shell, (width, depth, height), (0.0, 0.0, 0.04), 0.04)]
    parts += [box(BLACK, (0.04, 0.05, 0.05), (x, y, 0.0)) for x in (-0.16, 0.16) for y in (-0.08, 0.08)]
    parts += both(bar(STEEL, (0.1, 0.1, height), (0.1, 0.1, height + 0.16), 0.014))
    parts.append(bar(BLACK, (-0.11, 0.1, height + 0.16), (0.11, 0.1, height + 0.16), 0.026))
    return assemble("suitcase", parts)


def exercise_bike(wish: Wish) -> Thing:
    """A bike that goes nowhere."""
    frame = wish.painted((0.02, 0.02, 0.022), (0.5, 0.5, 0.5), (0.4, 0.04, 0.03), gloss=0.4)
    wheel = (
        lathe(frame, [(0.2, 0.0), (0.24, 0.02), (0.24, 0.06), (0.2, 0.08)], sides=18)
        .turned(90, "y")
        .moved(-0.04, -0.3, 0.3)
    )
    parts = [
        wheel,
        box(BLACK, (0.5, 0.06, 0.05), (0.0, -0.45, 0.0)),
        box(BLACK, (0.5, 0.06, 0.05), (0.0, 0.45, 0.0)),
        bar(frame, (0.0, -0.45, 0.05), (0.0, 0.45, 0.05), 0.06),
        bar(frame, (0.0, 0.05, 0.05), (0.0, 0.25, 0.9), 0.06, 0.05),
        bar(frame, (0.0, 0.1, 0.25), (0.0, -0.35, 1.05), 0.06, 0.05),
        cushion(BLACK, (0.22, 0.26, 0.07), (0.0, 0.26, 0.89), 0.03),
        tube(
            BLACK, [(-0.24, -0.2, 1.12), (-0.22, -0.36, 1.08), (0.22, -0.36, 1.08), (0.24, -0.2, 1.12)], 0.016
        ),
        box(BLACK, (0.18, 0.03, 0.13), (0.0, -0.38, 1.1)),
    ]
    parts += [
        bar(STEEL, (s * 0.06, 0.02, 0.3), (s * 0.06, 0.02 - s * 0.14, 0.3 - s * 0.09), 0.02) for s in (-1, 1)
    ]
    parts += [box(BLACK, (0.09, 0.1, 0.02), (s * 0.12, 0.02 - s * 0.14, 0.29 - s * 0.09)) for s in (-1, 1)]
    return assemble("exercise bike", [part.turned(180) for part in parts] if wish.variant == 3 else parts)


def treadmill(wish: Wish) -> Thing:
    """A belt to run on; its console is at the back."""
    frame = wish.painted((0.03, 0.03, 0.032), (0.35, 0.35, 0.36), gloss=0.4)
    belt = Material("leather", (0.02, 0.02, 0.02), (0.03, 0.03, 0.03), 0.05)
    parts = [box(frame, (0.74, 1.6, 0.14)), box(belt, (0.52, 1.45, 0.012), (0.0, -0.04, 0.14))]
    parts += both(
        bar(frame, (0.33, 0.6, 0.1), (0.33, 0.72, 1.15), 0.06),
        bar(frame, (0.33, 0.72, 1.0), (0.33, 0.3, 0.95), 0.05),
    )
    console = box(BLACK, (0.72, 0.06, 0.22), (0.0, 0.74, 1.08)).turned(-15, "x", (0.0, 0.74, 1.1))
    return assemble("treadmill", [*parts, console])


def weights(wish: Wish) -> Thing:
    """A pair of dumb-bells."""
    iron = wish.choice((BLACK, STEEL))
    parts = []
    for y in (-0.09, 0.09):
        parts.append(cylinder(STEEL, 0.014, 0.3, sides=8).turned(90, "y").moved(-0.15, y, 0.06))
        parts += [
            cylinder(iron, 0.06, 0.07, sides=10).turned(90, "y").moved(x, y, 0.06) for x in (-0.14, 0.07)
        ]
    return assemble("weights", parts)


def ladder(wish: Wish) -> Thing:
    """A small stepladder."""
    metal, height = wish.pick("metal", "wood"), wish.between(1.2, 1.4)
    parts = both(
        bar(metal, (0.22, -0.3, 0.0), (0.17, 0.0, height), 0.035),
        bar(metal, (0.22, 0.3, 0.0), (0.17, 0.02, height - 0.02), 0.03),
    )
    for i in range(1, 5):
        share = i / 5
        parts.append(
            box(metal, (0.44 - 0.1 * share, 0.08, 0.025), (0.0, -0.3 * (1 - share), height * share - 0.02))
        )
    parts.append(box(BLACK, (0.36, 0.12, 0.03), (0.0, 0.0, height - 0.02)))
    return assemble("ladder", parts)


def heater(wish: Wish) -> Thing:
    """A small electric heater on the floor."""
    body = wish.choice((ENAMEL, BLACK, STEEL))
    parts = [box(BLACK, (0.12, 0.22, 0.03), (x, 0.0, 0.0)) for x in (-0.16, 0.16)]
    parts += [cushion(body, (0.05, 0.15, 0.5), ((i - 3) * 0.065, 0.0, 0.03), 0.02, 1) for i in range(7)]
    parts.append(box(BLACK, (0.06, 0.14, 0.3), (0.26, 0.0, 0.12)))
    return assemble("heater", parts)


def water_cooler(wish: Wish) -> Thing:
    """A water dispenser with its bottle on top."""
    blue = Material("glass", (0.15, 0.35, 0.55), (0.15, 0.35, 0.55), gloss=0.7)
    body = wish.choice((ENAMEL, BLACK))
    profile = [(0.05, 0.0), (0.13, 0.06), (0.135, 0.3), (0.1, 0.36)]
    parts = [
        box(body, (0.32, 0.3, 0.95), (0.0, 0.015, 0.0), bevel=0.015),
        lathe(blue, profile, (0.0, 0.015, 0.95), 14),
    ]
    parts += [
        box(BLACK, (0.2, 0.05, 0.02), (0.0, -0.15, 0.6)),
        *both(box(STEEL, (0.03, 0.05, 0.04), (0.05, -0.155, 0.78))),
    ]
    return assemble("water cooler", parts)
