"""Living rooms and bedrooms: groups around a sofa, groups around a bed."""

from collections.abc import Sequence
from dataclasses import replace

from helpanna.worlds.houses.arrangement.dining import dining_group
from helpanna.worlds.houses.arrangement.groups import GAP, Member, spin
from helpanna.worlds.houses.arrangement.pieces import (
    NoSpaceError,
    hang,
    light,
    picture_over,
    pictures,
    piece,
    plant,
    radiators,
    rug_under,
    window_cloths,
)
from helpanna.worlds.houses.arrangement.small import on_top
from helpanna.worlds.houses.arrangement.space import Space
from helpanna.worlds.houses.layout import Placed, Side, Thing
from helpanna.worlds.houses.openings import SIDES

_CORNER = {"corner": 1.0}
_FURTHEST = 4.4  # metres between a television's wall and the wall behind the sofa
_LARGE = 24.0  # square metres; a larger living room looks bare without more furniture
_HEARTHS = ("classic", "farmhouse", "mediterranean", "industrial loft")


def living_room(space: Space, eat_here: bool) -> None:
    """A sofa that faces a television or a fireplace, a low table and a rug between them."""
    hearth = space.style.name in _HEARTHS and space.chance(0.45)
    group = _sofa_group(space, "fireplace" if hearth else "tv stand")
    low = [placed for placed in group if placed.thing.type in ("coffee table", "sofa", "loveseat")]
    if len(low) > 1:
        rug_under(space, [placed for placed in low if placed.thing.type == "coffee table"], 0.55)
    if eat_here:
        dining_group(space, most=6, need=False)
    area = space.room.rect.area
    if area > 15:
        seat = "loveseat" if area > 20 and space.chance(0.35) else "armchair"
        piece(space, seat, access=0.45, taste={"corner": 0.4})
    large = area > _LARGE
    if large or space.wants(0.85):
        piece(space, "bookshelf", (1.0, 0.8), 0.5, _CORNER)
    for type, probability in (("side table", 0.7), ("floor lamp", 0.8)):
        if space.wants(probability):
            thing = space.make(type)
            _beside(space, thing, "sofa", "loveseat") or space.at_wall(Member(thing), taste=_CORNER)
    if space.wants(0.4):
        speaker = space.make("speaker")
        for _ in range(2):
            _beside(space, speaker, "tv stand")
    if area > 20 and space.wants(0.4):
        _piano(space)
    if large or (area > 18 and space.wants(0.6)):
        sideboard = piece(space, "sideboard", (1.6, 1.3), 0.5, {"middle": 0.3})
        if sideboard:
            picture_over(space, sideboard)
    for type, probability in (
        ("ottoman", 0.4),
        ("basket", 0.4),
        ("guitar", 0.25),
        ("pedestal", 0.2),
        ("footstool", 0.25),
        ("display case", 0.12),
        ("fan", 0.12),
    ):
        if space.wants(probability):
            piece(space, type, access=0.0, taste={"corner": 0.6})
    for _ in range(2):
        plant(space, 0.6)
    light(space, "chandelier" if space.style.name == "classic" and space.chance(0.6) else "ceiling lamp")
    radiators(space)
    window_cloths(space, "curtain" if space.chance(0.85) else "blinds")
    for placed in list(space.placed):
        if placed.thing.type in ("sofa", "fireplace") and space.wants(0.8):
            picture_over(
                space,
                placed,
                "mirror" if placed.thing.type == "fireplace" and space.chance(0.4) else "picture",
            )
    pictures(space, 2, "picture", "clock")


