"""Each promise of a dataset is broken, and the check finds it."""

import dataclasses

import numpy as np
import pytest

from helpanna.cli.main import main
from helpanna.errors import InputError
from helpanna.tasks.check import check_dataset, check_splits
from helpanna.tasks.dataset import make_split, save_dataset, split_counts
from helpanna.tasks.goals import build_goal_sets
from helpanna.tasks.sampling import PathRange
from helpanna.worlds.atlas import build_atlas


@pytest.fixture
def splits(dataset):
    return {name: dataset.split(name) for name in dataset.names}


def changed(array, index, value):
    array = np.array(array)
    array[index] = value
    return array


def broken(splits, **replacements):
    """What the check says of the splits with some of them replaced."""
    with pytest.raises(InputError) as caught:
        check_splits(splits | replacements, PathRange())
    assert str(caught.value).endswith((" again.", " out."))
    return str(caught.value)


def with_tasks(split, goal_set, start):
    """The split with other tasks, and all goal sets of its buildings."""
    return dataclasses.replace(
        split,
        goal_set=np.array(goal_set, dtype=np.int32),
        start=np.array(start, dtype=np.int32),
        view=np.full(len(start), 12, dtype=np.int32),
    )


def with_routes(split, **changes):
    return dataclasses.replace(split, routes=dataclasses.replace(split.routes, **changes))


def test_the_dataset_is_sound(splits):
    check_splits(splits, PathRange())


def test_a_task_of_training_in_evaluation(splits):
    train = splits["train"]
    stolen = with_tasks(train, train.goal_set[:1], train.start[:1])
    routes = splits["val_seen"].routes
    stolen = dataclasses.replace(stolen, name="val_seen", routes=routes)
    assert "the split val_seen has the task to find" in broken(splits, val_seen=stolen)


def test_a_task_in_two_evaluation_splits(splits):
    message = broken(splits, test_seen=dataclasses.replace(splits["val_seen"], name="test_seen"))
    assert "the split test_seen has the task to find" in message and "so has val_seen" in message


def test_an_instruction_of_training_in_evaluation(splits):
    train, seen = splits["train"].routes, splits["val_seen"].routes
    same = next(i for i, r in enumerate(train.route_of) if train.names[r] == seen.names[0])
    text = train.instructions[same].upper() + "!!"  # what is heard is the same
    spoken = with_routes(splits["val_seen"], instructions=(text, *seen.instructions[1:]))
    assert "hears" in broken(splits, val_seen=spoken)


def test_the_same_words_in_another_building_are_fine(splits):
    train, unseen = splits["train"].routes, splits["val_unseen"].routes
    words = (train.instructions[0], *unseen.instructions[1:])
    check_splits(splits | {"val_unseen": with_routes(splits["val_unseen"], instructions=words)}, PathRange())


@pytest.mark.parametrize("name", ["val_unseen", "test_unseen"])
def test_an_unseen_building_that_is_seen(splits, name):
    seen = splits["test_seen"]
    without = {other: split for other, split in splits.items() if other != "test_seen"}
    message = broken(without, **{name: dataclasses.replace(seen, name=name)})
    assert f"the split {name} has the building house" in message


def test_two_unseen_splits_with_one_building(splits):
    message = broken(splits, test_unseen=dataclasses.replace(splits["val_unseen"], name="test_unseen"))
    assert "the split val_unseen has the building" in message and "so has test_unseen" in message


def test_a_seen_building_where_nobody_is_trained(splits):
    few = {"train": splits["train"], "val_seen": dataclasses.replace(splits["val_unseen"], name="val_seen")}
    assert "where nobody is trained" in broken(few)
    check_splits({"val_seen": splits["val_seen"]}, PathRange())  # without training there is nothing to say


def test_goals_that_cannot_be_reached(splits):
    """The way to the first task's goals is cut."""
    train = splits["train"]
    atlas, start = train.atlas, int(train.start[0])
    worlds = [atlas.world(w) for w in range(atlas.world_count)]
    w = int(atlas.world_of[start])
    local = start - atlas.world_start[w]
    edges = worlds[w].edges[(worlds[w].edges != local).all(axis=1)]
    worlds[w] = dataclasses.replace(worlds[w], edges=edges)
    cut = build_atlas(worlds, atlas.source, atlas.licence)
    pairs = zip(train.goal_sets.world.tolist(), train.goal_sets.object_type.tolist(), strict=True)
    goal_sets = build_goal_sets(cut, pairs)
    lost = make_split("train", cut, train.routes, goal_sets, train.goal_set, train.start, train.view)
    assert "has task 0, whose goals cannot be reached" in broken({"train": lost})


def test_a_start_at_a_goal(splits):
    train = splits["train"]
    goal = int(train.goal_sets.members[train.goal_set[7]][0])
    at_goal = dataclasses.replace(train, start=changed(train.start, 7, goal))
    assert "has task 7, which starts at a goal" in broken({"train": at_goal})


def test_paths_out_of_range(splits):
    with pytest.raises(InputError, match="not 5 to 6 locations on its path"):
        check_splits(splits, PathRange(5, 6))
    with pytest.raises(InputError, match="not 9 to 15 locations on its path"):
        check_splits(splits, PathRange(9, 15))


def test_a_start_in_another_building(splits):
    train = splits["train"]
    world = train.goal_sets.world[train.goal_set[3]]
    elsewhere = next(int(v) for v in train.start if train.atlas.world_of[v] != world)
    moved = dataclasses.replace(train, start=changed(train.start, 3, elsewhere))
    assert "starts task 3 in another building" in broken({"train": moved})


