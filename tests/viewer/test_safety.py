"""The page gives nothing away, and obeys nobody but its own reader."""

import json
import re
from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from helpanna.viewer.files import STATIC, static_files
from helpanna.viewer.safety import COOKIE, LARGEST_BODY

Browse = Callable[..., TestClient]


def test_every_answer_has_a_strict_policy(browse: Browse) -> None:
    page = browse()
    for path in ("/", "/static/main.js", "/api/contents", "/api/nothing", "/static/../server.py"):
        headers = page.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/..%2fserver.py",
        "/static/%2e%2e/%2e%2e/viewer/server.py",
        "/static//etc/passwd",
        "/static/vendor/../../server.py",
        "/static/",
        "/api/sources/0/panorama/..%2f..%2fmanifest.json",
        "/api/sources/0/plan/..%2f..%2fmanifest.json",
        "/api/results/..%2f0/episodes",
        "/openapi.json",
        "/docs",
    ],
)
def test_no_path_reaches_the_file_system(browse: Browse, path: str) -> None:
    answer = browse().get(path)
    assert answer.status_code in (404, 422) and "import" not in answer.text and "sha256" not in answer.text


def test_the_packages_own_files_are_served(browse: Browse) -> None:
    page = browse()
    for name, content in static_files().items():
        assert page.get(f"/static/{name}").content == content
    assert page.get("/").headers["content-type"].startswith("text/html")


def test_nothing_outside_is_asked_for_and_nothing_is_read_as_html() -> None:
    for path in sorted(STATIC.glob("*")):
        if path.suffix in (".js", ".css", ".html"):
            text = path.read_text()
            for word in (
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "document.write",
                "eval(",
                "Function(",
            ):
                assert word not in text, path
            assert set(re.findall(r"https?://[^\s\"'`]+", text)) <= {"http://www.w3.org/2000/svg"}, path
    assert "<script>" not in (STATIC / "index.html").read_text()


def test_names_from_files_arrive_as_data(browse: Browse) -> None:
    answer = browse().get("/api/contents")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["results"][1]["name"] == "anyone <b>bold</b>"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "["])
def test_other_names_of_this_machine_are_refused(browse: Browse, host: str) -> None:
    assert browse().get("/api/contents", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "[::1]:9"])
def test_this_machine_may_read(browse: Browse, host: str) -> None:
    assert browse().get("/api/contents", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://["},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_posts_of_other_pages_are_refused(browse: Browse, headers: dict[str, str]) -> None:
    assert browse().post("/api/play", json={"source": 0}, headers=headers).status_code == 403


PEOPLE = {
    "/api/assist": {"source": 0, "agent": "explorer+ask_untried"},
    "/api/assist/any": {"step": 0, "assistant": "Ada", "words": "Go on."},
    "/api/annotate/next": {"source": 0, "building": "house 0", "how": "lemma", "guide": "Ada"},
    "/api/annotate/drawn": {"source": 0, "building": "house 0", "path": [0, 1]},
    "/api/annotate/walk": {"source": 0, "building": "house 0", "path": [0, 1]},
    "/api/annotate/advice": {"source": 0, "building": "house 0", "path": [0, 1], "text": "Go on."},
    "/api/annotate": {
        "source": 0, "building": "house 0", "path": [0, 1], "how": "drawn", "guide": "Ada", "text": "Go on."
    },
    "/api/follow": {"source": 0, "follower": "Ben"},
}  # fmt: skip


@pytest.mark.parametrize("path", PEOPLE)
def test_what_people_do_is_guarded_like_the_rest(browse: Browse, path: str) -> None:
    page, good = browse(), PEOPLE[path]
    for headers in ({"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}):
        assert page.post(path, json=good, headers=headers).status_code == 403
    assert page.post(path, data={"source": "0"}).status_code == 415
    assert page.post(path, json={**good, "more": "x" * LARGEST_BODY}).status_code == 413
    assert page.post(path, json=[good]).status_code == 422
    for name, value in good.items():
        wrong = "x" * 5000 if isinstance(value, str) else {"a": 1}
        assert page.post(path, json={**good, name: wrong}).status_code in (400, 404, 422)
    assert page.put(path, json=good).status_code == 405
    guarded = browse(token="a secret")
    assert guarded.post(path, json=good).status_code == 401
    assert guarded.get("/api/routes.json").status_code == guarded.get("/api/assist").status_code == 401
    assert "default-src 'none'" in page.post(path, json=good).headers["content-security-policy"]
    assert page.get("/api/routes.json?quality=2").status_code == 422


def test_posts_must_be_json_and_small(browse: Browse) -> None:
    page = browse()
    assert page.post("/api/play", data={"source": "0"}).status_code == 415
    assert page.post("/api/play", content="source=0").status_code == 415
    as_json = {"content-type": "application/json"}
    large = json.dumps({"source": 0, "more": "x" * LARGEST_BODY})
    assert page.post("/api/play", content=large, headers=as_json).status_code == 413
    in_pieces = (piece.encode() for piece in [large[:1000]] * 100)  # says nothing of its size
    assert page.post("/api/play", content=in_pieces, headers=as_json).status_code == 413
    assert page.post("/api/play", content="{", headers=as_json).status_code == 422
    assert page.put("/api/play", json={}).status_code == 405 and page.delete("/").status_code == 405
    assert (
        page.post("/api/play", json={"source": 0}, headers={"origin": "http://127.0.0.1"}).status_code == 200
    )


def test_strangers_need_the_token(browse: Browse) -> None:
    page = browse(token="a secret")
    for path in (
        "/",
        "/static/main.js",
        "/api/contents",
        "/?token=another",
        "/api/contents?token=a%20secret",
    ):
        assert page.get(path).status_code == 401
    assert page.post("/api/play", json={"source": 0}).status_code == 401
    assert page.get("/api/contents", headers={"authorization": "Bearer a secret"}).status_code == 200
    entered = page.get("/?token=a%20secret", follow_redirects=False)
    assert entered.status_code == 303 and entered.headers["location"] == "/"
    cookie = entered.headers["set-cookie"].lower()
    assert COOKIE in cookie and "httponly" in cookie and "samesite=strict" in cookie
    assert page.get("/api/contents").status_code == 200
