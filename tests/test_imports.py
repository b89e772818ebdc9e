"""The library needs NumPy, SciPy and Gymnasium only: everything else is blocked in a process of its own."""

import subprocess
import sys

import pytest

BLOCK = """
import sys
from importlib.metadata import packages_distributions

ALLOWED = {"helpanna", "numpy", "scipy", "gymnasium"}
ALLOWED |= {"cloudpickle", "farama_notifications", "typing_extensions"}  # what Gymnasium itself needs
NAMED = {"tyro", "rich", "matplotlib", "cv2", "torch", "safetensors", "PIL", "pandas", "hypothesis", "pytest"}

class Block:
    blocked = (set(packages_distributions()) | NAMED) - ALLOWED

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.blocked:
            raise ImportError(f"{name} is blocked")

sys.meta_path.insert(0, Block())
for name in [*sys.modules]:
    if name.partition(".")[0] in Block.blocked:
        del sys.modules[name]
"""

STEP = """
import tempfile
from pathlib import Path

import helpanna
from helpanna.episodes.poses import Poses
from helpanna.worlds.sample import sample_atlas
from helpanna.worlds.storage import load_atlas, save_atlas

with tempfile.TemporaryDirectory() as folder:
    save_atlas(sample_atlas(), Path(folder) / "atlas")
    atlas = load_atlas(Path(folder) / "atlas")
    poses = Poses(atlas, [0, 1, atlas.location_count - 1])
    poses.step(poses.candidates().mask.sum(axis=-1) - 1)
    print(poses.location.tolist() != [0, 1, atlas.location_count - 1])
"""

IMPORT_ALL = """
import importlib
import pkgutil

import helpanna

# The command line is for the user of `helpanna`, who has tyro and rich; networks and learning need torch,
# and the page's server needs FastAPI.
NETWORKS = "networks senses mind learned store tensors trained veil mirror mapping".split()
PAGE = "server people safety".split()
MORE = (
    "helpanna.cli",
    "helpanna.learning",
    *(f"helpanna.agents.{name}" for name in NETWORKS),
    *(f"helpanna.viewer.{name}" for name in PAGE),
)
for module in pkgutil.walk_packages(helpanna.__path__, "helpanna."):
    if not module.name.startswith(MORE):
        importlib.import_module(module.name)
        print(module.name)
"""


def run(program):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize("module", ["tyro", "cv2", "pytest"])
def test_the_block_blocks(module):
    with pytest.raises(AssertionError, match=f"{module} is blocked"):
        run(f"{BLOCK}\nimport {module}")


@pytest.mark.slow
def test_stepping_needs_numpy_scipy_and_gymnasium_only():
    assert run(BLOCK + STEP) == ["True"]


@pytest.mark.slow
def test_no_module_of_the_library_needs_more_to_be_imported():
    imported = run(BLOCK + IMPORT_ALL)
    assert {"helpanna.worlds.storage", "helpanna.episodes.poses"} <= set(imported)
