"""Assistants by name: `anna`, `absent`, or what is changed about ANNA, as in `noisy:0.2,limited:3`."""

from helpanna.assistance.assistants import Absent, Anna, Assistant, Limited, Noisy, Priced
from helpanna.errors import InputError
from helpanna.tasks.split import Split

_MOST = 10**6
FORMS = f"anna, absent, noisy:P, limited:N, priced:Nm (metres) and priced:Nstep (time steps), N up to {_MOST}"


def make_assistant(name: str, split: Split, seed: int = 0) -> Assistant:
    """The assistant of this name, for evaluation: among equally good routes the first is named.

    Args:
        name: `anna`; `absent`; or changes of ANNA joined by commas, each kind once, in any order: `noisy:0.2`
            (names a wrong route with this probability), `limited:3` (so many answers an episode), `priced:2m`
            or `priced:1step` (what an answer costs).
        split: the tasks and routes.
        seed: addresses the draws of a noisy assistant.
    """
    if name == "absent":
        return Absent()
    anna = Anna(split, seed)
    if name == "anna":
        return anna
    changes = dict(_change(part, name) for part in name.split(","))
    if len(changes) < len(name.split(",")):
        raise InputError(f"the assistant {name!r} is changed twice in the same way; keep one of them.")
    assistant: Assistant = anna
    if "noisy" in changes:
        assistant = Noisy(anna, changes["noisy"], seed)
    if "limited" in changes:
        assistant = Limited(assistant, int(changes["limited"]))
    if "metres" in changes or "steps" in changes:
        assistant = Priced(assistant, changes.get("metres", 0.0), int(changes.get("steps", 0)))
    return assistant


def _change(part: str, name: str) -> tuple[str, float]:
    """What one part changes, and by how much."""
    kind, _, text = part.partition(":")
    try:
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
    raise InputError(f"there is no assistant {name!r}: {part!r} is none of {FORMS}.")


def _number(value: float, most: float) -> float:
    if not 0 <= value <= most:
        raise ValueError
    return value
