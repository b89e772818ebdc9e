"""Tables and desks."""

import numpy as np

from helpanna.worlds.houses.furniture.joinery import fronts, legs
from helpanna.worlds.houses.furniture.shapes import (
    Part,
    bar,
    both,
    box,
    cylinder,
    facing,
    lathe,
    prism,
    rounded,
    tube,
)
from helpanna.worlds.houses.furniture.workshop import GLASS, MIRROR, Wish, assemble, top
from helpanna.worlds.houses.layout import Material, Thing


def _round_top(material: Material, radius: float, height: float, thick: float = 0.03) -> Part:
    low = height - thick
    return lathe(
        material,
        [(radius - 0.01, low), (radius, low + thick / 3), (radius, height - 0.006), (radius - 0.006, height)],
        sides=24,
    )


def dining_table(wish: Wish) -> Thing:
    """A table for four to eight; as deep as wide it is round in some houses."""
    wood = wish.pick("wood", "wood_dark")
    width, depth, height = wish.wide(1.4, 2.0), wish.deep(0.85, 1.0), wish.between(0.73, 0.77)
    board = wish.pick("stone") if wish.variant == 3 and wish.chance(0.3) else wood
    if wish.variant in (1, 2) and abs(width - depth) < 0.15:
        width = depth = min(width, depth)
        parts = [_round_top(board, width / 2, height)]
        parts.append(lathe(wood, [(0.3, 0.0), (0.28, 0.03), (0.07, 0.1), (0.05, 0.4), (0.1, height - 0.03)]))
        return assemble("dining table", parts, [top(width * 0.66, width * 0.66, height)])
    parts = [box(board, (width, depth, 0.035), (0.0, 0.0, height - 0.035), bevel=0.006)]
    match wish.variant:
        case 0:
            parts += legs(
                wood, width - 0.12, depth - 0.12, height - 0.03, 0.07, splay=0.06, taper=0.6, round_=True
            )
        case 1:
            parts += legs(wood, width - 0.06, depth - 0.06, height - 0.03, 0.08)
            parts += _apron(wood, width - 0.1, depth - 0.1, height - 0.035)
        case 2:
            parts += legs(wood, width - 0.1, depth - 0.1, height - 0.03, 0.06, taper=0.6)
            parts += _apron(wood, width - 0.14, depth - 0.14, height - 0.035)
        case _:
            metal = wish.pick("metal")
            x, y = width / 2 - 0.18, depth / 2 - 0.08
            parts += both(
                bar(metal, (x, -y, 0.0), (x, -y, height - 0.03), 0.06),
                bar(metal, (x, y, 0.0), (x, y, height - 0.03), 0.06),
                box(metal, (0.06, 2 * y, 0.03), (x, 0.0, 0.0)),
            )
    return assemble("dining table", parts, [top(width - 0.06, depth - 0.06, height)])


def _apron(wood: Material, width: float, depth: float, below: float) -> list[Part]:
    long = [
        box(wood, (width, 0.022, 0.09), (0.0, y, below - 0.09)) for y in (-depth / 2 + 0.03, depth / 2 - 0.03)
    ]
    return long + both(box(wood, (0.022, depth - 0.08, 0.09), (width / 2 - 0.03, 0.0, below - 0.09)))


def coffee_table(wish: Wish) -> Thing:
    """The low table in front of a sofa."""
    wood = wish.pick("wood", "wood_dark")
    width, depth, height = wish.wide(0.9, 1.2), wish.deep(0.5, 0.62), wish.high(0.36, 0.44)
    match wish.variant:
        case 0:
            parts = [_round_top(wood, depth * 0.65, height)]
            leg = bar(wood, (depth * 0.55, 0.0, 0.0), (depth * 0.42, 0.0, height - 0.02), 0.03, 0.045)
            parts += [leg.turned(45 + 90 * i) for i in range(4)]
            return assemble("coffee table", parts, [top(depth * 0.86, depth * 0.86, height)])
        case 1:
            parts = legs(wood, width, depth, height - 0.03, 0.07)
            parts.append(box(wood, (width - 0.08, depth - 0.08, 0.02), (0.0, 0.0, 0.12)))
        case 2:
            parts = legs(
                wood, width - 0.04, depth - 0.04, height - 0.03, 0.04, splay=0.07, taper=0.6, round_=True
            )
            outline = rounded(width, depth, depth * 0.45, 4)
            parts.append(prism(wood, outline, 0.03, (0.0, 0.0, height - 0.03)))
            return assemble("coffee table", parts, [top(width - 0.3, depth - 0.12, height)])
        case _:
            metal = wish.pick("metal")
            x = width / 2 - 0.02
            parts = legs(metal, width, depth, height - 0.025, 0.03)
            parts += both(box(metal, (0.03, depth - 0.06, 0.03), (x - 0.005, 0.0, 0.0)))
            parts.append(
                box(
                    GLASS if wish.chance(0.3) else wish.pick("stone", "wood"),
                    (width, depth, 0.025),
                    (0.0, 0.0, height - 0.025),
                )
            )
            return assemble("coffee table", parts, [top(width - 0.06, depth - 0.06, height)])
    parts.append(box(wood, (width, depth, 0.03), (0.0, 0.0, height - 0.03), bevel=0.005))
    return assemble("coffee table", parts, [top(width - 0.06, depth - 0.06, height)])