def test_a_task_twice(splits):
    train = splits["train"]
    twice = with_tasks(train, train.goal_set[[0, 1, 0]], train.start[[0, 1, 0]])
    assert "has a task twice" in broken({"train": twice})


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("view", 3, "the level view 3"),
        ("view", 24, "the level view 24"),
        ("start", -1, "the start -1"),
        ("start", 10**6, "the start 1000000"),
        ("goal_set", 10**6, "the goal set 1000000"),
        ("goal_set", -1, "the goal set -1"),
    ],
)
def test_numbers_that_name_nothing(splits, field, value, message):
    train = splits["train"]
    strange = dataclasses.replace(train, **{field: changed(getattr(train, field), 5, value)})
    assert f"{message}, which does not exist" in broken({"train": strange})


@pytest.mark.parametrize("field", ["world", "object_type"])
def test_goal_sets_that_name_nothing(splits, field):
    goal_sets = splits["train"].goal_sets
    strange = dataclasses.replace(goal_sets, **{field: changed(getattr(goal_sets, field), 0, 10**6)})
    message = broken({"train": dataclasses.replace(splits["train"], goal_sets=strange)})
    assert "1000000, which does not exist" in message


def test_starts_and_views_for_every_task(splits):
    train = splits["train"]
    assert "another number of starts" in broken({"train": dataclasses.replace(train, view=train.view[1:])})


def test_routes_that_are_no_walks(splits):
    train = splits["train"]
    path = train.routes.path
    jump = changed(path, (0, 1), path[-1, 0])
    gap = changed(path, (4, 1), -1)
    short = changed(path, (2, slice(1, None)), -1)
    beyond = changed(path, (3, 0), 10**6)
    for r, table in ((0, jump), (4, gap), (2, short), (3, beyond)):
        message = broken({"train": with_routes(train, path=table)})
        assert f"the split train: route {train.routes.names[r]} is not a walk" in message
    view = changed(train.routes.view, 1, 36)
    assert "is not a walk" in broken({"train": with_routes(train, view=view)})


def test_routes_and_instructions_out_of_order(splits):
    train = splits["train"]
    routes = train.routes
    assert "ordered by building" in broken({"train": with_routes(train, path=routes.path[::-1])})
    assert "ordered by route" in broken({"train": with_routes(train, route_of=routes.route_of[::-1])})
    assert "ordered by route" in broken({"train": with_routes(train, instructions=("go",))})
    last = int(routes.route_of.max())
    nobody = np.where(routes.route_of == last, last - 1, routes.route_of)
    assert "a route without instruction" in broken({"train": with_routes(train, route_of=nobody)})
    more = changed(routes.route_of, -1, last + 1)
    assert "an instruction without route" in broken({"train": with_routes(train, route_of=more)})
    assert "another number of paths" in broken({"train": with_routes(train, view=routes.view[1:])})


def test_an_instruction_without_words(splits):
    texts = ("... ", *splits["train"].routes.instructions[1:])
    assert "an instruction without words" in broken(
        {"train": with_routes(splits["train"], instructions=texts)}
    )


# The command, and what only files can get wrong.


def test_numbers_on_disk_that_name_nothing(tmp_path, home, dataset, monkeypatch):
    seen = dataset.split("val_seen")
    counts = split_counts(seen)
    monkeypatch.setattr("helpanna.tasks.dataset.split_counts", lambda split: counts)
    for field, value in (("start", 10**6), ("start", -1), ("goal_set", 10**6)):
        strange = dataclasses.replace(seen, **{field: changed(getattr(seen, field), 5, value)})
        folder = tmp_path / f"{field}{value}"
        save_dataset(folder, {"val_seen": strange}, [(seen.atlas, home / "atlas")], 0, PathRange(), {})
        with pytest.raises(InputError, match=f"{value}, which does not exist"):
            check_dataset(folder)


def test_the_command_proves_and_prints(dataset, capsys):
    main(["tasks", "check", str(dataset.folder)])
    assert "is sound" in capsys.readouterr().out
    main(["tasks", "check", str(dataset.folder), "--json"])
    assert '"train tasks": 300' in capsys.readouterr().out


def test_the_command_fails_with_status_2(tmp_path, home, dataset, capsys):
    """A dataset with proper hashes that breaks a promise."""
    seen = dataset.split("val_seen")
    atlases = [(seen.atlas, home / "atlas")]
    both = {"val_seen": seen, "test_seen": dataclasses.replace(seen, name="test_seen")}
    save_dataset(tmp_path / "bad", both, atlases, 0, PathRange(), {})
    with pytest.raises(SystemExit, match="2"):
        main(["tasks", "check", str(tmp_path / "bad")])
    message = " ".join(capsys.readouterr().err.split())
    assert "test_seen has the task to find" in message and "Traceback" not in message


def test_counts_that_the_splits_do_not_have(tmp_path, home, dataset, monkeypatch):
    seen = dataset.split("val_seen")
    wrong = split_counts(seen) | {"tasks": 1}
    monkeypatch.setattr("helpanna.tasks.dataset.split_counts", lambda split: wrong)
    save_dataset(tmp_path / "bad", {"val_seen": seen}, [(seen.atlas, home / "atlas")], 0, PathRange(), {})
    with pytest.raises(InputError, match=r"val_seen does not hold what manifest\.json counts"):
        check_dataset(tmp_path / "bad")
