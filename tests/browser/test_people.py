"""People on the page in a real browser: one assists, one guides, one follows."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpanna.tasks.dataset import load_split
from helpanna.tasks.split import Split

pytestmark = pytest.mark.slow


@pytest.fixture
def split(results: list[Path]) -> Split:
    return load_split(results[0].parent / "data", "val_unseen")


@pytest.fixture
def other_tab(browser: Any) -> Iterator[Any]:
    """Another person, with a browser of their own."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()


def task_with_help(split: Split) -> int:
    far = split.goal_sets.distance_from(split.goal_set, split.start) > 6
    return int(np.flatnonzero((split.zones[split.start, 0] >= 0) & far)[0])


def answer(tab: Any, words: str, place: int) -> None:
    tab.get_by_label("the instruction").fill(words)
    tab.get_by_label(f"place {place},").click()
    tab.get_by_text(f"The picture is of place {place}").wait_for()
    tab.get_by_role("button", name="Send the answer").click()


def test_assist_an_agent_to_its_goal(tab: Any, address: str, split: Split) -> None:
    task = task_with_help(split)
    goal = int(split.goal_sets.members[int(split.goal_set[task])][0])
    tab.goto(f"{address}#/assist")
    tab.get_by_text("Nobody asks at the moment").wait_for()
    tab.get_by_label("task number").fill(str(task))
    tab.get_by_role("button", name="Send the agent").click()
    tab.get_by_text("asks for help").wait_for()
    assert split.texts[int(split.request[task])] in tab.locator(".words-now").inner_text()
    tab.get_by_label("your name").fill("Ada")
    tab.get_by_label("the instruction").fill("Walk to the")
    tab.reload()  # in the middle of a sentence
    tab.get_by_text("asks for help").wait_for()
    assert tab.get_by_label("the instruction").input_value() == "Walk to the"
    assert tab.get_by_label("your name").input_value() == "Ada"
    answer(tab, "Walk to the <b>goal</b>.", goal)
    tab.get_by_text("Walk to the <b>goal</b>.").first.wait_for()
    assert tab.locator(".heard b").count() == 0
    for _ in range(10):
        tab.locator(".words-now", has_text="asks for help").or_(tab.get_by_text("✓ found")).first.wait_for()
        if tab.get_by_text("✓ found").count():
            break
        answer(tab, "You are nearly there.", goal)
    tab.get_by_text("helped-by-person-val_unseen.jsonl").wait_for()


def test_one_person_plays_and_another_assists(tab: Any, other_tab: Any, address: str, split: Split) -> None:
    task = task_with_help(split)
    tab.goto(f"{address}#/play")
    tab.get_by_label("task number").fill(str(task))
    tab.get_by_label("who helps").select_option("person")
    tab.get_by_role("button", name="Begin").click()
    tab.get_by_role("button", name="Ask for help").click()
    tab.get_by_text("Somebody is asked").wait_for()
    tab.reload()
    tab.get_by_text("Somebody is asked").wait_for()
    other_tab.goto(f"{address}#/assist")
    other_tab.get_by_role("row", name="human").get_by_role("link", name="Answer").click()
    other_tab.get_by_label("your name").fill("Ada")
    answer(other_tab, "Turn around and walk on.", 2)
    tab.get_by_text("the assistant says").wait_for()
    assert tab.locator(".words-now q").inner_text() == "Turn around and walk on."
    tab.get_by_role("button", name="Leave the route here").click()
    tab.get_by_role("button", name="Stop: it is here").click()
    tab.get_by_text("metres left").wait_for()
    other_tab.get_by_text("after 3 steps and 1 request").wait_for()


