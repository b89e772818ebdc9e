"""What people sit on."""

from helpanna.worlds.houses.furniture.joinery import legs
from helpanna.worlds.houses.furniture.shapes import Part, bar, both, box, cushion, cylinder, lathe, tube
from helpanna.worlds.houses.furniture.workshop import Wish, assemble, top
from helpanna.worlds.houses.layout import Material, Thing


def sofa(wish: Wish) -> Thing:
    """Three seats."""
    return _upholstered(wish, "sofa", wish.wide(1.85, 2.25), 3)


def loveseat(wish: Wish) -> Thing:
    """Two seats."""
    return _upholstered(wish, "loveseat", wish.wide(1.35, 1.55), 2)


def armchair(wish: Wish) -> Thing:
    """One upholstered seat with arms; in some houses a wooden frame with two cushions."""
    if wish.variant == 2:
        return _easy_chair(wish)
    return _upholstered(wish, "armchair", wish.wide(0.78, 0.92), 1)


def _upholstered(wish: Wish, name: str, width: float, seats: int) -> Thing:
    cover = wish.pick("leather") if wish.variant == 3 and wish.chance(0.6) else wish.pick("fabric")
    wood = wish.pick("wood", "wood_dark")
    depth, height = wish.deep(0.82, 0.95), wish.between(0.74, 0.9)
    foot = (0.12, 0.06, 0.16, 0.03)[wish.variant]
    arm = (0.12, 0.2, 0.09, 0.16)[wish.variant]
    arm_height = (0.58, 0.62, 0.52, 0.6)[wish.variant]
    inner, seat, back = width - 2 * arm, 0.42, 0.2
    parts = legs(wood, width - 0.06, depth - 0.06, foot, 0.05, taper=0.6, round_=wish.variant != 3)
    parts.append(box(cover, (width, depth, 0.24 - foot / 4), (0.0, 0.0, foot), bevel=0.02))
    parts.append(
        cushion(cover, (inner, back, height - 0.3), (0.0, (depth - back) / 2, 0.3), 0.06).turned(
            -4, "x", (0.0, depth / 2, 0.3)
        )
    )
    radius = (0.03, 0.09, 0.02, 0.05)[wish.variant]
    parts += both(
        cushion(
            cover,
            (arm, depth, arm_height - foot),
            ((width - arm) / 2, 0.0, foot),
            radius,
            2 if wish.variant % 2 else 1,
        )
    )
    each = inner / seats
    for i in range(seats):
        x = (i + 0.5) * each - inner / 2
        low = 0.22 + foot * 0.7
        parts.append(
            cushion(
                cover, (each - 0.01, depth - back - 0.02, seat + 0.02 - low), (x, -back / 2 - 0.01, low), 0.05
            )
        )
    return assemble(name, parts, [top(inner, depth - back - 0.25, seat + 0.02, y=-0.02)])


def _easy_chair(wish: Wish) -> Thing:
    wood, cover = wish.pick("wood", "wood_dark"), wish.pick("fabric_accent", "leather")
    width, depth, height = wish.wide(0.68, 0.76), wish.deep(0.76, 0.84), wish.between(0.78, 0.88)
    x, y = width / 2 - 0.025, depth / 2 - 0.04
    parts = both(
        bar(wood, (x, -y, 0.0), (x, -y + 0.06, 0.54), 0.03, 0.045),
        bar(wood, (x, y, 0.0), (x, y - 0.14, 0.54), 0.03, 0.045),
        box(wood, (0.05, depth - 0.06, 0.03), (x, 0.0, 0.53), bevel=0.008),
        bar(wood, (x, -y + 0.04, 0.3), (x, y - 0.06, 0.26), 0.035),
    )
    inner = width - 0.11
    parts.append(cushion(cover, (inner, depth - 0.2, 0.13), (0.0, -0.06, 0.29)).turned(-5, "x", (0, 0, 0.3)))
    parts.append(
        cushion(cover, (inner, 0.13, height - 0.36), (0.0, depth / 2 - 0.22, 0.34)).turned(
            -14, "x", (0, 0.2, 0.36)
        )
    )
    return assemble("armchair", parts, [top(inner - 0.1, 0.3, 0.43, y=-0.1)])


