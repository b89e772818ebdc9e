"""Practice on other datasets: who is in a batch, what is left out, and runs that stop and go on."""

import shutil
from dataclasses import fields, replace

import numpy as np
import pytest
import torch
from learners import seen_split, wander
from lessons import Rehearsal, lesson, save_small_dataset, small_network, small_trainer
from runs import fingerprints
from splits import sample_split

from helpanna.agents.mapping.network import MapNetworkConfig
from helpanna.agents.mapping.surveys import Surveyor
from helpanna.agents.networks.fast import gather_gradients, release_gradients
from helpanna.cli.main import main
from helpanna.episodes.perception import Perception
from helpanna.errors import InputError
from helpanna.learning.lessons import Lesson
from helpanna.learning.losses import joint_losses, losses_of
from helpanna.learning.practice import practice_splits
from helpanna.learning.rollout import Batch
from helpanna.learning.run_folder import read_run
from helpanna.learning.settings import TrainingSettings
from helpanna.tasks.dataset import load_dataset, save_dataset, split_worlds
from helpanna.tasks.errands import Errand, errand_split
from helpanna.tasks.kinds import R2R, REVERIE
from helpanna.tasks.sampling import PathRange
from helpanna.worlds.annotations import write_annotation_features
from helpanna.worlds.storage import load_atlas, save_atlas

SMALL = ["--hidden", "8", "--batch-size", "4", "--budget", "4", "--evaluation-tasks", "2"]


def following(kind=R2R, count=10):
    """Tasks of another kind in the sample buildings: routes to follow."""
    split = seen_split()
    routes = split.routes
    errands = [
        Errand(f"{r}_0", f"follow route {r}", int(routes.view[r]), tuple(routes.path[r][routes.path[r] >= 0]))
        for r in range(count)
    ]
    return errand_split("train", kind, split.atlas, errands)


def mixed_lesson(validation=0):
    alone = lesson(tasks=12, validation=validation)
    return Lesson.of(alone.train, alone.validation, practice=(following(), following(REVERIE, 7)))


def map_config(small):
    return MapNetworkConfig(small.features.size, len(small.vocabulary), 16, 2)


def test_each_batch_has_its_share_of_practice_and_its_datasets_take_turns(tmp_path):
    trainer = small_trainer(tmp_path, mixed_lesson(), batch_size=8, practice_share=0.375)
    seen = {0: [], 1: [], 2: []}
    for iteration in range(6):
        batch = trainer.batch(iteration)
        parts = dict(trainer.lesson.divided(batch))
        assert len(parts[0].tasks) == 5
        assert sorted(len(part.tasks) for number, part in parts.items() if number) == [1, 2]
        assert sorted(np.concatenate([part.place for part in parts.values()])) == list(range(8))
        for number, part in parts.items():
            seen[number] += part.tasks.tolist()
    # Every split is gone through from end to end: 30 episodes of 12 tasks, 9 of 10, and 9 of 7.
    assert [sorted(set(tasks)) for tasks in (seen[0][:12], seen[0][12:24])] == [list(range(12))] * 2
    assert len(set(seen[1])) == 9
    assert sorted(seen[2][:7]) == list(range(7))
    again = small_trainer(tmp_path, mixed_lesson(), batch_size=8, practice_share=0.375).batch(4)
    assert np.array_equal(again.tasks, trainer.batch(4).tasks)  # whatever was drawn before


def test_the_main_dataset_comes_in_the_same_order_without_practice(tmp_path):
    alone = small_trainer(tmp_path, lesson(tasks=12), batch_size=4)
    mixed = small_trainer(tmp_path, mixed_lesson(), batch_size=8)
    for iteration in range(7):
        assert np.array_equal(alone.batch(iteration).tasks, mixed.batch(iteration).tasks[:4])


def test_one_vocabulary_has_the_words_of_all():
    known = set(mixed_lesson().vocabulary.words)
    assert known == set(lesson(tasks=12).vocabulary.words) | {"follow", "route", *map(str, range(10))}


@pytest.mark.parametrize("share", [0.01, 0.95])
def test_a_batch_without_room_for_both_is_refused(tmp_path, share):
    with pytest.raises(InputError, match=r"--practice-share is .*; leave room for both in --batch-size 6"):
        small_trainer(tmp_path, mixed_lesson(), practice_share=share)


