"""Learning works: an agent learns to ask, to follow and to arrive where nobody finds the way without help."""

import numpy as np
import pytest
from crossroads import crossroads
from lessons import small_network, small_trainer

from helpanna.agents.learned import LearnedAgent
from helpanna.agents.names import make_agent
from helpanna.assistance.assistants import Anna
from helpanna.evaluation.metrics import evaluate
from helpanna.evaluation.runner import run_episodes
from helpanna.learning.lessons import Lesson


def scores(split, agent):
    """Success rate and requests a task, over half of the training tasks."""
    trajectories = run_episodes(split, agent, Anna(split), np.arange(0, len(split), 2))
    metrics = evaluate(split, trajectories)
    return metrics["success_rate"].value, metrics["requests_per_task"].value


@pytest.mark.slow
def test_learned_asking_beats_the_same_navigator_without_help_and_with_help_at_random(tmp_path):
    """By the warm start: the teacher acts at first and hands over."""
    split = crossroads()
    lesson = Lesson.of(split, {})
    trainer = small_trainer(
        tmp_path,
        lesson,
        small_network(lesson, hidden=32, action_embedding=32),
        iterations=120,
        batch_size=48,
        budget=7,
        learning_rate=3e-3,
        warm_up=5,
        decay=True,
        hand_over=150,
        weight_decay=0.0,
        curiosity=0.3,
        clip=5.0,
        seed=1,
        save_every=1000,
        evaluate_every=1000,
    )
    untrained, _ = scores(
        split, LearnedAgent(trainer.networks.eval(), lesson.vocabulary, lesson.features.space)
    )
    trainer.train()
    folder = str(tmp_path / "last")
    learned, requests = scores(split, make_agent(folder, split))
    no_ask, _ = scores(split, make_agent(f"{folder}+no_ask", split))
    random_ask, _ = scores(split, make_agent(f"{folder}+random_ask", split))
    assert untrained <= 0.1
    assert learned >= 0.9 and requests <= 2
    assert no_ask <= 0.5  # one arm in six is right, and it may try some more
    assert random_ask <= learned - 0.2
