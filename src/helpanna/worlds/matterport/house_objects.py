"""Rooms and objects of a building from Matterport's own `.house` file."""

import numpy as np
from numpy.typing import NDArray

from helpanna.worlds.matterport.connectivity import NavigationGraph
from helpanna.worlds.matterport.house_file import HouseFile
from helpanna.worlds.matterport.placed import PlacedObjects
from helpanna.worlds.sight import view_masks
from helpanna.worlds.world import Room

_SIGHT = 5.0
"""Metres: how far away an object in the same room is still seen."""

# What the annotators marked but nobody would be sent to find.
_NOT_THINGS = frozenset({"", "wall", "floor", "ceiling", "void", "unlabeled", "unknown", "remove", "misc"})


def rooms_from_house(house: HouseFile, graph: NavigationGraph) -> tuple[tuple[Room, ...], NDArray[np.int32]]:
    """The rooms of a building and the room of each viewpoint, -1 where the file does not say."""
    rooms = tuple(Room(name=str(region.index), kind=region.kind) for region in house.regions)
    room_index = {region.index: i for i, region in enumerate(house.regions)}
    region_of = {panorama.name: panorama.region for panorama in house.panoramas}
    room_of = [room_index.get(region_of.get(name, -1), -1) for name in graph.viewpoints]
    return rooms, np.array(room_of, dtype=np.int32)


def objects_from_house(house: HouseFile, graph: NavigationGraph) -> PlacedObjects:
    """The objects of a building; a viewpoint sees those of its own room within 5 m.

    The file knows boxes, not sight: within a room little is hidden, and beyond it much is.
    """
    _, room_of = rooms_from_house(house, graph)
    room_index = {region.index: i for i, region in enumerate(house.regions)}
    things = [
        (thing, thing.category.name)
        for thing in house.objects
        if thing.category and thing.category.name not in _NOT_THINGS and min(thing.radii) >= 0
    ]
    positions = np.array([thing.position for thing, _ in things]).reshape(-1, 3)
    room = np.array([room_index.get(thing.region, -1) for thing, _ in things], dtype=np.int32)

    towards = positions[None] - graph.positions[:, None]  # [n, m, 3]
    same_room = (room_of[:, None] == room) & (room >= 0)
    location, thing = np.nonzero(same_room & (np.linalg.norm(towards, axis=-1) <= _SIGHT))
    masks = view_masks(towards[location, thing])
    seen = masks > 0
    location, thing, masks = location[seen], thing[seen], masks[seen]

    kept, number = np.unique(thing, return_inverse=True)
    rays = towards[location, thing]
    return PlacedObjects(
        names=tuple(str(things[i][0].index) for i in kept),
        types=tuple(things[i][1] for i in kept),
        positions=positions[kept],
        radii=np.array([np.mean(things[i][0].radii) for i in kept]),
        sightings=np.stack([location, number], axis=-1).astype(np.int32),
        sighting_views=masks,
        rays=rays / np.maximum(np.linalg.norm(rays, axis=-1, keepdims=True), 1e-9),
        rooms=room[kept],
        unseen=len(things) - len(kept),
    )