def test_losses_of_parts_are_those_of_the_whole_batch():
    """At each step averaged over all agents that count, also where the parts are not of one length."""
    small = lesson()
    rehearsal, settings = Rehearsal(small, boldness=3.0), TrainingSettings(curiosity=0.5, guard=0.01)
    rollout = rehearsal.roll_out(np.arange(9))
    whole = losses_of(small.train, rollout, settings)
    parts = []
    for agents in ([0, 1, 4], [2, 3, 5, 6, 7, 8]):
        done = rollout.trajectories
        own = {f.name: getattr(done, f.name)[agents] for f in fields(done) if f.name not in ("said", "notes")}
        cut = replace(done, **own, notes={name: note[agents] for name, note in done.notes.items()})
        steps, outputs = int(cut.length.max()), ("log_nav", "log_ask", "reasons")
        tables = {name: getattr(rollout, name)[:steps, agents] for name in outputs}
        parts.append((small.train, replace(rollout, trajectories=cut, **tables)))
    together = joint_losses(parts, settings)
    assert whole.total.item() == pytest.approx(together.total.item(), rel=1e-5)
    for name, value in whole.values().items():
        assert together.values()[name] == pytest.approx(value, rel=1e-5)


@pytest.mark.parametrize("network", ["hierarchical", "map"])
def test_practice_of_the_same_tasks_is_the_same_lesson(tmp_path, network):
    """The episodes of a batch do not depend on the split they come from, nor do the gradients."""
    split = seen_split()
    alone = Lesson.of(split.select(np.arange(12), np.arange(40)), {})
    practice = (split.select(np.arange(12, 20), np.arange(40)),)
    whole = replace(alone, train=split.select(np.arange(20), np.arange(40)))
    gradients = []
    for small in (whole, replace(alone, practice=practice)):
        config = replace(map_config(small), dropout=0.0, look_dropout=0.0)
        chosen = (config, "map") if network == "map" else (small_network(small), network)
        trainer = small_trainer(tmp_path, small, *chosen, curiosity=float(network != "map"))
        gather_gradients(trainer.networks)
        loss, walked, _ = trainer._learner(Batch(0, np.array([3, 14, 8, 19, 5, 0]), np.arange(6)))
        loss.backward()
        release_gradients(trainer.networks)
        gradients.append(
            torch.cat([p.grad.flatten() for p in trainer.networks.parameters() if p.grad is not None])
        )
        assert sum(len(episodes) for episodes in walked.values()) == 6
    assert (gradients[0] - gradients[1]).norm() < 1e-4 * gradients[0].norm()


@pytest.mark.parametrize("network", ["hierarchical", "map"])
def test_where_nobody_helps_nobody_asks_or_learns_to(tmp_path, network):
    small = mixed_lesson()
    config = map_config(small) if network == "map" else small_network(small)
    curious = {} if network == "hierarchical" else {"curiosity": 0.0}
    trainer = small_trainer(
        tmp_path, small, config, network, batch_size=24, hand_over=9, assistant="limited:2", **curious
    )
    _, walked, _ = trainer._learner(trainer.batch(0))
    assert set(walked) == {0, 1, 2}
    assert walked[0].asked.any()
    for number in (1, 2):
        assert len(walked[number]) == 6
        assert not walked[number].asked.any()
        assert not walked[number].can_ask.any()
    # Nor does it know where: with the main episodes gone, nothing is learned about requests.
    only = Batch(0, np.arange(12, 18), np.arange(6))
    _, walked, figures = trainer._learner(only)
    assert set(walked) == {1}
    assert (figures["ask"], figures["conditions"]) == (0, 0)
    assert figures["navigation"] > 0


def test_instructions_are_followed_alike_whoever_gives_them():
    """One of the facts of a map: whether the text describes the way."""
    for split, follows in ((following(), True), (following(REVERIE), False), (lesson(tasks=12).train, False)):
        seen = next(iter(wander(split, np.arange(5), 1)))
        surveyor = Surveyor(Perception(split), None, 5)
        surveyor.observe(seen, seen.words)
        facts = surveyor.survey(seen, seen.words).facts
        assert (facts[:, 0, 23] == follows).all()
        assert not seen.on_route.any()


