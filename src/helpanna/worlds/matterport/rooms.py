"""Rooms from CVDN's `house_region_to_panorama.json`: `{scan: {region: [viewpoints]}}`."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.files import read_json
from helpanna.worlds.matterport.connectivity import NavigationGraph
from helpanna.worlds.world import Room

Regions = dict[str, dict[str, list[str]]]


def read_regions(path: Path) -> Regions:
    """Reads and checks the file."""
    table = read_json(path)
    valid = isinstance(table, dict) and all(
        isinstance(regions, dict)
        and all(
            isinstance(names, list) and all(isinstance(name, str) for name in names)
            for names in regions.values()
        )
        for regions in table.values()
    )
    if not valid:
        raise InputError(f"{path} is not of the form {{scan: {{region: [viewpoints]}}}}; fetch it again.")
    return table


def rooms_of(
    graph: NavigationGraph, regions: dict[str, list[str]], where: str
) -> tuple[tuple[Room, ...], NDArray[np.int32]]:
    """The rooms of one building and the room of each viewpoint (-1 where the file does not say)."""
    index = {name: i for i, name in enumerate(graph.viewpoints)}
    room_of = np.full(len(index), -1, dtype=np.int32)
    rooms: list[Room] = []
    for region, viewpoints in regions.items():
        unknown = [name for name in viewpoints if name not in index and name not in graph.left_out]
        if unknown:
            raise InputError(
                f"{where}, region {region} of {graph.scan}, names the viewpoint {unknown[0]}, "
                "which the graph does not have; use files of one release."
            )
        inside = [index[name] for name in viewpoints if name in index and room_of[index[name]] < 0]
        if inside:
            room_of[inside] = len(rooms)
            rooms.append(Room(name=region))
    return tuple(rooms), room_of
