"""A dataset on disk: a folder with a manifest and a folder for each split.

    manifest.json             schema, seed, settings, the atlases, counts, and every file's size and SHA-256
    <split>/<array>.npy       goal_world, goal_type: what can be sought; goal_set, start, view: the tasks;
                              route_path, route_view: the routes; route_of: what each instruction describes
    <split>/texts.json        the names of the routes, and the instructions

Where the source names each task there are goal_members (locations), task_request, task_path, task_thing
and task_region besides, and the texts of requests and the names of tasks.

Ids are those of the split's atlas, which the manifest names, with a fingerprint of its buildings: features or
panoramas may be added to an atlas, its buildings may not change. Goals and distances are made on loading.
"""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.files import atomic_folder
from helpanna.manifest import FolderKind
from helpanna.tasks.goals import GoalSets, build_goal_sets, goal_sets_of, request_text
from helpanna.tasks.kinds import HANNA, Kind, kind_of
from helpanna.tasks.references import References, padded
from helpanna.tasks.routes import Routes
from helpanna.tasks.sampling import PathRange
from helpanna.tasks.split import Split
from helpanna.worlds import storage
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.storage import load_atlas

SPLITS = ("train", "val_seen", "val_unseen", "test_seen", "test_unseen")

DATASET = FolderKind(
    "helpanna.dataset/1",
    "dataset",
    {"seed": int, "settings": dict, "paths": dict, "atlases": list, "splits": dict},
)
_TASK_ARRAYS = ("goal_members", "task_request", "task_path", "task_thing", "task_region")
_ARRAYS = ("goal_world", "goal_type", "goal_set", "start", "view", "route_path", "route_view", "route_of")


@dataclass(frozen=True, eq=False)
class Dataset:
    """The splits of a dataset folder; open it with `load_dataset`.

    Attributes:
        folder: where it is.
        manifest: what it says of itself.
    """

    folder: Path
    manifest: Mapping[str, Any]

    @property
    def names(self) -> tuple[str, ...]:
        """The splits it has, in the usual order."""
        return tuple(name for name in SPLITS if name in self.manifest["splits"])

    @property
    def kind(self) -> Kind:
        """What is asked of agents; datasets of the first version do not say, they are HANNA's."""
        return kind_of(self.manifest.get("kind", HANNA.name))

    @property
    def paths(self) -> PathRange:
        """How long the tasks' shortest paths are."""
        return PathRange(**self.manifest["paths"])

    def atlas_fingerprint(self, name: str) -> str:
        """Tells the buildings that a split was built for from all others."""
        with DATASET.well_formed(self.folder):
            return str(self.manifest["atlases"][self.manifest["splits"][name]["atlas"]]["fingerprint"])

    def split(self, name: str) -> Split:
        """One split, ready to run."""
        if name not in self.names:
            raise InputError(f"{self.folder} has no split {name!r}; it has {', '.join(self.names)}.")
        with DATASET.well_formed(self.folder):
            return self._split(name)

    def _split(self, name: str) -> Split:
        atlas = self._atlas(self.manifest["splits"][name]["atlas"])
        named = f"{name}/task_path.npy" in self.manifest["files"]
        arrays = {
            array: DATASET.array(self.folder, self.manifest, f"{name}/{array}.npy", np.int32)
            for array in _ARRAYS + (_TASK_ARRAYS if named else ())
        }
        texts = DATASET.json(self.folder, self.manifest, f"{name}/texts.json")
        routes = Routes(
            names=tuple(texts["routes"]),
            path=arrays["route_path"],
            view=arrays["route_view"],
            instructions=tuple(texts["instructions"]),
            route_of=arrays["route_of"],
        )
        tasks = {key: arrays[key] for key in ("goal_set", "start", "view")}
        if not named:
            pairs = np.stack([arrays["goal_world"], arrays["goal_type"]], axis=1).tolist()
            return make_split(name, atlas, routes, build_goal_sets(atlas, pairs), **tasks, kind=self.kind)
        members = [row[row >= 0] for row in arrays["goal_members"]]
        types = arrays["goal_type"].tolist()
        goal_sets = goal_sets_of(atlas, arrays["goal_world"].tolist(), members, types)
        requests = tuple(texts["requests"])
        references = References(
            tuple(texts["tasks"]),
            *(arrays[f"task_{what}"] for what in ("request", "path", "thing", "region")),
        )
        told = requests + routes.instructions
        return Split(
            name, atlas, routes, goal_sets, **tasks, texts=told, kind=self.kind, references=references
        )

    @property
    def atlas_folders(self) -> tuple[Path, ...]:
        """Where the atlases of its buildings are."""
        return tuple(_find_atlas(self.folder, entry) for entry in self.manifest["atlases"])

    @cached_property
    def _atlases(self) -> dict[int, Atlas]:
        """Those that are open already."""
        return {}

    def _atlas(self, index: int) -> Atlas:
        if index not in self._atlases:
            entry = self.manifest["atlases"][index]
            folder = _find_atlas(self.folder, entry)
            if _fingerprint(folder) != entry["fingerprint"]:
                raise InputError(
                    f"the buildings of {folder} are not those that {self.folder} was built for; "
                    "build the dataset again, or put the atlas back."
                )
            self._atlases[index] = load_atlas(folder)
        return self._atlases[index]