def side_table(wish: Wish) -> Thing:
    """A small table beside a sofa or a bed."""
    wood, height = wish.pick("wood", "wood_dark"), wish.high(0.48, 0.6)
    if wish.variant in (0, 2):
        radius = wish.between(0.2, 0.25)
        parts = [_round_top(wood, radius, height, 0.025)]
        leg = bar(wood, (radius * 0.9, 0.0, 0.0), (radius * 0.5, 0.0, height - 0.02), 0.02, 0.03)
        parts += [leg.turned(90 + 120 * i) for i in range(3)]
        return assemble("side table", parts, [top(radius * 1.36, radius * 1.36, height)])
    if wish.variant == 1:
        parts = [
            lathe(
                wood,
                [(0.19, 0.0), (0.18, 0.025), (0.03, 0.06), (0.025, 0.3), (0.04, height - 0.02)],
                sides=10,
            ),
            _round_top(wood, 0.24, height, 0.025),
        ]
        return assemble("side table", parts, [top(0.32, 0.32, height)])
    side = wish.wide(0.4, 0.5)
    metal = wish.pick("metal")
    parts = legs(metal, side, side, height - 0.02, 0.022)
    parts += [
        box(wood, (side, side, 0.02), (0.0, 0.0, height - 0.02)),
        box(wood, (side - 0.05, side - 0.05, 0.015), (0.0, 0.0, 0.15)),
    ]
    return assemble("side table", parts, [top(side - 0.06, side - 0.06, height)])


def console_table(wish: Wish) -> Thing:
    """A narrow table for a wall, as in halls."""
    wood = wish.pick("wood", "wood_dark")
    width, depth, height = wish.wide(0.8, 1.1), wish.deep(0.28, 0.34), wish.between(0.76, 0.84)
    metal = wish.pick("metal") if wish.variant == 3 else wood
    parts = legs(metal, width - 0.02, depth - 0.02, height - 0.02, 0.035, taper=0.8)
    parts.append(box(wood, (width, depth, 0.025), (0.0, 0.0, height - 0.025), bevel=0.004))
    if wish.variant in (0, 1):
        parts.append(box(wood, (width - 0.1, depth - 0.06, 0.11), (0.0, 0.0, height - 0.135)))
        parts += fronts(
            wish, wood, wish.pick("metal"), (width - 0.1, 0.11), (0.0, 0.03 - depth / 2, height - 0.135), 2
        )
    else:
        parts.append(box(wood, (width - 0.06, depth - 0.05, 0.018), (0.0, 0.0, 0.18)))
    return assemble("console table", parts, [top(width - 0.04, depth - 0.04, height)])


def nightstand(wish: Wish) -> Thing:
    """The small chest beside a bed."""
    wood, metal = wish.pick("wood", "wood_dark"), wish.pick("metal")
    width, depth, height = wish.wide(0.42, 0.5), wish.deep(0.36, 0.42), wish.high(0.46, 0.58)
    foot = (0.14, 0.05, 0.18, 0.0)[wish.variant]
    parts = []
    if foot:
        parts += legs(wood, width - 0.04, depth - 0.04, foot + 0.01, 0.035, taper=0.7)
    face = 0.02
    parts.append(box(wood, (width, depth - face, height - foot), (0.0, face / 2, foot), bevel=0.004))
    rows = (1.0, 1.0) if height - foot > 0.33 else (1.0,)
    front = wish.style.paint if wish.variant == 1 else wood
    parts += fronts(
        wish,
        front,
        metal,
        (width - 0.03, height - foot - 0.04),
        (0.0, face - depth / 2, foot + 0.02),
        rows=rows,
    )
    return assemble("nightstand", parts, [top(width - 0.04, depth - 0.06, height, y=0.01)])