def _sofa_group(space: Space, focus: str) -> list[Placed]:
    """Tries a sofa opposite its focus in all sizes; then both wherever they fit."""
    sizes = [("sofa", 2.2, 1.6), ("sofa", 1.9, 1.4), ("sofa", 1.75, 1.2), ("loveseat", 1.4, 1.2)]
    if space.room.rect.area < 17:
        sizes = sizes[1:]
    lit = [side for _, side in space.windows]
    sides = [SIDES[i] for i in space.rng.permutation(4).tolist()]
    sides.sort(key=lambda side: side in lit)  # nobody likes to look at a screen against the light
    for seat, wide, stand in sizes:
        front = space.make(focus, width=min(stand, 1.45) if focus == "fireplace" else stand)
        focused = _focus(space, front)
        sofa, table = space.make(seat, width=wide), space.make("coffee table")
        for side in sides:
            for distance in _distances(space, side):
                y = distance - sofa.size[1] / 2
                gap = y - sofa.size[1] / 2 - front.size[1] - GAP
                middle = y - sofa.size[1] / 2 - 0.38 - table.size[1] / 2
                if gap < 0.38 + table.size[1] + 0.5:
                    continue
                facing = _with_access(focused, gap)
                members = [*facing, Member(sofa, y=y, turn=2), Member(table, y=middle)]
                found = space.at_wall(*members, sides=[side], taste={"middle": 0.3, "window": -1.0})
                if found:
                    return found
    seat_alone = piece(space, "sofa", (2.0, 1.8, 1.6), 0.7, {"middle": 0.3}, need=True)
    for width in (1.3, 1.1, 0.9):
        focused = _with_access(_focus(space, space.make(focus, width=width)), 0.7)
        found = space.at_wall(*focused, taste={"middle": 0.3, "window": -1.0})
        if found:
            return [*([seat_alone] if seat_alone else []), *found]
    raise NoSpaceError(f"no place for a {focus}")


def _focus(space: Space, front: Thing) -> list[Member]:
    """What a sofa faces; with a tv stand goes the television on it, so that neither is before a window."""
    group = [Member(front)]
    if front.type == "tv stand":
        screen = space.make("television", width=min(1.35, front.size[0] * 0.85))
        group.append(Member(screen, y=group[0].distance, z=front.tops[0][1]))
    return group


def _with_access(group: Sequence[Member], access: float) -> list[Member]:
    """The group with this many metres free before its first member."""
    return [replace(group[0], access=access), *group[1:]]


def _distances(space: Space, side: Side) -> Sequence[float]:
    """How far the sofa's back may be from the wall of what it faces."""
    r = space.room.rect
    whole = r.depth if side in ("south", "north") else r.width
    if whole <= _FURTHEST:
        return (whole - GAP,)
    return tuple(float(d) for d in space.rng.permutation([3.2, 3.5, 3.8]) if d < whole - 0.8)


def _beside(space: Space, thing: Thing, *types: str) -> bool:
    """Puts a thing beside one of these, at either end, their backs in line."""
    for one in [placed for placed in space.placed if placed.thing.type in types]:
        for way in (1, -1) if space.chance(0.5) else (-1, 1):
            x = way * (one.thing.size[0] / 2 + 0.06 + thing.size[0] / 2)
            dx, dy = spin(x, (one.thing.size[1] - thing.size[1]) / 2, one.quarter)
            if space.at(Member(thing), one.position[0] + dx, one.position[1] + dy, one.quarter):
                return True
    return False


def _piano(space: Space) -> None:
    piano, stool = space.make("piano"), space.make("stool")
    space.at_wall(
        Member(piano), Member(stool, y=piano.size[1] + GAP + stool.size[1] / 2 + 0.05), taste={"middle": 0.2}
    )


def bedroom(space: Space, child: bool) -> None:
    """A bed with its head to a wall, nightstands, a wardrobe."""
    wardrobe_first = space.chance(0.3)  # tall things cannot stand before windows
    if wardrobe_first:
        piece(space, "wardrobe", (1.4, 1.1, 0.9), 0.6, _CORNER, need=True)
    bed = _bed(space, child)
    if not wardrobe_first:
        piece(space, "wardrobe", (1.7, 1.4, 1.1, 0.9, 0.7), 0.6, _CORNER, need=True)
    area = space.room.rect.area
    if space.wants(0.6):
        rug_under(space, [bed], 0.35)
    if child:
        _for_children(space)
    else:
        _for_adults(space, area)
    if space.wants(0.35):
        piece(space, "laundry basket", access=0.0, taste=_CORNER)
    if space.wants(0.3):
        piece(space, "floor lamp", access=0.0, taste=_CORNER)
    plant(space, 0.35)
    light(space)
    radiators(space)
    window_cloths(space, "curtain" if space.chance(0.85) else "blinds")
    if space.wants(0.8) and bed.thing.type == "bed":
        picture_over(space, bed)
    for chest in list(space.things("dresser")):
        picture_over(space, chest, "mirror" if space.chance(0.7) else "picture")
    if space.wants(0.3):
        hang(space, space.make("shelf"), 1.45)
    pictures(space, 1, "clock" if space.chance(0.3) else "picture")


