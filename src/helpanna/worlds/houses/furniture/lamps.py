"""Lamps: each has a part that shines and says where its light comes from."""

import numpy as np

from helpanna.worlds.houses.furniture.shapes import Part, Point, ball, bar, box, cylinder, lathe, tube
from helpanna.worlds.houses.furniture.workshop import LIGHT, Wish, assemble
from helpanna.worlds.houses.layout import Material, Thing


def _shade(radius: float, height: float, at: Point, top: float = 0.7) -> Part:
    """A lit lampshade."""
    return cylinder(LIGHT, radius, height, at, radius * top, sides=16)


def floor_lamp(wish: Wish) -> Thing:
    """A tall lamp that stands on the floor."""
    metal, height = wish.pick("metal"), wish.high(1.45, 1.65)
    shade = (0.0, 0.0, height - 0.15)
    match wish.variant:
        case 0:  # three wooden legs
            wood = wish.pick("wood", "wood_dark")
            leg = bar(wood, (0.0, -0.24, 0.0), (0.0, -0.02, height - 0.3), 0.022, 0.03)
            parts = [leg.turned(120 * i) for i in range(3)]
            parts.append(_shade(0.21, 0.3, (0.0, 0.0, height - 0.3)))
        case 2:  # an arc
            bow = [
                (0.3 * np.sin(a) - 0.15, 0.0, height - 0.35 + 0.35 * np.cos(a))
                for a in np.linspace(-np.pi / 2, np.pi / 3, 8)
            ]
            parts = [cylinder(wish.pick("stone"), 0.14, 0.05, (-0.45, 0.0, 0.0), sides=14)]
            parts.append(tube(metal, [(-0.45, 0.0, 0.04), *bow], 0.012))
            x, _, z = bow[-1]
            parts.append(lathe(metal, [(0.13, 0.0), (0.1, 0.09), (0.02, 0.13)], (x, 0.0, z - 0.13), 14))
            parts.append(ball(LIGHT, 0.055, (x, 0.0, z - 0.17), 8))
            shade = (x, 0.0, z - 0.16)
        case 3:  # a reading lamp
            parts = [
                cylinder(metal, 0.13, 0.02, sides=14),
                cylinder(metal, 0.011, height - 0.1, (0.0, 0.0, 0.02), sides=6),
            ]
            parts.append(bar(metal, (0.0, 0.02, height - 0.1), (0.0, -0.18, height), 0.02))
            parts.append(
                lathe(metal, [(0.09, 0.0), (0.08, 0.1), (0.03, 0.14)], (0.0, -0.18, height - 0.14), 12)
            )
            parts.append(ball(LIGHT, 0.045, (0.0, -0.18, height - 0.17), 8))
            shade = (0.0, -0.18, height - 0.15)
        case _:
            parts = [lathe(metal, [(0.15, 0.0), (0.14, 0.02), (0.014, 0.05), (0.012, height - 0.2)])]
            parts.append(_shade(0.2, 0.32, (0.0, 0.0, height - 0.32)))
    return assemble("floor lamp", parts, lamp=shade)


def table_lamp(wish: Wish) -> Thing:
    """A small lamp for a nightstand or a sideboard."""
    height = wish.high(0.4, 0.55)
    foot = wish.pick("ceramic", "wood", "metal")
    base = height * 0.55
    match wish.variant:
        case 0:
            profile = [(0.07, 0.0), (0.065, 0.02), (0.015, 0.04), (0.012, base)]
        case 1:
            profile = [
                (0.05, 0.0),
                (0.08, base * 0.3),
                (0.07, base * 0.55),
                (0.02, base * 0.85),
                (0.015, base),
            ]
        case 2:
            profile = [(0.06, 0.0), (0.07, base * 0.5), (0.05, base * 0.9), (0.015, base)]
        case _:
            profile = [(0.08, 0.0), (0.08, 0.015), (0.012, 0.02), (0.012, base)]
    parts = [
        lathe(foot, profile),
        _shade(0.14, height - base, (0.0, 0.0, base), (0.65, 0.75, 0.95, 0.5)[wish.variant]),
    ]
    return assemble("table lamp", parts, lamp=(0.0, 0.0, base + 0.1))


def desk_lamp(wish: Wish) -> Thing:
    """A lamp with a jointed arm."""
    metal = wish.pick("metal", "fabric_accent")
    metal = Material("metal", metal.colour, metal.accent, 0.2, 0.5, 0.0, wish.seed())
    parts = [
        cylinder(metal, 0.08, 0.02, sides=12),
        bar(metal, (0.0, 0.02, 0.02), (0.0, 0.08, 0.22), 0.014),
        bar(metal, (0.0, 0.08, 0.22), (0.0, -0.1, 0.4), 0.014),
        lathe(metal, [(0.07, 0.0), (0.055, 0.07), (0.02, 0.1)], (0.0, -0.12, 0.31), 12),
        ball(LIGHT, 0.035, (0.0, -0.12, 0.29), 8),
    ]
    return assemble("desk lamp", parts, lamp=(0.0, -0.12, 0.3))


