"""Skybox images: the six faces of a cube around each camera of Matterport3D, made into one panorama.

`matterport_skybox_images/<viewpoint>_skybox<k>_sami.jpg`: k = 0 looks up, 1 back, 2 left, 3 ahead, 4 right
and 5 down, seen from the camera, whose x axis points to the right, y down and z ahead. The faces 1 to 4 stand
upright; 0 and 5 continue face 1, as if one leaned back, or forward, while looking along it.

The Matterport3D simulator says so too: it binds the faces to a cube map (+x, -x, +y, -y, +z, -z = 2, 4, 0, 5,
1, 3), turns the cube by the rotation of the viewpoint's pose and, its camera being turned round by pi and its
rows running upwards, looks each ray up at the opposite point of the cube.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from helpanna.errors import InputError
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.panoramas import Picture, decode, encode, opencv, panorama_angles
from helpanna.worlds.storage import load_atlas, new_panoramas

FACES = 6
_LAYOUTS = ("{scan}/matterport_skybox_images", "v1/scans/{scan}/matterport_skybox_images")

# In the camera's axes, where each face looks and where its columns and rows run to: [6, 3 vectors, 3].
_AHEAD, _RIGHT, _DOWN = np.eye(3, dtype=np.float32)[[2, 0, 1]]
FACE_AXES: NDArray[np.float32] = np.array(
    [
        (-_DOWN, -_RIGHT, -_AHEAD),
        (-_AHEAD, -_RIGHT, _DOWN),
        (-_RIGHT, _AHEAD, _DOWN),
        (_AHEAD, _RIGHT, _DOWN),
        (_RIGHT, -_AHEAD, _DOWN),
        (_DOWN, -_RIGHT, _AHEAD),
    ]
)


def import_skyboxes(
    folder: Path,
    source: Path,
    rotations: NDArray[np.float64],
    width: int = 2048,
    height: int = 1024,
    on_progress: Callable[[int, int], None] | None = None,
) -> None:
    """Adds panoramas to an atlas of Matterport buildings, made from their skybox images.

    Args:
        folder: the atlas.
        source: holds `<scan>/matterport_skybox_images` or `v1/scans/<scan>/matterport_skybox_images`.
        rotations: [N, 3, 3] of each location the rotation from its camera's axes to the world's: the upper
            left block of `pose` in the connectivity file. The faces are pictures in the camera's frame;
            panoramas are in the world's, with heading 0 in the centre, so that all locations share headings.
        width: of a panorama in pixels.
        height: of a panorama in pixels.
        on_progress: called with the number of locations done and of all.
    """
    atlas = load_atlas(folder)
    _check_rotations(atlas, rotations)
    faces = [paths for w in range(atlas.world_count) for paths in _find_faces(atlas, w, source)]
    with new_panoramas(folder, width, height) as add:
        for location, paths in enumerate(faces):
            add(location, encode(panorama_of(_read_faces(paths, width), rotations[location], width, height)))
            if on_progress:
                on_progress(location + 1, len(faces))


def panorama_of(faces: Picture, rotation: NDArray[np.float64], width: int, height: int) -> Picture:
    """The panorama [height, width, 3] of six faces [6, n, n, 3] and the camera-to-world rotation [3, 3]."""
    cv2 = opencv()
    n = faces.shape[1]
    rays = _camera_rays(rotation, width, height).reshape(3, -1)
    depth = np.abs(rays).max(axis=0)
    x, y = np.empty((2, height * width), dtype=np.float32)
    for k, (look, right, down) in enumerate(FACE_AXES):
        # The face a ray meets is the one along the ray's longest component.
        (met,) = np.nonzero(look @ rays == depth)
        place = (np.stack([right, down]) @ rays[:, met] / depth[met] + 1) * (n / 2)
        # Within half a pixel of its edge a face's last pixels stand in for its neighbour's.
        x[met], y[met] = np.clip(place - 0.5, 0, n - 1)
        y[met] += k * n
    strip = faces.reshape(FACES * n, n, 3)
    return cv2.remap(strip, x.reshape(height, width), y.reshape(height, width), cv2.INTER_LINEAR)


def _camera_rays(rotation: NDArray[np.float64], width: int, height: int) -> NDArray[np.float32]:
    """`panorama_rays` in the camera's axes, [3, height, width]: a sum of products of a column and a row."""
    heading, elevation = panorama_angles(width, height)
    level = np.stack([np.sin(heading), np.cos(heading)])
    across, upright = (rotation[:2].T @ level).astype(np.float32), rotation[2].astype(np.float32)
    cosine, sine = np.cos(elevation).astype(np.float32), np.sin(elevation).astype(np.float32)
    return cosine[:, None] * across[:, None, :] + (upright[:, None] * sine)[:, :, None]


def _find_faces(atlas: Atlas, world: int, source: Path) -> list[list[Path]]:
    """The files of the six faces of each location of a world, after a look whether all are there."""
    scan = atlas.world_names[world]
    candidates = [source / layout.format(scan=scan) for layout in _LAYOUTS]
    folder = next((candidate for candidate in candidates if candidate.is_dir()), None)
    if folder is None:
        raise InputError(f"{candidates[0]} does not exist; fetch the skybox images of {scan}.")
    there = {path.name for path in folder.iterdir()}
    faces = []
    for location in atlas.locations(world):
        names = [f"{atlas.location_names[location]}_skybox{k}_sami.jpg" for k in range(FACES)]
        for name in names:
            if name not in there:
                raise InputError(f"{folder / name} is missing; fetch the skybox images of {scan} again.")
        faces.append([folder / name for name in names])
    return faces


def _read_faces(paths: list[Path], width: int) -> Picture:
    """The six faces [6, n, n, 3], no finer than a panorama of this width, which they would alias in."""
    cv2 = opencv()
    faces: list[Picture] = []
    for path in paths:
        try:
            face = decode(path.read_bytes(), str(path))
        except OSError as error:
            raise InputError(f"{path} cannot be read ({error.strerror}).") from None
        n = len(faces[0]) if faces else len(face)
        if face.shape != (n, n, 3):
            size = f"{face.shape[1]} x {face.shape[0]}"
            raise InputError(f"{path} has {size} pixels instead of {n} x {n}; fetch it again.")
        faces.append(face)
    # The centre of a face has n / 2 pixels a radian, a panorama width / (2 pi).
    finest = max(1, round(width / np.pi))
    if n > finest:
        faces = [cv2.resize(face, (finest, finest), interpolation=cv2.INTER_AREA) for face in faces]
    return np.stack(faces)


def _check_rotations(atlas: Atlas, rotations: NDArray[np.float64]) -> None:
    count = atlas.location_count
    if rotations.shape != (count, 3, 3):
        raise ValueError(f"rotations have shape {rotations.shape} instead of {(count, 3, 3)}")
    skew = np.abs(rotations @ rotations.transpose(0, 2, 1) - np.eye(3)).max(axis=(1, 2))
    mirror = np.abs(np.cross(rotations[:, 0], rotations[:, 1]) - rotations[:, 2]).max(axis=1)
    # Written so that a number that is not finite is wrong too.
    wrong = ~((skew < 1e-3) & (mirror < 1e-3))
    if wrong.any():
        location = int(wrong.argmax())
        name = f"{atlas.world_names[atlas.world_of[location]]} {atlas.location_names[location]}"
        raise InputError(f"the pose of {name} is not a rotation; fetch its connectivity file again.")
