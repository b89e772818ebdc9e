"""Episodes of agents with a map to learn from: what they knew at each decision, and what the teacher says.

The network remembers nothing between steps, so it learns from decisions as they come (`map_losses.py`); the
rollout itself needs no gradients.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from helpanna.agents.habits import Habits
from helpanna.agents.mapping.agent import Walkers, notes_of
from helpanna.agents.mapping.choosing import Chooser
from helpanna.agents.mapping.network import MapNetwork
from helpanna.agents.mapping.survey import Survey
from helpanna.assistance.assistants import Assistant, reseeded
from helpanna.episodes.episodes import Episodes
from helpanna.episodes.perception import Perception
from helpanna.episodes.trajectory import Trajectories
from helpanna.learning.disguise import disguised
from helpanna.learning.lessons import Lesson
from helpanna.learning.rollout import GUIDED_ASK, Batch, sample, seed_of
from helpanna.learning.settings import TrainingSettings
from helpanna.randomness import uniforms
from helpanna.teachers.mapping import NO_REFERENCE, MapTeacher, best_places

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

ROUTE_LESSON = 8
"""Time steps of an episode in which only routes are learned."""


@dataclass(frozen=True, eq=False)
class Decisions:
    """What n agents knew at one time step, and what the teacher says of it.

    Attributes:
        episode: [n] who they are.
        step: the time step.
        place: [n] the teacher's place, -1 where there is none or help was requested.
        metres: [n, P] what is left to walk over each place they know.
        survey: what they knew, in disguise.
    """

    episode: Ints
    step: int
    place: Ints
    metres: Floats
    survey: Survey


def roll_out_maps(
    network: MapNetwork,
    lesson: Lesson,
    habits: Habits,
    assistant: Assistant,
    batch: Batch,
    settings: TrainingSettings,
    on_routes: bool = False,
) -> tuple[Trajectories, list[Decisions]]:
    """Runs the episodes of a batch by the agent's own samples and by the teacher.

    In a lesson on routes the teacher walks, help is requested wherever it can be, and episodes are short.
    """
    budget = min(settings.budget, ROUTE_LESSON) if on_routes else settings.budget
    assistant = reseeded(assistant, seed_of(settings, batch.iteration))
    episodes = Episodes(lesson.train, assistant, batch.tasks, budget)
    words = network.config.words_in_sight
    walkers = Walkers(Perception(lesson.train), lesson.features.name, len(batch.tasks), habits, words)
    teacher = MapTeacher(lesson.train, len(batch.tasks))
    chooser = Chooser(network, lesson.vocabulary, next(network.parameters()).device, filled=False)
    share = 1.0 if on_routes else settings.teacher_share(batch.iteration)
    decisions: list[Decisions] = []
    while episodes.active.any():
        observation = episodes.observe()
        survey = walkers.look(observation)

        def draw(purpose: str, step: int = observation.step) -> NDArray[np.float64]:
            return uniforms(settings.seed, purpose, batch.iteration, batch.place, step)

        nobody = np.zeros_like(observation.active)
        found = chooser.choose(survey, nobody if on_routes else observation.active)
        metres = teacher.metres(walkers.known, observation)
        reference = best_places(metres)
        guided = (draw("teacher") < share) & (reference != NO_REFERENCE)
        place = np.where(guided, reference, sample(found.log_place, draw("navigation")))
        ask = sample(found.log_ask, draw("ask")).astype(bool)
        # As for the paper's agent: where the teacher decides, help is requested now and then between routes.
        often = 1.0 if on_routes else GUIDED_ASK
        now_and_then = ~observation.on_route & (draw("guided ask") < often)
        ask = np.where(guided, now_and_then, ask) & walkers.may_ask(observation)
        rows = np.flatnonzero(observation.active & (draw("kept") < settings.learn_from))
        width = survey.exists.shape[1]
        taught = np.where(ask[rows], NO_REFERENCE, reference[rows])
        known = disguised(survey.select(rows, width), rows, batch, settings)
        decisions.append(Decisions(rows, observation.step, taught, metres[rows, :width], known))
        guess = walkers.action_towards(found.log_place.argmax(axis=1), observation)
        action = walkers.action_towards(place, observation)
        episodes.step(ask, action, notes_of(found, guess))
    return episodes.trajectories(), decisions
