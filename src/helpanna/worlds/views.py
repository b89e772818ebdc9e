"""What the 36 views of every location look like: features, captions, panoramas to cut pictures from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.worlds.captions import Captions
from helpanna.worlds.geometry import view_elevation, view_heading
from helpanna.worlds.panoramas import Panoramas, Picture
from helpanna.worlds.words_in_sight import WordsInSight


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
    """The view features of an atlas by name; panoramas, captions and words in sight where it has some."""

    features: Mapping[str, ViewFeatures] = field(default_factory=dict)
    panoramas: Panoramas | None = None
    captions: Captions | None = None
    words: WordsInSight | None = None

    def get(self, name: str | None = None) -> ViewFeatures:
        """The features of this name; without a name, the only ones there are."""
        names = sorted(self.features)
        if name is None and len(names) == 1:
            name = names[0]
        if name is None or name not in self.features:
            if not names:
                raise InputError(
                    "the atlas has no view features; add some with `helpanna worlds add annotations ATLAS`."
                )
            missing = f"no view features called {name!r}" if name else "several kinds of view features"
            raise InputError(f"the atlas has {missing}; name one of {', '.join(names)}.")
        return self.features[name]

    @property
    def has_panoramas(self) -> bool:
        """Whether there are pictures to look at."""
        return self.panoramas is not None

    def panorama(self, location: int) -> Picture:
        """The equirectangular picture [H, W, 3] of a location in RGB, read-only."""
        return self._pictures().picture(location)

    def render(self, location: int, heading: float, elevation: float) -> Picture:
        """The first-person view [480, 640, 3] in RGB along any heading and elevation (radians)."""
        return self._pictures().render(location, heading, elevation)

    def render_view(self, location: int, view: int) -> Picture:
        """The picture [480, 640, 3] in RGB of one of the 36 views."""
        return self.render(location, float(view_heading(view)), float(view_elevation(view)))

    def _pictures(self) -> Panoramas:
        if self.panoramas is None:
            raise InputError(
                "the atlas has no panoramas; add some with `helpanna worlds add skyboxes`, or take generated "
                "houses."
            )
        return self.panoramas
