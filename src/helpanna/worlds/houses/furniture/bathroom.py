"""What bathrooms and laundry rooms are fitted with."""

import numpy as np

from helpanna.worlds.houses.furniture.joinery import fronts
from helpanna.worlds.houses.furniture.kitchen import faucet
from helpanna.worlds.houses.furniture.shapes import (
    bar,
    basin,
    both,
    box,
    cushion,
    cylinder,
    drape,
    lathe,
    loft,
    rounded,
    tube,
)
from helpanna.worlds.houses.furniture.workshop import (
    BLACK,
    ENAMEL,
    GLASS,
    PAPER,
    STEEL,
    WHITE,
    Wish,
    assemble,
    top,
)
from helpanna.worlds.houses.layout import Material, Thing

_CERAMIC = Material("ceramic", (0.82, 0.82, 0.8), (0.8, 0.8, 0.78), 0.3, 0.6)


def toilet(wish: Wish) -> Thing:
    """A bowl with its cistern against the wall."""
    wall_hung = wish.variant in (2, 3)
    oval = np.array(
        [[np.cos(a), np.sin(a) * (1.25 if np.sin(a) < 0 else 0.9)] for a in np.arange(14) * 2 * np.pi / 14]
    )
    rings = []
    low = 0.12 if wall_hung else 0.0
    for scale, push, z in ((0.55, 0.06, low), (0.6, 0.05, low + 0.1), (1.0, 0.0, 0.36), (1.0, 0.0, 0.39)):
        ring = oval * 0.185 * scale + [0.0, push - 0.06]
        rings.append(np.column_stack([ring, np.full(len(ring), z)]))
    lid = [np.column_stack([oval * 0.19 + [0.0, -0.06], np.full(len(oval), z)]) for z in (0.395, 0.42)]
    parts = [loft(_CERAMIC, rings), loft(WHITE, lid)]
    if wall_hung:
        parts.append(box(_CERAMIC, (0.44, 0.16, 1.05), (0.0, 0.2, 0.0), bevel=0.006))
        parts.append(box(STEEL, (0.2, 0.008, 0.12), (0.0, 0.118, 0.84)))
        parts.append(box(_CERAMIC, (0.24, 0.1, 0.22), (0.0, 0.1, low + 0.08)))
    else:
        parts.append(box(_CERAMIC, (0.38, 0.17, 0.36), (0.0, 0.2, 0.4), bevel=0.02))
        parts.append(box(_CERAMIC, (0.24, 0.2, 0.4), (0.0, 0.16, 0.0), bevel=0.02))
        parts.append(cylinder(STEEL, 0.02, 0.01, (0.0, 0.2, 0.76), sides=8))
    height = 1.05 if wall_hung else 0.77
    return assemble("toilet", parts, [top(0.34, 0.13, height, y=0.2)])


def bathtub(wish: Wish) -> Thing:
    """A tub along a wall; its tap at the back in the middle."""
    width, depth, height = wish.wide(1.5, 1.75), wish.deep(0.7, 0.78), wish.between(0.54, 0.6)
    if wish.variant == 1:  # on feet
        parts = [
            basin(_CERAMIC, (width, depth, height - 0.1), (0.0, 0.0, 0.1), 0.05, 0.06, 0.32, 4, foot=0.1)
        ]
        parts += [
            cylinder(wish.style.metal, 0.03, 0.13, (x, y, 0.0), 0.045, 6)
            for x in (-0.5, 0.5)
            for y in (-0.2, 0.2)
        ]
    else:
        size = (width - 0.001, depth - 0.001, height)
        parts = [basin(_CERAMIC, size, wall=0.08, floor=0.14, radius=0.14, steps=3)]
        if wish.variant == 2:
            parts.append(box(wish.pick("wood"), (width, 0.02, height - 0.06), (0.0, -depth / 2 + 0.005, 0.0)))
        elif wish.variant == 3:
            parts.append(box(_CERAMIC, (width, 0.03, 0.04), (0.0, -depth / 2 + 0.015, height - 0.04)))
    parts += faucet(STEEL, (0.0, depth / 2 - 0.035, height), 0.14, 0.14)
    return assemble("bathtub", parts)


