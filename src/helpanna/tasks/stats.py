"""The figures of a dataset, beside the paper's."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from helpanna.tasks.dataset import Dataset, split_worlds
from helpanna.tasks.goals import NO_TYPE
from helpanna.tasks.routes import NO_ROUTE
from helpanna.tasks.split import Split
from helpanna.tasks.words import vocabulary, words
from helpanna.worlds.atlas import Atlas

PAPER_SPLITS = {
    "train": (51, 82_484, 8_586),
    "val_seen": (51, 5_001, 4_287),
    "val_unseen": (7, 5_017, 2_103),
    "test_seen": (51, 5_004, 4_287),
    "test_unseen": (10, 5_012, 2_331),
}
"""Buildings, tasks and instructions."""

PAPER = {
    "object_types": 289,
    "vocabulary": 2_332,
    "edge_metres": 2.25,
    "locations_per_building": 125,
    "instructions_per_building": 211,
}
"""What the paper says of the dataset as a whole.

It calls the last one routes. It is 12,873 / 61: the instructions of its seen buildings, over all buildings of
Room-to-Room's training set.
"""


def dataset_figures(dataset: Dataset) -> dict[str, Any]:
    """Figures of every split, by its name, and of the whole."""
    splits = {name: dataset.split(name) for name in dataset.names}
    return {
        "splits": {name: split_figures(split) for name, split in splits.items()},
        "whole": _whole(splits),
    }


def split_figures(split: Split) -> dict[str, Any]:
    """Counts, path lengths, and where help can be requested."""
    start, goal = split.start, split.goal_sets.nearest_to(split.goal_set, split.start)
    metres = split.goal_sets.distance_from(split.goal_set, start).astype(np.float64)
    count = split.atlas.path_locations(start, goal)
    attended = (split.zones != NO_ROUTE).any(axis=1)
    return {
        "buildings": len(split_worlds(split)),
        "tasks": len(split),
        "instructions": len(split.routes.instructions),
        "routes": len(split.routes),
        "assistants": len(np.unique(split.routes.start)),
        "requests": split.request_count,
        "request_words": round(_mean_words(split.texts[: split.request_count]), 2),
        "object_types": len(np.unique(split.goal_sets.object_type[split.goal_sets.object_type != NO_TYPE])),
        "metres": _spread(metres),
        "path_locations": _spread(count),
        "path_histogram": {str(n): int((count == n).sum()) for n in np.unique(count)},
        # Zones of attention: of all locations of the buildings, and of the tasks' starts.
        "attended_locations": round(float(attended[_locations(split)].mean()), 4),
        "attended_starts": round(float(attended[start].mean()), 4),
    }


def _whole(splits: dict[str, Split]) -> dict[str, Any]:
    buildings = {name: split.atlas for split in splits.values() for name in split_worlds(split)}
    ways = np.concatenate([_edge_metres(atlas, name) for name, atlas in buildings.items()])
    places = sum(len(atlas.locations(atlas.world_id(name))) for name, atlas in buildings.items())
    # Routes of seen buildings are in several splits; val_seen and test_seen hear the same instructions.
    heard = [split for name, split in splits.items() if name != "test_seen" or "val_seen" not in splits]
    routes = {tuple(path) for split in heard for path in _named_paths(split)}
    said = sum(len(split.routes.instructions) for split in heard)
    return {
        "buildings": len(buildings),
        "object_types": len(
            {
                split.atlas.type_names[kind]
                for split in splits.values()
                for kind in split.goal_sets.object_type
                if kind != NO_TYPE
            }
        ),
        "vocabulary": len(vocabulary(splits["train"].texts)) if "train" in splits else None,
        "edge_metres": round(float(ways.mean()), 3),
        "locations_per_building": round(places / len(buildings), 2),
        "routes_per_building": round(len(routes) / len(buildings), 2),
        "instructions_per_building": round(said / len(buildings), 2),
    }


def _spread(values: np.ndarray[Any, Any]) -> dict[str, float]:
    low, middle, high = np.quantile(values, [0.05, 0.5, 0.95])
    figures = {"mean": values.mean(), "least": values.min(), "p5": low, "median": middle, "p95": high}
    return {name: round(float(value), 2) for name, value in (figures | {"most": values.max()}).items()}


def _mean_words(texts: Sequence[str]) -> float:
    return sum(len(words(text)) for text in texts) / max(len(texts), 1)


def _locations(split: Split) -> np.ndarray[Any, Any]:
    worlds = [split.atlas.world_id(name) for name in split_worlds(split)]
    return np.flatnonzero(np.isin(split.atlas.world_of, worlds))


def _edge_metres(atlas: Atlas, building: str) -> np.ndarray[Any, Any]:
    world = atlas.world_id(building)
    ends = atlas.position[atlas.edge[slice(*atlas.edge_start[world : world + 2])]]
    return np.linalg.norm(ends[:, 1] - ends[:, 0], axis=-1)


def _named_paths(split: Split) -> list[tuple[str, ...]]:
    """Paths by name, so that those of different atlases are told apart."""
    atlas = split.atlas
    return [
        (atlas.world_names[atlas.world_of[path[0]]], *(atlas.location_names[v] for v in path if v >= 0))
        for path in split.routes.path
    ]