def load_dataset(folder: Path | str) -> Dataset:
    """Opens a dataset; its splits are read when asked for."""
    folder = Path(folder)
    return Dataset(folder, DATASET.read(folder))


def load_split(folder: Path | str, name: str) -> Split:
    """One split of a dataset, ready to run."""
    return load_dataset(folder).split(name)


def check_files(dataset: Dataset) -> None:
    """Proves every file of the dataset by its SHA-256."""
    with DATASET.well_formed(dataset.folder):
        DATASET.verify(dataset.folder, dataset.manifest)


def make_split(
    name: str,
    atlas: Atlas,
    routes: Routes,
    goal_sets: GoalSets,
    goal_set: NDArray[np.int32],
    start: NDArray[np.int32],
    view: NDArray[np.int32],
    kind: Kind = HANNA,
) -> Split:
    """A split of drawn tasks with its texts: the requests, then the instructions."""
    requests = tuple(request_text(atlas.type_names[kind]) for kind in goal_sets.object_type)
    return Split(name, atlas, routes, goal_sets, goal_set, start, view, requests + routes.instructions, kind)


def split_worlds(split: Split) -> list[str]:
    """The names of the buildings in which the split has routes or tasks."""
    places = np.concatenate([split.routes.start, split.start])
    return [split.atlas.world_names[world] for world in np.unique(split.atlas.world_of[places])]


def split_counts(split: Split) -> dict[str, int]:
    """What the manifest says of a split."""
    return {
        "buildings": len(split_worlds(split)),
        "tasks": len(split),
        "goal_sets": len(split.goal_sets),
        "routes": len(split.routes),
        "instructions": len(split.routes.instructions),
    }


def save_dataset(
    folder: Path,
    splits: Mapping[str, Split],
    atlases: Sequence[tuple[Atlas, Path]],
    seed: int,
    paths: PathRange,
    settings: Mapping[str, Any],
    overwrite: bool = False,
) -> None:
    """Writes the splits to a new folder.

    Args:
        folder: where to; it appears when it is complete.
        splits: by name.
        atlases: the splits' atlases, and the folders that they were loaded from.
        seed: what the draws were addressed by.
        paths: how long the tasks' shortest paths may be.
        settings: whatever else the splits follow from, to be kept in the manifest.
        overwrite: replace the folder if it exists.
    """
    with atomic_folder(folder, overwrite) as temporary:
        for name, split in splits.items():
            _write_split(temporary / name, split)
        used = [atlas for atlas, _ in atlases]
        manifest = {
            "kind": next(iter(splits.values())).kind.name,
            "seed": seed,
            "settings": dict(settings),
            "paths": {"shortest": paths.shortest, "longest": paths.longest},
            "atlases": [_atlas_entry(place, folder) for _, place in atlases],
            "splits": {
                name: {
                    "atlas": next(i for i, atlas in enumerate(used) if atlas is splits[name].atlas),
                    **split_counts(splits[name]),
                }
                for name in SPLITS
                if name in splits
            },
        }
        DATASET.write(temporary, manifest)


def _write_split(folder: Path, split: Split) -> None:
    folder.mkdir()
    arrays = {
        "goal_world": split.goal_sets.world,
        "goal_type": split.goal_sets.object_type,
        "goal_set": split.goal_set,
        "start": split.start,
        "view": split.view,
        "route_path": split.routes.path,
        "route_view": split.routes.view,
        "route_of": split.routes.route_of,
    }
    texts = {"routes": split.routes.names, "instructions": split.routes.instructions}
    if split.references is not None:
        arrays["goal_members"] = padded([members.tolist() for members in split.goal_sets.members])
        for what in ("request", "path", "thing", "region"):
            arrays[f"task_{what}"] = getattr(split.references, what)
        texts |= {"requests": split.texts[: split.request_count], "tasks": split.references.names}
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", np.ascontiguousarray(array, dtype=np.int32), allow_pickle=False)
    (folder / "texts.json").write_text(json.dumps(texts, ensure_ascii=False), encoding="utf-8")


def _atlas_entry(atlas: Path, dataset: Path) -> dict[str, str]:
    """Where the atlas is, seen from the dataset and in itself, and what its buildings are."""
    absolute = atlas.resolve()
    relative = os.path.relpath(absolute, dataset.resolve())
    return {"path": relative, "absolute": str(absolute), "fingerprint": _fingerprint(atlas)}


def _find_atlas(dataset: Path, entry: Mapping[str, str]) -> Path:
    """The atlas beside the dataset, as when both were moved, or else where it was."""
    places = (dataset / entry["path"], Path(entry["absolute"]))
    for place in places:
        if (place / "manifest.json").is_file():
            return place
    raise InputError(
        f"the atlas that {dataset} was built for is neither {places[0]} nor {places[1]}; put it there."
    )


def _fingerprint(atlas: Path) -> str:
    """A checksum over the buildings of an atlas, whatever view features, captions and panoramas it has."""
    files = storage.ATLAS.read(atlas)["files"]
    sums = {name: entry["sha256"] for name, entry in sorted(files.items()) if not _is_sight(name)}
    return hashlib.sha256(json.dumps(sums).encode()).hexdigest()


def _is_sight(name: str) -> bool:
    return name.startswith(("views/", "panoramas/", "captions/", "words/"))
