"""The page tells what happened."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from random_episodes import corridor, scripted
from splits import sample_split
from talkers import Voice

from helpanna.agents.names import make_agent
from helpanna.assistance.assistants import Anna
from helpanna.episodes.episodes import Episodes
from helpanna.episodes.trajectory import Trajectories
from helpanna.evaluation.runner import run_episodes
from helpanna.tasks.split import Split
from helpanna.viewer.story import paragraph, table, write_story
from helpanna.worlds.atlas import Atlas
from helpanna.worlds.panoramas import decode


@pytest.mark.slow
def test_requests_messages_and_what_stands_on_top_are_on_the_page(tmp_path: Path) -> None:
    split = sample_split()
    agent = make_agent("explorer+ask_untried+perfect", split)
    trajectories = run_episodes(split, agent, Anna(split), np.arange(60))
    episode = int(np.flatnonzero(trajectories.asked.any(axis=1))[0])
    top = [paragraph("What <is> it?"), table(("agent", "success"), [("explorer <b>", "12.00 %")])]
    page = write_story(tmp_path, "A <page>", split, trajectories, [episode], top)
    text = page.read_text()
    assert "<h1>A &lt;page&gt;</h1>" in text and "<p>What &lt;is&gt; it?</p>" in text
    assert '<td class="words">explorer &lt;b&gt;</td><td class="number">12.00 %</td>' in text
    assert split.texts[int(split.goal_set[trajectories.task[episode]])] in text
    assert text.count("ANNA:") == trajectories.asked[episode].sum()
    plan = (tmp_path / "episode0-plan.svg").read_text()
    for label in ("the way taken", "what is sought", "help was requested", "the end"):
        assert label in plan
    assert "<figure>" not in text  # the sample buildings have no pictures


@pytest.mark.parametrize(
    ("assistant", "said", "pictures"),
    [
        (Voice("to the <lamp>", shown=1), "<b>Assistant:</b> to the &lt;lamp&gt;", 1),
        (Voice("look around"), "<b>Assistant:</b> look around<", 0),
        (Voice(None), "<blockquote>No answer.</blockquote>", 0),
    ],
)
def test_own_words_and_no_answer_are_told(
    pictured: Split, tmp_path: Path, assistant: Voice, said: str, pictures: int
) -> None:
    episodes = Episodes(pictured, assistant, [0], budget=2)
    episodes.step([True], [0])
    text = write_story(tmp_path, "page", pictured, episodes.trajectories(), [0]).read_text()
    assert (
        said in text and text.count("where to go") == 2 * pictures
    )  # the caption, and for those who cannot see


@pytest.fixture
def pictured(sample_with_panoramas: Atlas) -> Split:
    """The corridor's routes and tasks are not needed: a split in a building with pictures."""
    whole = sample_split(worlds=1)
    return replace(whole, atlas=sample_with_panoramas)


def walk(split: Split, *places: int) -> Trajectories:
    """An episode that walks along these places and stops."""
    task = int(np.flatnonzero(split.start == places[0])[0])
    return scripted(split, task, [*places[1:], "stop"])


def neighbours(split: Split) -> tuple[int, int]:
    start = int(split.start[0])
    return start, int(split.atlas.action_location[start, 12, 1])


def test_steps_back_and_forth_are_folded(pictured: Split, tmp_path: Path) -> None:
    a, b = neighbours(pictured)
    text = write_story(tmp_path, "page", pictured, walk(pictured, *[a, b] * 8), [0]).read_text()
    captions = re.findall("<figcaption>(.*?)</figcaption>", text)
    assert captions == ["step 1", "step 2", "the end"]
    assert "… 14 more steps back and forth between two places …" in text


def test_a_few_steps_back_and_forth_are_shown(pictured: Split, tmp_path: Path) -> None:
    a, b = neighbours(pictured)
    text = write_story(tmp_path, "page", pictured, walk(pictured, a, b, a, b), [0]).read_text()
    captions = re.findall("<figcaption>(.*?)</figcaption>", text)
    assert captions == ["step 1", "step 2", "step 3", "step 4", "the end"]
    assert "back and forth" not in text


def test_no_picture_of_an_earlier_page_is_used(pictured: Split, tmp_path: Path) -> None:
    a, b = neighbours(pictured)
    write_story(tmp_path, "page", pictured, walk(pictured, a, b), [0])
    pictures = sorted(tmp_path.glob("episode0-*.jpg"))
    before = {picture.name: picture.read_bytes() for picture in pictures}
    assert before
    for picture in pictures:
        picture.write_bytes(b"of another house")
    (tmp_path / "episode7-1-2.jpg").write_bytes(b"of an episode no longer told")
    (tmp_path / "mine.jpg").write_bytes(b"not ours")
    write_story(tmp_path, "page", pictured, walk(pictured, a, b), [0])
    assert {picture.name: picture.read_bytes() for picture in tmp_path.glob("episode*.jpg")} == before
    assert decode(next(iter(before.values())), "a picture").shape[-1] == 3
    assert (tmp_path / "mine.jpg").read_bytes() == b"not ours"
    assert not list(tmp_path.glob(".*"))


def test_how_it_ended_is_told(tmp_path: Path) -> None:
    split = corridor()
    stopped = write_story(tmp_path, "page", split, scripted(split, 4, [5, "stop"]), [0]).read_text()
    assert (
        "found it" in stopped and "It never asked, walked 1.0 m in 2 steps and stopped by itself." in stopped
    )
    late = scripted(split, 2, ["ask", 3], budget=2)
    text = write_story(tmp_path, "page", split, late, [0]).read_text()
    assert "was 3.0 m from the nearest one" in text
    assert "It asked once, walked 1.0 m in 2 steps and ran out of time." in text
