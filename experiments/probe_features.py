"""Do view features carry sight? What a linear probe and a nearest neighbour can tell from them.

    .venv/bin/python experiments/probe_features.py --worlds ATLAS [--out FILE.json]

Room type: a ridge classifier, trained on three quarters of the houses, tells what room a location of the
others is in, from the mean of its twelve level views or from one of them; every house is held out once.
Chance is the most frequent type. Location: which location of the house a view was taken from, found by the
cosine to the views of all its locations: the view next to it, 30 degrees on; and where there are panoramas,
more pictures taken in between, 15 degrees on, one alone or twelve of which it is not known where they begin.
Chance is to guess. About a minute for 3,000 locations, and another for the new pictures.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.files import atomic_file
from helpanna.randomness import generator
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.geometry import HEADINGS
from helpanna.worlds.houses.network import Extractor, feature_network, load_weights
from helpanna.worlds.houses.photograph import NAME, square_views
from helpanna.worlds.storage import load_atlas

FOLDS = 4
PENALTIES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
"""Of the ridge, times the number of samples."""
LEVEL = slice(HEADINGS, 2 * HEADINGS)

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Row:
    """One line of the table: shares from 0 to 1.

    Attributes:
        question: what was to be told.
        features: from which features.
        given: from which of them.
        right: how often the answer was right.
        chance: how often a guess is.
        balanced: how often it was right in the mean over room types; none for locations.
        answers: how many answers there were.
    """

    question: str
    features: str
    given: str
    right: float
    chance: float
    balanced: float | None
    answers: int


class Moments:
    """What a ridge needs to know of samples x [n, D] with types y [n] among K."""

    def __init__(self, x: Floats, y: Ints, types: int):
        wide = x.astype(np.float64)
        told = np.eye(types)[y]
        self.parts = len(x), wide.sum(axis=0), wide.T @ wide, told.sum(axis=0), wide.T @ told


class Ridge:
    """Ridge regression from standardised features to one number a type; the largest is the answer."""

    def __init__(self, moments: Sequence[Moments]):
        sums = [sum(parts) for parts in zip(*(m.parts for m in moments), strict=True)]
        n, x, xx, y, xy = (np.asarray(part, dtype=np.float64) for part in sums)
        self.mean, self.prior = x / n, y / n
        spread = np.sqrt(np.maximum(np.diag(xx) / n - self.mean**2, 0))
        self.scale = 1 / np.maximum(spread, 1e-3)
        self.gram = (xx / n - np.outer(self.mean, self.mean)) * np.outer(self.scale, self.scale)
        self.cross = (xy / n - np.outer(self.mean, self.prior)) * self.scale[:, None]

    def answers(self, x: Floats, penalty: float) -> Ints:
        """[n] the types of samples [n, D]."""
        weights = np.linalg.solve(self.gram + penalty * np.eye(len(self.gram)), self.cross)
        return np.argmax((x - self.mean) * self.scale @ weights + self.prior, axis=1)


def told_types(x: Sequence[Floats], y: Sequence[Ints], types: int) -> tuple[Ints, Ints]:
    """What a probe answers for every fold, learned from the others, and what the most frequent type is.

    The penalty is the one that serves best on the next fold when that is held out too.
    """
    moments = [Moments(*fold, types) for fold in zip(x, y, strict=True)]
    told, frequent = [], []
    for out in range(len(x)):
        rest = [k for k in range(len(x)) if k != out]
        check = (out + 1) % len(x)
        trial = Ridge([moments[k] for k in rest if k != check])
        score = [np.mean(trial.answers(x[check], penalty) == y[check]) for penalty in PENALTIES]
        probe = Ridge([moments[k] for k in rest])
        told.append(probe.answers(x[out], PENALTIES[int(np.argmax(score))]))
        frequent.append(np.full(len(x[out]), probe.prior.argmax()))
    return np.concatenate(told), np.concatenate(frequent)


def room_rows(atlas: Atlas, seed: int) -> list[Row]:
    """How well the room type is told, from each kind of features."""
    if atlas.world_count < FOLDS or not atlas.views.features or not atlas.rooms:
        raise InputError(f"the probe needs an atlas of {FOLDS} houses or more, with rooms and view features.")
    kinds = [room.kind for room in atlas.rooms]
    names = sorted({kind for kind in kinds if kind})
    number = np.array([names.index(kind) if kind else -1 for kind in kinds] + [-1])
    kind_of = number[atlas.room_of]
    order = generator(seed, "probe houses").permutation(atlas.world_count)
    folds = [np.concatenate([atlas.locations(w) for w in order[k::FOLDS]]) for k in range(FOLDS)]
    folds = [fold[kind_of[fold] >= 0] for fold in folds]
    rows = []
    for name, features in sorted(atlas.views.features.items()):
        views = [np.asarray(features.array[fold, LEVEL], dtype=np.float32) for fold in folds]
        types = [kind_of[fold] for fold in folds]
        for given, x, y in (
            ("mean of 12 level views", [v.mean(axis=1) for v in views], types),
            (
                "one level view",
                [v.reshape(-1, v.shape[-1]) for v in views],
                [np.repeat(t, HEADINGS) for t in types],
            ),
        ):
            told, frequent = told_types(x, y, len(names))
            true = np.concatenate(y)
            recalls = [np.mean(told[true == k] == k) for k in np.unique(true)]
            shares = float(np.mean(told == true)), float(np.mean(frequent == true)), float(np.mean(recalls))
            rows.append(Row(f"room type, of {len(names)}", name, given, *shares, len(true)))
    return rows


def unit(x: Floats, mean: Floats) -> Floats:
    """Features without what all of a house share, scaled to length 1."""
    x = x - mean
    return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-6)


def next_view_row(atlas: Atlas, name: str) -> Row:
    """Which location's view 30 degrees on is most like a view."""
    right, chance, count = 0, 0.0, 0
    for w in range(atlas.world_count):
        views = np.asarray(atlas.views.get(name).array[atlas.locations(w), LEVEL], dtype=np.float32)
        views = unit(views, views.mean(axis=(0, 1)))
        alike = np.einsum("ahd,bhd->hab", views, np.roll(views, -1, axis=1))
        right += int((alike.argmax(axis=-1) == np.arange(len(views))).sum())
        chance += HEADINGS
        count += HEADINGS * len(views)
    return Row(
        "location in its house", name, "one view, 30 degrees on", right / count, chance / count, None, count
    )


