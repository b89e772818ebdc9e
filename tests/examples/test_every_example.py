"""What holds for every example."""

import ast
from pathlib import Path

import pytest
from examples_loader import FOLDER

EXAMPLES = sorted(FOLDER.glob("*.py"))
LONGER = {"ppo": 200}
"""The learner that is to be read in one place; all others stay below 100 lines."""

LISTED = (FOLDER / "README.md").read_text(encoding="utf-8")
TESTS = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))


def test_there_are_some():
    assert len(EXAMPLES) >= 3


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
class TestExample:
    def test_it_is_short(self, path):
        assert len(path.read_text(encoding="utf-8").splitlines()) < LONGER.get(path.stem, 100)

    def test_it_says_how_it_is_started(self, path):
        assert f"python examples/{path.name}" in ast.get_docstring(
            ast.parse(path.read_text(encoding="utf-8"))
        )

    def test_it_is_listed(self, path):
        assert f"[{path.name}]({path.name})" in LISTED

    def test_it_is_run_by_a_test(self, path):
        assert f'load("{path.stem}")' in TESTS or f'"{path.name}"' in TESTS
