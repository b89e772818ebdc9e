"""Requests and dialogues that are scripted, and every kind of task in generated houses."""

import json
from itertools import pairwise

import numpy as np
import pytest

from helpanna.agents.names import make_agent
from helpanna.assistance.names import make_assistant
from helpanna.cli.main import main
from helpanna.evaluation.metrics import evaluate
from helpanna.evaluation.runner import run_episodes
from helpanna.tasks.check import check_dataset
from helpanna.tasks.kinds import KINDS
from helpanna.tasks.room_tasks import room_kinds_of_locations
from helpanna.tasks.scripted import STRETCH, scripted_dialogues, scripted_requests
from helpanna.worlds.sample import sample_atlas

ATLAS = sample_atlas(3, 0)
FEW = {"train": 60, "val_seen": 10}


def test_requests_name_the_object_and_its_room():
    kinds = room_kinds_of_locations(ATLAS)
    errands = [errand for part in scripted_requests(ATLAS, 0).values() for errand in part]
    assert len(errands) > 50
    for errand in errands[::7]:
        thing = errand.thing
        assert ATLAS.type_names[ATLAS.object_type[thing]] in errand.text
        assert kinds[ATLAS.delegate[thing]] in errand.text and ATLAS.delegate[thing] == errand.path[-1]
        assert set(errand.goals) == {v for v, seen in ATLAS.sighting.tolist() if seen == thing}


def test_dialogues_grow_with_the_way_and_end_in_the_room_of_the_object():
    parts = {mode: scripted_dialogues(ATLAS, 0, "all", mode, FEW) for mode in ("oracle", "navigator")}
    oracle, navigator = parts["oracle"]["train"], parts["navigator"]["train"]
    assert [errand.name for errand in oracle] == [errand.name for errand in navigator]
    longer = 0
    for ours, theirs in zip(oracle[:200], navigator[:200], strict=True):
        assert theirs.path[: len(ours.path)] == ours.path and len(ours.path) <= STRETCH + 1
        longer += len(theirs.path) > len(ours.path)
        assert len({int(ATLAS.room_of[place]) for place in ours.region}) == 1
        assert ours.text.count("?") >= 1
    assert longer > 0
    # The next exchange of a search begins where the last plan ended, and repeats what was said after it.
    grown = [
        (a, b)
        for a, b in pairwise(oracle)
        if a.path[-1] == b.path[0] and b.text.endswith(a.text.partition(". ")[2])
    ]
    assert len(grown) > 10 and all(a.region == b.region for a, b in grown)


def test_questions_are_answered():
    """Yes and no are true, nobody asks whether to go on before the first step, and the end is told."""
    errands = scripted_dialogues(ATLAS, 0, "last_exchange", "oracle", FEW)["train"]
    asked = set()
    for errand in errands:
        target, _, exchange = errand.text.partition(". ")
        question = exchange[: exchange.rindex("?") + 1]
        answer = exchange.removeprefix(question).strip()
        thing = target.split(maxsplit=2)[2]
        arrives = answer.endswith(f"You will find the {thing} there.")
        assert arrives or "You will find" not in answer
        assert not arrives or errand.path[-1] in errand.region
        asked.add(question)
        if question == "should I go on?":
            assert answer.startswith("Yes. ")
        elif question.startswith("am I close?"):
            assert answer.startswith("Yes. " if arrives else "Not yet. ")
    assert len(asked) == 8
    whole = [errand.text for errand in scripted_dialogues(ATLAS, 0, "all", "oracle", FEW)["train"]]
    first = [text for text in whole if text.count("?") == 1]
    assert len(first) > 10 and not any("should I go on?" in text for text in first)


def test_the_same_seed_says_the_same():
    again = [scripted_dialogues(ATLAS, seed, "all", "mixed", FEW)["val_seen"] for seed in (1, 1, 2)]
    assert again[0] == again[1] != again[2]


@pytest.fixture(scope="module")
def houses(tmp_path_factory):
    folder = tmp_path_factory.mktemp("houses") / "houses"
    main(["worlds", "generate", "--houses", "2", "--kind", "small", "--no-pictures", "--out", str(folder)])
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "hanna"])
def test_every_kind_can_be_built_in_generated_houses(kind, houses, capsys):
    out = houses.with_name(kind)
    main(
        [
            *("tasks", "build", "--kind", kind, "--worlds", str(houses), "--out", str(out)),
            *("--unseen-count", "1", "--json"),
        ]
    )
    assert json.loads(capsys.readouterr().out)["splits"]["val_unseen"]["tasks"] > 10
    split = check_dataset(out).split("val_unseen")
    tasks = np.arange(len(split))[:60]
    done = run_episodes(split, make_agent("shortest", split), make_assistant(None, split), tasks)
    assert evaluate(split, done)["success_rate"].value == 1
