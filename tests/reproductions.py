"""A dataset small enough to reproduce everything on in seconds."""

from dataclasses import replace

from lessons import some_tasks
from splits import sample_split

from helpanna.tasks.dataset import save_dataset
from helpanna.tasks.sampling import PathRange
from helpanna.worlds.annotations import write_annotation_features
from helpanna.worlds.storage import load_atlas, save_atlas

NAMES = ("train", "val_seen", "val_unseen", "test_seen")


def save_whole_dataset(folder, source=None):
    """Sixteen tasks of two sample buildings as every split but test_unseen; the atlas is beside it."""
    place = folder.with_name(f"atlas of {folder.name}")
    split = some_tasks(sample_split(2, routes_per_world=30), 16)
    atlas = split.atlas if source is None else replace(split.atlas, source=source)
    save_atlas(atlas, place)
    write_annotation_features(place)
    split = replace(split, atlas=load_atlas(place))
    splits = {name: replace(split, name=name) for name in NAMES}
    save_dataset(folder, splits, [(split.atlas, place)], 0, PathRange(), settings={})
    return folder
