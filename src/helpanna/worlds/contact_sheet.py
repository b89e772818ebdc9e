"""A contact sheet: many views of an atlas on one picture, to see at a glance what its buildings look like."""

from pathlib import Path

import numpy as np

from helpanna.errors import InputError
from helpanna.files import atomic_file
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.geometry import HEADINGS
from helpanna.worlds.panoramas import Picture, opencv

_WIDTH, _HEIGHT = 320, 240
_BAR = 20


def contact_sheet(
    atlas: Atlas, out: Path, world: str | None = None, count: int = 24, columns: int = 6
) -> None:
    """Writes a PNG picture with `count` views, spread evenly over the atlas or one of its worlds."""
    if out.suffix.lower() != ".png":
        raise InputError(f"{out} is not a .png file; name one.")
    if count < 1:
        raise InputError(f"a contact sheet cannot have {count} views; choose --count 1 or more.")
    places = range(atlas.location_count) if world is None else atlas.locations(atlas.world_id(world))
    chosen = np.linspace(0, len(places) - 1, count).round().astype(int)
    # Headings go round in steps of 150 degrees, so neighbours on the sheet look different ways.
    views = [_captioned(atlas, places[i], HEADINGS + 5 * k % HEADINGS) for k, i in enumerate(chosen)]
    columns = min(columns, count)
    blank = np.full_like(views[0], 255)
    views += [blank] * (-count % columns)
    rows = [np.hstack(views[k : k + columns]) for k in range(0, len(views), columns)]
    cv2 = opencv()
    _, data = cv2.imencode(".png", np.vstack(rows)[..., ::-1])
    with atomic_file(out) as temporary:
        temporary.write_bytes(data.tobytes())


def _captioned(atlas: Atlas, location: int, view: int) -> Picture:
    """A view at elevation 0 over its names."""
    cv2 = opencv()
    small = cv2.resize(
        atlas.views.render_view(location, view), (_WIDTH, _HEIGHT), interpolation=cv2.INTER_AREA
    )
    bar = np.full((_BAR, _WIDTH, 3), 255, np.uint8)
    names = f"{atlas.world_names[atlas.world_of[location]]}, {atlas.location_names[location]}"
    cv2.putText(bar, names, (4, 14), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (40, 40, 40), 1, cv2.LINE_AA)
    return np.vstack([small, bar])
