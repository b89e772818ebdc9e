import dataclasses
import json

import numpy as np
import pytest
from room_to_room_files import records, write_records
from splits import random_routes

from helpanna.cli.main import main
from helpanna.errors import InputError
from helpanna.tasks.build import PAPER_SIZES, BuildSettings, build_splits, divide_instructions
from helpanna.tasks.check import check_dataset, check_splits
from helpanna.tasks.dataset import split_worlds
from helpanna.tasks.room_to_room import build_routes, read_room_to_room
from helpanna.tasks.sampling import PathRange
from helpanna.worlds.sample import sample_atlas
from helpanna.worlds.storage import save_atlas

SMALL = {"train": 200, "val_seen": 40, "test_seen": 40, "val_unseen": 40}


@pytest.fixture(scope="module")
def house():
    """Four buildings and the routes in them."""
    atlas = sample_atlas(4)
    return atlas, random_routes(atlas, per_world=10)


def settings(**changes):
    return BuildSettings(**{"unseen_count": 1, "sizes": SMALL, **changes})


def test_sizes_default_to_the_papers():
    assert BuildSettings().size("train") == 82_484
    assert BuildSettings(sizes={"train": 5}).size("val_seen") == PAPER_SIZES["val_seen"] == 5_001


def test_seen_splits_share_buildings_and_unseen_ones_do_not(house):
    splits = build_splits([house], None, settings())
    assert {name: len(split) for name, split in splits.items()} == SMALL
    worlds = {name: set(split_worlds(split)) for name, split in splits.items()}
    assert worlds["train"] == worlds["val_seen"] == worlds["test_seen"]
    assert len(worlds["train"]) == 3 and len(worlds["val_unseen"]) == 1
    check_splits(splits, PathRange())


def test_every_path_is_described_to_evaluation_once_and_to_training_otherwise(house):
    atlas, routes = house
    splits = build_splits([house], None, settings())
    unseen = atlas.world_id(split_worlds(splits["val_unseen"])[0])
    sizes = np.diff(routes.instruction_start)[atlas.world_of[routes.start] != unseen]
    assert {1, 2, 3} <= set(sizes)  # or the next lines say little
    assert len(splits["val_seen"].routes) == (sizes > 1).sum()
    assert len(splits["val_seen"].routes.instructions) == (sizes > 1).sum()
    assert len(splits["train"].routes) == len(sizes)
    assert len(splits["train"].routes.instructions) == sizes.sum() - (sizes > 1).sum()
    assert splits["val_seen"].routes.instructions == splits["test_seen"].routes.instructions
    heard = set(splits["train"].routes.instructions)
    assert not heard & set(splits["val_seen"].routes.instructions)
    all_there = {text for text, r in zip(routes.instructions, routes.route_of, strict=True)
                 if atlas.world_of[routes.start[r]] == unseen}  # fmt: skip
    assert set(splits["val_unseen"].routes.instructions) == all_there


def test_what_evaluation_hears_is_said_nowhere_else_in_the_building(house):
    atlas, routes = house
    texts = list(routes.instructions)
    first = routes.instruction_start[:-1]
    three = first[np.diff(routes.instruction_start) == 3][:3]
    texts[three[0] + 1] = texts[three[0]].upper() + "!"  # two of three are alike: the third evaluates
    texts[three[1] : three[1] + 3] = ["Go on."] * 3  # all alike: all train
    texts[three[2]] = "go on"  # as another path of the building says
    same = dataclasses.replace(routes, instructions=tuple(texts))
    for seed in range(8):
        training, evaluation = divide_instructions(atlas, same, seed)
        assert sorted([*training, *evaluation]) == list(range(len(texts)))
        assert three[0] + 2 in evaluation
        assert set(range(three[1], three[1] + 3)) <= set(training)
        assert three[2] in training


def test_the_division_follows_the_seed_and_takes_any_instruction(house):
    ranks = set()
    for seed in range(12):
        _, evaluation = divide_instructions(*house, seed)
        assert np.array_equal(divide_instructions(*house, seed)[1], evaluation)
        ranks |= set((evaluation - house[1].instruction_start[house[1].route_of[evaluation]]).tolist())
    assert ranks == {0, 1, 2}


def test_starts_look_level_and_every_way(house):
    train = build_splits([house], None, settings())["train"]
    assert set(train.view.tolist()) == set(range(12, 24))


def test_a_split_has_only_the_goal_sets_that_its_tasks_need(house):
    for split in build_splits([house], None, settings()).values():
        assert set(split.goal_set.tolist()) == set(range(len(split.goal_sets)))
        assert split.texts[split.goal_set[0]].startswith("find ")
        assert len(split.texts) == len(split.goal_sets) + len(split.routes.instructions)


def test_only_the_object_types_of_the_list_are_sought(house):
    atlas, _ = house
    few = ["sink", "toilet", "bed", "no such thing"]
    splits = build_splits([house], few, settings())
    for split in splits.values():
        assert {atlas.type_names[kind] for kind in split.goal_sets.object_type} <= set(few)


