"""Floor plans as shapes, for the page to draw: rooms, ways, places, objects, zones of attention."""

from typing import Any

import numpy as np

from helpanna.tasks.routes import NO_ROUTE
from helpanna.tasks.split import Split
from helpanna.worlds.plan_rooms import NO_ROOM_COLOUR, room_areas, room_colours
from helpanna.worlds.world import World

_BORDER = 1.6
"""Metres of ground around everything."""
_EVERY = 2
"""Of a room's outline, one point in two is drawn: a point each 20 cm."""


def plan_of(split: Split, world: int) -> dict[str, Any]:
    """The plan of a building; places are counted from the building's first location.

    Returns:
        name: of the building.
        first: the location id of its place 0.
        bounds: west, south, east, north in metres.
        floors: for each storey its number and rooms: colour, kind, middle, outlines [[[x, y], ...], ...].
        places: [[x, y, storey, room kind], ...].
        edges: [[place, place], ...].
        objects: [[x, y, storey, type], ...].
        zones: the places where help can be requested.
    """
    atlas = split.atlas
    building = atlas.world(world)
    ground = np.concatenate([building.positions, building.object_positions])[:, :2]
    low, high = ground.min(axis=0) - _BORDER, ground.max(axis=0) + _BORDER
    ids = atlas.locations(world)
    zones = split.zones[ids.start : ids.stop]
    attended = np.flatnonzero(zones[:, 0] != NO_ROUTE) if zones.shape[1] else np.zeros(0, dtype=int)
    kinds = [building.rooms[room].kind if room >= 0 else "" for room in building.room_of.tolist()]
    return {
        "name": building.name,
        "first": ids.start,
        "bounds": [*low.round(2).tolist(), *high.round(2).tolist()],
        "floors": [
            {"floor": floor, "rooms": _rooms(building, floor, low, high)}
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
