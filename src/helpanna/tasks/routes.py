"""Language-assisted routes: the paths that assistants know, and how they describe them.

A route r = (camera angles at the start, path, instruction). One path has several instructions (three in
Room-to-Room); r* is chosen over paths, and its text comes from the instructions that the split may hear. So a
"route" here is a path with its camera angles, and instructions refer to it. Routes that share a start
location are one simulated assistant.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.geometry import VIEWS

EPS_ATTN = 2.0
"""Metres: how far away an assistant's attention reaches, to neighbours of where they stand."""

NO_ROUTE = -1


@dataclass(frozen=True, eq=False)
class Routes:
    """P routes with I instructions in the buildings of one atlas.

    They are numbered building by building, in the order of the atlas.

    Attributes:
        names: the source's names of the routes ("6250").
        path: [P, L] location ids, -1 after a route's last.
        view: [P] the camera's view at the start.
        instructions: I texts.
        route_of: [I] the route that each instruction describes, ascending.
    """

    names: tuple[str, ...]
    path: NDArray[np.int32]
    view: NDArray[np.int32]
    instructions: tuple[str, ...]
    route_of: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.names)

    @property
    def start(self) -> NDArray[np.int32]:
        """[P] where each route begins."""
        return self.path[:, 0]

    @cached_property
    def last(self) -> NDArray[np.int32]:
        """[P] where each route ends."""
        steps = (self.path >= 0).sum(axis=1)
        return self.path[np.arange(len(self)), steps - 1]

    @cached_property
    def instruction_start(self) -> NDArray[np.int64]:
        """[P + 1] the instructions of route r are `instruction_start[r] : instruction_start[r + 1]`."""
        return np.searchsorted(self.route_of, np.arange(len(self) + 1))

    def select(self, instructions: NDArray[np.int64]) -> "Routes":
        """Only these instructions (ascending indices), and the routes that they describe."""
        kept = np.unique(self.route_of[instructions])
        return Routes(
            names=tuple(self.names[r] for r in kept),
            path=self.path[kept],
            view=self.view[kept],
            instructions=tuple(self.instructions[i] for i in instructions),
            route_of=np.searchsorted(kept, self.route_of[instructions]).astype(np.int32),
        )


def join_routes(atlas: Atlas, first: Routes, second: Routes) -> Routes:
    """Both together, building by building; in each building the first ones come first."""
    width = max(first.path.shape[1], second.path.shape[1])
    paths = [
        np.pad(routes.path, [(0, 0), (0, width - routes.path.shape[1])], constant_values=-1)
        for routes in (first, second)
    ]
    path = np.concatenate(paths)
    order = np.argsort(atlas.world_of[path[:, 0]], kind="stable")
    rank = np.argsort(order)
    route_of = rank[np.concatenate([first.route_of, second.route_of + len(first)])]
    said = np.argsort(route_of, kind="stable")
    names, texts = first.names + second.names, first.instructions + second.instructions
    return Routes(
        names=tuple(names[r] for r in order),
        path=path[order],
        view=np.concatenate([first.view, second.view])[order],
        instructions=tuple(texts[i] for i in said),
        route_of=route_of[said].astype(np.int32),
    )


def check_routes(atlas: Atlas, routes: Routes) -> None:
    """Raises an `InputError` unless every route is a walk of two locations or more in its building."""
    there = routes.path >= 0
    whole = (routes.path < atlas.location_count).all(axis=1) & (there.sum(axis=1) >= 2)
    whole &= ~(there[:, 1:] & ~there[:, :-1]).any(axis=1)  # no gaps
    whole &= (routes.view >= 0) & (routes.view < VIEWS)
    walks = there[:, 1:] & whole[:, None]
    here = np.where(walks, routes.path[:, :-1], 0)
    joined = (atlas.action_location[here, 0, 1:] == routes.path[:, 1:, None]).any(axis=-1)
    wrong = ~whole | (walks & ~joined).any(axis=1)
    if wrong.any():
        name = routes.names[int(wrong.argmax())]
        raise InputError(f"route {name} is not a walk in the buildings of the atlas; leave it out.")


def zones_of_attention(atlas: Atlas, routes: Routes) -> NDArray[np.int32]:
    """[N, E] the routes that can be entered from each location, ascending, `NO_ROUTE` after the last.

    A route is enterable where it starts, and from neighbours of its start no further than `EPS_ATTN`.
    """
    near = atlas.action_location[:, 0, :]  # the location itself (stop) and its neighbours
    exists = near >= 0
    distance = atlas.distances(np.arange(len(near))[:, None], np.where(exists, near, 0))
    location, slot = np.nonzero(exists & (distance <= EPS_ATTN))
    start = near[location, slot]

    order = np.argsort(routes.start, kind="stable")
    sorted_start = routes.start[order]
    first = np.searchsorted(sorted_start, start, side="left")
    count = np.searchsorted(sorted_start, start, side="right") - first
    listener = np.repeat(location, count)
    rank = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    route = order[np.repeat(first, count) + rank]

    order = np.lexsort((route, listener))
    listener, route = listener[order], route[order]
    total = np.bincount(listener, minlength=atlas.location_count)
    table = np.full((atlas.location_count, total.max(initial=0)), NO_ROUTE, dtype=np.int32)
    table[listener, np.arange(len(listener)) - (np.cumsum(total) - total)[listener]] = route
    return table
