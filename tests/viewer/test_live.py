"""Agents that act when somebody asks them to, and what they thought when they did."""

import io
import json
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote

import pytest
from PIL import Image
from starlette.testclient import TestClient
from thinkers import BUDGET, thinking_results

from helpanna.agents.folders import CONFIG
from helpanna.cli.main import main
from helpanna.cli.view import View
from helpanna.errors import InputError
from helpanna.manifest import write_signed
from helpanna.viewer.library import Library
from helpanna.viewer.live import Wish
from helpanna.viewer.play import Games
from helpanna.viewer.server import make_app

Ask = Callable[[str], Any]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return thinking_results(tmp_path_factory.mktemp("live"))


@pytest.fixture(scope="module")
def library(results: list[Path]) -> Library:
    return Library(results)


@pytest.fixture
def ask(library: Library, tmp_path: Path) -> Iterator[Ask]:
    """What the page answers to an address."""
    games = Games(library, tmp_path / "people")
    with closing(games.store):
        app = make_app(library, games)
        yield TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False).get


@pytest.mark.parametrize("number", [0, 1])
def test_a_film_is_told_what_its_agent_thought(library: Library, ask: Ask, number: int) -> None:
    task = library.results[number].rows[3][0]
    found = ask(f"/api/results/{number}/episodes/{task}/thoughts").json()
    episode = library.episode(number, task)
    assert found["why"] is None and len(found["steps"]) == len(episode["steps"])
    for thought, step in zip(found["steps"], episode["steps"], strict=True):
        assert len(thought["actions"]) == len(step["actions"]) and thought["agrees"]
        assert (thought["map"] is not None) == (number == 0)


def test_heuristics_and_agents_that_are_not_at_hand_have_no_thoughts(
    library: Library, results: list[Path], tmp_path: Path
) -> None:
    task = library.results[2].rows[0][0]
    assert library.thoughts(2, task) == {"steps": None, "why": None}
    lines = results[0].read_text().splitlines()
    moved = tmp_path / "moved.jsonl"
    header = json.loads(lines[0]) | {"agent": str(tmp_path / "gone" / "map")}
    moved.write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n")
    other = Library([moved])
    why = other.thoughts(0, other.results[0].rows[0][0])["why"]
    assert "not at hand" in why and "--agents" in why
    found = Library([moved], agents=[str(results[0].parent / "map")])
    assert found.thoughts(0, task) == library.thoughts(0, task)


def test_thoughts_of_another_agent_are_said_to_be_of_another(results: list[Path], tmp_path: Path) -> None:
    lines = results[2].read_text().splitlines()
    header = json.loads(lines[0]) | {"agent": str(results[0].parent / "map")}
    (tmp_path / "mixed.jsonl").write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n")
    library = Library([tmp_path / "mixed.jsonl"])
    told = [library.thoughts(0, row[0]) for row in library.results[0].rows[:4]]
    assert any("decides otherwise" in (one["why"] or "") for one in told)


def test_an_agent_with_another_habit_is_known_by_its_folder(results: list[Path], tmp_path: Path) -> None:
    lines = results[1].read_text().splitlines()
    name = f"{results[0].parent / 'hierarchical'}+price:0.9"
    (tmp_path / "habit.jsonl").write_text(
        "\n".join([json.dumps(json.loads(lines[0]) | {"agent": name}), *lines[1:]]) + "\n"
    )
    library = Library([tmp_path / "habit.jsonl"])
    task = max(library.results[0].rows, key=lambda row: row[4])[0]  # the one with the most requests
    assert library.thoughts(0, task)["steps"] is not None
    episode = library.act(Wish(name, 0, task=task))
    asked = [step["asked"] for step in episode["steps"]]
    sure = [thought["ask"] > 0.9 for thought in episode["thoughts"]["steps"]]
    can = [step["can_ask"] for step in episode["steps"]]
    assert asked == [a and b for a, b in zip(sure, can, strict=True)]


