"""VNLA: tasks with rooms, the adviser, its budget, its teacher."""

from dataclasses import replace

import numpy as np
import pytest
from tiny import tiny_world

from helpanna.agents.asking import Asking, AskNew
from helpanna.agents.heuristics import RandomWalk
from helpanna.agents.names import make_agent
from helpanna.agents.skylines import PerfectInterpretation
from helpanna.assistance.adviser import Adviser, request_budgets, spoken
from helpanna.assistance.names import make_assistant
from helpanna.cli.main import main
from helpanna.episodes.episodes import Episodes
from helpanna.episodes.trajectory_file import read_trajectories, write_trajectories
from helpanna.errors import InputError
from helpanna.evaluation.metrics import evaluate
from helpanna.evaluation.runner import run_episodes
from helpanna.tasks.check import check_dataset
from helpanna.tasks.errands import Errand, errand_split
from helpanna.tasks.kinds import VNLA
from helpanna.tasks.room_tasks import room_errands, room_kinds_of_locations
from helpanna.tasks.sampling import PathRange
from helpanna.tasks.vocabulary import UNKNOWN, Vocabulary
from helpanna.teachers.adviser import advice_references
from helpanna.teachers.help_request import help_request_references
from helpanna.worlds.atlas import build_atlas
from helpanna.worlds.sample import sample_atlas
from helpanna.worlds.storage import load_atlas

PLACES = [(0, 2 * i) for i in range(6)] + [(2 * i, 10) for i in range(1, 5)]
"""North for five steps, then east for four."""


def bend():
    """One task: from the south end to the east end, looking west."""
    edges = [(i, i + 1) for i in range(9)]
    atlas = build_atlas([tiny_world(PLACES, edges, [("mug", 9)])], "tiny", "none")
    path = tuple(range(10))
    return errand_split(
        "train", VNLA, atlas, [Errand("0_0", "find a mug in the hall", 21, path, (9,), object_type=0)]
    )


@pytest.fixture(scope="module")
def split(home):
    out = home / "vnla"
    main(["tasks", "build", "--kind", "vnla", "--worlds", str(home / "atlas"), "--out", str(out)])
    return check_dataset(out).split("train")


def test_goals_are_the_objects_of_a_type_in_rooms_of_a_kind(split, home):
    atlas = load_atlas(home / "atlas")
    kinds = room_kinds_of_locations(atlas)
    assert len(split) > 100
    for task in range(0, len(split), 17):
        text = split.texts[split.request[task]]
        members = split.goal_sets.members[split.goal_set[task]]
        world = atlas.world_of[split.start[task]]
        object_type = split.goal_sets.object_type[split.goal_set[task]]
        room = text.partition(" in the ")[2]
        assert atlas.type_names[object_type] in text
        things = np.arange(*atlas.object_start[world : world + 2])
        things = things[(atlas.object_type[things] == object_type) & (kinds[atlas.delegate[things]] == room)]
        assert members.tolist() == np.unique(atlas.delegate[things]).tolist()


def test_no_rooms_no_tasks():
    atlas = build_atlas([tiny_world(PLACES[:2], [(0, 1)], [("mug", 1)])], "tiny", "none")
    with pytest.raises(InputError, match="no object of the atlas is in a room of a known kind"):
        room_errands(atlas, 0, PathRange())


def test_steps_in_words():
    assert spoken([2, 0, 0, 0], [True] * 4) == "turn 60 degrees right, go forward 4 steps"
    said = "go forward 1 step, turn 90 degrees left, go forward 2 steps, turn 180 degrees right"
    assert spoken([0, -3, 0, 6], [True] * 4) == f"{said}, go forward 1 step"
    assert (
        spoken([1, 0, 0, 0], [True, False, False, False]) == "turn 30 degrees right, go forward 1 step, stop"
    )
    assert spoken([0] * 4, [False] * 4) == "stop"


def test_the_advice_is_told_on_top_of_the_request_and_a_stop_ends_the_episode():
    split = bend()
    episodes = Episodes(split, Adviser(split), [0])
    assert episodes.observe().can_ask.all()
    episodes.step([True], [0])
    seen = episodes.observe()
    # Looking west, north is a quarter turn to the right.
    assert seen.words[0] == "turn 90 degrees right, go forward 4 steps. find a mug in the hall"
    assert not seen.on_route[0] and seen.target[0] == -1 and not seen.can_ask[0]
    episodes.step([False], [0])
    assert not episodes.active.any()


def test_advice_that_is_carried_out_covers_four_steps():
    split = bend()

    class Asks:
        """Asks at once, and then stands still."""

        def begin(self, perception, tasks):
            pass

        def act(self, observation):
            from helpanna.agents.agent import Decision

            return Decision(observation.can_ask, np.zeros(1, dtype=np.int64))

    done = run_episodes(split, PerfectInterpretation(Asks(), split), Adviser(split), [0])
    assert done.location[0, : done.length[0] + 1].tolist() == [0, 0, 1, 2, 3, 4, 4]