def ceiling_lamp(wish: Wish) -> Thing:
    """A flat lamp under the ceiling; its highest point is the ceiling."""
    metal = wish.pick("metal", "paint")
    radius = wish.between(0.17, 0.26)
    match wish.variant:
        case 0:
            parts = [
                lathe(LIGHT, [(0.02, 0.0), (radius * 0.7, 0.02), (radius, 0.07), (radius, 0.09)], sides=16),
                cylinder(metal, radius * 0.7, 0.03, (0.0, 0.0, 0.09)),
            ]
        case 1:
            parts = [
                lathe(
                    LIGHT, [(0.02, 0.0), (radius * 0.5, 0.02), (radius * 0.8, 0.08), (radius, 0.14)], sides=16
                )
            ]
            parts.append(lathe(metal, [(radius * 1.02, 0.14), (radius * 0.4, 0.17), (0.04, 0.2)], sides=16))
        case 2:
            parts = [
                box(LIGHT, (radius * 1.7, radius * 1.7, 0.07)),
                box(metal, (radius * 1.8, radius * 1.8, 0.03), (0.0, 0.0, 0.07)),
            ]
        case _:
            parts = [
                cylinder(LIGHT, radius, 0.05, sides=18),
                cylinder(metal, radius + 0.015, 0.04, (0.0, 0.0, 0.05), sides=18),
            ]
    return assemble("ceiling lamp", parts, lamp=(0.0, 0.0, -0.05))


def pendant_lamp(wish: Wish) -> Thing:
    """A lamp that hangs from the ceiling; `height` is from the ceiling to its lower edge."""
    height = wish.high(0.6, 0.9)
    metal = wish.pick("metal", "fabric_accent", "paint")
    match wish.variant:
        case 0:
            parts = [ball(LIGHT, 0.15, (0.0, 0.0, 0.0), 14)]
            rise = 0.28
        case 1:
            parts = [_shade(0.21, 0.2, (0.0, 0.0, 0.0), 0.75)]
            rise = 0.19
        case 2:
            parts = [
                lathe(metal, [(0.22, 0.04), (0.2, 0.1), (0.08, 0.2), (0.03, 0.26)], sides=16),
                ball(LIGHT, 0.07, (0.0, 0.0, 0.0), 8),
            ]
            rise = 0.25
        case _:
            parts = [
                lathe(metal, [(0.12, 0.04), (0.12, 0.22), (0.03, 0.27)], sides=14),
                ball(LIGHT, 0.06, (0.0, 0.0, 0.0), 8),
            ]
            rise = 0.26
    cord = Material("paint", (0.02, 0.02, 0.02), (0.02, 0.02, 0.02))
    parts.append(tube(cord, [(0.0, 0.0, rise), (0.0, 0.0, height)], 0.005, sides=4))
    parts.append(cylinder(metal, 0.05, 0.025, (0.0, 0.0, height - 0.025), sides=8))
    return assemble("pendant lamp", parts, lamp=(0.0, 0.0, -0.04))


def chandelier(wish: Wish) -> Thing:
    """Arms with candles of glass; `height` is from the ceiling to its lower edge."""
    metal, height = wish.pick("metal"), wish.high(0.6, 0.9)
    arms, reach = (6, 5, 8, 6)[wish.variant], wish.between(0.26, 0.36)
    parts = [
        lathe(
            metal,
            [(0.01, 0.0), (0.04, 0.03), (0.03, 0.1), (0.05, 0.16), (0.012, 0.24), (0.01, height)],
            sides=8,
        )
    ]
    for i in range(arms):
        arm = tube(
            metal,
            [(0.03, 0.0, 0.1), (reach * 0.5, 0.0, 0.04), (reach * 0.9, 0.0, 0.08), (reach, 0.0, 0.14)],
            0.008,
            sides=4,
        )
        flame = lathe(LIGHT, [(0.016, 0.16), (0.024, 0.2), (0.004, 0.26)], (reach, 0.0, 0.0), 6)
        cup = cylinder(metal, 0.03, 0.02, (reach, 0.0, 0.14), 0.035, 6)
        parts += [part.turned(360 * i / arms) for part in (arm, flame, cup)]
    parts.append(cylinder(metal, 0.06, 0.03, (0.0, 0.0, height - 0.03), sides=8))
    return assemble("chandelier", parts, lamp=(0.0, 0.0, -0.05))