def save(folder, splits):
    place = folder.with_name("atlas")
    save_dataset(folder, splits, [(splits["train"].atlas, place)], 0, PathRange(), settings={})


@pytest.fixture(scope="module")
def homes(tmp_path_factory):
    """A dataset that keeps a building and some texts for its evaluations, and one of routes everywhere."""
    folder = tmp_path_factory.mktemp("homes")
    save_small_dataset(folder / "other")
    shutil.copytree(folder / "atlas of other", folder / "atlas")
    split = load_dataset(folder / "other").split("train")
    routes, home = split.routes, split.atlas.world_of[split.start]
    of = split.atlas.world_of[routes.start[routes.route_of]]
    first = np.append(True, np.diff(routes.route_of) > 0)
    chosen = {"train": (0, first), "val_seen": (0, ~first), "val_unseen": (1, first | ~first)}
    splits = {
        name: replace(
            split.select(np.flatnonzero(home == world), np.flatnonzero((of == world) & said)), name=name
        )
        for name, (world, said) in chosen.items()
    }
    save(folder / "main", splits)
    errands = [
        Errand(str(i), text.upper() + "!", int(routes.view[r]), tuple(routes.path[r][routes.path[r] >= 0]))
        for i, (r, text) in enumerate(zip(routes.route_of, routes.instructions, strict=True))
    ]
    save(folder / "r2r", {"train": errand_split("train", R2R, split.atlas, errands)})
    save(folder / "hanna", {"train": split})
    return folder


def test_what_is_kept_for_evaluations_is_left_out(homes):
    main_data, said = load_dataset(homes / "main"), []
    train = main_data.split("train")
    folders = [homes / "r2r", homes / "hanna"]
    follow, seek = practice_splits(main_data, train, folders, said.append)
    assert split_worlds(follow) == split_worlds(seek) == split_worlds(train)
    # Capitals and punctuation make no other text.
    assert {text.lower().rstrip("!") for text in follow.texts} == set(train.routes.instructions)
    assert 0 < len(follow) == len(train.routes.instructions)
    assert seek.routes.instructions == train.routes.instructions
    whole = load_dataset(homes / "r2r").split("train")
    names = {name: i for i, name in enumerate(whole.references.names)}
    for task, name in enumerate(follow.references.names):
        same = names[name]
        assert follow.texts[follow.request[task]] == whole.texts[whole.request[same]]
        assert follow.start[task] == whole.start[same]
        assert np.array_equal(follow.references.path[task], whole.references.path[same])
        assert follow.goal_sets.members[follow.goal_set[task]] == whole.references.end[same]
    assert said[0] == f"Practice: {len(follow)} of {len(whole)} tasks of {homes / 'r2r'}."


def test_practice_of_which_nothing_is_left_is_refused(homes):
    main_data = load_dataset(homes / "main")
    train = main_data.split("train")
    save(homes / "unseen", {"train": replace(main_data.split("val_unseen"), name="train")})
    with pytest.raises(InputError, match="keeps the buildings or texts of all training tasks"):
        practice_splits(main_data, train, [homes / "unseen"])


@pytest.fixture(scope="module")
def elsewhere(homes, tmp_path_factory):
    """A dataset of three buildings in another atlas, seen alike; two have names of the main one's."""
    folder = tmp_path_factory.mktemp("elsewhere")
    split = sample_split(3, seed=1)
    save_atlas(split.atlas, folder / "atlas")
    write_annotation_features(folder / "atlas", homes / "atlas")
    save(folder / "hanna", {"train": replace(split, atlas=load_atlas(folder / "atlas"))})
    return folder / "hanna"


def test_practice_in_other_buildings_leaves_out_those_kept_for_evaluations(homes, elsewhere):
    main_data = load_dataset(homes / "main")
    train = main_data.split("train")
    (away,) = practice_splits(main_data, train, [elsewhere])
    assert split_worlds(train) == ["house 0"]
    assert split_worlds(main_data.split("val_unseen")) == ["house 1"]
    assert split_worlds(away) == ["house 0", "house 2"]
    mixed = Lesson.of(train, {}, practice=(away,))
    own, other = mixed.parts
    assert own.features is mixed.features
    assert other.features is away.atlas.views.get("annotations")
    assert not np.array_equal(own.features.array[:5], other.features.array[:5])


