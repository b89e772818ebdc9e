"""What is stored survives: a restart, a second server, and being killed at any moment under load."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from helpanna.errors import InputError
from helpanna.viewer.store import FILE, GameRow, InstructionRow, Store

Browse = Callable[..., TestClient]


def test_an_unfinished_game_goes_on_after_a_restart(browse: Browse, tmp_path: Path) -> None:
    before = browse()
    game = before.post("/api/play", json={"source": 0, "task": 5}).json()["game"]
    for step in range(3):
        state = before.post(f"/api/play/{game}", json={"step": step, "action": 1}).json()
    after = browse()
    assert after.get(f"/api/play/{game}").json() == state and state["step"] == 3
    ended = after.post(f"/api/play/{game}", json={"step": 3, "action": 0}).json()
    assert ended["over"] and ended["end"]["counts"]
    # The other server, which was not killed after all, must not go on from the past.
    assert before.post(f"/api/play/{game}", json={"step": 3, "action": 1}).json() == ended
    assert browse().get(f"/api/play/{game}").json() == ended


def test_a_game_whose_end_was_not_noted_still_counts(browse: Browse, tmp_path: Path) -> None:
    page = browse()
    game = page.post("/api/play", json={"source": 0, "task": 5}).json()["game"]
    ended = page.post(f"/api/play/{game}", json={"step": 0, "action": 0}).json()
    with sqlite3.connect(tmp_path / "people" / FILE) as db:  # as if it were killed after the file was written
        db.execute("UPDATE games SET ended = NULL")
    db.close()
    assert browse().get(f"/api/play/{game}").json() == ended and ended["end"]["counts"]
    again = page.post("/api/play", json={"source": 0, "task": 5}).json()["game"]
    second = page.post(f"/api/play/{again}", json={"step": 0, "action": 0}).json()
    assert second["end"]["counts"] is False


def test_a_file_that_is_none_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a database, " * 100)
    with pytest.raises(InputError, match=r"cannot be used .*file is not a database"):
        Store(tmp_path / "text")
    with pytest.raises(InputError, match="cannot be used"):
        Store(tmp_path / "text" / "below" / FILE)
    store = Store(tmp_path / FILE)
    store.close()
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("PRAGMA user_version = 7")
    db.close()
    with pytest.raises(InputError, match="version 7"):
        Store(tmp_path / FILE)


def test_the_log_is_on_disk_before_anything_is_acknowledged(tmp_path: Path) -> None:
    store = Store(tmp_path / FILE)
    assert store._rows("PRAGMA journal_mode") == [("wal",)]
    assert store._rows("PRAGMA synchronous") == [(2,)]  # FULL
    store.close()


def test_each_step_and_each_request_counts_once(tmp_path: Path) -> None:
    store, other = Store(tmp_path / FILE), Store(tmp_path / FILE)
    store.add_game(GameRow("g", "d", "data", "train", 0, "human"))
    assert store.add_move("g", 0, False, 1) and not other.add_move("g", 0, False, 2)
    assert store.moves("g") == {0: (False, 1)}
    assert store.add_request("g", 1, 9.0) and not other.add_request("g", 1, 99.0)
    assert other.answer("g", 1, "a", "go", 4) and not store.answer("g", 1, "b", "stay", None)
    assert store.requests("g")[1].words == "go" and store.waiting() == []
    row = InstructionRow(0, "house", ("a", "b"), 12, "go on", "Ada", "drawn")
    assert store.add_instruction(row) == other.add_instruction(row) == 1
    for one in (store, other):
        one.close()


SERVE = """
import os, socket, sys
from pathlib import Path
import uvicorn
from helpanna.viewer.library import Library
from helpanna.viewer.play import Games
from helpanna.viewer.server import make_app
library = Library([], Path(sys.argv[1]))
library.source(0).split
for line in sys.stdin:  # a server for each line, in a process of its own that has imported everything
    child = os.fork()
    if not child:
        config = uvicorn.Config(make_app(library, Games(library, Path(sys.argv[2]))), log_level="error")
        listener = socket.create_server(("127.0.0.1", 0))
        print(os.getpid(), listener.getsockname()[1], flush=True)
        uvicorn.Server(config).run(sockets=[listener])
        os._exit(0)
    os.waitpid(child, 0)
    print("gone", flush=True)
"""


def ask(port: int, path: str, content: dict | None = None) -> dict | list:
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    try:
        body = None if content is None else json.dumps(content)
        method = "GET" if content is None else "POST"
        connection.request(method, path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        return json.loads(answer.read())
    finally:
        connection.close()


class Servers:
    """One server after the other, each killed."""

    def __init__(self, data: Path, people: Path) -> None:
        command = [sys.executable, "-c", SERVE, str(data), str(people)]
        self._parent = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._child = 0

    def start(self) -> int:
        """The port of a new server."""
        self._parent.stdin.write("serve\n")
        self._child, port = map(int, self._parent.stdout.readline().split())
        return port

    def kill(self) -> None:
        os.kill(self._child, signal.SIGKILL)
        assert self._parent.stdout.readline() == "gone\n"
        self._child = 0

    def close(self) -> None:
        self._parent.kill()
        if self._child:
            os.kill(self._child, signal.SIGKILL)
        self._parent.communicate(timeout=120)


class Load:
    """Guides and players who do one thing after the other until the server is gone."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.steps: dict[str, int] = {}
        self.count = 0

    def guide(self, port: int, name: str) -> None:
        while True:
            self.count += 1
            text = f"{name} says walk on for the {self.count} th time"
            content = {"source": 0, "building": "house 0", "path": [0, 1], "how": "drawn", "guide": name}
            try:
                ask(port, "/api/annotate", {**content, "text": text})
            except (OSError, HTTPException):
                return
            self.written.append(text)

    def player(self, port: int, task: int) -> None:
        try:
            game = ask(port, "/api/play", {"source": 0, "task": task})["game"]
            self.steps[game] = 0
            for step in range(40):
                self.steps[game] = ask(port, f"/api/play/{game}", {"step": step, "action": 1})["step"]
        except (OSError, HTTPException):
            return


@pytest.mark.slow
def test_all_that_was_acknowledged_survives_kill_9(data: Path, tmp_path: Path) -> None:
    from helpanna.tasks.dataset import load_split

    atlas = load_split(data, "val_unseen").atlas
    assert "house 0" in atlas.world_names and 1 in atlas.action_location[0, 0, 1:]
    rng = random.Random(0)
    load = Load()
    servers = Servers(data, tmp_path / "people")
    try:
        for turn in range(21):
            port = servers.start()
            kept = {text for record in ask(port, "/api/routes.json") for text in record["instructions"]}
            assert set(load.written) <= kept, turn
            for game, step in load.steps.items():
                assert ask(port, f"/api/play/{game}")["step"] >= step, turn
            load.steps.clear()
            if turn == 20:
                break
            who = [threading.Thread(target=load.guide, args=(port, f"guide {i}")) for i in range(3)]
            who += [threading.Thread(target=load.player, args=(port, i)) for i in range(3)]
            for one in who:
                one.start()
            while len(load.written) < 5 * (turn + 1):  # there is some load, however slow the machine is
                assert any(one.is_alive() for one in who)
                time.sleep(0.01)
            time.sleep(rng.random() * 0.4)
            servers.kill()
            for one in who:
                one.join(timeout=150)
                assert not one.is_alive()
    finally:
        servers.close()
    with sqlite3.connect(tmp_path / "people" / FILE) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    db.close()