def test_annotate_and_follow(tab: Any, other_tab: Any, address: str, split: Split) -> None:
    """A guide draws a route and describes it; a follower, who is somebody else, arrives by the words."""
    atlas = split.atlas
    end = next(p for p in range(40) if len(atlas.path(0, p)) == 4 and atlas.floor[p] == atlas.floor[0])
    path = atlas.path(0, end)
    tab.goto(f"{address}#/annotate")
    tab.get_by_text("Nothing yet.").wait_for()
    tab.get_by_label("your name").fill("Ada")
    tab.get_by_label("routes").select_option("drawn")
    tab.get_by_role("button", name="Describe a route").click()
    for place in (0, end):
        tab.get_by_label(f"place {place},").click()
    tab.get_by_text("A route of 4 places.").wait_for()
    tab.get_by_role("button", name="Describe this route").click()
    for step in range(2, 5):
        tab.get_by_role("button", name="Walk on").click()
        tab.get_by_text(f"place {step} of 4").wait_for()
    tab.get_by_text("Here the route ends.").wait_for()
    tab.get_by_label("the instruction").fill("Go past the piano.")
    tab.get_by_text("Perhaps not in sight along the route: piano.").wait_for()
    tab.get_by_text("few words").wait_for()
    tab.reload()
    tab.get_by_text("place 1 of 4").wait_for()
    assert tab.get_by_label("the instruction").input_value() == "Go past the piano."
    words = "Walk on three times, always the shortest way, then stop."
    tab.get_by_label("the instruction").fill(words)
    tab.get_by_text("10 words").wait_for()
    assert tab.locator(".advice li").count() == 0
    tab.get_by_role("button", name="Store the instruction").click()
    tab.get_by_text("Stored. Thank you.").wait_for()
    tab.get_by_role("link", name="Back to the start").click()

    other_tab.goto(f"{address}#/annotate")
    other_tab.get_by_label("your name").fill("Ada")
    other_tab.get_by_role("button", name="Follow an instruction").click()
    other_tab.get_by_text("there is nothing that somebody else has written").wait_for()
    other_tab.get_by_label("your name").fill("Ben")
    other_tab.get_by_role("button", name="Follow an instruction").click()
    other_tab.get_by_text("follow these words").wait_for()
    assert other_tab.locator(".words-now q").inner_text() == words
    assert other_tab.locator(".plan").count() == 0  # no map
    game = other_tab.evaluate("location.hash.split('/').pop()")
    state = other_tab.evaluate(f"fetch('/api/play/{game}').then((r) => r.json())")
    view = 12 + round(state["heading"] / (np.pi / 6)) % 12
    for step, (here, there) in enumerate(pairwise(path), start=1):
        action = atlas.action_location[here, view].tolist().index(there)
        view = int(atlas.action_view[here, view, action])
        other_tab.get_by_role("group", name="Ways on").get_by_role("button").nth(action - 1).click()
        other_tab.get_by_text(f"Step {step} of at most 50").wait_for()
        if step == 1:
            other_tab.reload()
            other_tab.get_by_text("Step 1 of at most 50").wait_for()
    other_tab.get_by_role("button", name="Stop: I am there").click()
    other_tab.get_by_role("heading", name="You arrived.").wait_for()
    tab.reload()
    tab.get_by_text("1 of 1").wait_for()
    with tab.expect_download() as download:
        tab.get_by_role("link", name="Route file of all").click()
    assert words in Path(download.value.path()).read_text()


@pytest.mark.parametrize(
    "place",
    ["#/assist", "#/annotate", "#/annotate/draw/0/house%200", "#/annotate/write/0/house%200/lemma/PATH"],
)
def test_a_narrow_dark_page_has_nothing_beside_it(tab: Any, address: str, split: Split, place: str) -> None:
    path = "-".join(map(str, split.atlas.path(0, 20)))
    tab.set_viewport_size({"width": 400, "height": 800})
    tab.emulate_media(color_scheme="dark")
    tab.goto(address + place.replace("PATH", path))
    tab.locator("h1").wait_for()
    tab.wait_for_timeout(300)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 400
    unnamed = tab.evaluate(
        "[...document.querySelectorAll('button, a, select, input, textarea, [tabindex]')].filter((one) => "
        "!(one.textContent.trim() || one.getAttribute('aria-label') || one.labels?.length) && "
        "one.id !== 'main').length"
    )
    assert unnamed == 0
