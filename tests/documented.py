"""A small dataset and results under the names that the README and docs/ give them."""

from dataclasses import replace

from lessons import some_tasks
from splits import sample_split

from helpanna.cli.main import main
from helpanna.tasks.dataset import save_dataset
from helpanna.tasks.sampling import PathRange
from helpanna.worlds.annotations import write_annotation_features
from helpanna.worlds.storage import load_atlas, save_atlas

SPLITS = ("train", "val_seen", "val_unseen", "test_seen")
DATASETS = ("DATASET", "out/tasks")
RESULTS = ("run", "seed0", "seed1", "seed2", "ours", "theirs")


def documented_folder(folder):
    """Fills a folder; commands and programs of the pages can run there."""
    split = some_tasks(sample_split(2, routes_per_world=30), 100)
    save_atlas(split.atlas, folder / "atlas")
    write_annotation_features(folder / "atlas")
    split = replace(split, atlas=load_atlas(folder / "atlas"))
    splits = {name: replace(split, name=name) for name in SPLITS}
    save_dataset(folder / "dataset", splits, [(split.atlas, folder / "atlas")], 0, PathRange(), settings={})
    (folder / "out").mkdir()
    for name in DATASETS:
        (folder / name).symlink_to(folder / "dataset")
    walk = "evaluate --split val_unseen --agent explorer --data"
    main([*walk.split(), str(folder / "dataset"), "--out", str(folder / "FILE.jsonl")])
    for name in RESULTS:
        (folder / f"{name}.jsonl").write_bytes((folder / "FILE.jsonl").read_bytes())
    return folder
