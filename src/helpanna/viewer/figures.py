"""The figures of the pages Overview and Compare."""

from collections import Counter
from collections.abc import Callable
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from helpanna.episodes.conditions import CONDITIONS, USUAL_LOST, Lost
from helpanna.errors import InputError
from helpanna.evaluation.bootstrap import differences, intervals, to_json
from helpanna.evaluation.metrics import outcome_ratios, sample_of
from helpanna.teachers.help_request import help_request_references, lost_steps
from helpanna.teachers.navigation import navigation_references, reference_targets, standing
from helpanna.viewer.results import COLUMNS, Result

_METRES = (0, 4, 6, 8, 10, 12, 15, 20)
"""Where the groups of tasks by distance begin."""
_AT = {name: i for i, name in enumerate(COLUMNS)}


def overview(result: Result) -> dict[str, Any]:
    """The main metrics with intervals, and the success of groups of episodes.

    Returns:
        figures: by name, see `helpanna.evaluation.bootstrap.to_json`.
        buildings, objects, distances, requests: [[group, episodes, successes], ...]; buildings and objects
            with the most episodes first, the others in their order.
    """
    ended = result.outcomes()
    return {
        "figures": to_json(intervals(outcome_ratios(ended), sample_of(ended))),
        "buildings": _groups(result, lambda row: row[_AT["building"]], by_size=True),
        "objects": _groups(result, lambda row: row[_AT["request"]], by_size=True),
        "distances": _groups(result, lambda row: _band(row[_AT["distance"]])),
        "requests": _groups(result, lambda row: row[_AT["requests"]]),
    }


def heat(result: Result, building: str) -> list[list[int]]:
    """[[place, steps, lost steps], ...] of a building: where agents were, and where they were lost.

    Lost is the teacher's condition, in its usual reading. Places count from the building's first location.
    """
    tasks = [row[_AT["task"]] for row in result.rows if row[_AT["building"]] == building]
    if not tasks:
        raise InputError(f"{result.path} has no episode in {building}.")
    trips = result.trajectories(tasks)
    assert result.source is not None  # noqa: S101  # or there were no trajectories
    split = result.source.split
    first = split.atlas.locations(split.atlas.world_id(building)).start
    lost = lost_steps(split, trips, reference_targets(split, trips), USUAL_LOST)
    at = standing(trips) - first
    steps, lost_at = Counter(at[trips.decided].tolist()), Counter(at[lost].tolist())
    return [[place, steps[place], lost_at[place]] for place in sorted(steps)]


def calibration(result: Result) -> dict[str, list[list[float]]]:
    """How far the agents' probabilities can be trusted: what they predicted, and how often it was so.

    Returns:
        by what was predicted, [[mean prediction, share of steps at which it was so, steps], ...], a row for
        each tenth of the predictions from 0 to 1 in which there are any: of the conditions (where help could
        be requested) beside the teacher's; of "first choice", for the agent's certainty (1 - entropy), how
        often its first choice was the navigation teacher's. Without the notes of it, a prediction is missing.
    """
    trips = result.trajectories(result.column("task"))
    assert result.source is not None  # noqa: S101  # or there were no trajectories
    split, notes = result.source.split, trips.notes
    told: Lost = result.header.get("lost", USUAL_LOST)
    found = {}
    if "reasons" in notes:
        teacher = help_request_references(split, trips, told if told in get_args(Lost) else USUAL_LOST)
        for k, name in enumerate(CONDITIONS):
            predicted, was_so = notes["reasons"][teacher.counts, k], teacher.conditions[teacher.counts, k]
            found[name] = _tenths(predicted, was_so)
    if "entropy" in notes and "guess" in notes:
        way = navigation_references(split, trips).action
        counts = trips.decided & (way >= 0)
        found["first choice"] = _tenths(1 - notes["entropy"][counts], (notes["guess"] == way)[counts])
    return found


def _tenths(predicted: NDArray[Any], was_so: NDArray[np.bool_]) -> list[list[float]]:
    tenth = np.clip((predicted * 10).astype(int), 0, 9)
    rows = []
    for k in np.unique(tenth):
        some = tenth == k
        rows.append(
            [round(float(predicted[some].mean()), 4), round(float(was_so[some].mean()), 4), int(some.sum())]
        )
    return rows


def compare(ours: Result, theirs: Result) -> dict[str, Any]:
    """Two results on the tasks that both have.

    Returns:
        figures: of both, and their paired differences (ours minus theirs) with intervals.
        tasks: for each task that both have: number, building, request, distance, and for each of the two
            success, requests, steps and metres left.
        counts: how many tasks both succeed in, only ours, only theirs, neither.
    """
    if ours.header["split"] != theirs.header["split"]:
        raise InputError(
            f"{ours.path.name} is about {ours.header['split']}, {theirs.path.name} about "
            f"{theirs.header['split']}; compare results on the same split."
        )
    mine, others = ({row[0]: row for row in result.rows} for result in (ours, theirs))
    both = sorted(mine.keys() & others.keys())
    if not both:
        raise InputError(f"{ours.path.name} and {theirs.path.name} have no task in common.")
    for task in both:
        if mine[task][1:3] != others[task][1:3]:
            raise InputError(
                f"task {task} is not the same in {ours.path.name} and {theirs.path.name}; compare results on "
                "one dataset."
            )
    ends = [result.outcomes() for result in (ours, theirs)]
    ratios, samples = [outcome_ratios(end) for end in ends], [sample_of(end) for end in ends]
    won = Counter((mine[task][3], others[task][3]) for task in both)
    shown = ("success", "requests", "steps", "final_distance")
    return {
        "figures": [to_json(intervals(ratio, sample)) for ratio, sample in zip(ratios, samples, strict=True)],
        "differences": to_json(differences(ratios[0], samples[0], ratios[1], samples[1])),
        "tasks": [
            [*mine[task][:3], mine[task][_AT["distance"]]]
            + [[row[_AT[name]] for name in shown] for row in (mine[task], others[task])]
            for task in both
        ],
        "counts": [won[True, True], won[True, False], won[False, True], won[False, False]],
    }


def parting(ours: Result, theirs: Result, task: int) -> int | None:
    """The first step at which two episodes of a task do different things; None if they never do."""
    a, b = (result.trajectories([task]) for result in (ours, theirs))
    for t in range(min(int(a.length[0]), int(b.length[0]))):
        if a.asked[0, t] != b.asked[0, t] or a.location[0, t + 1] != b.location[0, t + 1]:
            return t
    return None if a.length[0] == b.length[0] else int(min(a.length[0], b.length[0]))


def _groups(result: Result, key: Callable[[Any], Any], by_size: bool = False) -> list[list[Any]]:
    keys = [key(row) for row in result.rows]
    total = Counter(keys)
    succeeded = Counter(key for key, row in zip(keys, result.rows, strict=True) if row[_AT["success"]])
    order = sorted(total, key=lambda group: (-total[group], str(group)) if by_size else (group,))
    return [[group, total[group], succeeded[group]] for group in order]


def _band(metres: float | None) -> float:
    """The beginning of the group of tasks that are about so far."""
    return float(_METRES[int(np.searchsorted(_METRES, metres or 0.0, side="right")) - 1])
