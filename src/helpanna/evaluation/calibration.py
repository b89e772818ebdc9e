"""How far an agent's probabilities can be trusted: of wanting help, and of its next action.

The probability of request_help is meant to be the probability that the help-request teacher, who looks back
over the episode, would have asked here. A network's own figure is off; two numbers, fitted on one split,
correct its log odds (Platt scaling), and other splits show whether that holds.

Conformal sets: all actions that have at least a certain probability. The bound is chosen on one split such
that the teacher's action is in the set at all but a given share of decisions; elsewhere this holds as far as
the decisions there are like those, which `Evidence.coverage` measures.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, logit

from helpanna.agents.agent import Agent
from helpanna.agents.habits import lost_of
from helpanna.agents.thoughts import Thoughts, listen
from helpanna.assistance.assistants import Assistant
from helpanna.episodes.trajectory import Trajectories
from helpanna.errors import InputError
from helpanna.evaluation.runner import BATCH_SIZE, OnProgress, batches, run_batch
from helpanna.tasks.split import Split
from helpanna.teachers.help_request import help_request_references
from helpanna.teachers.navigation import NO_REFERENCE, navigation_references

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ERRORS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
"""Shares of decisions at which conformal sets may miss the teacher's action, for which bounds are stored."""

_TINY = 1e-6


@dataclass(frozen=True, eq=False)
class Evidence:
    """What an agent thought at n decisions where it could ask, and at m where the teacher knew the way.

    Attributes:
        ask: [n] the probability of request_help.
        wanted: [n] whether the help-request teacher would have asked.
        actions: [m, A] the probability of each navigation action, 0 where there is none.
        right: [m] the teacher's action.
    """

    ask: Floats
    wanted: Bools
    actions: Floats
    right: Ints

    def in_set(self, bound: float) -> Bools:
        """[m] whether the set of actions of at least this probability holds the teacher's."""
        return self.actions[np.arange(len(self.right)), self.right] >= bound

    def coverage(self, bound: float) -> tuple[float, float]:
        """The share of decisions whose set holds the teacher's action, and of those with one action in it."""
        single = (self.actions >= bound).sum(axis=1) == 1
        return float(self.in_set(bound).mean()), float(single.mean())


def gather(
    split: Split,
    agent: Agent,
    assistant: Assistant,
    tasks: Ints,
    budget: int,
    on_progress: OnProgress | None = None,
) -> Evidence:
    """Runs an agent on tasks, and notes what it thought.

    Raises:
        InputError: it has no thoughts to tell, or could never ask.
    """
    heard: list[Thoughts] = []
    if not listen(agent, heard.append):
        raise InputError("a heuristic has no probabilities; name a trained agent.")
    parts = []
    try:
        for done, batch in batches(tasks, BATCH_SIZE):
            heard.clear()
            trajectories = run_batch(split, agent, assistant, batch, budget)
            parts.append(_evidence(split, agent, trajectories, heard))
            if on_progress is not None:
                on_progress(done, len(tasks))
    finally:
        listen(agent, None)
    width = max(part.actions.shape[1] for part in parts)
    found = Evidence(
        ask=np.concatenate([part.ask for part in parts]),
        wanted=np.concatenate([part.wanted for part in parts]),
        actions=np.concatenate(
            [np.pad(part.actions, [(0, 0), (0, width - part.actions.shape[1])]) for part in parts]
        ),
        right=np.concatenate([part.right for part in parts]),
    )
    if not len(found.ask):
        raise InputError("help could never be requested in these episodes; name a dataset with routes.")
    return found


def _evidence(split: Split, agent: Agent, trajectories: Trajectories, heard: list[Thoughts]) -> Evidence:
    help_wanted = help_request_references(split, trajectories, lost_of(agent))
    way = navigation_references(split, trajectories)
    width = max(thoughts.actions.shape[1] for thoughts in heard)
    ask, actions = [], []
    for step, thoughts in enumerate(heard):
        ask.append(thoughts.ask[help_wanted.counts[:, step]])
        known = thoughts.actions[way.action[:, step] != NO_REFERENCE]
        actions.append(np.pad(known, [(0, 0), (0, width - known.shape[1])]))
    steps = range(len(heard))
    return Evidence(
        ask=np.concatenate(ask).astype(np.float64),
        wanted=np.concatenate([help_wanted.ask[help_wanted.counts[:, t], t] for t in steps]),
        actions=np.concatenate(actions).astype(np.float64),
        right=np.concatenate([way.action[way.action[:, t] != NO_REFERENCE, t] for t in steps]),
    )


def fit(ask: Floats, wanted: Bools) -> tuple[float, float]:
    """Scale and offset of the log odds with which the probabilities fit best what was wanted.

    Raises:
        InputError: help was wanted always or never, or the probabilities say the opposite of what was wanted.
    """
    if wanted.all() or not wanted.any():
        raise InputError("help was wanted always or never: there is nothing to fit; take more tasks.")
    odds = _log_odds(ask)

    def loss(parameters: Floats) -> tuple[float, Floats]:
        z = parameters[0] * odds + parameters[1]
        off = expit(z) - wanted
        return float(np.mean(np.logaddexp(0, z) - wanted * z)), np.array([(off * odds).mean(), off.mean()])

    found = minimize(loss, np.array([1.0, 0.0]), jac=True, method="BFGS").x
    if found[0] <= 0:
        raise InputError("where this agent would ask, help was wanted less; it has not learned when to ask.")
    return float(found[0]), float(found[1])


def calibrated(ask: Floats, scale: float, offset: float) -> Floats:
    """The probabilities with their log odds corrected."""
    result: Floats = expit(scale * _log_odds(ask) + offset)
    return result


@dataclass(frozen=True)
class Reliability:
    """One bar of a reliability diagram.

    Attributes:
        count: how many decisions it stands for.
        predicted: their mean probability.
        true: the share of them at which help was wanted.
    """

    count: int
    predicted: float
    true: float


def reliability(ask: Floats, wanted: Bools, bins: int = 10) -> list[Reliability]:
    """The diagram: decisions by their probability, in equal intervals; empty ones are left out."""
    which = np.minimum((ask * bins).astype(int), bins - 1)
    return [
        Reliability(int(here.sum()), float(ask[here].mean()), float(wanted[here].mean()))
        for here in (which == b for b in range(bins))
        if here.any()
    ]


def expected_calibration_error(ask: Floats, wanted: Bools, bins: int = 10) -> float:
    """The mean distance between what was predicted and what was true, over the bars of the diagram."""
    bars = reliability(ask, wanted, bins)
    return sum(bar.count * abs(bar.predicted - bar.true) for bar in bars) / len(ask)


def set_bound(evidence: Evidence, error: float) -> float:
    """The probability from which an action belongs to the conformal set (split conformal prediction).

    At all but a share `error` of decisions like these the teacher's action is in the set.
    """
    right = np.sort(evidence.actions[np.arange(len(evidence.right)), evidence.right])
    outside = int(np.floor(error * (len(right) + 1)))
    return float(right[outside - 1]) if outside else 0.0


def _log_odds(p: Floats) -> Floats:
    odds: Floats = logit(np.clip(p, _TINY, 1 - _TINY))
    return odds
