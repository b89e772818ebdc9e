"""Explorer: an honest heuristic that remembers what it has seen and recognises what it seeks.

It knows the places it has visited, their neighbours and the lengths of the ways between them, for these it
has seen with its own eyes; it knows of no other place and of no distance to a goal.
"""

import numpy as np
from numpy.typing import NDArray

from helpanna.agents.agent import Decision
from helpanna.agents.heuristics import navigate
from helpanna.agents.places import Places, PlaceTable
from helpanna.episodes.observation import NO_PLACE, Observation
from helpanna.episodes.perception import Perception
from helpanna.episodes.states import STOP

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_UNVISITED = -1


class Explorer:
    """Walks to the nearest unvisited place it has seen, and stops where the requested object is in sight.

    On a route it also stops at the target, whose image it recognises. It stops as well when nothing is left
    to explore.
    """

    def __init__(self) -> None:
        self._perception: Perception | None = None

    def begin(self, perception: Perception, tasks: Ints) -> None:
        """Forgets every building."""
        if perception != self._perception:
            self._perception = perception
        self._known = KnownGraph(len(tasks))

    def act(self, observation: Observation) -> Decision:
        """Looks around, remembers, and goes on exploring or stops."""
        assert self._perception is not None, "begin a batch first"  # noqa: S101
        here, candidates = observation.place, observation.candidates
        length = np.linalg.norm(self._perception.ways(observation), axis=-1)
        self._known.visit(here, candidates.place[:, 1:], length[:, 1:])
        found = self._perception.in_sight(observation)
        arrived = observation.on_route & self._perception.at_target(observation)
        leads_onward = candidates.place == self._known.towards_unvisited(here)[:, None]
        return navigate(np.where(found | arrived, STOP, np.argmax(leads_onward, axis=1)))


class KnownGraph:
    """The part of the graph that each of B agents has seen: visited places and their neighbours.

    After V visits every agent has a row of V entries, one for each visit; the visits that came to a known
    place leave their entry empty (no neighbours, infinitely far away).
    """

    def __init__(self, agents: int) -> None:
        self._agents = np.arange(agents)
        self._entry = PlaceTable(agents, np.array(_UNVISITED))
        self._distance = np.zeros((agents, 0, 0))  # [B, V, V] between visited places, along known ways
        self._neighbour = np.zeros((agents, 0, 0), dtype=np.int64)  # [B, V, A]
        self._length = np.zeros((agents, 0, 0))  # [B, V, A], infinite where there is no neighbour

    def visit(self, here: Places, neighbour: Places, length: Floats) -> None:
        """Every agent looks around where it stands.

        Args:
            here: [B] the place where it stands.
            neighbour: [B, A] the adjacent places, -1 where there are no more.
            length: [B, A] the metres to them.
        """
        new, exists = self._entry[here] == _UNVISITED, neighbour != NO_PLACE
        neighbour = np.where(exists, neighbour, here[:, None])  # it can index
        length = np.where(new[:, None] & exists, length, np.inf)

        # Ways to the new place lead over its visited neighbours; ways over it may be shorter than others.
        visited = self._entry[neighbour]
        over = np.where(visited != _UNVISITED, length, np.inf)[:, :, None] + self._distance_from(visited)
        reach = over.min(axis=1, initial=np.inf)  # [B, V]
        reach = np.concatenate([reach, np.where(new, 0.0, np.inf)[:, None]], axis=1)
        known = np.pad(self._distance, [(0, 0), (0, 1), (0, 1)], constant_values=np.inf)
        self._distance = np.minimum(known, reach[:, :, None] + reach[:, None, :])

        visits = self._neighbour.shape[1]
        self._entry[here] = np.where(new, visits, self._entry[here])
        shape = len(here), visits, neighbour.shape[1]
        self._neighbour = np.concatenate([self._neighbour.reshape(shape), neighbour[:, None]], axis=1)
        self._length = np.concatenate([self._length.reshape(shape), length[:, None]], axis=1)

    def towards_unvisited(self, here: Places) -> Places:
        """[B] the neighbour of `here` on the way to the nearest unvisited place; `here` if there is none.

        All of the shortest path to it but the last way lies between visited places: an unvisited one in
        between would be nearer.
        """
        entry, actions = self._entry[here], self._length.shape[2]
        unvisited = self._entry[self._neighbour] == _UNVISITED  # [B, V, A]
        far = self._distance[self._agents, entry][:, :, None] + np.where(unvisited, self._length, np.inf)
        nearest = far.reshape(len(here), -1).argmin(axis=1)
        left_at, last_way = nearest // actions, nearest % actions
        unvisited_place = self._neighbour[self._agents, left_at, last_way]

        neighbour, length = self._neighbour[self._agents, entry], self._length[self._agents, entry]
        visited = self._entry[neighbour]
        rest = self._distance[self._agents[:, None], visited, left_at[:, None]]
        over = np.where(visited != _UNVISITED, length + rest, np.inf).argmin(axis=1)
        onward = np.where(left_at == entry, unvisited_place, neighbour[self._agents, over])
        exists = np.isfinite(far.reshape(len(here), -1)[self._agents, nearest])
        return np.where(exists, onward, here)

    def _distance_from(self, entries: Ints) -> Floats:
        """[B, A, V] from the visited places with these entries; anything where the entry is unvisited."""
        if self._distance.shape[1] == 0:
            return np.zeros((*entries.shape, 0))
        return self._distance[self._agents[:, None], entries]
