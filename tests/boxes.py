"""Box-shaped furniture for houses, where tests need to know exactly what stands where."""

from dataclasses import replace

from helpanna.worlds.houses.layout import House, Material, Placed, Thing
from helpanna.worlds.houses.sheets import Sheets

PAINT = Material("paint", (0.5, 0.4, 0.3), (0.3, 0.2, 0.1))


def box(kind: str, width: float, depth: float, height: float) -> Thing:
    sheets = Sheets()
    sheets.box((-width / 2, width / 2), (-depth / 2, depth / 2), (0.0, height), 0)
    return Thing(kind, sheets.mesh(), (PAINT,), (width, depth, height))


def with_boxes(house: House, *placed: Placed) -> House:
    return replace(house, things=(*house.things, *placed))


def in_middle(
    house: House, room: int, thing: Thing, z: float = 0.0, dx: float = 0.0, dy: float = 0.0
) -> Placed:
    x, y = house.rooms[room].rect.centre
    return Placed(thing, room, (x + dx, y + dy, house.rooms[room].z + z), 0)


def room_of_kind(house: House, kind: str) -> int:
    return next(i for i, room in enumerate(house.rooms) if room.kind == kind)
