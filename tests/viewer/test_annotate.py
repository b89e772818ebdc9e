"""Annotation: routes to describe, advice, followers, and the route file that a dataset is built of."""

import json
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from helpanna.assistance.construction import construct_paths
from helpanna.cli.main import main
from helpanna.tasks.dataset import load_split
from helpanna.viewer.library import Library
from helpanna.viewer.play import Games
from helpanna.viewer.server import make_app
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.storage import load_atlas

Browse = Callable[..., TestClient]
HOUSE = {"source": 0, "building": "house 0"}


def next_route(page: TestClient, guide: str, how: str = "lemma") -> list[int]:
    answer = page.post("/api/annotate/next", json={**HOUSE, "how": how, "guide": guide})
    assert answer.status_code == 200, answer.text
    return answer.json()["path"]


def write(page: TestClient, path: list[int], guide: str, text: str, how: str = "lemma") -> int:
    content = {**HOUSE, "path": path, "how": how, "guide": guide, "text": text}
    answer = page.post("/api/annotate", json=content)
    assert answer.status_code == 200, answer.text
    return answer.json()["id"]


def advice(page: TestClient, path: list[int], text: str) -> dict:
    return page.post("/api/annotate/advice", json={**HOUSE, "path": path, "text": text}).json()


def follow(page: TestClient, follower: str, atlas: Atlas, path: list[int], steps: int | None = None) -> dict:
    """Follows the next instruction along this path, for so many steps, and stops."""
    begun = page.post("/api/follow", json={"source": 0, "follower": follower})
    assert begun.status_code == 200, begun.text
    game = begun.json()["game"]
    state = page.get(f"/api/play/{game}").json()
    assert state["follow"] and not state["can_ask"]
    view = 12 + round(state["heading"] / (3.14159265 / 6)) % 12
    for here, there in list(pairwise(path))[:steps]:
        action = atlas.action_location[here, view].tolist().index(there)
        state = page.post(f"/api/play/{game}", json={"step": state["step"], "action": action}).json()
        view = int(atlas.action_view[here, view, action])
    return page.post(f"/api/play/{game}", json={"step": state["step"], "action": 0}).json()


@pytest.fixture
def atlas(data: Path) -> Atlas:
    return load_split(data, "val_unseen").atlas


def test_guides_are_handed_the_routes_of_lemma_1_each_another(browse: Browse, atlas: Atlas) -> None:
    page = browse()
    needed = [path.tolist() for path in construct_paths(atlas, 0)]
    first = next_route(page, "Ada")
    assert first == needed[0] and next_route(page, "Ben") == needed[1]  # house 0 has the first locations
    assert next_route(page, "Ada") == first  # reloaded: it is still hers
    write(page, first, "Ada", "Walk on and stop there.")
    assert next_route(page, "Ada") != first
    assert next_route(page, "Ada", "random") != next_route(page, "Ben", "random")


def test_a_drawn_route_goes_the_shortest_way_between_clicks(browse: Browse, atlas: Atlas) -> None:
    page = browse()
    path = page.post("/api/annotate/drawn", json={**HOUSE, "path": [0, 9, 4]}).json()["path"]
    assert path == atlas.path(0, 9) + atlas.path(9, 4)[1:]
    walk = page.post("/api/annotate/walk", json={**HOUSE, "path": path}).json()
    assert walk["path"] == path and len(walk["steps"]) == len(path)
    metres = sum(float(atlas.distances(a, b)) for a, b in pairwise(path))
    assert walk["metres"] == pytest.approx(metres, abs=0.1)


def test_advice_while_writing(browse: Browse, atlas: Atlas) -> None:
    page = browse()
    path = construct_paths(atlas, 0)[3].tolist()
    assert advice(page, path, "") == {"words": 0, "advice": []}
    good = "Walk straight ahead, keep going until the end, turn a little and stop there."
    assert advice(page, path, good)["advice"] == []
    assert "few words" in advice(page, path, "Go there.")["advice"][0]
    assert "first 50 words" in advice(page, path, "on and " * 30)["advice"][0]
    (unseen,) = advice(page, path, good + " You see a piano, an elevator.")["advice"]
    assert unseen == "Perhaps not in sight along the route: piano, elevator."
    write(page, path, "Ada", good)
    (same,) = advice(page, path, good.replace("Walk", "Go"))["advice"]
    assert "nearly the same" in same


def test_a_follower_is_somebody_else_and_proves_the_words(browse: Browse, atlas: Atlas) -> None:
    page = browse()
    path = next(path.tolist() for path in construct_paths(atlas, 0) if len(path) > 4)
    assert float(atlas.distances(path[0], path[-1])) > 3
    write(page, path, "Ada", "Walk on and <i>stop</i> there, at the end.")
    for name in ("Ada", " ada "):
        alone = page.post("/api/follow", json={"source": 0, "follower": name})
        assert alone.status_code == 400 and "somebody else" in alone.json()["error"]
    arrived = follow(page, "Ben", atlas, path)
    assert arrived["over"] and arrived["end"]["success"] and arrived["end"]["final_distance"] == 0
    again = page.post("/api/follow", json={"source": 0, "follower": "Ben"})
    assert again.status_code == 400  # he knows the way now
    lost = follow(page, "Cleo", atlas, path, steps=0)
    assert not lost["end"]["success"]
    (row,) = page.get("/api/annotate/0").json()["instructions"]
    assert (row["followed"], row["arrived"], row["guide"]) == (2, 1, "Ada")
    (record,) = browse().get("/api/routes.json").json()  # after a restart
    assert record["instructions"] == ["Walk on and <i>stop</i> there, at the end."]
    assert record["followed"] == [2] and record["arrived"] == [1]
    assert len(page.get("/api/routes.json?quality=0.5").json()) == 1
    assert page.get("/api/routes.json?quality=0.6").json() == []


