"""The map that an agent draws while it walks: what it has seen of a building in this episode.

It is drawn from the agent's own walk, by odometry and sight: the places where it has been, those it has seen
and not been to, the ways between them with their lengths and directions, when it was where, and under which
instruction. A place's number is the one of the observation, in the order in which this agent first saw it.
Nothing here knows a location, a goal, or a way that was not in sight.
"""

import numpy as np
from numpy.typing import NDArray

from helpanna.episodes.observation import NO_PLACE, Observation
from helpanna.episodes.states import STOP
from helpanna.worlds.geometry import view_heading

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

NEVER = -1
"""The step of what has not happened."""

_FIRST_CAPACITY = 32


class EpisodeMap:
    """The maps of B agents, with room for P places each; rows of finished episodes stay as they were.

    Attributes:
        count: [B] how many places each agent knows: those with numbers below it.
        here: [B] the place where it stands.
        heading: [B] radians, where its camera looks.
        position: [B, P, 3] metres east, north and up from where the episode began.
        distance: [B, P, P] metres along known ways, infinite where none is known.
        panorama: [B, P] what a visited place looks like (a handle of the perception), -1 if not visited.
        glimpse: [B, P] for a place not yet visited, the panorama from which it was last seen, else -1.
        glimpse_view: [B, P] the view of that panorama towards it.
        glimpse_from: [B, P] the place from where that was.
        turn: [B, P] radians, how far the agent had to turn towards it then.
        first_visit, last_visit: [B, P] steps, -1 for never.
        task_start: [B] the place where the current instruction was given.
        task_heading: [B] radians, where the camera looked then.
        task_step: [B] the step of that.
        task_visit: [B, P] the step of the first visit under the current instruction, -1 for none.
        task_visits: [B, P] how many steps were spent there under it.
        asked: [B, P] whether help was requested there.
    """

    def __init__(self, agents: int) -> None:
        self._agents = np.arange(agents)
        self.count, self.here, self.task_start, self.task_step = np.zeros((4, agents), dtype=np.int64)
        self.heading, self.task_heading = np.zeros((2, agents), dtype=np.float32)
        shape = agents, _FIRST_CAPACITY
        self.position = np.zeros((*shape, 3), dtype=np.float32)
        self.distance = np.full((*shape, _FIRST_CAPACITY), np.inf, dtype=np.float32)
        self.panorama, self.glimpse = np.full((2, *shape), NO_PLACE, dtype=np.int64)
        self.glimpse_view, self.glimpse_from = np.zeros((2, *shape), dtype=np.int64)
        self.turn = np.zeros(shape, dtype=np.float32)
        self.first_visit, self.last_visit, self.task_visit = np.full((3, *shape), NEVER, dtype=np.int64)
        self.task_visits = np.zeros(shape, dtype=np.int64)
        self.asked = np.zeros(shape, dtype=bool)

    def __len__(self) -> int:
        return len(self._agents)

    @property
    def visited(self) -> Bools:
        """[B, P] where the agents have been."""
        return self.first_visit != NEVER

    @property
    def frontier(self) -> Bools:
        """[B, P] what they have seen and not been to."""
        return (np.arange(self.first_visit.shape[1]) < self.count[:, None]) & ~self.visited

    def observe(self, observation: Observation, ways: NDArray[np.float64]) -> None:
        """Every agent whose episode goes on looks around.

        Args:
            observation: what the agents are given.
            ways: [B, A, 3] where the navigation actions lead, in metres; see `Perception.ways`.
        """
        agents = np.flatnonzero(observation.active)
        places = np.where(observation.candidates.mask, observation.candidates.place, 0)[agents]
        self._make_room(int(places.max(initial=0)) + 1)
        here = observation.place[agents].astype(np.int64)
        begins = agents[self.count[agents] == 0]
        self.distance[begins, self.here[begins], self.here[begins]] = 0
        self.count[begins] = 1
        self.here[agents] = here
        self.heading[agents] = view_heading(observation.view[agents])
        self._note_task(agents, observation)
        new = self.first_visit[agents, here] == NEVER
        self._note_visit(agents, here, observation)
        self._look_around(agents, new, observation, ways)

    def _note_task(self, agents: Ints, observation: Observation) -> None:
        """A new instruction begins where the agent stands."""
        told = agents[observation.text_changed[agents]]
        self.task_start[told] = self.here[told]
        self.task_heading[told] = self.heading[told]
        self.task_step[told] = observation.step
        self.task_visit[told] = NEVER
        self.task_visits[told] = 0

    def _note_visit(self, agents: Ints, here: Ints, observation: Observation) -> None:
        at = agents, here
        self.first_visit[at] = np.where(self.first_visit[at] == NEVER, observation.step, self.first_visit[at])
        self.task_visit[at] = np.where(self.task_visit[at] == NEVER, observation.step, self.task_visit[at])
        self.last_visit[at] = observation.step
        self.task_visits[at] += 1
        self.panorama[at] = observation.panorama[agents]

    def _look_around(
        self, agents: Ints, new: Bools, observation: Observation, ways: NDArray[np.float64]
    ) -> None:
        """The places around, one action of all agents after the other."""
        candidates = observation.candidates
        # Metres from where the agents stand to every known place; the ways from here may make some shorter.
        reach = self.distance[agents, self.here[agents]]
        for action in range(1, candidates.mask.shape[1]):
            rows = np.flatnonzero(candidates.mask[agents, action])
            if not len(rows):
                break  # actions follow each other without a gap
            who, offset = agents[rows], ways[agents[rows], action].astype(np.float32)
            place = candidates.place[who, action].astype(np.int64)
            length = np.sqrt((offset * offset).sum(axis=1))
            added = place >= self.count[who]
            self._add(who[added], place[added], offset[added])
            reach[rows[added], place[added]] = length[added]
            known = ~added & new[rows]
            over = length[known, None] + self.distance[who[known], place[known]]
            reach[rows[known]] = np.minimum(reach[rows[known]], over)
            self._glimpse(who, place, offset, observation, action)
        self._shorten(agents[new], reach[new])

    def _add(self, who: Ints, place: Ints, offset: Floats) -> None:
        """A place never seen before, beside where the agent stands."""
        self.position[who, place] = self.position[who, self.here[who]] + offset
        self.distance[who, place, place] = 0
        self.count[who] = place + 1

    def _glimpse(self, who: Ints, place: Ints, offset: Floats, observation: Observation, action: int) -> None:
        """What a place looks like from here, if the agent has not been there."""
        ahead = self.first_visit[who, place] == NEVER
        who, place, offset = who[ahead], place[ahead], offset[ahead]
        self.glimpse[who, place] = observation.panorama[who]
        self.glimpse_view[who, place] = observation.candidates.view[who, action]
        self.glimpse_from[who, place] = self.here[who]
        self.turn[who, place] = wrapped(np.arctan2(offset[:, 0], offset[:, 1]) - self.heading[who])

    def _shorten(self, who: Ints, reach: Floats) -> None:
        """All that is new is ways from `here`: what they make shorter leads over it."""
        if not len(who):
            return
        places = slice(0, int(self.count[who].max()))
        reach = reach[:, places]
        over = reach[:, :, None] + reach[:, None, :]
        self.distance[who, places, places] = np.minimum(self.distance[who, places, places], over)

    def note_requests(self, asked: Bools) -> None:
        """Help was requested where these agents [B] stand."""
        self.asked[asked, self.here[asked]] = True

    def action_towards(
        self, place: Ints, observation: Observation, ways: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        """[B] the navigation action on the shortest known way to a known place; stop where one stands."""
        candidates = observation.candidates
        neighbour = np.where(candidates.mask, candidates.place, 0)
        rest = self.distance[self._agents[:, None], neighbour, place[:, None]]
        metres = np.where(candidates.mask, np.linalg.norm(ways, axis=-1) + rest, np.inf)
        metres[:, STOP] = np.inf
        onward = metres.argmin(axis=1)
        stays = (place == self.here) | ~np.isfinite(metres.min(axis=1))
        return np.where(stays, STOP, onward)

    def _make_room(self, places: int) -> None:
        capacity = self.first_visit.shape[1]
        while capacity < places:
            more = [(0, 0), (0, capacity)]
            self.distance = np.pad(self.distance, [*more, (0, capacity)], constant_values=np.inf)
            self.position = np.pad(self.position, [*more, (0, 0)])
            for name in ("panorama", "glimpse", "first_visit", "last_visit", "task_visit"):
                setattr(self, name, np.pad(getattr(self, name), more, constant_values=-1))
            for name in ("glimpse_view", "glimpse_from", "turn", "task_visits", "asked"):
                setattr(self, name, np.pad(getattr(self, name), more))
            capacity *= 2


def wrapped(angle: NDArray[np.floating]) -> Floats:
    """The same angle between -pi and pi."""
    return ((angle + np.pi) % (2 * np.pi) - np.pi).astype(np.float32)
