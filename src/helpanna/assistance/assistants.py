"""Assistants: who is asked, and what they answer.

`Assistant` is the protocol; `Anna` is the paper's. The others change one thing about another assistant and
stack: a priced, limited, noisy ANNA is `Priced(Limited(Noisy(anna, ...), ...), ...)`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
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

NONE = -1
"""In an answer: no instruction, no departure location or no goal."""


@dataclass(frozen=True, eq=False)
class Requests:
    """b agents that ask, or consider asking.

    Attributes:
        location: [b] where they stand.
        view: [b] where they look.
        goal_set: [b] what they seek.
        task: [b] the index of their task in the split; with `step` it addresses random draws.
        step: [b] the time step, from 0.
        asked: [b] how often they have asked in this episode.
    """

    location: Ints
    view: Ints
    goal_set: Ints
    task: Ints
    step: Ints
    asked: Ints

    def __len__(self) -> int:
        return len(self.location)

    def select(self, agents: Bools | Ints) -> "Requests":
        """Only these agents (a mask or indices)."""
        return Requests(*(getattr(self, column.name)[agents] for column in fields(self)))


@dataclass(frozen=True, eq=False)
class Answers:
    """What b agents are told, and what it costs them.

    An agent is told a stored route in one of its instructions, or in words of the assistant's own; or, where
    no route is named, is told such words and stays where it is. Either way it is then on a subtask, until it
    stops. Without route and words it gets no answer: the request counts and the time step has passed, but
    nothing else changes.

    Attributes:
        route: [b] the route to enter, one that can be entered from here; `NO_ROUTE` (-1) to stay.
        instruction: [b] which of the route's instructions is told, -1 where there are own words or no answer.
        departure: [b] v_d, the location whose panorama is shown (leave the route there), -1 for none.
        goal: [b] g*, the location whose panorama is shown on leaving the route, -1 for none.
        metres: [b] a price, added to the distance travelled.
        steps: [b] a price, taken from the time that is left.
        words: what the assistant says in its own words to each agent, None where it says nothing new; None
            altogether where it never does.
    """

    route: Ints
    instruction: Ints
    departure: Ints
    goal: Ints
    metres: Floats
    steps: Ints
    words: Sequence[str | None] | None = None

    def __len__(self) -> int:
        return len(self.route)

    @cached_property
    def own(self) -> Bools:
        """[b] who is told something in the assistant's own words."""
        if self.words is None:
            return np.zeros(len(self), dtype=bool)
        return np.array([words is not None for words in self.words], dtype=bool)

    @property
    def given(self) -> Bools:
        """[b] who gets an answer."""
        return (self.route != NO_ROUTE) | self.own

    @staticmethod
    def none(count: int) -> "Answers":
        """This many requests without an answer; with `dataclasses.replace` a start for own assistants."""
        nothing = np.full(count, NONE, dtype=np.int64)
        free = np.zeros(count, dtype=np.int64)
        return Answers(nothing, nothing, nothing, nothing, np.zeros(count), free)


class Assistant(Protocol):
    """Anyone who can be asked for help, for whole batches at once.

    What an agent is told must depend on its own request alone. An assistant that draws may have a third
    method, `reseeded`, see the function of this name.
    """

    def attends(self, requests: Requests) -> Bools:
        """[b] whether each agent could ask here and now."""
        ...

    def answer(self, requests: Requests) -> Answers:
        """The answers; only agents that are attended to may ask."""
        ...


def reseeded(assistant: Assistant, seed: int) -> Assistant:
    """The same assistant with other draws; one without a method `reseeded` draws nothing, and stays."""
    change = getattr(assistant, "reseeded", None)
    return assistant if change is None else change(seed)


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
            return np.zeros(len(requests), dtype=bool)
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
        return np.zeros(len(requests), dtype=bool)

    def answer(self, requests: Requests) -> Answers:
        """Nobody can have asked."""
        return Answers.none(len(requests))


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

    def reseeded(self, seed: int) -> "Noisy":
        """With other errors, and ANNA with other draws."""
        return replace(self, anna=self.anna.reseeded(seed), seed=seed)


@dataclass(frozen=True)
class Shuffled:
    """Names the right route and shows its picture, but says the words of any route: what are words worth?"""

    anna: Anna
    seed: int = 0

    def attends(self, requests: Requests) -> Bools:
        """As ANNA does."""
        return self.anna.attends(requests)

    def answer(self, requests: Requests) -> Answers:
        """ANNA's answer in words drawn from all instructions of the split."""
        said = self.anna.split.routes.instructions
        count = np.full(len(requests), len(said))
        which = choices(self.seed, "other words", count, requests.task, requests.step)
        answers = self.anna.answer(requests)
        return replace(
            answers, instruction=np.full(len(requests), NONE), words=[said[i] for i in which.tolist()]
        )

    def reseeded(self, seed: int) -> "Shuffled":
        """With other words, and ANNA with other draws."""
        return replace(self, anna=self.anna.reseeded(seed), seed=seed)


@dataclass(frozen=True)
class Limited:
    """Can be asked a limited number of times an episode."""

    assistant: Assistant
    answers: int

    def attends(self, requests: Requests) -> Bools:
        """Until it has been asked so often."""
        return self.assistant.attends(requests) & (requests.asked < self.answers)

    def answer(self, requests: Requests) -> Answers:
        """The other assistant's answer."""
        return self.assistant.answer(requests)

    def reseeded(self, seed: int) -> "Limited":
        """The other assistant with other draws."""
        return replace(self, assistant=reseeded(self.assistant, seed))


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
        given = answers.given
        return replace(
            answers,
            metres=answers.metres + np.where(given, self.metres, 0.0),
            steps=answers.steps + np.where(given, self.steps, 0),
        )

    def reseeded(self, seed: int) -> "Priced":
        """The other assistant with other draws."""
        return replace(self, assistant=reseeded(self.assistant, seed))
