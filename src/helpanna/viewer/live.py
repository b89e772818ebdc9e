"""Agents live: any agent at hand on a task that one chooses, or from any step of a recorded episode on.

An episode follows from who acts, where, and the seed. So nothing is kept: the same address always shows the
same episode.
"""

import shlex
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import quote, urlencode

import numpy as np

from helpanna.agents.agent import Agent
from helpanna.agents.folders import read_config
from helpanna.agents.habits import lost_of
from helpanna.agents.names import (
    ASK_POLICIES,
    NAVIGATORS,
    make_agent,
    navigator_of,
    packaged_agents,
    parts_of,
)
from helpanna.assistance.names import is_built_in, make_assistant
from helpanna.episodes.conditions import USUAL_LOST
from helpanna.episodes.episodes import EVALUATION_BUDGET
from helpanna.errors import InputError
from helpanna.tasks.goals import NO_TYPE
from helpanna.tasks.split import Split
from helpanna.viewer.episode import episode_of
from helpanna.viewer.rerun import Setting, run_on, thoughts_of
from helpanna.viewer.results import Result
from helpanna.viewer.sources import Source
from helpanna.worlds.geometry import HEADINGS

_LEVEL = HEADINGS
"""The view straight ahead along heading 0, where an episode of one's own begins."""
_KEPT_AGENTS = 4
_KEPT_EPISODES = 64


@dataclass(frozen=True)
class Wish:
    """What somebody wants to see.

    Attributes:
        agent: the name of an agent at hand.
        source: the number of the split.
        task: of the split; None for one's own.
        object: one's own task: the number of what is sought, see `Live.objects`.
        start: where that begins, a place of its building.
        result: the number of a result whose episode of the task is followed at first.
        step: the first step at which the agent decides itself.
        assistant: who helps; None for who does in the result, or in tasks of this kind.
    """

    agent: str
    source: int
    task: int | None = None
    object: int | None = None
    start: int | None = None
    result: int | None = None
    step: int = 0
    assistant: str | None = None


