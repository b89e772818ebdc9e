import dataclasses
import gc
import os
import signal
import tempfile

# Tests run side by side, a process for each core; threads within would only wait for each other. Set before
# PyTorch is imported, and inherited by the processes that tests start.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# What tests prove about their files is not for the user's cache.
os.environ.setdefault("HELPANNA_CACHE", f"{tempfile.gettempdir()}/helpanna-tests-{os.getuid()}")

import numpy as np
import pytest
from hypothesis import settings

from helpanna.worlds.atlas import Atlas
from helpanna.worlds.geometry import VIEWS
from helpanna.worlds.panoramas import encode
from helpanna.worlds.sample import sample_atlas
from helpanna.worlds.storage import load_atlas, new_panoramas, save_atlas
from helpanna.worlds.views import ViewFeatures, Views

# The machine may be busy; a slow example is no failure.
settings.register_profile("helpanna", deadline=None)
settings.load_profile("helpanna")

# A shell that starts tests in the background lets them ignore Ctrl-C, and so all processes that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def cluster(monkeypatch):
    """Ray can be used; what it leaves behind is cleared away in the test that used it."""
    pytest.importorskip("ray")
    monkeypatch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    yield
    gc.collect()


@pytest.fixture(scope="session")
def sample() -> Atlas:
    """Two sample buildings without views."""
    return sample_atlas()


@pytest.fixture(scope="session")
def sample_with_features(sample: Atlas) -> Atlas:
    """The sample buildings with view features called "numbers": each view's numbers are its own."""
    size = 4
    numbers = np.arange(sample.location_count * VIEWS * size).reshape(-1, VIEWS, size) / 1000
    features = ViewFeatures("numbers", numbers.astype(np.float16), {"kind": "numbers"})
    return dataclasses.replace(sample, views=Views({"numbers": features}))


@pytest.fixture(scope="session")
def sample_with_panoramas(tmp_path_factory: pytest.TempPathFactory) -> Atlas:
    """One sample building on disk with a small panorama of its own colours at every location."""
    folder = tmp_path_factory.mktemp("atlas") / "sample"
    atlas = sample_atlas(worlds=1)
    save_atlas(atlas, folder)
    rng = np.random.default_rng(0)
    with new_panoramas(folder, width=64, height=32) as add:
        for location in range(atlas.location_count):
            blocks = rng.integers(0, 256, (2, 4, 3), dtype=np.uint8)
            add(location, encode(blocks.repeat(16, axis=0).repeat(16, axis=1)))
    return load_atlas(folder)
