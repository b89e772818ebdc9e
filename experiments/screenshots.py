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
from playwright.sync_api import Page, sync_playwright

from helpanna.viewer.annotate import Annotation
from helpanna.viewer.assist import Desk
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
    parser.add_argument("--only", nargs="*", default=None, help="the names of the pictures to make")
    options = parser.parse_args()
    library = Library(options.files)
    with tempfile.TemporaryDirectory() as people:
        games = Games(library, Path(people))
        game = games.begin(0, options.task).name
        games.act(game, 0, ask=bool(games.state(game)["can_ask"]), action=0)
        people = people_at_work(games, options.task)
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
            ("assist", 1280, "light", people["assist"], None),
            ("assist-narrow", 400, "dark", people["assist"], None),
            ("assist-requests", 1280, "dark", people["assist-requests"], 600),
            ("annotate", 1280, "light", people["annotate"], None),
            ("annotate-narrow", 400, "dark", people["annotate"], None),
            ("annotate-start", 1280, "light", people["annotate-start"], 680),
            ("annotate-draw", 1280, "dark", people["annotate-draw"], 820),
            ("follow", 1280, "light", people["follow"], 750),
        ]
        if options.only is not None:
            shots = [shot for shot in shots if shot[0] in options.only]
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


def people_at_work(games: Games, task: int) -> dict[str, str]:
    """Somebody assists, somebody describes a route, somebody follows one; the places of their pages."""
    desk = Desk(games).send(0, task, "explorer+ask_untried+perfect")
    annotation = Annotation(games)
    atlas = games.library.source(0).split.atlas
    building = atlas.world_names[int(atlas.world_of[games.library.source(0).split.start[task]])]
    texts = [
        "Leave the room, turn left in the corridor and stop at the second door.",
        "Walk past the table, go through the door ahead and wait by the bed.",
    ]
    for text in texts:
        found = annotation.next_route(0, building, "random", "Ada")["path"]
        annotation.write(0, building, found, "random", "Ada", text)
    game = annotation.follow(0, "Ben").name
    games.act(game, 0, ask=False, action=0)
    game = annotation.follow(0, "Ben").name
    path = "-".join(map(str, annotation.next_route(0, building, "random", "Ada")["path"]))
    return {
        "assist": f"#/assist/{desk}",
        "assist-requests": "#/assist",
        "annotate": f"#/annotate/write/0/{building}/random/{path}",
        "annotate-start": "#/annotate",
        "annotate-draw": f"#/annotate/draw/0/{building}",
        "follow": f"#/annotate/follow/{game}",
    }


def at_work(page: Page) -> None:
    """Writes what people would have written, and clicks where they would have clicked."""
    words = page.get_by_label("the instruction")
    if words.count():
        page.get_by_label("your name").fill("Ada")
        words.fill("Walk along the corridor, past the piano, and stop in front of the sofa.")
        if page.locator(".pick").count():
            page.locator(".pick").nth(4).click()
        page.wait_for_timeout(900)  # advice
        page.evaluate("scrollTo(0, 0)")
    elif page.get_by_text("Click where the route starts").count():
        for place in (0, 12):
            page.locator(".pick").nth(place).click()
            page.wait_for_timeout(300)
        page.get_by_text("A route of").wait_for()


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
            at_work(page)
            file = out / f"{name}.jpg"
            page.screenshot(path=file, type="jpeg", quality=82, full_page=height is None)
            print(file)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
