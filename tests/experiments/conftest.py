"""Experiments are scripts beside the package: tests import them as they are run."""

import importlib
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "experiments"


@pytest.fixture
def experiment(monkeypatch):
    """Imports an experiment by its name; its folder is on the path."""
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return importlib.import_module
