"""Results on disk to look at, and the page that shows them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from random_episodes import random_trajectories
from splits import sample_split
from starlette.testclient import TestClient

from helpanna.agents.names import make_agent
from helpanna.assistance.assistants import Anna
from helpanna.episodes.trajectory_file import write_trajectories
from helpanna.evaluation.runner import run_episodes
from helpanna.tasks.dataset import load_split, save_dataset
from helpanna.tasks.sampling import PathRange
from helpanna.viewer.library import Library
from helpanna.viewer.play import PATIENCE, Games
from helpanna.viewer.server import make_app
from helpanna.worlds.storage import load_atlas, save_atlas


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset in the sample buildings, which have no pictures."""
    folder = tmp_path_factory.mktemp("viewer")
    save_atlas(sample_split().atlas, folder / "atlas")
    atlas = load_atlas(folder / "atlas")
    split = replace(sample_split(), name="val_unseen", atlas=atlas)
    save_dataset(folder / "data", {"val_unseen": split}, [(atlas, folder / "atlas")], 0, PathRange(), {})
    return folder / "data"


@pytest.fixture(scope="session")
def explorer(data: Path) -> Path:
    """The result of an agent that asks, on sixty tasks."""
    split = load_split(data, "val_unseen")
    agent = make_agent("explorer+ask_untried+perfect", split)
    trips = run_episodes(split, agent, Anna(split), np.arange(60))
    header = {"dataset": str(data), "agent": "explorer+ask_untried+perfect", "assistant": "anna", "seed": 0}
    write_trajectories(data.parent / "explorer.jsonl", trips, split, header)
    return data.parent / "explorer.jsonl"


@pytest.fixture(scope="session")
def wanderer(data: Path) -> Path:
    """The result of random decisions with notes, on eighty tasks."""
    split = load_split(data, "val_unseen")
    trips = random_trajectories(split, np.arange(80), seed=1)
    header = {"dataset": str(data), "agent": "anyone <b>bold</b>"}
    write_trajectories(data.parent / "wanderer.jsonl", trips, split, header)
    return data.parent / "wanderer.jsonl"


@pytest.fixture
def library(explorer: Path, wanderer: Path) -> Library:
    return Library([explorer, wanderer])


@pytest.fixture
def browse(library: Library, tmp_path: Path) -> Iterator[Callable[..., TestClient]]:
    """A client of the page, with the options of `make_app`; each is a server of its own."""
    with ExitStack() as stack:

        def client(patience: float = PATIENCE, **options: str) -> TestClient:
            games = Games(library, tmp_path / "people", patience)
            stack.enter_context(closing(games.store))
            app = make_app(library, games, **options)
            return TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False)

        yield client
