"""The retrospective help-request teacher: looks back over a whole episode and says where to have asked."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from helpanna.episodes.conditions import USUAL_LOST, Lost
from helpanna.episodes.trajectory import NO_TARGET, Trajectories
from helpanna.tasks.kinds import VNLA
from helpanna.tasks.split import Split
from helpanna.teachers.adviser import advice_references
from helpanna.teachers.navigation import (
    NO_REFERENCE,
    reference_actions,
    reference_targets,
    standing,
)

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

GAMMA = 0.25
"""The entropy of the navigation distribution, in base 37, from which the agent counts as uncertain."""


@dataclass(frozen=True, eq=False)
class HelpRequestReferences:
    """What the teacher says of B episodes of T steps.

    Attributes:
        conditions: [B, T, 3] lost, uncertain_wrong and never_asked (rho* in the paper).
        ask: [B, T] the reference: request help.
        counts: [B, T] whether the step carries a help-request loss: help could be requested.
    """

    conditions: Bools
    ask: Bools
    counts: Bools


def help_request_references(
    split: Split, trajectories: Trajectories, lost: Lost = USUAL_LOST, gamma: float = GAMMA
) -> HelpRequestReferences:
    """The help-request teacher's answers for every step of every episode.

    Reference = request_help if (lost or uncertain_wrong) and never_asked; in VNLA's tasks as its own teacher
    says (`helpanna.teachers.adviser`), beside the same conditions.

    Args:
        split: the tasks.
        trajectories: finished episodes; uncertain_wrong needs the notes "entropy" and "guess", and is False
            without them.
        lost: which reading of that condition: see `lost_steps`.
        gamma: the entropy from which the agent counts as uncertain.
    """
    target = reference_targets(split, trajectories)
    conditions = np.stack(
        [
            lost_steps(split, trajectories, target, lost),
            uncertain_wrong(trajectories, reference_actions(split, trajectories, target), gamma),
            never_asked(trajectories),
        ],
        axis=-1,
    )
    if split.kind is VNLA:
        ask = advice_references(split, trajectories)
    else:
        ask = (conditions[:, :, 0] | conditions[:, :, 1]) & conditions[:, :, 2]
    return HelpRequestReferences(
        conditions=conditions,
        ask=ask,
        counts=trajectories.decided & trajectories.can_ask,
    )


def lost_steps(split: Split, trajectories: Trajectories, target: Ints, reading: Lost) -> Bools:
    """[B, T] the condition `lost`, in one of two readings.

    A segment is the stretch between two task switches. Its places are where the agent stood at its decisions
    and, for an episode's last segment, where the last decision led (unless that was a request: the start of a
    route belongs to the next segment). How close a place is to the target is the distance to the target
    panorama's location, or, without one, to the goal nearest to that place.

    - "paper": no later place of the segment is strictly closer to the target than this one. At the target
      itself the agent is not lost.
    - "published": the step comes after the segment's first closest approach, that is, some earlier place of
      the segment was as close as any of its places. The closest place itself is not lost on the first visit,
      but is on every later one, even at the target.

    The two differ at the segment's first closest place, if that is not the target: the paper says lost, for
    the agent gets no closer; the published code does not. And they differ at the target, reached once more.
    """
    closeness, left = _closeness(split, trajectories, target)
    if reading == "paper":
        later = _best_later_place(trajectories, closeness, left)
        return trajectories.decided & ~(later < closeness) & (standing(trajectories) != target)
    after = np.minimum(_best_later_place(trajectories, closeness, left), closeness)  # from this step on
    before = _best_earlier_place(trajectories, closeness)
    return trajectories.decided & (before <= after) & np.isfinite(before)


def _closeness(split: Split, trajectories: Trajectories, target: Ints) -> tuple[Floats, Floats]:
    """[B, T] metres to the target at each decision, and [B] at the end of the episode's last segment.

    The latter is infinite where the last decision was a request.
    """
    atlas = split.atlas
    here = standing(trajectories)
    metres = atlas.distances(here, np.where(target == NO_TARGET, here, target))
    metres = np.where(target == NO_TARGET, np.float32(np.inf), metres)

    episodes, last = np.arange(len(trajectories)), trajectories.length - 1
    final = trajectories.final
    panorama = trajectories.target[episodes, last]
    to_panorama = atlas.distances(final, np.where(panorama == NO_TARGET, final, panorama))
    to_goal = split.goal_sets.distance_from(split.goal_set[trajectories.task], final)
    left = np.where(panorama == NO_TARGET, to_goal, to_panorama)
    return metres, np.where(trajectories.asked[episodes, last], np.float32(np.inf), left)


def _best_later_place(trajectories: Trajectories, closeness: Floats, left: Floats) -> Floats:
    """[B, T] how close the agent still comes to the target, later in the segment."""
    best = np.full(closeness.shape, np.inf, dtype=np.float32)
    best[np.arange(len(best)), trajectories.length - 1] = left
    for t in range(trajectories.steps - 2, -1, -1):
        goes_on = trajectories.segment[:, t + 1] == trajectories.segment[:, t]
        np.minimum(best[:, t + 1], closeness[:, t + 1], out=best[:, t], where=goes_on)
    return best


def _best_earlier_place(trajectories: Trajectories, closeness: Floats) -> Floats:
    """[B, T] how close the agent came to the target, earlier in the segment."""
    best = np.full(closeness.shape, np.inf, dtype=np.float32)
    for t in range(1, trajectories.steps):
        same = trajectories.segment[:, t] == trajectories.segment[:, t - 1]
        np.minimum(best[:, t - 1], closeness[:, t - 1], out=best[:, t], where=same)
    return best


def uncertain_wrong(trajectories: Trajectories, reference: Ints, gamma: float = GAMMA) -> Bools:
    """[B, T] whether the navigation policy was uncertain and its best guess was not the reference action."""
    notes = trajectories.notes
    if "entropy" not in notes or "guess" not in notes:
        return np.zeros(reference.shape, dtype=bool)
    wrong = (reference != NO_REFERENCE) & (notes["guess"] != reference)
    return trajectories.decided & (notes["entropy"] >= gamma) & wrong


def never_asked(trajectories: Trajectories) -> Bools:
    """[B, T] whether the agent had not yet requested help at this location in this episode."""
    episode, step = np.nonzero(trajectories.asked)
    place = trajectories.location[episode, step]
    later = np.arange(trajectories.steps) > step[:, None]
    request, again = np.nonzero(later & (standing(trajectories)[episode] == place[:, None]))
    never = trajectories.decided.copy()
    never[episode[request], again] = False
    return never