def test_buildings_without_routes_are_left_out(house):
    atlas, routes = house
    here = np.flatnonzero(atlas.world_of[routes.start[routes.route_of]] != 2)
    splits = build_splits([(atlas, routes.select(here))], None, settings())
    assert all(atlas.world_names[2] not in split_worlds(split) for split in splits.values())


def test_unseen_buildings_are_drawn_by_seed_named_or_by_their_instructions(house):
    def unseen(**changes):
        splits = build_splits([house], None, settings(**changes))
        return split_worlds(splits["val_unseen"]) if "val_unseen" in splits else []

    assert len({tuple(unseen(seed=seed)) for seed in range(8)}) > 1
    assert unseen(unseen=("house 2", "house 0")) == ["house 0", "house 2"]
    atlas, routes = house
    said = np.bincount(atlas.world_of[routes.start[routes.route_of]])
    assert unseen(unseen_instructions=int(said[3])) == ["house 3"]
    assert (said == said[3]).sum() == 1  # or the line above does not prove it
    none = {name: size for name, size in SMALL.items() if name != "val_unseen"}
    assert unseen(unseen_count=0, sizes=none) == []


def test_test_unseen_can_be_drawn_from_the_same_atlas(house):
    def worlds(split):
        return {int(w) for w in split.atlas.world_of[split.start]}

    splits = build_splits([house], None, settings(test_unseen_count=1))
    held_out = worlds(splits["val_unseen"]), worlds(splits["test_unseen"])
    assert [len(some) for some in held_out] == [1, 1] and held_out[0] != held_out[1]
    assert not worlds(splits["train"]) & (held_out[0] | held_out[1])


def test_one_evaluation_split_of_all_buildings(house):
    splits = build_splits([house], None, settings(eval_only="test_unseen", sizes={"test_unseen": 99}))
    assert list(splits) == ["test_unseen"] and len(splits["test_unseen"]) == 99
    assert splits["test_unseen"].routes.instructions == house[1].instructions
    assert len(split_worlds(splits["test_unseen"])) == 4


def test_fewer_tasks_where_there_are_no_more(build, capsys):
    folder = build("few", "--unseen-count", "2")
    said = capsys.readouterr().err
    for name in ("train", "val_seen", "test_seen", "val_unseen"):
        assert f"{name} has " in said and f"instead of {PAPER_SIZES[name]}: the data allow no more" in said
    counts = {name: entry["tasks"] for name, entry in check_dataset(folder).manifest["splits"].items()}
    assert counts["train"] > 10 * counts["val_seen"] > 0  # all get the same share of what they want


BAD = {
    "excluded stranger": ({"exclude": ("house 9",)}, "--exclude names house 9"),
    "unseen stranger": ({"unseen": ("house 9",)}, "--unseen names house 9"),
    "unseen and excluded": ({"unseen": ("house 1",), "exclude": ("house 1",)}, "excluded or has no routes"),
    "too many unseen": ({"unseen_count": 4}, "--unseen-count 4 of 4 buildings"),
    "negative count": ({"unseen_count": -1}, "--unseen-count -1"),
    "too many tested": ({"test_unseen_count": 3}, "--test-unseen-count 3 of 3 buildings"),
    "all unseen": ({"unseen": tuple(f"house {i}" for i in range(4))}, "none is left to train in"),
    "all excluded": ({"exclude": tuple(f"house {i}" for i in range(4))}, "no building"),
    "no such instructions": ({"unseen_instructions": 1}, "no 1 buildings with 1 instructions"),
    "unknown split": ({"sizes": {"dev": 3}}, "--sizes has dev 3"),
    "negative size": ({"sizes": {"train": -3}}, "--sizes has train -3"),
    "split that is not built": ({"sizes": {"test_unseen": 3}}, "--sizes names test_unseen"),
    "no range": ({"paths": PathRange(7, 6)}, "paths of 7 to 6 locations"),
    "no such paths": ({"paths": PathRange(200, 300)}, "there are no tasks for train"),
    "eval-only and unseen": ({"eval_only": "test_unseen", "unseen": ("house 1",)}, "--eval-only"),
}


@pytest.mark.parametrize("name", BAD)
def test_settings_that_do_not_fit_are_named(house, name):
    changes, message = BAD[name]
    with pytest.raises(InputError) as caught:
        build_splits([house], None, settings(**changes))
    assert message in str(caught.value)


def test_a_split_of_size_0_is_left_out(house):
    splits = build_splits([house], None, settings(sizes=SMALL | {"val_unseen": 0, "test_seen": 0}))
    assert {name: len(split) for name, split in splits.items()} == {"train": 200, "val_seen": 40}
    with pytest.raises(InputError, match="--sizes leaves every split without tasks"):
        build_splits([house], None, settings(sizes=dict.fromkeys(SMALL, 0)))


