"""What hangs on walls and at windows. The back of each is the wall."""

import numpy as np

from helpanna.worlds.houses.furniture.shapes import Part, bar, both, box, cylinder, drape, facing, prism, tube
from helpanna.worlds.houses.furniture.workshop import BLACK, MIRROR, PAPER, STEEL, WHITE, Wish, assemble
from helpanna.worlds.houses.layout import Material, Thing


def _frame(material: Material, width: float, height: float, border: float, thick: float) -> list[Part]:
    """Four strips around a rectangle that stands on z = 0."""
    parts = both(box(material, (border, thick, height), ((width - border) / 2, 0.0, 0.0)))
    inner = width - 2 * border
    return parts + [box(material, (inner, thick, border), (0.0, 0.0, z)) for z in (0.0, height - border)]


def picture(wish: Wish) -> Thing:
    """A painting or a print in a frame, with a mount or without."""
    width, height = wish.wide(0.45, 1.0), wish.high(0.4, 0.8)
    frame = wish.pick("wood", "wood_dark", "metal")
    border = (0.02, 0.05, 0.03, 0.015)[wish.variant]
    parts = [
        box(frame, (width, 0.012, height), (0.0, 0.006, 0.0)),
        *_frame(frame, width, height, border, 0.03),
    ]
    mount = min(width, height) * 0.12 if wish.variant in (0, 3) else 0.0
    if mount:
        parts.append(box(PAPER, (width - 2 * border, 0.006, height - 2 * border), (0.0, -0.003, border)))
    inset = 2 * (border + mount)
    parts.append(facing(wish.picture(), width - inset, height - inset, (0.0, -0.006, border + mount), 0.006))
    return assemble("picture", parts)


def photo_frame(wish: Wish) -> Thing:
    """A small photograph that stands on a shelf or a table."""
    frame = wish.pick("wood", "metal", "wood_dark")
    width, height = wish.choice(((0.13, 0.18), (0.18, 0.13), (0.2, 0.25)))
    parts = [
        box(frame, (width, 0.012, height), (0.0, 0.0, 0.0)),
        facing(wish.picture(), width - 0.03, height - 0.03, (0.0, -0.0075, 0.015), 0.005),
    ]
    parts = [part.turned(-12, "x") for part in parts]
    parts.append(bar(frame, (0.0, 0.07, 0.0), (0.0, 0.03, height * 0.7), 0.012))
    return assemble("photo frame", parts)


def mirror(wish: Wish) -> Thing:
    """A mirror in a frame: round or upright."""
    frame = wish.pick("wood", "metal", "wood_dark")
    if wish.variant in (0, 2) and wish.height is None:
        radius = wish.wide(0.55, 0.75) / 2
        angles = np.arange(24) * 2 * np.pi / 24
        outline = radius * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
        parts = [prism(frame, outline, 0.025), prism(MIRROR, outline * 0.93, 0.006, (0.0, 0.0, 0.025))]
        return assemble("mirror", [part.turned(90, "x") for part in parts])
    width, height = wish.wide(0.5, 0.7), wish.high(0.75, 1.1)
    parts = [box(frame, (width, 0.01, height), (0.0, 0.005, 0.0)), *_frame(frame, width, height, 0.035, 0.03)]
    parts.append(facing(MIRROR, width - 0.07, height - 0.07, (0.0, -0.003, 0.035), 0.006))
    return assemble("mirror", parts)


def clock(wish: Wish) -> Thing:
    """A round wall clock."""
    radius = wish.between(0.13, 0.19)
    rim, face = wish.pick("wood", "metal", "fabric_accent"), WHITE if wish.variant != 3 else BLACK
    mark = BLACK if face is WHITE else WHITE
    parts = [
        cylinder(rim, radius, 0.035, sides=20),
        cylinder(face, radius * 0.88, 0.003, (0.0, 0.0, 0.035), sides=20),
    ]
    hour = box(mark, (0.008, radius * 0.14, 0.003), (0.0, radius * 0.74, 0.037))
    parts += [hour.turned(30 * i) for i in range(0, 12, 1 if wish.variant % 2 else 3)]
    for length, turn in ((0.45, wish.between(0, 360)), (0.68, wish.between(0, 360))):
        parts.append(
            box(mark, (0.012, radius * length, 0.004), (0.0, radius * length / 2, 0.038)).turned(turn)
        )
    return assemble("clock", [part.turned(90, "x") for part in parts])


def curtain(wish: Wish) -> Thing:
    """A rod with a curtain drawn to each side; width and height are of the whole."""
    width, height = wish.wide(1.4, 2.0), wish.high(1.4, 2.3)
    cloth, metal = wish.pick("fabric_accent", "fabric"), wish.pick("metal", "wood")
    panel = max(0.22, width * 0.17)
    parts = both(drape(cloth, panel, height - 0.03, ((width - panel) / 2 - 0.03, 0.0, 0.0), 0.09, 4))
    parts.append(tube(metal, [(-width / 2, 0.0, height - 0.015), (width / 2, 0.0, height - 0.015)], 0.014))
    return assemble("curtain", parts)


