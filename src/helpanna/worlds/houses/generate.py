"""From a seed to an atlas of furnished houses with pictures.

A house's name says how it was made ("town-0-17": house 17 of seed 0, kind "town"), so that it can be made
again from its name alone.
"""

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal

from helpanna.engines import LOCAL, Engine
from helpanna.errors import InputError
from helpanna.files import atomic_folder, check_output_folder
from helpanna.worlds.annotations import write_annotation_features
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.houses.arrangement.house import furnish
from helpanna.worlds.houses.build import house_world
from helpanna.worlds.houses.layout import House
from helpanna.worlds.houses.outline import house_outline
from helpanna.worlds.houses.photograph import add_pictures, photograph
from helpanna.worlds.houses.plan import plan_house
from helpanna.worlds.storage import write_atlas

Kind = Literal["small", "town"]
Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""

LICENCE = "Generated; no rights are reserved (CC0 1.0)."

_ATTEMPTS = 20
_NAME = re.compile(r"(small|town)-(\d+)-(\d+)")


def make_house(name: str) -> House:
    """The furnished house of this name."""
    match = _NAME.fullmatch(name)
    if match is None:
        raise InputError(f"{name!r} is not a generated house; their names look like small-0-3 or town-0-17.")
    seed = int(match[2])
    for attempt in range(_ATTEMPTS):
        draft = plan_house(f"{name}.{attempt}", seed, size="small" if match[1] == "small" else None)
        try:
            return replace(furnish(draft, seed), name=name)
        except InputError:
            continue  # a room turned out too small for its furniture: an architect would draw again
    raise InputError(f"no furnished house was found for {name!r}; choose another seed.")


def generate_atlas(
    out: Path,
    *,
    houses: int,
    seed: int = 0,
    kind: Kind = "town",
    pictures: bool = True,
    width: int = 1024,
    workers: int = 2,
    overwrite: bool = False,
    on_progress: Progress | None = None,
    engine: Engine = LOCAL,
) -> None:
    """Makes an atlas of houses.

    Pictures gather in the folder `<out>.partial`: a run that was killed goes on there, and its result is the
    same to the bit.

    Args:
        out: the atlas folder to write.
        houses: how many.
        seed: the same seed gives the same houses.
        kind: "small" houses of one storey, or a "town" of all sizes.
        pictures: whether to render panoramas and compute their features; annotation features are always made.
        width: of a panorama in pixels.
        workers: how many processes render.
        overwrite: replace an existing atlas.
        on_progress: told what is going on.
        engine: where the processes are.
    """
    if houses < 1 or width < 64 or workers < 1:
        raise InputError("--houses and --workers must be at least 1, --width at least 64.")
    check_output_folder(out, overwrite)
    made, worlds = [], []
    for index in range(houses):
        made.append(make_house(f"{kind}-{seed}-{index}"))
        worlds.append(house_world(made[-1]))
        if on_progress:
            on_progress("houses", index + 1, houses)
    atlas = replace(
        build_atlas(worlds, f"helpanna houses, kind {kind}, seed {seed}", LICENCE),
        outlines={house.name: house_outline(house) for house in made},
    )
    work = out.with_name(f"{out.name}.partial")
    if pictures:
        photograph(
            made,
            atlas,
            work,
            seed=seed,
            width=width,
            workers=workers,
            on_progress=None if on_progress is None else lambda *n: on_progress("panoramas", *n),
            engine=engine,
        )
    with atomic_folder(out, overwrite) as temporary:
        write_atlas(atlas, temporary)
        write_annotation_features(temporary)
        if pictures:
            add_pictures(temporary, work, width)
    shutil.rmtree(work, ignore_errors=True)