@pytest.mark.parametrize("network", ["hierarchical", "map"])
def test_other_buildings_are_walked_through_as_if_they_were_the_only_ones(
    homes, elsewhere, tmp_path, network
):
    main_data = load_dataset(homes / "main")
    train = main_data.split("train")
    (away,) = practice_splits(main_data, train, [elsewhere])
    mixed = Lesson.of(train, {}, practice=(away,))
    alone = replace(mixed, train=away, features=away.atlas.views.get("annotations"), practice=())
    settings = {"curiosity": 0.0}
    walks = []
    for name, lesson_, first in (("mixed", mixed, len(train)), ("alone", alone, 0)):
        config = map_config(mixed) if network == "map" else None
        trainer = small_trainer(tmp_path / name, lesson_, config, network, **settings)
        batch = Batch(0, first + np.arange(6), np.arange(6))
        total, walked, _ = trainer._learner(batch)
        (walk,) = walked.values()
        walks.append((walk.location.tolist(), total.item()))
    assert walks[0] == walks[1]


def test_practice_that_is_seen_otherwise_is_refused(homes, tmp_path):
    split = sample_split(1, seed=1)
    save_atlas(split.atlas, tmp_path / "atlas")
    save(tmp_path / "blind", {"train": replace(split, atlas=load_atlas(tmp_path / "atlas"))})
    main_data = load_dataset(homes / "main")
    train = main_data.split("train")
    with pytest.raises(InputError, match="annotations"):
        Lesson.of(train, {}, practice=practice_splits(main_data, train, [tmp_path / "blind"]))
    write_annotation_features(tmp_path / "atlas")  # chosen for these buildings
    practice = practice_splits(main_data, train, [tmp_path / "blind"])
    with pytest.raises(InputError, match=r"other view features called 'annotations'.*--features-like"):
        Lesson.of(train, {}, practice=practice)


@pytest.mark.slow
@pytest.mark.parametrize("network", ["hierarchical", "map"])
def test_a_run_with_practice_may_be_done_in_parts_and_its_datasets_moved(homes, tmp_path, network, capsys):
    start = ["train", "--data", str(homes / "main"), "--practice", str(homes / "r2r"), str(homes / "hanna")]
    start += [*SMALL, "--iterations", "3", "--network", network, "--save-every", "1"]
    main([*start, "--out", str(tmp_path / "whole")])
    main([*start, "--out", str(tmp_path / "parts"), "--until", "1"])
    moved = tmp_path / "moved"
    shutil.copytree(homes / "r2r", moved)
    again = ["train", "--resume", str(tmp_path / "parts")]
    main([*again, "--practice", str(moved), str(homes / "hanna"), "--until", "2"])
    described = read_run(tmp_path / "parts", None)
    assert [entry["data"] for entry in described["practice"]] == [str(moved), str(homes / "hanna")]
    shutil.rmtree(moved)
    with pytest.raises(InputError, match=r"the dataset of .* is not .*; say where it is with --practice"):
        read_run(tmp_path / "parts", None)
    with pytest.raises(InputError, match=r"--practice names 1 datasets, but .* was begun with 2"):
        read_run(tmp_path / "parts", None, [homes / "r2r"])
    with pytest.raises(InputError, match=r"is not the dataset of .*; name that with --practice"):
        read_run(tmp_path / "parts", None, [homes / "hanna", homes / "r2r"])
    main([*again, "--practice", str(homes / "r2r"), str(homes / "hanna")])
    assert fingerprints(tmp_path / "parts") == fingerprints(tmp_path / "whole")


def test_a_batch_of_which_no_step_is_kept_teaches_nothing(tmp_path):
    """A map learns from some of the steps; of one episode of one step that may be none."""
    small = lesson(tasks=12)
    settings = {"batch_size": 1, "budget": 1, "iterations": 8, "curiosity": 0.0, "save_every": 8}
    trainer = small_trainer(tmp_path, small, map_config(small), "map", **settings)
    told = []
    trainer.train(lambda done, figures: told.append(figures["navigation"]))
    assert 0.0 in told
    assert any(loss > 0 for loss in told)