def blinds(wish: Wish) -> Thing:
    """Blinds let down in front of the upper part of a window."""
    width, height = wish.wide(0.8, 1.4), wish.high(0.4, 0.8)
    if wish.variant % 2:  # a roller blind
        cloth = wish.pick("fabric", "fabric_accent")
        parts = [box(cloth, (width - 0.03, 0.004, height - 0.05), (0.0, 0.015, 0.02))]
        parts.append(
            cylinder(WHITE, 0.028, width, sides=10).turned(90, "y").moved(-width / 2, 0.0, height - 0.028)
        )
        parts.append(box(wish.pick("wood"), (width - 0.03, 0.012, 0.025), (0.0, 0.015, 0.0)))
        return assemble("blinds", parts)
    slat = wish.pick("wood", "paint")
    parts = [box(slat, (width, 0.05, 0.04), (0.0, 0.0, height - 0.04))]
    count = max(4, round(height / 0.055))
    for i in range(count):
        z = (i + 0.5) * (height - 0.06) / count
        parts.append(
            box(slat, (width - 0.02, 0.04, 0.004), (0.0, 0.0, -0.002)).turned(35, "x").moved(0.0, 0.0, z)
        )
    return assemble("blinds", parts)


def whiteboard(wish: Wish) -> Thing:
    """A board to write on, with a tray for pens."""
    width, height = wish.wide(0.9, 1.4), wish.high(0.6, 0.9)
    ink = wish.painted((0.02, 0.05, 0.3), (0.4, 0.03, 0.03), (0.02, 0.02, 0.02))
    parts = [
        box(WHITE, (width - 0.04, 0.012, height - 0.04), (0.0, 0.002, 0.02)),
        *_frame(STEEL, width, height, 0.02, 0.02),
    ]
    parts.append(box(STEEL, (width * 0.4, 0.06, 0.012), (0.0, -0.03, 0.0)))
    for i in range(4):
        length = wish.between(0.2, 0.5) * width
        parts.append(
            box(ink, (length, 0.002, 0.012), (length / 2 - width * 0.4, -0.005, height * (0.8 - 0.15 * i)))
        )
    return assemble("whiteboard", parts)


def bulletin_board(wish: Wish) -> Thing:
    """Cork with notes pinned to it."""
    width, height = wish.wide(0.6, 0.9), wish.high(0.45, 0.6)
    cork = Material("stone", (0.38, 0.22, 0.1), (0.25, 0.14, 0.06), 0.05, 0.0, 0.0, wish.seed())
    parts = [
        box(cork, (width - 0.04, 0.012, height - 0.04), (0.0, 0.002, 0.02)),
        *_frame(wish.pick("wood"), width, height, 0.025, 0.02),
    ]
    for i in range(5):
        note = wish.painted((0.75, 0.72, 0.65), (0.75, 0.6, 0.12), (0.3, 0.5, 0.6), (0.7, 0.35, 0.35))
        x = (i - 2) * width * 0.17
        parts.append(box(note, (0.09, 0.002, 0.12), (x, -0.005, wish.between(0.06, height - 0.2))))
    return assemble("bulletin board", parts)


def radiator(wish: Wish) -> Thing:
    """A panel of ribs for below a window."""
    width, height = wish.wide(0.7, 1.3), wish.high(0.45, 0.6)
    parts = [box(WHITE, (width, 0.05, height), (0.0, 0.02, 0.0), bevel=0.006)]
    ribs = max(5, round(width / 0.09))
    parts += [
        box(WHITE, (0.045, 0.03, height - 0.05), ((i + 0.5) * width / ribs - width / 2, -0.02, 0.025))
        for i in range(ribs)
    ]
    parts.append(cylinder(STEEL, 0.02, 0.06, sides=8).turned(90, "y").moved(width / 2 - 0.01, 0.02, 0.06))
    return assemble("radiator", parts)


def smoke_detector(wish: Wish) -> Thing:
    """A disc under the ceiling."""
    parts = [
        cylinder(WHITE, 0.05, 0.02, (0.0, 0.0, 0.0), 0.06, sides=14),
        cylinder(WHITE, 0.065, 0.018, (0.0, 0.0, 0.02), sides=14),
    ]
    parts.append(box(wish.painted((0.6, 0.02, 0.02)), (0.008, 0.008, 0.004), (0.025, 0.0, -0.002)))
    return assemble("smoke detector", parts)


def light_switch(wish: Wish) -> Thing:
    """Beside a door."""
    plate = wish.choice((WHITE, STEEL)) if wish.variant == 3 else WHITE
    parts = [
        box(plate, (0.082, 0.01, 0.082), (0.0, 0.0, 0.0), bevel=0.002),
        box(WHITE, (0.05, 0.006, 0.055), (0.0, -0.006, 0.0135)).turned(3, "x"),
    ]
    return assemble("light switch", parts)


def thermostat(wish: Wish) -> Thing:
    """A small dial for the heating."""
    parts = [
        box(WHITE, (0.1, 0.02, 0.1), bevel=0.004),
        cylinder(wish.choice((STEEL, BLACK)), 0.035, 0.015, sides=14)
        .turned(90, "x")
        .moved(0.0, -0.009, 0.05),
    ]
    return assemble("thermostat", parts)
