"""Cupboards, chests and shelves."""

from helpanna.worlds.houses.furniture.joinery import fronts, legs, shelving
from helpanna.worlds.houses.furniture.shapes import bar, both, box, cylinder, facing
from helpanna.worlds.houses.furniture.workshop import BLACK, GLASS, MIRROR, STEEL, Wish, assemble, top
from helpanna.worlds.houses.layout import Thing

_FACE = 0.04  # what doors and handles take of the depth


def wardrobe(wish: Wish) -> Thing:
    """A tall cupboard for clothes, with two to four doors."""
    wood, metal = wish.pick("wood", "paint", "wood_dark"), wish.pick("metal")
    width, depth, height = wish.wide(1.1, 1.8), wish.deep(0.56, 0.62), wish.high(1.95, 2.15)
    doors = max(2, round(width / 0.5))
    body = (width, depth - _FACE, height)
    parts = [box(wood, body, (0.0, _FACE / 2, 0.0))]
    y = _FACE - depth / 2
    if wish.variant == 0:
        parts += fronts(wish, wood, metal, (width - 0.02, height - 0.1), (0.0, y, 0.08), doors, upright=True)
    elif wish.variant == 1:
        parts.append(box(wood, (width + 0.06, depth - _FACE + 0.03, 0.06), (0.0, _FACE / 2, height - 0.06)))
        parts += fronts(wish, wood, metal, (width - 0.04, 0.3), (0.0, y, 0.08), 2)
        parts += fronts(wish, wood, metal, (width - 0.04, height - 0.5), (0.0, y, 0.4), doors, upright=True)
    elif wish.variant == 2:  # sliding doors, one with a mirror
        half = width / 2 - 0.01
        parts.append(box(wood, (half, 0.018, height - 0.1), (-half / 2, y - 0.01, 0.06)))
        parts.append(facing(MIRROR, half - 0.04, height - 0.14, (half / 2, y - 0.01, 0.08)))
    else:
        front = wish.pick("paint")
        parts += fronts(
            wish, front, metal, (width - 0.01, height - 0.02), (0.0, y, 0.01), doors, upright=True
        )
    return assemble("wardrobe", parts)


def dresser(wish: Wish) -> Thing:
    """A chest of drawers."""
    wood, metal = wish.pick("wood", "wood_dark", "paint"), wish.pick("metal")
    width, depth, height = wish.wide(0.8, 1.2), wish.deep(0.44, 0.5), wish.high(0.76, 0.95)
    foot = (0.15, 0.06, 0.2, 0.0)[wish.variant]
    parts = legs(wood, width - 0.06, depth - 0.06, foot + 0.01, 0.045, taper=0.7, round_=True) if foot else []
    parts.append(box(wood, (width, depth - _FACE, height - foot), (0.0, _FACE / 2, foot), bevel=0.004))
    rows = (1.2, 1.1, 1.0, 0.8) if height - foot > 0.7 else (1.1, 1.0, 0.9)
    parts += fronts(
        wish,
        wood,
        metal,
        (width - 0.03, height - foot - 0.05),
        (0.0, _FACE - depth / 2, foot + 0.02),
        2 if width > 0.95 else 1,
        rows,
    )
    return assemble("dresser", parts, [top(width - 0.06, depth - 0.1, height, y=0.02)])


def tv_stand(wish: Wish) -> Thing:
    """The low cupboard below a television."""
    wood, metal = wish.pick("wood", "wood_dark", "paint"), wish.pick("metal")
    width, depth, height = wish.wide(1.2, 1.7), wish.deep(0.38, 0.44), wish.high(0.42, 0.55)
    foot = (0.12, 0.04, 0.16, 0.06)[wish.variant]
    parts = legs(wood, width - 0.1, depth - 0.08, foot + 0.01, 0.04, taper=0.7, round_=wish.variant in (0, 2))
    body = height - foot
    y = _FACE - depth / 2
    if wish.variant in (0, 3):
        parts.append(box(wood, (width, depth - _FACE, body), (0.0, _FACE / 2, foot), bevel=0.004))
        parts += fronts(
            wish, wood, metal, (width - 0.03, body - 0.04), (0.0, y, foot + 0.02), 3 if width > 1.4 else 2
        )
        return assemble("tv stand", parts, [top(width - 0.04, depth - 0.06, height, y=0.01)])
    third = width / 3
    parts += both(box(wood, (third, depth - _FACE, body), (third, _FACE / 2, foot)))
    for x in (-third, third):
        parts += fronts(wish, wood, metal, (third - 0.03, body - 0.04), (x, y, foot + 0.02))
    parts += [
        box(wood, (third, depth - _FACE, 0.025), (0.0, _FACE / 2, z))
        for z in (foot, foot + body / 2, height - 0.025)
    ]
    parts.append(box(wood, (third, 0.012, body), (0.0, depth / 2 - 0.006, foot)))
    niches = [top(third - 0.05, depth - 0.12, z + 0.025) for z in (foot, foot + body / 2)]
    return assemble("tv stand", parts, [top(width - 0.04, depth - 0.06, height, y=0.01), *niches])


