"""Do answers help? How often an assistant's answer leads closer to a goal, and why not where it does not."""

import numpy as np
from numpy.typing import NDArray

from helpanna.episodes.trajectory import NO_TARGET, Trajectories
from helpanna.tasks.routes import NO_ROUTE
from helpanna.tasks.split import Split

WHY = {
    "closer": "leads closer to a goal",
    "at_goal": "the agent stood at a goal",
    "wrong_route": "another route would have led closer",
    "here_is_best": "no route leads closer than here",
    "leads_away": "leads away from here, as all routes do",
    "shows_nothing": "shows no place to go to",
    "no_answer": "there was no answer",
}
"""What a request can bring, the first five in the order in which it is decided; of routes, those that could
be entered."""


def answer_progress(split: Split, trajectories: Trajectories) -> dict[str, int]:
    """How many requests there were (as "answers"), and how many of each kind of `WHY`.

    Compared are the distances to the nearest goal at the departure location v_d and where the agent stood
    when it asked. What it then made of the answer does not matter here.
    """
    episode, step = np.nonzero(trajectories.asked)
    goal_set = split.goal_set[trajectories.task[episode]]
    location, departure = trajectories.location[episode, step], trajectories.departure[episode, step]
    here = split.goal_sets.distance_from(goal_set, location)
    shown = departure != NO_TARGET
    there = split.goal_sets.distance_from(goal_set, np.where(shown, departure, location))

    better = _best_enterable(split, goal_set, location) < here
    answered = trajectories.answered[episode, step]
    closer, at_goal, wrong_route, here_is_best, leads_away, shows_nothing, no_answer = range(len(WHY))
    kinds = np.select(
        [~answered, ~shown, there < here, here == 0, better, there == here],
        [no_answer, shows_nothing, closer, at_goal, wrong_route, here_is_best],
        default=leads_away,
    )
    counts = np.bincount(kinds, minlength=len(WHY)).tolist()
    return {"answers": len(kinds), **dict(zip(WHY, counts, strict=True))}


def _best_enterable(
    split: Split, goal_set: NDArray[np.int32], location: NDArray[np.int64]
) -> NDArray[np.float32]:
    """[K] how close to a goal any route comes that can be entered from each location."""
    pairs, back = np.unique(np.stack([goal_set, location]), axis=1, return_inverse=True)
    goal_set, location = pairs
    routes = split.zones[location]  # [K, E]
    best = np.full(len(location), np.inf, dtype=np.float32)
    for route in routes.T:
        for place in split.routes.path[route].T:
            exists = (route != NO_ROUTE) & (place >= 0)
            distance = split.goal_sets.distance_from(goal_set, np.where(exists, place, location))
            np.minimum(best, distance, out=best, where=exists)
    return best[back]
