"""The names that `import helpanna` offers."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import helpanna

SOURCE = Path(helpanna.__file__).read_text(encoding="utf-8")
HEAVY = ("torch", "scipy", "helpanna.worlds", "helpanna.tasks", "helpanna.agents", "helpanna.learning")


def fresh(program):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", [name for name in helpanna.__all__ if name != "__version__"])
def test_each_name_is_that_of_its_module(name):
    found = getattr(helpanna, name)
    assert found.__name__ == name
    assert found is getattr(importlib.import_module(found.__module__), name)
    assert found.__doc__


def test_type_checkers_are_told_the_same_as_python():
    told = {
        (node.module.removeprefix("helpanna."), alias.name)
        for block in ast.parse(SOURCE).body
        if isinstance(block, ast.If)
        for node in block.body
        for alias in node.names
    }
    assert told == {(home, name) for home, names in helpanna._HOMES.items() for name in names}
    assert sorted(name for _, name in told) == sorted(set(helpanna.__all__) - {"__version__"})


def test_importing_the_package_loads_nothing_heavy():
    loaded = fresh("import sys, helpanna; print(*sys.modules)").split()
    assert "gymnasium" in loaded
    assert [name for name in loaded if name.startswith(HEAVY)] == []


def test_names_are_listed_before_they_are_loaded():
    assert fresh("import helpanna; print('Trainer' in dir(helpanna), 'Trainer' in vars(helpanna))") == (
        "True False\n"
    )


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match="no attribute 'Zebra'"):
        helpanna.Zebra  # noqa: B018
    assert not hasattr(helpanna, "Zebra")


def test_without_torch_the_message_says_what_to_install():
    blocked = "import sys; sys.modules['torch'] = None; import helpanna\n"
    says = fresh(blocked + "try: helpanna.Trainer\nexcept ImportError as error: print(error)")
    assert says == 'helpanna.Trainer needs PyTorch; pip install "helpanna[learn]".\n'
    assert fresh(blocked + "print(helpanna.make_agent('explorer', None).__class__.__name__)") == "Explorer\n"
