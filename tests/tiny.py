"""Worlds and routes small enough to write down."""

import numpy as np

from helpanna.tasks.routes import Routes
from helpanna.worlds.world import World


def tiny_world(places, edges, objects=(), name="tiny") -> World:
    """A World with locations at these (x, y), all 1.5 m up, and objects (type, delegate location)."""
    n, m = len(places), len(objects)
    return World(
        name=name,
        location_names=tuple(f"place {i}" for i in range(n)),
        positions=np.array([(x, y, 1.5) for x, y in places]),
        eye_heights=np.full(n, 1.5),
        floors=np.zeros(n),
        edges=np.array(sorted(edges)),
        sight_lines=[],
        rooms=(),
        room_of=np.full(n, -1),
        object_names=tuple(f"{kind} {i}" for i, (kind, _) in enumerate(objects)),
        object_types=tuple(kind for kind, _ in objects),
        object_positions=np.zeros((m, 3)),
        object_radii=np.full(m, 0.1),
        delegates=[delegate for _, delegate in objects],
        sightings=[],
        sighting_views=[],
    )


def tiny_routes(*paths, views=None, instructions=None) -> Routes:
    """Routes "r0", "r1", ... along these paths, with this many instructions each (one if not said)."""
    counts = instructions or [1] * len(paths)
    width = max(map(len, paths))
    return Routes(
        names=tuple(f"r{i}" for i in range(len(paths))),
        path=np.array([[*path, *[-1] * (width - len(path))] for path in paths], dtype=np.int32),
        view=np.array(views or [12] * len(paths), dtype=np.int32),
        instructions=tuple(f"r{i} in words {k}" for i, count in enumerate(counts) for k in range(count)),
        route_of=np.repeat(np.arange(len(paths)), counts).astype(np.int32),
    )
