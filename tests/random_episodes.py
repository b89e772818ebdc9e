"""Episodes of agents that do anything at random, with notes; and a corridor where they can be scripted."""

from dataclasses import fields

import numpy as np

from helpanna.assistance.assistants import Anna, Limited, Noisy, Priced
from helpanna.episodes.episodes import Episodes
from helpanna.episodes.trajectory import Trajectories
from helpanna.randomness import choices, uniforms
from helpanna.tasks.goals import build_goal_sets, request_text
from helpanna.tasks.routes import Routes
from helpanna.tasks.split import Split
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.world import World

ASSISTANTS = {
    "anna": Anna,
    "random ties": lambda split: Anna(split, seed=3, random_ties=True),
    "noisy": lambda split: Noisy(Anna(split), p=0.5),
    "limited": lambda split: Limited(Anna(split), 2),
    "priced": lambda split: Priced(Anna(split), metres=1.5, steps=3),
}


def random_trajectories(split, tasks, assistant=None, budget=30, seed=0, ask=0.2, stop=0.1) -> Trajectories:
    """Episodes in which every decision and every note is drawn."""
    episodes = Episodes(split, assistant or Anna(split), tasks, budget)
    while episodes.active.any():
        seen = episodes.observe()
        at = (seen.task, seen.step)
        moves = seen.candidates.mask.sum(axis=1) - 1
        move = 1 + choices(seed, "test move", np.maximum(moves, 1), *at)
        stops = (moves == 0) | (uniforms(seed, "test stop", *at) < stop)
        notes = {
            "entropy": uniforms(seed, "test entropy", *at).astype(np.float32),
            "guess": choices(seed, "test guess", moves + 1, *at),
            "reasons": np.stack([uniforms(seed + k, "test reasons", *at) for k in range(3)], axis=1),
        }
        episodes.step(uniforms(seed, "test ask", *at) < ask, np.where(stops, 0, move), notes)
    return episodes.trajectories()


def same_trajectories(a: Trajectories, b: Trajectories) -> bool:
    """Whether all arrays are equal, of the same type, bit for bit."""
    columns = [f.name for f in fields(Trajectories) if f.name not in ("notes", "said")]
    pairs = [(getattr(a, name), getattr(b, name)) for name in columns]
    pairs += [(a.notes[name], b.notes[name]) for name in a.notes]
    return (
        a.notes.keys() == b.notes.keys()
        and a.said == b.said
        and all(x.dtype == y.dtype and np.array_equal(x, y) for x, y in pairs)
    )


def corridor() -> Split:
    """Seven locations in a row, a metre apart; a lamp at the far end; a route from location 2 to 5.

    Task v begins at location v. Only at locations 1 to 3 can help be requested.
    """
    count = 7
    positions = np.stack([np.arange(count), np.zeros(count), np.ones(count)], axis=1)
    row = np.stack([np.arange(count - 1), np.arange(1, count)], axis=1)
    world = World(
        name="corridor",
        location_names=tuple(f"at {v}" for v in range(count)),
        positions=positions,
        eye_heights=np.ones(count),
        floors=np.zeros(count),
        edges=row,
        sight_lines=row,
        rooms=(),
        room_of=np.full(count, -1),
        object_names=("lamp",),
        object_types=("lamp",),
        object_positions=positions[-1:],
        object_radii=np.ones(1),
        delegates=np.array([count - 1]),
        sightings=np.zeros((0, 2)),
        sighting_views=np.zeros(0),
    )
    atlas = build_atlas([world], "a test", "none")
    routes = Routes(
        names=("to the east",),
        path=np.array([[2, 3, 4, 5]], dtype=np.int32),
        view=np.array([15], dtype=np.int32),  # east
        instructions=("walk on", "go east"),
        route_of=np.zeros(2, dtype=np.int32),
    )
    return Split(
        name="val_seen",
        atlas=atlas,
        routes=routes,
        goal_sets=build_goal_sets(atlas, [(0, 0)]),
        goal_set=np.zeros(count, dtype=np.int32),
        start=np.arange(count, dtype=np.int32),
        view=np.full(count, 12, dtype=np.int32),  # north
        texts=(request_text("lamp"), *routes.instructions),
    )


def scripted(split: Split, start: int, script: list[int | str], budget: int = 50) -> Trajectories:
    """One episode by script: "ask", "stop", or the location to go to."""
    episodes = Episodes(split, Anna(split), [start], budget)
    for word in script:
        seen = episodes.observe()
        assert seen.active[0] and (word != "ask" or seen.can_ask[0])
        places = split.atlas.action_location[seen.panorama[0], seen.view[0]].tolist()
        action = places.index(word) if isinstance(word, int) else 0
        episodes.step([word == "ask"], [action])
    return episodes.trajectories()
