"""The page in a real browser."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpanna.episodes.trajectory_file import read_trajectories
from helpanna.tasks.dataset import load_split
from helpanna.viewer.export import export_page
from helpanna.viewer.library import Library
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.geometry import direction, view_heading
from helpanna.worlds.panoramas import opencv, panorama_pixels

pytestmark = pytest.mark.slow


def test_watch_an_episode(tab: Any, address: str, results: list[Path]) -> None:
    library = Library(results)
    tab.goto(address)
    tab.get_by_role("heading", name="explorer on val_unseen").wait_for()
    assert tab.locator("tbody tr").count() == 40
    tab.get_by_label("success").select_option("false")
    lost = library.results[0].column("success").count(False)
    tab.get_by_text(f"{lost} of 40 episodes").wait_for()
    tab.get_by_label("success").select_option("")
    tab.get_by_role("button", name="requests").click()
    tab.get_by_role("button", name="requests").click()
    most = max(library.results[0].column("requests"))
    assert tab.locator("tbody tr").first.locator("td").nth(4).inner_text() == str(most)
    tab.locator("tbody tr").first.get_by_role("link").first.click()
    tab.get_by_text("step 0 of").wait_for()

    task = int(tab.url.split("/")[-2])
    episode = library.episode(0, task)
    asked = [step["asked"] for step in episode["steps"]].index(True)
    for _ in range(asked + 1):
        tab.keyboard.press("ArrowRight")
    tab.wait_for_url(f"**/#/watch/0/{task}/{asked + 1}")
    words = episode["steps"][asked]["answer"]["words"]
    assert words in tab.locator(".words-now").inner_text()
    tab.reload()
    tab.get_by_text(f"step {asked + 1} of").wait_for()
    tab.keyboard.press("End")
    tab.get_by_text("the end, after").wait_for()
    verdict = "Found." if episode["success"] else "Not found."
    assert verdict in tab.locator(".verdict").inner_text()
    # All that the film shows is noted: it may be over before a slow machine looks again.
    tab.evaluate(
        "window.shown = []; new MutationObserver(() => shown.push(document.body.innerText))"
        ".observe(document.querySelector('.controls'), { childList: true, subtree: true })"
    )
    tab.keyboard.press("Space")
    for words in ("Pause", "step 0 of", "step 1 of"):
        tab.wait_for_function("(words) => shown.some((text) => text.includes(words))", arg=words)
    tab.keyboard.press("Space")
    tab.get_by_text("The command that makes this result again").click()
    assert episode["command"] in tab.locator("code").inner_text()


def test_the_panorama_looks_where_the_camera_looks(tab: Any, address: str, results: list[Path]) -> None:
    library = Library(results)
    split = library.source(0).split
    task = library.results[0].rows[0][0]
    episode = library.episode(0, task)
    first = library.plan(0, episode["world"])["first"]
    for step in range(min(4, len(episode["steps"]))):
        tab.goto(f"{address}#/watch/0/{task}/{step}")
        tab.get_by_text(f"step {step} of").wait_for()
        view = episode["views"][step]
        if view // 12 != 1:
            continue  # only level views are looked at
        picture = split.atlas.views.panorama(first + episode["places"][step])
        for _ in range(60):  # the picture may still be on its way
            wrong = _wrong_places(_screenshot(tab), picture, float(view_heading(view)))
            if not wrong:
                break
            tab.wait_for_timeout(250)
        assert not wrong, step


def _screenshot(tab: Any) -> np.ndarray:
    shot = np.frombuffer(tab.locator(".panorama canvas").first.screenshot(), np.uint8)
    cv2 = opencv()
    return cv2.imdecode(shot, cv2.IMREAD_COLOR)[..., ::-1]


def _wrong_places(shot: np.ndarray, picture: np.ndarray, heading: float) -> list[tuple[float, float]]:
    """Where in the view another colour is seen than the panorama has there."""
    wrong = []
    # The pictures are blocks of colour, a quarter turn wide: two directions well inside the view.
    for turn, rise in ((0.0, 0.3), (0.5, 0.3), (-0.5, -0.3)):
        ray = direction(heading + turn, rise)
        x, y = panorama_pixels(ray, picture.shape[1], picture.shape[0])
        if min(float(x) % 16, 16 - float(x) % 16) < 2:
            continue  # on the edge of two blocks
        scale = shot.shape[0] / 2 / np.tan(np.radians(75) / 2)
        across = shot.shape[1] / 2 + np.tan(turn) * scale
        down = shot.shape[0] / 2 - np.tan(rise) / np.cos(turn) * scale
        seen = shot[int(down), int(across)].astype(int)
        if np.abs(seen - picture[int(y), int(x)].astype(int)).max() >= 30:
            wrong.append((turn, rise))
    return wrong


def test_names_are_text_and_never_markup(tab: Any, address: str) -> None:
    tab.goto(f"{address}#/watch/1")
    tab.get_by_role("heading", name="<b>anyone</b> on val_unseen").wait_for()
    assert tab.locator("h1 b").count() == 0
    tab.locator("tbody tr").first.get_by_role("link").first.click()
    tab.get_by_text("What the agent noted").wait_for()
    assert tab.get_by_role("meter").count() == 4


def test_compare_and_overview(tab: Any, address: str, results: list[Path]) -> None:
    found = Library(results).compare(0, 1)
    tab.goto(f"{address}#/compare/0/1")
    tab.get_by_text("On the 40 tasks that both have.").wait_for()
    shown = [tab.locator("section").first.locator("td").nth(i).inner_text() for i in range(4)]
    assert shown == [str(count) for count in found["counts"]]
    tab.get_by_label("show").select_option("all")
    tab.get_by_text("40 of 40 tasks").wait_for()
    tab.get_by_role("button", name="Where task").first.click()
    tab.locator("tbody td a", has_text="A").first.wait_for()
    tab.goto(f"{address}#/overview/1")
    tab.get_by_text("of these, lost").wait_for()
    assert tab.locator(".plan .visits").count() > 0


def near(atlas: Atlas, place: int) -> list[int]:
    """A place, then its neighbours."""
    return [int(v) for v in atlas.action_location[place, 0] if v >= 0]


def ways(atlas: Atlas, place: int) -> list[float]:
    """How far the ways on from a place lead."""
    steps = [np.linalg.norm(atlas.position[v] - atlas.position[place]) for v in near(atlas, place)[1:]]
    return sorted(round(float(metres), 2) for metres in steps)


def test_play_a_whole_task(tab: Any, address: str, results: list[Path]) -> None:
    split = load_split(results[0].parent / "data", "val_unseen")
    atlas = split.atlas
    starts = [t for t in range(40) if split.zones[split.start[t], 0] >= 0]
    task = starts[0]
    tab.goto(f"{address}#/play")
    tab.get_by_label("task number").fill(str(task))
    tab.get_by_role("button", name="Begin").click()
    tab.get_by_role("button", name="Ask for help").click()
    tab.get_by_text("ANNA says").wait_for()
    assert tab.locator(".words-now q").inner_text() in split.routes.instructions
    tab.reload()
    tab.get_by_text("Step 1 of at most 50").wait_for()
    tab.get_by_text("Leave the route where you see this").wait_for()
    tab.get_by_role("button", name="Leave the route here").click()
    tab.get_by_text("Step 2 of at most 50").wait_for()

    game = tab.evaluate("location.hash.split('/').pop()")
    state = tab.evaluate(f"fetch('/api/play/{game}').then((r) => r.json())")
    assert state["step"] == 2
    # The person was taken to the start of some route: how far the ways lead from there tells where.
    here = next(
        v
        for v in near(atlas, int(split.start[task]))
        if ways(atlas, v) == sorted(w[3] for w in state["ways"])
    )
    view = 12 + round(state["heading"] / (np.pi / 6)) % 12 + 12 * (round(state["elevation"] / (np.pi / 6)))
    goal = int(split.goal_sets.nearest_to(split.goal_set[task], here))
    step = 2
    while here != goal:
        action = int(atlas.actions_towards(here, view, goal))
        buttons = tab.get_by_role("group", name="Ways on").get_by_role("button")
        buttons.nth(action - 1).click()
        here, view = (int(table[here, view, action]) for table in (atlas.action_location, atlas.action_view))
        step += 1
        tab.get_by_text(f"Step {step} of at most 50").wait_for()
    tab.get_by_role("button", name="Stop: it is here").click()
    tab.get_by_role("heading", name="You found it.").wait_for()
    rows = tab.locator("tbody tr")
    assert rows.nth(0).inner_text().startswith("you") and "explorer" in rows.nth(1).inner_text()
    stored = read_trajectories(results[0].parent / "people" / "human-val_unseen.jsonl", split)
    assert stored.task.tolist() == [task] and stored.asked.sum() == 1 and stored.final[0] == goal


def test_walking_by_a_click_in_the_panorama(tab: Any, address: str) -> None:
    tab.goto(f"{address}#/play")
    tab.get_by_role("button", name="Begin").click()
    tab.get_by_text("Step 0 of at most 50").wait_for()
    box = tab.locator(".panorama").first.bounding_box()
    for _ in range(12):  # look around until a way is in sight
        seen = tab.locator("button.way:visible")
        if seen.count():
            break
        tab.mouse.move(box["x"] + 300, box["y"] + 100)
        tab.mouse.down()
        tab.mouse.move(box["x"] + 100, box["y"] + 100, steps=3)
        tab.mouse.up()
    seen.first.click()
    tab.get_by_text("Step 1 of at most 50").wait_for()


@pytest.mark.parametrize("place", ["#/watch/0", "#/watch/0/0/1", "#/compare/0/1", "#/overview/0", "#/play"])
def test_a_narrow_dark_page_has_nothing_beside_it(tab: Any, address: str, place: str) -> None:
    tab.set_viewport_size({"width": 400, "height": 800})
    tab.emulate_media(color_scheme="dark")
    tab.goto(address + place)
    tab.locator("h1").wait_for()
    tab.wait_for_timeout(300)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 400
    background = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == "rgb(20, 24, 28)"
    unnamed = tab.evaluate(
        "[...document.querySelectorAll('button, a, select, input')].filter((one) => !(one.textContent.trim() "
        "|| one.getAttribute('aria-label') || one.labels?.length)).length"
    )
    assert unnamed == 0


def test_an_exported_page_needs_no_server(tab: Any, results: list[Path], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert export_page(Library(results), page)
    tab.goto(page.as_uri())
    tab.get_by_role("heading", name="explorer on val_unseen").wait_for()
    tab.locator("tbody tr").first.get_by_role("link").first.click()
    tab.get_by_text("step 0 of").wait_for()
    tab.keyboard.press("ArrowRight")
    tab.get_by_text("step 1 of").wait_for()
    tab.get_by_role("link", name="Compare").click()
    tab.get_by_text("On the 40 tasks that both have.").wait_for()
    tab.get_by_role("link", name="Overview").click()
    tab.get_by_text("of these, lost").wait_for()
