import dataclasses

import pytest
from room_to_room_files import records, write_records
from splits import random_routes

from helpanna.cli.main import main
from helpanna.tasks.check import check_dataset
from helpanna.worlds.sample import sample_atlas
from helpanna.worlds.storage import save_atlas


@pytest.fixture(scope="session")
def home(tmp_path_factory):
    """A folder with two atlases of sample buildings that share none, and the routes in both."""
    folder = tmp_path_factory.mktemp("home")
    atlases = {name: sample_atlas(*numbers) for name, numbers in {"atlas": (6, 0), "far": (3, 1)}.items()}
    atlases["far"] = renamed(atlases["far"], "far ")
    content = []
    for name, atlas in atlases.items():
        save_atlas(atlas, folder / name)
        content += records(atlas, random_routes(atlas, per_world=12))
    write_records(folder / "routes.json", content)
    return folder


def renamed(atlas, prefix):
    """The same buildings under other names."""
    return dataclasses.replace(atlas, world_names=tuple(prefix + name for name in atlas.world_names))


def size_options(sizes):
    return ["--sizes", *(str(word) for item in sizes.items() for word in item)]


@pytest.fixture(scope="session")
def build(home):
    """Builds a dataset in the home folder with the command; returns its folder."""

    def run(out, *options, worlds=("atlas",), seed=0):
        folders = [str(home / name) for name in worlds]
        arguments = ["--routes", str(home / "routes.json"), "--out", str(home / out), "--seed", str(seed)]
        main(["tasks", "build", "--worlds", *folders, *arguments, *options])
        return home / out

    return run


@pytest.fixture(scope="session")
def dataset(build):
    """Two unseen buildings, all five splits."""
    sizes = {"train": 300, "val_seen": 60, "test_seen": 50, "val_unseen": 70, "test_unseen": 40}
    folder = build("dataset", "--unseen-count", "2", *size_options(sizes), worlds=("atlas", "far"))
    return check_dataset(folder)
