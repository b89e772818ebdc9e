"""Matterport3D's own annotations: `house_segmentations/<scan>.house`, an ASCII file.

The first line is `ASCII` and a version, the second (H) counts what follows. Every other line begins with a
letter that says what it describes; fields are separated by blanks, and the last of them are unused zeros:

    L  level: index, regions, label, position, box
    R  region (a room): index, level, 0, 0, label, position, box, height
    P  portal between regions (as many as H counts), then panorama: name, index, region, 0, position
    C  category: index, label id, label, mpcat40 id, mpcat40 label
    O  object: index, region, category, centre, first axis, second axis, radii along the three axes

Surfaces (S), vertices (V), images (I) and segments of the mesh (E) are not read. An index of -1 means "none".
The format is that of `data_organization.md` of the repository niessner/Matterport; version 1.0 has no
categories, objects and portals.
"""

import math
from collections.abc import Sized
from dataclasses import dataclass
from pathlib import Path

from helpanna.errors import InputError

Point = tuple[float, float, float]
"""Metres, z up, in the frame of the connectivity files."""

ROOM_KINDS = {
    "a": "bathroom",
    "b": "bedroom",
    "c": "closet",
    "d": "dining room",
    "e": "entryway",
    "f": "family room",
    "g": "garage",
    "h": "hallway",
    "i": "library",
    "j": "laundry room",
    "k": "kitchen",
    "l": "living room",
    "m": "meeting room",
    "n": "lounge",
    "o": "office",
    "p": "porch",
    "r": "game room",
    "s": "stairs",
    "t": "toilet",
    "u": "utility room",
    "v": "TV room",
    "w": "gym",
    "x": "garden",
    "y": "balcony",
    "B": "bar",
    "C": "classroom",
    "D": "dining booth",
    "S": "spa",
}
"""What the labels of regions mean. Those that say nothing of a room's use (z, Z, -) are left out."""

_IGNORED = frozenset("SVIE")
# Where the header of each version has its counts.
_COUNTS = {
    "1.0": {"panoramas": 4, "regions": 7, "levels": 8},
    "1.1": {"panoramas": 4, "objects": 8, "categories": 9, "regions": 10, "portals": 11, "levels": 12},
}


@dataclass(frozen=True)
class Level:
    """A storey, with the corners of its box."""

    index: int
    position: Point
    low: Point
    high: Point


@dataclass(frozen=True)
class Region:
    """A room: its level, its label and what that means ("kitchen", or empty), and the corners of its box."""

    index: int
    level: int
    label: str
    kind: str
    position: Point
    low: Point
    high: Point


@dataclass(frozen=True)
class Panorama:
    """A viewpoint and the region it stands in."""

    name: str
    region: int
    position: Point


@dataclass(frozen=True)
class Category:
    """What an annotator called some objects, and its class among Matterport's forty; both may be empty."""

    index: int
    name: str
    mpcat40: str


@dataclass(frozen=True)
class HouseObject:
    """An object: its region, its category and its oriented box.

    Attributes:
        index, region: numbers in the file.
        category: None where it has none.
        position: the centre of the box.
        axes: the first two of its three directions.
        radii: half its extent along the three; negative where no part of the mesh was marked as this object.
    """

    index: int
    region: int
    category: Category | None
    position: Point
    axes: tuple[Point, Point]
    radii: Point


@dataclass(frozen=True)
class HouseFile:
    """What we read of a `.house` file. Each tuple is in the order of its indices."""

    name: str
    levels: tuple[Level, ...]
    regions: tuple[Region, ...]
    panoramas: tuple[Panorama, ...]
    categories: tuple[Category, ...]
    objects: tuple[HouseObject, ...]


