"""Buildings made by hand."""

import numpy as np

from helpanna.worlds.world import Room, World, unordered_pairs

NORTH = 12  # the level view along +y


def house(positions, edges, rooms=None, kinds=(), things=(), sightings=(), sight_lines=None):
    """A World by hand: things are (type, x, y), sightings (location, thing)."""
    n, edges = len(positions), np.array(edges)
    pairs = unordered_pairs(*edges.T)
    eyes = np.array([[*p, 1.5] if len(p) == 2 else [p[0], p[1], p[2] + 1.5] for p in positions], dtype=float)
    seen = np.array(sorted(sightings), dtype=np.int32).reshape(-1, 2)
    delegates = [min(a for a, b in seen.tolist() if b == t) for t in range(len(things))]
    return World(
        name="by hand",
        location_names=tuple(f"place {i}" for i in range(n)),
        positions=eyes,
        eye_heights=np.full(n, 1.5),
        floors=np.zeros(n),
        edges=pairs,
        sight_lines=pairs if sight_lines is None else np.array(sight_lines),
        rooms=tuple(Room(f"room {i}", kind) for i, kind in enumerate(kinds)),
        room_of=np.full(n, -1) if rooms is None else np.array(rooms),
        object_names=tuple(f"{kind} {i}" for i, (kind, _, _) in enumerate(things)),
        object_types=tuple(kind for kind, _, _ in things),
        object_positions=np.array([[x, y, 0.8] for _, x, y in things]).reshape(-1, 3),
        object_radii=np.full(len(things), 0.5),
        delegates=np.array(delegates),
        sightings=seen,
        sighting_views=np.ones(len(seen)),
    )


def corridor():
    """A corridor of five places along +y with rooms beside three of them, each behind a door."""
    places = [(0, 2 * i) for i in range(5)] + [(-2, 2), (-2, 6), (2, 4)]
    edges = [(i, i + 1) for i in range(4)] + [(1, 5), (3, 6), (2, 7)]
    lines = [(i, j) for i in range(5) for j in range(i + 1, 5)] + [(1, 5), (2, 7), (3, 6)]
    kinds = ("hallway", "kitchen", "bedroom", "bathroom")
    return house(places, edges, [0] * 5 + [1, 2, 3], kinds, sight_lines=sorted(lines))
