"""The kinds of tasks: what is asked of an agent, who helps, and what success means.

All kinds share the simulator, the agents, the trainer and the evaluator. How each is built is beside this
module, how it is scored in `helpanna.evaluation.kinds`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from helpanna.errors import InputError


@dataclass(frozen=True)
class Kind:
    """One kind of task.

    Attributes:
        name: as in `helpanna tasks build --kind`.
        success_metres: how far from a goal, along the graph, the end of a success may be.
        assistant: who helps, by the name that `make_assistant` knows; "absent" for nobody.
        subtasks: whether an answer begins a subtask, which a stop ends. Otherwise an answer is only another
            text, and every stop ends the episode.
        instruction: whether what is asked describes the way, as an assistant's instruction on a route does;
            otherwise it says what is sought.
        said: words that assistants use and that stand in no text of a dataset, for learners to know.
    """

    name: str
    success_metres: float
    assistant: str
    subtasks: bool = True
    instruction: bool = False
    said: tuple[str, ...] = ()


HANNA = Kind("hanna", 2.0, "anna")
"""Find an object, and ask ANNA on the way: "Help, Anna!"."""
R2R = Kind("r2r", 3.0, "absent", instruction=True)
"""Room-to-Room: follow an instruction to its end."""
R4R = Kind("r4r", 3.0, "absent", instruction=True)
"""Room-for-Room: follow two instructions, one after the other."""

REVERIE = Kind("reverie", 0.0, "absent")
"""Go to where an object is in sight, and name it: a goal is every location that sees it."""
NDH = Kind("ndh", 3.0, "absent")
"""Navigation from Dialog History (CVDN): go on as two people have agreed."""

_ADVICE = "turn 30 60 90 120 150 180 degrees left right, go forward 1 2 3 4 step steps, stop"
VNLA = Kind("vnla", 2.0, "adviser", subtasks=False, said=(_ADVICE,))
"""Find an object in a kind of room, with an adviser who tells the next steps."""

KINDS: Mapping[str, Kind] = {kind.name: kind for kind in (HANNA, R2R, R4R, REVERIE, NDH, VNLA)}


def kind_of(name: object) -> Kind:
    """The kind of this name."""
    if not isinstance(name, str) or name not in KINDS:
        raise InputError(f"there is no kind of task {name!r}; there are {', '.join(KINDS)}.")
    return KINDS[name]