def read_house(path: Path) -> HouseFile:
    """Reads and checks a `.house` file."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); check the path.") from None
    records = [(number, text.split()) for number, text in enumerate(lines, start=1) if text.strip()]
    kinds = [fields[0] for _, fields in records[:2]]
    if kinds != ["ASCII", "H"]:
        raise InputError(f"{path} does not begin with the lines ASCII and H; name a .house file.")
    reader = _Reader(version="1.0" if records[0][1][1:2] == ["1.0"] else "1.1")
    for number, fields in records[1:]:
        try:
            reader.read(fields)
        except ValueError as error:
            raise InputError(f"{path}, line {number}: {error}; fetch the file again.") from None
    try:
        return reader.house()
    except ValueError as error:
        raise InputError(f"{path}: {error}; fetch the file again.") from None


class _Reader:
    """The lists that grow with every line. What is wrong with a line is a ValueError."""

    def __init__(self, version: str) -> None:
        self.version = version
        self.name = ""
        self.counts: dict[str, int] = {}
        self.portals_to_come = 0
        self.levels: list[Level] = []
        self.regions: list[Region] = []
        self.panoramas: list[Panorama] = []
        self.categories: list[Category] = []
        self.objects: list[HouseObject] = []

    def read(self, fields: list[str]) -> None:
        """Takes in the fields of one line."""
        match fields[0]:
            case "H" if not self.counts:
                self.name = _field(fields, 1)
                self.counts = {what: _integer(fields, at) for what, at in _COUNTS[self.version].items()}
                self.portals_to_come = self.counts.get("portals", 0)
            case "L":
                index = _next(fields, 1, self.levels)
                self.levels.append(Level(index, _point(fields, 4), _point(fields, 7), _point(fields, 10)))
            case "R":
                self._region(fields)
            case "P" if self.portals_to_come > 0:
                self.portals_to_come -= 1
            case "P":
                _next(fields, 2, self.panoramas)
                region = self._reference(fields, 3, "regions")
                self.panoramas.append(Panorama(_field(fields, 1), region, _point(fields, 5)))
            case "C":
                index = _next(fields, 1, self.categories)
                self.categories.append(Category(index, _words(fields, 3), _words(fields, 5)))
            case "O":
                self._object(fields)
            case letter if letter not in _IGNORED:
                raise ValueError(f"{letter[:20]!r} is not a kind of line that comes here")

    def _region(self, fields: list[str]) -> None:
        label = _field(fields, 5)
        self.regions.append(
            Region(
                index=_next(fields, 1, self.regions),
                level=self._reference(fields, 2, "levels"),
                label=label,
                kind=ROOM_KINDS.get(label, ""),
                position=_point(fields, 6),
                low=_point(fields, 9),
                high=_point(fields, 12),
            )
        )

    def _object(self, fields: list[str]) -> None:
        category = self._reference(fields, 3, "categories")
        if category >= len(self.categories):
            raise ValueError(f"category {category} has not been described before")
        self.objects.append(
            HouseObject(
                index=_next(fields, 1, self.objects),
                region=self._reference(fields, 2, "regions"),
                category=self.categories[category] if category >= 0 else None,
                position=_point(fields, 4),
                axes=(_point(fields, 7), _point(fields, 10)),
                radii=_point(fields, 13),
            )
        )

    def _reference(self, fields: list[str], at: int, what: str) -> int:
        """An index of something else, or -1."""
        index, count = _integer(fields, at), self.counts.get(what, 0)
        if not -1 <= index < count:
            raise ValueError(f"field {at} names number {index} of {count} {what}")
        return index

    def house(self) -> HouseFile:
        """Everything, if it is as much as the header counts."""
        for what, count in self.counts.items():
            found = count - self.portals_to_come if what == "portals" else len(getattr(self, what))
            if found != count:
                raise ValueError(f"the file ends with {found} of {count} {what}")
        return HouseFile(
            name=self.name,
            levels=tuple(self.levels),
            regions=tuple(self.regions),
            panoramas=tuple(self.panoramas),
            categories=tuple(self.categories),
            objects=tuple(self.objects),
        )


def _field(fields: list[str], at: int) -> str:
    if at >= len(fields):
        raise ValueError(f"the line {fields[0]} has {len(fields)} fields and needs more than {at}")
    return fields[at]


def _words(fields: list[str], at: int) -> str:
    """A name: `#` stands for a blank, `-` for no name."""
    text = _field(fields, at)
    return "" if text == "-" else text.replace("#", " ").strip()


def _integer(fields: list[str], at: int) -> int:
    text = _field(fields, at)
    # Digits beyond any count would be a slow and useless number.
    if len(text) > 12 or not text.removeprefix("-").isdecimal():
        raise ValueError(f"field {at} is {text[:20]!r}, not a whole number")
    return int(text)


def _next(fields: list[str], at: int, known: Sized) -> int:
    """An own index, which counts the lines of its kind."""
    index = _integer(fields, at)
    if index != len(known):
        raise ValueError(f"field {at} is the index {index} where {len(known)} comes next")
    return index


def _point(fields: list[str], at: int) -> Point:
    values = [_field(fields, at + i) for i in range(3)]
    try:
        x, y, z = (float(value) for value in values)
    except ValueError:
        raise ValueError(f"fields {at} to {at + 2} are not numbers") from None
    if not math.isfinite(x + y + z):
        raise ValueError(f"fields {at} to {at + 2} are not finite")
    return x, y, z