def test_a_file_of_somebody_else_makes_the_page_run_no_code(results: list[Path], tmp_path: Path) -> None:
    (tmp_path / "loud.py").write_text("raise SystemExit('executed')\n")
    shutil.copytree(results[0].parent / "hierarchical", tmp_path / "agent")
    config = json.loads((tmp_path / "agent" / CONFIG).read_text())
    config["network"]["kind"] = "loud:Networks"
    config.pop("checksum", None)
    write_signed(tmp_path / "agent" / CONFIG, config)
    lines = results[1].read_text().splitlines()
    header = json.loads(lines[0]) | {"agent": str(tmp_path / "agent"), "assistant": "loud:Assistant"}
    file = tmp_path / "theirs.jsonl"
    file.write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n")
    library = Library([file])
    assert str(tmp_path / "agent") not in library.live.navigators
    assert "loud:Assistant" not in library.live.assistants
    task = library.results[0].rows[0][0]
    assert library.thoughts(0, task)["steps"] is None
    episode = library.act(Wish("explorer", 0, task=task, result=0, step=1))
    assert episode["assistant"] == "anna"


def test_live_on_a_task_of_the_split_is_what_evaluation_does(library: Library) -> None:
    task = library.results[2].rows[5][0]
    stored = library.episode(2, task)
    again = library.act(Wish("explorer+ask_untried", 0, task=task))
    assert again["places"][: BUDGET + 1] == stored["places"][: BUDGET + 1]
    assert again["thoughts"]["steps"] is None and again["handed"] is None


def test_a_task_of_ones_own(library: Library, ask: Ask) -> None:
    objects = ask("/api/live/objects/0").json()
    plan = library.plan(0, objects[0][1])
    number, building, request = objects[-1]
    start = len(plan["places"]) // 2
    episode = ask(f"/api/live/episode?source=0&agent=shortest&object={number}&start={start}").json()
    assert episode["request"] == request and episode["world"] == building
    assert episode["places"][0] == start and episode["success"]
    assert episode["places"][-1] in episode["goals"]
    assert ask(f"/api/live/episode?source=0&agent=shortest&object={number}&start=100000").status_code == 400
    assert ask(f"/api/live/episode?source=0&agent=shortest&object={len(objects)}&start=0").status_code == 400


@pytest.mark.parametrize("who", ["shortest", "hierarchical", "map"])
def test_what_if_from_a_step_of_a_film(library: Library, results: list[Path], who: str) -> None:
    agent = who if who == "shortest" else str(results[0].parent / who)
    row = max(library.results[2].rows, key=lambda row: row[5])
    told = library.episode(2, row[0])
    step = len(told["steps"]) // 2
    episode = library.act(Wish(agent, 0, task=row[0], result=2, step=step))
    assert episode["handed"] == step and episode["by"] == "explorer+ask_untried"
    assert episode["places"][: step + 1] == told["places"][: step + 1]
    assert [s["words"] for s in episode["steps"][: step + 1]] == [
        s["words"] for s in told["steps"][: step + 1]
    ]
    thoughts = episode["thoughts"]["steps"]
    assert (thoughts is None) == (who == "shortest")
    if thoughts is not None:
        assert len(thoughts) == len(episode["steps"])
        assert all(thought["agrees"] for thought in thoughts[step:])


def test_only_what_is_offered_can_be_chosen(library: Library, ask: Ask, tmp_path: Path) -> None:
    offered = ask("/api/live").json()
    assert {"shortest", "explorer", "houses"} <= set(offered["navigators"])
    assert "anna" in offered["assistants"] and "ask_new" in offered["ask_policies"]
    for query in (
        "source=0&task=0&agent=/etc",
        "source=0&task=0&agent=human:/etc/passwd",
        "source=0&task=0&agent=explorer&assistant=os:system",
        "source=0&task=100000&agent=explorer",
        "source=0&agent=explorer",
        "source=0&task=-1&agent=explorer",
    ):
        answer = ask(f"/api/live/episode?{query}")
        assert answer.status_code == 400 and "error" in answer.json(), query
    assert ask("/api/live/episode?source=7&task=0&agent=explorer").status_code == 404
    assert ask("/api/live/episode?source=0&task=0&agent=explorer&result=9").status_code == 404
    with pytest.raises(InputError, match="no agent"):
        Library([], library.sources[0].data, agents=[str(tmp_path / "nobody")])


