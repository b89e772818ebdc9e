"""Records: what one line of a trajectory file says, looked up and checked before anything is replayed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.assistance.assistants import NONE
from helpanna.episodes.trajectory import LONGEST_BUDGET, NO_ACTION_TAKEN
from helpanna.tasks.routes import NO_ROUTE
from helpanna.tasks.split import Split

_WIDEST_NOTE = 1_000


class RecordError(Exception):
    """A record that cannot be replayed: what is wrong, and in which line it stands."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class Message:
    """A help request and its answer, in ids; -1 for what there is none of.

    Attributes:
        words: the assistant's own words, if it used them.
    """

    step: int
    route: int
    instruction: int
    departure: int
    goal: int
    words: str | None = None


@dataclass(frozen=True)
class Record:
    """One line of a trajectory file, in ids; None where the file does not say."""

    line: int
    task: int
    locations: list[int]
    views: list[int] | None
    actions: list[int] | None
    can_ask: list[bool] | None
    requests: list[Message]
    metres: float | None
    notes: dict[str, NDArray[Any]]

    @property
    def steps(self) -> int:
        """How many decisions were made."""
        return len(self.locations) - 1


class RecordParser:
    """Looks up the names in records, and checks what can be checked without walking."""

    def __init__(self, split: Split, notes: Mapping[str, str]) -> None:
        """Prepares for records of this split with these notes (number types by name)."""
        self._split, self._notes = split, notes
        atlas, routes = split.atlas, split.routes
        self._locations: list[dict[str, int]] = []
        for ids in map(atlas.locations, range(atlas.world_count)):
            names = atlas.location_names[ids.start : ids.stop]
            self._locations.append(dict(zip(names, ids, strict=True)))
        worlds = atlas.world_of[routes.start].tolist()
        self._routes = {key: r for r, key in enumerate(zip(worlds, routes.names, strict=True))}

    def parse(self, content: Mapping[str, Any], line: int) -> Record:
        """One record.

        Raises:
            RecordError: it makes no sense.
        """
        split = self._split
        task: Any = content.get("task")
        if not _whole(task) or not 0 <= task < len(split):
            raise RecordError(f'"task" must be 0 to {len(split) - 1}, the number of a task of {split.name}.')
        goal_set = int(split.goal_set[task])
        world = int(split.goal_sets.world[goal_set])
        for key, own in (
            ("world", split.atlas.world_names[world]),
            ("request", split.texts[split.request[task]]),
        ):
            if content.get(key, own) != own:
                raise RecordError(
                    f'"{key}" is {content[key]!r}, but task {task} has {own!r}; name its dataset.'
                )
        names = _list(content, "locations")
        if len(names) > LONGEST_BUDGET + 1:
            raise RecordError(
                f'"locations" has {len(names)} entries; at most {LONGEST_BUDGET + 1} make sense.'
            )
        locations = [self._location(world, name) for name in names]
        if not locations:
            raise RecordError('"locations" is empty; it must begin with the start of the task.')
        if len(locations) == 1:
            locations *= 2  # stopped at once
        steps = len(locations) - 1
        requests = self._requests(content, goal_set, steps)
        actions = _column(content, "actions", steps, _whole)
        if actions is not None:
            asked = {request.step for request in requests}
            if any((action == NO_ACTION_TAKEN) != (t in asked) for t, action in enumerate(actions)):
                raise RecordError('"actions" must be -1 exactly at the steps of "requests".')
        metres = content.get("metres")
        if metres is not None and not (type(metres) in (int, float) and 0 <= metres < np.inf):
            raise RecordError('"metres" must be a finite distance.')
        return Record(
            line=line,
            task=task,
            locations=locations,
            views=_column(content, "views", steps + 1, _whole),
            actions=actions,
            can_ask=_column(content, "can_ask", steps, lambda value: isinstance(value, bool)),
            requests=requests,
            metres=metres,
            notes={name: _note(content, name, kind, steps) for name, kind in self._notes.items()},
        )

    def _location(self, world: int, name: Any) -> int:
        try:
            return self._locations[world][name]
        except (KeyError, TypeError):
            raise RecordError(f"{name!r} is no location of the task's building.") from None

    def _requests(self, content: Mapping[str, Any], goal_set: int, steps: int) -> list[Message]:
        made: list[Message] = []
        for request in _list(content, "requests") if content.get("requests") is not None else []:
            if not isinstance(request, dict):
                raise RecordError('every entry of "requests" must be an object with "step" and "route".')
            step: Any = request.get("step")
            if not _whole(step) or not (made[-1].step if made else -1) < step < steps:
                raise RecordError(f'the "step" of requests must ascend within 0 to {steps - 1}.')
            made.append(self._message(request, goal_set, step))
        return made

    def _message(self, request: Mapping[str, Any], goal_set: int, step: int) -> Message:
        """A request and its answer; what the record does not say is what ANNA would have said."""
        words = request.get("words")
        if words is not None and (not isinstance(words, str) or request.get("instruction") is not None):
            raise RecordError('the "words" of a request are one text, and stand in place of "instruction".')
        if "route" not in request:
            raise RecordError('every entry of "requests" must name its "route", or say null for none.')
        if request["route"] is None:
            return self._message_without_route(request, goal_set, step, words)
        split, routes, goals = self._split, self._split.routes, self._split.goal_sets
        world = int(goals.world[goal_set])
        name = str(request["route"])
        route = self._routes.get((world, name))
        if route is None:
            raise RecordError(f"{name!r} is no route of the task's building in {split.name}.")
        instruction = NONE
        if words is None:
            told = range(*routes.instruction_start[route : route + 2].tolist())
            instruction = told[0]
            if request.get("instruction") is not None:
                texts = [routes.instructions[i] for i in told]
                if request["instruction"] not in texts:
                    raise RecordError(
                        f'the "instruction" of route {name!r} is none that {split.name} hears; own words are '
                        'given as "words".'
                    )
                instruction = told[texts.index(request["instruction"])]
        if "departure" in request:
            departure = self._place(world, request["departure"])
        else:
            path = routes.path[route][routes.path[route] >= 0]
            departure = int(path[goals.distance_from(goal_set, path).argmin()])
        return Message(step, route, instruction, departure, self._goal(request, goal_set, departure), words)

    def _message_without_route(
        self, request: Mapping[str, Any], goal_set: int, step: int, words: str | None
    ) -> Message:
        """Own words told where the agent stands, or no answer."""
        if words is None:
            if any(request.get(key) is not None for key in ("instruction", "departure", "goal")):
                raise RecordError('a request without "route" and "words" has no answer, so it shows nothing.')
            return Message(step, NO_ROUTE, NONE, NONE, NONE)
        world = int(self._split.goal_sets.world[goal_set])
        departure = self._place(world, request.get("departure"))
        return Message(step, NO_ROUTE, NONE, departure, self._goal(request, goal_set, departure), words)

    def _goal(self, request: Mapping[str, Any], goal_set: int, departure: int) -> int:
        """The goal that is shown; where the record does not say, the one nearest to the departure."""
        goals = self._split.goal_sets
        if "goal" in request:
            return self._place(int(goals.world[goal_set]), request["goal"])
        return NONE if departure == NONE else int(goals.nearest_to(goal_set, departure))

    def _place(self, world: int, name: Any) -> int:
        return NONE if name is None else self._location(world, name)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**31


def _list(content: Mapping[str, Any], key: str) -> list[Any]:
    values = content.get(key)
    if not isinstance(values, list):
        raise RecordError(f'"{key}" must be a list.')
    return values


def _column(content: Mapping[str, Any], key: str, length: int, valid: Callable[[Any], bool]) -> Any:
    """A list with one entry a step, or None."""
    if content.get(key) is None:
        return None
    values = _list(content, key)
    if len(values) != length or not all(map(valid, values)):
        raise RecordError(f'"{key}" must have {length} proper entries to go with the "locations".')
    return values


def _note(content: Mapping[str, Any], name: str, kind: str, steps: int) -> NDArray[Any]:
    notes = content.get("notes")
    values = notes.get(name) if isinstance(notes, dict) else None
    try:
        array = np.array(values, dtype=kind)
    except (TypeError, ValueError, OverflowError):
        array = np.zeros(0)
    fits = array.ndim in (1, 2) and len(array) == steps and array[:1].size <= _WIDEST_NOTE
    if not fits or not np.isfinite(array).all():
        entries = f"{steps} finite numbers, or lists of up to {_WIDEST_NOTE}"
        raise RecordError(f'the note "{name}" must have {entries}, to go with the "locations".')
    return array