def sideboard(wish: Wish) -> Thing:
    """A long cupboard at the height of a table."""
    wood, metal = wish.pick("wood", "wood_dark"), wish.pick("metal")
    width, depth, height = wish.wide(1.2, 1.7), wish.deep(0.42, 0.48), wish.high(0.78, 0.88)
    foot = (0.18, 0.07, 0.2, 0.05)[wish.variant]
    parts = legs(wood, width - 0.1, depth - 0.08, foot + 0.01, 0.05, taper=0.6, round_=wish.variant in (0, 2))
    body = height - foot
    parts.append(box(wood, (width, depth - _FACE, body), (0.0, _FACE / 2, foot), bevel=0.005))
    y, front = _FACE - depth / 2, wish.pick("paint") if wish.variant == 3 else wood
    third = (width - 0.04) / 3
    drawers = (1.0, 1.0, 1.0)
    for i in (-1, 0, 1):
        middle = wish.variant in (1, 2) and i == 0
        parts += fronts(
            wish,
            front,
            metal,
            (third, body - 0.05),
            (i * third, y, foot + 0.02),
            rows=drawers if middle else (1.0,),
            upright=not middle,
        )
    return assemble("sideboard", parts, [top(width - 0.06, depth - 0.1, height, y=0.02)])


def china_cabinet(wish: Wish) -> Thing:
    """A tall cupboard, closed below, with glass doors above to show the good plates."""
    wood, metal = wish.pick("wood", "wood_dark"), wish.pick("metal")
    width, depth, height, low = wish.wide(0.95, 1.2), wish.deep(0.4, 0.46), wish.high(1.85, 2.05), 0.8
    parts = [box(wood, (width, depth - _FACE, low), (0.0, _FACE / 2, 0.0))]
    y = _FACE - depth / 2
    parts += fronts(wish, wood, metal, (width - 0.04, low - 0.1), (0.0, y, 0.07), 2, upright=True)
    boards, tops = shelving(wood, width, depth - 0.1, height - low, 3, foot=0.0)
    parts += [board.moved(0.0, 0.05, low) for board in boards]
    tops = [(top(width - 0.1, depth - 0.18, 0.0, y=0.05)[0], z + low) for _, z in tops]
    y = 0.1 - depth / 2
    for x in (-width / 4, width / 4):
        parts += [
            box(
                wood,
                (0.05, 0.02, height - low - 0.02),
                (x + side * (width / 4 - 0.027), y - 0.01, low + 0.01),
            )
            for side in (-1, 1)
        ]
    parts += [box(wood, (width, 0.018, 0.05), (0.0, y - 0.01, z)) for z in (low, height - 0.05)]
    return assemble("china cabinet", parts, tops)


def bookshelf(wish: Wish) -> Thing:
    """Open shelves."""
    wood = wish.pick("wood", "wood_dark", "paint")
    width, depth, height = wish.wide(0.75, 1.0), wish.deep(0.28, 0.34), wish.high(1.7, 2.0)
    levels = max(2, round(height / 0.38))
    back = wish.pick("paint") if wish.variant == 1 else None
    parts, tops = shelving(wood, width, depth, height, levels, (0.06, 0.08, 0.12, 0.02)[wish.variant], back)
    if wish.variant == 3:
        metal = wish.pick("metal")
        parts += both(
            box(metal, (0.03, 0.02, height), (width / 2 + 0.016, -depth / 2 + 0.03, 0.0)),
            box(metal, (0.03, 0.02, height), (width / 2 + 0.016, depth / 2 - 0.03, 0.0)),
        )
    return assemble("bookshelf", parts, tops)


def shelf(wish: Wish) -> Thing:
    """A board on the wall."""
    wood, metal = wish.pick("wood", "wood_dark"), wish.pick("metal")
    width, depth = wish.wide(0.6, 0.9), wish.deep(0.2, 0.24)
    parts = [box(wood, (width, depth, 0.03), (0.0, 0.0, 0.12))]
    x = width / 2 - 0.12
    parts += both(
        box(metal, (0.02, 0.012, 0.12), (x, depth / 2 - 0.006, 0.0)),
        bar(metal, (x, depth / 2 - 0.01, 0.02), (x, -depth / 4, 0.12), 0.014),
    )
    return assemble("shelf", parts, [top(width - 0.04, depth - 0.04, 0.15)])