def shower(wish: Wish) -> Thing:
    """A tray, a screen on one side, the head on the wall; or a round curtain rail."""
    side, depth, height = wish.wide(0.85, 0.95), wish.deep(0.85, 0.95), 2.05
    metal = wish.style.metal if wish.variant in (1, 3) else STEEL
    parts = [basin(_CERAMIC, (side, depth, 0.1), (0.0, 0.0, 0.0), 0.05, 0.05, 0.03)]
    x, y = side / 2 - 0.015, depth / 2 - 0.015
    if wish.variant == 1:
        cloth = wish.pick("fabric", "fabric_accent")
        parts.append(drape(cloth, side * 0.7, height - 0.25, (-side * 0.15, -y, 0.12), 0.1, 5))
        parts.append(tube(metal, [(-side / 2, -y, height - 0.12), (side / 2, -y, height - 0.12)], 0.012))
    else:
        parts += [
            bar(metal, (sx * x, sy * y, 0.1), (sx * x, sy * y, height - 0.05), 0.022)
            for sx in (-1, 1)
            for sy in (-1, 1)
        ]
        parts += [
            box(metal, (side, 0.022, 0.022), (0.0, -y, height - 0.07)),
            *both(box(metal, (0.022, depth, 0.022), (x, 0.0, height - 0.07))),
        ]
        parts += both(box(GLASS, (0.008, depth - 0.06, height - 0.2), (x, 0.0, 0.11)))
        parts.append(box(GLASS, (side * 0.45, 0.008, height - 0.2), (-side * 0.24, -y, 0.11)))
    pipe = [
        (0.0, y, 0.9),
        (0.0, y, height - 0.06),
        (0.0, y - 0.12, height - 0.02),
        (0.0, y - 0.24, height - 0.05),
    ]
    parts.append(tube(metal, pipe, 0.01))
    parts.append(lathe(metal, [(0.1, 0.0), (0.1, 0.012), (0.015, 0.035)], (0.0, y - 0.24, height - 0.085)))
    parts.append(box(metal, (0.16, 0.04, 0.04), (0.0, y - 0.01, 0.95)))
    return assemble("shower", parts)


def washbasin(wish: Wish) -> Thing:
    """On a foot, or on a small cupboard."""
    width, depth, height = wish.wide(0.52, 0.7), wish.deep(0.44, 0.48), 0.86
    if wish.variant == 1:
        parts = [
            lathe(
                _CERAMIC,
                [(0.13, 0.0), (0.12, 0.04), (0.08, 0.1), (0.07, 0.55), (0.11, 0.7)],
                (0.0, 0.05, 0.0),
            ),
            basin(_CERAMIC, (width, depth, 0.18), (0.0, 0.0, height - 0.18), 0.06, 0.04, 0.14, 4, foot=0.05),
        ]
        parts += faucet(STEEL, (0.0, depth / 2 - 0.03, height), 0.13, 0.13)
        return assemble("washbasin", parts)
    wood, metal = wish.pick("wood", "paint"), wish.style.metal
    foot = 0.25 if wish.variant == 3 else 0.08
    body = height - 0.1 - foot
    parts = [box(wood, (width - 0.02, depth - 0.04, body), (0.0, 0.02, foot))]
    if foot < 0.2:
        parts.append(box(BLACK, (width - 0.06, depth - 0.12, foot), (0.0, 0.04, 0.0)))
    else:
        parts += both(box(metal, (0.03, depth - 0.1, foot), (width / 2 - 0.05, 0.03, 0.0)))
    rows = (1.0, 1.0) if wish.variant == 3 else (1.0,)
    parts += fronts(
        wish,
        wood,
        metal,
        (width - 0.02, body),
        (0.0, 0.04 - depth / 2, foot),
        2,
        rows,
        upright=len(rows) == 1,
    )
    if wish.variant == 2:  # a bowl on a board
        parts.append(box(wish.style.stone, (width, depth, 0.04), (0.0, 0.0, height - 0.1)))
        parts.append(
            lathe(
                _CERAMIC, [(0.1, 0.0), (0.19, 0.1), (0.18, 0.1), (0.1, 0.02)], (0.0, -0.02, height - 0.06), 18
            )
        )
        parts += faucet(STEEL, (0.0, depth / 2 - 0.04, height - 0.06), 0.24, 0.15)
        return assemble("washbasin", parts)
    parts.append(basin(_CERAMIC, (width, depth, 0.1), (0.0, 0.0, height - 0.1), 0.07, 0.02, 0.03))
    parts += faucet(STEEL, (0.0, depth / 2 - 0.035, height), 0.14, 0.14)
    side = 0.07
    return assemble(
        "washbasin", parts, [top(side, depth - 0.1, height, x=s * (width / 2 - side / 2)) for s in (-1, 1)]
    )


