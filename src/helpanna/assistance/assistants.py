"""Assistants: who is asked, and what they answer.

`Assistant` is the protocol; `Anna` is the paper's. The others change one thing about another assistant and
stack: a priced, limited, noisy ANNA is `Priced(Limited(Noisy(anna, ...), ...), ...)`.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from helpanna.randomness import choices, uniforms
from helpanna.tasks.routes import NO_ROUTE
from helpanna.tasks.split import Split

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Requests:
    """b agents that ask, or consider asking.

    Attributes:
        location: [b] where they stand.
        goal_set: [b] what they seek.
        task: [b] the index of their task in the split; with `step` it addresses random draws.
        step: [b] the time step, from 0.
        asked: [b] how often they have asked in this episode.
    """

    location: Ints
    goal_set: Ints
    task: Ints
    step: Ints
    asked: Ints

    def select(self, agents: Bools) -> "Requests":
        """Only these agents."""
        columns = (self.location, self.goal_set, self.task, self.step, self.asked)
        return Requests(*(column[agents] for column in columns))


@dataclass(frozen=True, eq=False)
class Answers:
    """What b agents are told, and what it costs them.

    Attributes:
        route: [b] the route to enter.
        instruction: [b] which instruction describes it.
        departure: [b] v_d, the location whose panorama is shown: leave the route there.
        goal: [b] g*, the location whose panorama is shown on leaving the route.
        metres: [b] a price, added to the distance travelled.
        steps: [b] a price, taken from the time that is left.
    """

    route: Ints
    instruction: Ints
    departure: Ints
    goal: Ints
    metres: Floats
    steps: Ints


class Assistant(Protocol):
    """Anyone who can be asked for help, for whole batches at once."""

    def attends(self, requests: Requests) -> Bools:
        """[b] whether each agent could ask here and now."""
        ...

    def answer(self, requests: Requests) -> Answers:
        """The answers; only agents that are attended to may ask."""
        ...


@dataclass(frozen=True)
class Anna:
    """The paper's assistant: of all routes that can be entered, the one that leads closest to a goal.

    Attributes:
        split: the tasks and routes.
        seed: addresses the draws of `random_ties`.
        random_ties: choose at random among equally good routes, and among a route's instructions (in
            training); otherwise the first.
    """

    split: Split
    seed: int = 0
    random_ties: bool = False

    @cached_property
    def _closest(self) -> tuple[Ints, NDArray[np.float32], Ints]:
        """For each goal set and route in its building: block starts, distance left at v_d, and v_d itself.

        What is known of (goal set g, route r) stands at `block[g] + r`.
        """
        atlas, routes, goals = self.split.atlas, self.split.routes, self.split.goal_sets
        # Routes are numbered building by building.
        first = np.searchsorted(atlas.world_of[routes.start], np.arange(atlas.world_count + 1))
        distances, departures = [np.zeros(0, np.float32)], [np.zeros(0, np.int64)]
        for g, world in enumerate(goals.world):
            path = routes.path[first[world] : first[world + 1]]
            exists = path >= 0  # the start in place of what is not there: it can index
            distance = np.where(exists, goals.distance_from(g, np.where(exists, path, path[:, :1])), np.inf)
            place = distance.argmin(axis=1)
            rows = np.arange(len(path))
            distances.append(distance[rows, place].astype(np.float32))
            departures.append(path[rows, place])
        sizes = np.diff(first)[goals.world]
        block = np.cumsum(sizes) - sizes - first[goals.world]
        return block, np.concatenate(distances), np.concatenate(departures).astype(np.int64)

    def reseeded(self, seed: int) -> "Anna":
        """The same assistant with other draws; what is known of the routes is shared."""
        other = replace(self, seed=seed)
        other.__dict__["_closest"] = self._closest
        return other

    def attends(self, requests: Requests) -> Bools:
        """Whether some route can be entered from here (the zone of attention)."""
        zones = self.split.zones
        if zones.shape[1] == 0:
            return np.zeros(len(requests.location), dtype=bool)
        return zones[requests.location, 0] != NO_ROUTE

    def answer(self, requests: Requests) -> Answers:
        """r*, v_d and g* of the paper's section 3."""
        block, distance, _ = self._closest
        routes = self.split.zones[requests.location]  # [b, E]
        exists = routes != NO_ROUTE
        left = distance[block[requests.goal_set][:, None] + np.where(exists, routes, routes[:, :1])]
        left = np.where(exists, left, np.inf)
        best = left == left.min(axis=1, keepdims=True)
        rank = self._draw("route", best.sum(axis=1), requests)
        chosen = np.argmax(np.cumsum(best, axis=1) > rank[:, None], axis=1)
        return self.describe(routes[np.arange(len(routes)), chosen].astype(np.int64), requests)

    def describe(self, route: Ints, requests: Requests) -> Answers:
        """The answer that names this route to each agent."""
        block, _, departures = self._closest
        departure = departures[block[requests.goal_set] + route]
        starts = self.split.routes.instruction_start
        pick = self._draw("instruction", starts[route + 1] - starts[route], requests)
        return Answers(
            route=route,
            instruction=starts[route] + pick,
            departure=departure,
            goal=self.split.goal_sets.nearest_to(requests.goal_set, departure).astype(np.int64),
            metres=np.zeros(len(route)),
            steps=np.zeros(len(route), dtype=np.int64),
        )

    def _draw(self, purpose: str, count: Ints, requests: Requests) -> Ints:
        if not self.random_ties:
            return np.zeros(len(count), dtype=np.int64)
        return choices(self.seed, f"assistance {purpose}", count, requests.task, requests.step)


