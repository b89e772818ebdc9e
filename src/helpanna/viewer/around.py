"""What is around a place, in directions: for a drawn panorama where there is no picture."""

from typing import Any

import numpy as np

from helpanna.tasks.split import Split
from helpanna.worlds.geometry import angles


def around(split: Split, location: int) -> dict[str, Any]:
    """The ways on, the objects in sight and the captions of a place. Angles in radians, lengths in metres.

    Returns:
        room: what the room is for, "" where that is unknown.
        ways: [[heading, elevation, metres, kind of the room there], ...].
        objects: [[heading, elevation, metres, radius, type], ...], the furthest first.
        captions: [3][8] by elevation from below and by heading, or null.
    """
    atlas = split.atlas
    here = atlas.position[location]
    near = atlas.action_location[location, 0, 1:]
    near = near[near >= 0]
    first, last = np.searchsorted(atlas.sighting[:, 0], [location, location + 1])
    seen = atlas.sighting[first:last, 1]
    captions = atlas.views.captions
    ways = [[*_direction(atlas.position[place] - here), _kind(split, int(place))] for place in near.tolist()]
    objects = [
        [
            *_direction(atlas.object_position[item] - here),
            round(float(atlas.object_radius[item]), 3),
            atlas.type_names[atlas.object_type[item]],
        ]
        for item in seen.tolist()
    ]
    return {
        "room": _kind(split, location),
        "ways": ways,
        "objects": sorted(objects, key=lambda thing: -thing[2]),
        "captions": captions.of(location) if captions is not None else None,
    }


def _direction(offset: Any) -> list[float]:
    heading, elevation = angles(offset)
    return [round(float(heading), 4), round(float(elevation), 4), round(float(np.linalg.norm(offset)), 2)]


def _kind(split: Split, location: int) -> str:
    room = int(split.atlas.room_of[location])
    return split.atlas.rooms[room].kind if room >= 0 else ""
