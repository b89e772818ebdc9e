"""Room-to-Room files of sample buildings, as their publisher would write them."""

import json

from helpanna.worlds.geometry import view_heading


def records(atlas, routes):
    """A record for each route."""
    starts = routes.instruction_start
    return [
        {
            "distance": 1.0,
            "scan": atlas.world_names[atlas.world_of[routes.start[r]]],
            "path_id": int(name),
            "path": [atlas.location_names[v] for v in routes.path[r] if v >= 0],
            "heading": float(view_heading(routes.view[r])),
            "instructions": list(routes.instructions[starts[r] : starts[r + 1]]),
        }
        for r, name in enumerate(routes.names)
    ]


def write_records(path, content):
    path.write_text(json.dumps(content), encoding="utf-8")
    return path
