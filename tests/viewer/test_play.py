"""People as agents: what they see, what is stored, and how it is scored."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from helpanna.cli.main import main
from helpanna.episodes.trajectory_file import read_header, read_trajectories
from helpanna.tasks.dataset import load_split
from helpanna.viewer.library import Library

Browse = Callable[..., TestClient]


def begin(page: TestClient, task: int | None) -> str:
    return page.post("/api/play", json={"source": 0, "task": task}).json()["game"]


def act(page: TestClient, game: str, **what: object) -> dict:
    step = page.get(f"/api/play/{game}").json()["step"]
    answer = page.post(f"/api/play/{game}", json={"step": step, **what})
    assert answer.status_code == 200, answer.text
    return answer.json()


def play(page: TestClient, data: Path, task: int) -> tuple[dict, list[int]]:
    """Asks once where possible, then walks to a goal and stops: one who cheats."""
    split = load_split(data, "val_unseen")
    game = begin(page, task)
    here, view = int(split.start[task]), int(split.view[task])
    goal = int(split.goal_sets.nearest_to(split.goal_set[task], here))
    walk = [here]
    state = page.get(f"/api/play/{game}").json()
    while not state["over"]:
        action = int(split.atlas.actions_towards(here, view, goal))
        here, view = (
            int(split.atlas.action_location[here, view, action]),
            int(split.atlas.action_view[here, view, action]),
        )
        walk.append(here)
        state = act(page, game, action=action)
    return state, walk


def test_a_game_is_stored_scored_and_done_again(
    browse: Browse, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = browse()
    state, walk = play(page, data, 3)
    end = state["end"]
    assert end["success"] and end["counts"] and end["steps"] == len(walk) - 1
    assert [other["name"] for other in end["others"]] == [
        "explorer+ask_untried+perfect",
        "anyone <b>bold</b>",
    ]
    play(page, data, 8)
    file = tmp_path / "people" / "human-val_unseen.jsonl"
    assert end["file"] == str(file) and read_header(file)["agent"] == "human"
    stored = read_trajectories(file, load_split(data, "val_unseen"))
    assert stored.task.tolist() == [3, 8] and stored.location[0, : len(walk)].tolist() == walk
    main(["score", str(file), "--json"])
    scores = json.loads(capsys.readouterr().out)
    assert scores["success_rate"]["value"] == 1 and scores["episodes"] == 2
    again = tmp_path / "again.jsonl"
    command = shlex.split(Library([file]).episode(0, 3)["command"])
    assert f"human:{file}" in command and "--tasks" not in command
    main(
        [
            "evaluate",
            "--data",
            str(data),
            "--split",
            "val_unseen",
            "--agent",
            f"human:{file}",
            "--out",
            str(again),
            "--json",
        ]
    )
    repeated = json.loads(capsys.readouterr().out)
    assert repeated["success_rate"] == scores["success_rate"]
    assert again.read_text().splitlines()[1:] == file.read_text().splitlines()[1:]


def test_the_first_attempt_counts(browse: Browse, data: Path, tmp_path: Path) -> None:
    page = browse()
    first = begin(page, 3)
    assert act(page, first, action=0)["end"]["counts"] is True
    before = (tmp_path / "people" / "human-val_unseen.jsonl").read_bytes()
    state, _ = play(page, data, 3)
    assert state["end"]["counts"] is False
    assert (tmp_path / "people" / "human-val_unseen.jsonl").read_bytes() == before


def test_any_task_is_one_that_nobody_played(browse: Browse) -> None:
    page = browse()
    played = {act(page, begin(page, None), action=0)["end"]["task"] for _ in range(4)}
    assert len(played) == 4


def test_help_and_reloading(browse: Browse, data: Path) -> None:
    split = load_split(data, "val_unseen")
    task = int(np.flatnonzero(split.zones[split.start, 0] >= 0)[0])
    page = browse()
    game = begin(page, task)
    state = page.get(f"/api/play/{game}").json()
    assert state["can_ask"] and not state["target"] and state["words"] == state["request"]
    told = act(page, game, ask=True)
    assert told["on_route"] and told["words"] in split.routes.instructions and told["step"] == 1
    assert page.get(f"/api/play/{game}").json() == told  # the page is loaded again
    late = page.post(f"/api/play/{game}", json={"step": 0, "action": 0}).json()
    assert late == told  # a click that comes twice counts once
    assert set(page.get(f"/api/play/{game}/around/target").json()) == {"room", "ways", "objects", "captions"}
    assert act(page, game, action=0)["on_route"] is False  # leaves the route
    assert act(page, game, action=0)["end"]["requests"] == 1


def test_a_person_is_told_what_an_agent_is_told(browse: Browse) -> None:
    """Nothing of the map, the goals, or how far away they are."""
    page = browse()
    state = page.get(f"/api/play/{begin(page, 0)}").json()
    assert set(state) == {
        "source", "step", "budget", "over", "request", "words", "on_route", "can_ask", "target", "place",
        "heading", "elevation", "ways", "pictures", "follow", "by_person", "waiting",
    }  # fmt: skip
    assert state["place"] == 0


def test_what_cannot_be_done_is_refused(browse: Browse, data: Path) -> None:
    split = load_split(data, "val_unseen")
    page = browse()
    alone = int(np.flatnonzero(split.zones[split.start, 0] < 0)[0])
    game = begin(page, alone)
    for what in ({"ask": True}, {"action": 99}, {"action": -1}):
        assert page.post(f"/api/play/{game}", json={"step": 0, **what}).status_code == 400
    assert page.get("/api/play/nobody").status_code == 404
    assert page.get(f"/api/play/{game}/around/target").status_code == 404
    assert page.get(f"/api/play/{game}/panorama/here").status_code == 404  # there are no pictures
    assert page.post("/api/play", json={"source": 7}).status_code == 404
    assert page.post("/api/play", json={"source": 0, "task": 10**6}).status_code == 400


def test_a_recorded_agent_knows_its_tasks_only(explorer: Path, data: Path) -> None:
    from helpanna.agents.names import make_agent
    from helpanna.assistance.assistants import Anna
    from helpanna.errors import InputError
    from helpanna.evaluation.runner import run_episodes

    split = load_split(data, "val_unseen")
    agent = make_agent(f"human:{explorer}", split)
    trips = run_episodes(split, agent, Anna(split), np.arange(60), batch_size=7)
    told = read_trajectories(explorer, split)
    assert (trips.location == told.location).all() and (trips.asked == told.asked).all()
    with pytest.raises(InputError, match="no episode of task 60"):
        run_episodes(split, agent, Anna(split), [60])
    with pytest.raises(InputError, match="does not exist"):
        make_agent("human:nowhere.jsonl", split)
