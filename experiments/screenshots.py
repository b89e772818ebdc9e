"""The pictures of the page in docs/viewer: `python experiments/screenshots.py A.jsonl B.jsonl --task 3`.

Needs Playwright and Chromium. Take results in generated houses: pictures of real ones may not be published.
"""

import argparse
import shutil
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import quote, urlencode

import uvicorn
from playwright.sync_api import sync_playwright

from helpanna.viewer.library import Library
from helpanna.viewer.play import Games
from helpanna.viewer.server import make_app

FLAGS = [f"--{flag}" for flag in ("no-sandbox", "disable-background-networking", "enable-unsafe-swiftshader")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--task", type=int, required=True, help="whose episode is shown")
    parser.add_argument("--step", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("docs/viewer"))
    options = parser.parse_args()
    library = Library(options.files)
    with tempfile.TemporaryDirectory() as people:
        games = Games(library, Path(people))
        game = games.begin(0, options.task).name
        games.act(game, 0, ask=bool(games.state(game)["can_ask"]), action=0)
        film = f"#/watch/0/{options.task}/{options.step}"
        shots = [
            ("episodes", 1280, "light", "#/watch/0", 700),
            ("film", 1280, "light", film, None),
            ("film-narrow", 400, "dark", film, 1500),
            ("compare", 1280, "light", "#/compare/0/1", 800),
            ("overview", 1280, "dark", "#/overview/0", None),
            ("live", 1280, "light", "#/live", None),
            ("live-narrow", 400, "dark", "#/live", None),
            ("overview-narrow", 400, "light", "#/overview/0", None),
            ("what-if", 1280, "dark", what_if(options.task, options.step), None),
            ("play", 1280, "light", f"#/play/{game}", 750),
        ]
        server = uvicorn.Server(uvicorn.Config(make_app(library, games), port=0, log_level="warning"))
        threading.Thread(target=server.run, daemon=True).start()
        while not server.started:
            time.sleep(0.1)
        port = server.servers[0].sockets[0].getsockname()[1]
        take(f"http://127.0.0.1:{port}/", shots, options.out)
        server.should_exit = True


def what_if(task: int, step: int) -> str:
    wish = {"source": 0, "task": task, "result": 0, "step": step, "agent": "shortest"}
    return f"#/live/{quote(urlencode(wish), safe='')}/{step + 1}"


def take(address: str, shots: list[tuple], out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for name, width, scheme, place, height in shots:
            page = browser.new_page(viewport={"width": width, "height": height or 900}, color_scheme=scheme)
            page.goto(address + place)
            page.locator("h1").wait_for()
            page.wait_for_load_state("networkidle", timeout=120_000)  # an agent may have to think
            page.wait_for_timeout(800)  # the pictures are drawn
            file = out / f"{name}.jpg"
            page.screenshot(path=file, type="jpeg", quality=82, full_page=height is None)
            print(file)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