def _bed(space: Space, child: bool) -> Placed:
    """The widest bed that fits, with a nightstand on both sides, one side, or none."""
    if child and space.wants(0.35):
        bunk = space.make("bunk bed")
        along = Member(bunk, y=GAP + bunk.size[0] / 2, turn=1 if space.chance(0.5) else 3, access=0.5)
        found = space.at_wall(along, taste={"corner": 1.0, "door": -0.3})
        if found:
            return found[0]
    stand = space.make("nightstand")
    sizes = [1.0, 0.9] if child else [1.8, 1.6, 1.4, 1.2, 0.95]
    if space.room.rect.area < 11:
        sizes = sizes[-2:] if child else sizes[1:]
    for count in (2, 1, 0):
        for width in sizes if count == 2 else sizes[1:]:
            bed = space.make("bed", width=width)
            aside = (bed.size[0] + stand.size[0]) / 2 + 0.03
            way = 1 if space.chance(0.5) else -1
            stands = [Member(stand, x * way * aside) for x in (1, -1)][:count]
            found = space.at_wall(Member(bed, access=0.6), *stands, taste={"middle": 0.3, "door": -0.3})
            if found:
                return found[0]
    bed = space.make("bed", width=0.9)
    for turn in (1, 3):  # along the wall
        found = space.at_wall(Member(bed, y=GAP + bed.size[0] / 2, turn=turn), taste={"corner": 1.0})
        if found:
            return found[0]
    raise NoSpaceError("no place for a bed")


def _for_adults(space: Space, area: float) -> None:
    piece(space, "dresser", (1.2, 1.0, 0.8), 0.6, {"middle": 0.2})
    if area > 12 and space.wants(0.5):
        vanity, stool = space.make("vanity"), space.make("stool")
        seat = Member(stool, y=GAP + vanity.size[1] + stool.size[1] / 2 + 0.03)
        space.at_wall(Member(vanity), seat, taste={"window": 0.3})
    if area > 13 and space.wants(0.5):
        piece(space, "armchair", access=0.45, taste=_CORNER)
    for type, probability in (
        ("bench", 0.25),
        ("chest", 0.25),
        ("suitcase", 0.15),
        ("exercise bike", 0.08),
        ("weights", 0.1),
        ("ironing board", 0.1),
        ("bookshelf", 0.25),
    ):
        if space.wants(probability):
            piece(space, type, access=0.3 if type == "bookshelf" else 0.0, taste=_CORNER)
    if area > 13 and space.wants(0.2):
        piece(space, "crib", access=0.5, taste=_CORNER)


def _for_children(space: Space) -> None:
    chair = space.make("office chair")
    for width in (1.2, 1.0):
        desk = space.make("desk", width=width)
        seat = Member(chair, y=GAP + desk.size[1] + chair.size[1] / 2 + 0.02, turn=2)
        found = space.at_wall(Member(desk), seat, taste={"window": 0.6, "corner": 0.3})
        if found:
            on_top(space, found[0], space.make("computer"), middle=True)
            break
    piece(space, "bookshelf", (0.8,), 0.4, _CORNER)
    for type, probability in (
        ("toy", 0.8),
        ("ball", 0.6),
        ("teddy bear", 0.5),
        ("basket", 0.5),
        ("guitar", 0.2),
        ("toy", 0.4),
    ):
        if space.wants(probability):
            piece(space, type, access=0.0)