def desk(wish: Wish) -> Thing:
    """A writing desk."""
    wood = wish.pick("wood", "wood_dark")
    width, depth, height = wish.wide(1.15, 1.5), wish.deep(0.6, 0.7), 0.74
    metal = wish.pick("metal")
    parts = [box(wood, (width, depth, 0.03), (0.0, 0.0, height - 0.03), bevel=0.005)]
    match wish.variant:
        case 0:
            parts += legs(wood, width - 0.06, depth - 0.06, height - 0.02, 0.05, splay=0.05, taper=0.6)
            parts.append(box(wood, (0.5, depth - 0.14, 0.1), (0.0, 0.0, height - 0.13)))
        case 3:
            parts += both(
                bar(
                    metal,
                    (width / 2 - 0.06, -depth / 2 + 0.04, 0.0),
                    (width / 2 - 0.06, -depth / 2 + 0.04, height - 0.02),
                    0.04,
                ),
                bar(
                    metal,
                    (width / 2 - 0.06, depth / 2 - 0.04, 0.0),
                    (width / 2 - 0.06, depth / 2 - 0.04, height - 0.02),
                    0.04,
                ),
                box(metal, (0.04, depth - 0.04, 0.03), (width / 2 - 0.06, 0.0, 0.0)),
            )
        case _:
            chest = 0.4
            x = (width - chest) / 2 - 0.02
            parts.append(box(wood, (chest, depth - 0.06, height - 0.03), (x, 0.01, 0.0)))
            parts += fronts(
                wish, wood, metal, (chest - 0.02, height - 0.09), (x, -depth / 2 + 0.04, 0.04), rows=(2, 1, 1)
            )
            parts.append(box(wood, (0.03, depth - 0.06, height - 0.03), (-width / 2 + 0.035, 0.01, 0.0)))
            parts.append(
                box(wood, (width - chest - 0.05, 0.02, 0.35), (-chest / 2, depth / 2 - 0.05, height - 0.38))
            )
    return assemble("desk", parts, [top(width - 0.06, depth - 0.08, height)])


def vanity(wish: Wish) -> Thing:
    """A dressing table with a mirror."""
    wood, metal = wish.pick("wood", "paint"), wish.pick("metal")
    width, depth, height = wish.wide(0.85, 1.05), wish.deep(0.4, 0.46), 0.75
    face = 0.03
    parts = legs(
        wood, width - 0.04, depth - 0.04, height - 0.14, 0.04, taper=0.6, round_=wish.variant % 2 == 0
    )
    parts.append(box(wood, (width, depth - face, 0.15), (0.0, face / 2, height - 0.15)))
    parts += fronts(wish, wood, metal, (width - 0.03, 0.12), (0.0, face - depth / 2, height - 0.135), 3)
    y, z = depth / 2 - 0.03, height + 0.02
    if wish.variant in (1, 2):
        angles = np.linspace(0, 2 * np.pi, 20, endpoint=False)
        outline = np.stack([0.27 * np.cos(angles), 0.34 * np.sin(angles)], axis=-1)
        frame = prism(wood, outline * 1.1, 0.025).turned(90, "x").moved(0.0, y + 0.012, z + 0.36)
        glass = prism(MIRROR, outline, 0.01).turned(90, "x").moved(0.0, y - 0.01, z + 0.36)
        parts += [frame, glass, *both(bar(metal, (0.25, y + 0.02, height), (0.25, y + 0.02, z + 0.3), 0.025))]
    else:
        parts.append(box(wood, (0.64, 0.025, 0.68), (0.0, y + 0.01, height)))
        parts.append(facing(MIRROR, 0.58, 0.6, (0.0, y - 0.008, height + 0.04)))
    return assemble("vanity", parts, [top(width - 0.06, depth - 0.14, height, y=-0.03)])


def ironing_board(wish: Wish) -> Thing:
    """An ironing board on crossed legs."""
    cover, metal = wish.pick("fabric_accent"), wish.pick("metal")
    length, wide, height = 1.2, 0.36, wish.between(0.84, 0.9)
    outline = [
        (-0.6, -0.18),
        (0.3, -0.18),
        (0.5, -0.1),
        (0.6, -0.03),
        (0.6, 0.03),
        (0.5, 0.1),
        (0.3, 0.18),
        (-0.6, 0.18),
    ]
    parts = [prism(cover, outline, 0.04, (0.0, 0.0, height - 0.04))]
    for y in (-0.1, 0.1):
        parts.append(tube(metal, [(-0.35, y, 0.02), (0.3, y, height - 0.03)], 0.012))
        parts.append(tube(metal, [(0.35, y * 1.4, 0.02), (-0.35, y * 1.4, height - 0.03)], 0.012))
    parts += [tube(metal, [(x, -wide / 2, 0.015), (x, wide / 2, 0.015)], 0.015) for x in (-0.35, 0.35)]
    return assemble("ironing board", parts, [top(length * 0.6, 0.26, height, x=-0.15)])


def pedestal(wish: Wish) -> Thing:
    """A slender stand for a plant or a statue."""
    stone = wish.pick("stone", "wood_dark", "paint")
    height = wish.high(0.75, 0.95)
    if wish.variant % 2:
        parts = [box(stone, (0.3, 0.3, height), bevel=0.01)]
    else:
        parts = [
            box(stone, (0.32, 0.32, 0.06)),
            cylinder(stone, 0.12, height - 0.11, (0.0, 0.0, 0.06), 0.1),
            box(stone, (0.3, 0.3, 0.05), (0.0, 0.0, height - 0.05)),
        ]
    return assemble("pedestal", parts, [top(0.26, 0.26, height)])
