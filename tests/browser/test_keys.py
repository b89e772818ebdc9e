"""The page by keyboard: nothing that is drawn again takes the focus away. And pages that come late."""

from typing import Any

import pytest

pytestmark = pytest.mark.slow

FOCUSED = "['ariaLabel', 'id', 'textContent'].map((name) => document.activeElement[name]).find(Boolean)"


def test_the_first_link_leads_to_the_content_of_the_same_page(tab: Any, address: str) -> None:
    tab.goto(f"{address}#/compare/0/1")
    tab.get_by_role("heading", name="Compare").wait_for()
    tab.get_by_role("link", name="To the content").focus()
    tab.keyboard.press("Enter")
    assert tab.evaluate(FOCUSED) == "main" and tab.url.endswith("#/compare/0/1")
    tab.get_by_role("link", name="Overview").focus()
    tab.keyboard.press("Enter")
    tab.get_by_text("of these, lost").wait_for()
    tab.wait_for_function(f"({FOCUSED}) === 'main'")


def test_sorting_and_choosing_keep_the_focus(tab: Any, address: str) -> None:
    tab.goto(f"{address}#/watch/0")
    tab.get_by_role("button", name="steps").focus()
    for arrow in ("↑", "↓"):
        tab.keyboard.press("Enter")
        assert tab.evaluate(FOCUSED) == f"steps {arrow}"
    assert tab.get_by_role("columnheader", name="steps").get_attribute("aria-sort") == "descending"
    tab.goto(f"{address}#/annotate/draw/0/house%200")
    tab.get_by_label("place 3,").focus()
    tab.keyboard.press("Enter")
    tab.get_by_role("button", name="Undo", disabled=False).wait_for()
    assert tab.evaluate(FOCUSED).startswith("place 3,")


def test_a_player_by_keyboard_stays_at_the_task(tab: Any, address: str) -> None:
    tab.goto(f"{address}#/play")
    tab.get_by_role("button", name="Begin").click()
    tab.get_by_role("group", name="Ways on").get_by_role("button").first.focus()
    tab.keyboard.press("Enter")
    tab.get_by_text("Step 1 of at most 50").wait_for()
    assert tab.evaluate(FOCUSED) == "Your task"


def test_space_opens_the_command_and_plays_nothing(tab: Any, address: str) -> None:
    tab.goto(f"{address}#/watch/0/0/0")
    tab.get_by_text("The command that makes this result again").focus()
    tab.keyboard.press("Space")
    tab.locator("code").wait_for()
    assert tab.get_by_role("button", name="Pause").count() == 0


@pytest.mark.parametrize("late", ["#/overview/0", "#/watch/0/0/1"])
def test_a_page_that_comes_late_does_not_overwrite_the_next(tab: Any, address: str, late: str) -> None:
    waiting: list[Any] = []
    asked = "**/overview" if "overview" in late else "**/episodes/0"
    tab.route(asked, lambda route: waiting.append(route))
    tab.goto(address + late)
    tab.get_by_text("Loading").wait_for()
    tab.get_by_role("link", name="Compare").click()
    tab.get_by_text("On the 40 tasks that both have.").wait_for()
    with tab.expect_response(asked):
        waiting[0].continue_()
    tab.wait_for_timeout(500)
    assert tab.locator("h1").all_inner_texts() == ["Compare"] and tab.url.endswith("#/compare")
