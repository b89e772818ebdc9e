"""Screens, computers and other machines with plugs."""

import numpy as np

from helpanna.worlds.houses.furniture.shapes import ball, bar, box, cylinder, facing, lathe, tube
from helpanna.worlds.houses.furniture.workshop import BLACK, PAPER, STEEL, WHITE, Wish, assemble, top
from helpanna.worlds.houses.layout import Material, Thing


def _screen(wish: Wish, lit: float) -> Material:
    """A screen, bright with this chance."""
    on = wish.chance(lit)
    first, second = wish.pick("fabric_accent").colour, wish.pick("fabric", "ceramic").colour
    if not on:
        first = second = (0.012, 0.013, 0.016)
    return Material("screen", first, second, 1.0, 0.6, 0.35 if on else 0.0, wish.seed())


def television(wish: Wish) -> Thing:
    """A flat screen on a foot."""
    width = wish.wide(0.95, 1.35)
    height = width * 0.57
    parts = [box(BLACK, (width, 0.045, height), (0.0, 0.01, 0.08), bevel=0.008)]
    parts.append(facing(_screen(wish, 0.4), width - 0.03, height - 0.04, (0.0, -0.015, 0.1)))
    if wish.variant % 2:
        parts += [
            bar(BLACK, (s * width * 0.3, y, 0.01), (s * width * 0.3, 0.0, 0.1), 0.025)
            for s in (-1, 1)
            for y in (-0.11, 0.11)
        ]
    else:
        parts += [box(BLACK, (width * 0.4, 0.22, 0.015)), box(BLACK, (0.12, 0.03, 0.08), (0.0, 0.01, 0.012))]
    return assemble("television", parts)


def monitor(wish: Wish) -> Thing:
    """A computer's screen."""
    width = wish.between(0.5, 0.62)
    height = width * 0.58
    case = BLACK if wish.variant != 0 else WHITE
    parts = [
        box(case, (width, 0.035, height), (0.0, 0.0, 0.11), bevel=0.006),
        facing(_screen(wish, 0.8), width - 0.024, height - 0.024, (0.0, -0.021, 0.122)),
        box(STEEL if wish.variant % 2 else case, (0.05, 0.03, 0.2), (0.0, 0.03, 0.01)),
        box(STEEL if wish.variant % 2 else case, (0.22, 0.17, 0.012), (0.0, 0.01, 0.0)),
    ]
    return assemble("monitor", parts)


def computer(wish: Wish) -> Thing:
    """An open laptop."""
    case = STEEL if wish.chance(0.6) else BLACK
    width, depth = 0.34, 0.23
    parts = [box(case, (width, depth, 0.016)), box(BLACK, (width - 0.04, 0.1, 0.002), (0.0, 0.04, 0.016))]
    lid = [
        box(case, (width, 0.009, depth), (0.0, 0.0, 0.0)),
        facing(_screen(wish, 0.85), width - 0.02, depth - 0.02, (0.0, -0.006, 0.01), 0.004),
    ]
    parts += [part.turned(-15, "x").moved(0.0, depth / 2, 0.012) for part in lid]
    return assemble("computer", parts)


def keyboard(wish: Wish) -> Thing:
    """A keyboard with its rows of keys."""
    case, keys = (BLACK, Material("paint", (0.05, 0.05, 0.055), (0.05, 0.05, 0.055), gloss=0.2))
    if wish.variant % 2 == 0:
        case, keys = STEEL, WHITE
    parts = [box(case, (0.44, 0.14, 0.015), bevel=0.004)]
    parts += [box(keys, (0.42, 0.02, 0.008), (0.0, (i - 2) * 0.025, 0.014)) for i in range(5)]
    return assemble("keyboard", parts)


def printer(wish: Wish) -> Thing:
    """A desk printer with paper in it."""
    body = wish.choice((WHITE, BLACK, wish.painted((0.4, 0.4, 0.4))))
    parts = [
        box(body, (0.36, 0.28, 0.17), bevel=0.015),
        box(BLACK, (0.28, 0.03, 0.04), (0.0, -0.13, 0.05)),
        box(PAPER, (0.21, 0.1, 0.006), (0.0, -0.16, 0.05)),
        box(PAPER, (0.21, 0.004, 0.2), (0.0, 0.07, 0.16)).turned(-14, "x", (0.0, 0.07, 0.16)),
    ]
    return assemble("printer", parts)


def telephone(wish: Wish) -> Thing:
    """A desk telephone with its receiver."""
    body = wish.painted((0.02, 0.02, 0.022), (0.6, 0.57, 0.5), (0.35, 0.03, 0.03), gloss=0.5)
    parts = [
        box(body, (0.2, 0.2, 0.05), bevel=0.012).turned(8, "x"),
        box(WHITE, (0.09, 0.1, 0.006), (0.03, -0.02, 0.05)).turned(8, "x"),
        bar(body, (-0.07, -0.08, 0.075), (-0.07, 0.08, 0.095), 0.03),
        box(body, (0.05, 0.05, 0.05), (-0.07, -0.075, 0.04), bevel=0.01),
        box(body, (0.05, 0.05, 0.05), (-0.07, 0.075, 0.06), bevel=0.01),
    ]
    return assemble("telephone", parts)


