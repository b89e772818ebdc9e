"""The habits of each kind of room but kitchens: what stands there, and where."""

from helpanna.worlds.houses.arrangement.dining import dining_group
from helpanna.worlds.houses.arrangement.groups import Member, spin
from helpanna.worlds.houses.arrangement.pieces import (
    HUNG,
    NoSpaceError,
    before_opening,
    hang,
    hang_over,
    in_front,
    light,
    picture_over,
    pictures,
    piece,
    plant,
    radiators,
    rug_under,
    smoke_detector,
    window_cloths,
)
from helpanna.worlds.houses.arrangement.small import on_top
from helpanna.worlds.houses.arrangement.space import Space
from helpanna.worlds.houses.layout import Placed

_CORNER = {"corner": 1.0}
# Square metres; a larger one looks bare without more furniture.
_LARGE_DINING_ROOM, _LARGE_LAUNDRY_ROOM = 9.0, 7.5


def dining_room(space: Space) -> None:
    """The table in the middle, cupboards along the walls."""
    large = space.room.rect.area > _LARGE_DINING_ROOM
    table = dining_group(space, most=8, need=True)
    if table and space.wants(0.5):
        rug_under(space, table, 0.1)
    if large or space.wants(0.8):
        sideboard = piece(space, "sideboard", (1.6, 1.3, 1.0), 0.5, {"middle": 0.3})
        if sideboard:
            picture_over(space, sideboard, "mirror" if space.chance(0.3) else "picture")
    if large or space.wants(0.6):
        piece(space, "china cabinet", access=0.5, taste=_CORNER)
    plant(space, 0.6)
    if space.wants(0.3):
        piece(space, "pedestal", access=0.0, taste=_CORNER)
    radiators(space)
    window_cloths(space, "curtain")
    pictures(space, 2, "picture", "clock")
    if not space.has("pendant lamp", "chandelier"):
        light(space)


def office(space: Space) -> None:
    """A desk with a chair and a computer, shelves, papers."""
    chair = space.make("office chair")
    for width in (1.5, 1.2, 1.0):
        desk = space.make("desk", width=width)
        seat = Member(chair, 0.0, 0.02 + desk.size[1] + chair.size[1] / 2 + 0.02, 2)
        found = space.at_wall(Member(desk), seat, taste={"window": 0.6, "corner": 0.3})
        if found:
            break
    else:
        raise NoSpaceError("no place for a desk")
    _computer(space, found[0])
    piece(space, "bookshelf", (1.0, 0.8), 0.5, _CORNER, need=True)
    if space.wants(0.6):
        piece(space, "filing cabinet", access=0.5, taste=_CORNER)
    if space.wants(0.5):
        piece(space, "bookshelf", (0.9, 0.7), 0.5, _CORNER)
    if space.wants(0.5):
        piece(space, "armchair", access=0.5, taste=_CORNER)
    for type, probability in (
        ("exercise bike", 0.25),
        ("treadmill", 0.1),
        ("guitar", 0.25),
        ("floor lamp", 0.4),
        ("water cooler", 0.15),
    ):
        if space.wants(probability):
            piece(space, type, access=0.0, taste=_CORNER)
    piece(space, "trash can", access=0.0, taste=_CORNER)
    plant(space, 0.5)
    light(space)
    radiators(space)
    window_cloths(space, "curtain" if space.chance(0.5) else "blinds")
    if space.wants(0.6):
        hang(space, space.make("whiteboard"), 1.1)
    if space.wants(0.4):
        hang(space, space.make("bulletin board"), 1.25)
    if space.wants(0.4):
        hang(space, space.make("shelf"), 1.45)
    pictures(space, 2, "picture", "clock")
    if space.wants(0.6):
        for shelf in space.things("bookshelf"):
            on_top(space, shelf, space.make("globe"))
            break


def _computer(space: Space, desk: Placed) -> None:
    if space.wants(0.6):
        on_top(space, desk, space.make("monitor"), middle=True)
        for y in (0.12, 0.2):
            keyboard = space.make("keyboard")
            at = desk.thing.tops[0]
            place = Placed(keyboard, space.index, _local(desk, 0.0, at[0].y0 + y, at[1]), desk.quarter)
            if space.fits(place, desk):
                space.add(place)
                break
    else:
        on_top(space, desk, space.make("computer"), middle=True)


def _local(support: Placed, x: float, y: float, z: float) -> tuple[float, float, float]:
    dx, dy = spin(x, y, support.quarter)
    return support.position[0] + dx, support.position[1] + dy, support.position[2] + z


def bathroom(space: Space, washes: bool) -> None:
    """Bath or shower, washbasin with a mirror, toilet with paper at hand.

    Args:
        space: the room.
        washes: whether the house has nowhere else to wash clothes.
    """
    area = space.room.rect.area
    wanted = ["bathtub", "shower"] if area > 7 else [("bathtub", "shower")[int(space.chance(0.5))], "shower"]
    basin = None
    if space.wants(0.5):
        basin = piece(space, "washbasin", (0.7, 0.6, 0.52), 0.55, {"middle": 0.3})
    for type in wanted:
        widths = (1.7, 1.55, 1.4) if type == "bathtub" else (0.95, 0.85, 0.8)
        if not space.has("bathtub", "shower") or area > 7:
            piece(space, type, widths, 0.5, {"corner": 2.0, "door": -0.3})
    if not space.has("bathtub", "shower"):
        raise NoSpaceError("no place for a bath")
    basin = basin or piece(space, "washbasin", (0.6, 0.52, 0.45), 0.5, {"middle": 0.3}, need=True)
    toilet = piece(space, "toilet", access=0.45, taste={"corner": 0.5, "door": -0.2}, need=True)
    if basin:
        hang_over(space, space.make("mirror", width=basin.thing.size[0] * 0.9), basin, 1.12)
    if toilet:
        _paper(space, toilet)
    for bath in list(space.placed):
        if bath.thing.type in ("bathtub", "shower") and space.wants(0.8) and not space.has("bath mat"):
            in_front(space, bath, space.make("bath mat"), 0.06, ("door",))
    _hang_towels(space)
    if washes and area > 4.5 and space.chance(0.6):
        piece(space, "washing machine", access=0.5, taste=_CORNER)
    for type, probability in (
        ("laundry basket", 0.6),
        ("trash can", 0.6),
        ("toilet brush", 0.7),
        ("scale", 0.3),
    ):
        if space.wants(probability):
            thing = space.make(type, height=0.32) if type == "trash can" else space.make(type)
            space.at_wall(Member(thing), taste=_CORNER)
    if space.wants(0.25):
        piece(space, "stool", access=0.0)
    light(space)
    radiators(space, 0.4)
    window_cloths(space, "blinds")
    pictures(space, 1, "picture")


