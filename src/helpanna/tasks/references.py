"""References: what the source of a dataset says of each task, beside its start and its goals."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]

NOTHING = -1


@dataclass(frozen=True, eq=False)
class References:
    """Of T tasks.

    Attributes:
        names: the source's names of the tasks ("5593_0": path 5593, first instruction), each once.
        request: [T] what is asked, an index into the requests of the split.
        path: [T, L] the path that is described, -1 after its end.
        thing: [T] the object to point at, -1 for none.
        region: [T, M] the locations where a longer search ends, of which this task is a part (dialogues), -1
            after the last.
    """

    names: tuple[str, ...]
    request: Ints
    path: Ints
    thing: Ints
    region: Ints

    def __len__(self) -> int:
        return len(self.names)

    def select(self, tasks: NDArray[np.int64]) -> "References":
        """Those of these tasks, in this order."""
        names = tuple(self.names[task] for task in tasks.tolist())
        return References(names, *(getattr(self, f.name)[tasks] for f in fields(self)[1:]))

    @cached_property
    def end(self) -> Ints:
        """[T] where each path ends."""
        return self.path[np.arange(len(self)), (self.path >= 0).sum(axis=1) - 1]

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of a task by its name."""
        return {name: task for task, name in enumerate(self.names)}


def padded(rows: Sequence[Sequence[int]]) -> Ints:
    """The rows below each other, -1 after their ends; at least one column."""
    table = np.full((len(rows), max([1, *map(len, rows)])), NOTHING, dtype=np.int32)
    for line, row in zip(table, rows, strict=True):
        line[: len(row)] = row
    return table
