"""One episode as the page shows it: each step with what was seen, said, done, and what the teachers say."""

import math
import shlex
from collections.abc import Mapping
from typing import Any

import numpy as np

from helpanna.episodes.conditions import USUAL_LOST, Lost
from helpanna.episodes.outcomes import outcomes_of
from helpanna.episodes.texts import OWN_WORDS
from helpanna.episodes.trajectory import NO_ANSWER, NO_TARGET, Trajectories
from helpanna.tasks.routes import NO_ROUTE
from helpanna.tasks.split import Split
from helpanna.teachers.help_request import help_request_references
from helpanna.teachers.navigation import navigation_references
from helpanna.viewer.results import HUMAN, PERSON, Result
from helpanna.worlds.geometry import angles


def episode_of(split: Split, trip: Trajectories, lost: Lost = USUAL_LOST) -> dict[str, Any]:
    """The one episode of `trip`. Places are counted from the first location of its building.

    Returns:
        task, world, request: which task it is.
        goals: the places where what is sought can be seen.
        success, metres, shortest, final_distance: how it ended; a distance is null if there is no way.
        places, views: where the agent was before each decision and at the end.
        distances: metres to the nearest goal, likewise.
        steps: one entry a decision, see `_step`.
        budget: the most steps there could be.
    """
    task = int(trip.task[0])
    length, goal_set = int(trip.length[0]), int(split.goal_set[task])
    world = int(split.goal_sets.world[goal_set])
    first = split.atlas.locations(world).start
    places = trip.location[0, : length + 1]
    ended = outcomes_of(split, trip)
    final = _metres(ended.final_distance[0])
    way = navigation_references(split, trip)
    help_request = help_request_references(split, trip, lost)
    steps = []
    for t in range(length):
        step = _step(split, trip, t, first)
        action = int(way.action[0, t])
        step["teacher"] = {
            "action": action if action >= 0 else None,
            "ask": bool(help_request.ask[0, t]) if help_request.counts[0, t] else None,
            "reasons": help_request.conditions[0, t].tolist(),
        }
        step["tried"] = np.flatnonzero(way.tried[0, t]).tolist()
        steps.append(step)
    return {
        "task": task,
        "world": split.atlas.world_names[world],
        "request": split.texts[int(split.request[task])],
        "goals": (split.goal_sets.members[goal_set] - first).tolist(),
        "success": bool(ended.success[0]),
        "metres": round(float(trip.metres[0]), 3),
        "shortest": _metres(ended.shortest[0]),
        "final_distance": final,
        "places": (places - first).tolist(),
        "views": trip.view[0, : length + 1].tolist(),
        "distances": [_metres(d) for d in split.goal_sets.distance_from(goal_set, places)],
        "steps": steps,
        "budget": trip.steps,
    }


def _step(split: Split, trip: Trajectories, t: int, first: int) -> dict[str, Any]:
    """What one decision was made on, and what it was.

    Returns:
        words: the current instruction; on_route: whether it is an assistant's.
        target: the place whose panorama is shown, or null.
        can_ask, asked: whether help could be requested, and was.
        action: the index of the navigation action, null where help was requested.
        actions: [[place, heading, elevation, metres], ...], stop first.
        answer: what was said, null without a request: see `_answer`.
        notes: what the agent wrote down of itself.
    """
    atlas, here = split.atlas, int(trip.location[0, t])
    target, action = int(trip.target[0, t]), int(trip.action[0, t])
    there = atlas.action_location[here, int(trip.view[0, t])]
    there = there[there >= 0]
    offset = atlas.position[there] - atlas.position[here]
    heading, elevation = angles(offset)
    metres = np.linalg.norm(offset, axis=1)
    return {
        "words": trip.words(split, int(trip.text[0, t])),
        "on_route": bool(trip.on_route[0, t]),
        "target": target - first if target != NO_TARGET else None,
        "can_ask": bool(trip.can_ask[0, t]),
        "asked": bool(trip.asked[0, t]),
        "action": action if action >= 0 else None,
        "actions": [
            [int(place) - first, round(float(h), 4), round(float(e), 4), round(float(m), 2)]
            for place, h, e, m in zip(there, heading, elevation, metres, strict=True)
        ],
        "answer": _answer(split, trip, t, first) if trip.asked[0, t] else None,
        "notes": {name: note[0, t].tolist() for name, note in trip.notes.items()},
    }


def _answer(split: Split, trip: Trajectories, t: int, first: int) -> dict[str, Any]:
    """What was said: speaker, words (null without an answer), route (its places), departure, goal."""
    text, route = int(trip.instruction[0, t]), int(trip.route[0, t])
    path = split.routes.path[route] if route != NO_ROUTE else np.zeros(0, dtype=np.int32)
    places = (int(trip.departure[0, t]), int(trip.goal[0, t]))
    return {
        "speaker": "ANNA" if route != NO_ROUTE and text < OWN_WORDS else "Assistant",
        "words": trip.words(split, text) if text != NO_ANSWER else None,
        "route": (path[path >= 0] - first).tolist() or None,
        "departure": places[0] - first if places[0] != NO_TARGET else None,
        "goal": places[1] - first if places[1] != NO_TARGET else None,
    }


def command_line(result: Result) -> str | None:
    """What to type to make this result again; None where the file does not say who ran, or people helped."""
    header: Mapping[str, Any] = result.header
    if result.source is None or not isinstance(header.get("agent"), str) or header.get("assistant") == PERSON:
        return None
    played = header["agent"] == HUMAN
    if played:  # what people did is in the file itself
        header = {**header, "agent": f"{HUMAN}:{result.path}"}
    parts = ["helpanna", "evaluate", "--data", str(result.source.data), "--split", header["split"]]
    for name in ("agent", "assistant", "seed", "budget"):
        if header.get(name) is not None:
            parts += [f"--{name}", str(header[name])]
    if len(result.rows) < len(result.source.split) and not played:
        parts += ["--tasks", str(len(result.rows))]
    out = f"again-{result.path.name}" if played else result.path.name  # never over what it reads
    return shlex.join([*parts, "--out", out])


def _metres(value: Any) -> float | None:
    return round(float(value), 3) if math.isfinite(value) else None
