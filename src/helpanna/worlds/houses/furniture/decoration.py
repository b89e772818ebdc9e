"""Things to look at and to read."""

from dataclasses import replace

import numpy as np

from helpanna.worlds.houses.furniture.shapes import (
    Part,
    Point,
    ball,
    both,
    box,
    cylinder,
    lathe,
    leaf,
    loft,
    rounded,
    tube,
)
from helpanna.worlds.houses.furniture.workshop import BLACK, EARTH, PAPER, Wish, assemble
from helpanna.worlds.houses.layout import Material, Thing

_PETALS = ((0.6, 0.08, 0.1), (0.7, 0.5, 0.08), (0.6, 0.25, 0.4), (0.7, 0.68, 0.6), (0.35, 0.15, 0.5))


def _vase(wish: Wish, height: float) -> Part:
    profiles = (
        [(0.5, 0.0), (0.9, 0.3), (1.0, 0.5), (0.5, 0.85), (0.6, 1.0), (0.5, 1.0), (0.3, 0.9)],
        [(0.6, 0.0), (1.0, 0.35), (0.7, 0.7), (0.35, 0.85), (0.5, 1.0), (0.4, 1.0), (0.25, 0.88)],
        [(0.7, 0.0), (0.75, 0.5), (0.9, 1.0), (0.8, 1.0), (0.6, 0.3)],
        [(0.8, 0.0), (0.85, 0.1), (0.85, 1.0), (0.75, 1.0), (0.7, 0.2)],
    )
    radius = height * wish.between(0.26, 0.36)
    return lathe(
        wish.pick("ceramic"), [(radius * r, height * z) for r, z in profiles[wish.variant]], sides=14
    )


def vase(wish: Wish) -> Thing:
    """An empty vase."""
    return assemble("vase", [_vase(wish, wish.high(0.2, 0.34))])


def flower(wish: Wish) -> Thing:
    """Cut flowers in a vase."""
    height = wish.between(0.14, 0.2)
    parts = [_vase(wish, height)]
    green, petals = wish.leaves(), wish.painted(*_PETALS, gloss=0.0)
    for i in range(6):
        angle, lean = i * 2.4, 0.03 + 0.075 * (i / 5)
        x, y, z = lean * np.cos(angle), lean * np.sin(angle), height + wish.between(0.1, 0.17)
        parts.append(tube(green, [(x * 0.2, y * 0.2, height * 0.9), (x, y, z)], 0.003, sides=3))
        parts.append(
            lathe(petals, [(0.004, 0.0), (0.028, 0.018), (0.024, 0.032), (0.006, 0.026)], (x, y, z), 7)
        )
        parts.append(leaf(green, (x * 0.5, y * 0.5, height + 0.03), (x * 1.4, y * 1.4, height + 0.08), 0.025))
    return assemble("flower", parts)


def plant(wish: Wish) -> Thing:
    """A pot plant; a tall one stands on the floor."""
    height = wish.high(0.3, 0.5)
    tall = height > 0.7
    radius = 0.15 if tall else 0.07 + 0.06 * (height - 0.3)
    pot = radius * (1.7 if tall else 1.5)
    profile = [(radius * 0.75, 0.0), (radius, pot), (radius * 0.88, pot), (radius * 0.85, pot - 0.02)]
    parts = [
        lathe(wish.pick("ceramic", "wood", "metal"), profile, sides=14),
        cylinder(EARTH, radius * 0.87, 0.01, (0.0, 0.0, pot - 0.025)),
    ]
    green = wish.leaves()
    rng = wish.rng
    spread = min(0.33, 0.16 + 0.16 * height)
    kind = wish.choice(("leafy", "spiky", "tree")) if tall else wish.choice(("leafy", "spiky"))
    if kind == "tree":
        trunk = height * 0.55
        parts.append(
            tube(
                wish.pick("wood_dark"),
                [(0.0, 0.0, pot - 0.03), (0.015, 0.01, trunk), (0.0, 0.0, height * 0.75)],
                [0.022, 0.016, 0.008],
            )
        )
        roots = [(0.0, 0.0, float(z)) for z in rng.uniform(trunk, height * 0.8, 26)]
    else:
        roots = [(0.0, 0.0, pot - 0.02)] * (12 if kind == "spiky" else 20)
    for i, root in enumerate(roots):
        angle, rise = i * 2.4 + rng.uniform(-0.3, 0.3), rng.uniform(0.25, 1.0)
        reach = spread * (1.1 - 0.6 * rise) if kind != "tree" else spread * rng.uniform(0.5, 1.0)
        z = root[2] + (height - root[2]) * rise
        tip = (float(reach * np.cos(angle)), float(reach * np.sin(angle)), float(z))
        wide = (0.05, 0.12)[kind == "leafy"] * (1.0 if tall else 0.6)
        if kind == "leafy":
            stem: Point = (tip[0] * 0.45, tip[1] * 0.45, root[2] + (z - root[2]) * 0.75)
            parts.append(tube(green, [root, stem], 0.004, sides=3))
            parts.append(leaf(green, stem, tip, wide))
        else:
            parts.append(leaf(green, root, tip, wide))
    return assemble("plant", parts)


