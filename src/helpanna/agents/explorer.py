"""Explorer: an honest heuristic that remembers what it has seen and recognises what it seeks.

It knows the locations it has visited, their neighbours and the lengths of the ways between them, for these it
has seen with its own eyes; it knows of no other location and of no distance to a goal.
"""

import numpy as np
from numpy.typing import NDArray

from helpanna.agents.agent import Decision
from helpanna.agents.heuristics import action_to, navigate
from helpanna.agents.places import PlaceTable
from helpanna.episodes.episodes import STOP, Observation
from helpanna.tasks.split import Split

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_UNVISITED = -1


class Explorer:
    """Walks to the nearest unvisited location it has seen, and stops where the requested object is in sight.

    On a route it also stops at the target, whose panorama it recognises. It stops as well when nothing
    is left to explore.
    """

    def __init__(self) -> None:
        self._split: Split | None = None

    def begin(self, split: Split, tasks: Ints) -> None:
        """Forgets every building."""
        if split is not self._split:
            self._split, self._in_sight = split, objects_in_sight(split)
        self._block = split.goal_sets.block[split.goal_set[tasks]]
        self._known = KnownGraph(split, tasks)

    def act(self, observation: Observation) -> Decision:
        """Looks around, remembers, and goes on exploring or stops."""
        here = observation.location
        self._known.visit(here)
        found = self._in_sight[self._block + here]
        arrived = observation.on_route & (here == observation.target)
        onward = action_to(observation, self._known.towards_unvisited(here))
        return navigate(np.where(found | arrived, STOP, onward))


def objects_in_sight(split: Split) -> Bools:
    """For (goal set g, location v), at `goal_sets.block[g] + v`: whether v sees an object of g's type."""
    atlas, goals = split.atlas, split.goal_sets
    types = len(atlas.type_names)
    goal_set_of = np.full(atlas.world_count * types, -1, dtype=np.int64)
    goal_set_of[goals.world * types + goals.object_type] = np.arange(len(goals))
    location, item = atlas.sighting.T
    goal_set = goal_set_of[atlas.world_of[location] * types + atlas.object_type[item]]
    sought = goal_set >= 0
    in_sight = np.zeros(len(goals.distance), dtype=bool)
    in_sight[goals.block[goal_set[sought]] + location[sought]] = True
    return in_sight


class KnownGraph:
    """The part of the graph that each of B agents has seen: visited locations and their neighbours.

    After V visits every agent has a row of V entries, one for each visit; the visits that came to a known
    location leave their entry empty (no neighbours, infinitely far away).
    """

    def __init__(self, split: Split, tasks: Ints) -> None:
        self._atlas = split.atlas
        agents, actions = len(tasks), split.atlas.action_count
        self._agents = np.arange(agents)
        self._entry = PlaceTable(split, tasks, np.array(_UNVISITED))
        self._distance = np.zeros((agents, 0, 0))  # [B, V, V] between visited locations, along known ways
        self._neighbour = np.zeros((agents, 0, actions - 1), dtype=np.int64)  # [B, V, A]
        self._length = np.zeros((agents, 0, actions - 1))  # [B, V, A], infinite where there is no neighbour

    def visit(self, here: Ints) -> None:
        """Every agent looks around where it stands."""
        new = self._entry[here] == _UNVISITED
        neighbour, length = self._look_around(here)
        length = np.where(new[:, None], length, np.inf)

        # Ways to the new location lead over its visited neighbours; ways over it may be shorter than others.
        visited = self._entry[neighbour]
        over = np.where(visited != _UNVISITED, length, np.inf)[:, :, None] + self._distance_from(visited)
        reach = over.min(axis=1, initial=np.inf)  # [B, V]
        reach = np.concatenate([reach, np.where(new, 0.0, np.inf)[:, None]], axis=1)
        known = np.pad(self._distance, [(0, 0), (0, 1), (0, 1)], constant_values=np.inf)
        self._distance = np.minimum(known, reach[:, :, None] + reach[:, None, :])

        self._entry[here] = np.where(new, self._neighbour.shape[1], self._entry[here])
        self._neighbour = np.concatenate([self._neighbour, neighbour[:, None]], axis=1)
        self._length = np.concatenate([self._length, length[:, None]], axis=1)

    def towards_unvisited(self, here: Ints) -> Ints:
        """[B] the neighbour of `here` on the way to the nearest unvisited location; `here` if there is none.

        All of the shortest path to it but the last way lies between visited locations: an unvisited one in
        between would be nearer.
        """
        entry, actions = self._entry[here], self._length.shape[2]
        unvisited = self._entry[self._neighbour] == _UNVISITED  # [B, V, A]
        far = self._distance[self._agents, entry][:, :, None] + np.where(unvisited, self._length, np.inf)
        nearest = far.reshape(len(here), -1).argmin(axis=1)
        left_at, last_way = nearest // actions, nearest % actions
        unvisited_location = self._neighbour[self._agents, left_at, last_way]

        neighbour, length = self._neighbour[self._agents, entry], self._length[self._agents, entry]
        visited = self._entry[neighbour]
        rest = self._distance[self._agents[:, None], visited, left_at[:, None]]
        over = np.where(visited != _UNVISITED, length + rest, np.inf).argmin(axis=1)
        onward = np.where(left_at == entry, unvisited_location, neighbour[self._agents, over])
        exists = np.isfinite(far.reshape(len(here), -1)[self._agents, nearest])
        return np.where(exists, onward, here)

    def _look_around(self, here: Ints) -> tuple[Ints, Floats]:
        """[B, A] the neighbours (the location itself where there are no more) and the metres to them."""
        neighbour = self._atlas.action_location[here, 0, 1:].astype(np.int64)
        exists = neighbour >= 0
        neighbour = np.where(exists, neighbour, here[:, None])
        way = self._atlas.position[neighbour] - self._atlas.position[here][:, None]
        return neighbour, np.where(exists, np.linalg.norm(way, axis=-1), np.inf)

    def _distance_from(self, entries: Ints) -> Floats:
        """[B, A, V] from the visited locations with these entries; anything where the entry is unvisited."""
        if self._distance.shape[1] == 0:
            return np.zeros((*entries.shape, 0))
        return self._distance[self._agents[:, None], entries]