def filing_cabinet(wish: Wish) -> Thing:
    """A metal chest of drawers for papers."""
    body = wish.painted((0.35, 0.36, 0.37), (0.05, 0.05, 0.055), (0.6, 0.6, 0.56))
    width, depth, height = 0.42, wish.deep(0.5, 0.6), wish.choice((0.68, 1.02, 1.32))
    parts = [box(body, (width, depth - _FACE, height), (0.0, _FACE / 2, 0.0), bevel=0.004)]
    rows = (1.0,) * round(height / 0.33)
    parts += fronts(
        wish, body, STEEL, (width - 0.02, height - 0.05), (0.0, _FACE - depth / 2, 0.03), rows=rows
    )
    return assemble("filing cabinet", parts, [top(width - 0.04, depth - 0.1, height, y=0.02)])


def shoe_rack(wish: Wish) -> Thing:
    """Low slatted shelves with a few pairs of shoes."""
    wood = wish.pick("wood", "wood_dark", "metal")
    width, depth, height = wish.wide(0.65, 0.85), 0.3, wish.choice((0.4, 0.55))
    parts = legs(wood, width, depth, height, 0.03)
    levels = [0.1, 0.3] if height < 0.5 else [0.1, 0.3, 0.5]
    for z in levels:
        parts += [box(wood, (width - 0.06, 0.05, 0.015), (0.0, y, z)) for y in (-0.1, 0.0, 0.1)]
    for z in levels[:2]:
        pairs = int((width - 0.1) / 0.22)
        for i in range(pairs):
            if wish.chance(0.75):
                leather = wish.pick("leather", "fabric_accent")
                middle = (i + 0.5) * (width - 0.1) / pairs - (width - 0.1) / 2
                for x in (middle - 0.048, middle + 0.048):
                    parts.append(box(leather, (0.08, 0.24, 0.04), (x, 0.0, z + 0.015)))
                    parts.append(box(leather, (0.07, 0.12, 0.05), (x, 0.05, z + 0.05)))
    tops = [top(width - 0.08, depth - 0.04, height - 0.035)] if height > 0.5 else []
    return assemble("shoe rack", parts, tops)


def chest(wish: Wish) -> Thing:
    """A wooden chest with a lid and iron bands."""
    wood, metal = wish.pick("wood", "wood_dark"), wish.pick("metal")
    width, depth, height = wish.wide(0.8, 1.05), wish.deep(0.42, 0.5), wish.high(0.4, 0.48)
    parts = [
        box(wood, (width - 0.02, depth - 0.02, height - 0.06)),
        box(wood, (width, depth, 0.06), (0.0, 0.0, height - 0.06), bevel=0.015),
        box(metal, (0.06, 0.02, 0.09), (0.0, -depth / 2 + 0.005, height - 0.11)),
    ]
    parts += both(box(metal, (0.035, depth + 0.008, height - 0.07), (width / 2 - 0.14, 0.0, 0.005)))
    return assemble("chest", parts, [top(width - 0.1, depth - 0.1, height)])


def kitchen_shelf(wish: Wish) -> Thing:
    """A free-standing rack of steel or wood for a kitchen or a laundry."""
    frame = wish.pick("metal", "wood")
    width, depth, height = wish.wide(0.6, 0.85), wish.deep(0.35, 0.42), wish.high(1.3, 1.6)
    parts = legs(frame, width, depth, height, 0.03)
    tops = []
    for z in (0.12, 0.5, 0.88, height - 0.025):
        parts.append(box(frame, (width - 0.02, depth - 0.02, 0.025), (0.0, 0.0, z)))
        tops.append(top(width - 0.1, depth - 0.06, z + 0.025))
    return assemble("kitchen shelf", parts, tops)


def display_case(wish: Wish) -> Thing:
    """A pedestal with a glass box on it."""
    body = wish.pick("wood_dark", "paint")
    parts = [box(body, (0.5, 0.4, 0.85)), box(body, (0.5, 0.4, 0.03), (0.0, 0.0, 1.35))]
    parts += [box(GLASS, (0.02, 0.02, 0.5), (x, y, 0.85)) for x in (-0.24, 0.24) for y in (-0.19, 0.19)]
    parts.append(cylinder(BLACK, 0.2, 0.004, (0.0, 0.0, 0.85)))
    return assemble("display case", parts, [top(0.4, 0.3, 0.854), top(0.4, 0.3, 1.38)])