def candle(wish: Wish) -> Thing:
    """A thick candle on a saucer."""
    wax = wish.painted((0.75, 0.7, 0.58), (0.5, 0.06, 0.05), (0.6, 0.62, 0.55), gloss=0.1)
    height = wish.between(0.08, 0.14)
    parts = [
        lathe(
            wish.pick("ceramic", "metal"),
            [(0.03, 0.0), (0.055, 0.012), (0.05, 0.012), (0.03, 0.006)],
            sides=12,
        ),
        cylinder(wax, 0.033, height, (0.0, 0.0, 0.007), sides=10),
        tube(BLACK, [(0.0, 0.0, height), (0.002, 0.0, height + 0.022)], 0.002, sides=3),
    ]
    return assemble("candle", parts)


def candlestick(wish: Wish) -> Thing:
    """A tall candle in its stick."""
    metal, height = wish.pick("metal", "wood_dark"), wish.between(0.2, 0.28)
    wax = wish.painted((0.75, 0.72, 0.62), (0.45, 0.05, 0.05), gloss=0.1)
    profile = [
        (0.05, 0.0),
        (0.045, 0.012),
        (0.012, 0.03),
        (0.018, height * 0.5),
        (0.01, height * 0.6),
        (0.028, height),
    ]
    parts = [lathe(metal, profile, sides=10), cylinder(wax, 0.011, 0.16, (0.0, 0.0, height), sides=8)]
    parts.append(tube(BLACK, [(0.0, 0.0, height + 0.155), (0.001, 0.0, height + 0.175)], 0.002, sides=3))
    return assemble("candlestick", parts)


def statue(wish: Wish) -> Thing:
    """A bust, or an abstract figure."""
    stone = wish.pick("stone", "metal", "wood_dark")
    if wish.variant in (1, 2):
        parts = [
            box(wish.pick("wood_dark", "stone"), (0.16, 0.14, 0.04), bevel=0.006),
            lathe(
                stone, [(0.05, 0.0), (0.1, 0.1), (0.07, 0.15), (0.035, 0.17)], (0.0, 0.0, 0.035), 12
            ).scaled(1.0, 0.7, 1.0),
            cylinder(stone, 0.035, 0.06, (0.0, 0.0, 0.19), sides=10),
            ball(stone, 0.06, (0.0, 0.0, 0.22), 12).scaled(0.85, 1.0, 1.0),
            leaf(stone, (0.0, -0.05, 0.27), (0.0, -0.075, 0.245), 0.025),
        ]
    else:
        bend = [(0.05 * np.sin(a), 0.0, 0.03 + 0.3 * a / np.pi) for a in np.linspace(0, np.pi, 7)]
        parts = [
            box(BLACK, (0.14, 0.12, 0.035)),
            tube(stone, bend, [0.03, 0.045, 0.04, 0.028, 0.035, 0.03, 0.012], 8),
        ]
        parts.append(ball(stone, 0.035, (0.0, 0.0, 0.32), 10))
    return assemble("statue", parts)


def rug(wish: Wish) -> Thing:
    """A flat carpet: oblong, or round where it is as deep as wide in some houses."""
    cloth, other = wish.pick("fabric_accent", "fabric"), wish.pick("fabric")
    width, depth = wish.wide(1.6, 2.4), wish.deep(1.1, 1.7)
    pile = Material("carpet", cloth.colour, other.colour, 0.25, 0.0, 0.0, wish.seed())
    if wish.variant in (0, 2) and abs(width - depth) < 0.05:
        return assemble("rug", [cylinder(pile, width / 2, 0.012, sides=24)])
    parts = [box(pile, (width, depth, 0.01))]
    if wish.variant != 0:
        edge = Material("fabric", other.colour, other.accent, 0.03, 0.0, 0.0, wish.seed())
        parts += both(box(edge, (0.06, depth - 0.16, 0.012), (width / 2 - 0.11, 0.0, 0.0)))
        parts += [box(edge, (width - 0.28, 0.06, 0.012), (0.0, s * (depth / 2 - 0.11), 0.0)) for s in (-1, 1)]
    return assemble("rug", parts)