def new_picture_rows(atlas: Atlas, queries: int, seed: int) -> list[Row]:
    """Which location new pictures were taken at, between the directions of the known views."""
    extractor = Extractor(feature_network(load_weights()))
    drawn = generator(seed, "probe locations").permutation(atlas.location_count)[:queries]
    one, around, chance = 0, 0, 0.0
    for location in drawn.tolist():
        panorama = atlas.views.panorama(location)
        # Turning the camera to the right moves the picture to the left, here by 15 degrees to the pixel.
        turned = np.roll(panorama, -round(panorama.shape[1] * 15 / 360), axis=1)
        seen = extractor.features(square_views(turned)[LEVEL])
        world = int(np.searchsorted(atlas.world_start, location, side="right")) - 1
        house = atlas.locations(world)
        known = np.asarray(atlas.views.get(NAME).array[house, LEVEL], dtype=np.float32)
        mean = known.mean(axis=(0, 1))
        alike = np.einsum("qd,bhd->bqh", unit(seen, mean), unit(known, mean))  # [n, 12 new, 12 known]
        here = location - int(atlas.world_start[world])
        one += int((alike.max(axis=-1).argmax(axis=0) == here).sum())
        turns = [np.trace(np.roll(alike, -k, axis=2), axis1=1, axis2=2) for k in range(HEADINGS)]
        around += int(np.max(turns, axis=0).argmax() == here)
        chance += 1 / len(house)
    count, question = len(drawn), "location in its house"
    return [
        Row(
            question,
            NAME,
            "one new picture, 15 degrees on",
            one / count / HEADINGS,
            chance / count,
            None,
            count * HEADINGS,
        ),
        Row(question, NAME, "12 new pictures, turn unknown", around / count, chance / count, None, count),
    ]


def table(rows: Sequence[Row]) -> str:
    """The rows as text."""
    cells = [["question", "features", "given", "right", "balanced", "chance", "answers"]]
    for row in rows:
        balanced = "" if row.balanced is None else f"{row.balanced:.1%}"
        shares = f"{row.right:.1%}", balanced, f"{row.chance:.1%}"
        cells.append([row.question, row.features, row.given, *shares, f"{row.answers:,}"])
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(w) if i < 3 else cell.rjust(w)
            for i, (cell, w) in enumerate(zip(line, widths, strict=True))
        )
        for line in cells
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Do view features carry sight?")
    parser.add_argument("--worlds", type=Path, required=True, help="the atlas")
    parser.add_argument("--out", type=Path, help="write the figures to this JSON file")
    parser.add_argument("--queries", type=int, default=300, help="at how many locations to take new pictures")
    parser.add_argument("--seed", type=int, default=0, help="of the draws")
    options = parser.parse_args()
    try:
        atlas = load_atlas(options.worlds)
        rows = room_rows(atlas, options.seed)
        rows += [next_view_row(atlas, name) for name in sorted(atlas.views.features)]
        if atlas.views.has_panoramas and NAME in atlas.views.features and options.queries > 0:
            rows += new_picture_rows(atlas, options.queries, options.seed)
    except InputError as error:
        parser.error(str(error))
    print(f"{atlas.world_count} houses, {atlas.location_count:,} locations\n\n{table(rows)}")
    if options.out:
        with atomic_file(options.out) as temporary:
            temporary.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
