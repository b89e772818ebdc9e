"""From the publishers' files to an atlas.

What is looked for in the source folder, at its top or a few levels down:

    connectivity/<scan>_connectivity.json     the graphs (Matterport3D simulator); required
    reverie_bbox.tar.gz or BBox/              objects (REVERIE)
    house_region_to_panorama.json             rooms (CVDN)
    <scan>.house                              objects, rooms and storeys (Matterport3D itself)
    captions.tar.gz or captions/              what a captioning network says of the photographs (NavGPT)
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from helpanna.errors import InputError
from helpanna.files import atomic_folder
from helpanna.worlds.annotations import write_annotation_features
from helpanna.worlds.atlas import Atlas, build_atlas
from helpanna.worlds.floors import estimate_floors
from helpanna.worlds.matterport import SOURCE
from helpanna.worlds.matterport.captions import import_captions
from helpanna.worlds.matterport.connectivity import NavigationGraph, find_scans, read_graph
from helpanna.worlds.matterport.house_file import HouseFile, read_house
from helpanna.worlds.matterport.house_objects import objects_from_house, rooms_from_house
from helpanna.worlds.matterport.placed import PlacedObjects, no_objects
from helpanna.worlds.matterport.reverie import Boxes, place_objects, read_boxes
from helpanna.worlds.matterport.rooms import Regions, read_regions, rooms_of
from helpanna.worlds.sight import delegate_locations
from helpanna.worlds.sight_features import spaces_like, write_sight
from helpanna.worlds.storage import write_atlas
from helpanna.worlds.world import Room, World

LICENCE = (
    "Derived from Matterport3D and under its terms of use (non-commercial, academic): do not pass it on. "
    "https://niessner.github.io/Matterport/"
)

ObjectSource = Literal["auto", "reverie", "house", "none"]
Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""


@dataclass(frozen=True)
class ImportReport:
    """What was made, and what had to be left out."""

    counts: dict[str, int]
    unreachable: dict[str, int] = field(default_factory=dict)
    """By building, the locations outside its largest connected part."""
    unseen_objects: int = 0
    """Annotated objects that show in no view: they have no place and are left out."""


@dataclass(frozen=True)
class Sources:
    """Where the publishers' files are."""

    connectivity: Path
    boxes: Path | None
    regions: Path | None
    houses: dict[str, Path]
    captions: Path | None

    @staticmethod
    def find(source: Path) -> "Sources":
        """Looks for the known files in a folder."""
        if not source.is_dir():
            raise InputError(
                f"{source} is not a folder; name the one with the publishers' files by --source."
            )
        connectivity = source / "connectivity"
        if not connectivity.is_dir():
            connectivity = source
        return Sources(
            connectivity=connectivity,
            boxes=_first(source / name for name in ("reverie_bbox.tar.gz", "BBox.tar.gz", "BBox")),
            regions=_first([source / "house_region_to_panorama.json"]),
            houses={path.stem: path for path in sorted(source.rglob("*.house"))},
            captions=_first(source / name for name in ("captions.tar.gz", "captions")),
        )


def import_matterport(
    source: Path,
    out: Path,
    *,
    worlds: Iterable[str] = (),
    objects: ObjectSource = "auto",
    annotations: bool = True,
    features_like: Path | None = None,
    overwrite: bool = False,
    on_progress: Progress | None = None,
) -> ImportReport:
    """Builds an atlas of real buildings.

    Args:
        source: the folder with the publishers' files.
        out: the atlas folder to write.
        worlds: only these buildings (all by default).
        objects: where objects come from; "auto" takes REVERIE's boxes, else `.house` files, else none.
        annotations: whether to add view features made from the annotations.
        features_like: an atlas, or an agent, in whose space view features are made: those of the annotations,
            and where the source has captions and the space is about them, those too. Without it captions are
            kept as text only: features of them are fitted to training buildings, which a dataset names.
        overwrite: replace an existing atlas.
        on_progress: told what is going on.
    """
    files = Sources.find(source)
    scans = find_scans(files.connectivity)
    wanted = list(worlds)
    for name in wanted:
        if name not in scans:
            raise InputError(f"{files.connectivity} has no building {name!r}; fix --worlds.")
    scans = [scan for scan in scans if not wanted or scan in wanted]
    annotated = _annotations(files, objects, set(scans))
    with atomic_folder(out, overwrite) as temporary:
        built, unseen = [], 0
        for i, scan in enumerate(scans):
            world, left_out = annotated.world(read_graph(files.connectivity, scan))
            built.append(world)
            unseen += left_out
            if on_progress:
                on_progress("buildings", i + 1, len(scans))
        atlas = build_atlas(built, f"{SOURCE}; objects: {annotated.objects}", LICENCE)
        write_atlas(atlas, temporary)
        if annotations:
            write_annotation_features(
                temporary,
                features_like,
                None if on_progress is None else lambda done, total: on_progress("features", done, total),
            )
        if files.captions is not None:
            import_captions(temporary, files.captions)
            for space in () if features_like is None else spaces_like(features_like):
                write_sight(temporary, space, on_progress)
    outside = {world.name: _outside_largest_part(world) for world in built}
    return ImportReport(atlas.counts(), {name: n for name, n in outside.items() if n}, unseen)


