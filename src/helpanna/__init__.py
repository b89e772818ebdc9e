"""helpanna: study and build agents that find their way by asking for help.

What people need most is here, in the order in which they need it; docs/python.md shows it in one flow. Each
name is loaded when it is used first: `import helpanna` is fast and needs NumPy, SciPy and Gymnasium only.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

try:
    from helpanna.environments.registration import register_environments
except KeyboardInterrupt:  # the command line answers it this way, but is itself not there yet
    raise SystemExit(130) from None
from helpanna.version import __version__

if TYPE_CHECKING:  # the same as _HOMES, for type checkers and editors
    from helpanna.agents.agent import Decision
    from helpanna.agents.names import make_agent
    from helpanna.agents.networks.kinds import make_networks
    from helpanna.agents.networks.protocol import NetworkConfig
    from helpanna.agents.store import load_agent
    from helpanna.assistance.assistants import Answers
    from helpanna.assistance.names import make_assistant
    from helpanna.assistance.route_systems import make_routes
    from helpanna.episodes.trajectory import Trajectories
    from helpanna.episodes.trajectory_file import read_trajectories, write_trajectories
    from helpanna.errors import InputError
    from helpanna.evaluation.metrics import evaluate
    from helpanna.evaluation.runner import run_episodes
    from helpanna.learning.lessons import Lesson
    from helpanna.learning.settings import TrainingSettings
    from helpanna.learning.trainer import Trainer
    from helpanna.tasks.build import BuildSettings, build_splits
    from helpanna.tasks.dataset import load_dataset, save_dataset
    from helpanna.worlds.atlas import build_atlas
    from helpanna.worlds.houses.generate import generate_atlas
    from helpanna.worlds.own import Thing, make_world
    from helpanna.worlds.storage import load_atlas, save_atlas

__all__ = [  # noqa: RUF022  # in the order in which they are needed
    # buildings
    "generate_atlas", "load_atlas", "save_atlas", "build_atlas", "make_world", "Thing",
    # tasks
    "make_routes", "build_splits", "BuildSettings", "load_dataset", "save_dataset",
    # agents and assistants
    "make_agent", "load_agent", "Decision", "make_assistant", "Answers",
    # episodes
    "run_episodes", "evaluate", "Trajectories", "read_trajectories", "write_trajectories",
    # learning
    "Trainer", "TrainingSettings", "Lesson", "NetworkConfig", "make_networks",
    "InputError", "__version__",
]  # fmt: skip

_HOMES = {
    "agents.agent": ("Decision",),
    "agents.names": ("make_agent",),
    "agents.networks.kinds": ("make_networks",),
    "agents.networks.protocol": ("NetworkConfig",),
    "agents.store": ("load_agent",),
    "assistance.assistants": ("Answers",),
    "assistance.names": ("make_assistant",),
    "assistance.route_systems": ("make_routes",),
    "episodes.trajectory": ("Trajectories",),
    "episodes.trajectory_file": ("read_trajectories", "write_trajectories"),
    "errors": ("InputError",),
    "evaluation.metrics": ("evaluate",),
    "evaluation.runner": ("run_episodes",),
    "learning.lessons": ("Lesson",),
    "learning.settings": ("TrainingSettings",),
    "learning.trainer": ("Trainer",),
    "tasks.build": ("BuildSettings", "build_splits"),
    "tasks.dataset": ("load_dataset", "save_dataset"),
    "worlds.atlas": ("build_atlas",),
    "worlds.houses.generate": ("generate_atlas",),
    "worlds.own": ("Thing", "make_world"),
    "worlds.storage": ("load_atlas", "save_atlas"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Loads a name of `__all__` when it is used first (PEP 562)."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'helpanna' has no attribute {name!r}")
    try:
        value = getattr(import_module(f"helpanna.{_HOME_OF[name]}"), name)
    except ModuleNotFoundError as missing:
        if missing.name not in ("torch", "safetensors", "tensorboard"):
            raise
        raise ImportError(f'helpanna.{name} needs PyTorch; pip install "helpanna[learn]".') from missing
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


# `import helpanna` is how Gymnasium learns of a package's environments.
register_environments()
