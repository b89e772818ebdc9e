"""ANNA and Algorithm 1 once more: one agent, one step at a time, with lists, dictionaries and loops only.

Slow and plain on purpose: it shares nothing with the batched code but the split it reads and the draws of
`helpanna.randomness`, so that the two can be compared. Distances are rounded to single precision, as the
atlas stores them, so that ties are the same ties.
"""

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from helpanna.randomness import choices, uniforms
from helpanna.tasks.split import Split

_STEP = math.radians(30)
_TURN = math.radians(360)
_CENTRES = [
    (
        math.sin(view % 12 * _STEP) * math.cos((view // 12 - 1) * _STEP),
        math.cos(view % 12 * _STEP) * math.cos((view // 12 - 1) * _STEP),
        math.sin((view // 12 - 1) * _STEP),
    )
    for view in range(36)
]


class PlainSplit:
    """The graphs, goals, routes and tasks of a split, as lists and dictionaries."""

    def __init__(self, split: Split) -> None:
        atlas = split.atlas
        self.split = split
        self.positions = atlas.position.tolist()
        self.neighbours: list[list[int]] = [[] for _ in self.positions]
        for i, j in atlas.edge.tolist():
            self.neighbours[i].append(j)
            self.neighbours[j].append(i)
        self.tasks = list(
            zip(split.goal_set.tolist(), split.start.tolist(), split.view.tolist(), strict=True)
        )
        self.paths = [[v for v in path if v >= 0] for path in split.routes.path.tolist()]
        self.route_views = split.routes.view.tolist()
        self.instructions: list[list[int]] = [[] for _ in self.paths]
        for instruction, route in enumerate(split.routes.route_of.tolist()):
            self.instructions[route].append(instruction)
        self._from: dict[int, dict[int, float]] = {}
        self._actions: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._enterable: dict[int, list[int]] = {}

    @cached_property
    def goals(self) -> list[list[int]]:
        """V_goal of each goal set: the delegates of all objects of its type in its building."""
        atlas = self.split.atlas
        found = []
        for world, kind in zip(self.split.goal_sets.world, self.split.goal_sets.object_type, strict=True):
            objects = range(atlas.object_start[world], atlas.object_start[world + 1])
            found.append(sorted({int(atlas.delegate[i]) for i in objects if atlas.object_type[i] == kind}))
        return found

    def length(self, i: int, j: int) -> float:
        """Metres of the edge from i to j."""
        return math.dist(self.positions[i], self.positions[j])

    def distance(self, i: int, j: int) -> float:
        """d(i, j), by Dijkstra's algorithm; infinite without a path."""
        if j not in self._from:
            reached: dict[int, float] = {}
            queue = [(0.0, j)]
            while queue:
                metres, at = heapq.heappop(queue)
                if at not in reached:
                    reached[at] = metres
                    for near in self.neighbours[at]:
                        heapq.heappush(queue, (metres + self.length(at, near), near))
            self._from[j] = {at: float(np.float32(metres)) for at, metres in reached.items()}
        return self._from[j].get(i, math.inf)

    def nearest_goal(self, goal_set: int, v: int) -> int:
        """The goal nearest to v, the lowest id among equals."""
        return min(self.goals[goal_set], key=lambda g: (self.distance(v, g), g))

    def goal_distance(self, goal_set: int, v: int) -> float:
        """Metres from v to the nearest goal."""
        return min(self.distance(v, g) for g in self.goals[goal_set])

    def actions(self, v: int, view: int) -> list[tuple[int, int]]:
        """(location, view) that each navigation action leads to: stop, then what lies straight ahead."""
        if (v, view) not in self._actions:
            moves = []
            for near in self.neighbours[v]:
                towards = [b - a for a, b in zip(self.positions[v], self.positions[near], strict=True)]
                size = math.hypot(*towards)
                cosines = [
                    round(sum(a * b for a, b in zip(towards, centre, strict=True)) / size, 9)
                    for centre in _CENTRES
                ]
                turn = round((math.atan2(towards[0], towards[1]) - view % 12 * _STEP) / _TURN, 9) % 1
                order = (-cosines[view], turn, round(size, 9), round(-towards[2], 9), near)
                moves.append((order, cosines.index(max(cosines))))
            self._actions[v, view] = [(v, view), *[(order[-1], facing) for order, facing in sorted(moves)]]
        return self._actions[v, view]

    def enterable(self, v: int) -> list[int]:
        """The routes that start at v, or at a neighbour of v no further than 2 m."""
        if v not in self._enterable:
            found = []
            for route, path in enumerate(self.paths):
                near = path[0] in self.neighbours[v] and self.distance(v, path[0]) <= 2
                if path[0] == v or near:
                    found.append(route)
            self._enterable[v] = found
        return self._enterable[v]


@dataclass(frozen=True)
class Help:
    """What a request brings: the message, and what it costs."""

    route: int
    instruction: int
    departure: int
    goal: int
    metres: float = 0.0
    steps: int = 0


@dataclass(frozen=True)
class PlainAssistant:
    """ANNA, and what the other assistants change about her.

    Attributes:
        random_ties: draw among equally good routes, and among a route's instructions.
        noise: how likely a wrong route is named.
        limit: how often help is given in an episode.
        metres, steps: the price of an answer.
    """

    plain: PlainSplit
    seed: int = 0
    random_ties: bool = False
    noise: float = 0.0
    limit: float = math.inf
    metres: float = 0.0
    steps: int = 0

    def attends(self, v: int, asked: int) -> bool:
        return bool(self.plain.enterable(v)) and asked < self.limit

    def answer(self, v: int, goal_set: int, task: int, step: int) -> Help:
        plain = self.plain
        enterable = plain.enterable(v)
        left = {r: min(plain.goal_distance(goal_set, u) for u in plain.paths[r]) for r in enterable}
        best = [r for r in enterable if left[r] == min(left.values())]
        route = best[self._draw("route", len(best), task, step)]
        departure = min(plain.paths[route], key=lambda u: plain.goal_distance(goal_set, u))  # the first
        others = [r for r in enterable if r != route]
        if others and uniforms(self.seed, "noise", task, step)[0] < self.noise:
            route = others[choices(self.seed, "wrong route", len(others), task, step)[0]]
            departure = plain.paths[route][-1]
        texts = plain.instructions[route]
        text = texts[self._draw("instruction", len(texts), task, step)]
        goal = plain.nearest_goal(goal_set, departure)
        return Help(route, text, departure, goal, self.metres, self.steps)

    def _draw(self, purpose: str, count: int, task: int, step: int) -> int:
        if not self.random_ties:
            return 0
        return int(choices(self.seed, f"assistance {purpose}", count, task, step)[0])


@dataclass
class Episode:
    """What happened to one agent; a list holds one entry a decision, `location` and `view` one more."""

    task: int
    goal_set: int
    location: list[int] = field(default_factory=list)
    view: list[int] = field(default_factory=list)
    on_route: list[bool] = field(default_factory=list)
    text: list[int] = field(default_factory=list)
    text_changed: list[bool] = field(default_factory=list)
    target: list[int | None] = field(default_factory=list)
    segment: list[int] = field(default_factory=list)
    can_ask: list[bool] = field(default_factory=list)
    asked: list[bool] = field(default_factory=list)
    action: list[int | None] = field(default_factory=list)
    route: list[int | None] = field(default_factory=list)
    instruction: list[int | None] = field(default_factory=list)
    departure: list[int | None] = field(default_factory=list)
    goal: list[int | None] = field(default_factory=list)
    metres: float = 0.0

    @property
    def length(self) -> int:
        return len(self.asked)


Policy = Callable[[int, int], tuple[bool, int]]
"""(time step, how many navigation actions there are) -> (request help?, navigation action)."""


def run(
    plain: PlainSplit, assistant: PlainAssistant | None, task: int, budget: int, policy: Policy
) -> Episode:
    """Algorithm 1."""
    goal_set, v, view = plain.tasks[task]
    request = goal_set
    episode = Episode(task, goal_set)
    mode, instruction, target, goal_image = "main_task", request, None, None
    changed, switches, requests, step, time_left = True, 0, 0, 0, budget
    while time_left > 0:
        can_ask = assistant is not None and assistant.attends(v, requests)
        actions = plain.actions(v, view)
        ask, action = policy(step, len(actions))
        ask = ask and can_ask
        before = {
            "location": v, "view": view, "on_route": mode == "sub_task", "text": instruction,
            "text_changed": changed, "target": target, "segment": switches, "can_ask": can_ask, "asked": ask,
            "action": None if ask else action, "route": None, "instruction": None, "departure": None,
            "goal": None,
        }  # fmt: skip
        for name, value in before.items():
            getattr(episode, name).append(value)
        changed = False
        time_left -= 1
        step += 1
        if ask:
            help_ = assistant.answer(v, goal_set, task, step - 1)
            mode, instruction, target = "sub_task", len(plain.goals) + help_.instruction, help_.departure
            goal_image, changed = help_.goal, True
            switches += 1
            requests += 1
            episode.route[-1], episode.instruction[-1] = help_.route, instruction
            episode.departure[-1], episode.goal[-1] = help_.departure, help_.goal
            start = plain.paths[help_.route][0]
            episode.metres += plain.distance(v, start) + help_.metres
            time_left -= help_.steps
            v, view = start, plain.route_views[help_.route]
        elif action == 0 and mode == "main_task":
            break
        elif action == 0:
            mode, instruction, target, changed = "main_task", request, goal_image, True
            switches += 1
        else:
            to, facing = actions[action]
            episode.metres += plain.distance(v, to)
            v, view = to, facing
    episode.location.append(v)
    episode.view.append(view)
    return episode
