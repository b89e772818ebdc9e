"""What the 36 views of every location look like: feature vectors, and panoramas to cut pictures from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError


@dataclass(frozen=True, eq=False)
class ViewFeatures:
    """Feature vectors of all views of an atlas.

    Attributes:
        name: what they are called in the atlas ("annotations", "resnet").
        array: [N, 36, D] float16, usually a memory map: gather only what is needed.
        space: a JSON object that says what the D numbers mean. Features with equal spaces can be exchanged:
            an agent trained on one atlas understands another in the same space.
    """

    name: str
    array: NDArray[np.float16]
    space: Mapping[str, Any]

    @property
    def size(self) -> int:
        """D, the numbers a view."""
        return self.array.shape[-1]


@dataclass(frozen=True, eq=False)
class Views:
    """The view features of an atlas by name."""

    features: Mapping[str, ViewFeatures] = field(default_factory=dict)

    def get(self, name: str | None = None) -> ViewFeatures:
        """The features of this name; without a name, the only ones there are."""
        names = sorted(self.features)
        if name is None and len(names) == 1:
            name = names[0]
        if name is None or name not in self.features:
            wanted = f"view features called {name!r}" if name else "a single set of view features"
            there = f"name one of {', '.join(names)}" if names else "add some with `helpanna worlds features`"
            raise InputError(f"the atlas has no {wanted}; {there}.")
        return self.features[name]
