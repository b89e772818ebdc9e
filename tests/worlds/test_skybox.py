"""Skybox images become panoramas that show what the Matterport3D simulator shows."""

import math

import numpy as np
import pytest

from helpanna.errors import InputError
from helpanna.worlds.geometry import FOCAL_LENGTH, IMAGE_HEIGHT, IMAGE_WIDTH, view_elevation, view_heading
from helpanna.worlds.matterport.skybox import import_skyboxes, panorama_of
from helpanna.worlds.panoramas import encode, panorama_rays
from helpanna.worlds.sample import sample_atlas
from helpanna.worlds.storage import check_atlas, load_atlas, save_atlas

LEVELS = 4.0
"""Grey levels of 255 that JPEG and interpolation may cost a smooth picture."""

# A level camera that looks north: its x axis points east, y down, z north.
NORTH = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])


def colours(vectors):
    """A colour for every direction, different everywhere."""
    x, y, z = np.moveaxis(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True), -1, 0)
    return np.stack([128 + 90 * x, 128 + 90 * y + 20 * x * z, 128 + 90 * z], axis=-1)


def cube_vectors(n):
    """[6, n, n, 3] which vector of an OpenGL cube map meets each pixel of the skybox images 0 to 5.

    From the table of faces in the OpenGL specification, and the simulator's: +y, +z, +x, -z, -x, -y.
    """
    s, t = np.meshgrid(*[(np.arange(n) + 0.5) / n * 2 - 1] * 2)
    one = np.ones_like(s)
    faces = [(s, one, t), (s, -t, one), (one, -t, -s), (-s, -t, -one), (-one, -t, s), (s, -one, -t)]
    return np.stack([np.stack(face, axis=-1) for face in faces])


def painted(paint, n=256):
    """The six faces, the colour of each pixel given by the cube's vector."""
    return np.round(paint(cube_vectors(n))).astype(np.uint8)


def turn(axis, angle):
    """A rotation about a coordinate axis, as OpenGL's."""
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    matrix = np.eye(3)
    matrix[[i, i, j, j], [i, j, i, j]] = math.cos(angle), -math.sin(angle), math.sin(angle), math.cos(angle)
    return matrix


def simulator_vectors(rotation, heading, elevation):
    """[480, 640, 3] which vector of the cube map the simulator shows at each pixel of its picture.

    Its camera looks along -z, with y up, after `view = rotate_x(-pi / 2 + elevation) rotate_z(pi + heading)`;
    the cube is turned by the pose. Rows are read from OpenGL, so the first one is the bottom.
    """
    view = turn(0, -math.pi / 2 + elevation) @ turn(2, math.pi + heading)
    x, y = np.meshgrid(
        (np.arange(IMAGE_WIDTH) + 0.5 - IMAGE_WIDTH / 2) / FOCAL_LENGTH,
        (np.arange(IMAGE_HEIGHT) + 0.5 - IMAGE_HEIGHT / 2) / FOCAL_LENGTH,
    )
    camera = np.stack([x, y, -np.ones_like(x)], axis=-1)
    return camera @ view @ rotation  # transposes from the left are products from the right


def random_rotations(count):
    """Level cameras with any heading, then tilted at random by up to 20 degrees."""
    rng = np.random.default_rng(1)
    tilts = rng.uniform(-0.35, 0.35, (count, 2))
    return np.stack([turn(2, rng.uniform(0, 6)) @ turn(0, a) @ turn(1, b) @ NORTH for a, b in tilts])


@pytest.fixture
def source(tmp_path):
    """An atlas on disk, and skybox images and poses of all its locations."""
    atlas = sample_atlas(worlds=1)
    save_atlas(atlas, tmp_path / "atlas")
    rotations = random_rotations(atlas.location_count)
    folder = tmp_path / "scans" / atlas.world_names[0] / "matterport_skybox_images"
    folder.mkdir(parents=True)
    faces = [encode(face) for face in painted(colours, n=64)]
    for name in atlas.location_names:
        for k, face in enumerate(faces):
            (folder / f"{name}_skybox{k}_sami.jpg").write_bytes(face)
    return tmp_path, folder, rotations


