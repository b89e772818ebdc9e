"""People as assistants: requests arrive with the map, words and picture are given, the agent goes on."""

import json
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
AGENT = "explorer+ask_untried+perfect"


def send(page: TestClient, task: int, agent: str = AGENT) -> str:
    answer = page.post("/api/assist", json={"source": 0, "task": task, "agent": agent})
    assert answer.status_code == 200, answer.text
    return answer.json()["desk"]


def look(page: TestClient, desk: str) -> dict:
    return page.get(f"/api/assist/{desk}").json()


def say(page: TestClient, desk: str, words: str, picture: int | None = None, step: int | None = None) -> dict:
    step = look(page, desk)["step"] if step is None else step
    content = {"step": step, "assistant": "Ada", "words": words, "picture": picture}
    answer = page.post(f"/api/assist/{desk}", json=content)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture
def task(data: Path) -> int:
    """A task at whose start somebody can be asked, and from which a goal is some way off."""
    split = load_split(data, "val_unseen")
    far = split.goal_sets.distance_from(split.goal_set, split.start) > 6
    return int(np.flatnonzero((split.zones[split.start, 0] >= 0) & far)[0])


def test_an_agent_follows_a_person_to_the_goal(
    browse: Browse, data: Path, task: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = browse()
    desk = send(page, task)
    (waits,) = page.get("/api/assist").json()["requests"]
    assert waits["desk"] == desk and waits["who"] == AGENT and 290 < waits["seconds"] <= 300
    seen = look(page, desk)
    split = load_split(data, "val_unseen")
    first = split.atlas.locations(int(split.atlas.world_of[split.start[task]])).start
    assert seen["place"] == int(split.start[task]) - first == seen["walk"][0] and not seen["over"]
    goals = split.goal_sets.members[int(split.goal_set[task])] - first
    assert seen["goals"] == goals.tolist()
    # The agent follows answers perfectly: it walks to the picture, and there it sees what it seeks.
    answered = say(page, desk, "Walk to  the goal\nand look around.", seen["goals"][0])
    assert answered["given"] and answered["heard"][0]["words"] == "Walk to the goal and look around."
    while not (seen := look(page, desk))["over"]:
        say(page, desk, "You are there.", seen["goals"][0])
    assert (
        seen["end"]["success"] and seen["end"]["counts"] and page.get("/api/assist").json()["requests"] == []
    )
    file = tmp_path / "people" / f"{AGENT}-helped-by-person-val_unseen.jsonl"
    assert read_header(file)["assistant"] == "person" and read_header(file)["agent"] == AGENT
    trip = read_trajectories(file, split)
    assert trip.words(split, int(trip.instruction[0, 0])) == "Walk to the goal and look around."
    assert trip.departure[0, 0] == first + goals[0] and trip.final[0] - first in seen["walk"]
    film = Library([file]).episode(0, task)
    assert film["steps"][0]["answer"]["words"] == "Walk to the goal and look around."
    assert film["command"] is None  # no command brings the person back
    main(["score", str(file), "--json"])
    assert json.loads(capsys.readouterr().out)["success_rate"]["value"] == 1


def test_an_assisted_agent_survives_the_server(browse: Browse, task: int) -> None:
    before = browse()
    desk = send(before, task)
    say(before, desk, "Go there.", look(before, desk)["goals"][0])
    seen = look(before, desk)
    after = browse()
    assert look(after, desk) == {**seen, "waiting": look(after, desk)["waiting"]}
    while not (seen := look(after, desk))["over"]:
        say(after, desk, "Go there.", seen["goals"][0])
    assert look(browse(), desk) == seen


def test_a_request_without_an_answer_goes_on_in_time(browse: Browse, task: int) -> None:
    page = browse(patience=0.0)
    seen = look(page, send(page, task))
    assert seen["over"] and seen["heard"] and all(one["words"] is None for one in seen["heard"])


def test_the_first_answer_counts_and_a_late_one_does_not(browse: Browse, task: int) -> None:
    page = browse()
    desk = send(page, task)
    step = look(page, desk)["step"]
    assert say(page, desk, "Go there.", 0, step)["given"]
    late = say(page, desk, "Go elsewhere.", 1, step)
    assert not late["given"] and [one["words"] for one in late["heard"]][:1] == ["Go there."]
    assert "Go elsewhere." not in [one["words"] for one in late["heard"]]


def test_one_person_helps_another(browse: Browse, data: Path, task: int) -> None:
    page = browse()
    game = page.post("/api/play", json={"source": 0, "task": task, "by_person": True}).json()["game"]
    asked = page.post(f"/api/play/{game}", json={"step": 0, "ask": True}).json()
    assert asked["waiting"] in range(290, 301) and asked["step"] == 0
    # While one waits, nothing else can be done; the page may be loaded again, the server may start again.
    assert page.post(f"/api/play/{game}", json={"step": 0, "action": 1}).json()["step"] == 0
    other = browse()
    assert other.get(f"/api/play/{game}").json()["waiting"] is not None
    (waits,) = other.get("/api/assist").json()["requests"]
    assert waits["who"] == "human" and waits["desk"] != game
    assert other.get(f"/api/assist/{game}").status_code == 404  # who plays cannot look at the map with it
    assert other.get(f"/api/play/{waits['desk']}").status_code == 404  # nor can who helps play
    say(other, waits["desk"], "Turn around <b>now</b>.", 3)
    told = page.get(f"/api/play/{game}").json()  # another server answered
    assert told["words"] == "Turn around <b>now</b>." and told["on_route"] and told["target"]
    assert told["waiting"] is None and told["step"] == 1
    for step in (1, 2):
        told = page.post(f"/api/play/{game}", json={"step": step, "action": 0}).json()
    assert told["over"] and told["end"]["requests"] == 1
    assert told["end"]["file"].endswith("human-helped-by-person-val_unseen.jsonl")


def test_what_cannot_be_done_is_refused(browse: Browse, task: int, tmp_path: Path) -> None:
    page = browse()
    for agent in ("nobody", "human:/etc/passwd", "/etc", str(tmp_path)):
        sent = page.post("/api/assist", json={"source": 0, "task": task, "agent": agent})
        assert sent.status_code == 400 and "no such agent" in sent.json()["error"]
    desk = send(page, task)
    good = {"step": look(page, desk)["step"], "assistant": "Ada", "words": "Go on.", "picture": None}
    for bad in (
        {"words": ""}, {"words": " . "}, {"words": "x" * 1001}, {"words": "a \ud800"}, {"words": "a \x00 b"},
        {"assistant": " "}, {"assistant": "x" * 61}, {"picture": -1}, {"picture": 10**6},
    ):  # fmt: skip
        content = json.dumps({**good, **bad})
        headers = {"content-type": "application/json"}
        assert page.post(f"/api/assist/{desk}", content=content, headers=headers).status_code in (400, 422), (
            bad
        )
    assert page.post(f"/api/assist/{desk}", json={**good, "words": "x" * 70_000}).status_code == 413
    assert page.get("/api/assist/nobody").status_code == 404
    assert look(page, desk)["waiting"] is not None and look(page, desk)["heard"] == []


def test_only_so_many_agents_wait_at_once(browse: Browse, task: int) -> None:
    page = browse()
    for _ in range(16):
        send(page, task)
    more = page.post("/api/assist", json={"source": 0, "task": task, "agent": AGENT})
    assert more.status_code == 400 and "answer one of them first" in more.json()["error"]
