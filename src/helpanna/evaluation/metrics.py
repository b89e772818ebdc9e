"""The metrics of the paper, with intervals. Shares are fractions of 1, distances metres.

Every metric is a ratio of two sums over episodes, so that one bootstrap serves them all:

- `success_rate`: the final location is within 2 m of a goal; in other kinds of tasks within what `Kind` says.
- `spl`: S L / max(P, L), where P is the distance travelled and L the shortest-path distance from the start to
  the goal nearest to the final location, or to the end of the described path, if there is one; 1 for a
  success with P = L = 0.
- `navigation_error`: metres from the final location to the nearest goal.
- `requests_per_task`, `request_share` (of all time steps), `steps_per_task`, `metres_per_task`.
- `oracle_success_rate`: some visited location is that near to a goal.
- `navigation_mistake_repeat`: the share of time steps at which the agent repeats a navigation action that was
  wrong when it chose it at the same location under the same task.
- `help_request_repeat`: the share of requests made at a location visited before under the same task.
  `help_request_repeat_asked`: where it had also requested help before under the same task (so the
  published code measures it).
- `subtask_success`: of the answers that show where to go, the share that the agent left by a stop within 2 m
  of there (v_d). Running out of time on the route, or requesting again, is no success.
- What belongs to one kind of task: see `helpanna.evaluation.kinds`.
- For each condition, over the steps at which help could be requested: `<condition>_true`, the share of steps
  where it holds; and if the agent predicts conditions, `<condition>_predicted`, `_accuracy`, `_precision`,
  `_recall` and `_f1`. As in the paper, `already_asked` stands for the negation of never_asked. Without notes
  on the navigation distribution there is no `uncertain_wrong`.

"The same task" is the same instruction and the same target.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from helpanna.episodes.conditions import USUAL_LOST, Lost
from helpanna.episodes.outcomes import Outcomes, outcomes_of
from helpanna.episodes.trajectory import NO_TARGET, Trajectories
from helpanna.evaluation.bootstrap import Interval, Ratio, Sample, intervals, mean
from helpanna.evaluation.kinds import kind_ratios
from helpanna.evaluation.path_metrics import by_length
from helpanna.tasks.goals import EPS_SUCCESS
from helpanna.tasks.split import Split
from helpanna.teachers.help_request import help_request_references
from helpanna.teachers.navigation import (
    mistakes,
    reference_actions,
    reference_targets,
    same_as_before,
    standing,
)

Bools = NDArray[np.bool_]

PREDICTED = 0.5
"""The probability from which the agent predicts a condition."""

_BLOCK = 4096


def evaluate(
    split: Split, trajectories: Trajectories, seed: int = 0, lost: Lost = USUAL_LOST
) -> dict[str, Interval]:
    """All metrics of these episodes with 95 % bootstrap intervals.

    Args:
        split: the tasks.
        trajectories: finished episodes.
        seed: addresses the bootstrap's draws.
        lost: the reading of the condition `lost`, see `helpanna.teachers.help_request`.
    """
    outcomes = outcomes_of(split, trajectories)
    return intervals(ratios_of(split, trajectories, lost), sample_of(outcomes), seed)


def ratios_of(split: Split, trajectories: Trajectories, lost: Lost = USUAL_LOST) -> dict[str, Ratio]:
    """All metrics of these episodes, each episode's share of them: for `intervals` and `differences`."""
    return (
        outcome_ratios(outcomes_of(split, trajectories))
        | _in_blocks(lambda block: kind_ratios(split, block), trajectories)
        | _in_blocks(lambda block: behaviour_ratios(split, block), trajectories)
        | _in_blocks(lambda block: condition_ratios(split, block, lost), trajectories)
    )


def sample_of(outcomes: Outcomes, run: int = 0) -> Sample:
    """Where the episodes of one run come from."""
    return Sample(outcomes.building, outcomes.task, np.full(len(outcomes), run))


