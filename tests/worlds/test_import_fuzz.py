"""Mutated publishers' files: a clear sentence or a sound atlas, never another exception."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from publishers import write_source

from helpanna.errors import InputError
from helpanna.randomness import generator
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.matterport.captions import read_captions
from helpanna.worlds.matterport.connectivity import read_graph
from helpanna.worlds.matterport.importer import import_matterport
from helpanna.worlds.matterport.reverie import place_objects, read_boxes
from helpanna.worlds.matterport.rooms import read_regions, rooms_of
from helpanna.worlds.sample import sample_world

STRANGE = [None, -1, 1e308, float("nan"), "", "x", [], {}, True, 2**70, [[]], {"": []}, "\ud800"]


def mutate_bytes(data: bytes, rng: np.random.Generator) -> bytes:
    kind = rng.integers(4)
    at = int(rng.integers(len(data)))
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + bytes([int(rng.integers(256))]) + data[at + 1 :]
    if kind == 2:
        return data[:at] + data[at + int(rng.integers(1, 50)) :]
    return data[:at] + data[at : at + 40] + data[at:]


def mutate_tree(value: object, rng: np.random.Generator, depth: int = 0) -> object:
    """Replaces one random node of the JSON tree by something strange."""
    inner = isinstance(value, list | dict) and len(value) > 0 and (depth < 1 or rng.random() < 0.8)
    if not inner:
        return STRANGE[int(rng.integers(len(STRANGE)))]
    if isinstance(value, list):
        at = int(rng.integers(len(value)))
        return [*value[:at], mutate_tree(value[at], rng, depth + 1), *value[at + 1 :]]
    assert isinstance(value, dict)
    key = sorted(value)[int(rng.integers(len(value)))]
    return {**value, key: mutate_tree(value[key], rng, depth + 1)}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["bytes", "tree"])
def test_mutated_files_never_crash_the_readers(tmp_path: Path, kind: str) -> None:
    source = write_source(tmp_path / "source", replace(sample_world("scan1", seed=2), name="scan1"))
    graph = read_graph(source / "connectivity", "scan1")
    box_files = sorted((source / "BBox").iterdir())
    regions_path = source / "house_region_to_panorama.json"
    captions = source / "captions"
    world = replace(sample_world("scan1", seed=2), name="scan1", location_names=graph.viewpoints)
    atlas = build_atlas([world], "a test", "none")
    refused = accepted = 0
    for k in range(2000):
        rng = generator(0, f"fuzz {kind}", k)
        victim = [
            source / "connectivity" / "scan1_connectivity.json",
            box_files[int(rng.integers(len(box_files)))],
            regions_path,
            captions / "scan1.json",
        ][k % 4]
        original = victim.read_bytes()
        if kind == "bytes":
            victim.write_bytes(mutate_bytes(original, rng))
        else:
            victim.write_text(json.dumps(mutate_tree(json.loads(original), rng)))
        try:
            if k % 4 == 0:
                read_graph(source / "connectivity", "scan1")
            elif k % 4 == 1:
                boxes = read_boxes(source / "BBox", {"scan1"})
                placed = place_objects(boxes["scan1"], graph.viewpoints, graph.positions)
                assert np.isfinite(placed.positions).all()
            elif k % 4 == 2:
                rooms_of(graph, read_regions(regions_path).get("scan1", {}), str(regions_path))
            else:
                said = read_captions(captions, atlas)
                assert {(len(rows), *map(len, rows)) for rows in said} == {(3, 8, 8, 8)}
            accepted += 1
        except InputError as error:
            assert "\n" not in str(error)
            refused += 1
        victim.write_bytes(original)
    assert refused > 100
    assert accepted > 0


@pytest.mark.slow
def test_mutated_sources_leave_nothing_half_written(tmp_path: Path) -> None:
    source = write_source(tmp_path / "source", replace(sample_world("scan1", seed=2), name="scan1"))
    files = sorted(path for path in source.rglob("*") if path.is_file())
    for k in range(60):
        rng = generator(0, "fuzz import", k)
        victim = files[int(rng.integers(len(files)))]
        original = victim.read_bytes()
        victim.write_bytes(mutate_bytes(original, rng))
        out = tmp_path / f"atlas{k}"
        try:
            import_matterport(source, out, annotations=False)
        except InputError:
            assert not out.exists()
        assert not list(tmp_path.glob(".*"))
        victim.write_bytes(original)
