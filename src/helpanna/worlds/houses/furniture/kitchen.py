"""What kitchens are fitted with. Units stand side by side: as deep and as high as each other."""

from helpanna.worlds.houses.furniture.joinery import fronts
from helpanna.worlds.houses.furniture.shapes import Part, bar, basin, both, box, cylinder, lathe, loft, tube
from helpanna.worlds.houses.furniture.workshop import BLACK, ENAMEL, STEEL, Wish, assemble, top
from helpanna.worlds.houses.layout import Material, Thing

DEPTH = 0.64
HEIGHT = 0.9
_FACE = 0.045
_PLINTH = 0.09
_WORKTOP = 0.035


def _front(wish: Wish) -> Material:
    """All units of a kitchen match, so this is the style's, not chance's."""
    return (wish.style.paint, wish.style.wood)[wish.variant % 2]


def _worktop(wish: Wish) -> Material:
    return wish.style.wood_dark if wish.variant == 2 else wish.style.stone


def _unit(
    wish: Wish, width: float, columns: int, rows: tuple[float, ...], depth: float = DEPTH, hollow: float = 0.0
) -> list[Part]:
    """A base unit without its worktop; `hollow` metres below that are left empty for a bowl."""
    front = _front(wish)
    body = HEIGHT - _PLINTH - _WORKTOP
    back = depth / 2
    parts = [
        box(
            BLACK,
            (width - 0.002, depth - _FACE - 0.05, _PLINTH),
            (0.0, back - (depth - _FACE - 0.05) / 2, 0.0),
        ),
        box(front, (width, depth - _FACE, body - hollow), (0.0, back - (depth - _FACE) / 2, _PLINTH)),
    ]
    if hollow:
        side = box(
            front, (0.02, depth - _FACE, hollow), (width / 2 - 0.01, _FACE / 2, _PLINTH + body - hollow)
        )
        parts += both(side)
    upright = len(rows) == 1
    parts += fronts(
        wish,
        front,
        wish.style.metal,
        (width, body),
        (0.0, _FACE - depth / 2, _PLINTH),
        columns,
        rows,
        upright,
    )
    return parts


def kitchen_counter(wish: Wish) -> Thing:
    """A base unit with a worktop; as wide as wished for."""
    width = wish.wide(0.6, 1.2)
    columns = max(1, round(width / 0.5))
    rows = wish.choice(((1.0,), (2.2, 1.0), (1.0, 1.0, 0.7)))
    parts = _unit(wish, width, columns, rows)
    parts.append(box(_worktop(wish), (width, DEPTH, _WORKTOP), (0.0, 0.0, HEIGHT - _WORKTOP)))
    return assemble("kitchen counter", parts, [top(width - 0.04, DEPTH - 0.08, HEIGHT)])


def sink(wish: Wish) -> Thing:
    """A base unit with a kitchen sink and its tap."""
    width, hole_width, hole_depth, hole_y = wish.wide(0.8, 0.9), 0.52, 0.38, -0.03
    ceramic = wish.variant == 1
    bowl = ENAMEL if ceramic else STEEL
    worktop = _worktop(wish)
    z = HEIGHT - _WORKTOP
    deep = 0.17
    parts = _unit(wish, width, 2, (1.0,), hollow=deep)
    side = (width - hole_width) / 2
    front, back = DEPTH / 2 + hole_y - hole_depth / 2, DEPTH / 2 - hole_y - hole_depth / 2
    parts += [box(worktop, (side, DEPTH, _WORKTOP), (s * (width - side) / 2, 0.0, z)) for s in (-1, 1)]
    parts.append(box(worktop, (hole_width, front, _WORKTOP), (0.0, (front - DEPTH) / 2, z)))
    parts.append(box(worktop, (hole_width, back, _WORKTOP), (0.0, (DEPTH - back) / 2, z)))
    rim = 0.008 if not ceramic else 0.02
    parts.append(
        basin(
            bowl,
            (hole_width, hole_depth, deep + _WORKTOP + rim - 0.01),
            (0.0, hole_y, z - deep + 0.01),
            0.025,
            0.02,
            0.05,
        )
    )
    parts += faucet(
        wish.style.metal if wish.variant != 0 else STEEL, (0.0, DEPTH / 2 - 0.08, HEIGHT), 0.26, 0.2
    )
    tops = [top(side - 0.03, DEPTH - 0.1, HEIGHT, x=s * (width - side) / 2) for s in (-1, 1)]
    return assemble("sink", parts, tops)