def _paper(space: Space, toilet: Placed) -> None:
    """The paper hangs on the wall the toilet stands at, within reach."""
    thing = space.make("toilet paper")
    for aside in (0.16, -0.16):
        x = aside + (toilet.thing.size[0] / 2 + 0.06) * (1 if aside > 0 else -1)
        at = _local(toilet, x, toilet.thing.size[1] / 2 + 0.016 - thing.size[1] / 2, 0.0)
        if space.at(Member(thing, z=0.65, avoids=HUNG), at[0], at[1], toilet.quarter):
            return
    hang(space, thing, 0.65)


def _hang_towels(space: Space) -> None:
    if space.wants(0.6):
        hang(space, space.make("towel rack"), 1.0)
    for _ in range(1 + int(space.chance(0.4))):
        hang(space, space.make("towel"), 0.85)


def laundry_room(space: Space) -> None:
    """A washing machine, a dryer beside it if there is space, baskets and boards."""
    washer, dryer = space.make("washing machine"), space.make("dryer")
    aside = washer.size[0] / 2 + 0.01
    pair = space.at_wall(Member(washer, -aside, access=0.6), Member(dryer, aside, access=0.6), taste=_CORNER)
    if not pair:
        piece(space, "washing machine", access=0.6, taste=_CORNER, need=True)
    piece(space, "laundry basket", access=0.0, taste=_CORNER)
    if space.wants(0.7):
        piece(space, "ironing board", access=0.4)
    large = space.room.rect.area > _LARGE_LAUNDRY_ROOM
    if large or space.wants(0.6):
        piece(space, "kitchen shelf", access=0.5, taste=_CORNER)
    if large or space.wants(0.4):
        piece(space, "washbasin", (0.6, 0.52), 0.5)
    for type, probability in (
        ("ladder", 0.4),
        ("heater", 0.3),
        ("basket", 0.4),
        ("fan", 0.2),
        ("trash can", 0.4),
    ):
        if space.wants(probability):
            piece(space, type, access=0.0, taste=_CORNER)
    if space.wants(0.5):
        hang(space, space.make("shelf"), 1.5)
    light(space)
    window_cloths(space, "blinds")
    pictures(space, 1, "clock")


def hall(space: Space) -> None:
    """Coats and shoes near the front door."""
    for opening, side in space.doors:
        if opening.other is None:
            before_opening(space, space.make("door mat"), opening, side, 0.0, 0.08, ())
    near = {"door": 0.5, "corner": 0.3}
    if space.wants(0.5):
        rack = space.make("coat rack", width=0.8)
        hang(space, rack, 0.95, near) or piece(space, "coat rack", access=0.0, taste=near)
    else:
        piece(space, "coat rack", access=0.0, taste=near)
    piece(space, "shoe rack", (0.8, 0.65), 0.3, near)
    console = piece(space, "console table", (1.0, 0.8), 0.4, {"middle": 0.3})
    if console:
        picture_over(space, console, "mirror" if space.chance(0.7) else "picture")
    for type, probability in (("umbrella stand", 0.7), ("bench", 0.4), ("suitcase", 0.2), ("chest", 0.2)):
        if space.wants(probability):
            piece(space, type, access=0.0, taste=_CORNER)
    plant(space, 0.4)
    light(space, "pendant lamp" if space.chance(0.3) else "ceiling lamp")
    smoke_detector(space)
    if space.wants(0.6):
        hang(space, space.make("thermostat"), 1.45)
    window_cloths(space, "curtain" if space.chance(0.3) else "blinds")
    pictures(space, 1, "clock" if space.chance(0.3) else "picture")


def corridor(space: Space) -> None:
    """Little stands in a corridor; its walls carry pictures."""
    light(space)
    smoke_detector(space)
    for type, probability in (("console table", 0.5), ("bench", 0.3), ("bookshelf", 0.3), ("pedestal", 0.3)):
        if space.wants(probability):
            found = piece(space, type, access=0.0, taste={"middle": 0.1})
            if found and type == "console table":
                picture_over(space, found, "mirror" if space.chance(0.5) else "picture")
    plant(space, 0.4)
    radiators(space, 0.5)
    window_cloths(space, "curtain" if space.chance(0.5) else "blinds")
    pictures(space, 2, "picture")


def stairs(space: Space) -> None:
    """Pictures along the wall, perhaps a plant."""
    light(space)
    smoke_detector(space)
    plant(space, 0.4)
    if space.wants(0.3):
        piece(space, "chest", access=0.0, taste=_CORNER)
    window_cloths(space, "curtain" if space.chance(0.5) else "blinds")
    pictures(space, 2, "picture")
