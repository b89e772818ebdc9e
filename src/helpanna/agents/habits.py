"""How a trained agent uses its networks, whatever these are."""

from dataclasses import dataclass

from helpanna.agents.agent import Agent
from helpanna.episodes.conditions import USUAL_LOST, Lost


@dataclass(frozen=True)
class Habits:
    """What belongs to an agent and not to its networks; stored with it.

    Attributes:
        language: whether assistants' instructions are read; otherwise help is the target image only,
            and the text on a route is empty.
        picture: whether the target image is seen; otherwise help is words only, on a route and after it.
        ask_once: whether the agent is kept from requesting help twice at a location (not in the paper).
        ask_above: the probability of request_help above which a greedy agent requests it; 0.5 is the paper's.
        lost: the reading of the condition `lost` by which it was taught, and by which it is to be scored.
    """

    language: bool = True
    picture: bool = True
    ask_once: bool = False
    ask_above: float = 0.5
    lost: Lost = USUAL_LOST


def lost_of(agent: Agent) -> Lost:
    """The reading of `lost` by which an agent was taught; the usual one for agents that were taught nothing.

    An agent inside others (an ask policy, perfect interpretation) is found by their attribute `agent`.
    """
    inner: object = agent
    while hasattr(inner, "agent"):
        inner = inner.agent
    lost: Lost = getattr(inner, "lost", USUAL_LOST)
    return lost