@dataclass(frozen=True)
class Absent:
    """Nobody is there."""

    def attends(self, requests: Requests) -> Bools:
        """Never."""
        return np.zeros(len(requests.location), dtype=bool)

    def answer(self, requests: Requests) -> Answers:
        """Nobody can have asked."""
        nobody = np.zeros(0, dtype=np.int64)
        return Answers(nobody, nobody, nobody, nobody, np.zeros(0), nobody)


@dataclass(frozen=True)
class Noisy:
    """Names a wrong route with probability p: any other that can be entered, if there is one."""

    anna: Anna
    p: float
    seed: int = 0

    def attends(self, requests: Requests) -> Bools:
        """As ANNA does."""
        return self.anna.attends(requests)

    def answer(self, requests: Requests) -> Answers:
        """ANNA's answer, or that of the wrong route, to be left at its end."""
        right = self.anna.answer(requests)
        routes = self.anna.split.zones[requests.location]
        other = (routes != NO_ROUTE) & (routes != right.route[:, None])
        errs = uniforms(self.seed, "noise", requests.task, requests.step) < self.p
        errs &= other.any(axis=1)
        rank = choices(self.seed, "wrong route", other.sum(axis=1), requests.task, requests.step)
        column = np.argmax(np.cumsum(other, axis=1) > rank[:, None], axis=1)
        wrong_route = routes[np.arange(len(routes)), column].astype(np.int64)
        answers = self.anna.describe(np.where(errs, wrong_route, right.route), requests)
        end = self.anna.split.routes.last[answers.route]
        departure = np.where(errs, end, answers.departure)
        goal = self.anna.split.goal_sets.nearest_to(requests.goal_set, departure)
        return replace(answers, departure=departure, goal=goal.astype(np.int64))


@dataclass(frozen=True)
class Limited:
    """Answers no more than so many times an episode."""

    assistant: Assistant
    answers: int

    def attends(self, requests: Requests) -> Bools:
        """While answers are left."""
        return self.assistant.attends(requests) & (requests.asked < self.answers)

    def answer(self, requests: Requests) -> Answers:
        """The other assistant's answer."""
        return self.assistant.answer(requests)


@dataclass(frozen=True)
class Priced:
    """Every answer costs metres (as if walked) or time steps."""

    assistant: Assistant
    metres: float = 0.0
    steps: int = 0

    def attends(self, requests: Requests) -> Bools:
        """As the other assistant does."""
        return self.assistant.attends(requests)

    def answer(self, requests: Requests) -> Answers:
        """The other assistant's answer, at a price."""
        answers = self.assistant.answer(requests)
        return replace(answers, metres=answers.metres + self.metres, steps=answers.steps + self.steps)