def test_the_plan_has_walls_where_they_are_known(library: Library) -> None:
    world = library.results[0].rows[0][1]
    plan = library.plan(0, world)
    kinds = {kind for floor in plan["floors"] for kind, _ in floor["walls"]}
    assert {"wall", "gap", "glass", "pane", "door", "swing"} == kinds
    west, south, east, north = plan["bounds"]
    for floor in plan["floors"]:
        for kind, points in floor["walls"]:
            assert all(west < x < east and south < y < north for x, y in points), kind
        for x, y, storey, _ in plan["places"]:
            inside = [
                room
                for room in floor["rooms"]
                if min(p[0] for p in room["outlines"][0]) <= x <= max(p[0] for p in room["outlines"][0])
                and min(p[1] for p in room["outlines"][0]) <= y <= max(p[1] for p in room["outlines"][0])
            ]
            assert storey != floor["floor"] or len(inside) <= 1


def test_a_film_as_a_gif_has_a_frame_for_each_step(library: Library, ask: Ask, tmp_path: Path) -> None:
    task = max(library.results[2].rows, key=lambda row: row[5])[0]
    answer = ask(f"/api/results/2/episodes/{task}/film.gif")
    assert (
        answer.headers["content-type"] == "image/gif"
        and "attachment" in answer.headers["content-disposition"]
    )
    film = Image.open(io.BytesIO(answer.content))
    episode = library.episode(2, task)
    assert film.n_frames == len(episode["steps"]) + 1
    assert library.gif(2, task) == answer.content
    frames = []
    for k in range(film.n_frames):
        film.seek(k)
        frames.append(film.convert("RGB").tobytes())
    walked = [a != b for a, b in pairwise(episode["places"])]
    assert all(a != b for (a, b), moved in zip(pairwise(frames), walked, strict=True) if moved)
    assert ask("/api/results/2/episodes/100000/film.gif").status_code == 404


def test_one_html_file_from_the_page_has_the_thoughts(library: Library, ask: Ask) -> None:
    task = library.results[0].rows[1][0]
    answer = ask(f"/api/results/0/episodes/{task}/page.html")
    assert "attachment" in answer.headers["content-disposition"]
    stored = re.search(r'id="stored">(.*?)</script>', answer.text, re.DOTALL)
    assert stored is not None
    data = json.loads(stored[1])["data"]
    assert data[f"/api/results/0/episodes/{task}/thoughts"] == library.thoughts(0, task)
    assert ask("/api/results/0/episodes/100000/page.html").status_code == 404


def test_export_by_command(results: list[Path], tmp_path: Path) -> None:
    task = Library(results).results[2].rows[0][0]
    main(["view", str(results[2]), "--export", str(tmp_path / "film.gif"), "--task", str(task)])
    assert (tmp_path / "film.gif").read_bytes() == Library(results[2:]).gif(0, task)
    for options in (
        ["--export", str(tmp_path / "no.gif")],
        ["--export", str(tmp_path / "no.gif"), "--task", "9999"],
        ["--export", str(tmp_path / "no.mp4"), "--task", str(task)],
    ):
        with pytest.raises(SystemExit) as stop:
            main(["view", str(results[2]), *options])
        assert stop.value.code == 2
    assert not list(tmp_path.glob("no.*"))


def test_the_command_of_a_live_episode_leads_there(library: Library) -> None:
    task = library.results[2].rows[0][0]
    wish = Wish("explorer", 0, task=task, result=2, step=1)
    command = shlex.split(library.act(wish)["command"])
    assert command[:2] == ["helpanna", "view"] and command[2:5] == [str(r.path) for r in library.results]
    place = command[command.index("--at") + 1]
    _, page, query, step = place.split("/")
    assert (page, step) == ("live", "1")
    found = {name: value for name, (value,) in parse_qs(unquote(query)).items()}
    assert found == {"agent": "explorer", "source": "0", "task": str(task), "result": "2", "step": "1"}
    assert View(files=(), at=place)._beginning() == f"#{place}"


def test_the_command_of_a_live_episode_names_the_dataset_that_was_named(data: Path, explorer: Path) -> None:
    wish = Wish("explorer", 0, task=0)
    for files, named in (([explorer], data), ([], data), ([explorer], None)):
        command = shlex.split(Library(files, named).act(wish)["command"])
        before = command[2 : command.index("--at")]
        assert before == [*map(str, files), *(["--data", str(named)] if named else [])]