def dining_chair(wish: Wish) -> Thing:
    """A chair without arms."""
    wood = wish.pick("wood", "wood_dark")
    seat_cover = wood if wish.variant in (0, 3) else wish.pick("fabric", "leather")
    width, depth, height = wish.wide(0.42, 0.48), wish.deep(0.46, 0.52), wish.between(0.82, 0.98)
    thick, seat = 0.036, 0.45
    x, y = (width - thick) / 2, (depth - thick) / 2
    lean = 0.05
    legs_of = wish.pick("metal") if wish.variant == 3 else wood
    parts = both(
        bar(legs_of, (x, -y, 0.0), (x, -y, seat - 0.02), thick * 0.7, thick),
        bar(legs_of, (x, y - lean, 0.0), (x, y - lean, seat), thick * 0.7, thick),
        bar(legs_of, (x, y - lean, seat), (x, y, height), thick, thick * 0.7),
    )
    parts.append(cushion(seat_cover, (width, depth - 0.03, 0.045), (0.0, -0.015, seat - 0.03), 0.02, 1))
    parts += _chair_back(wish, wood, seat_cover, width - 2 * thick, y, seat, height, lean)
    if wish.variant == 1:
        parts += both(bar(wood, (x, -y, 0.2), (x, y - lean, 0.2), 0.02))
    return assemble("dining chair", parts)


def _chair_back(
    wish: Wish,
    wood: Material,
    cover: Material,
    inner: float,
    y: float,
    seat: float,
    height: float,
    lean: float,
) -> list[Part]:
    def leaning(z: float) -> float:
        return y - lean + lean * (z - seat) / (height - seat)

    match wish.variant:
        case 0:  # rungs
            rungs = [seat + (height - seat) * share for share in (0.4, 0.65, 0.9)]
            return [bar(wood, (-inner / 2, leaning(z), z), (inner / 2, leaning(z), z), 0.03) for z in rungs]
        case 1:  # spindles below a rail
            parts = [box(wood, (inner, 0.025, 0.07), (0.0, leaning(height - 0.06), height - 0.07))]
            for i in range(4):
                x = (i - 1.5) * inner / 4
                parts.append(
                    tube(
                        wood, [(x, leaning(seat), seat), (x, leaning(height - 0.07), height - 0.06)], 0.008, 5
                    )
                )
            return parts
        case 2:  # a padded back
            return [
                cushion(
                    cover,
                    (inner + 0.02, 0.05, height - seat - 0.12),
                    (0.0, leaning(height) - 0.02, seat + 0.12),
                    0.02,
                )
            ]
        case _:  # one board
            return [
                box(wood, (inner + 0.02, 0.02, 0.18), (0.0, leaning(height - 0.1), height - 0.2), bevel=0.006)
            ]


def office_chair(wish: Wish) -> Thing:
    """A swivel chair on five castors."""
    cover, metal = wish.pick("fabric", "leather"), wish.pick("metal")
    parts = [cylinder(metal, 0.028, 0.32, (0.0, 0.0, 0.08), sides=8)]
    for i in range(5):
        arm = bar(metal, (0.0, 0.0, 0.1), (0.0, -0.29, 0.06), 0.045, 0.03).turned(72 * i)
        wheel = (
            cylinder(metal, 0.03, 0.03, (0.0, 0.0, -0.015), sides=6).turned(90, "y").moved(0.0, -0.28, 0.03)
        )
        parts += [arm, wheel.turned(72 * i)]
    parts.append(cushion(cover, (0.48, 0.48, 0.09), (0.0, -0.02, 0.4), 0.04, 1))
    tall = wish.between(0.42, 0.62)
    back = cushion(cover, (0.44, 0.07, tall), (0.0, 0.25, 0.56), 0.035, 1)
    parts += [back.turned(-6, "x", (0.0, 0.25, 0.56)), bar(metal, (0.0, 0.16, 0.42), (0.0, 0.28, 0.62), 0.05)]
    if wish.variant in (1, 3):
        parts += both(
            box(metal, (0.05, 0.26, 0.03), (0.27, 0.0, 0.66), bevel=0.01),
            bar(metal, (0.23, 0.02, 0.44), (0.27, 0.02, 0.67), 0.03),
        )
    return assemble("office chair", parts)