def camera_rotations(atlas: Atlas, connectivity: Path) -> NDArray[np.float64]:
    """[N, 3, 3] camera to world, of every location of an imported atlas, from the connectivity files."""
    rotations = np.empty((atlas.location_count, 3, 3))
    for w, scan in enumerate(atlas.world_names):
        graph = read_graph(connectivity, scan)
        locations = atlas.locations(w)
        if graph.viewpoints != atlas.location_names[locations.start : locations.stop]:
            raise InputError(
                f"{connectivity} and the atlas differ in the viewpoints of {scan}; import again."
            )
        rotations[locations.start : locations.stop] = graph.rotations
    return rotations


@dataclass(frozen=True)
class _Annotations:
    """What is known of the buildings besides their graphs, and how to make worlds of both."""

    objects: ObjectSource
    boxes: Boxes
    regions: Regions
    regions_path: Path | None
    houses: dict[str, Path]

    def world(self, graph: NavigationGraph) -> tuple[World, int]:
        """One building, and how many of its objects had to be left out."""
        house = read_house(self.houses[graph.scan]) if graph.scan in self.houses else None
        rooms: tuple[Room, ...] = ()
        room_of = np.full(len(graph.viewpoints), -1, dtype=np.int32)
        if house is not None:
            rooms, room_of = rooms_from_house(house, graph)
        elif graph.scan in self.regions:
            rooms, room_of = rooms_of(graph, self.regions[graph.scan], str(self.regions_path))
        placed = self._placed(graph, house)
        world = World(
            name=graph.scan,
            location_names=graph.viewpoints,
            positions=graph.positions,
            eye_heights=graph.eye_heights,
            floors=estimate_floors(graph.positions[:, 2]),
            edges=graph.edges,
            sight_lines=graph.sight_lines,
            rooms=rooms,
            room_of=room_of,
            object_names=placed.names,
            object_types=placed.types,
            object_positions=placed.positions,
            object_radii=placed.radii,
            delegates=delegate_locations(
                placed.sightings, graph.positions, room_of, placed.positions, placed.rooms
            ),
            sightings=placed.sightings,
            sighting_views=placed.sighting_views,
        )
        return world, placed.unseen

    def _placed(self, graph: NavigationGraph, house: HouseFile | None) -> PlacedObjects:
        if self.objects == "reverie":
            boxes = self.boxes.get(graph.scan, {})
            for viewpoint in boxes:
                if viewpoint not in graph.viewpoints and viewpoint not in graph.left_out:
                    raise InputError(
                        f"the boxes of {graph.scan} name the viewpoint {viewpoint}, which the graph does not "
                        "have; use files of one release."
                    )
            return place_objects(boxes, graph.viewpoints, graph.positions)
        if self.objects == "house":
            if house is None:
                raise InputError(f"there is no {graph.scan}.house in the source; choose other --objects.")
            return objects_from_house(house, graph)
        return no_objects()


def _annotations(files: Sources, objects: ObjectSource, scans: set[str]) -> _Annotations:
    """Reads what all buildings share, and settles where objects come from."""
    if objects == "auto":
        objects = "reverie" if files.boxes else "house" if files.houses else "none"
    if objects == "reverie" and files.boxes is None:
        raise InputError("the source has no reverie_bbox.tar.gz or BBox folder; choose other --objects.")
    return _Annotations(
        objects=objects,
        boxes=read_boxes(files.boxes, scans) if objects == "reverie" and files.boxes else {},
        regions=read_regions(files.regions) if files.regions else {},
        regions_path=files.regions,
        houses=files.houses,
    )


def _first(paths: Iterable[Path]) -> Path | None:
    return next((path for path in paths if path.exists()), None)


def _outside_largest_part(world: World) -> int:
    """How many locations cannot be reached from the largest connected part."""
    n = world.location_count
    i, j = world.edges.T
    parts = connected_components(csr_matrix((np.ones(len(i)), (i, j)), shape=(n, n)), directed=False)[1]
    return n - int(np.bincount(parts).max())
