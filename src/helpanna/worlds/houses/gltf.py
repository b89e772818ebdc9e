"""A house as a binary glTF 2.0 file, which any 3-D viewer opens.

Every thing is a node of its own, named by its type; patterns are written as small pictures.
"""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helpanna.files import atomic_file
from helpanna.worlds.houses.layout import House
from helpanna.worlds.houses.scene import BUILDING, Scene, scene_of
from helpanna.worlds.houses.textures import GLASS, METAL, PICTURE, SCREEN, Palette, palette, swatch
from helpanna.worlds.panoramas import encode

_MAGIC, _VERSION, _JSON, _BIN = 0x46546C67, 2, 0x4E4F534A, 0x004E4942
_FLOAT, _UNSIGNED, _ARRAY, _ELEMENTS = 5126, 5125, 34962, 34963
_MIRRORED = 33648
_UPRIGHT = [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]
"""The turn from z up, as here, to y up, as in glTF."""

_PIXELS = 256
_METRES = 2.0
"""What the picture of a pattern covers."""


def write_glb(house: House, path: Path, seed: int = 0) -> None:
    """Writes a house with its things to a .glb file."""
    data = glb_of(scene_of(house, seed), [placed.thing.type for placed in house.things])
    with atomic_file(path) as temporary:
        temporary.write_bytes(data)


def glb_of(scene: Scene, names: list[str]) -> bytes:
    """The bytes of a .glb file: the building, and the things by their names."""
    file = _File(scene)
    for thing in range(BUILDING, len(names)):
        file.add("building" if thing == BUILDING else names[thing], np.flatnonzero(scene.thing == thing))
    return file.written()


class _File:
    """Gathers what goes into the file."""

    def __init__(self, scene: Scene):
        self.scene = scene
        self.buffer = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []
        self.nodes: list[dict[str, Any]] = []
        self.meshes: list[dict[str, Any]] = []
        self.images: list[dict[str, Any]] = []
        self.materials = _materials(self, palette(scene.materials))

    def add(self, name: str, triangles: NDArray[np.int64]) -> None:
        """Adds a node with these triangles, one primitive a material."""
        parts = [
            self._primitive(triangles[self.scene.material[triangles] == m], int(m))
            for m in np.unique(self.scene.material[triangles])
        ]
        if parts:
            self.nodes.append({"name": name, "mesh": len(self.meshes)})
            self.meshes.append({"name": name, "primitives": parts})

    def written(self) -> bytes:
        """The whole file."""
        root = {"name": "house", "rotation": _UPRIGHT, "children": list(range(len(self.nodes)))}
        content: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "helpanna"},
            "scene": 0,
            "scenes": [{"nodes": [len(self.nodes)]}],
            "nodes": [*self.nodes, root],
            "meshes": self.meshes,
            "materials": self.materials,
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{"byteLength": len(self.buffer)}],
        }
        if self.images:
            content |= {
                "images": self.images,
                "samplers": [{"wrapS": _MIRRORED, "wrapT": _MIRRORED}],
                "textures": [{"sampler": 0, "source": i} for i in range(len(self.images))],
            }
        text = json.dumps(content, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        binary = bytes(self.buffer) + b"\0" * (-len(self.buffer) % 4)
        length = 12 + 8 + len(text) + 8 + len(binary)
        header = struct.pack("<III", _MAGIC, _VERSION, length)
        return b"".join(
            [
                header,
                struct.pack("<II", len(text), _JSON),
                text,
                struct.pack("<II", len(binary), _BIN),
                binary,
            ]
        )

    def _primitive(self, triangles: NDArray[np.int64], material: int) -> dict[str, Any]:
        scene = self.scene
        corners = scene.vertices[scene.triangles[triangles]].reshape(-1, 3)
        uv = scene.uv[triangles].reshape(-1, 2)
        if scene.materials[material].kind not in ("picture", "screen"):
            uv = uv / np.float32(_METRES)
        # Pictures begin at the top in glTF, patterns at the bottom.
        uv = np.stack([uv[:, 0], 1 - uv[:, 1]], axis=-1)
        both, index = np.unique(np.concatenate([corners, uv], axis=1), axis=0, return_inverse=True)
        place = np.ascontiguousarray(both[:, :3], dtype="<f4")
        bounds = {"min": place.min(axis=0).tolist(), "max": place.max(axis=0).tolist()}
        return {
            "attributes": {
                "POSITION": self._accessor(place, "VEC3", _FLOAT, _ARRAY, **bounds),
                "TEXCOORD_0": self._accessor(
                    np.ascontiguousarray(both[:, 3:], "<f4"), "VEC2", _FLOAT, _ARRAY
                ),
            },
            "indices": self._accessor(index.ravel().astype("<u4"), "SCALAR", _UNSIGNED, _ELEMENTS),
            "material": material,
        }

    def _accessor(self, array: NDArray[Any], kind: str, component: int, target: int, **bounds: Any) -> int:
        view = self.view(array.tobytes(), target=target)
        self.accessors.append(
            {"bufferView": view, "componentType": component, "count": len(array), "type": kind, **bounds}
        )
        return len(self.accessors) - 1

    def view(self, data: bytes, **more: Any) -> int:
        """Appends bytes to the buffer; the number of their view."""
        self.buffer += b"\0" * (-len(self.buffer) % 4)
        self.views.append({"buffer": 0, "byteOffset": len(self.buffer), "byteLength": len(data), **more})
        self.buffer += data
        return len(self.views) - 1


_PATTERNED = frozenset({"wood", "planks", "tile", "carpet", "fabric", "stone", "picture", "books", "screen"})


def _materials(file: _File, colours: Palette) -> list[dict[str, Any]]:
    """The materials: a picture where there is a pattern to see, else the mean colour."""
    materials = []
    for m, material in enumerate(file.scene.materials):
        surface: dict[str, Any] = {
            "metallicFactor": 1.0 if colours.kind[m] == METAL else 0.0,
            "roughnessFactor": float(1 - 0.9 * colours.gloss[m]),
        }
        whole: dict[str, Any] = {"name": f"{material.kind} {m}", "pbrMetallicRoughness": surface}
        if material.kind in _PATTERNED:
            size = 1.0 if colours.kind[m] in (PICTURE, SCREEN) else _METRES
            view = file.view(encode(swatch(colours, m, size, _PIXELS)))
            surface["baseColorTexture"] = {"index": len(file.images)}
            file.images.append({"bufferView": view, "mimeType": "image/jpeg"})
        else:
            alpha = 0.25 if colours.kind[m] == GLASS else 1.0
            surface["baseColorFactor"] = [*colours.mean[m].clip(0, 1).tolist(), alpha]
        if colours.kind[m] == GLASS:
            whole |= {"alphaMode": "BLEND", "doubleSided": True}
        if colours.emission[m] > 0:
            whole["emissiveFactor"] = colours.mean[m].clip(0, 1).tolist()
        materials.append(whole)
    return materials
