"""What is learned from."""

from collections.abc import Mapping
from dataclasses import dataclass

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
        vocabulary: the words of the training split's texts.
    """

    train: Split
    validation: Mapping[str, Split]
    features: ViewFeatures
    vocabulary: Vocabulary

    @staticmethod
    def of(train: Split, validation: Mapping[str, Split], features: str | None = None) -> "Lesson":
        """With these features; without a name, the only ones there are."""
        return Lesson(train, validation, train.atlas.views.get(features), Vocabulary.of(train.heard))
