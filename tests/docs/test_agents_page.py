"""The program of an own agent on docs/agents.md runs as it stands there."""

import re
from pathlib import Path

from lessons import save_small_dataset

from helpanna.tasks import dataset

PAGE = Path(__file__).parents[2] / "docs" / "agents.md"


def test_an_agent_of_ones_own(tmp_path, monkeypatch, capsys):
    program, *_ = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert "def act(self, observation)" in program
    save_small_dataset(tmp_path / "dataset")
    monkeypatch.chdir(tmp_path)
    load = dataset.load_split
    monkeypatch.setattr(dataset, "load_split", lambda data, name: load(data, "val_seen"))
    exec(compile(program.replace("range(100)", "range(12)"), "docs/agents.md", "exec"), {})
    assert "Interval" in capsys.readouterr().out
