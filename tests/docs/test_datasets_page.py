"""The assistant of one's own on docs/datasets.md works as it stands there."""

import re
from pathlib import Path

import numpy as np
from splits import sample_split

from helpanna.agents.names import make_agent
from helpanna.evaluation.runner import run_episodes

PAGE = Path(__file__).parents[2] / "docs" / "datasets.md"


def test_an_assistant_of_ones_own():
    (program,) = [
        program
        for program in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
        if "def answer" in program
    ]
    names: dict = {}
    exec(compile(program, "docs/datasets.md", "exec"), names)
    split = sample_split()
    agent = make_agent("explorer+ask_untried+perfect", split)
    done = run_episodes(split, agent, names["Pointer"](split), np.arange(40))
    assert done.answered.any() and all(
        re.fullmatch(r"it is \d+ metres from here", said) for said in done.said
    )