def test_a_camera_that_looks_north_sees_face_3_in_the_centre():
    greys = np.array([10, 50, 90, 130, 170, 210], np.uint8)
    faces = np.broadcast_to(greys[:, None, None, None], (6, 8, 8, 3)).copy()
    picture = panorama_of(faces, NORTH, 80, 40)[..., 0]
    assert picture[20, [40, 60, 20, 0, 79]].tolist() == [130, 170, 90, 50, 50]
    assert set(picture[0]) == {10} and set(picture[-1]) == {210}


def test_the_faces_join_without_a_step():
    """The vertical and horizontal neighbours of a smooth world differ little, at the faces' edges too."""
    for rotation in random_rotations(3):
        picture = panorama_of(painted(colours), rotation, 512, 256).astype(int)
        assert np.abs(np.diff(picture, axis=0)).max() <= 5
        assert np.abs(np.diff(picture, axis=1, append=picture[:, :1])).max() <= 5


@pytest.mark.parametrize("rotation", [NORTH, *random_rotations(4)])
def test_a_panorama_reproduces_the_world(rotation):
    """Faces painted with the colours of a world, seen by a turned camera, give back the world's colours."""
    # The camera's vector is opposite to the cube's.
    faces = painted(lambda cube: colours(-cube @ rotation.T))
    picture = panorama_of(faces, rotation, 512, 256)
    assert np.abs(picture - colours(panorama_rays(512, 256))).max() < LEVELS


def test_views_show_what_the_simulator_shows(source):
    tmp_path, _, rotations = source
    import_skyboxes(tmp_path / "atlas", tmp_path / "scans", rotations, width=256, height=128)
    views = check_atlas(tmp_path / "atlas").views
    for location, view in [(0, 0), (0, 17), (1, 25), (2, 12), (3, 35)]:
        heading, elevation = float(view_heading(view)), float(view_elevation(view))
        expected = colours(simulator_vectors(rotations[location], heading, elevation))
        assert np.abs(views.render(location, heading, elevation) - expected).max() < 2 * LEVELS


def test_the_layout_of_the_download_is_found_and_progress_told(source):
    tmp_path, _, rotations = source
    (tmp_path / "v1").mkdir()
    (tmp_path / "scans").rename(tmp_path / "v1" / "scans")
    told = []
    import_skyboxes(
        tmp_path / "atlas",
        tmp_path,
        rotations,
        64,
        32,
        on_progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(i + 1, len(rotations)) for i in range(len(rotations))]
    assert load_atlas(tmp_path / "atlas").views.has_panoramas


def spoil_missing(path):
    path.unlink()


def spoil_empty(path):
    path.write_bytes(b"")


def spoil_cut(path):
    path.write_bytes(path.read_bytes()[:-600])


def spoil_size(path):
    path.write_bytes(encode(np.zeros((32, 64, 3), np.uint8)))


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (spoil_missing, "is missing"),
        (spoil_empty, "not a whole JPEG"),
        (spoil_cut, "not a whole JPEG"),
        (spoil_size, "has 64 x 32 pixels instead of 64 x 64"),
    ],
)
def test_a_spoilt_face_is_named_and_nothing_is_written(source, spoil, problem):
    tmp_path, folder, rotations = source
    path = sorted(folder.iterdir())[4]
    spoil(path)
    before = (tmp_path / "atlas" / "manifest.json").read_bytes()
    with pytest.raises(InputError, match=problem) as caught:
        import_skyboxes(tmp_path / "atlas", tmp_path / "scans", rotations, 64, 32)
    assert str(path) in str(caught.value)
    assert (tmp_path / "atlas" / "manifest.json").read_bytes() == before
    assert not [path for path in (tmp_path / "atlas").iterdir() if "panoramas" in path.name]


def test_a_missing_building_is_named(source, tmp_path):
    with pytest.raises(InputError, match="matterport_skybox_images does not exist"):
        import_skyboxes(tmp_path / "atlas", tmp_path / "nowhere", source[2])


@pytest.mark.parametrize(
    "wrong", [np.zeros((3, 3)), np.full((3, 3), np.nan), np.diag([1.0, 1, -1]), 2 * np.eye(3)]
)
def test_a_pose_that_is_no_rotation_is_named(source, wrong):
    tmp_path, _, rotations = source
    rotations[2] = wrong
    name = load_atlas(tmp_path / "atlas").location_names[2]
    with pytest.raises(InputError, match=f"{name} is not a rotation"):
        import_skyboxes(tmp_path / "atlas", tmp_path / "scans", rotations)