def radio(wish: Wish) -> Thing:
    """A table radio."""
    body, cloth = wish.pick("wood", "wood_dark", "paint"), wish.pick("fabric")
    parts = [
        box(body, (0.3, 0.12, 0.18), (0.0, 0.01, 0.0), bevel=0.015),
        box(cloth, (0.16, 0.012, 0.13), (-0.055, -0.052, 0.025)),
    ]
    parts.append(cylinder(STEEL, 0.025, 0.02, sides=10).turned(90, "x").moved(0.09, -0.048, 0.06))
    parts.append(box(BLACK, (0.08, 0.008, 0.035), (0.09, -0.05, 0.11)))
    parts.append(tube(STEEL, [(0.13, 0.04, 0.17), (0.17, 0.04, 0.36)], 0.003, sides=4))
    return assemble("radio", parts)


def speaker(wish: Wish) -> Thing:
    """A loudspeaker that stands on the floor."""
    body = wish.choice((BLACK, wish.pick("wood"), wish.pick("wood_dark")))
    height = wish.high(0.75, 1.0)
    parts = [box(body, (0.22, 0.28, height), bevel=0.006)]
    cone = Material("fabric", (0.02, 0.02, 0.02), (0.03, 0.03, 0.03), 0.02)
    for radius, z in ((0.085, height * 0.45), (0.085, height * 0.7), (0.035, height * 0.88)):
        disc = lathe(
            cone if body is not BLACK else STEEL,
            [(radius, 0.0), (radius, 0.012), (radius * 0.3, 0.004)],
            sides=14,
        )
        parts.append(disc.turned(90, "x").moved(0.0, -0.139, z))
    return assemble("speaker", parts)


def fan(wish: Wish) -> Thing:
    """A fan on a stand."""
    metal, height = wish.pick("metal", "paint"), wish.high(1.1, 1.3)
    parts = [
        lathe(metal, [(0.2, 0.0), (0.2, 0.02), (0.03, 0.04), (0.015, 0.06), (0.015, height - 0.2)], sides=14)
    ]
    hub = (0.0, 0.0, height - 0.2)
    parts.append(
        lathe(metal, [(0.05, 0.0), (0.06, 0.05), (0.05, 0.14)], sides=10)
        .turned(-90, "x")
        .moved(0.0, -0.05, hub[2])
    )
    ring = [(0.2 * np.cos(a), -0.05, hub[2] + 0.2 * np.sin(a)) for a in np.linspace(0, 2 * np.pi, 17)]
    parts.append(tube(metal, ring, 0.008, sides=4))
    blade = box(wish.pick("paint", "fabric_accent"), (0.09, 0.008, 0.16), (0.0, 0.0, 0.03)).turned(20, "z")
    parts += [blade.turned(120 * i, "y").moved(0.0, -0.06, hub[2]) for i in range(3)]
    parts.append(ball(metal, 0.035, (0.0, -0.09, hub[2] - 0.035), sides=8))
    return assemble("fan", parts)


def globe(wish: Wish) -> Thing:
    """The earth on a stand."""
    sea = Material("stone", (0.05, 0.18, 0.4), (0.2, 0.3, 0.1), 0.1, 0.3, 0.0, wish.seed())
    metal, wood = wish.pick("metal"), wish.pick("wood", "wood_dark")
    radius = wish.between(0.11, 0.15)
    z = radius + 0.09
    ring = [
        ((radius + 0.012) * np.sin(a), 0.0, z - (radius + 0.012) * np.cos(a))
        for a in np.linspace(0, np.pi, 9)
    ]
    parts = [
        lathe(wood, [(radius * 0.7, 0.0), (radius * 0.7, 0.015), (0.02, 0.03), (0.012, 0.075)], sides=12),
        ball(sea, radius, (0.0, 0.0, z - radius), sides=14),
        tube(metal, ring, 0.006, sides=4),
    ]
    return assemble("globe", parts)


def piano(wish: Wish) -> Thing:
    """An upright piano."""
    wood = wish.choice((BLACK, wish.pick("wood_dark"), wish.pick("wood")))
    width, height = 1.48, wish.between(1.15, 1.25)
    parts = [
        box(wood, (width, 0.32, height - 0.03), (0.0, 0.14, 0.0)),
        box(wood, (width + 0.02, 0.35, 0.03), (0.0, 0.135, height - 0.03)),
        box(wood, (width, 0.3, 0.1), (0.0, -0.15, 0.6)),
        box(WHITE, (width - 0.16, 0.14, 0.02), (0.0, -0.2, 0.7)),
        box(wood, (width - 0.16, 0.02, 0.25), (0.0, -0.03, 0.76)),
    ]
    parts += [box(wood, (0.07, 0.3, 0.13), (s * (width / 2 - 0.035), -0.15, 0.7)) for s in (-1, 1)]
    parts += [box(wood, (0.06, 0.06, 0.6), (s * (width / 2 - 0.06), -0.25, 0.0)) for s in (-1, 1)]
    octave = (0, 1, 3, 4, 5)
    for i in range(7):
        for k in octave:
            x = -0.62 + (i * 7 + k + 0.8) * 1.28 / 52
            parts.append(box(BLACK, (0.012, 0.09, 0.012), (x, -0.175, 0.72)))
    return assemble("piano", parts, [top(width - 0.06, 0.28, height, y=0.14)])
