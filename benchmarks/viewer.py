"""The page: how fast a result of 5,000 episodes opens, how fast a film is told, how long players wait.

Opening is measured in a process of its own, with its memory. Fifty players click once a second each, at once,
against `helpanna view` in another process; every click of theirs is on disk before it is answered. The
browser's own time is not measured.
"""

import json
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import numpy as np
from harness import Figure, report

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from random_episodes import random_trajectories
from splits import sample_split

from helpanna.episodes.trajectory_file import write_trajectories
from helpanna.tasks.dataset import load_split, save_dataset
from helpanna.tasks.sampling import PathRange
from helpanna.worlds.storage import save_atlas

EPISODES, SPLIT = 5000, "train"
PLAYERS, CLICKS, PAUSE = 50, 8, 1.0
FILMS = 40
SECONDS = 30
"""How long any one answer may take before the measurement is given up."""

OPEN = """
import sys
from pathlib import Path
from harness import best_seconds, peak_megabytes
import helpanna.viewer.server
from helpanna.viewer.library import Library
print(best_seconds(lambda: Library([Path(sys.argv[1])]).episodes(0), repeats=3), peak_megabytes())
"""


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = make_result(folder)
        command = [sys.executable, "-c", OPEN, str(file)]
        said = subprocess.run(
            command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True, timeout=120
        )
        opened, peak = map(float, said.stdout.split())
        with Page(file, folder / "people") as page:
            films, steps = page.watch()
            waits = page.play()
        return [
            Figure("file", file.stat().st_size / 1e6, "MB"),
            Figure("opening", opened, "s", at_most=2),
            Figure("memory", peak, "MB", at_most=500),
            Figure("a film, all its steps, median", 1000 * statistics.median(films), "ms"),
            Figure("a step of a film, median", 1000 * statistics.median(steps), "ms", at_most=50),
            Figure("a player's click, median", 1000 * statistics.median(waits), "ms", at_most=100),
            Figure("a player's click, 95 %", 1000 * statistics.quantiles(waits, n=20)[-1], "ms"),
        ]


def make_result(folder: Path) -> Path:
    """A result of 5,000 episodes of random decisions in sample buildings."""
    split = sample_split(worlds=20)
    save_atlas(split.atlas, folder / "atlas")
    atlas = [(split.atlas, folder / "atlas")]
    save_dataset(folder / "data", {SPLIT: split}, atlas, 0, PathRange(), {})
    split = load_split(folder / "data", SPLIT)
    if len(split) < EPISODES:
        sys.exit(f"there are {len(split)} tasks only")
    trips = random_trajectories(split, np.arange(EPISODES), seed=1)
    write_trajectories(folder / "run.jsonl", trips, split, {"dataset": str(folder / "data"), "agent": "any"})
    return folder / "run.jsonl"


class Page:
    """`helpanna view` in a process of its own."""

    def __init__(self, file: Path, people: Path) -> None:
        command = [sys.executable, "-m", "helpanna.cli", "view", str(file), "--port", "0", "--no-browser"]
        self._server = subprocess.Popen(
            [*command, "--people", str(people)], stderr=subprocess.PIPE, text=True
        )

    def __enter__(self) -> "Page":
        found = re.search(r":(\d+)/", self._server.stderr.readline())
        if not found:
            self.__exit__()
            sys.exit("the page did not start")
        self.port = int(found[1])
        for _ in range(100):  # the address is printed just before the server listens
            try:
                self.ask("GET", "/api/contents")
                break
            except OSError:
                time.sleep(0.1)
        return self

    def __exit__(self, *error: object) -> None:
        self._server.kill()
        self._server.communicate(timeout=SECONDS)

    def watch(self) -> tuple[list[float], list[float]]:
        """What opening each film takes, and each of its steps: what is around the place, and the plan."""
        self.ask("GET", "/api/results/0/episodes/0")  # the split is read
        films, steps = [], []
        for task in range(1, FILMS + 1):
            start = time.perf_counter()
            film = self.ask("GET", f"/api/results/0/episodes/{task}")
            films.append(time.perf_counter() - start)
            building = film["world"].replace(" ", "%20")
            first = self.ask("GET", f"/api/sources/0/plan/{building}")["first"]
            for place in film["places"][:5]:
                start = time.perf_counter()
                self.ask("GET", f"/api/sources/0/around/{first + place}")
                steps.append(time.perf_counter() - start)
        return films, steps

    def play(self) -> list[float]:
        """What each click of all players took, in seconds."""
        waits: list[float] = []
        failed: list[BaseException] = []
        players = [
            threading.Thread(target=self._play, args=(task, waits, failed), daemon=True)
            for task in range(PLAYERS)
        ]
        for player in players:
            player.start()
            time.sleep(PAUSE / PLAYERS)
        end = time.monotonic() + CLICKS * PAUSE + 2 * SECONDS
        for player in players:
            player.join(timeout=max(end - time.monotonic(), 0.1))
        if failed or any(player.is_alive() for player in players):
            sys.exit(f"players were left without an answer: {failed[:1]}")
        return waits

    def _play(self, task: int, waits: list[float], failed: list[BaseException]) -> None:
        try:
            game = self.ask("POST", "/api/play", {"source": 0, "task": task})["game"]
            for step in range(CLICKS):
                time.sleep(PAUSE)
                start = time.perf_counter()
                state = self.ask("POST", f"/api/play/{game}", {"step": step, "action": 1})
                waits.append(time.perf_counter() - start)
                if state["step"] != step + 1:
                    raise RuntimeError(f"step {state['step']} after {step}")
        except Exception as error:  # told by who waits for the players
            failed.append(error)

    def ask(self, method: str, path: str, content: dict | None = None) -> Any:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        try:
            body = None if content is None else json.dumps(content)
            connection.request(method, path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read()
        finally:
            connection.close()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {text[:200]!r}")
        return json.loads(text)


if __name__ == "__main__":
    note = f"{EPISODES:,} episodes of random decisions in sample buildings, {PLAYERS} players at once"
    report("The page", note, measure)
