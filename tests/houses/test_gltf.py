import json
import struct

import cv2
import numpy as np
import pytest
from handmade_house import house

from helpanna.worlds.houses.gltf import write_glb
from helpanna.worlds.houses.scene import scene_of

SIZES = {5126: 4, 5125: 4}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("glb") / "house.glb"
    write_glb(house(), path)
    data = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    text, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON"
    assert text % 4 == 0
    size, kind = struct.unpack_from("<I4s", data, 20 + text)
    assert kind == b"BIN\0"
    assert 28 + text + size == len(data)
    return json.loads(data[20 : 20 + text]), data[28 + text :]


def array(file, number):
    content, binary = file
    accessor = content["accessors"][number]
    view = content["bufferViews"][accessor["bufferView"]]
    width = WIDTHS[accessor["type"]]
    assert view["byteOffset"] % 4 == 0
    assert view["byteLength"] == accessor["count"] * width * SIZES[accessor["componentType"]]
    dtype = "<f4" if accessor["componentType"] == 5126 else "<u4"
    found = np.frombuffer(binary, dtype, accessor["count"] * width, view["byteOffset"])
    return found.reshape(accessor["count"], width)


def test_every_thing_is_a_node(file):
    content, _ = file
    assert content["asset"]["version"] == "2.0"
    assert [node["name"] for node in content["nodes"]] == [
        "building",
        "crate",
        "crate",
        "lamp",
        "lamp",
        "house",
    ]
    assert content["nodes"][-1]["children"] == [0, 1, 2, 3, 4]
    assert content["scenes"] == [{"nodes": [5]}]


def test_the_triangles_are_those_of_the_house(file):
    content, _ = file
    scene = scene_of(house())
    area = 0.0
    for mesh in content["meshes"]:
        for part in mesh["primitives"]:
            place = array(file, part["attributes"]["POSITION"])
            bounds = content["accessors"][part["attributes"]["POSITION"]]
            np.testing.assert_array_equal(place.min(axis=0), np.float32(bounds["min"]))
            np.testing.assert_array_equal(place.max(axis=0), np.float32(bounds["max"]))
            assert len(array(file, part["attributes"]["TEXCOORD_0"])) == len(place)
            corners = place[array(file, part["indices"]).ravel()].reshape(-1, 3, 3).astype(float)
            sides = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
            area += np.linalg.norm(sides, axis=-1).sum() / 2
            assert part["material"] < len(content["materials"])
    corners = scene.vertices[scene.triangles].astype(float)
    sides = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert area == pytest.approx(np.linalg.norm(sides, axis=-1).sum() / 2, rel=1e-5)


def test_z_up_becomes_y_up(file):
    x, y, z, w = file[0]["nodes"][-1]["rotation"]
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    np.testing.assert_allclose(turn @ [0, 0, 1], [0, 1, 0], atol=1e-9)
    np.testing.assert_allclose(turn @ [1, 0, 0], [1, 0, 0], atol=1e-9)


def test_patterns_are_pictures(file):
    content, binary = file
    planks = next(m for m in content["materials"] if m["name"].startswith("planks"))
    texture = content["textures"][planks["pbrMetallicRoughness"]["baseColorTexture"]["index"]]
    view = content["bufferViews"][content["images"][texture["source"]]["bufferView"]]
    jpeg = binary[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (256, 256, 3)
    assert picture.std() > 3
    light = next(m for m in content["materials"] if m["name"].startswith("light"))
    assert max(light["emissiveFactor"]) == pytest.approx(1.0)
