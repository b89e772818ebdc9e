"""What the real buildings must give."""

import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from helpanna.worlds.annotations import NAME
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.matterport.connectivity import read_graph
from helpanna.worlds.matterport.importer import ImportReport
from helpanna.worlds.matterport.reverie import place_objects, read_boxes
from helpanna.worlds.storage import check_atlas

pytestmark = pytest.mark.slow


def test_the_counts(imported: tuple[Path, ImportReport]) -> None:
    report = imported[1]
    assert report.counts["worlds"] == 61
    assert report.counts["locations"] == 7644
    assert report.counts["edges"] == 15705
    assert report.counts["rooms"] == 1394
    assert report.counts["objects"] + report.unseen_objects == 15248
    assert report.unseen_objects == 3195
    assert report.unreachable == {
        "B6ByNegPMKs": 3,
        "JF19kD82Mey": 1,
        "PuKPg4mmafe": 1,
        "SN83YJsR3w2": 1,
        "r1Q1Z4BcV1o": 1,
    }
    check_atlas(imported[0])


def test_captions_say_what_the_publisher_says(real_atlas: Atlas) -> None:
    captions = real_atlas.views.captions
    assert captions is not None
    assert captions.index.shape == (7644, 3, 8) and len(captions.texts) == 96773
    here = captions.of(real_atlas.location_id("17DRP5sb8fy", "10c252c90fa24ef3b698c6f54d984c5c"))
    said = f"{here[0][3]}\n{here[1][0]}"  # the data themselves stay out of the project
    assert sha256(said.encode()).hexdigest().startswith("54ed6665f289db34")


def test_the_average_edge_is_the_papers(real_atlas: Atlas) -> None:
    ends = real_atlas.position[real_atlas.edge]
    lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    assert lengths.mean() == pytest.approx(2.25, abs=0.01)


def test_room_to_room_paths_are_walks(real_atlas: Atlas, real_data: Path) -> None:
    walks = 0
    for name in ("R2R_train.json", "R2R_val_seen.json"):
        for record in json.loads((real_data / name).read_text()):
            path = np.array([real_atlas.location_id(record["scan"], v) for v in record["path"]])
            neighbours = real_atlas.action_location[path[:-1], 0, 1:]
            assert (neighbours == path[1:, None]).any(axis=1).all()
            walks += 1
    assert walks == 5015


def test_boxes_project_back_onto_triangulated_objects(real_data: Path) -> None:
    scans = sorted(p.name[:11] for p in (real_data / "connectivity").glob("*_connectivity.json"))
    boxes = read_boxes(real_data / "reverie_bbox.tar.gz", set(scans))
    errors, distances = [], []
    for scan in scans:
        graph = read_graph(real_data / "connectivity", scan)
        placed = place_objects(boxes[scan], graph.viewpoints, graph.positions)
        location, thing = placed.sightings.T
        towards = placed.positions[thing] - graph.positions[location]
        distance = np.linalg.norm(towards, axis=1)
        cosine = np.sum(towards * placed.rays, axis=1) / distance
        twice = np.bincount(thing)[thing] >= 2
        errors.append(np.degrees(np.arccos(np.clip(cosine[twice], -1, 1))))
        distances.append(distance)
    error = np.concatenate(errors)
    print("degrees off, percentiles 50, 75, 90, 95:", np.percentile(error, [50, 75, 90, 95]).round(2))
    assert np.median(error) < 2
    assert np.percentile(error, 90) < 6
    assert np.median(np.concatenate(distances)) == pytest.approx(1.75, abs=0.15)


def test_places_look_alike_only_if_they_are(real_atlas: Atlas) -> None:
    features = real_atlas.views.get(NAME).array
    nearest, apart = [], []
    for world in range(real_atlas.world_count):
        places = real_atlas.locations(world)
        rows = features[places.start : places.stop].astype(np.float32).reshape(len(places), -1)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        cosine = rows @ rows.T
        np.fill_diagonal(cosine, -1)
        other = cosine.argmax(axis=1)
        nearest.append(cosine.max(axis=1))
        position = real_atlas.position[places.start : places.stop]
        apart.append(np.linalg.norm(position - position[other], axis=1))
    cosine, distance = np.concatenate(nearest), np.concatenate(apart)
    print("share of places with a twin (cosine > 0.95):", (cosine > 0.95).mean())
    print("metres to the twin, median and 95 %:", np.percentile(distance[cosine > 0.95], [50, 95]).round(2))
    assert (cosine < 0.999).all()
    assert np.median(cosine) < 0.8
    assert np.median(distance[cosine > 0.95]) < 3