def test_following_goes_on_after_a_restart(browse: Browse, atlas: Atlas) -> None:
    page = browse()
    path = construct_paths(atlas, 0)[5].tolist()
    write(page, path, "Ada", "Walk on and stop there.")
    game = page.post("/api/follow", json={"source": 0, "follower": "Ben"}).json()["game"]
    state = page.post(f"/api/play/{game}", json={"step": 0, "action": 1}).json()
    after = browse()
    assert after.get(f"/api/play/{game}").json() == state and state["words"] == "Walk on and stop there."
    assert after.post(f"/api/play/{game}", json={"step": 1, "action": 0}).json()["over"]


def test_what_is_no_route_no_name_or_no_text_is_refused(browse: Browse, atlas: Atlas) -> None:
    page = browse()
    path = construct_paths(atlas, 0)[3].tolist()
    good = {**HOUSE, "path": path, "how": "lemma", "guide": "Ada", "text": "Walk on."}
    far = next(p for p in range(40) if p not in atlas.action_location[0, 0])
    for bad in (
        {"path": [0, far]}, {"path": [0]}, {"path": []}, {"path": [0, -1]}, {"path": [0, 10**9]},
        {"path": [0, 1] * 30}, {"guide": ""}, {"guide": "x" * 61}, {"text": " "}, {"text": "x" * 1001},
        {"text": "a\x00b"}, {"how": "else"}, {"building": "../house"}, {"source": 9}, {"text": 5},
    ):  # fmt: skip
        assert page.post("/api/annotate", json={**good, **bad}).status_code in (400, 404, 422), bad
    assert page.get("/api/annotate/0").json()["instructions"] == []
    assert write(page, path, "Ada", "Walk on.") == write(page, path, "Ada", "Walk on.")  # sent twice
    copied = page.post("/api/annotate", json={**good, "guide": "Ben", "text": "walk on"})
    assert copied.status_code == 400 and "words of your own" in copied.json()["error"]


@pytest.mark.slow
def test_from_a_generated_house_to_a_dataset_of_peoples_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A house, guides and followers, the route file, a dataset: nothing else is needed."""
    houses, people = tmp_path / "houses", tmp_path / "people"
    main(["worlds", "generate", "--houses", "1", "--kind", "small", "--no-pictures", "--out", str(houses)])
    atlas = load_atlas(houses)
    library = Library([], None, [houses])
    games = Games(library, people)
    with closing(games.store):
        page = TestClient(make_app(library, games), base_url="http://127.0.0.1")
        assert page.get("/api/contents").json()["worlds"] == [{"data": "houses", "source": 0}]
        house = {"source": 0, "building": atlas.world_names[0]}
        paths = []
        for number in range(12):
            route = page.post("/api/annotate/next", json={**house, "how": "random", "guide": "Ada"})
            if route.status_code != 200:
                break
            paths.append(route.json()["path"])
            content = {**house, "path": paths[-1], "how": "random", "guide": "Ada"}
            text = f"Walk past {len(paths[-1]) - 1} places and stop at number {number}."
            assert page.post("/api/annotate", json={**content, "text": text}).status_code == 200
        assert follow(page, "Ben", atlas, paths[0])["end"]["success"]
    routes, proven = tmp_path / "routes.json", tmp_path / "proven.json"
    database = str(people / "people.sqlite")
    main(["export", database, "--format", "routes", "--out", str(routes)])
    main(["export", database, "--format", "routes", "--quality", "1", "--out", str(proven)])
    assert len(json.loads(routes.read_text())) == len(paths) and len(json.loads(proven.read_text())) == 1
    for file, count in ((routes, len(paths)), (proven, 1)):
        out = tmp_path / f"data-{file.stem}"
        build = ["tasks", "build", "--worlds", str(houses), "--routes", str(file), "--out", str(out)]
        main([*build, "--eval-only", "val_unseen", "--sizes", "val_unseen", "30"])
        split = load_split(out, "val_unseen")
        assert len(split) == 30 and len(split.routes) == count
        assert any("stop at number 0" in text for text in split.routes.instructions)
        first = split.routes.path[0]
        assert first[first >= 0].tolist() == paths[0]
    capsys.readouterr()
    for wrong in ([str(tmp_path / "none.sqlite")], [str(routes)], [database, "--quality", "2"]):
        with pytest.raises(SystemExit) as ended:
            main(["export", *wrong, "--format", "routes", "--out", str(tmp_path / "x.json")])
        assert ended.value.code == 2 and capsys.readouterr().err.startswith("helpanna: ")
