"""What agents think, plans with walls, and agents that act live, in a real browser."""

from pathlib import Path
from typing import Any

import pytest

from helpanna.viewer.library import Library

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def library(thinkers: list[Path]) -> Library:
    return Library(thinkers)


def shares(tab: Any) -> list[str]:
    return tab.locator("td.share .value").all_inner_texts()


@pytest.mark.parametrize("number", [0, 1])
def test_a_film_shows_what_the_agent_thinks(
    tab: Any, thinking_address: str, library: Library, number: int
) -> None:
    task = max(library.results[number].rows, key=lambda row: row[5])[0]
    thoughts = library.thoughts(number, task)["steps"]
    tab.goto(f"{thinking_address}#/watch/{number}/{task}/0")
    tab.get_by_text("What the agent thinks").wait_for(timeout=60_000)
    for step in (0, 1):
        thought = thoughts[step]
        assert shares(tab) == [f"{100 * share:.1f} %" for share in thought["actions"]]
        arrows = tab.locator(".way:visible small").all_inner_texts()  # out of sight, they stand at the edges
        assert sorted(arrows) == sorted(f"{100 * share + 1e-9:.0f} %" for share in thought["actions"][1:])
        gauge = tab.get_by_role("meter", name="would ask")
        assert gauge.get_attribute("aria-valuenow") == f"{thought['ask']:.2f}"
        words = tab.locator(".words-now .word")
        assert words.count() == len(thought["attention"])
        heaviest = max(range(len(thought["attention"])), key=lambda k: thought["attention"][k])
        assert words.nth(heaviest).evaluate("word => word.style.getPropertyValue('--weight')") == "70%"
        known = tab.locator(".plan .known .been")
        assert (known.count() > 0) == (number == 0)
        tab.keyboard.press("ArrowRight")
    tab.get_by_text("probability of asking").wait_for()
    assert tab.locator(".timechart").count() >= 3


def test_the_map_of_an_agent_grows(tab: Any, thinking_address: str, library: Library) -> None:
    task = max(library.results[0].rows, key=lambda row: row[5])[0]
    thoughts = library.thoughts(0, task)["steps"]
    plan = library.plan(0, library.results[0].row(task)["building"])
    tab.goto(f"{thinking_address}#/watch/0/{task}/0")
    tab.locator(".plan .known").wait_for(timeout=60_000)
    for step in (0, len(thoughts) - 1):
        tab.goto(f"{thinking_address}#/watch/0/{task}/{step}")
        tab.get_by_text(f"step {step} of").wait_for()
        tab.locator(".plan .known").wait_for(timeout=60_000)
        here = library.episode(0, task)["places"][step]
        floor = plan["places"][here][2]
        known = [
            (place, been) for place, been, *_ in thoughts[step]["map"] if plan["places"][place][2] == floor
        ]
        assert tab.locator(".plan .known .been").count() == sum(been for _, been in known)
        assert tab.locator(".plan .known .ahead").count() == sum(not been for _, been in known)


def test_the_plan_has_walls_and_doors(tab: Any, thinking_address: str, library: Library) -> None:
    task, building = library.results[2].rows[0][:2]
    (floor,) = library.plan(0, building)["floors"]
    tab.goto(f"{thinking_address}#/watch/2/{task}/0")
    tab.get_by_text("step 0 of").wait_for()
    for kind in ("wall", "door", "glass", "swing"):
        drawn = tab.locator(f".plan .walls .{kind}").count()
        assert drawn == sum(found == kind for found, _ in floor["walls"]) > 0