def towel(wish: Wish) -> Thing:
    """A towel that hangs from a hook or a short bar."""
    cloth = wish.pick("fabric_accent", "fabric")
    if wish.variant % 2:
        parts = [drape(cloth, 0.24, 0.62, (0.0, 0.0, 0.0), 0.09, 3)]
        parts += [bar(STEEL, (0.0, 0.045, 0.63), (0.0, -0.02, 0.63), 0.018)]
        return assemble("towel", parts)
    parts = [cushion(cloth, (0.42, 0.045, 0.62), (0.0, -0.01, 0.0), 0.015, 1)]
    parts.append(tube(STEEL, [(-0.26, 0.0, 0.63), (0.26, 0.0, 0.63)], 0.01))
    parts += both(bar(STEEL, (0.25, 0.045, 0.63), (0.25, 0.0, 0.63), 0.018))
    return assemble("towel", parts)


def towel_rack(wish: Wish) -> Thing:
    """A rack of bars on the wall with towels folded on it and one over its rail."""
    metal, cloth = wish.style.metal, wish.pick("fabric_accent", "fabric")
    width, depth = wish.wide(0.5, 0.6), 0.22
    parts = [
        tube(metal, [(-width / 2, y, 0.42), (width / 2, y, 0.42)], 0.009) for y in (-0.09, -0.03, 0.03, 0.09)
    ]
    parts += both(
        box(metal, (0.015, depth, 0.02), (width / 2 - 0.02, 0.0, 0.41)),
        box(metal, (0.02, 0.015, 0.16), (width / 2 - 0.02, depth / 2 - 0.008, 0.3)),
    )
    parts.append(tube(metal, [(-width / 2, -0.06, 0.34), (width / 2, -0.06, 0.34)], 0.009))
    parts.append(cushion(cloth, (width * 0.7, 0.045, 0.36), (0.0, -0.06, 0.0), 0.015, 1))
    other = wish.pick("fabric", "fabric_accent")
    for i, one in enumerate((cloth, other)):
        parts.append(cushion(one, (width * 0.6, 0.18, 0.07), (0.0, 0.0, 0.43 + 0.07 * i), 0.025))
    return assemble("towel rack", parts)


def towels(wish: Wish) -> Thing:
    """A stack of folded towels."""
    size = (wish.wide(0.26, 0.34), wish.deep(0.18, 0.24))
    cloths = [wish.pick("fabric_accent", "fabric") for _ in range(3)]
    return assemble(
        "towels",
        [cushion(cloth, (*size, 0.06), (0.0, 0.0, 0.058 * i), 0.022) for i, cloth in enumerate(cloths)],
    )


def toilet_paper(wish: Wish) -> Thing:
    """A roll on a holder for the wall."""
    metal = wish.style.metal
    roll = (
        lathe(PAPER, [(0.055, 0.0), (0.055, 0.1), (0.02, 0.1), (0.02, 0.002)], sides=14)
        .turned(90, "y")
        .moved(-0.05, 0.0, 0.06)
    )
    parts = [
        roll,
        tube(metal, [(-0.07, 0.0, 0.06), (0.07, 0.0, 0.06)], 0.007),
        box(metal, (0.02, 0.075, 0.02), (0.065, 0.032, 0.05)),
    ]
    parts.append(box(PAPER, (0.1, 0.003, 0.07), (0.0, -0.054, 0.0)))
    return assemble("toilet paper", parts)


