"""An atlas: many worlds in one set of arrays, with integer ids.

All locations of all buildings are numbered through, and so are rooms and objects. What stepping needs (action
tables, distances, next hops) is made once, when the atlas is built, and memory-mapped when it is loaded; a
step of many agents is then a handful of gathers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from helpanna.errors import InputError
from helpanna.worlds.actions import NO_ACTION, action_tables
from helpanna.worlds.geometry import VIEWS
from helpanna.worlds.outlines import Outline
from helpanna.worlds.paths import NO_HOP, shortest_paths
from helpanna.worlds.views import Views
from helpanna.worlds.world import Room, World


@dataclass(frozen=True, eq=False)
class Atlas:
    """Many buildings with W worlds, N locations, R rooms, M objects, E edges and K sightings in all.

    Ids are global: a location id lies in `world_start[w] : world_start[w + 1]` of its world w, and so on. The
    array attributes are what is stored on disk, one file each.

    Attributes:
        source: where the buildings come from.
        licence: a note on their terms of use.
        world_names, location_names, rooms, object_names: the strings behind the ids.
        type_names: the object types, sorted; `object_type` indexes them.
        world_start, room_start, object_start, edge_start, sight_line_start, sighting_start: [W + 1] where the
            ids of each world begin.
        position, eye_height, floor, room_of: of each location, as in `World`.
        edge, sight_line: [.., 2] pairs of locations.
        object_type, object_position, object_radius, delegate: of each object.
        sighting, sighting_views: which location sees which object, and in which views, sorted by location.
        action_location, action_view, action_slot: [N, 36, A], see `ActionTables`.
        distance, next_hop: the n x n tables of all worlds, one after the other; read them with `distances`
            and `next_hops`.
        views: the view features and panoramas.
        outlines: by the world's name, where its walls are, of worlds whose maker knew it.
    """

    source: str
    licence: str
    world_names: tuple[str, ...]
    location_names: tuple[str, ...]
    rooms: tuple[Room, ...]
    object_names: tuple[str, ...]
    type_names: tuple[str, ...]
    world_start: NDArray[np.int64]
    room_start: NDArray[np.int64]
    object_start: NDArray[np.int64]
    edge_start: NDArray[np.int64]
    sight_line_start: NDArray[np.int64]
    sighting_start: NDArray[np.int64]
    position: NDArray[np.float64]
    eye_height: NDArray[np.float64]
    floor: NDArray[np.int32]
    room_of: NDArray[np.int32]
    edge: NDArray[np.int32]
    sight_line: NDArray[np.int32]
    object_type: NDArray[np.int32]
    object_position: NDArray[np.float64]
    object_radius: NDArray[np.float64]
    delegate: NDArray[np.int32]
    sighting: NDArray[np.int32]
    sighting_views: NDArray[np.uint64]
    action_location: NDArray[np.int32]
    action_view: NDArray[np.int8]
    action_slot: NDArray[np.int8]
    distance: NDArray[np.float32]
    next_hop: NDArray[np.int32]
    views: Views = field(default_factory=Views)
    outlines: Mapping[str, Outline] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Atlas({self.source!r}, {self.world_count} worlds, {self.location_count} locations)"

    def __deepcopy__(self, memo: dict[int, Any]) -> "Atlas":
        # Nothing in an atlas changes, and Gymnasium copies an environment's arguments freely.
        return self

    @property
    def world_count(self) -> int:
        """How many buildings there are."""
        return len(self.world_names)

    @property
    def location_count(self) -> int:
        """How many locations all buildings have."""
        return len(self.location_names)

    @property
    def action_count(self) -> int:
        """The width of the action tables: stop and the moves of the best connected location."""
        return self.action_location.shape[-1]

    @cached_property
    def world_of(self) -> NDArray[np.int32]:
        """[N] the world of each location."""
        return np.repeat(np.arange(self.world_count, dtype=np.int32), np.diff(self.world_start))

    @cached_property
    def _row_start(self) -> NDArray[np.int64]:
        """[N] such that the entry (i, j) of the path tables is at `_row_start[i] + j`."""
        sizes = np.diff(self.world_start)
        block_start = np.cumsum(sizes**2) - sizes**2
        first = self.world_start[:-1][self.world_of]
        local = np.arange(self.location_count) - first
        return block_start[self.world_of] + local * sizes[self.world_of] - first

    @cached_property
    def _world_index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.world_names)}

    @cached_property
    def _location_index(self) -> dict[tuple[str, str], int]:
        names = (self.world_names[w] for w in self.world_of)
        return {key: i for i, key in enumerate(zip(names, self.location_names, strict=True))}

    def world_id(self, name: str) -> int:
        """The index of a building, by name."""
        try:
            return self._world_index[name]
        except KeyError:
            some = ", ".join(self.world_names[:5])
            raise InputError(f"the atlas has no world {name!r}; it has {some}, ...") from None

    def location_id(self, world: str, location: str) -> int:
        """The id of a location, by the names of its world and of itself."""
        try:
            return self._location_index[world, location]
        except KeyError:
            self.world_id(world)
            raise InputError(f"world {world} has no location {location!r}; check its name.") from None

    def locations(self, world: int) -> range:
        """The location ids of a world."""
        return range(int(self.world_start[world]), int(self.world_start[world + 1]))

    def distances(self, start: ArrayLike, end: ArrayLike) -> NDArray[np.float32]:
        """Shortest-path distances in metres between location ids, by broadcasting.

        Infinite where there is no path, in particular between different worlds.
        """
        start, end = np.asarray(start), np.asarray(end)
        inside, entry = self._entry(start, end)
        return np.where(inside, self.distance[entry], np.float32(np.inf))

    def next_hops(self, start: ArrayLike, end: ArrayLike) -> NDArray[np.int32]:
        """The neighbour of `start` on a shortest path to `end`; `NO_HOP` at the end or without a path."""
        start, end = np.asarray(start), np.asarray(end)
        inside, entry = self._entry(start, end)
        return np.where(inside, self.next_hop[entry], np.int32(NO_HOP))

    def path(self, start: int, end: int) -> list[int]:
        """The locations of the shortest path of `next_hops`, both ends included; there must be one."""
        path = [start]
        while path[-1] != end:
            path.append(int(self.next_hops(path[-1], end)))
        return path

    def path_locations(self, start: ArrayLike, end: ArrayLike) -> NDArray[np.int64]:
        """How many locations `path` has, by broadcasting; 0 without a path."""
        here, target = np.broadcast_arrays(np.asarray(start), np.asarray(end))
        count = np.isfinite(self.distances(here, target)).astype(np.int64)
        shape, count = count.shape, count.ravel()
        walks = np.flatnonzero((count > 0) & (here != target).ravel())
        here, target = here.ravel()[walks], target.ravel()[walks]
        while len(walks):
            count[walks] += 1
            here = self.next_hops(here, target)
            on = here != target
            walks, here, target = walks[on], here[on], target[on]
        return count.reshape(shape)

    def actions_towards(self, location: ArrayLike, view: ArrayLike, target: ArrayLike) -> NDArray[np.int64]:
        """The action on a shortest path from a pose to a target location, arrays of one shape.

        It is 0, stop, at the target, and `NO_ACTION` without a path or a target (-1). Among equally short
        paths it is the one of `next_hops`.
        """
        location, target = np.asarray(location, dtype=np.int64), np.asarray(target)
        exists = target >= 0
        hop = self.next_hops(location, np.where(exists, target, location))
        # `take` gathers whole rows several times faster than indexing does.
        table = self.action_location.reshape(-1, self.action_count)
        leads_there = table.take(location * VIEWS + np.asarray(view), axis=0) == hop[..., None]
        action = np.where(hop != NO_HOP, np.argmax(leads_there, axis=-1), NO_ACTION)
        return np.where(exists & (location == target), 0, action)

    def _entry(self, start: NDArray[Any], end: NDArray[Any]) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        inside = self.world_of[start] == self.world_of[end]
        return inside, np.where(inside, self._row_start[start] + end, 0)

    def pair_index(self, start: ArrayLike, end: ArrayLike) -> NDArray[np.int64]:
        """Where a table over all pairs of locations of one building, like `distance`, has this pair."""
        return self._row_start[np.asarray(start)] + np.asarray(end)

    def world(self, which: int | str) -> World:
        """One building, with local indices, as it was when the atlas was built."""
        w = self.world_id(which) if isinstance(which, str) else which
        at = slice(*self.world_start[w : w + 2])
        objects = slice(*self.object_start[w : w + 2])
        rooms = slice(*self.room_start[w : w + 2])
        edges = slice(*self.edge_start[w : w + 2])
        sights = slice(*self.sight_line_start[w : w + 2])
        seen = slice(*self.sighting_start[w : w + 2])
        room_of = self.room_of[at]
        return World(
            name=self.world_names[w],
            location_names=self.location_names[at],
            positions=self.position[at],
            eye_heights=self.eye_height[at],
            floors=self.floor[at],
            edges=self.edge[edges] - at.start,
            sight_lines=self.sight_line[sights] - at.start,
            rooms=self.rooms[rooms],
            room_of=np.where(room_of < 0, -1, room_of - rooms.start),
            object_names=self.object_names[objects],
            object_types=tuple(self.type_names[t] for t in self.object_type[objects]),
            object_positions=self.object_position[objects],
            object_radii=self.object_radius[objects],
            delegates=self.delegate[objects] - at.start,
            sightings=self.sighting[seen] - np.array([at.start, objects.start]),
            sighting_views=self.sighting_views[seen],
        )

    def counts(self) -> dict[str, int]:
        """The figures one asks for first."""
        return {
            "worlds": self.world_count,
            "locations": self.location_count,
            "edges": len(self.edge),
            "sight_lines": len(self.sight_line),
            "rooms": len(self.rooms),
            "objects": len(self.object_names),
            "object_types": len(self.type_names),
            "sightings": len(self.sighting),
            "actions": self.action_count,
        }


def build_atlas(worlds: Sequence[World], source: str, licence: str) -> Atlas:
    """Numbers the worlds through and makes the tables that stepping needs."""
    if not worlds:
        raise InputError("an atlas needs at least one world.")
    names = [world.name for world in worlds]
    if len(set(names)) != len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise InputError(f"the world {twice} is given twice; keep one.")

    world_start = _starts([world.location_count for world in worlds])
    room_start = _starts([len(world.rooms) for world in worlds])
    object_start = _starts([len(world.object_names) for world in worlds])
    type_names = tuple(sorted({name for world in worlds for name in world.object_types}))
    type_index = {name: i for i, name in enumerate(type_names)}

    actions = [action_tables(world) for world in worlds]
    paths = [shortest_paths(world) for world in worlds]
    width = max(table.location.shape[-1] for table in actions)
    first = world_start[:-1].tolist()

    return Atlas(
        source=source,
        licence=licence,
        world_names=tuple(names),
        location_names=tuple(name for world in worlds for name in world.location_names),
        rooms=tuple(room for world in worlds for room in world.rooms),
        object_names=tuple(name for world in worlds for name in world.object_names),
        type_names=type_names,
        world_start=world_start,
        room_start=room_start,
        object_start=object_start,
        edge_start=_starts([len(world.edges) for world in worlds]),
        sight_line_start=_starts([len(world.sight_lines) for world in worlds]),
        sighting_start=_starts([len(world.sightings) for world in worlds]),
        position=np.concatenate([world.positions for world in worlds]),
        eye_height=np.concatenate([world.eye_heights for world in worlds]),
        floor=np.concatenate([world.floors for world in worlds]),
        room_of=_shifted([world.room_of for world in worlds], room_start),
        edge=_shifted([world.edges for world in worlds], world_start),
        sight_line=_shifted([world.sight_lines for world in worlds], world_start),
        object_type=np.array([type_index[t] for world in worlds for t in world.object_types], dtype=np.int32),
        object_position=np.concatenate([world.object_positions for world in worlds]),
        object_radius=np.concatenate([world.object_radii for world in worlds]),
        delegate=_shifted([world.delegates for world in worlds], world_start),
        sighting=np.concatenate(
            [
                world.sightings + np.array(start, dtype=np.int32)
                for world, start in zip(worlds, zip(first, object_start, strict=False), strict=True)
            ]
        ),
        sighting_views=np.concatenate([world.sighting_views for world in worlds]),
        action_location=_shifted([_padded(table.location, width) for table in actions], world_start),
        action_view=np.concatenate([_padded(table.view, width) for table in actions]),
        action_slot=np.concatenate([_padded(table.slot, width) for table in actions]),
        distance=np.concatenate([distance.astype(np.float32).ravel() for distance, _ in paths]),
        next_hop=_shifted([hop.ravel() for _, hop in paths], world_start),
    )


def _starts(sizes: Sequence[int]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _shifted(parts: Sequence[NDArray[np.int32]], starts: NDArray[np.int64]) -> NDArray[np.int32]:
    """The parts one after the other, local ids made global; negative ids mean "none" and stay."""
    shifted = [np.where(part < 0, part, part + start) for part, start in zip(parts, starts, strict=False)]
    return np.concatenate(shifted).astype(np.int32)


def _padded(table: NDArray[Any], width: int) -> NDArray[Any]:
    """An action table widened to `width` actions."""
    return np.pad(table, [(0, 0), (0, 0), (0, width - table.shape[-1])], constant_values=NO_ACTION)
