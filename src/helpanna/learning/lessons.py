"""What is learned from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from helpanna.learning.rollout import Batch
from helpanna.tasks.split import Split
from helpanna.tasks.vocabulary import Vocabulary
from helpanna.worlds.views import ViewFeatures


@dataclass(frozen=True, eq=False)
class Lesson:
    """The splits, and what the agent sees and reads in them.

    Attributes:
        train: the training split.
        validation: the splits to evaluate on, by name; the last decides which agent is best.
        features: the view features of the training split.
        vocabulary: the words of the texts of all training splits.
        practice: training splits of other datasets on the same atlas, to learn from besides.
    """

    train: Split
    validation: Mapping[str, Split]
    features: ViewFeatures
    vocabulary: Vocabulary
    practice: tuple[Split, ...] = ()

    @staticmethod
    def of(
        train: Split,
        validation: Mapping[str, Split],
        features: str | None = None,
        practice: tuple[Split, ...] = (),
    ) -> "Lesson":
        """With these features; without a name, the only ones there are."""
        told = train.heard + tuple(text for split in practice for text in split.heard)
        return Lesson(train, validation, train.atlas.views.get(features), Vocabulary.of(told), practice)

    @cached_property
    def parts(self) -> tuple["Lesson", ...]:
        """A lesson for each training split alone, the main one first."""
        return tuple(replace(self, train=split, practice=()) for split in (self.train, *self.practice))

    def divided(self, batch: Batch) -> Iterator[tuple[int, Batch]]:
        """The episodes of a batch by training split: its number, 0 for the main one, and its own batch."""
        ends = np.cumsum([len(part.train) for part in self.parts])
        split = np.searchsorted(ends, batch.tasks, side="right")
        for number in np.unique(split).tolist():
            mine = split == number
            first = int(ends[number]) - len(self.parts[number].train)
            yield number, Batch(batch.iteration, batch.tasks[mine] - first, batch.place[mine])
