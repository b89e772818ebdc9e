"""Floor plans as shapes, for the page to draw: rooms, ways, places, objects, zones of attention."""

from typing import Any

import numpy as np

from helpanna.tasks.routes import NO_ROUTE
from helpanna.tasks.split import Split
from helpanna.worlds.outlines import Outline
from helpanna.worlds.plan_rooms import NO_ROOM_COLOUR, room_areas, room_colours
from helpanna.worlds.wall_shapes import Shape, wall_shapes
from helpanna.worlds.world import World

_BORDER = 1.6
"""Metres of ground around everything."""
_WALL_BORDER = 0.6
"""Where the walls are known."""
_EVERY = 2
"""Of a room's outline, one point in two is drawn: a point each 20 cm."""


def plan_of(split: Split, world: int) -> dict[str, Any]:
    """The plan of a building; places are counted from the building's first location.

    Returns:
        name: of the building.
        first: the location id of its place 0.
        bounds: west, south, east, north in metres.
        floors: for each storey its number; its rooms: colour, kind, middle, outlines [[[x, y], ...], ...];
            and its walls, doors, windows and stairs, [[kind, [[x, y], ...]], ...] in the order in which
            they are drawn, see `Shape`, empty where it is not known where they are.
        places: [[x, y, storey, room kind], ...].
        edges: [[place, place], ...].
        objects: [[x, y, storey, type], ...].
        zones: the places where help can be requested.
    """
    atlas = split.atlas
    building = atlas.world(world)
    ground = np.concatenate([building.positions, building.object_positions])[:, :2]
    outline = atlas.outlines.get(building.name)
    if outline is not None:
        corners = np.array([room.rectangle for room in outline.rooms]).reshape(-1, 2)
        ground = np.concatenate([ground, corners])
    border = _BORDER if outline is None else _WALL_BORDER
    low, high = ground.min(axis=0) - border, ground.max(axis=0) + border
    ids = atlas.locations(world)
    zones = split.zones[ids.start : ids.stop]
    attended = np.flatnonzero(zones[:, 0] != NO_ROUTE) if zones.shape[1] else np.zeros(0, dtype=int)
    kinds = [building.rooms[room].kind if room >= 0 else "" for room in building.room_of.tolist()]
    return {
        "name": building.name,
        "first": ids.start,
        "bounds": [*low.round(2).tolist(), *high.round(2).tolist()],
        "floors": [
            {
                "floor": floor,
                "rooms": _rooms(building, floor, low, high)
                if outline is None
                else _walled_rooms(building, outline, floor),
                "walls": [] if outline is None else _walls(outline, floor),
            }
            for floor in np.unique(building.floors).tolist()
        ],
        "places": [
            [*place, floor, kind]
            for place, floor, kind in zip(
                building.positions[:, :2].round(2).tolist(), building.floors.tolist(), kinds, strict=True
            )
        ],
        "edges": building.edges.tolist(),
        "objects": [
            [*place, floor, kind]
            for place, floor, kind in zip(
                building.object_positions[:, :2].round(2).tolist(),
                building.floors[building.delegates].tolist(),
                building.object_types,
                strict=True,
            )
        ],
        "zones": attended.tolist(),
    }


def _rooms(building: World, floor: int, low: Any, high: Any) -> list[dict[str, Any]]:
    """The ground around the places of each room, where nobody knows the walls."""
    from contourpy import contour_generator  # comes with matplotlib

    colours = room_colours(building)
    rooms = []
    for room, area in room_areas(building, floor, low, high).items():
        outlines: Any = contour_generator(area.x, area.y, area.cover).lines(0.5)
        places = area.places
        middle = places[np.linalg.norm(places - places.mean(axis=0), axis=1).argmin()]
        rooms.append(
            {
                "kind": building.rooms[room].kind if room >= 0 else "",
                "colour": colours[room] if room >= 0 else NO_ROOM_COLOUR,
                "middle": middle.round(2).tolist(),
                "outlines": [
                    outline[::_EVERY].round(2).tolist() for outline in outlines if len(outline) > 2 * _EVERY
                ],
            }
        )
    return rooms


def _walled_rooms(building: World, outline: Outline, floor: int) -> list[dict[str, Any]]:
    """The rooms from wall to wall."""
    colours = room_colours(building)
    return [
        {
            "kind": building.rooms[shape.room].kind,
            "colour": colours[shape.room],
            "middle": [round(sum(axis) / len(axis), 2) for axis in zip(*shape.points, strict=True)],
            "outlines": [_points(shape)],
        }
        for shape in wall_shapes(outline, floor)
        if shape.kind == "room"
    ]


def _walls(outline: Outline, floor: int) -> list[list[Any]]:
    return [
        [f"{shape.kind} below" if shape.below else shape.kind, _points(shape)]
        for shape in wall_shapes(outline, floor)
        if shape.kind != "room"
    ]


def _points(shape: Shape) -> list[list[float]]:
    return [[round(x, 2), round(y, 2)] for x, y in shape.points]
