"""Where results come from: a split of a dataset, opened when somebody looks at it."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from helpanna.episodes.perception import Perception
from helpanna.tasks.dataset import load_split
from helpanna.tasks.split import Split


@dataclass(frozen=True)
class Source:
    """A split of a dataset.

    Attributes:
        data: the dataset's folder.
        name: of the split.
    """

    data: Path
    name: str

    @cached_property
    def split(self) -> Split:
        """The split; it is read when it is first needed."""
        return load_split(self.data, self.name)

    @cached_property
    def perception(self) -> Perception:
        """What agents may know of it."""
        return Perception(self.split)
