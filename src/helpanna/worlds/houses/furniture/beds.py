"""Beds and what lies on them."""

import numpy as np

from helpanna.worlds.houses.furniture.joinery import legs
from helpanna.worlds.houses.furniture.shapes import Part, Point, bar, both, box, cushion, loft, prism, tube
from helpanna.worlds.houses.furniture.workshop import Wish, assemble, top
from helpanna.worlds.houses.layout import Material, Thing

_LENGTH = 2.0


def bed(wish: Wish) -> Thing:
    """A bed with its head at the back; from 1.3 m of width on it is for two."""
    width = wish.wide(0.95, 1.8)
    wood, linen = wish.pick("wood", "wood_dark"), wish.pick("ceramic")
    sheet = Material("fabric", linen.colour, linen.accent, 0.02, 0.0, 0.0, wish.seed())
    mattress = 0.5 if wish.variant != 2 else 0.44
    parts = _headboard(wish, wood, width + 0.06)
    foot = 0.1
    if wish.variant in (0, 2):
        parts += legs(wood, width, _LENGTH + 0.04, 0.2, 0.06, taper=0.7)
        foot = 0.18
    rail = 0.16
    parts.append(box(wood, (width + 0.04, _LENGTH + 0.02, rail), (0.0, 0.0, foot), bevel=0.006))
    low = foot + rail - 0.02
    parts.append(cushion(sheet, (width, _LENGTH - 0.02, mattress - low - 0.02), (0.0, 0.0, low), 0.05, 2))
    parts.append(_duvet(wish, width, mattress))
    if wish.variant == 1:
        parts.append(box(wood, (width + 0.06, 0.04, 0.55), (0.0, -_LENGTH / 2 - 0.02, 0.0), bevel=0.01))
    pillows = 2 if width > 1.25 else 1
    for i in range(pillows):
        x = (i - (pillows - 1) / 2) * width / 2
        parts.append(
            _pillow(sheet, (min(0.62, width / pillows - 0.12), 0.4, 0.14), (x, 0.72, mattress - 0.03))
        )
    return assemble("bed", parts, [top(width - 0.1, 1.25, mattress + 0.02, y=-0.25)])


def _duvet(wish: Wish, width: float, mattress: float) -> Part:
    """Hangs over both sides of the mattress and leaves the pillows free."""
    return cushion(
        wish.pick("fabric", "fabric_accent"), (width + 0.05, 1.46, 0.2), (0.0, -0.26, mattress - 0.18), 0.05
    )


def _headboard(wish: Wish, wood: Material, width: float) -> list[Part]:
    y = _LENGTH / 2 + 0.03
    match wish.variant:
        case 0:
            parts = both(box(wood, (0.05, 0.05, 0.95), (width / 2 - 0.025, y, 0.0)))
            return parts + [box(wood, (width - 0.1, 0.03, 0.1), (0.0, y, z)) for z in (0.52, 0.68, 0.84)]
        case 1:
            arch = [(-width / 2, 0.0), (width / 2, 0.0), (width / 2, 0.9)]
            arch += [
                (width / 2 * np.cos(a), 0.9 + 0.22 * np.sin(a)) for a in np.linspace(0.3, np.pi - 0.3, 7)
            ]
            arch += [(-width / 2, 0.9)]
            return [prism(wood, arch, 0.05).turned(90, "x").moved(0.0, y + 0.025, 0.0)]
        case 2:
            cover = wish.pick("fabric", "leather")
            return [cushion(cover, (width, 0.1, 0.72), (0.0, y + 0.02, 0.25), 0.04)]
        case _:
            return [box(wood, (width, 0.05, 0.9), (0.0, y, 0.0), bevel=0.008)]


