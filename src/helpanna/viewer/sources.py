"""Where results come from: a split of a dataset, opened when somebody looks at it."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from helpanna.episodes.perception import Perception
from helpanna.tasks.dataset import load_split
from helpanna.tasks.errands import errand_split
from helpanna.tasks.kinds import R2R
from helpanna.tasks.split import Split
from helpanna.worlds.storage import load_atlas


@dataclass(frozen=True)
class Source:
    """A split of a dataset, or buildings without tasks.

    Attributes:
        data: the folder of the dataset, or of the atlas.
        name: of the split, "" for an atlas.
    """

    data: Path
    name: str

    @cached_property
    def split(self) -> Split:
        """The split; it is read when it is first needed. An atlas is a split without tasks and routes."""
        if not self.name:
            return errand_split("", R2R, load_atlas(self.data), [])
        return load_split(self.data, self.name)

    @cached_property
    def perception(self) -> Perception:
        """What agents may know of it."""
        return Perception(self.split)