def faucet(metal: Material, at: tuple[float, float, float], height: float, reach: float) -> list[Part]:
    """A tap whose spout reaches towards -y."""
    spout = [
        (0.0, 0.0, 0.0),
        (0.0, 0.0, height * 0.7),
        (0.0, -reach * 0.25, height),
        (0.0, -reach * 0.8, height * 0.95),
        (0.0, -reach, height * 0.72),
    ]
    parts = [
        cylinder(metal, 0.026, 0.02, sides=8),
        tube(metal, spout, 0.013),
        bar(metal, (0.0, 0.0, 0.05), (0.07, 0.0, 0.09), 0.014),
    ]
    return [part.moved(*at) for part in parts]


def stove(wish: Wish) -> Thing:
    """A range: four rings above an oven."""
    body = wish.choice((STEEL, ENAMEL, BLACK)) if wish.variant else ENAMEL
    width = wish.wide(0.6, 0.76)
    parts = [
        box(BLACK, (width - 0.01, DEPTH - 0.1, 0.08), (0.0, 0.02, 0.0)),
        box(body, (width, DEPTH - _FACE, HEIGHT - 0.1), (0.0, _FACE / 2, 0.08)),
        box(BLACK, (width, DEPTH - _FACE, 0.02), (0.0, _FACE / 2, HEIGHT - 0.02)),
    ]
    y = _FACE - DEPTH / 2
    parts += [
        box(body, (width - 0.01, 0.02, 0.46), (0.0, y - 0.01, 0.2)),
        box(BLACK, (width - 0.14, 0.006, 0.28), (0.0, y - 0.022, 0.26)),
        tube(STEEL, [(-width / 2 + 0.06, y - 0.035, 0.62), (width / 2 - 0.06, y - 0.035, 0.62)], 0.01),
        box(body, (width - 0.01, 0.02, 0.14), (0.0, y - 0.01, 0.7)),
    ]
    for i in range(4):
        knob = cylinder(STEEL if body is not STEEL else BLACK, 0.022, 0.025, sides=8).turned(90, "x")
        parts.append(knob.moved((i - 1.5) * width / 5, y - 0.015, 0.77))
    for x in (-0.15, 0.15):
        for ring in (-0.12, 0.14):
            radius = 0.1 if x * ring > 0 else 0.08
            if wish.variant in (1, 3):
                parts.append(
                    lathe(
                        BLACK,
                        [(radius, 0.0), (radius, 0.012), (radius * 0.6, 0.02)],
                        (x, ring + 0.02, HEIGHT),
                        10,
                    )
                )
            else:
                grey = Material("metal", (0.12, 0.12, 0.125), (0.1, 0.1, 0.1), 0.2, 0.3)
                parts.append(cylinder(grey, radius, 0.004, (x, ring + 0.02, HEIGHT), sides=12))
    rings = HEIGHT + (0.02 if wish.variant in (1, 3) else 0.004)
    tops = [top(0.29, 0.5, rings, x, 0.03) for x in (-0.15, 0.15)]
    return assemble("stove", parts, tops)


def oven(wish: Wish) -> Thing:
    """A tall unit with an oven at breast height."""
    front, metal = _front(wish), wish.style.metal
    width, height = 0.6, wish.high(2.05, 2.15)
    parts = [box(front, (width, DEPTH - _FACE, height), (0.0, _FACE / 2, 0.0))]
    y = _FACE - DEPTH / 2
    parts += fronts(wish, front, metal, (width, 0.62), (0.0, y, 0.08), rows=(1.0, 1.0))
    parts += fronts(wish, front, metal, (width, height - 1.34), (0.0, y, 1.32), upright=True)
    case = STEEL if wish.variant != 3 else BLACK
    parts += [
        box(case, (width - 0.01, 0.02, 0.58), (0.0, y - 0.01, 0.72)),
        box(BLACK, (width - 0.12, 0.006, 0.34), (0.0, y - 0.022, 0.77)),
        tube(STEEL, [(-0.22, y - 0.034, 1.15), (0.22, y - 0.034, 1.15)], 0.009),
        box(BLACK, (0.16, 0.006, 0.05), (0.0, y - 0.022, 1.21)),
    ]
    return assemble("oven", parts)


def range_hood(wish: Wish) -> Thing:
    """A hood for above the stove, with a duct up to the ceiling; `height` is to the ceiling."""
    metal = STEEL if wish.variant != 3 else BLACK
    width, depth, height = wish.wide(0.6, 0.7), 0.46, wish.high(0.8, 1.0)
    if wish.variant == 1:
        hood = _front(wish)
        parts = [
            box(hood, (width, depth, 0.14)),
            box(hood, (width * 0.6, depth * 0.62, height - 0.14), (0.0, depth * 0.19, 0.14)),
        ]
        return assemble("range hood", parts)
    x, y = width / 2, depth / 2
    low = [(-x, -y, 0.05), (x, -y, 0.05), (x, y, 0.05), (-x, y, 0.05)]
    high = [(-0.13, y - 0.24, 0.25), (0.13, y - 0.24, 0.25), (0.13, y, 0.25), (-0.13, y, 0.25)]
    foot = [(a, b, 0.0) for a, b, _ in low]
    duct = [(a, b, height) for a, b, _ in high]
    return assemble("range hood", [loft(metal, [foot, low, high, duct])])


