"""Things to play with."""

from helpanna.worlds.houses.furniture.shapes import ball, bar, both, box, cylinder, prism, tube
from helpanna.worlds.houses.furniture.workshop import BLACK, PAPER, Wish, assemble
from helpanna.worlds.houses.layout import Material, Thing

_TOY = ((0.55, 0.06, 0.05), (0.06, 0.2, 0.5), (0.65, 0.5, 0.05), (0.08, 0.35, 0.12))


def teddy_bear(wish: Wish) -> Thing:
    """It sits."""
    fur = wish.painted((0.3, 0.16, 0.07), (0.45, 0.3, 0.16), (0.5, 0.45, 0.38), gloss=0.0)
    fur = Material("carpet", fur.colour, fur.accent, 0.05, 0.0, 0.0, wish.seed())
    parts = [
        ball(fur, 0.1, (0.0, 0.0, 0.0), 10),
        ball(fur, 0.075, (0.0, -0.01, 0.17), 10),
        ball(PAPER, 0.03, (0.0, -0.075, 0.2), 6),
    ]
    parts += both(
        ball(fur, 0.028, (0.055, 0.0, 0.285), 6),
        tube(fur, [(0.05, -0.02, 0.04), (0.075, -0.13, 0.035)], [0.04, 0.035]),
        tube(fur, [(0.08, 0.0, 0.14), (0.12, -0.05, 0.07)], [0.032, 0.026]),
        ball(BLACK, 0.008, (0.028, -0.078, 0.25), 6),
    )
    parts.append(ball(BLACK, 0.01, (0.0, -0.105, 0.225), 6))
    return assemble("teddy bear", parts)


def toy(wish: Wish) -> Thing:
    """A car, or a tower of blocks."""
    if wish.chance(0.5):
        paint = wish.painted(*_TOY, gloss=0.5)
        parts = [
            box(paint, (0.24, 0.11, 0.05), (0.0, 0.0, 0.025), bevel=0.01),
            box(paint, (0.12, 0.1, 0.05), (-0.01, 0.0, 0.07), bevel=0.015),
        ]
        for x in (-0.07, 0.07):
            parts += [
                cylinder(BLACK, 0.028, 0.02, sides=10).turned(90, "x").moved(x, y, 0.028)
                for y in (-0.04, 0.06)
            ]
        return assemble("toy", parts)
    blocks = [
        ((-0.05, 0.0, 0.0), 10),
        ((0.04, 0.01, 0.0), 0),
        ((0.0, 0.0, 0.07), 25),
        ((-0.005, 0.005, 0.14), 50),
        ((0.1, -0.06, 0.0), 40),
    ]
    return assemble(
        "toy",
        [
            box(wish.painted(*_TOY, gloss=0.3), (0.07, 0.07, 0.07), bevel=0.005).turned(turn).moved(*at)
            for at, turn in blocks
        ],
    )


def ball_(wish: Wish) -> Thing:
    """A ball to play with."""
    return assemble(
        "ball", [ball(wish.painted(*_TOY, (0.7, 0.35, 0.1), gloss=0.3), wish.between(0.09, 0.13), sides=16)]
    )


def guitar(wish: Wish) -> Thing:
    """A guitar on a stand, its front towards the room."""
    wood, dark = wish.pick("wood"), wish.pick("wood_dark")
    half = [
        (0.0, 0.0),
        (0.13, 0.02),
        (0.19, 0.1),
        (0.18, 0.2),
        (0.13, 0.27),
        (0.14, 0.36),
        (0.12, 0.44),
        (0.03, 0.48),
    ]
    outline = half + [(-x, z) for x, z in half[:0:-1]]
    body = prism(wood, outline, 0.09).turned(90, "x")
    parts = [
        body.moved(0.0, 0.045, 0.06),
        cylinder(BLACK, 0.05, 0.002, sides=12).turned(90, "x").moved(0.0, -0.045, 0.38),
        box(dark, (0.05, 0.02, 0.46), (0.0, -0.05, 0.5)),
        box(dark, (0.075, 0.02, 0.14), (0.0, -0.045, 0.95)),
        box(dark, (0.16, 0.012, 0.03), (0.0, -0.05, 0.2)),
    ]
    parts = [part.turned(-10, "x") for part in parts]
    metal = wish.pick("metal")
    parts += both(bar(metal, (0.14, -0.12, 0.0), (0.06, 0.1, 0.3), 0.016))
    parts.append(bar(metal, (0.0, 0.24, 0.0), (0.0, 0.1, 0.34), 0.016))
    return assemble("guitar", parts)
