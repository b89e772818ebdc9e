"""A contact sheet: many views of an atlas on one picture, to see at a glance what its buildings look like."""

from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.files import atomic_file
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.geometry import HEADINGS, VIEWS
from helpanna.worlds.panoramas import Picture, opencv

_WIDTH, _HEIGHT = 320, 240
_BAR = 20
_CANDIDATES = 3  # locations looked at for each view of the sheet


def contact_sheet(
    atlas: Atlas, out: Path, world: str | None = None, count: int = 24, columns: int = 6
) -> None:
    """Writes a PNG picture with `count` views, spread evenly over the atlas or one of its worlds.

    Each has its share of the locations; of a few of them, the level view that shows most is taken.
    """
    if out.suffix.lower() != ".png":
        raise InputError(f"{out} is not a .png file; name one.")
    if count < 1:
        raise InputError(f"a contact sheet cannot have {count} views; choose --count 1 or more.")
    places = range(atlas.location_count) if world is None else atlas.locations(atlas.world_id(world))
    ends = np.linspace(0, len(places), count + 1)
    views = [
        _best_view(atlas, [places[i] for i in _share(first, last)]) for first, last in pairwise(ends.tolist())
    ]
    columns = min(columns, count)
    blank = np.full_like(views[0], 255)
    views += [blank] * (-count % columns)
    rows = [np.hstack(views[k : k + columns]) for k in range(0, len(views), columns)]
    cv2 = opencv()
    _, data = cv2.imencode(".png", np.vstack(rows)[..., ::-1])
    with atomic_file(out) as temporary:
        temporary.write_bytes(data.tobytes())


def _share(first: float, last: float) -> list[int]:
    """A few indices, evenly spread from `first` to before `last`; at least one."""
    spread = first + (np.arange(_CANDIDATES) + 0.5) / _CANDIDATES * (last - first)
    return sorted({int(i) for i in spread})


def _best_view(atlas: Atlas, locations: list[int]) -> Picture:
    """Of all level views of these locations the one that shows most, with its names."""
    scored = []
    for location in locations:
        types = _types_in_views(atlas, location)
        for view in range(HEADINGS, 2 * HEADINGS):
            detail = _detail(_small(atlas.views.render_view(location, view)))
            scored.append((detail * (2 + int(types[view])), -location, -view))
    _, location, view = max(scored)
    return _captioned(atlas, _small(atlas.views.render_view(-location, -view)), -location)


def _types_in_views(atlas: Atlas, location: int) -> NDArray[np.int64]:
    """[36] how many types of objects each view of a location shows."""
    first, last = np.searchsorted(atlas.sighting[:, 0], [location, location + 1])
    types = atlas.object_type[atlas.sighting[first:last, 1]]
    masks = atlas.sighting_views[first:last]
    return np.array([len(set(types[masks >> np.uint64(view) & np.uint64(1) > 0])) for view in range(VIEWS)])


def _detail(picture: Picture) -> float:
    """How much there is to see: the share of the picture near an edge, not how strong the edges are."""
    cv2 = opencv()
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), (0, 0), 1.2).astype(np.float32)
    steep = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)) > 30
    near = cv2.dilate(steep.astype(np.uint8), np.ones((9, 9), np.uint8))
    return float(near.mean())


def _small(picture: Picture) -> Picture:
    cv2 = opencv()
    return np.asarray(cv2.resize(picture, (_WIDTH, _HEIGHT), interpolation=cv2.INTER_AREA))


def _captioned(atlas: Atlas, picture: Picture, location: int) -> Picture:
    """A view over its names."""
    cv2 = opencv()
    bar = np.full((_BAR, _WIDTH, 3), 255, np.uint8)
    names = f"{atlas.world_names[atlas.world_of[location]]}, {atlas.location_names[location]}"
    cv2.putText(bar, names, (4, 14), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (40, 40, 40), 1, cv2.LINE_AA)
    return np.vstack([picture, bar])
