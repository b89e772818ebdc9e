import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

from helpanna.assistance.names import make_assistant
from helpanna.cli.main import main
from helpanna.tasks.build import BuildSettings, build_splits
from helpanna.tasks.dataset import save_dataset
from helpanna.worlds.storage import load_atlas

EXAMPLE = Path(__file__).parents[2] / "examples" / "own_assistant.py"


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("own_assistant", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def done(example, tmp_path_factory):
    """The folder that the example fills, and its figures."""
    out = tmp_path_factory.mktemp("example")
    return out, example.main(out)


@pytest.mark.slow
def test_the_guide_knows_better_ways_than_anna(done):
    out, figures = done
    assert figures["Guide"]["spl"] > figures["ANNA"]["spl"] + 0.03
    records = [json.loads(line) for line in (out / "guide.jsonl").read_text().splitlines()[1:]]
    told = [request for record in records for request in record["requests"]]
    assert len({request["words"] for request in told}) > 20
    assert all(request["route"] is None and request["departure"] for request in told)


@pytest.mark.slow
def test_what_the_guide_says_is_so(example, done):
    atlas = load_atlas(done[0] / "houses")
    split = build_splits([(atlas, example.helpanna.make_routes("random", atlas, seed=0))], None, SETTINGS)[
        "val_unseen"
    ]
    guide = example.Guide(split)
    for task in range(0, len(split), 9):
        here, goal_set = int(split.start[task]), int(split.goal_set[task])
        goal = int(split.goal_sets.nearest_to(goal_set, here))
        hop = int(atlas.next_hops(here, goal))
        ahead = int(np.flatnonzero(atlas.action_location[here, 12] == hop)[0])
        view = int(atlas.action_view[here, 12, ahead]) % 12 + 12  # level, towards the next location
        words, door = guide.describe(here, view, goal, goal_set)
        assert ": go straight on" in words
        assert ": turn around" in guide.describe(here, 12 + (view + 6) % 12, goal, goal_set)[0]
        assert ": turn left" in guide.describe(here, 12 + (view + 3) % 12, goal, goal_set)[0]
        assert ("in this room" in words) == (door == goal and atlas.room_of[door] == atlas.room_of[here])
        assert atlas.distances(here, door) + atlas.distances(door, goal) == pytest.approx(
            atlas.distances(here, goal), rel=1e-4
        )


SETTINGS = BuildSettings(eval_only="val_unseen", sizes={"val_unseen": 100})


@pytest.mark.slow
def test_on_the_command_line(example, done, tmp_path, monkeypatch):
    folder = done[0] / "houses"
    atlas = load_atlas(folder)
    splits = build_splits([(atlas, example.helpanna.make_routes("random", atlas, seed=0))], None, SETTINGS)
    save_dataset(tmp_path / "data", splits, [(atlas, folder)], 0, SETTINGS.paths, {})
    monkeypatch.chdir(EXAMPLE.parent)
    out = tmp_path / "run.jsonl"
    command = [
        "evaluate",
        "--data",
        str(tmp_path / "data"),
        "--split",
        "val_unseen",
        "--agent",
        example.AGENT,
    ]
    main([*command, "--assistant", "own_assistant:Guide", "--out", str(out)])
    ours, theirs = (path.read_text().splitlines()[1:] for path in (out, done[0] / "guide.jsonl"))
    assert ours == theirs
    assert type(make_assistant("own_assistant:Guide", splits["val_unseen"])).__name__ == "Guide"


def test_an_example_stays_short():
    assert len(EXAMPLE.read_text().splitlines()) < 100