def test_the_budget_is_that_of_tasks_between_such_rooms(split):
    budgets = request_budgets(split)
    assert (budgets >= 1).all()
    goal = split.goal_sets.nearest_to(split.goal_set, split.start)
    steps = split.atlas.path_locations(split.start, goal) - 1
    kinds = room_kinds_of_locations(split.atlas)
    pairs = list(zip(kinds[split.start], kinds[goal], strict=True))
    for task in range(0, len(split), 31):
        alike = [n for n, pair in zip(steps, pairs, strict=True) if pair == pairs[task]]
        assert budgets[task] == max(round(np.mean(alike) * 0.4 / 4), 1)
    done = run_episodes(split, Asking(RandomWalk(), AskNew()), Adviser(split), range(200))
    assert (done.asked.sum(axis=1) <= budgets[:200]).all() and done.asked.any()


def test_help_pays(split):
    assert isinstance(make_assistant(None, split), Adviser)
    tasks = range(0, len(split), 7)
    rates = []
    for name in ("explorer", "explorer+ask_untried+perfect"):
        agent = make_agent(name, split)
        figures = evaluate(split, run_episodes(split, agent, make_assistant(None, split), tasks, budget=15))
        rates.append(figures["success_rate"].value)
    assert rates[0] < rates[1]


def test_files_tell_the_advice_again(split, tmp_path):
    agent = make_agent("explorer+ask_untried+perfect", split)
    done = run_episodes(split, agent, Adviser(split), range(40))
    write_trajectories(tmp_path / "t.jsonl", done, split, {})
    again = read_trajectories(tmp_path / "t.jsonl", split)
    assert again.said == done.said and np.array_equal(again.location, done.location)
    assert np.array_equal(again.text, done.text) and not again.on_route.any()


def test_learners_know_the_words_of_advice(split):
    known = Vocabulary.of(split.heard)
    done = run_episodes(split, make_agent("shortest+ask_new", split), Adviser(split), range(100))
    assert done.said and not (known.tokens(done.said)[0] == UNKNOWN).any()


def test_when_its_teacher_would_have_asked():
    split = bend()
    walk = run_episodes(split, make_agent("shortest", split), Adviser(split), [0], budget=12)
    assert walk.length[0] == 10
    # (d) one request is left, and so is one step only at the last.
    asks = advice_references(split, walk)
    assert asks[0].tolist() == [False] * 12
    # (e) at the goal, walking on; (b) near to chance among the actions there are.
    sure = {"entropy": np.zeros((1, 12), np.float32), "guess": np.full((1, 12), 1)}
    assert advice_references(split, replace(walk, notes=sure))[0, :10].tolist() == [False] * 9 + [True]
    count = (split.atlas.action_location[walk.location[0, :10], 0] >= 0).sum(axis=-1)
    for share, confused in ((0.4, False), (0.5, True)):
        entropy = np.zeros((1, 12), np.float32)
        entropy[0, :10] = share * np.log(count) / np.log(37)
        notes = {"entropy": entropy, "guess": np.zeros((1, 12), np.int64)}
        assert (advice_references(split, replace(walk, notes=notes))[0, :10] == confused).all()
    assert np.array_equal(help_request_references(split, walk).ask, advice_references(split, walk))
    # (c) the ninth decision in a row at one place.
    for stays, stuck in ((8, False), (9, True)):
        location = walk.location.copy()
        location[0, :stays] = 0
        assert advice_references(split, replace(walk, location=location))[0, stays - 1] == stuck


def test_far_from_the_path_its_teacher_asks():
    places = [(0, 0), (0, 2), (0, 4), (6, 2), (12, 2)]
    atlas = build_atlas([tiny_world(places, [(0, 1), (1, 2), (1, 3), (3, 4)], [("mug", 2)])], "tiny", "none")
    split = errand_split("train", VNLA, atlas, [Errand("0_0", "find a mug", 12, (0, 1, 2), object_type=0)])
    episodes = Episodes(split, Adviser(split), [0], budget=20)
    for place in (1, 3, 4, 3):
        seen = episodes.observe()
        here = int(seen.panorama[0])
        action = int(np.argmax(split.atlas.action_location[here, seen.view[0]] == place))
        episodes.step([False], [action])
    asks = advice_references(split, episodes.trajectories())[0]
    assert asks[:4].tolist() == [False, False, False, True]  # at 4, twelve metres off


def test_every_building_with_rooms_has_tasks():
    errands = room_errands(sample_atlas(6, 0), 0, PathRange())
    atlas = sample_atlas(6, 0)
    assert len({int(atlas.world_of[e.path[0]]) for e in errands["train"]}) == 6
    assert not {e.name for e in errands["train"]} & {e.name for e in errands["val_seen"]}