def _in_blocks(
    ratios: Callable[[Trajectories], dict[str, Ratio]], trajectories: Trajectories
) -> dict[str, Ratio]:
    """What the function makes of all episodes, some at a time: it compares every step with every other."""
    starts = range(0, max(len(trajectories), 1), _BLOCK)
    parts = [ratios(trajectories.select(np.arange(len(trajectories))[i : i + _BLOCK])) for i in starts]
    return {
        name: Ratio(
            np.concatenate([part[name].numerator for part in parts]),
            np.concatenate([part[name].denominator for part in parts]),
        )
        for name in parts[0]
    }


def outcome_ratios(outcomes: Outcomes) -> dict[str, Ratio]:
    """The metrics that need no more than how each episode ended."""
    everyone = np.ones(len(outcomes))
    success = outcomes.success
    return {
        "success_rate": mean(success),
        "spl": mean(by_length(success, outcomes.metres, outcomes.shortest)),
        "navigation_error": mean(outcomes.final_distance),
        "requests_per_task": mean(outcomes.requests),
        "oracle_success_rate": mean(outcomes.closest_distance <= outcomes.success_metres),
        "request_share": Ratio(outcomes.requests, outcomes.steps),
        "steps_per_task": Ratio(outcomes.steps, everyone),
        "metres_per_task": Ratio(outcomes.metres, everyone),
    }


def behaviour_ratios(split: Split, trajectories: Trajectories) -> dict[str, Ratio]:
    """Repeated mistakes, repeated requests, and how well subtasks are carried out."""
    reference = reference_actions(split, trajectories, reference_targets(split, trajectories))
    again = same_as_before(trajectories, trajectories.text, trajectories.target)  # [B, T, T]
    wrong = mistakes(trajectories, reference)
    went = trajectories.location[:, 1:]
    same_way = again & (went[:, :, None] == went[:, None, :]) & wrong[:, None, :]
    repeats = same_way.any(axis=-1) & wrong

    asked = trajectories.asked
    requests = asked.sum(axis=1)
    visited = asked & again.any(axis=-1)
    asked_again = asked & (again & asked[:, None, :]).any(axis=-1)

    left = trajectories.on_route & (trajectories.action == 0) & (trajectories.target != NO_TARGET)
    shown = (trajectories.departure != NO_TARGET).sum(axis=1)
    here = standing(trajectories)
    distance = split.atlas.distances(here, np.where(left, trajectories.target, here))
    return {
        "navigation_mistake_repeat": Ratio(repeats.sum(axis=1), trajectories.length),
        "help_request_repeat": Ratio(visited.sum(axis=1), requests),
        "help_request_repeat_asked": Ratio(asked_again.sum(axis=1), requests),
        "subtask_success": Ratio((left & (distance <= EPS_SUCCESS)).sum(axis=1), shown),
    }


def condition_ratios(split: Split, trajectories: Trajectories, lost: Lost = USUAL_LOST) -> dict[str, Ratio]:
    """How often each help-request condition holds, and how well the agent predicts it."""
    references = help_request_references(split, trajectories, lost)
    counts = references.counts
    steps = counts.sum(axis=1)
    truth = _named(references.conditions)
    if not {"entropy", "guess"} <= trajectories.notes.keys():
        del truth["uncertain_wrong"]  # not known
    ratios = {f"{name}_true": Ratio((true & counts).sum(axis=1), steps) for name, true in truth.items()}
    if "reasons" not in trajectories.notes:
        return ratios
    guesses_of = _named(trajectories.notes["reasons"] >= PREDICTED)
    for name, holds in truth.items():
        guessed, true = guesses_of[name] & counts, holds & counts
        hits = (guessed & true).sum(axis=1)
        guesses, trues = guessed.sum(axis=1), true.sum(axis=1)
        ratios |= {
            f"{name}_predicted": Ratio(guesses, steps),
            f"{name}_accuracy": Ratio(steps - guesses - trues + 2 * hits, steps),
            f"{name}_precision": Ratio(hits, guesses),
            f"{name}_recall": Ratio(hits, trues),
            f"{name}_f1": Ratio(2 * hits, guesses + trues),
        }
    return ratios


def _named(conditions: Bools) -> dict[str, Bools]:
    """The three conditions by the names of the paper's analysis."""
    lost, uncertain_wrong, never_asked = np.moveaxis(conditions, -1, 0)
    return {"lost": lost, "uncertain_wrong": uncertain_wrong, "already_asked": ~never_asked}