def door_mat(wish: Wish) -> Thing:
    """A coarse mat inside the entrance."""
    colour = wish.choice(((0.2, 0.13, 0.07), (0.06, 0.06, 0.06), (0.12, 0.08, 0.05)))
    dark = (colour[0] * 0.5, colour[1] * 0.5, colour[2] * 0.5)
    mat = Material("carpet", colour, dark, 0.08, 0.0, 0.0, wish.seed())
    return assemble("door mat", [box(mat, (wish.wide(0.6, 0.8), wish.deep(0.4, 0.45), 0.012))])


def book(wish: Wish) -> Thing:
    """A book that lies, perhaps another one on it."""
    parts: list[Part] = []
    z = 0.0
    for i in range(1 + int(wish.chance(0.5))):
        width, depth, thick = (
            wish.between(0.14, 0.19) - 0.01 * i,
            wish.between(0.2, 0.25) - 0.02 * i,
            wish.between(0.02, 0.04),
        )
        cover = wish.cover()
        parts += [
            box(cover, (width, depth, 0.003), (0.0, 0.0, z)),
            box(cover, (width, depth, 0.003), (0.0, 0.0, z + thick - 0.003)),
        ]
        parts += [
            box(PAPER, (width - 0.01, depth - 0.008, thick - 0.006), (0.002, 0.0, z + 0.003)),
            box(cover, (0.004, depth, thick - 0.006), (0.002 - width / 2, 0.0, z + 0.003)),
        ]
        z += thick
    return assemble("book", parts)


def books(wish: Wish) -> Thing:
    """A row of books."""
    width = wish.wide(0.25, 0.5)
    count = max(2, round(width / 0.11))
    parts = []
    for i in range(count):
        size = (
            width / count - 0.002,
            wish.between(0.13, 0.17),
            wish.high(0.18, 0.26) - wish.between(0.0, 0.04),
        )
        row = box(wish.spines(), size, ((i + 0.5) * width / count - width / 2, -size[1] / 2, 0.0))
        parts.append(
            replace(row, uv=row.corners[..., [0, 2]])
        )  # spines stand side by side, from left to right
    return assemble("books", parts)


def basket(wish: Wish) -> Thing:
    """A woven basket with two handles."""
    weave = wish.pick("wood", "fabric")
    weave = Material("fabric", weave.colour, weave.accent, 0.04, 0.0, 0.0, wish.seed())
    radius, height = wish.between(0.15, 0.2), wish.between(0.2, 0.3)
    parts = [
        lathe(
            weave,
            [(radius * 0.85, 0.0), (radius, height), (radius * 0.92, height), (radius * 0.8, 0.03)],
            sides=14,
        )
    ]
    grip = tube(
        weave,
        [
            (radius * 0.96, -0.06, height - 0.02),
            (radius, -0.04, height + 0.05),
            (radius, 0.04, height + 0.05),
            (radius * 0.96, 0.06, height - 0.02),
        ],
        0.01,
        4,
    )
    return assemble("basket", [*parts, *both(grip)])


def box_(wish: Wish) -> Thing:
    """A storage box with a lid."""
    width, depth, height = wish.between(0.28, 0.38), wish.between(0.22, 0.28), wish.between(0.14, 0.2)
    card = wish.choice((wish.pick("fabric_accent"), wish.pick("wood"), wish.painted((0.4, 0.28, 0.15))))
    parts = [
        box(card, (width, depth, height)),
        box(card, (width + 0.01, depth + 0.01, 0.04), (0.0, 0.0, height - 0.03)),
    ]
    parts.append(box(PAPER, (0.07, 0.002, 0.04), (0.0, -depth / 2 - 0.0005, height * 0.4)))
    return assemble("box", parts)


def tissue_box(wish: Wish) -> Thing:
    """A box of paper tissues."""
    cloth = wish.pick("fabric_accent", "fabric")
    card = Material("paper", cloth.colour, cloth.accent, 0.05, 0.0, 0.0, wish.seed())
    tuft = [
        np.column_stack([rounded(w, d, min(w, d) * 0.3), np.full(12, z)])
        for w, d, z in ((0.06, 0.012, 0.088), (0.08, 0.03, 0.12), (0.03, 0.02, 0.15))
    ]
    return assemble("tissue box", [box(card, (0.23, 0.12, 0.09)), loft(PAPER, tuft)])
