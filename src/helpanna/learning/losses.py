"""The losses of retrospective curiosity-encouraging imitation learning: L_nav and L_ask of section 4.

At each step averaged over the agents that count, then summed over the steps.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from helpanna.learning.rollout import Rollout
from helpanna.learning.settings import TrainingSettings
from helpanna.tasks.split import Split
from helpanna.teachers.help_request import HelpRequestReferences, help_request_references
from helpanna.teachers.navigation import NavigationReferences, navigation_references

References = TypeVar("References", NavigationReferences, HelpRequestReferences)

Share = Callable[[Tensor], Tensor]
"""Turns counts [T] of this process's agents into the mean count a process."""


@dataclass(frozen=True, eq=False)
class Losses:
    """The terms, each a scalar, and how often the guard acted.

    Attributes:
        navigation: -log pi(a*), the L_NL of navigation.
        curiosity: L_curious, alpha times the mean of log pi(a) over the tried actions A(x).
        ask: -log pi(ask*), the L_NL of requests.
        conditions: L_reason, the mean binary cross-entropy of the three conditions; 0 without prediction.
        guarded: of all tried actions, the share at which the guard acted.
    """

    navigation: Tensor
    curiosity: Tensor
    ask: Tensor
    conditions: Tensor
    guarded: float

    @property
    def total(self) -> Tensor:
        """Their sum."""
        return self.navigation + self.curiosity + self.ask + self.conditions

    def values(self) -> dict[str, float]:
        """As numbers."""
        names = ("navigation", "curiosity", "ask", "conditions")
        return {name: float(getattr(self, name).detach()) for name in names} | {"guarded": self.guarded}


def losses_of(
    split: Split, rollout: Rollout, settings: TrainingSettings, share: Share | None = None
) -> Losses:
    """What the teachers say of a rollout, as losses.

    Args:
        split: the tasks.
        rollout: finished episodes and what the networks put out.
        settings: the weight of curiosity and the readings of the conditions.
        share: see `Share`; for a single process the counts themselves.
    """
    return joint_losses([(split, rollout)], settings, share)


def joint_losses(
    rollouts: Sequence[tuple[Split, Rollout]], settings: TrainingSettings, share: Share | None = None
) -> Losses:
    """The losses of one batch whose episodes are of several splits; the arguments are those of `losses_of`.

    At each step all agents that count are averaged, whichever split they are from.
    """
    navigation = _joined_tables(
        [navigation_references(split, rollout.trajectories) for split, rollout in rollouts]
    )
    help_request = _joined_tables(
        [
            help_request_references(split, rollout.trajectories, settings.lost, settings.gamma)
            for split, rollout in rollouts
        ]
    )
    outputs = [rollout for _, rollout in rollouts]
    log_nav = _joined_outputs([rollout.log_nav for rollout in outputs])
    log_ask = _joined_outputs([rollout.log_ask for rollout in outputs])
    predicted = [rollout.reasons for rollout in outputs if rollout.reasons is not None]
    mean = _StepMean(share or (lambda counts: counts))
    nav, curiosity, guarded = _navigation_losses(log_nav, navigation, settings, mean)
    reasons = _joined_outputs(predicted) if predicted else None
    ask, conditions = _ask_losses(log_ask, reasons, help_request, settings, mean)
    return Losses(nav, curiosity, ask, conditions, guarded)


def _joined_outputs(outputs: Sequence[Tensor]) -> Tensor:
    """[T', B, A] of all agents, with room for the longest episode and the most actions."""
    if len(outputs) == 1:
        return outputs[0]
    steps, actions = (max(part.shape[axis] for part in outputs) for axis in (0, 2))
    return torch.cat(
        [
            functional.pad(part, (0, actions - part.shape[2], 0, 0, 0, steps - part.shape[0]))
            for part in outputs
        ],
        dim=1,
    )


def _joined_tables(references: Sequence[References]) -> References:
    """What the teacher says of all agents: tables [B, T, ...] below each other."""
    first = references[0]
    if len(references) == 1:
        return first
    columns = {f.name: [getattr(part, f.name) for part in references] for f in fields(first)}
    return type(first)(**{name: np.concatenate(parts) for name, parts in columns.items()})


@dataclass(frozen=True)
class _StepMean:
    """Averages [T, B] over the agents that count at a step, and sums over the steps."""

    share: Share

    def __call__(self, values: Tensor, counts: Tensor) -> Tensor:
        weight = self.share(counts.sum(dim=1).float()).clamp(min=1e-6)
        return ((values * counts).sum(dim=1) / weight).sum()


def _navigation_losses(
    log_nav: Tensor, references: NavigationReferences, settings: TrainingSettings, mean: _StepMean
) -> tuple[Tensor, Tensor, float]:
    steps, device = len(log_nav), log_nav.device
    counts = _by_step(references.counts, steps, device)
    reference = _by_step(np.maximum(references.action, 0), steps, device)
    chosen = log_nav.gather(2, reference.unsqueeze(-1)).squeeze(-1)
    navigation = mean(-chosen.masked_fill(~counts, 0), counts)

    tried = _by_step(references.tried, steps, device)[:, :, : log_nav.shape[2]]
    log_tried = log_nav.masked_fill(~tried, 0)
    least = math.log(settings.guard)
    kept = log_tried.clamp(min=least)  # no gradient below
    regret = kept.sum(dim=-1) / tried.sum(dim=-1).clamp(min=1)
    blamed = tried & counts.unsqueeze(-1)
    acted = ((log_tried < least) & blamed).sum() / blamed.sum().clamp(min=1)
    return navigation, settings.curiosity * mean(regret, counts), float(acted)


def _ask_losses(
    log_ask: Tensor,
    reasons: Tensor | None,
    references: HelpRequestReferences,
    settings: TrainingSettings,
    mean: _StepMean,
) -> tuple[Tensor, Tensor]:
    steps, device = len(log_ask), log_ask.device
    zero = log_ask.new_zeros(())
    if settings.asking != "learned":
        return zero, zero
    counts = _by_step(references.counts, steps, device)
    ask = _by_step(references.ask.astype(np.int64), steps, device)
    asked = mean(-log_ask.gather(2, ask.unsqueeze(-1)).squeeze(-1), counts)
    if reasons is None:
        return asked, zero
    truth = _by_step(references.conditions.astype(np.float32), steps, device)
    entropy = functional.binary_cross_entropy_with_logits(reasons.float(), truth, reduction="none")
    return asked, mean(entropy.mean(dim=-1), counts)


def _by_step(table: NDArray[np.generic], steps: int, device: torch.device) -> Tensor:
    """[B, T, ...] to [T', B, ...]."""
    return torch.from_numpy(np.ascontiguousarray(table.swapaxes(0, 1)[:steps])).to(device)