def bunk_bed(wish: Wish) -> Thing:
    """Two beds one above the other, with a ladder."""
    wood, sheet = wish.pick("wood", "paint"), wish.pick("fabric")
    width, length, height = 0.98, 2.04, wish.between(1.6, 1.7)
    parts = legs(wood, width, length, height, 0.07)
    for z in (0.22, height - 0.55):
        parts.append(box(wood, (width - 0.02, length - 0.02, 0.1), (0.0, 0.0, z)))
        parts.append(cushion(sheet, (width - 0.1, length - 0.1, 0.16), (0.0, 0.0, z + 0.08), 0.04, 1))
        parts.append(
            cushion(wish.pick("fabric_accent"), (width - 0.09, 1.3, 0.09), (0.0, -0.3, z + 0.18), 0.03, 1)
        )
        parts.append(_pillow(sheet, (0.5, 0.34, 0.12), (0.0, 0.74, z + 0.22)))
    for z in (height - 0.28, height - 0.12):
        parts += both(
            bar(wood, (width / 2 - 0.035, -length / 2, z), (width / 2 - 0.035, length / 2, z), 0.03)
        )
        parts += [
            bar(wood, (-width / 2, y, z), (width / 2, y, z), 0.03)
            for y in (-length / 2 + 0.035, length / 2 - 0.035)
        ]
    x = width / 2 + 0.02
    parts += [bar(wood, (x, y, 0.0), (x, y, height - 0.1), 0.04) for y in (-0.75, -0.4)]
    parts += [bar(wood, (x, -0.75, z), (x, -0.4, z), 0.025) for z in (0.35, 0.65, 0.95, 1.25)]
    return assemble("bunk bed", parts, [top(width - 0.2, 1.1, 0.49, y=-0.25)])


def crib(wish: Wish) -> Thing:
    """A baby's bed with bars around it."""
    wood, sheet = wish.pick("wood", "paint"), wish.pick("fabric")
    width, depth, height = 1.24, 0.66, wish.between(0.85, 0.95)
    parts = legs(wood, width, depth, height, 0.045)
    parts.append(box(wood, (width - 0.04, depth - 0.04, 0.04), (0.0, 0.0, 0.3)))
    parts.append(cushion(sheet, (width - 0.1, depth - 0.1, 0.1), (0.0, 0.0, 0.34), 0.03, 1))
    for y in (-depth / 2 + 0.022, depth / 2 - 0.022):
        parts.append(bar(wood, (-width / 2, y, height - 0.03), (width / 2, y, height - 0.03), 0.035))
        for i in range(10):
            x = (i - 4.5) * (width - 0.1) / 10
            parts.append(tube(wood, [(x, y, 0.32), (x, y, height - 0.03)], 0.009, sides=4))
    parts += both(box(wood, (0.025, depth - 0.06, height - 0.4), (width / 2 - 0.022, 0.0, 0.34)))
    return assemble("crib", parts, [top(width - 0.3, depth - 0.25, 0.44)])


def _pillow(material: Material, size: Point, at: Point) -> Part:
    """Thick in the middle, thin at the corners."""
    width, depth, height = size
    rings = []
    for share, full in ((0.0, 0.86), (0.3, 1.0), (0.7, 1.0), (1.0, 0.86)):
        bulge = np.sin(np.pi * (0.12 + 0.76 * share))
        x, y = width / 2 * full * bulge**0.35, depth / 2 * full * bulge**0.35
        ring = [
            (-x, -y),
            (0.0, -y * 0.95),
            (x, -y),
            (x * 0.96, 0.0),
            (x, y),
            (0.0, y * 0.95),
            (-x, y),
            (-x * 0.96, 0.0),
        ]
        rings.append([(a, b, share * height) for a, b in ring])
    return loft(material, rings, starlike=True).moved(*at)


def pillow(wish: Wish) -> Thing:
    """A cushion, lying or standing against a back."""
    size = wish.between(0.38, 0.46)
    part = _pillow(wish.pick("fabric_accent", "fabric"), (size, size, 0.13), (0.0, 0.0, 0.0))
    if wish.variant % 2:
        part = part.turned(68, "x")
    return assemble("pillow", [part])


def blanket(wish: Wish) -> Thing:
    """A folded blanket."""
    cover = wish.pick("fabric_accent", "fabric")
    width, depth = wish.wide(0.5, 0.7), wish.deep(0.3, 0.4)
    parts = [cushion(cover, (width, depth, 0.05), (0.0, 0.0, 0.0), 0.02)]
    parts.append(cushion(cover, (width - 0.02, depth - 0.02, 0.05), (0.0, -0.005, 0.045), 0.02))
    return assemble("blanket", parts)
