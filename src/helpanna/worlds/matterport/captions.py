"""Captions of the real photographs, as published with NavGPT: what a captioning network says of each.

The publisher's files are `captions/<scan>.json`, in a folder or a tar.gz: `{viewpoint: [8 strings]}`. String
h is about heading 45 h degrees and has three lines, `down: ...`, `middle: ...` and `top: ...`.
"""

from pathlib import Path
from typing import Any

from helpanna.errors import InputError
from helpanna.files import parse_json
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.captions import CAPTION_HEADINGS
from helpanna.worlds.matterport.archives import json_files
from helpanna.worlds.storage import load_atlas, write_captions

_LINES = ("down", "middle", "top")
_LONGEST = 1000

Panorama = tuple[tuple[str, ...], ...]
"""[3][8]: the captions of one location by elevation, from below, and heading."""


def import_captions(folder: Path, source: Path) -> int:
    """Adds captions to an atlas on disk, from the publisher's folder or tar.gz; how many there are."""
    atlas = load_atlas(folder)
    write_captions(folder, read_captions(source, atlas))
    return atlas.location_count * len(_LINES) * CAPTION_HEADINGS


def read_captions(source: Path, atlas: Atlas) -> list[Panorama]:
    """The captions of every location of an atlas, in order.

    Viewpoints that are no locations are skipped; a location without captions is an `InputError`.
    """
    scans = set(atlas.world_names)
    found: dict[tuple[str, str], Panorama] = {}
    for name, text in json_files(source):
        scan = name.removesuffix(".json")
        if scan not in scans:
            continue
        where = f"{source}: {name}"
        table = parse_json(text, where)
        if not isinstance(table, dict):
            raise InputError(f"{where} is not of the form {{viewpoint: [8 captions]}}; fetch it again.")
        for viewpoint, record in table.items():
            found[scan, viewpoint] = _panorama(record, f"{where}, viewpoint {_printable(viewpoint)}")
    names = [atlas.world_names[w] for w in atlas.world_of]
    keys = list(zip(names, atlas.location_names, strict=True))
    missing = [key for key in keys if key not in found]
    if missing:
        scan, viewpoint = missing[0]
        others = f" and {len(missing) - 1} other locations" if len(missing) > 1 else ""
        raise InputError(f"{source} has no captions of {viewpoint} of {scan}{others}; get the whole file.")
    return [found[key] for key in keys]


def _panorama(record: Any, where: str) -> Panorama:
    if not isinstance(record, list) or len(record) != CAPTION_HEADINGS:
        raise InputError(f"{where} has no list of {CAPTION_HEADINGS} captions; fetch it again.")
    by_heading = [_caption(text, f"{where}, heading {45 * h}") for h, text in enumerate(record)]
    return tuple(zip(*by_heading, strict=True))


def _caption(text: Any, where: str) -> tuple[str, ...]:
    """What is said of the three elevations, with single spaces."""
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise InputError(f"{where} is no text of at most {_LONGEST} letters; fetch it again.")
    parts = [line.partition(":") for line in text.split("\n")]
    if tuple(label.strip() for label, _, _ in parts) != _LINES:
        raise InputError(f"{where} has not the lines {', '.join(_LINES)}, each with a colon; fetch it again.")
    said = tuple(" ".join(words.split()) for _, _, words in parts)
    if not all(words and words.isprintable() for words in said):
        raise InputError(f"{where} says nothing, or what cannot be printed; fetch it again.")
    return said


def _printable(name: str) -> str:
    return name if name.isprintable() else ascii(name)
