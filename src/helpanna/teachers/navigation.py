"""The navigation teacher: which way is right, and which wrong ways the agent has tried already.

A pure function of trajectories. It knows what the agent does not: the map and the goals.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from helpanna.episodes.trajectory import NO_TARGET, Trajectories
from helpanna.tasks.split import Split
from helpanna.worlds.actions import NO_ACTION

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

NO_REFERENCE = NO_ACTION


@dataclass(frozen=True, eq=False)
class NavigationReferences:
    """What the teacher says of B episodes of T steps, with up to A navigation actions at each.

    Attributes:
        target: [B, T] where the agent should go, -1 where no goal can be reached and after the end.
        action: [B, T] the reference action's index in the list of that pose (0 is stop), -1 where there is no
            target, no path to it, or no decision.
        tried: [B, T, A] the set A(x) of the curiosity-encouraging loss: see `tried_actions`.
        counts: [B, T] whether the step carries a navigation loss: there is a reference action, and help was
            not requested.
    """

    target: Ints
    action: Ints
    tried: Bools
    counts: Bools


def navigation_references(split: Split, trajectories: Trajectories) -> NavigationReferences:
    """The navigation teacher's answers for every step of every episode."""
    target = reference_targets(split, trajectories)
    action = reference_actions(split, trajectories, target)
    return NavigationReferences(
        target=target,
        action=action,
        tried=tried_actions(split, trajectories, action),
        counts=(action != NO_REFERENCE) & ~trajectories.asked,
    )


def reference_targets(split: Split, trajectories: Trajectories) -> Ints:
    """[B, T] the location of the target panorama if there is one, else the goal nearest to the agent."""
    goal_set = split.goal_set[trajectories.task][:, None]
    nearest = split.goal_sets.nearest_to(goal_set, standing(trajectories))
    target = np.where(trajectories.target != NO_TARGET, trajectories.target, nearest)
    return np.where(trajectories.decided, target, NO_TARGET)


def reference_actions(split: Split, trajectories: Trajectories, target: Ints) -> Ints:
    """[B, T] the action on the shortest path to the target: stop at the target, -1 without a path."""
    view = np.where(trajectories.decided, trajectories.view[:, :-1], 0)
    return split.atlas.actions_towards(standing(trajectories), view, target)


def tried_actions(split: Split, trajectories: Trajectories, reference: Ints) -> Bools:
    """[B, T, A] A(x): the actions that the agent took here before, under the same instruction, and wrongly.

    Action a is in A(x) of step t if at some earlier step t' the agent was at the same location with the same
    language instruction (l_t = l_t'), chose to go where a leads from here, and the reference action of t' was
    another. As in the paper, any earlier stretch under that instruction counts, and what was wrong at t' is
    in the set even where it is right now that the target has changed. The index of an action depends on the
    camera's view, so actions are compared by where they lead; stop leads to where one stands.

    Moves to a route's start are the assistant's, not the agent's, and are never in the set.
    """
    tried = np.zeros((*reference.shape, split.atlas.action_count), dtype=bool)
    again = same_as_before(trajectories, trajectories.text) & mistakes(trajectories, reference)[:, None, :]
    # Far faster than `np.nonzero` of three dimensions.
    episode, step, earlier = np.unravel_index(np.flatnonzero(again), again.shape)
    went = trajectories.location[episode, earlier + 1]
    where = trajectories.location[episode, step], trajectories.view[episode, step]
    index = np.argmax(split.atlas.action_location[where] == went[:, None], axis=-1)
    tried[episode, step, index] = True
    return tried


def mistakes(trajectories: Trajectories, reference: Ints) -> Bools:
    """[B, T] whether the agent chose a navigation action that is not the reference action."""
    chose = trajectories.decided & ~trajectories.asked
    return chose & (reference != NO_REFERENCE) & (trajectories.action != reference)


def same_as_before(trajectories: Trajectories, *columns: Ints) -> Bools:
    """[B, T, T] entry (b, t, t'): t' < t, at the same location and with the same entries in all columns."""
    same = np.tril(np.ones((trajectories.steps, trajectories.steps), dtype=bool), k=-1)
    same = same & trajectories.decided[:, :, None]
    for column in (standing(trajectories), *columns):
        ids = column.astype(np.int32)  # half the memory to compare
        same &= ids[:, :, None] == ids[:, None, :]
    return same


def standing(trajectories: Trajectories) -> Ints:
    """[B, T] where the agent stood at each decision; after the end the start, so that it can index."""
    return np.where(trajectories.decided, trajectories.location[:, :-1], trajectories.location[:, :1])
