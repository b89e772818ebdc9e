"""How fast houses are photographed, with the features of their views, and where the time goes."""

import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from harness import Figure, report

from helpanna.worlds.atlas import Atlas, build_atlas
from helpanna.worlds.houses import render
from helpanna.worlds.houses.build import house_world
from helpanna.worlds.houses.generate import make_house
from helpanna.worlds.houses.network import Extractor, feature_network, load_weights
from helpanna.worlds.houses.photograph import photograph, square_views
from helpanna.worlds.houses.rays import Caster
from helpanna.worlds.houses.scene import scene_of
from helpanna.worlds.houses.shading import shaded
from helpanna.worlds.panoramas import decode, encode

HOUSES = ("small-0-0", "small-0-1")
WIDTH = 1024
CLOSELY = 6
"""The number of panoramas that are timed."""


class Stopwatch:
    """Adds up the seconds spent in functions.

    Attributes:
        seconds: by the names they were given.
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, timed under this name."""

        def run(*arguments: Any) -> Any:
            start = time.perf_counter()
            result = function(*arguments)
            self.seconds[name] += time.perf_counter() - start
            return result

        return run


def closely(positions: Any, studio: render.Studio, model: bytes) -> Stopwatch:
    """Photographs some locations on one core, as `photograph` does, and times the parts."""
    watch = Stopwatch()
    take = watch.timed("picture", render.render_panorama)
    store = watch.timed("file", lambda picture: decode(encode(picture), "a panorama"))
    cut = watch.timed("views", square_views)
    describe = watch.timed("features", Extractor(model).features)
    with (
        patch.object(Caster, "hits", watch.timed("rays", Caster.hits)),
        patch.object(Caster, "clear", watch.timed("rays", Caster.clear)),
        patch.object(render, "shaded", watch.timed("shading", shaded)),
    ):
        for position in positions:
            describe(cut(store(take(studio, position, WIDTH, WIDTH // 2))))
    return watch


def processor_seconds() -> float:
    """What this process and those it started have worked, whatever else the machine did."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def rate_of_all(work: Path, atlas: Atlas) -> float:
    """Panoramas a second while every process renders: each has one house, and they end at different times."""
    houses = [atlas.locations(w) for w in range(atlas.world_count)]
    done = [np.sort([(work / f"{i}.npy").stat().st_mtime for i in house]) for house in houses]
    start, end = max(times[0] for times in done), min(times[-1] for times in done)
    return float(sum(((times > start) & (times <= end)).sum() for times in done) / (end - start))


def measure() -> list[Figure]:
    """All figures of this benchmark."""
    houses = [make_house(name) for name in HOUSES]
    atlas = build_atlas([house_world(house) for house in houses], source="benchmark", licence="")
    model = feature_network(load_weights())
    scene = scene_of(houses[0])
    # The first studio and picture of a machine compile what they need; the second are what is measured.
    places = atlas.position[:CLOSELY]
    closely(places[:1], render.studio_of(scene), model)
    start = time.perf_counter()
    studio = render.studio_of(scene)
    bake = time.perf_counter() - start
    seconds = closely(places, studio, model).seconds

    with tempfile.TemporaryDirectory(prefix="helpanna-benchmark-") as folder:
        start, worked = time.perf_counter(), processor_seconds()
        photograph(houses, atlas, Path(folder), seed=0, width=WIDTH, workers=len(HOUSES))
        total, worked = time.perf_counter() - start, processor_seconds() - worked
        rate = rate_of_all(Path(folder), atlas)

    baking = bake * len(houses) / atlas.location_count
    whole = baking + sum(seconds[part] for part in ("picture", "file", "views", "features")) / CLOSELY
    parts = {
        "baking the light": baking,
        "rays": seconds["rays"] / CLOSELY,
        "patterns and shading": seconds["shading"] / CLOSELY,
        "the rest of the picture": (seconds["picture"] - seconds["rays"] - seconds["shading"]) / CLOSELY,
        "JPEG, and the 36 views": (seconds["file"] + seconds["views"]) / CLOSELY,
        "features": seconds["features"] / CLOSELY,
    }
    return [
        Figure("two processes, with features", rate, "panoramas/s", at_least=2),
        Figure("the same with start and baking", atlas.location_count / total, "panoramas/s"),
        Figure("processor time of a panorama then", worked / atlas.location_count, "s"),
        Figure("one panorama on one core, with features and its share of baking", whole, "s"),
        *(Figure(f"of that {part}", 100 * spent / whole, "%") for part, spent in parts.items()),
        Figure("baking the light of a house", bake, "s"),
        Figure("two processes against one core, without baking", rate * (whole - baking), "times"),
    ]


if __name__ == "__main__":
    report(
        "Photographing houses",
        f"{len(HOUSES)} small houses, panoramas of {WIDTH} x {WIDTH // 2}, 36 views of 224 x 224",
        measure,
    )
