"""A real browser (Debian's Chromium, driven by Playwright) and a real page (`helpanna view` in a process)."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chromium import chromium
from random_episodes import random_trajectories
from splits import sample_split
from thinkers import thinking_results

from helpanna.agents.names import make_agent
from helpanna.assistance.assistants import Anna
from helpanna.episodes.trajectory_file import write_trajectories
from helpanna.evaluation.runner import run_episodes
from helpanna.tasks.dataset import load_split, save_dataset
from helpanna.tasks.sampling import PathRange
from helpanna.worlds.atlas import Atlas

_FLAGS = [
    f"--{flag}"
    for flag in (
        "no-sandbox",
        "no-first-run",
        "disable-quic",
        "disable-background-networking",
        "disable-component-update",
        "disable-sync",
        "enable-unsafe-swiftshader",
    )
]


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed.")
    path, why = chromium(tmp_path_factory.getbasetemp().parent / "chromium.lock")
    if path is None:
        pytest.skip(f"Chromium is not installed and cannot be ({why}): install it as `chromium`.")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=_FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def tab(browser: Any) -> Iterator[Any]:
    """A tab in which every mistake of the page is a failure."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    outside: list[str] = []
    page.on("request", lambda request: outside.append(request.url))
    page.set_default_timeout(60_000)
    yield page
    context.close()
    assert wrong == []
    assert [
        url for url in outside if not url.startswith(("http://127.0.0.1:", "data:", "blob:", "file:"))
    ] == []


@pytest.fixture(scope="session")
def results(sample_with_panoramas: Atlas, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two results in a building with pictures; one of them has a name that would be markup."""
    folder = tmp_path_factory.mktemp("browser")
    views = sample_with_panoramas.views
    assert views.panoramas is not None
    split = replace(sample_split(worlds=1), name="val_unseen", atlas=sample_with_panoramas)
    place = (sample_with_panoramas, views.panoramas.folder.parent)
    save_dataset(folder / "data", {"val_unseen": split}, [place], 0, PathRange(), {})
    split = load_split(folder / "data", "val_unseen")
    agent = make_agent("explorer+ask_untried+perfect", split)
    told = {
        "explorer": run_episodes(split, agent, Anna(split), np.arange(40)),
        "<b>anyone</b>": random_trajectories(split, np.arange(50), seed=1),
    }
    files = []
    for number, (name, trips) in enumerate(told.items()):
        files.append(folder / f"{number}.jsonl")
        write_trajectories(files[-1], trips, split, {"dataset": str(folder / "data"), "agent": name})
    return files


@contextmanager
def _served(results: list[Path]) -> Iterator[str]:
    """The page of these results, served by the command: its address."""
    people = results[0].parent / "people"
    command = [sys.executable, "-m", "helpanna.cli", "view", *map(str, results)]
    command += ["--port", "0", "--no-browser", "--people", str(people)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as server:
        assert server.stderr is not None
        said = server.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", said)
        assert found, said
        yield found[0]
        server.terminate()
        server.communicate(timeout=20)


@pytest.fixture(scope="session")
def address(results: list[Path]) -> Iterator[str]:
    """The page, served by the command."""
    with _served(results) as found:
        yield found


@pytest.fixture(scope="session")
def thinkers(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Results of an agent with a map, of a recurrent one and of the explorer, in a house with walls."""
    return thinking_results(tmp_path_factory.mktemp("thinkers"))


@pytest.fixture(scope="session")
def thinking_address(thinkers: list[Path]) -> Iterator[str]:
    """The page with these."""
    with _served(thinkers) as found:
        yield found