def test_no_object_type_gives_no_tasks(house):
    with pytest.raises(InputError, match="there are no tasks for train"):
        build_splits([house], ["no such thing"], settings())


def test_evaluation_in_seen_buildings_needs_second_instructions(house):
    atlas, routes = house
    single = routes.select(routes.instruction_start[:-1])
    with pytest.raises(InputError, match="there are no instructions for val_seen"):
        build_splits([(atlas, single)], None, settings())
    splits = build_splits([(atlas, single)], None, settings(sizes=SMALL | {"val_seen": 0, "test_seen": 0}))
    assert list(splits) == ["train", "val_unseen"]
    check_splits(splits, PathRange())


def test_a_second_atlas_is_test_unseen_and_shares_no_building(house):
    far = sample_atlas(2, seed=1)
    home = far, random_routes(far, per_world=6)
    sizes = SMALL | {"test_unseen": 30}
    with pytest.raises(InputError, match="the building house 0 is in both atlases"):
        build_splits([house, home], None, settings(sizes=sizes))
    named = dataclasses.replace(far, world_names=("cottage", "villa"))
    splits = build_splits([house, (named, home[1])], None, settings(sizes=sizes))
    assert split_worlds(splits["test_unseen"]) == ["cottage", "villa"]
    assert splits["test_unseen"].atlas is named
    with pytest.raises(InputError, match="one split of one atlas"):
        build_splits([house, (named, home[1])], None, settings(eval_only="test_unseen"))


# The command.


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_same_seed_gives_the_same_bytes(build):
    options = ("--unseen-count", "2")
    first, second = build("one", *options), build("two", *options)
    assert files(first) == files(second)
    other = build("three", *options, seed=1)
    assert files(first).keys() == files(other).keys() and files(first) != files(other)


def test_an_existing_dataset_is_replaced_only_on_demand(build, home, capsys):
    folder = build("again", "--eval-only", "test_unseen")
    before = files(folder)
    with pytest.raises(SystemExit, match="2"):
        build("again", "--eval-only", "val_unseen")
    assert "exists already" in capsys.readouterr().err and files(folder) == before
    build("again", "--eval-only", "val_unseen", "--overwrite")
    assert check_dataset(folder).names == ("val_unseen",)


def test_the_command_prints_its_figures(build, home, capsys):
    (home / "objects.txt").write_text("bed\n\nsink\nharpsichord\nbed\n")
    options = ("--objects", str(home / "objects.txt"), "--eval-only", "test_unseen", "--json")
    folder = build("figures", *options)
    out, err = capsys.readouterr()
    figures = json.loads(out)["splits"]["test_unseen"]
    manifest = check_dataset(folder).manifest
    assert figures.items() <= manifest["splits"]["test_unseen"].items() and figures["buildings"] == 6
    assert manifest["settings"]["object_types"] == ["bed", "sink", "harpsichord"]
    assert "1 of 3 object types occur in no building: harpsichord." in err
    assert "36 paths are in 3 buildings that the atlas does not have." in err


def test_the_command_names_what_is_missing(home, capsys):
    atlas, out = str(home / "atlas"), str(home / "never")
    routes = ["--routes", str(home / "routes.json")]
    (home / "empty.txt").write_text("\n\n")
    for arguments, message in [
        (["--worlds", atlas, atlas, atlas, *routes], "--worlds takes one atlas or two, not 3"),
        (["--worlds", atlas, *routes, "--objects", str(home / "none.txt")], "none.txt is not a list"),
        (["--worlds", atlas, *routes, "--objects", str(home / "empty.txt")], "names no object type"),
        (["--worlds", str(home / "nowhere"), *routes], "nowhere is no atlas"),
    ]:
        with pytest.raises(SystemExit, match="2"):
            main(["tasks", "build", "--out", out, *arguments])
        # The console may break the line anywhere.
        assert message in " ".join(capsys.readouterr().err.split())
        assert not (home / "never").exists()


def test_real_names_are_kept_through_the_command(tmp_path):
    """Building names and texts beyond ASCII survive the way to disk and back."""
    atlas = dataclasses.replace(sample_atlas(2), world_names=("Häuschen", "小屋"))
    content = records(atlas, random_routes(atlas, per_world=6))
    for record in content:
        record["instructions"] = [f"geh über {text} ≥ 1" for text in record["instructions"]]
    save_atlas(atlas, tmp_path / "atlas")
    file = write_records(tmp_path / "routes.json", content)
    arguments = ["--worlds", str(tmp_path / "atlas"), "--routes", str(file), "--out", str(tmp_path / "data")]
    main(["tasks", "build", *arguments, "--unseen", "小屋"])
    split = check_dataset(tmp_path / "data").split("val_unseen")
    routes = build_routes(atlas, read_room_to_room([file]))
    assert split_worlds(split) == ["小屋"] and set(split.routes.instructions) < set(routes.instructions)
