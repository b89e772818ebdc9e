"""Writes a world as the publishers of Matterport3D, REVERIE, CVDN and NavGPT do, to test the importers."""

import json
from pathlib import Path

import numpy as np

from helpanna.worlds.geometry import IMAGE_HEIGHT, IMAGE_WIDTH, VIEWS, camera_axes, project
from helpanna.worlds.world import World


def write_source(folder: Path, world: World) -> Path:
    """connectivity/, BBox/, house_region_to_panorama.json and captions/ of one building."""
    (folder / "connectivity").mkdir(parents=True, exist_ok=True)
    (folder / "BBox").mkdir(exist_ok=True)
    records = connectivity(world)
    (folder / "connectivity" / f"{world.name}_connectivity.json").write_text(json.dumps(records))
    for v in range(world.location_count):
        name = viewpoint(v)
        record = {name: boxes(world, v)}
        (folder / "BBox" / f"{world.name}_{name}.json").write_text(json.dumps(record))
    regions = {
        str(r): [viewpoint(v) for v in np.flatnonzero(world.room_of == r)] for r in range(len(world.rooms))
    }
    (folder / "house_region_to_panorama.json").write_text(json.dumps({world.name: regions}))
    (folder / "captions").mkdir(exist_ok=True)
    (folder / "captions" / f"{world.name}.json").write_text(json.dumps(captions(world)))
    return folder


def captions(world: World) -> dict[str, list[str]]:
    """What stands in each direction, in words; the world's things in the middle line only."""
    table: dict[str, list[str]] = {}
    for v in range(world.location_count):
        named: list[list[str]] = [[] for _ in range(8)]
        for location, thing in world.sightings:
            if location == v:
                towards = world.object_positions[thing] - world.positions[v]
                heading = np.arctan2(towards[0], towards[1])
                named[round(heading / (np.pi / 4)) % 8].append(f"a {world.object_types[thing]}")
        table[viewpoint(v)] = [
            f"down: a wooden floor\nmiddle: {' and '.join(things) or 'a white wall'}\ntop: a ceiling lamp {h}"
            for h, things in enumerate(named)
        ]
    return table


def viewpoint(v: int) -> str:
    return f"{v:032x}"


def connectivity(world: World) -> list[dict[str, object]]:
    """The included viewpoints, and one at the front that is not."""
    n = world.location_count + 1
    joined, seen = np.zeros((2, n, n), dtype=bool)
    for table, pairs in ((joined, world.edges), (seen, world.sight_lines)):
        table[pairs[:, 0] + 1, pairs[:, 1] + 1] = table[pairs[:, 1] + 1, pairs[:, 0] + 1] = True
    joined[0, 1:] = joined[1:, 0] = True
    positions = np.concatenate([[[99.0, 99.0, 99.0]], world.positions])
    return [
        {
            "image_id": viewpoint(i - 1) if i else "f" * 32,
            "pose": [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1],
            "included": i > 0,
            "visible": seen[i].tolist(),
            "unobstructed": joined[i].tolist(),
            "height": float(world.eye_heights[max(i - 1, 0)]),
        }
        for i, (x, y, z) in enumerate(positions.tolist())
    ]


def boxes(world: World, v: int) -> dict[str, object]:
    """The box of a small ball around each object that the location sees, cut off at the picture's border."""
    found: dict[str, object] = {}
    for location, thing in world.sightings:
        if location != v:
            continue
        towards = world.object_positions[thing] - world.positions[v]
        shown: list[int] = []
        rectangles: list[list[float]] = []
        for view in range(VIEWS):
            if not project(towards, view)[2]:
                continue
            right, up, _ = camera_axes(view)
            corners = [towards + 0.1 * (a * right + b * up) for a in (-1, 1) for b in (-1, 1)]
            x, y, _ = project(np.array(corners), view)
            left, top = max(x.min(), 0), max(y.min(), 0)
            width, height = min(x.max(), IMAGE_WIDTH) - left, min(y.max(), IMAGE_HEIGHT) - top
            shown.append(view)
            rectangles.append([float(left), float(top), float(width), float(height)])
        name = world.object_types[thing].replace(" ", "#")
        found[str(thing)] = {"name": name, "visible_pos": shown, "bbox2d": rectangles}
    return found


def house_file(world: World) -> str:
    """Matterport's own annotations: every room a kitchen, every object in its delegate's room."""
    types = sorted(set(world.object_types))
    n, m, rooms = world.location_count, len(world.object_names), len(world.rooms)
    zeros = " 0 0 0 0 0"
    lines = [
        "ASCII 1.1",
        f"H {world.name} - 0 {n} 0 0 0 {m} {len(types)} {rooms} 0 1 0 0 0 0 0 -9 -9 -9 9 9 9{zeros}",
        f"L 0 {rooms} - 0 0 0 -9 -9 -9 9 9 9{zeros}",
    ]
    lines += [f"R {r} 0 0 0 k 0 0 0 -9 -9 -9 9 9 9 3 0 0 0 0" for r in range(rooms)]
    for v, (x, y, z) in enumerate(world.positions):
        lines.append(f"P {viewpoint(v)} {v} {world.room_of[v]} 0 {x} {y} {z}{zeros}")
    lines += [f"C {i} {i} {name.replace(' ', '#')} 0 misc{zeros}" for i, name in enumerate(types)]
    for i, (x, y, z) in enumerate(world.object_positions):
        room = world.room_of[world.delegates[i]]
        kind = types.index(world.object_types[i])
        lines.append(f"O {i} {room} {kind} {x} {y} {z} 1 0 0 0 1 0 0.2 0.2 0.2{zeros} 0 0 0")
    return "\n".join(lines) + "\n"
