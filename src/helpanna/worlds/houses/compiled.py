"""What rendering needs beyond NumPy, asked for where it is used."""

import hashlib
import importlib
import os
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from typing import Any, TypeVar

from helpanna.errors import InputError

Function = TypeVar("Function", bound=Callable[..., Any])


def needed(module: str) -> Any:
    """A module that only those need who render houses."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise InputError(f'rendering houses needs {package}; pip install "helpanna[all]".') from None


def compiled(function: Function) -> Function:
    """Compiles a function with numba and keeps the machine code on disk.

    Without numba the function can still be imported; calling it is an `InputError`.
    """
    try:
        numba = importlib.import_module("numba")
    except ImportError:

        @wraps(function)
        def missing(*_: Any) -> Any:
            needed("numba")

        return missing  # type: ignore[return-value]
    # Numba looks at the file of a function only, not at those of the functions it calls: so the code of each
    # state of the sources has a folder of its own. The setting is read when the function is made.
    setting, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(_folder(numba.config.CACHE_DIR))
    try:
        return numba.njit(cache=True, error_model="numpy")(function)
    finally:
        numba.config.CACHE_DIR = setting


@cache
def _folder(wished: str) -> Path:
    """Where machine code is kept, for the sources as they are."""
    stamp = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        text = path.read_bytes()
        if b"@compiled" in text:
            stamp.update(text)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    base = Path(wished) if wished else Path(home) / "helpanna"
    return base / f"compiled-{stamp.hexdigest()[:16]}"