def test_what_if_the_teacher_went_on(tab: Any, thinking_address: str, library: Library) -> None:
    row = next(row for row in library.results[2].rows if not row[3] and row[5] > 4)
    told = library.episode(2, row[0])
    tab.goto(f"{thinking_address}#/watch/2/{row[0]}/3")
    box = tab.get_by_role("region", name="What if")
    box.get_by_label("agent").select_option("shortest")
    box.get_by_role("button", name="Go on").click()
    tab.get_by_text("from step 3 on by shortest").wait_for(timeout=60_000)
    assert "Found." in tab.locator(".verdict").inner_text() and not told["success"]
    assert tab.get_by_text("step 3 of").count() == 1
    tab.reload()
    tab.get_by_text("from step 3 on by shortest").wait_for(timeout=60_000)
    tab.get_by_role("button", name="To the end").click()
    tab.get_by_text("The end: found.").wait_for()
    tab.get_by_role("link", name="as it was").click()
    tab.get_by_text("Not found.").wait_for()


def test_an_agent_live_on_a_task_of_ones_own(tab: Any, thinking_address: str, library: Library) -> None:
    number, _, request = library.objects(0)[-1]
    tab.goto(f"{thinking_address}#/live")
    tab.get_by_label("what is sought").select_option(str(number))
    tab.locator(".plan .begin").nth(4).click()
    start = int(tab.get_by_label("begin at place").input_value())
    tab.get_by_label("agent").select_option("shortest")
    tab.get_by_role("region", name="A task of your own").get_by_role("button", name="Go").click()
    tab.get_by_role("heading", name=request).wait_for(timeout=60_000)
    assert "a task of your own" in tab.locator("h1 small").inner_text()
    tab.get_by_role("button", name="One step on").click()
    assert tab.url.endswith("/1")
    assert f"start={start}" in tab.url.replace("%3D", "=")
    tab.keyboard.press("End")
    tab.get_by_text("The end: found.").wait_for()


def test_a_trained_agent_live_on_a_task_of_the_dataset(
    tab: Any, thinking_address: str, library: Library
) -> None:
    tab.goto(f"{thinking_address}#/live")
    name = next(one for one in library.live.navigators if one.endswith("/map"))
    tab.get_by_label("agent").select_option(name)
    tab.get_by_label("when it asks").select_option("no_ask")
    tab.get_by_label("task number").fill("3")
    tab.get_by_role("region", name="A task of the dataset").get_by_role("button", name="Go").click()
    tab.get_by_text("What the agent thinks").wait_for(timeout=90_000)
    assert tab.locator(".plan .known .been").count() > 0
    assert "0 requests" in tab.locator(".verdict").inner_text()


def test_overview_shows_calibration_and_heat(tab: Any, thinking_address: str, library: Library) -> None:
    found = library.calibration(0)
    tab.goto(f"{thinking_address}#/overview/0")
    charts = tab.locator(".calibration")
    charts.first.wait_for()
    assert charts.count() == len(found) == 4
    assert charts.nth(0).locator("circle").count() == len(found["lost"])
    assert tab.locator(".plan .glow").count() > 0
    tab.goto(f"{thinking_address}#/overview/2")
    tab.get_by_text("This agent noted no probabilities.").wait_for()


def test_an_exported_film_has_the_thoughts_and_the_page_offers_it(
    tab: Any, thinking_address: str, library: Library, tmp_path: Path
) -> None:
    task = max(library.results[0].rows, key=lambda row: row[5])[0]
    tab.goto(f"{thinking_address}#/watch/0/{task}/1")
    for label, start in (("as a GIF", b"GIF89a"), ("as one HTML file", b"<!doctype html>")):
        with tab.expect_download(timeout=60_000) as saved:
            tab.get_by_role("link", name=label).click()
        file = tmp_path / saved.value.suggested_filename
        saved.value.save_as(file)
        assert file.read_bytes().startswith(start)
    tab.goto(f"{file.as_uri()}#/watch/0/{task}/1")
    tab.get_by_text("What the agent thinks").wait_for()
    assert shares(tab) == [
        f"{100 * share:.1f} %" for share in library.thoughts(0, task)["steps"][1]["actions"]
    ]
    assert tab.locator(".plan .known .been").count() > 0
    assert tab.get_by_role("region", name="What if").count() == 0  # that needs a server
