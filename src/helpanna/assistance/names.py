"""Assistants by name: `anna`, `absent`, `adviser`, what is changed about ANNA, or your own.

What is changed is said as in `noisy:0.2,limited:3`. Your own is `module:name`, a class or a function that
makes it of a split and a seed.
"""

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from helpanna.assistance.adviser import Adviser
from helpanna.assistance.assistants import Absent, Anna, Assistant, Limited, Noisy, Priced, Shuffled
from helpanna.errors import InputError
from helpanna.tasks.split import Split

_MOST = 10**6
FORMS = (
    "anna, absent, adviser, noisy:P, shuffled, limited:N, priced:Nm (metres) and priced:Nstep (time steps), "
    f"N up to {_MOST}"
)

_CHANGES = ("noisy", "shuffled", "limited", "priced")
_OWN = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*):([^\W\d]\w*)")


def make_assistant(name: str | None, split: Split, seed: int = 0, random_ties: bool = False) -> Assistant:
    """The assistant of this name.

    Args:
        name: None for who helps in tasks of this kind; `anna`; `absent`; `adviser`; `module:name`, a class or
            function of your own that is called with the split and the seed; or changes of ANNA joined by
            commas, each kind once, in any order: `noisy:0.2` (names a wrong route with this probability),
            `shuffled` (says the words of some other route, with the right picture),
            `limited:3` (can be asked so often in an episode), `priced:2m` or `priced:1step` (what an
            answer costs). With `module:name` among them, that one is limited and priced in place of ANNA.
        split: the tasks and routes.
        seed: addresses the assistant's draws.
        random_ties: whether ANNA draws among equally good routes and among a route's instructions, as in
            training; otherwise the first is named.
    """
    name = split.kind.assistant if name is None else name
    if name == "absent":
        return Absent()
    if name == "adviser":
        return Adviser(split)
    anna = Anna(split, seed, random_ties)
    if name == "anna":
        return anna
    parts = name.split(",")
    own = [match for match in map(_own, parts) if match]
    changes = dict(_change(part, name) for part in parts if not _own(part))
    if len(changes) + len(own) < len(parts) or len(own) > 1:
        raise InputError(f"the assistant {name!r} is changed twice in the same way; keep one of them.")
    only_anna = [change for change in ("noisy", "shuffled") if change in changes]
    if own and only_anna:
        raise InputError(f"there is no assistant {name!r}: {only_anna[0]} changes ANNA only; leave it out.")
    if len(only_anna) > 1:
        raise InputError(f"there is no assistant {name!r}: noisy or shuffled, not both; leave one out.")
    assistant: Assistant = _made(own[0], split, seed) if own else anna
    if "noisy" in changes:
        assistant = Noisy(anna, changes["noisy"], seed)
    if "shuffled" in changes:
        assistant = Shuffled(anna, seed)
    if "limited" in changes:
        assistant = Limited(assistant, int(changes["limited"]))
    if "metres" in changes or "steps" in changes:
        assistant = Priced(assistant, changes.get("metres", 0.0), int(changes.get("steps", 0)))
    return assistant


def is_built_in(name: str) -> bool:
    """Whether this names an assistant of the package: no code of anybody's own."""
    try:
        return name in ("anna", "absent", "adviser") or all(_change(part, name) for part in name.split(","))
    except InputError:
        return False


def _own(part: str) -> re.Match[str] | None:
    """A part that names a module and what is in it."""
    return None if part.partition(":")[0] in _CHANGES else _OWN.fullmatch(part)


def _made(own: re.Match[str], split: Split, seed: int) -> Assistant:
    """An assistant of the user's own code, in a module of the current folder or of the installation."""
    name, module, attribute = own[0], own[1], own[2]
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        make: Any = getattr(import_module(module), attribute)
    except Exception as error:  # whatever the module does when it is loaded
        raise InputError(
            f"the assistant {name!r} cannot be loaded ({type(error).__name__}: {error}); check the name, and "
            "that the module is in the current folder or installed."
        ) from error
    finally:
        sys.path.remove(here)
    try:
        assistant = make(split, seed)
    except InputError:
        raise
    except Exception as error:  # whatever it does with them
        raise InputError(
            f"the assistant {name!r} cannot be made of a split and a seed ({type(error).__name__}: {error})."
        ) from error
    if not all(callable(getattr(assistant, method, None)) for method in ("attends", "answer")):
        raise InputError(
            f"the assistant {name!r} has no methods `attends` and `answer`; see docs/datasets.md."
        )
    return assistant


def _change(part: str, name: str) -> tuple[str, float]:
    """What one part changes, and by how much."""
    kind, _, text = part.partition(":")
    try:
        if part == "shuffled":
            return kind, 1.0
        if kind == "noisy":
            return kind, _number(float(text), 1.0)
        if kind == "limited":
            return kind, _number(int(text), _MOST)
        if kind == "priced" and text.endswith("m"):
            return "metres", _number(float(text.removesuffix("m")), _MOST)
        if kind == "priced" and text.endswith(("step", "steps")):
            return "steps", _number(int(text.partition("step")[0]), _MOST)
    except ValueError:
        pass
    raise InputError(
        f"there is no assistant {name!r}: {part!r} is none of {FORMS}, nor module:name of your own."
    )


def _number(value: float, most: float) -> float:
    if not 0 <= value <= most:
        raise ValueError
    return value
