"""What is learned from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from helpanna.errors import InputError
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
        practice: training splits of other datasets, to learn from besides; where they are of another atlas,
            it has the same features.
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
        """With these features; without a name, the only ones there are.

        Raises:
            InputError: practice of another atlas has not the same features.
        """
        told = train.heard + tuple(text for split in practice for text in split.heard)
        seen = train.atlas.views.get(features)
        for split in practice:
            if dict(split.atlas.views.get(seen.name).space) != dict(seen.space):
                raise InputError(
                    f"the practice buildings ({split.atlas.source}) have other view features called "
                    f"{seen.name!r} than those of --data; make them alike with --features-like."
                )
        return Lesson(train, validation, seen, Vocabulary.of(told), practice)

    @cached_property
    def parts(self) -> tuple["Lesson", ...]:
        """A lesson for each training split alone, the main one first."""
        name = self.features.name
        own = replace(self, practice=())
        return own, *(replace(own, train=s, features=s.atlas.views.get(name)) for s in self.practice)

    def divided(self, batch: Batch) -> Iterator[tuple[int, Batch]]:
        """The episodes of a batch by training split: its number, 0 for the main one, and its own batch."""
        ends = np.cumsum([len(part.train) for part in self.parts])
        split = np.searchsorted(ends, batch.tasks, side="right")
        for number in np.unique(split).tolist():
            mine = split == number
            first = int(ends[number]) - len(self.parts[number].train)
            yield number, Batch(batch.iteration, batch.tasks[mine] - first, batch.place[mine])