def kitchen_cabinet(wish: Wish) -> Thing:
    """A cupboard for the wall above a counter."""
    width, depth, height = wish.wide(0.6, 1.0), 0.36, wish.high(0.65, 0.75)
    front = _front(wish)
    parts = [box(front, (width, depth - _FACE, height), (0.0, _FACE / 2, 0.0))]
    columns = max(1, round(width / 0.45))
    parts += fronts(
        wish, front, wish.style.metal, (width, height), (0.0, _FACE - depth / 2, 0.0), columns, upright=True
    )
    return assemble("kitchen cabinet", parts)


def kitchen_island(wish: Wish) -> Thing:
    """A free-standing block with a worktop that juts out at the back, where one sits."""
    width, depth = wish.wide(1.2, 1.8), wish.deep(0.8, 0.9)
    body = depth - 0.2
    parts = [
        part.moved(0.0, (body - depth) / 2 + 0.01, 0.0)
        for part in _unit(wish, width - 0.06, max(2, round(width / 0.6)), (2.2, 1.0), body)
    ]
    parts.append(box(_worktop(wish), (width, depth, _WORKTOP), (0.0, 0.0, HEIGHT - _WORKTOP), bevel=0.006))
    return assemble("kitchen island", parts, [top(width - 0.06, depth - 0.06, HEIGHT)])


def refrigerator(wish: Wish) -> Thing:
    """With a freezer below, or two doors side by side."""
    body = (
        wish.choice((STEEL, ENAMEL))
        if wish.variant != 2
        else wish.painted((0.45, 0.08, 0.06), (0.2, 0.4, 0.4), (0.6, 0.5, 0.3), gloss=0.5)
    )
    width, depth, height = wish.wide(0.6, 0.75), wish.deep(0.64, 0.68), wish.high(1.7, 1.9)
    y = _FACE - depth / 2
    parts = [
        box(
            body,
            (width, depth - _FACE, height),
            (0.0, _FACE / 2, 0.0),
            bevel=0.008 if wish.variant != 2 else 0.03,
        )
    ]
    if wish.variant == 3:
        for s in (-1, 1):
            parts.append(
                box(body, (width / 2 - 0.008, 0.022, height - 0.06), (s * width / 4, y - 0.011, 0.05))
            )
            parts.append(box(STEEL, (0.018, 0.022, 0.7), (s * 0.03, y - 0.033, 0.7)))
        parts.append(box(BLACK, (0.16, 0.006, 0.26), (-width / 4, y - 0.025, 1.1)))
    else:
        cut = 0.62 if wish.variant != 1 else height - 0.5
        for low, high in ((0.05, cut), (cut + 0.008, height - 0.01)):
            parts.append(box(body, (width - 0.008, 0.022, high - low), (0.0, y - 0.011, low)))
        handle = [(cut - 0.3, 0.22), (cut + 0.1, 0.4 if wish.variant != 1 else 0.22)]
        parts += [box(STEEL, (0.02, 0.022, tall), (-width / 2 + 0.06, y - 0.033, z)) for z, tall in handle]
    return assemble("refrigerator", parts, [top(width - 0.1, depth - 0.2, height, y=0.05)])


def dishwasher(wish: Wish) -> Thing:
    """Below the worktop like the other units."""
    width = 0.6
    front = STEEL if wish.variant in (0, 3) else ENAMEL
    y = _FACE - DEPTH / 2
    parts = [
        box(BLACK, (width - 0.002, DEPTH - _FACE - 0.05, _PLINTH), (0.0, (_FACE + 0.05) / 2, 0.0)),
        box(ENAMEL, (width, DEPTH - _FACE, HEIGHT - _PLINTH - _WORKTOP), (0.0, _FACE / 2, _PLINTH)),
        box(front, (width - 0.006, 0.022, 0.64), (0.0, y - 0.011, _PLINTH + 0.005)),
        box(BLACK, (width - 0.006, 0.02, 0.1), (0.0, y - 0.01, HEIGHT - _WORKTOP - 0.11)),
        tube(STEEL, [(-0.2, y - 0.033, 0.7), (0.2, y - 0.033, 0.7)], 0.009),
        box(_worktop(wish), (width, DEPTH, _WORKTOP), (0.0, 0.0, HEIGHT - _WORKTOP)),
    ]
    return assemble("dishwasher", parts, [top(width - 0.04, DEPTH - 0.08, HEIGHT)])
