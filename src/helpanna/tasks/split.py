"""A split, ready to run: the buildings, the tasks in them, and the routes that its assistants know."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.tasks.goals import GoalSets
from helpanna.tasks.kinds import HANNA, Kind
from helpanna.tasks.references import References
from helpanna.tasks.routes import Routes, zones_of_attention
from helpanna.worlds.atlas import Atlas


@dataclass(frozen=True, eq=False)
class Split:
    """T tasks of one split.

    Attributes:
        name: "train", "val_seen", "val_unseen", "test_seen" or "test_unseen".
        atlas: the buildings.
        routes: the routes, with only the instructions that this split hears.
        goal_sets: what is sought, and where it is.
        goal_set: [T] of each task.
        start: [T] the location where it begins.
        view: [T] the camera's view at the beginning.
        texts: the requests, then the instructions of the routes; assistants may say other things as well.
            Without references there is one request for each goal set.
        kind: what is asked of agents.
        references: what the source says of each task; None where tasks were drawn.
    """

    name: str
    atlas: Atlas
    routes: Routes
    goal_sets: GoalSets
    goal_set: NDArray[np.int32]
    start: NDArray[np.int32]
    view: NDArray[np.int32]
    texts: tuple[str, ...]
    kind: Kind = HANNA
    references: References | None = None

    def __len__(self) -> int:
        return len(self.goal_set)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Split":
        # Nothing in a split changes, and Gymnasium copies an environment's arguments freely.
        return self

    def select(self, tasks: NDArray[np.int64], instructions: NDArray[np.int64]) -> "Split":
        """Only these tasks and these instructions of routes (ascending indices), and what they need."""
        columns = {name: getattr(self, name)[tasks] for name in ("goal_set", "start", "view")}
        routes, requests = self.routes.select(instructions), self.texts[: self.request_count]
        references = None if self.references is None else self.references.select(tasks)
        if references is not None:  # otherwise there is one request for each goal set
            asked, request = np.unique(references.request, return_inverse=True)
            references = replace(references, request=request.astype(np.int32))
            requests = tuple(requests[number] for number in asked.tolist())
        texts = requests + routes.instructions
        return replace(self, **columns, routes=routes, texts=texts, references=references)

    @property
    def request(self) -> NDArray[np.int32]:
        """[T] the text of each task's request."""
        return self.goal_set if self.references is None else self.references.request

    @property
    def heard(self) -> tuple[str, ...]:
        """What a learner's vocabulary is made of: the texts, and what assistants of this kind say besides."""
        return self.texts + self.kind.said

    @property
    def request_count(self) -> int:
        """How many of the texts are requests."""
        return len(self.texts) - len(self.routes.instructions)

    @cached_property
    def zones(self) -> NDArray[np.int32]:
        """[N, E] the routes that can be entered from each location."""
        return zones_of_attention(self.atlas, self.routes)

    @cached_property
    def text_table(self) -> NDArray[np.object_]:
        """[texts] the texts as an array, to gather many at once."""
        return np.array(self.texts, dtype=object)

    @cached_property
    def text_numbers(self) -> Mapping[tuple[int, str], int]:
        """The index of a building's text by (building, words), the first where there are several."""
        asked = np.zeros(self.request_count, dtype=np.int32)
        if self.references is None:
            asked[:] = self.goal_sets.world
        else:
            asked[self.request] = self.atlas.world_of[self.start]
        worlds = [*asked, *self.atlas.world_of[self.routes.start[self.routes.route_of]]]
        numbers: dict[tuple[int, str], int] = {}
        for number, (world, words) in enumerate(zip(worlds, self.texts, strict=True)):
            numbers.setdefault((int(world), words), number)
        return numbers

    def instruction_text(self, instruction: NDArray[np.int64]) -> NDArray[np.int64]:
        """The index in `texts` of an instruction."""
        return instruction + self.request_count