class Live:
    """Runs agents for the page, one at a time.

    Attributes:
        navigators: the agents at hand, by the names that `make_agent` knows.
        assistants: who may be asked to help.
    """

    def __init__(
        self,
        results: Sequence[Result],
        sources: Sequence[Source],
        agents: Sequence[str] = (),
        data: Path | None = None,
    ) -> None:
        """Looks for agents.

        Args:
            results: open results; the agents that made them are at hand if their folders are.
            sources: the splits to act in.
            agents: more, named by the user.
            data: the dataset folder that the user named.
        """
        self._data = data
        self._results, self._sources, self._given = results, sources, [navigator_of(name) for name in agents]
        at_hand = (*NAVIGATORS, *packaged_agents())
        for name in self._given:
            if name not in at_hand:
                read_config(Path(name))
        named = [navigator_of(_agent_name(result)) for result in results]
        found = [name for name in named if _is_harmless(name)]
        self.navigators = tuple(dict.fromkeys((*at_hand, *self._given, *found)))
        helpers = [str(result.header.get("assistant") or "") for result in results]
        known = [name for name in helpers if is_built_in(name)]
        self.assistants = tuple(dict.fromkeys(("anna", "absent", *known)))
        self._lock = Lock()
        self._agents: OrderedDict[tuple[str, int, int], Agent] = OrderedDict()
        self._episodes: OrderedDict[Wish, dict[str, Any]] = OrderedDict()
        self._thoughts: OrderedDict[tuple[int, int], dict[str, Any]] = OrderedDict()

    def choices(self) -> dict[str, Any]:
        """Who can be chosen."""
        return {
            "navigators": list(self.navigators),
            "ask_policies": list(ASK_POLICIES),
            "assistants": list(self.assistants),
        }

    def objects(self, source: int) -> list[list[Any]]:
        """[[number, building, request], ...] what can be sought in tasks of one's own; empty if nothing."""
        split = self._sources[source].split
        if split.references is not None:
            return []
        sets = split.goal_sets
        return [
            [number, split.atlas.world_names[sets.world[number]], split.texts[number]]
            for number in range(len(sets))
            if sets.object_type[number] != NO_TYPE
        ]

    def thoughts(self, number: int, task: int) -> dict[str, Any]:
        """What the agent of a result thought in an episode.

        Returns:
            steps: see `thoughts_of`, or null; and why there are none, or are not its own: a sentence or null.
        """
        return self.all_thoughts(number, [task])[task]

    def all_thoughts(self, number: int, tasks: Sequence[int]) -> dict[int, dict[str, Any]]:
        """The same for many episodes at once."""
        with self._lock:
            found = {t: self._thoughts[number, t] for t in tasks if (number, t) in self._thoughts}
            missing = [task for task in tasks if task not in found]
            if missing:
                found |= self._think(number, missing)
                _keep(self._thoughts, {(number, task): found[task] for task in missing})
            return found

    def _think(self, number: int, tasks: Sequence[int]) -> dict[int, dict[str, Any]]:
        result = self._results[number]
        name = self._at_hand(_agent_name(result))
        navigator = navigator_of(name)
        if navigator not in self.navigators:
            why = f"The agent {name} is not at hand; name its folder with --agents." if name else None
            return {task: {"steps": None, "why": why} for task in tasks}
        if navigator in NAVIGATORS:
            return {task: {"steps": None, "why": None} for task in tasks}
        assert result.source is not None  # noqa: S101  # there are episodes to think about
        trips = result.trajectories(tasks)
        try:
            agent = self._agent(name, self._sources.index(result.source), _seed(result))
            steps = thoughts_of(result.source.split, agent, trips)
        except InputError as error:  # it sees other features, or its folder has changed
            return {task: {"steps": None, "why": str(error)} for task in tasks}
        if steps is None:
            return {task: {"steps": None, "why": None} for task in tasks}
        return {task: _judged(name, told) for task, told in zip(tasks, steps, strict=True)}

    def _at_hand(self, name: str) -> str:
        """The name of a result's agent; if its folder has moved, of the given one with such a folder."""
        navigator = navigator_of(name)
        if navigator not in self.navigators:
            for given in self._given:
                if Path(given).name == Path(navigator).name:
                    return given + name.removeprefix(navigator)
        return name

    def episode(self, wish: Wish) -> dict[str, Any]:
        """An episode as the page shows it.

        Returns:
            see `episode_of`; with `thoughts`, and `handed`, the first step that the agent decided, null where
            no recorded episode was followed.
        """
        with self._lock:
            if wish not in self._episodes:
                _keep(self._episodes, {wish: self._run(wish)})
            return self._episodes[wish]

    def _run(self, wish: Wish) -> dict[str, Any]:
        source = self._sources[wish.source]
        result = None if wish.result is None else self._results[wish.result]
        split, task = self._task(source.split, wish)
        told, seed, budget, helper = None, 0, EVALUATION_BUDGET, wish.assistant
        if result is not None:
            if result.source != source or task not in result:
                raise InputError(f"{result.path.name} has no episode of this task; choose another.")
            told, seed = result.trajectories([task]), _seed(result)
            budget = result.header["budget"] or budget
            helper = helper or _known(str(result.header.get("assistant") or ""), self.assistants)
        if helper is not None and helper not in self.assistants:
            raise InputError(f"the assistant {helper} is not offered here; choose another.")
        agent = self._agent(wish.agent, wish.source, seed, split)
        setting = Setting(split, task, make_assistant(helper, split, seed), budget)
        step = 0 if told is None else min(max(wish.step, 0), int(told.length[0]))
        trip, thoughts = run_on(agent, setting, told, step)
        lost = lost_of(agent) if result is None else result.header.get("lost", USUAL_LOST)
        return {
            **episode_of(split, trip, lost),
            "pictures": split.atlas.views.has_panoramas,
            "command": self._command(wish, step),
            "agent": wish.agent,
            "assistant": helper or split.kind.assistant,
            "handed": step if told is not None else None,
            "by": None if result is None else result.name,
            "thoughts": {"steps": thoughts, "why": None},
        }

    def _command(self, wish: Wish, step: int) -> str:
        """What to type to see this again."""
        files = [str(result.path) for result in self._results]
        given = {name: value for name, value in asdict(wish).items() if value not in (None, "")}
        place = f"/live/{quote(urlencode(given), safe='')}/{step}"
        data = [] if self._data is None else ["--data", str(self._data)]
        agents = ["--agents", *self._given] if self._given else []
        return shlex.join(["helpanna", "view", *files, *data, *agents, "--at", place])

    def _task(self, split: Split, wish: Wish) -> tuple[Split, int]:
        """The task: one of the split, or one's own, which is added to it as the last."""
        if wish.task is not None:
            if not 0 <= wish.task < len(split):
                raise InputError(f"{split.name} has the tasks 0 to {len(split) - 1}; name one of them.")
            return split, wish.task
        goal_set, start = wish.object, wish.start
        if goal_set is None or start is None:
            raise InputError("choose a task: its number, or what is sought and where to begin.")
        sets = split.goal_sets
        if (
            split.references is not None
            or not 0 <= goal_set < len(sets)
            or sets.object_type[goal_set] == NO_TYPE
        ):
            raise InputError("this cannot be sought here; choose a task by its number.")
        places = split.atlas.locations(int(sets.world[goal_set]))
        if not 0 <= start < len(places):
            raise InputError(f"this building has the places 0 to {len(places) - 1}; begin at one of them.")
        longer = replace(
            split,
            goal_set=np.append(split.goal_set, np.int32(goal_set)),
            start=np.append(split.start, np.int32(places[start])),
            view=np.append(split.view, np.int32(_LEVEL)),
        )
        return longer, len(split)

    def _agent(self, name: str, source: int, seed: int, split: Split | None = None) -> Agent:
        """The agent of this name, made once for a split; those that are given the split, again each time."""
        navigator, skylines = navigator_of(name), parts_of(name)[2]
        if navigator not in self.navigators:
            raise InputError(f"the agent {name} is not offered here; choose another.")
        given = self._sources[source].split if split is None else split
        if skylines or navigator in NAVIGATORS:
            return make_agent(name, given, seed)
        key = (name, source, seed)
        if key not in self._agents:
            _keep(self._agents, {key: make_agent(name, given, seed)}, _KEPT_AGENTS)
        self._agents.move_to_end(key)
        return self._agents[key]