def soap_dispenser(wish: Wish) -> Thing:
    """A bottle with a pump."""
    parts = [
        lathe(
            wish.pick("ceramic", "fabric_accent"),
            [(0.03, 0.0), (0.033, 0.02), (0.033, 0.11), (0.014, 0.135)],
            sides=10,
        ),
        cylinder(STEEL, 0.007, 0.04, (0.0, 0.0, 0.13), sides=6),
        bar(STEEL, (0.0, 0.012, 0.168), (0.0, -0.045, 0.165), 0.012),
    ]
    return assemble("soap dispenser", parts)


def bath_mat(wish: Wish) -> Thing:
    """A thick mat."""
    cloth = wish.pick("fabric_accent", "fabric")
    pile = Material("carpet", cloth.colour, cloth.accent, 0.1, 0.0, 0.0, wish.seed())
    outline = rounded(wish.wide(0.6, 0.8), wish.deep(0.42, 0.5), 0.05)
    rings = [np.column_stack([outline, np.full(len(outline), z)]) for z in (0.0, 0.018)]
    return assemble("bath mat", [loft(pile, rings)])


def laundry_basket(wish: Wish) -> Thing:
    """A hamper with a lid, or open with clothes in it."""
    weave = wish.pick("fabric", "wood")
    height = wish.between(0.5, 0.62)
    if wish.variant in (0, 3):
        profile = [(0.18, 0.0), (0.21, height), (0.195, height), (0.17, 0.1)]
        parts = [lathe(weave, profile, sides=14)]
        parts.append(
            lathe(
                wish.pick("fabric_accent"),
                [(0.17, 0.12), (0.19, height - 0.1), (0.12, height - 0.02), (0.03, height)],
            )
        )
    else:
        parts = [
            box(weave, (0.42, 0.32, height), bevel=0.02),
            box(wish.pick("wood", "wood_dark"), (0.44, 0.34, 0.03), (0.0, 0.0, height)),
        ]
    return assemble("laundry basket", parts)


def washing_machine(wish: Wish) -> Thing:
    """A front loader."""
    return _drum(wish, "washing machine", BLACK)


def dryer(wish: Wish) -> Thing:
    """A tumble dryer, much like the washing machine but with a pale door."""
    return _drum(wish, "dryer", WHITE)


def _drum(wish: Wish, name: str, ring: Material) -> Thing:
    body = ENAMEL if wish.variant != 3 else STEEL
    width, depth, height, y = 0.6, 0.6, 0.85, -0.27
    parts = [box(body, (width, depth - 0.05, height), (0.0, 0.025, 0.0), bevel=0.008)]
    door = (
        lathe(ring, [(0.2, 0.0), (0.2, 0.02), (0.17, 0.035), (0.14, 0.03)], sides=20)
        .turned(90, "x")
        .moved(0.0, y + 0.02, 0.42)
    )
    pane = lathe(
        GLASS if ring is BLACK else body, [(0.15, 0.0), (0.12, 0.02), (0.02, 0.03)], sides=16
    ).turned(90, "x")
    parts += [door, pane.moved(0.0, y + 0.0, 0.42)]
    parts += [
        box(WHITE if ring is WHITE else BLACK, (0.2, 0.01, 0.07), (0.06, y - 0.003, 0.74)),
        box(body, (0.18, 0.014, 0.09), (-0.19, y - 0.003, 0.73)),
    ]
    parts.append(cylinder(STEEL, 0.03, 0.03, sides=10).turned(90, "x").moved(0.23, y, 0.775))
    return assemble(name, parts, [top(width - 0.04, depth - 0.1, height, y=0.03)])


def toilet_brush(wish: Wish) -> Thing:
    """In its holder."""
    parts = [
        lathe(
            wish.pick("ceramic", "metal"), [(0.05, 0.0), (0.055, 0.02), (0.045, 0.15), (0.02, 0.16)], sides=10
        )
    ]
    parts.append(cylinder(STEEL, 0.008, 0.24, (0.0, 0.0, 0.15), sides=6))
    return assemble("toilet brush", parts)


def scale(wish: Wish) -> Thing:
    """A bathroom scale."""
    body = wish.choice((WHITE, BLACK, GLASS))
    return assemble(
        "scale",
        [box(body, (0.3, 0.3, 0.035), bevel=0.012), box(BLACK, (0.09, 0.04, 0.003), (0.0, -0.09, 0.035))],
    )
