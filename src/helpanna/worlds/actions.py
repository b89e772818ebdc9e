"""Action tables: for every location and camera view, the list of navigation actions.

Action 0 is stop; then come the adjacent locations, ordered by the angle between the centre of the current
view and the direction of the location. Among equal angles the first is the one that a turn to the right meets
first, then the nearer, then the higher: an order that an agent can see. Only where all that is equal does the
lower location id decide. Moving turns the camera to the view whose centre is closest in angle to the next
location.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.worlds.geometry import STOP_SLOT, VIEWS, action_slot, angles, view_cosines, view_heading
from helpanna.worlds.world import World

NO_ACTION = -1
"""Fills the tables after a location's last action."""

_TURN = 2 * np.pi
_DECIMALS = 9
_SAME = 10.0**-_DECIMALS
"""Lengths and angles that differ by less are equal, so that rounding does not decide an order."""


@dataclass(frozen=True, eq=False)
class ActionTables:
    """What each action does, for n locations x 36 views x up to A actions; `NO_ACTION` beyond the last.

    Attributes:
        location: [n, 36, A] where the action leads.
        view: [n, 36, A] the camera's view afterwards.
        slot: [n, 36, A] the action's static slot, 0..36.
    """

    location: NDArray[np.int32]
    view: NDArray[np.int8]
    slot: NDArray[np.int8]


def neighbours(world: World) -> NDArray[np.int32]:
    """[n, K] the adjacent locations in ascending order, `NO_ACTION` after the last."""
    sources = np.concatenate([world.edges[:, 0], world.edges[:, 1]])
    targets = np.concatenate([world.edges[:, 1], world.edges[:, 0]])
    order = np.lexsort((targets, sources))
    sources, targets = sources[order], targets[order]
    degrees = np.bincount(sources, minlength=world.location_count)
    table = np.full((world.location_count, degrees.max(initial=0)), NO_ACTION, dtype=np.int32)
    rank = np.arange(len(sources)) - (np.cumsum(degrees) - degrees)[sources]
    table[sources, rank] = targets
    return table


def action_tables(world: World) -> ActionTables:
    """The action tables of one building, with local location indices."""
    adjacent = neighbours(world)
    exists = adjacent != NO_ACTION
    towards = world.positions[adjacent] - world.positions[:, None]  # [n, K, 3]
    cosines = view_cosines(towards)  # [n, K, 36]
    view_towards = np.argmax(cosines, axis=-1)  # [n, K]

    order = _order(towards, cosines, exists)  # [n, 36, K]
    rows = np.arange(world.location_count)[:, None, None]
    current_view = np.arange(VIEWS)[None, :, None]
    sorted_exists = exists[rows, order]
    sorted_view = view_towards[rows, order]

    def table(stop: NDArray[Any], moves: NDArray[Any], dtype: type) -> NDArray[Any]:
        moves = np.where(sorted_exists, moves, NO_ACTION)
        stop = np.broadcast_to(stop, (*moves.shape[:2], 1))
        return np.concatenate([stop, moves], axis=-1).astype(dtype)

    return ActionTables(
        location=table(rows, adjacent[rows, order], np.int32),
        view=table(current_view, sorted_view, np.int8),
        slot=table(np.full_like(current_view, STOP_SLOT), action_slot(sorted_view, current_view), np.int8),
    )


def _order(
    towards: NDArray[np.float64], cosines: NDArray[np.float64], exists: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """[n, 36, K] the order of the adjacent locations, for each camera view; those that do not exist last."""
    angle = np.where(exists[:, :, None], -cosines, np.inf).transpose(0, 2, 1)
    heading, _ = angles(towards)
    turn = np.mod(heading[:, None, :] - view_heading(np.arange(VIEWS))[:, None], _TURN)
    turn = np.where(turn > _TURN - _SAME, 0, turn).round(_DECIMALS)  # rounding must not make a whole turn
    metres = np.linalg.norm(towards, axis=-1).round(_DECIMALS)[:, None, :]
    height = towards[:, None, :, 2].round(_DECIMALS)
    # The last key counts most; the sort is stable, so the lower location goes first among equals.
    return np.lexsort(np.broadcast_arrays(-height, metres, turn, angle), axis=-1)
