"""A world: one building as an undirected graph of locations, with rooms, objects and who sees what."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.worlds.geometry import VIEWS


@dataclass(frozen=True)
class Room:
    """A room: its name in the source, and what it is for ("kitchen"; empty where the source does not say)."""

    name: str
    kind: str = ""


@dataclass(frozen=True, eq=False)
class World:
    """One building. All indices are local to it; arrays are read-only once the world exists.

    Attributes:
        name: the building's name, unique in an atlas.
        location_names: the source's names of the n locations, unique in the building.
        positions: [n, 3] metres, z up: the camera's place.
        eye_heights: [n] metres of the camera over the floor.
        floors: [n] storey of each location, 0 the lowest.
        edges: [e, 2] pairs of locations i < j one can walk between, in ascending order.
        sight_lines: [s, 2] pairs i < j that see each other, in ascending order.
        rooms: the rooms.
        room_of: [n] index of each location's room, -1 where unknown.
        object_names: the source's names of the m objects, unique in the building.
        object_types: what each object is ("coffee table").
        object_positions: [m, 3] metres.
        object_radii: [m] metres, half the object's size.
        delegates: [m] the closest location in the object's room that sees it.
        sightings: [k, 2] pairs (location, object): the location sees the object; in ascending order.
        sighting_views: [k] 36 bits: bit v is set where the object shows in view v of the location.
    """

    name: str
    location_names: tuple[str, ...]
    positions: NDArray[np.float64]
    eye_heights: NDArray[np.float64]
    floors: NDArray[np.int32]
    edges: NDArray[np.int32]
    sight_lines: NDArray[np.int32]
    rooms: tuple[Room, ...]
    room_of: NDArray[np.int32]
    object_names: tuple[str, ...]
    object_types: tuple[str, ...]
    object_positions: NDArray[np.float64]
    object_radii: NDArray[np.float64]
    delegates: NDArray[np.int32]
    sightings: NDArray[np.int32]
    sighting_views: NDArray[np.uint64]

    def __post_init__(self) -> None:
        n, m = len(self.location_names), len(self.object_names)
        if n == 0:
            raise InputError(f"world {self.name} has no locations; leave it out.")
        self._text()
        self._unique("location", self.location_names)
        self._unique("object", self.object_names)
        self._table("positions", np.float64, (n, 3))
        self._table("eye_heights", np.float64, (n,))
        self._table("floors", np.int32, (n,))
        self._table("edges", np.int32, (None, 2))
        self._table("sight_lines", np.int32, (None, 2))
        self._table("room_of", np.int32, (n,))
        self._table("object_positions", np.float64, (m, 3))
        self._table("object_radii", np.float64, (m,))
        self._table("delegates", np.int32, (m,))
        self._table("sightings", np.int32, (None, 2))
        self._table("sighting_views", np.uint64, (len(self.sightings),))
        if len(self.object_types) != m:
            raise InputError(f"world {self.name} has {m} objects but {len(self.object_types)} object types.")
        self._pairs("edges", n)
        self._pairs("sight_lines", n)
        self._range("floors", self.floors, 0, n)
        self._range("room_of", self.room_of, -1, len(self.rooms))
        self._range("delegates", self.delegates, 0, n)
        self._range("sightings", self.sightings[:, 0], 0, n)
        self._range("sightings", self.sightings[:, 1], 0, m)
        if np.any(_order(self.sightings)[1:] <= _order(self.sightings)[:-1]):
            raise InputError(f"world {self.name}: sightings must be in ascending order, each once.")
        if np.any(self.sighting_views >> np.uint64(VIEWS)):
            raise InputError(f"world {self.name}: sighting_views names a view beyond {VIEWS - 1}.")
        short = self.edge_lengths() <= 0
        if short.any():
            a, b = (self.location_names[i] for i in self.edges[short.argmax()])
            raise InputError(f"world {self.name}: locations {a} and {b} are joined but at the same place.")

    @property
    def location_count(self) -> int:
        """How many locations the building has."""
        return len(self.location_names)

    def edge_lengths(self) -> NDArray[np.float64]:
        """[e] metres."""
        ends = self.positions[self.edges]
        return np.linalg.norm(ends[:, 1] - ends[:, 0], axis=-1)

    def _text(self) -> None:
        """All names are text that a file can hold: JSON can smuggle in halves of characters."""
        rooms = (part for room in self.rooms for part in (room.name, room.kind))
        try:
            "".join(
                (self.name, *self.location_names, *self.object_names, *self.object_types, *rooms)
            ).encode()
        except (TypeError, UnicodeEncodeError):
            raise InputError(f"world {self.name!a} has a name that is not text; fix the source.") from None

    def _unique(self, what: str, names: Sequence[str]) -> None:
        if len(set(names)) != len(names):
            twice = next(name for i, name in enumerate(names) if name in names[:i])
            raise InputError(f"world {self.name} has the {what} {twice} twice; keep one.")

    def _table(self, field: str, dtype: Any, shape: tuple[int | None, ...]) -> None:
        """Stores the field as a read-only array of this type and shape."""
        array = np.array(getattr(self, field), dtype=dtype, order="C")
        if array.size == 0:
            array = array.reshape([extent or 0 for extent in shape])
        if array.ndim != len(shape) or any(
            want not in (None, have) for want, have in zip(shape, array.shape, strict=True)
        ):
            raise InputError(f"world {self.name}: {field} has shape {array.shape}, expected {shape}.")
        if not np.isfinite(array).all():
            raise InputError(f"world {self.name}: {field} holds a number that is not finite; fix the source.")
        array.flags.writeable = False
        object.__setattr__(self, field, array)

    def _range(self, field: str, values: NDArray[Any], low: int, high: int) -> None:
        wrong = (values < low) | (values >= high)
        if wrong.any():
            value = int(values[wrong.argmax()])
            raise InputError(f"world {self.name}: {field} names {value}, outside {low} to {high - 1}.")

    def _pairs(self, field: str, n: int) -> None:
        pairs = getattr(self, field)
        self._range(field, pairs.ravel(), 0, n)
        order = _order(pairs)
        if np.any(pairs[:, 0] >= pairs[:, 1]) or np.any(order[1:] <= order[:-1]):
            raise InputError(f"world {self.name}: {field} must be pairs i < j in ascending order, each once.")


def _order(pairs: NDArray[np.int32]) -> NDArray[np.int64]:
    """One number a pair that sorts as the pairs do."""
    return pairs[:, 0].astype(np.int64) << 32 | pairs[:, 1].astype(np.int64)


def unordered_pairs(i: NDArray[Any], j: NDArray[Any]) -> NDArray[np.int32]:
    """The pairs as `World` wants its edges: smaller index first, ascending, each once, none with itself."""
    pairs = np.sort(np.stack([i, j], axis=-1), axis=-1)
    return np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0).astype(np.int32).reshape(-1, 2)


def same_world(a: World, b: World) -> bool:
    """Whether two worlds are equal in every field, bit for bit."""
    for field in fields(World):
        left, right = getattr(a, field.name), getattr(b, field.name)
        equal = np.array_equal(left, right) if isinstance(left, np.ndarray) else left == right
        if not equal:
            return False
    return True
