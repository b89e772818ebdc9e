"""Houses in which nobody finds anything without help: a crossroads of arms, and the things are at their ends.

All houses look the same from the crossroads, but in each the things lie elsewhere. Help can be requested at
the crossroads only: the instruction names the mark that hangs in the arm to take.
"""

from dataclasses import replace

import numpy as np
from learners import with_annotations
from tiny import tiny_world

from helpanna.tasks.goals import build_goal_sets, request_text
from helpanna.tasks.routes import Routes
from helpanna.tasks.split import Split
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.geometry import HEADINGS, VIEWS, project
from helpanna.worlds.world import World

MARKS = ("clock", "mirror", "painting", "plant", "lamp", "statue")
SOUGHT = ("mug", "book")
SPACING = 2.5


def crossroads(houses=6, length=2):
    """A training split: every sought thing of every house, from its crossroads, with the camera anywhere."""
    arms = len(MARKS)
    atlas = build_atlas([_house(h, length) for h in range(houses)], source="tests", licence="none")
    first = np.arange(houses) * (1 + arms * length)
    paths = [
        [hub, *(hub + 1 + arm * length + np.arange(length))] for hub in first.tolist() for arm in range(arms)
    ]
    routes = Routes(
        names=tuple(str(i) for i in range(len(paths))),
        path=np.array(paths, dtype=np.int32),
        view=np.full(len(paths), HEADINGS, dtype=np.int32),
        instructions=tuple(f"to the {mark}" for _ in first for mark in MARKS),
        route_of=np.arange(len(paths), dtype=np.int32),
    )
    kinds = [atlas.type_names.index(kind) for kind in SOUGHT]
    goal_sets = build_goal_sets(atlas, [(h, kind) for h in range(houses) for kind in sorted(kinds)])
    sets, views = np.meshgrid(np.arange(len(goal_sets)), HEADINGS + np.arange(HEADINGS), indexing="ij")
    requests = tuple(request_text(atlas.type_names[kind]) for kind in goal_sets.object_type)
    split = Split(
        name="train",
        atlas=atlas,
        routes=routes,
        goal_sets=goal_sets,
        goal_set=sets.ravel().astype(np.int32),
        start=first[goal_sets.world[sets.ravel()]].astype(np.int32),
        view=views.ravel().astype(np.int32),
        texts=requests + routes.instructions,
    )
    return with_annotations(split)


def _house(number, length) -> World:
    """The crossroads is location 0; an arm's locations follow each other, outwards."""
    arms = len(MARKS)
    angle = 2 * np.pi * np.arange(arms) / arms
    outwards = np.stack([np.sin(angle), np.cos(angle)], axis=1)
    places = [np.zeros(2)] + [SPACING * (k + 1) * way for way in outwards for k in range(length)]
    edges = [(i if i % length else 0, i + 1) for i in range(arms * length)]
    ends = [arm * length + length for arm in range(arms)]
    # The first thing is at the end of another arm in each house, the second two arms on.
    things = [(kind, ends[(number + 2 * i) % arms]) for i, kind in enumerate(SOUGHT)]
    objects = [(mark, end - length + 1) for mark, end in zip(MARKS, ends, strict=True)] + things
    plain = tiny_world(places, edges, objects, name=f"house {number}")
    eyes = plain.positions
    # Marks hang behind the first location of an arm, things lie behind the last.
    beyond = np.array([1.2] * arms + [1.0 + 0.3 / length] * len(SOUGHT))
    where = eyes[plain.delegates] * np.stack([beyond, beyond, np.ones_like(beyond)], axis=1)
    seen = [(0, mark) for mark in range(arms)]
    seen += [(mark * length + k + 1, mark) for mark in range(arms) for k in range(length)]
    seen += [(place, arms + i) for i, (_, place) in enumerate(things)]
    sightings = np.array(sorted(seen))
    towards = where[sightings[:, 1]] - eyes[sightings[:, 0]]
    _, _, shown = project(towards[:, None], np.arange(VIEWS))
    bits = np.where(shown, np.uint64(1) << np.arange(VIEWS, dtype=np.uint64), np.uint64(0))
    return replace(
        plain, object_positions=where, sightings=sightings, sighting_views=bits.sum(axis=1, dtype=np.uint64)
    )