def bar_stool(wish: Wish) -> Thing:
    """A high stool for a kitchen island."""
    seat = wish.pick("leather", "wood")
    frame = wish.pick("metal") if wish.variant in (1, 3) else wish.pick("wood")
    if wish.variant == 1:
        parts = [
            lathe(frame, [(0.2, 0.0), (0.2, 0.015), (0.035, 0.05), (0.025, 0.62)], sides=12),
            cushion(seat, (0.38, 0.38, 0.08), (0.0, 0.0, 0.62), 0.04),
        ]
        return assemble("bar stool", parts)
    parts = legs(frame, 0.4, 0.4, 0.64, 0.035, splay=0.05)
    parts += [bar(frame, (-0.17, y, 0.22), (0.17, y, 0.22), 0.02) for y in (-0.17, 0.17)]
    parts += both(bar(frame, (0.17, -0.17, 0.26), (0.17, 0.17, 0.26), 0.02))
    parts.append(
        cylinder(seat, 0.18, 0.05, (0.0, 0.0, 0.63), sides=12)
        if wish.variant == 2
        else cushion(seat, (0.36, 0.36, 0.06), (0.0, 0.0, 0.63), 0.025, 1)
    )
    return assemble("bar stool", parts)


def stool(wish: Wish) -> Thing:
    """A low round seat on three or four legs."""
    wood = wish.pick("wood", "wood_dark")
    height, radius = wish.high(0.42, 0.48), wish.between(0.15, 0.18)
    count = 3 + wish.variant % 2
    parts = [
        lathe(
            wood,
            [(radius * 0.94, height - 0.03), (radius, height - 0.015), (radius * 0.94, height)],
            sides=14,
        )
    ]
    leg = bar(wood, (radius, 0.0, 0.0), (radius * 0.6, 0.0, height - 0.025), 0.025, 0.035)
    parts += [leg.turned(360 * i / count + 45) for i in range(count)]
    return assemble("stool", parts, [top(radius * 1.2, radius * 1.2, height)])


def bench(wish: Wish) -> Thing:
    """A long seat without a back."""
    wood = wish.pick("wood", "wood_dark")
    width, depth, height = wish.wide(0.9, 1.2), wish.deep(0.34, 0.4), 0.45
    if wish.variant in (0, 2):
        parts = legs(wood, width, depth, height - 0.03, 0.05, splay=0.03, taper=0.7)
    else:
        parts = both(box(wood, (0.04, depth - 0.02, height - 0.03), (width / 2 - 0.08, 0.0, 0.0)))
        parts.append(box(wood, (width - 0.2, 0.025, 0.08), (0.0, 0.0, height - 0.13)))
    parts.append(box(wood, (width, depth, 0.035), (0.0, 0.0, height - 0.035), bevel=0.006))
    if wish.chance(0.5):
        pad = cushion(
            wish.pick("fabric_accent"), (width - 0.04, depth - 0.03, 0.05), (0.0, 0.0, height), 0.02, 1
        )
        return assemble("bench", [*parts, pad], [top(width - 0.1, depth - 0.08, height + 0.05)])
    return assemble("bench", parts, [top(width - 0.06, depth - 0.06, height)])


def ottoman(wish: Wish) -> Thing:
    """A large upholstered block to sit on or to put the feet up."""
    cover = wish.pick("fabric", "fabric_accent", "leather")
    width, depth, height = wish.wide(0.6, 0.8), wish.deep(0.5, 0.6), wish.high(0.38, 0.44)
    if wish.variant == 1:
        parts = [lathe(cover, [(0.26, 0.0), (0.3, 0.05), (0.31, 0.2), (0.3, 0.36), (0.25, 0.41)], sides=16)]
        return assemble("ottoman", parts, [top(0.34, 0.34, 0.41)])
    parts = legs(wish.pick("wood", "wood_dark"), width - 0.04, depth - 0.04, 0.08, 0.05, taper=0.6)
    parts.append(cushion(cover, (width, depth, height - 0.2), (0.0, 0.0, 0.08), 0.02, 1))
    parts.append(cushion(cover, (width + 0.01, depth + 0.01, 0.13), (0.0, 0.0, height - 0.13), 0.05))
    return assemble("ottoman", parts, [top(width - 0.16, depth - 0.16, height)])


def footstool(wish: Wish) -> Thing:
    """A small padded stool for the feet."""
    cover, wood = wish.pick("fabric_accent", "leather"), wish.pick("wood", "wood_dark")
    height = wish.between(0.3, 0.36)
    parts = legs(wood, 0.42, 0.34, height - 0.1, 0.035, splay=0.03, taper=0.6, round_=wish.variant % 2 == 0)
    parts.append(cushion(cover, (0.44, 0.36, 0.12), (0.0, 0.0, height - 0.12), 0.045))
    return assemble("footstool", parts, [top(0.3, 0.22, height)])
