"""The page tells what happened."""

from pathlib import Path

import numpy as np
from splits import sample_split

from helpanna.agents.names import make_agent
from helpanna.assistance.assistants import Anna
from helpanna.evaluation.runner import run_episodes
from helpanna.viewer.story import write_story


def test_requests_messages_and_the_table_are_on_the_page(tmp_path: Path) -> None:
    split = sample_split()
    agent = make_agent("explorer+ask_untried+perfect", split)
    trajectories = run_episodes(split, agent, Anna(split), np.arange(60))
    episode = int(np.flatnonzero(trajectories.asked.any(axis=1))[0])
    rows = [("explorer", "12.00 %")]
    page = write_story(tmp_path, "A <page>", split, trajectories, [episode], ("agent", "success"), rows)
    text = page.read_text()
    assert "<h1>A &lt;page&gt;</h1>" in text
    assert "<td>12.00 %</td>" in text
    assert split.texts[int(split.goal_set[trajectories.task[episode]])] in text
    assert text.count("ANNA:") == trajectories.asked[episode].sum()
    assert (tmp_path / "episode0-plan.svg").is_file()
    assert "<figure>" not in text  # the sample buildings have no pictures
