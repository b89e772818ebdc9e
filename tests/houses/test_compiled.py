import sys

import numba
import pytest

from helpanna.errors import InputError
from helpanna.worlds.houses.compiled import compiled, needed


def test_a_missing_package_is_named_with_its_remedy():
    with pytest.raises(InputError, match=r'no_such_package.*pip install "helpanna\[all\]"'):
        needed("no_such_package.part")


def test_without_numba_functions_can_be_imported_but_not_called(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)

    @compiled
    def twice(x):
        return 2 * x

    with pytest.raises(InputError, match="numba"):
        twice(2)


def test_numba_keeps_its_own_settings():
    before = numba.config.CACHE_DIR

    @compiled
    def twice(x):
        return 2 * x

    assert twice(2) == 4
    assert before == numba.config.CACHE_DIR
