"""The outline of a generated house, exact: for plans."""

from helpanna.worlds.houses.doors import door_leaves
from helpanna.worlds.houses.layout import WALL, House, Opening, Rect
from helpanna.worlds.houses.openings import front_zone
from helpanna.worlds.outlines import OpeningOutline, Outline, Rectangle, RoomOutline, StairOutline


def house_outline(house: House) -> Outline:
    """Walls, doors, windows and stairs of a house."""
    return Outline(
        rooms=tuple(RoomOutline(i, room.floor, _sides(room.rect)) for i, room in enumerate(house.rooms)),
        openings=tuple(
            OpeningOutline(
                opening.kind,
                house.rooms[opening.room].floor,
                _sides(_tunnel(house, opening)),
                None if leaf is None else _sides(leaf),
            )
            for opening, leaf in zip(house.openings, door_leaves(house), strict=True)
        ),
        stairs=tuple(
            StairOutline(house.rooms[stair.lower].floor, _sides(stair.rect), stair.towards, stair.steps)
            for stair in house.stairs
        ),
        wall=WALL,
    )


def _tunnel(house: House, opening: Opening) -> Rect:
    """The floor inside the wall: it lies outwards from the room."""
    return front_zone(house.rooms[opening.room].rect, opening, opening.side, -WALL)


def _sides(rect: Rect) -> Rectangle:
    x0, y0, x1, y1 = (round(float(side), 4) for side in (rect.x0, rect.y0, rect.x1, rect.y1))
    return x0, y0, x1, y1