def _keep(kept: OrderedDict[Any, Any], new: dict[Any, Any], most: int = _KEPT_EPISODES) -> None:
    """Remembers what is new and forgets the oldest."""
    kept.update(new)
    while len(kept) > most:
        kept.popitem(last=False)


def _judged(name: str, steps: list[dict[str, Any]]) -> dict[str, Any]:
    """Thoughts, unless the agent decides otherwise than in the episode: then they are not those it had."""
    differs = next((t for t, step in enumerate(steps) if not step["agrees"]), None)
    why = None
    if differs is not None:
        why = (
            f"The agent {name} that is at hand decides otherwise at step {differs}: it is not the one that "
            "made this result, or saw other features. These are its thoughts on the way of the other."
        )
    return {"steps": steps, "why": why}


def _agent_name(result: Result) -> str:
    name = result.header.get("agent")
    return name if isinstance(name, str) else ""


def _seed(result: Result) -> int:
    seed = result.header.get("seed")
    return seed if type(seed) is int and seed >= 0 else 0


def _is_harmless(name: str) -> bool:
    """Whether a result's agent is a folder at hand whose networks are the package's own.

    A file of somebody else must not make the page execute code that it names.
    """
    try:
        network = read_config(Path(name)).get("network") if name else None
    except (InputError, OSError, ValueError):
        return False
    return isinstance(network, dict) and ":" not in str(network.get("kind"))


def _known(name: str, offered: Sequence[str]) -> str | None:
    return name if name in offered else None
