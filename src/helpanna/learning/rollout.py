"""Episodes to learn from: the agent acts by its own samples, and what it thought is kept for the losses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from helpanna.agents.asking import AskEvery5, AskPolicy, NoAsk, RandomAsk
from helpanna.agents.habits import Habits
from helpanna.agents.learned import notes_of
from helpanna.agents.mind import Mind
from helpanna.agents.mirror import Mirror, in_mirror
from helpanna.agents.networks.protocol import Networks, Outputs
from helpanna.agents.senses import Senses
from helpanna.agents.skylines import teacher_action
from helpanna.agents.veil import Veil
from helpanna.assistance.assistants import Assistant, reseeded
from helpanna.episodes.episodes import Episodes
from helpanna.episodes.trajectory import Trajectories
from helpanna.learning.settings import TrainingSettings
from helpanna.learning.thinkers import Thinkers
from helpanna.randomness import uniforms
from helpanna.tasks.split import Split

Ints = NDArray[np.int64]

GUIDED_ASK = 0.3
"""The probability of a request between routes where the teacher decides."""


@dataclass(frozen=True, eq=False)
class Batch:
    """The episodes of one iteration.

    Attributes:
        iteration: its number; with the place it addresses all draws.
        tasks: [B] indices into the training split.
        place: [B] each episode's place in the whole batch, of which other processes may have a part.
    """

    iteration: int
    tasks: Ints
    place: Ints


@dataclass(frozen=True, eq=False)
class Rollout:
    """B finished episodes of at most T steps, and what the networks put out at each.

    Attributes:
        trajectories: what happened.
        log_nav: [T', B, A]; T' is the length of the longest episode.
        log_ask: [T', B, 2].
        reasons: [T', B, 3], or None if the networks do not predict conditions.
    """

    trajectories: Trajectories
    log_nav: Tensor
    log_ask: Tensor
    reasons: Tensor | None


def roll_out(
    networks: Networks,
    senses: Senses,
    split: Split,
    assistant: Assistant,
    batch: Batch,
    settings: TrainingSettings,
    habits: Habits | None = None,
) -> Rollout:
    """Runs the episodes of a batch, with sampled decisions."""
    # Every iteration has other ties, other instructions of a route, other errors.
    assistant = reseeded(assistant, seed_of(settings, batch.iteration))
    episodes = Episodes(split, assistant, batch.tasks, settings.budget)
    veil = None
    if settings.sight_dropout > 0:
        veil = Veil(settings.sight_dropout, settings.seed, batch.iteration, batch.place)
    mirror = None
    if settings.mirror:
        mirror = Mirror(in_mirror(settings.seed, batch.iteration, batch.place))
    thinkers = Thinkers(Mind(networks, senses, len(batch.tasks), settings.budget, habits, veil, mirror))
    policy = _ask_policy(settings, batch.iteration)
    if policy is not None:
        policy.begin(senses.perception, batch.tasks)
    teacher_share = settings.teacher_share(batch.iteration)
    thoughts: list[Outputs] = []
    while episodes.active.any():
        observation = episodes.observe()
        outputs = thinkers.think(observation)
        thoughts.append(outputs)

        def draw(purpose: str, step: int = observation.step) -> NDArray[np.float64]:
            return uniforms(settings.seed, purpose, batch.iteration, batch.place, step)

        action = sample(_numbers(outputs.log_nav), draw("navigation"))
        if policy is None:
            ask = sample(_numbers(outputs.log_ask), draw("ask")).astype(bool)
        else:
            ask = policy.ask(observation, action)
        if teacher_share > 0:
            guided = draw("teacher") < teacher_share
            action = np.where(guided, teacher_action(split, observation), action)
            if policy is None:
                # The help-request teacher can only look back. In its place help is requested now and then
                # between routes, so that there are routes to learn from, and they are walked to their ends.
                now_and_then = ~observation.on_route & (draw("guided ask") < GUIDED_ASK)
                ask = np.where(guided, now_and_then, ask)
        episodes.step(ask & thinkers.may_ask(observation), action, notes_of(outputs))
    return Rollout(
        trajectories=episodes.trajectories(),
        log_nav=torch.stack([outputs.log_nav for outputs in thoughts]),
        log_ask=torch.stack([outputs.log_ask for outputs in thoughts]),
        reasons=_stacked([outputs.reasons for outputs in thoughts]),
    )


def _stacked(reasons: Sequence[Tensor | None]) -> Tensor | None:
    predicted = [logits for logits in reasons if logits is not None]
    return torch.stack(predicted) if predicted else None


def sample(log_p: NDArray[np.floating[Any]], drawn: NDArray[np.float64]) -> Ints:
    """[B] an index of each row of [B, A], by its probabilities and a uniform number."""
    cumulative = np.cumsum(np.exp(log_p.astype(np.float64)), axis=1)
    return np.argmax(cumulative > drawn[:, None] * cumulative[:, -1:], axis=1)


def _numbers(x: Tensor) -> NDArray[np.float64]:
    numbers: NDArray[np.float64] = x.detach().double().cpu().numpy()
    return numbers


def seed_of(settings: TrainingSettings, iteration: int) -> int:
    """The seed of what is drawn again in every iteration."""
    return settings.seed * 1_000_003 + iteration


def _ask_policy(settings: TrainingSettings, iteration: int) -> AskPolicy | None:
    match settings.asking:
        case "learned":
            return None
        case "no_ask":
            return NoAsk()
        case "random_ask":
            return RandomAsk(seed_of(settings, iteration))
        case "ask_every5":
            return AskEvery5()
